"""The Card Game in the browser: a whole match, the looks and the trick, by keys, on a phone, and accessibility."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from server.harness import Server
from web.cardtable import WORDS, CardTable, answer, dealt, said
from web.conftest import Browse
from web.setting import HASTE, deploy, due, new_match, sit_at
from web.table import Table
from web.test_axe import check
from web.test_keyboard import focused, tab_to
from web.test_phone import PHONE, no_sideways, on_screen

MOST_TURNS = 40
"""Maximum number of own turns of a match. Nearly all matches end earlier, because the other side plays at random."""
LEADING = 3
"""Empty pixels below the letters of a line."""
MOST_BY_KEYS = 6
"""Maximum number of own turns played by keys, which are slower."""


def seated(page: Page, side: str = "") -> CardTable:
    new_match(page, "cardgame", "agent:random", side)
    table = CardTable(page)
    table.do("ready").wait_for()
    return table


def test_a_whole_match_by_mouse_and_its_replay(browse: Browse) -> None:
    page = browse()
    page.add_init_script(HASTE)
    table = seated(page, side="blue")
    assert page.locator('[data-do="shelf"]').count() == 0, "a hand is no deployment to keep"
    table.suggest()
    assert len([label for label in table.squares().values() if "your" in label]) == 5
    expect(table.do("ready")).to_be_enabled()
    page.click('[data-do="mirror"]')
    page.click('[data-do="clear"]')
    table.lay(by_drag=True)
    turns = 0
    while (now := table.due()) != "over":
        if now == "lay":
            table.lay(by_drag=turns % 2 == 0)
        elif turns == MOST_TURNS:
            table.do("resign").click()
            table.do("confirm-resign").click()
        else:
            table.attack_somewhere(by_drag=turns % 4 == 1)
            turns += 1
    expect(page.locator(".status")).to_contain_text(re.compile("You win|You lose|Draw"))
    table.do("replay").click()
    _replayed(page)


def _replayed(page: Page) -> None:
    """Check the beginning of a replay: the lines are laid, everybody sees the number of cards, and a spectator sees no
    face.
    """
    expect(page.locator("[data-table]")).to_be_visible()
    for eyes, known in {"everything": 10, "red": 5, "blue": 5, "public": 0}.items():
        page.check(f'[name="eyes"][value="{eyes}"]')
        labels = Table(page).squares().values()
        assert sum("Red" in label or "Blue" in label for label in labels) == 10
        assert sum(bool(re.search("(Red|Blue) [A-Z]", label)) for label in labels) == known, eyes
    page.check('[name="eyes"][value="everything"]')
    page.click('[data-do="last"]')
    expect(page.locator('[data-do="next"]')).to_be_disabled()


def test_the_looks_and_the_trick(browse: Browse, server: Server) -> None:
    """Red at the page, blue at a socket; the deal contains the needed cards."""
    match, blue, strong, weak = dealt(server)
    sit_at(page := browse(), match, "red")
    table = CardTable(page)
    table.do("ready").wait_for()
    table.lay({"r1": "spy", "r2": "scout", "r3": "flag", "r4": strong})
    deploy(blue, {"b1": weak})
    assert table.due() == "act"
    _spy_looks(table)
    answer(blue, "b1", "r4")
    # The card that Blue lays on its gap comes from the hand that Red has seen.
    assert table.due() == "act"
    assert re.match(r"Blue's first card, enemy, (one of: |one of \d cards, among them )", table.squares()["b1"])
    expect(page.locator("section.known")).to_contain_text("Blue's first card and the hand")
    assert table.squares()["r4"].endswith("the enemy knows it, can be chosen")
    _scout_looks(table)
    way = next(choice["path"] for choice in due(blue) if choice["path"][1] == "r4")
    answer(blue, *way)
    _flag_trick(table)


def _spy_looks(table: CardTable) -> None:
    table.choose("r1")
    assert table.targets() == {"b1", "b2", "b3", "b4", "b5"}
    assert table.hint() in said_plainly("button.do.look-hand.hint")
    assert re.fullmatch(r"Blue: 3 in the hand, 15 in the pile\.", table.hand("blue"))
    table.button("do.look-hand")
    table.hear(said("event.revealed", side="Red", face="Spy", space="Your first card"))
    table.hear(said("event.looked-hand.you"))
    expect(table.page.locator('[data-hand="blue"] .hidden-text').first).to_contain_text("in the hand")
    assert "the enemy knows it" in table.squares()["r1"]


def _scout_looks(table: CardTable) -> None:
    table.choose("r2")
    assert table.targets() == {"b1", "b2", "b3", "b4", "b5"}, "it may attack instead"
    table.button("do.look-line")
    table.choose("b1")
    assert table.targets() == {"b2", "b3", "b4", "b5"}
    table.page.keyboard.press("Escape")
    assert "b1" in table.targets(), "Escape steps back"
    table.choose("b1")
    table.choose("b2")
    table.hear(said("event.looked-line.you"))
    expect(table.square("b1")).to_have_attribute("aria-label", re.compile("enemy, [A-Z].*was seen"))
    assert "was seen" in table.squares()["b2"]


def _flag_trick(table: CardTable) -> None:
    while table.due() == "lay":
        table.lay()
    assert not table.page.locator('[data-button="do.trick"]').count()
    table.choose("r3")
    assert not table.targets()
    assert table.hint() in said_plainly("button.do.trick.hint")
    table.button("do.trick")
    table.hear(said("event.trick.you"))
    assert table.due() == "lay"
    assert table.gaps()[-5:] == ["r1", "r2", "r3", "r4", "r5"]
    table.suggest()
    table.do("ready").click()
    table.do("ready").wait_for(state="detached")
    own = [label for name, label in table.squares().items() if name[0] == "r"]
    assert not [label for label in own if "knows" in label], "what the enemy knew is forgotten"


def said_plainly(code: str) -> str:
    return re.sub(r"\\(.)", r"\1", said(code))


def test_played_by_keys_and_read_aloud(browse: Browse) -> None:
    table = seated(browse())
    page = table.page
    for place in ("r1", "r2", "r3", "r4", "r5"):
        tab_to(page, table.faces()[0])
        page.keyboard.press("Enter")
        expect(page.get_by_role("status").filter(has_text="Holding")).to_be_visible()
        _walk(table, place)
        page.keyboard.press("Enter")
        assert table.squares()[place].startswith(f"{WORDS[f'space.{place}.red']}, your ")
    page.keyboard.press("Delete")
    assert "gap" in table.squares()["r5"]
    _fill_by_keys(table)
    table.hear(said("event.start.you"))
    table.hear(said("status.act"))
    assert table.due() == "act"
    assert focused(page)[0] in table.squares(), "the focus went away with the button"
    assert page.locator('[aria-current="step"]').inner_text().endswith(said_plainly("phase.act"))
    assert re.fullmatch(r"Red: in the hand .+; 15 in the pile\.", table.hand("red"))
    turns = 0
    while (now := table.due()) != "over" and turns < MOST_BY_KEYS:
        if now == "lay":
            _fill_by_keys(table)
            table.hear(said("event.laid.you"))
        else:
            _attack_by_keys(table)
            table.hear(said("event.attacked.you"))
            turns += 1
    if now == "over":
        table.hear(rf"{said('event.won.you')}|{said('event.won')}")
        expect(page.locator(".status")).to_contain_text(re.compile("You win|You lose"))


def _walk(table: CardTable, place: str) -> None:
    """Move the focus to a place of the near or the far line, from wherever it is."""
    page = table.page
    if focused(page)[0] not in table.squares():
        tab_to(page, *table.squares(), back=True)
    while (here := focused(page)[0]) != place:
        if here[0] != place[0]:
            page.keyboard.press("ArrowDown" if place[0] == "r" else "ArrowUp")
        else:
            page.keyboard.press("ArrowRight" if here < place else "ArrowLeft")


def _fill_by_keys(table: CardTable) -> None:
    page = table.page
    while not table.do("ready").is_enabled():
        gap = next(name for name in table.gaps() if name[0] == "r")
        tab_to(page, table.faces()[0])
        page.keyboard.press("Enter")
        if "gap" in table.squares()[gap]:  # a single gap need not be chosen
            _walk(table, gap)
            page.keyboard.press("Enter")
    tab_to(page, "ready")
    page.keyboard.press("Enter")
    table.do("ready").wait_for(state="detached")


def _attack_by_keys(table: CardTable) -> None:
    squares = table.squares()
    own = [name for name, label in squares.items() if "can be chosen" in label and "Flag" not in label]
    _walk(table, own[0])
    table.page.keyboard.press("Enter")
    _walk(table, min(table.targets()))
    table.page.keyboard.press("Enter")
    table.settle()


def test_on_a_small_phone(browse: Browse) -> None:
    table = seated(browse(**PHONE))
    page = table.page
    for selector in ("[data-table]", '[data-do="ready"]'):
        on_screen(page, selector)
    sizes = page.locator("[data-face]").evaluate_all("(all) => all.map((one) => one.getBoundingClientRect().height)")
    assert min(sizes) >= 44
    table.do("random").tap()
    table.do("ready").tap()
    table.do("ready").wait_for(state="detached")
    assert table.due() == "act"
    for selector in ("[data-table]", ".status .turn", ".steps", ".next .hints"):
        on_screen(page, selector)
    squares = table.squares()
    own = next(name for name, label in squares.items() if "can be chosen" in label and "Flag" not in label)
    table.square(own).tap()
    table.square("b1").tap()
    on_screen(page, '[data-do="confirm-move"]')
    on_screen(page, '[data-do="cancel-move"]')
    table.do("confirm-move").tap()
    while table.due() == "lay":
        for selector in ("[data-table]", '[data-do="ready"]', ".status .turn", ".steps"):
            on_screen(page, selector)
        table.do("random").tap()
        table.do("ready").tap()
        table.do("ready").wait_for(state="detached")
    no_sideways(page)


def test_what_a_scout_does_stands_above_the_drawer(browse: Browse, server: Server) -> None:
    match, blue, strong, weak = dealt(server)
    sit_at(page := browse(**PHONE), match, "red")
    table = CardTable(page)
    table.do("ready").wait_for()
    table.lay({"r1": "spy", "r2": "scout", "r3": "flag", "r4": strong})
    deploy(blue, {"b1": weak})
    assert table.due() == "act"
    table.choose("r2")
    _told_above_the_drawer(page)
    table.button("do.look-line")
    _told_above_the_drawer(page)
    table.choose("b1")
    _told_above_the_drawer(page)


def _told_above_the_drawer(page: Page) -> None:
    hints, drawer = page.locator(".next .hints").bounding_box(), page.locator(".foot").bounding_box()
    assert hints is not None
    assert drawer is not None
    assert hints["y"] + hints["height"] - LEADING <= drawer["y"]


@pytest.mark.parametrize("look", ["light", "dark"])
def test_without_barriers(browse: Browse, look: str) -> None:
    table = seated(browse(color_scheme=look))
    page = table.page
    check(page, "hand to lay")
    table.lay()
    assert table.due() == "act"
    check(page, "table")
    own = [name for name, label in table.squares().items() if "can be chosen" in label]
    table.choose(own[0])
    check(page, "a card chosen")
    table.do("resign").click()
    table.do("confirm-resign").click()
    table.do("replay").click()
    table.do("next").wait_for()
    check(page, "replay")
