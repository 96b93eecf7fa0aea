"""A match on a small phone, by touch: everything is on the screen."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from gonfalon.games.words import languages
from server.harness import Server
from web.conftest import Browse
from web.guard import UNKNOWN
from web.maptable import MapTable
from web.setting import deployed, new_match, scripted, sit_at
from web.staged import Story, staged
from web.table import Table

WIDTH, HEIGHT = 360, 640
SMALLEST = 320
PHONE = {
    "viewport": {"width": WIDTH, "height": HEIGHT},
    "has_touch": True,
    "is_mobile": True,
    "device_scale_factor": 2,
}
SCREENS = ("/", "/new/special", "/rules/classic", "/matches", "/replay", "/settings", UNKNOWN)


def no_sideways(page: Page, most: int = WIDTH) -> None:
    width = page.evaluate("() => Math.max(document.documentElement.scrollWidth, document.body.scrollWidth)")
    assert width <= most, f"{page.url} is {width} wide"


def on_screen(page: Page, selector: str) -> None:
    box = page.locator(selector).first.bounding_box()
    assert box is not None, f"{selector} is not there"
    assert box["x"] >= 0, f"{selector}: {box}"
    assert box["y"] >= 0, f"{selector}: {box}"
    assert box["x"] + box["width"] <= WIDTH + 0.5, f"{selector}: {box}"
    assert box["y"] + box["height"] <= HEIGHT + 0.5, f"{selector}: {box}"


@pytest.mark.parametrize("path", SCREENS)
def test_no_screen_scrolls_sideways(browse: Browse, path: str) -> None:
    page = browse(path, **PHONE)
    page.locator("h1, h2, [role=alert], main p").first.wait_for()
    page.wait_for_load_state("networkidle")
    no_sideways(page)


@pytest.mark.parametrize("language", languages())
def test_the_head_fits_the_smallest_phone_in_every_language(browse: Browse, language: str) -> None:
    page = browse("/", **{**PHONE, "viewport": {"width": SMALLEST, "height": HEIGHT}, "locale": language})
    expect(page.locator("html")).to_have_attribute("lang", language)
    page.locator("nav a").last.wait_for()
    no_sideways(page, SMALLEST)


@pytest.mark.parametrize("variant", ["classic", "original"])
def test_the_board_and_the_turn_are_on_the_screen(browse: Browse, variant: str) -> None:
    page = browse(**PHONE)
    table = new_match(page, variant, "agent:random")
    table.do("random").wait_for()
    for selector in (".board", '[data-do="ready"]', '[data-face="marshal"]'):
        on_screen(page, selector)
    no_sideways(page)
    table.do("random").tap()
    table.do("ready").tap()
    table.ready()
    on_screen(page, ".board")
    on_screen(page, ".status .turn")
    on_screen(page, ".status .last")
    no_sideways(page)
    page.locator("button.drawer").tap()
    expect(page.locator("#panel")).to_be_visible()
    no_sideways(page)
    page.keyboard.press("Escape")
    expect(page.locator("#panel")).to_be_hidden()


def covered(page: Page, selector: str) -> bool:
    """Return whether another element, such as the drawer's button, covers the lower edge of an element."""
    return bool(
        page.locator(selector).first.evaluate(
            """(element) => {
              const { left, width, bottom } = element.getBoundingClientRect()
              return !element.contains(document.elementFromPoint(left + width / 2, bottom - 2))
            }"""
        )
    )


UNREACHED = """() => [...document.querySelectorAll('main button, main a, main select')].filter((each) => {
  if (!each.checkVisibility({ visibilityProperty: true }) || each.dataset.space) return false
  if (each.closest('.panel:not(.open)')) return false
  each.scrollIntoView({ block: 'nearest' })
  const { left, top, right, bottom } = each.getBoundingClientRect()
  const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2)
  return left < -1 || right > innerWidth + 1 || !hit || !(each.contains(hit) || hit.contains(each))
}).map((each) => each.textContent)"""
"""Return the controls that are cut off at a side, or covered at every scroll position."""
ALL_GAMES = ("original", "classic", "special", "duel", "barrage", "cardgame", "conquest-narrows")


