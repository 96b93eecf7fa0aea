"""The three pictures that introduce a family: before the first match of a browser, from the tips, and in the rules."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from server.harness import Server
from web.conftest import Browse
from web.setting import sit_at
from web.test_phone import PHONE

FAMILIES = {"grid": "duel", "cardgame": "cardgame", "conquest": "conquest-two"}
SHOWN, CLOSE = "[data-introduction]", '[data-do="close-pictures"]'
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


def test_pictures_are_closed_by_keyboard(browse: Browse, server: Server) -> None:
    page = browse(newcomer=True)
    seated(page, server, "grid")
    page.locator(SHOWN).wait_for()
    page.keyboard.press("Tab")
    for _ in range(20):
        if page.evaluate("() => document.activeElement?.dataset?.do") == "close-pictures":
            break
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator(SHOWN)).to_have_count(0)
    assert page.evaluate("() => document.activeElement !== document.body")


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
