"""Hints for newcomers: one at a time; each covers nothing and stays until the player follows or dismisses it."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from server.harness import Server
from web.conftest import Browse
from web.setting import deployed, due, sit_at
from web.table import Table, wait_for

PHONE = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True}
STRIP, STATUS, FIRST = "[data-hint]", ".status", ".board"
OVERFLOWS = """(strip) => {
  const [box, words] = [strip, strip.querySelector('p')].map((each) => each.getBoundingClientRect());
  const lies = strip.offsetLeft === 0;
  const [name, links] = ['header .name', 'nav'].map((part) => document.querySelector(part).getBoundingClientRect());
  return words.height > box.height || (!lies && (box.left < name.right || box.right > links.left));
}"""


def says(page: Page, code: str) -> None:
    expect(page.locator(STRIP)).to_have_attribute("data-hint", code)


def below(page: Page, *selectors: str) -> None:
    """Check that the hint covers none of these elements below it."""
    strip = page.locator(STRIP).bounding_box()
    assert strip is not None
    for selector in selectors:
        box = page.locator(selector).first.bounding_box()
        assert box is not None
        assert box["y"] >= strip["y"] + strip["height"] - 1, selector


def place(page: Page) -> float:
    box = page.locator(FIRST).bounding_box()
    assert box is not None
    return box["y"]


@pytest.mark.parametrize("language", ["de", "fr"])
def test_a_tip_stays_in_its_room(browse: Browse, language: str) -> None:
    page = browse(patient=True, locale=language)
    page.locator('[data-do="play-now"]').click()
    says(page, "move")
    tip = page.locator(STRIP)
    for width in (610, 700, 780, 1024, 1240, 1250, 1280):
        page.set_viewport_size({"width": width, "height": 768})
        wait_for(page, lambda: not tip.evaluate(OVERFLOWS), f"the tip in its room at {width}")


def test_a_tip_stays_in_its_room_above_a_wide_table(browse: Browse, server: Server) -> None:
    """On a map, the table is wider than the page's head."""
    page = browse(patient=True)
    sit_at(page, server.match(("me", "random"), "conquest-two"), "red")
    tip = page.locator(STRIP)
    tip.wait_for()
    for width in (1280, 1366, 1600):
        page.set_viewport_size({"width": width, "height": 650})
        wait_for(page, lambda: not tip.evaluate(OVERFLOWS), f"the tip in its room at {width}")


@pytest.mark.parametrize("size", [{}, PHONE], ids=["desk", "phone"])
def test_hints_come_when_needed_and_not_again(browse: Browse, server: Server, size: dict[str, object]) -> None:
    match = server.match()
    deployed(match, "blue", {"j10": "flag", "i7": "general"})
    page = browse(patient=True, **size)
    table = sit_at(page, match, "red")
    says(page, "place")
    before = place(page)
    table.suggest()
    says(page, "home")  # all pieces are placed: the next hint is about good places
    table.do("got-it").click()
    says(page, "walls")
    assert place(page) == before, "a hint moves the board"
    table.do("ready").click()
    assert table.ready()
    says(page, "move")
    table.hear("Choose a piece of yours, then where it goes")
    below(page, STATUS, FIRST)
    move_once(table)
    blue = match.sit("blue")
    due(blue)
    blue.act([blue.choices[0]["id"]])
    assert table.ready()
    assert page.locator('[data-hint="move"]').count() == 0
    page.reload()
    assert Table(page).ready()
    assert page.locator('[data-hint="move"]').count() == 0
    known = page.evaluate("() => JSON.parse(localStorage['gonfalon.hints'])")
    assert {"grid.place", "grid.home", "grid.walls", "grid.move"} <= set(known)


@pytest.mark.parametrize(("variant", "helps"), [("barrage", "random"), ("conquest-two", "choose-rest")])
def test_where_there_is_no_hint_it_says_what_helps(browse: Browse, server: Server, variant: str, helps: str) -> None:
    """If no hint is possible, while pieces are placed or territories are chosen, the page says what helps."""
    match = server.match(("me", "random"), variant)
    red = match.sit("red")
    while not red.due:
        red.next()
    table = sit_at(browse(), match, "red")
    table.do("hint").click()
    expect(table.page.locator(".status")).to_contain_text(f'"{table.do(helps).inner_text()}"')
    expect(table.do("hint")).to_be_enabled()
    table.do(helps).click()
    expect(table.page.locator(".status [role=alert]")).to_have_count(0)


def move_once(table: Table) -> None:
    begin = next(name for name, label in table.squares().items() if "can be chosen" in label)
    table.choose(begin)
    table.choose(min(table.targets()))
    table.settle()


@pytest.mark.parametrize(("variant", "powers"), [("duel", False), ("special", True)])
def test_tips_are_those_of_the_game(browse: Browse, server: Server, variant: str, powers: bool) -> None:
    table = sit_at(browse(), server.match(("me", "random"), variant), "red")
    table.do("hints").click()
    tips, button = table.page.locator(".aid .told"), table.do("pictures").bounding_box()
    expect(tips).to_have_count(12 if powers else 9)
    told = " ".join(tips.all_inner_texts())
    assert [words in told for words in ("Captain", "attack its own", "bring back")] == [powers] * 3
    first = tips.first.bounding_box()
    assert button is not None
    assert first is not None
    assert first["y"] - button["y"] - button["height"] >= 8


def test_hints_are_turned_off_by_one_press_and_told_again(browse: Browse, server: Server) -> None:
    match = server.match(("me", "random"))
    page = browse(patient=True)
    table = sit_at(page, match, "red")
    says(page, "place")
    table.do("no-hints").click()
    expect(page.locator(STRIP)).to_have_count(0)
    page.reload()
    table.do("random").wait_for()
    expect(page.locator(STRIP)).to_have_count(0)
    table.do("hints").click()
    expect(page.locator(".aid")).to_contain_text("Bombs never move either")
    table.do("hints-again").click()
    says(page, "place")