@pytest.mark.parametrize("variant", ALL_GAMES)
def test_everything_can_be_reached_on_the_smallest_phone(browse: Browse, variant: str) -> None:
    size = {"width": SMALLEST, "height": 568}
    page = browse(f"/new/{variant}", **{**PHONE, "viewport": size})
    page.locator('[data-do="start"]').wait_for()
    assert page.evaluate(UNREACHED) == []
    page.locator('[data-do="start"]').tap()
    table = MapTable(page)
    if variant.startswith("conquest"):
        assert table.due() == "zone"
        assert page.evaluate(UNREACHED) == []
        table.pick_territories()
    table.do("random").wait_for()
    assert page.evaluate(UNREACHED) == []
    board = page.locator(".boardbox").bounding_box()
    assert board
    assert board["x"] >= 0
    assert board["x"] + board["width"] <= SMALLEST
    table.place_units()
    assert table.due() != "over"
    assert page.evaluate(UNREACHED) == []
    no_sideways(page, SMALLEST)


LANDSCAPE = {**PHONE, "viewport": {"width": 844, "height": 390}}


@pytest.mark.parametrize(("variant", "least"), [("original", 31), ("duel", 38)])
def test_on_its_side_the_board_takes_the_height(browse: Browse, server: Server, variant: str, least: int) -> None:
    match = server.match(("me", "random"), variant=variant)
    table = sit_at(browse(**LANDSCAPE), match, "red")

    def check(*selectors: str) -> None:
        squares = table.page.locator("[data-space]")
        for square in (squares.first, squares.last):
            box = square.bounding_box()
            assert box is not None
            assert min(box["width"], box["height"]) >= least
            assert box["y"] >= 0
            assert box["y"] + box["height"] <= LANDSCAPE["viewport"]["height"]
        for selector in selectors:
            expect(table.page.locator(selector).first).to_be_in_viewport(ratio=1)
            assert not covered(table.page, selector)

    table.do("ready").wait_for()
    check('[data-do="random"]', '[data-do="ready"]')
    table.do("random").tap()
    table.do("ready").tap()
    assert table.ready()
    begin = next(name for name, label in table.squares().items() if "can be chosen" in label)
    table.square(begin).tap()
    table.square(min(table.targets())).tap()
    check(".status .turn", '[data-do="confirm-move"]', '[data-do="cancel-move"]')
    table.do("confirm-move").tap()
    table.page.locator("button.drawer").tap()
    check(".status .turn")
    table.do("resign").tap()
    table.do("confirm-resign").tap()
    table.do("replay").first.tap()
    table.do("next").wait_for()
    check('[data-do="first"]', '[data-do="next"]', '[data-do="last"]', ".say")


def tap_move(table: Table, begin: str, end: str) -> None:
    assert table.ready()
    table.square(begin).tap()
    table.square(end).tap()


def test_by_touch_a_move_is_asked_for_twice(browse: Browse, server: Server) -> None:
    match = server.match(("me", "random"))
    deployed(match, "red", {"a1": "flag", "b4": "marshal"})
    table = sit_at(browse(**PHONE), match, "red")
    tap_move(table, "b4", "b5")
    expect(table.page.locator(".next")).to_contain_text("b4 → b5?")
    on_screen(table.page, '[data-do="confirm-move"]')
    assert "your Marshal" in table.squares()["b4"]
    table.do("cancel-move").tap()
    table.square("b5").tap()
    table.do("confirm-move").tap()
    expect(table.square("b5")).to_have_attribute("aria-label", re.compile("your Marshal"))


def box_of(page: Page, selector: str) -> dict[str, float]:
    box = page.locator(selector).first.bounding_box()
    assert box is not None, f"{selector} is not there"
    return {name: box[name] for name in ("x", "y", "width", "height")}


