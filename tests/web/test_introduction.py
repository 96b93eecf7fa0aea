"""The three pictures that introduce a family: before the first match of a browser, from the tips, and in the rules."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from server.harness import Server
from web.conftest import Browse
from web.guard import Guard
from web.setting import sit_at
from web.test_phone import PHONE

FAMILIES = {"grid": "duel", "cardgame": "cardgame", "conquest": "conquest-two"}
SHOWN, CLOSE, STRIP = "[data-introduction]", '[data-do="close-pictures"]', ".hint-strip"
SIZES = {"wide": {}, "phone": PHONE}


def seated(page: Page, server: Server, family: str) -> None:
    sit_at(page, server.match(("me", "random"), FAMILIES[family]), "red")
    page.locator(".board, .map, [data-layout]").first.wait_for()


def pictures(page: Page, where: str) -> list[str]:
    """Return the sentences below the pictures, each with a drawing without words above it."""
    figures = page.locator(f"{where} figure")
    expect(figures).to_have_count(3)
    for figure in figures.all():
        drawing = figure.locator("> :first-child")
        drawn = drawing.evaluate("(it) => [it.getBoundingClientRect().width, it.textContent.trim()]")
        assert drawn[0] > 60
        assert not re.search("[A-Za-z]", drawn[1]), "words in a picture"
    return [figure.locator("figcaption").inner_text() for figure in figures.all()]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("family", FAMILIES)
def test_pictures_come_before_the_first_match_of_a_family_only(
    browse: Browse, server: Server, family: str, size: str
) -> None:
    page = browse(newcomer=True, **SIZES[size])
    seated(page, server, family)
    shown = page.locator(SHOWN)
    expect(shown).to_have_attribute("data-introduction", family)
    told = pictures(page, SHOWN)
    assert [sentence.split()[0] for sentence in told] == ["Goal:", "A", "Winning:"]
    box, board = shown.bounding_box(), page.locator(".boardbox").bounding_box()
    assert box is not None
    assert board is not None
    assert box["width"] <= board["width"] + 1
    assert box["height"] <= board["height"] + 1
    last = page.locator(f"{SHOWN} figcaption").last
    expect(last).to_be_in_viewport(ratio=0.99)
    page.locator(CLOSE).click()
    expect(shown).to_have_count(0)
    page.reload()
    page.locator(".boardbox").wait_for()
    seated(page, server, family)
    page.wait_for_timeout(400)
    expect(shown).to_have_count(0)


def test_another_family_has_its_own_pictures(browse: Browse, server: Server) -> None:
    page = browse(newcomer=True)
    for family in ("grid", "cardgame"):
        seated(page, server, family)
        expect(page.locator(SHOWN)).to_have_attribute("data-introduction", family)
        page.keyboard.press("Escape")
        expect(page.locator(SHOWN)).to_have_count(0)


def test_pictures_block_no_decision(browse: Browse, server: Server) -> None:
    """They go when the player turns to the pieces, and a spectator never gets them."""
    page = browse(newcomer=True)
    seated(page, server, "grid")
    page.locator(SHOWN).wait_for()
    page.locator('[data-do="random"]').click()
    expect(page.locator('[data-do="ready"]')).to_be_enabled()
    expect(page.locator(SHOWN)).to_have_count(0)
    other = browse(newcomer=True)
    other.goto(page.url.split("#")[0])
    other.locator(".boardbox").wait_for()
    other.wait_for_timeout(400)
    expect(other.locator(SHOWN)).to_have_count(0)


def focused(page: Page, name: str) -> str | None:
    """Return the `data-<name>` of the focused element."""
    found: str | None = page.evaluate("(name) => document.activeElement?.dataset?.[name] ?? null", name)
    return found


def test_keys_reach_the_pictures_and_not_the_board_below_them(browse: Browse, server: Server) -> None:
    """They stay while the focus goes through the page, until they are answered."""
    page = browse(newcomer=True)
    seated(page, server, "grid")
    page.locator(SHOWN).wait_for()
    page.locator('[data-do="random"]').wait_for()
    reached = []
    for _ in range(25):
        page.keyboard.press("Tab")
        assert focused(page, "space") is None
        reached.append(focused(page, "do"))
    assert reached.index("close-pictures") < reached.index("random")
    expect(page.locator(SHOWN)).to_be_visible()
    page.locator(CLOSE).focus()
    page.keyboard.press("Enter")
    expect(page.locator(SHOWN)).to_have_count(0)
    assert focused(page, "space") is not None


def test_nothing_else_asks_or_tells_beside_the_pictures(browse: Browse, server: Server) -> None:
    """A tip, or the question for a guest's name, comes when they are answered."""
    page = browse(newcomer=True)
    seated(page, server, "grid")
    page.locator(SHOWN).wait_for()
    page.wait_for_timeout(400)
    expect(page.locator(STRIP)).to_have_count(0)
    page.locator(CLOSE).click()
    expect(page.locator(STRIP)).to_have_attribute("data-hint", "place")
    guest = browse(newcomer=True)
    sit_at(guest, server.match(("me", "person"), "cardgame"), "blue")
    guest.locator(SHOWN).wait_for()
    guest.wait_for_timeout(400)
    expect(guest.locator(STRIP)).to_have_count(0)
    guest.keyboard.press("Escape")
    expect(guest.locator(f"{STRIP} #strip-name")).to_be_visible()


def test_without_the_pictures_the_match_goes_on(browse: Browse, server: Server, guard: Guard) -> None:
    page = browse(newcomer=True)
    page.route("**/Introduction-*.js", lambda route: route.abort())
    guard.allow("Introduction-", "Failed to load resource")
    seated(page, server, "grid")
    expect(page.locator(STRIP)).to_have_attribute("data-hint", "place")
    page.locator('[data-do="random"]').click()
    expect(page.locator('[data-do="ready"]')).to_be_enabled()


@pytest.mark.parametrize("size", SIZES)
def test_the_tips_show_the_pictures_again(browse: Browse, server: Server, size: str) -> None:
    page = browse(**SIZES[size])
    seated(page, server, "grid")
    if size == "phone":
        page.locator(".drawer").tap()
    page.locator('[data-do="hints"]').click()
    page.locator('[data-do="pictures"]').click()
    assert len(pictures(page, SHOWN)) == 3
    page.locator(CLOSE).click()
    expect(page.locator(SHOWN)).to_have_count(0)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("family", FAMILIES)
def test_the_rules_begin_with_the_game_in_short(browse: Browse, family: str, size: str) -> None:
    """Five sentences, the first of which says how to win, then the pictures; the numbered rules come after them."""
    page = browse(f"/rules/{FAMILIES[family]}", **SIZES[size])
    first = page.locator(".page > .text").first
    sentences = re.split(r"(?<=\.) ", first.inner_text().strip())
    assert len(sentences) == 5
    assert sentences[0].endswith("and you win.")
    assert len(pictures(page, ".page > .pictures")) == 3
    rule = page.locator(".text p[id]").first
    rule.wait_for()
    tops = [box["y"] for part in (first, page.locator(".pictures"), rule) if (box := part.bounding_box())]
    assert tops == sorted(tops)
    expect(page.get_by_text("That help is ours")).to_be_visible()
