"""The frame of a match: the size of boards, and that nothing scrolls, is covered or moves."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from gonfalon.games.words import languages
from server.harness import Server
from web.conftest import Browse
from web.setting import new_match, sit_at
from web.staged import Story, staged
from web.test_phone import box_of, covered

SOURCE = Path(__file__).parents[2] / "web" / "src"
SIZES = {
    "least": (320, 568),
    "small": (360, 640),
    "phone": (390, 844),
    "side": (844, 390),
    "wide": (1280, 800),
    "large": (1920, 1080),
}
LEAST_SQUARES = {"least": 28.5, "small": 33.5, "phone": 38, "side": 32.5, "wide": 64, "large": 92}
"""Minimum width of a square of Original, in pixels."""
LEAST_BOARDS = {
    "cardgame": {"least": 295, "small": 355, "phone": 385, "side": 325, "wide": 610, "large": 880},
    "conquest": {"least": 278, "small": 328, "phone": 390, "side": 340, "wide": 660, "large": 940},
}
ZOOMED = {"viewport": {"width": 640, "height": 400}, "device_scale_factor": 2}
"""A window of 1280 by 800 in which the page is enlarged to 200 %."""
SMALLEST_FIELD = 16
"""Minimum font size in pixels: below it iOS enlarges the page when a field gets the focus."""
LEAST_LINES = 6
"""Minimum number of log lines beside a match with a person, in a window of 1280 by 800."""
LONG = "Marshal (10) falls to Bomb on a3. Blue attacks from b3 to a3. Scout (2) falls to Marshal (10)."


def red_to_move(story: Story) -> bool:
    if story.mover != 0:
        return False
    trays = story.game.scene(story.game.view(story.state, 0)).trays
    return all(tray.items for tray in trays if tray.kind == "lost")


def show(page: Page, name: str) -> None:
    width, height = SIZES[name]
    page.set_viewport_size({"width": width, "height": height})
    # Parts of the map are drawn one frame later.
    page.evaluate("() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")


def whole_on_the_screen(page: Page, name: str) -> dict[str, float]:
    """Return the board's box, after a check that all of it is visible and the page does not scroll."""
    width, height = SIZES[name]
    box = box_of(page, ".boardbox")
    assert box["x"] >= -0.5, (name, box)
    assert box["y"] >= 0, (name, box)
    assert box["x"] + box["width"] <= width + 0.5, (name, box)
    assert box["y"] + box["height"] <= height + 0.5, (name, box)
    size = page.evaluate("() => [document.documentElement.scrollWidth, document.documentElement.scrollHeight]")
    assert size == [width, height], f"the page scrolls at {name}"
    return box


def test_squares_are_as_large_as_the_screen_allows(browse: Browse, server: Server) -> None:
    match = staged(server, "original", red_to_move, ("me", "person"))
    page = sit_at(browse(), match, "red").page
    page.locator("[data-space]").first.wait_for()
    for name, least in LEAST_SQUARES.items():
        show(page, name)
        box = whole_on_the_screen(page, name)
        square = box_of(page, '[data-space="a1"]')
        assert min(square["width"], square["height"]) >= least, name
        if name == "phone":
            assert box["width"] == SIZES[name][0]
        for part in (".panel", ".beside"):
            cue = cue_of(page, part)
            assert (cue["shown"] > 0) == cue["below"], f"{part}: a part that goes on below its edge shows it"
        if name in ("wide", "large"):
            trays = page.locator(".panel .tray")
            expect(trays).to_have_count(3)
            for tray in trays.all():
                expect(tray).to_be_in_viewport(ratio=1)
    _keeps_its_place(page)
    show(page, "wide")
    assert _lines_of_what_happened(page) >= LEAST_LINES
    match.sit("blue").send("offer-draw")
    page.locator('[data-do="accept-draw"]').wait_for()
    assert _lines_of_what_happened(page) >= LEAST_LINES - 2


def _lines_of_what_happened(page: Page) -> float:
    """Return the number of lines that fit into the log, after a check that they are whole and the newest is visible."""
    expect(page.locator(".log li").last).to_be_in_viewport(ratio=0.99)
    foot = box_of(page, ".beside")["y"]
    last, log = page.locator(".log li").last.bounding_box(), box_of(page, ".log .scroller")
    assert last is not None
    assert last["y"] + last["height"] <= log["y"] + log["height"] <= foot
    lines: float = page.locator(".log .scroller").evaluate(
        "(log) => log.clientHeight / parseFloat(getComputedStyle(log.querySelector('li')).lineHeight)"
    )
    assert lines == int(lines), "the edge cuts a line"
    return lines


def _keeps_its_place(page: Page) -> None:
    """Check that nothing moves when the words above the board grow from one line to two."""
    for name in SIZES:
        show(page, name)
        stood = []
        for words in ("Your turn.", LONG[: 70 if SIZES[name][0] < 800 else len(LONG)]):
            page.locator(".status .last").evaluate("(line, words) => { line.textContent = words }", words)
            stood.append([box_of(page, selector) for selector in (".board", ".beside")])
        assert stood[0] == stood[1], name


