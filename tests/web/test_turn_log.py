"""The log of a game with many acts in a turn: folded by turn, the oldest first; and the status in order of time."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from server.harness import Match, Server
from web.conftest import Browse
from web.setting import sit_at
from web.staged import Story, staged
from web.test_phone import PHONE

AGENTS = ("me", "random", "random", "random")


def many_turns(server: Server) -> Match:
    """Return a match for four in which Red is due after some rounds."""

    def reached(story: Story) -> bool:
        scene = story.game.scene(story.game.view(story.state, 0))
        return bool(scene.started and scene.turn >= 12 and story.mover == 0)

    return staged(server, "conquest", reached, AGENTS)


def turns(page: Page) -> list[str]:
    """Return the numbers of the listed turns; "earlier" for those in a part of their own."""
    found = page.locator(".log ol").first.locator("> li > details").all()
    return [part.get_attribute("data-turn") or "" for part in found]


def opened(page: Page) -> list[str]:
    return [part.get_attribute("data-turn") or "" for part in page.locator(".log details[open]").all()]


def test_only_the_newest_turn_is_open(browse: Browse, server: Server) -> None:
    page = sit_at(browse(), many_turns(server), "red").page
    page.locator(".log details").first.wait_for()
    listed = turns(page)
    assert listed[0] == "earlier"
    assert listed[1:] == sorted(listed[1:], key=int)
    assert opened(page) == listed[-1:]


def test_a_turn_is_opened_and_folded_by_pointer_and_keyboard(browse: Browse, server: Server) -> None:
    page = sit_at(browse(), many_turns(server), "red").page
    part = page.locator(".log ol").first.locator("> li > details").nth(-2)
    expect(part).not_to_have_attribute("open", "")
    part.locator("summary").click()
    expect(part).to_have_attribute("open", "")
    expect(part.locator("li").first).to_be_visible()
    page.keyboard.press("Enter")
    expect(part).not_to_have_attribute("open", "")
    page.keyboard.press("Space")
    expect(part).to_have_attribute("open", "")


def test_on_a_phone_the_oldest_turn_is_on_top_too(browse: Browse, server: Server) -> None:
    page = sit_at(browse(**PHONE), many_turns(server), "red").page
    page.locator(".drawer").tap()
    parts = page.locator(".log ol").first.locator("> li > details")
    parts.first.wait_for()
    tops = [box["y"] for part in parts.all() if (box := part.bounding_box())]
    assert tops == sorted(tops)
    parts.first.locator("summary").first.tap()
    expect(parts.first).to_have_attribute("open", "")


def test_the_status_tells_the_oldest_first(browse: Browse, server: Server) -> None:
    """Each sentence of the status stands in the newest turns of the log, and there in the same order."""
    page = sit_at(browse(), many_turns(server), "red").page
    page.locator(".log details").first.wait_for()
    said = re.split(r"(?<=\.) ", page.locator(".status .last").inner_text().removesuffix(" …"))
    page.locator(".log details > summary").first.click()
    while (folded := page.locator(".log details:not([open]) > summary")).count():
        folded.last.click()
    told = page.locator(".log ul li").all_inner_texts()
    found = [told.index(sentence) for sentence in said if sentence in told]
    assert found == sorted(found)
    assert found