@pytest.mark.parametrize("size", [(WIDTH, HEIGHT), (390, 844)], ids=["small", "large"])
@pytest.mark.parametrize("variant", ["duel", "conquest-two"])
def test_the_question_moves_nothing(browse: Browse, variant: str, size: tuple[int, int]) -> None:
    page = browse(**{**PHONE, "viewport": {"width": size[0], "height": size[1]}})
    table = new_match(page, variant, "agent:random", "red")
    if variant == "duel":
        table.suggest()
        table.do("ready").tap()
    assert table.ready()
    begin = next(name for name, label in table.squares().items() if "can be chosen" in label)
    table.square(begin).tap(force=True)
    if targets := table.targets():
        expect(table.do("confirm-move")).to_have_count(0)
        before = [box_of(page, ".board"), box_of(page, ".status")]
        table.square(min(targets)).tap()
    else:
        table.do("cancel-move").tap()
        before = [box_of(page, ".board"), box_of(page, ".status")]
        table.square(begin).tap(force=True)
    table.do("confirm-move").wait_for()
    assert [box_of(page, ".board"), box_of(page, ".status")] == before
    for name in ("confirm-move", "cancel-move"):
        assert not covered(page, f'[data-do="{name}"]')
        box = box_of(page, f'[data-do="{name}"]')
        assert box["height"] >= 40
        assert box["y"] + box["height"] <= size[1]
    board = box_of(page, ".board")
    assert box_of(page, ".next")["y"] >= board["y"] + board["height"]


def begin_conquest(browse: Browse, device: dict[str, Any]) -> MapTable:
    """Begin a match of Conquest against the computer, up to the question for a card. If the computer had the first turn
    and took the Flag in it, begin another match.
    """
    page = browse(**device)
    while True:
        new_match(page, "conquest-two", "agent:random")
        table = MapTable(page)
        while table.due() in ("zone", "place"):
            table.decide()
        if table.due() == "card":
            return table
        assert table.due() == "over"


def test_what_is_asked_beside_a_map_lies_above_the_drawer(browse: Browse) -> None:
    table = begin_conquest(browse, PHONE)
    page = table.page
    for selector in ("[data-card]", '[data-button="do.no-card"]'):
        on_screen(page, selector)
        assert not covered(page, selector)
    box = box_of(page, '[data-button="do.no-card"]')
    assert box["height"] >= 40
    table.button("do.no-card").tap()
    table.confirm()
    assert table.due() == "move"
    table.make_move()
    if table.due() == "move":
        table.button("do.stop").wait_for()
        assert not covered(page, '[data-button="do.stop"]')
    assert min(box_of(page, '[data-do="unfold-score"]')[side] for side in ("width", "height")) >= 40


def test_beside_a_map_on_its_side_the_question_is_in_sight(browse: Browse) -> None:
    table = begin_conquest(browse, LANDSCAPE)
    page = table.page
    expect(table.button("do.no-card")).to_be_in_viewport(ratio=1)
    assert not covered(page, '[data-button="do.no-card"]')
    while table.due() == "card":
        table.decide(plays=False)
    assert table.due() == "move"
    table.square(table.open_zones()[0]).tap()
    before = [box_of(page, ".board"), box_of(page, ".status")]
    table.square(min(table.targets())).tap()
    for name in ("confirm-move", "cancel-move"):
        expect(table.do(name)).to_be_in_viewport(ratio=1)
        assert not covered(page, f'[data-do="{name}"]')
    assert [box_of(page, ".board"), box_of(page, ".status")] == before


def both_lost(story: Story) -> bool:
    """Return whether Red is to move and each side has lost several pieces."""
    trays = story.game.scene(story.game.view(story.state, 0)).trays
    return story.mover == 0 and all(len(tray.items) > 2 for tray in trays if tray.kind == "lost")