@pytest.mark.parametrize("variant", LEAST_BOARDS)
def test_other_boards_are_as_large_as_the_screen_allows(browse: Browse, server: Server, variant: str) -> None:
    seats = ("me", "person", "person", "person") if variant == "conquest" else ("me", "person")
    page = sit_at(browse(), staged(server, variant, red_to_move, seats), "red").page
    page.locator("[data-space]").first.wait_for()
    for name, least in LEAST_BOARDS[variant].items():
        show(page, name)
        assert whole_on_the_screen(page, name)["width"] >= least, name


def test_enlarged_to_twice_its_size_nothing_covers_the_buttons(browse: Browse, server: Server) -> None:
    for language in languages():
        options: dict[str, Any] = {**ZOOMED, "locale": language}
        page = sit_at(browse(**options), server.match(("me", "random"), variant="original"), "red").page
        for name in ("random", "ready"):
            button = page.locator(f'[data-do="{name}"]')
            expect(button).to_be_in_viewport(ratio=1)
            assert not covered(page, f'[data-do="{name}"]'), language
        assert not covered(page, '[data-space="j1"]'), language
        page.context.close()


def test_everything_lies_inside_an_enlarged_window(browse: Browse) -> None:
    """Duel's board is wide, and German words are long."""
    options: dict[str, Any] = {**ZOOMED, "locale": "de-DE"}
    page = new_match(browse(**options), "duel", "link", "red").page
    page.locator('[data-do="to-match"]').click()
    page.locator('[data-do="ready"]').wait_for()
    edges = "(all) => all.map((each) => each.getBoundingClientRect().right)"
    assert max(page.locator(".table button:visible").evaluate_all(edges)) <= ZOOMED["viewport"]["width"]


@pytest.mark.parametrize("path", ["/replay", "/new/original", "/settings"])
def test_no_field_is_so_small_that_a_phone_enlarges_the_page(browse: Browse, path: str) -> None:
    page = browse(path, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    fields = page.locator("textarea, select, input:not([type=radio], [type=checkbox], [type=file], [type=range])")
    fields.first.wait_for()
    sizes = fields.evaluate_all("(all) => all.map((each) => parseFloat(getComputedStyle(each).fontSize))")
    assert min(sizes) >= SMALLEST_FIELD


def test_sizes_are_asked_for_by_five_names_only() -> None:
    """Styles set no height of the board by hand, and use no screen sizes but the five."""
    head = (SOURCE / "styles" / "frame.css").read_text(encoding="utf-8").split("*/", 1)[0]
    named = dict(re.findall(r"^     (\w+) +(\([^)]+\)(?:(?:, | and )\([^)]+\))*)", head, re.MULTILINE))
    assert sorted(named) == ["narrow", "phone", "side", "small", "wide"]
    known = {part for condition in named.values() for part in condition.split(", ")}
    for path in (*SOURCE.rglob("*.svelte"), *SOURCE.rglob("*.css")):
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"--(around|least|strip)\b", text), path
        for condition in re.findall(r"@media ([^{]+) \{", text):
            if re.search(r"width|height|orientation", condition):
                assert set(condition.split(", ")) <= known, (path, condition)


def cue_of(page: Page, part: str) -> dict[str, Any]:
    """Return whether a part has content below its visible end, and the width of the cue for that, in shares."""
    found: dict[str, Any] = page.evaluate(
        """async (part) => {
        for (let i = 0; i < 3; i += 1) await new Promise(requestAnimationFrame);
        const box = document.querySelector(part);
        const cue = getComputedStyle(box, '::after');
        const style = getComputedStyle(box);
        const room = box.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
        const shown = cue.content === 'none' ? 0 : parseFloat(cue.width) / room;
        return { below: box.scrollHeight - box.clientHeight - box.scrollTop > 1, shown };
        }""",
        part,
    )
    return found


def scroll_to_end(page: Page, part: str) -> None:
    page.evaluate("(part) => document.querySelector(part).scrollTo(0, 9999)", part)


def test_a_column_shows_a_cue_only_while_it_has_more_below(browse: Browse, server: Server) -> None:
    page = browse()
    sit_at(page, server.match(("me", "random"), "conquest-two"), "red")
    page.locator(".borders").wait_for()
    assert cue_of(page, ".beside") == {"below": True, "shown": pytest.approx(1, abs=0.01)}
    scroll_to_end(page, ".beside")
    assert cue_of(page, ".beside") == {"below": False, "shown": 0}
    page.set_viewport_size({"width": 1280, "height": 1400})
    assert cue_of(page, ".beside") == {"below": False, "shown": 0}


def test_the_panel_has_no_cue_before_the_first_entry_of_the_log(browse: Browse, server: Server) -> None:
    page = browse()
    sit_at(page, server.match(("me", "random"), "barrage"), "red")
    page.locator("[data-do=random]").wait_for()
    assert cue_of(page, ".panel") == {"below": False, "shown": 0}
