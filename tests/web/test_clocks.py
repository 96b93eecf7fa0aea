"""Clocks during a match: they count down beside the names, and above the board of a phone."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from server.harness import Server
from web.clocked import BANK, CORRESPONDENCE, TURN, Clockwork, seat
from web.conftest import Browse
from web.guard import Guard
from web.setting import deployed, sit_at, timed
from web.table import Table

PHONES = ({"width": 390, "height": 844}, {"width": 360, "height": 640}, {"width": 740, "height": 360})


def seated(page: Page, server: Server, variant: str = "barrage") -> Table:
    """Open Red's seat in a match in which both sides have deployed."""
    match = server.match(variant=variant)
    for side in ("red", "blue"):
        deployed(match, side, {})
    table = sit_at(page, match, "red")
    assert table.ready()
    return table


def clock(page: Page, side: str) -> Locator:
    return page.locator(f'[data-clock="{side}"]:visible')


def test_clocks_stand_beside_the_names_and_count_down(browse: Browse, server: Server) -> None:
    page = browse()
    clocks = Clockwork(page, BANK, seat("red", 899.9, True, free=3, most=180), seat("blue", 754))
    seated(page, server)
    expect(clock(page, "blue")).to_have_text("12:34")
    expect(page.locator(".players .clock")).to_have_count(2)
    expect(clock(page, "red")).to_have_text(re.compile(r"14:5\d(\+[123])?"))
    expect(page.locator("[data-clock-note]:visible")).to_have_text(re.compile(r"^This decision: 2:5\d$"))
    clocks.say(seat("red", 11.5, True), seat("blue", 754))
    red = clock(page, "red")
    expect(red).to_have_class(re.compile(r"\blow\b"))
    width = red.bounding_box()
    expect(red).to_have_text(re.compile(r"0:0\d\.\d"))
    expect(red).to_have_class(re.compile(r"\blowest\b"))
    assert red.bounding_box() == width, "the digits have a fixed width"
    expect(clock(page, "blue")).to_have_text("12:34")
    clocks.say(seat("red", 0.3, True), seat("blue", 754))
    expect(red).to_have_text("0:00.0")
    expect(page.locator("[data-clock-note]:visible")).to_have_text("Time is over.")


def test_without_a_connection_clocks_and_presence_are_not_known(browse: Browse, server: Server, guard: Guard) -> None:
    guard.allow("WebSocket connection to", "Failed to load resource")
    page = browse()
    clocks = Clockwork(page, BANK, seat("red", 899), seat("blue", 754, True))
    seated(page, server)
    other = page.locator(".players li", has=page.locator('[data-clock="blue"]')).locator(".state")
    expect(other).to_have_text("away")
    expect(page.locator(".clock.unsure")).to_have_count(0)
    clocks.cut()
    expect(page.get_by_text("Connection lost").first).to_be_visible()
    expect(page.locator(".players .clock.unsure")).to_have_count(2)
    expect(other).to_have_text("")


@pytest.mark.parametrize("size", PHONES, ids=str)
def test_clocks_are_in_sight_on_a_phone_and_cover_nothing(browse: Browse, server: Server, size: dict[str, int]) -> None:
    page = browse(viewport=size, has_touch=True)
    Clockwork(page, BANK, seat("red", 899, True, most=180), seat("blue", 10799))
    seated(page, server)
    board = page.locator(".boardbox").bounding_box()
    assert board
    for side in ("red", "blue"):
        box = clock(page, side).bounding_box()
        assert box
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= size["width"]
        assert box["y"] + box["height"] <= board["y"] + 1 or box["x"] >= board["x"] + board["width"] - 1
    assert board["y"] + board["height"] <= size["height"]


def test_the_player_is_warned_and_can_hear_the_clocks(browse: Browse, server: Server) -> None:
    page = browse()
    clocks = Clockwork(page, BANK, seat("red", 31, True), seat("blue", 605))
    table = seated(page, server)
    table.hear(r"^You have 30 s left\.$")
    before = table.spoken()
    page.wait_for_timeout(1200)
    assert table.spoken() == before, "once"
    page.keyboard.press("c")
    table.hear(r"^You have 2\d s left, and your clock runs\. Blue has 10 min 5 s left\.$")
    clocks.say(seat("red", 10.5, True), seat("blue", 605))
    table.hear(r"^You have 10 s left\.$")
    clocks.say(seat("red", 200), seat("blue", 10.5, True))
    page.wait_for_timeout(1000)
    assert not [line for line in table.spoken() if line.startswith("Blue has 10 s")], "only the own clock warns"
    table.do("keys").click()
    expect(page.get_by_text("hear the clocks, with a screen reader")).to_be_visible()


def test_of_times_for_a_turn_only_the_one_that_runs_is_shown(browse: Browse, server: Server) -> None:
    page = browse()
    clocks = Clockwork(page, TURN, seat("red", 59.5, True), seat("blue", 60))
    seated(page, server)
    expect(clock(page, "red")).to_have_text(re.compile(r"0:5\d"))
    expect(clock(page, "blue")).to_have_count(0)
    clocks.say(seat("red", 60), seat("blue", 60, True))
    expect(clock(page, "blue")).to_be_visible()
    expect(clock(page, "red")).to_have_count(0)


def test_a_correspondence_match_shows_its_deadline(browse: Browse, server: Server) -> None:
    page = browse(locale="en-GB", timezone_id="Europe/Berlin")
    left = 2 * 86400 + 4 * 3600 + 600
    Clockwork(page, CORRESPONDENCE, seat("red", left, True), deadline=1_800_000_000_000)
    seated(page, server)
    expect(clock(page, "red")).to_have_text("2 days 5 h")
    expect(page.locator("[data-clock-note]:visible")).to_have_text("until 15 Jan 2027, 09:00")


def test_a_clock_comes_right_after_a_sleep(browse: Browse, server: Server) -> None:
    page = browse()
    Clockwork(page, BANK, seat("red", 600, True), seat("blue", 754))
    seated(page, server)
    expect(clock(page, "red")).to_have_text(re.compile(r"9:5\d"))
    page.evaluate("() => { const now = Date.now; Date.now = () => now() + 120_000 }")
    page.evaluate("() => document.dispatchEvent(new Event('visibilitychange'))")
    expect(clock(page, "red")).to_have_text(re.compile(r"7:5\d"))


def test_what_is_placed_when_the_time_ends_stays_where_it_is(browse: Browse, server: Server) -> None:
    match = timed(server, {**BANK, "deployment": 10}, "me", "greedy")
    page = browse()
    table = sit_at(page, match, "red")
    table.page.locator('[data-face="marshal"]').click()
    table.square("e3").click()
    expect(page.locator("[data-clock-note]:visible")).to_have_text("Then the rest is placed for you.")
    assert table.ready()
    assert "Marshal" in table.squares()["e3"]
    expect(clock(page, "red")).to_have_text(re.compile(r"1[45]:\d\d.*"))
    expect(clock(page, "blue"), "the computer has no clock").to_have_count(0)


def test_who_runs_out_of_time_loses(browse: Browse, server: Server) -> None:
    control = {"kind": "bank", "bank": 2, "increment": 0, "delay": 0, "longest": 0, "deployment": 300}
    match = timed(server, control, "me", "person")
    deployed(match, "blue", {})
    page = browse()
    table = sit_at(page, match, "red")
    table.deploy()
    expect(page.locator(".status")).to_contain_text("You lose. You ran out of time.")
    table.hear(r"You run out of time\.")
    other = browse()
    sit_at(other, match, "blue")
    expect(other.locator(".status")).to_contain_text("You win. Red ran out of time.")