@pytest.mark.parametrize("variant", ["original", "duel", "cardgame"])
def test_what_both_sides_have_lost_is_in_sight(browse: Browse, server: Server, variant: str) -> None:
    match = staged(server, variant, both_lost, ("me", "person"))
    table = sit_at(browse(**PHONE), match, "red")
    assert table.ready()
    for side in ("red", "blue"):
        chips = table.page.locator(f'.lately .lost[data-lost="{side}"] .chip')
        expect(chips.nth(2)).to_be_visible()
        for chip in chips.all():
            expect(chip).to_be_in_viewport(ratio=1)
    heights = "all => [...new Set(all.slice(1).map((each) => each.offsetHeight))]"
    assert len(table.page.locator(".lately li").evaluate_all(heights)) == 1, "whatever an entry says, it moves no other"


def test_a_hint_is_at_hand_beside_the_drawer(browse: Browse) -> None:
    table = new_match(browse(**PHONE), "duel", "agent:random", "red")
    table.do("ready").wait_for()
    on_screen(table.page, '[data-do="quick-hint"]')
    table.suggest()
    table.do("ready").tap()
    assert table.ready()
    on_screen(table.page, '[data-do="quick-hint"]')
    table.do("quick-hint").tap()
    expect(table.page.locator(".status .last")).to_contain_text("Hint: ", timeout=120_000)


def test_that_the_target_answers_too_is_said_with_the_first_question(browse: Browse, server: Server) -> None:
    match = server.match(("me", "random"))
    deployed(match, "red", {"a1": "flag", "b4": "marshal"})
    table = sit_at(browse(patient=True, **PHONE), match, "red")
    tap_move(table, "b4", "b5")
    told = table.page.get_by_text("Or tap the target again.")
    expect(told).to_be_visible()
    for name in ("confirm-move", "cancel-move"):
        assert not covered(table.page, f'[data-do="{name}"]')
    table.square("b5").tap()
    expect(table.square("b5")).to_have_attribute("aria-label", re.compile("your Marshal"))
    tap_move(table, "b5", "b4")
    table.do("confirm-move").wait_for()
    expect(told).to_have_count(0)


def test_the_question_says_that_it_is_an_attack(browse: Browse, server: Server) -> None:
    match = server.match()
    deployed(match, "red", {"a1": "flag", "b4": "scout"})
    deployed(match, "blue", {"j10": "flag", "b7": "general"})
    table = sit_at(browse(**PHONE), match, "red")
    tap_move(table, "b4", "b7")
    expect(table.page.locator(".next")).to_contain_text("Scout on b4 attacks b7?")


def test_the_question_can_be_switched_off(browse: Browse, server: Server) -> None:
    match = server.match(("me", "random"))
    deployed(match, "red", {"a1": "flag", "b4": "marshal"})
    page = browse("/settings", **PHONE)
    page.locator('[name="confirm"][value="off"]').tap()
    table = sit_at(page, match, "red")
    tap_move(table, "b4", "b5")
    expect(table.square("b5")).to_have_attribute("aria-label", re.compile("your Marshal"))


def test_the_second_question_can_be_the_last(browse: Browse, server: Server) -> None:
    """The match offers to switch questions off, and its panel can switch them on again."""
    match = server.match()
    deployed(match, "red", {"a1": "flag", "b4": "marshal", "j4": "general"})
    deployed(match, "blue", {"j10": "flag", "d7": "general"})
    page = browse(**PHONE)
    page.evaluate("() => { localStorage['gonfalon.settings'] = '{\"pace\": \"at-once\"}' }")
    page.evaluate("() => { localStorage['gonfalon.hints'] = '[\"confirm.again\", \"grid.pictures\"]' }")
    table = sit_at(page, match, "red")
    tap_move(table, "b4", "b5")
    assert not covered(page, '[data-do="no-asking"]')
    assert box_of(page, ".next")["y"] >= box_of(page, ".board")["y"] + box_of(page, ".board")["height"]
    table.do("no-asking").tap()
    table.do("confirm-move").tap()
    scripted(match.sit("blue"), "d7", "e7")
    assert table.ready()
    tap_move(table, "j4", "j5")
    expect(table.square("j5")).to_have_attribute("aria-label", re.compile("your General"))
    page.locator(".drawer").tap()
    expect(table.do("confirming")).to_have_text("Ask before a move")
    table.do("confirming").tap()
    expect(table.do("confirming")).to_have_text("Move without asking")
