"""The three powers of Special through the page, against a scripted player with a chosen deployment."""

from __future__ import annotations

import re
import time
from typing import Any

import pytest
from playwright.sync_api import expect

from server.harness import Client, Server
from web.conftest import Browse
from web.setting import deploy, deployed, scripted, sit_at
from web.table import Table, wait_for
from web.test_phone import PHONE

Seats = tuple[Table, Client]


def seats(browse: Browse, server: Server, red: dict[str, str], blue: dict[str, str], **device: Any) -> Seats:
    """Return Red's table at the page and Blue's client at a socket."""
    match = server.match(variant="special")
    table = sit_at(browse(**device), match, "red")
    other = match.sit("blue")
    deploy(other, blue)
    deployed(match, "red", red)
    table.ready()
    return table, other


def test_sword(browse: Browse, server: Server) -> None:
    table, blue = seats(browse, server, {"a3": "captain"}, {"a6": "miner", "b6": "scout", "i6": "sergeant"})
    assert not table.page.locator('[data-button="do.sword"]').count()
    table.move("a3", "a4")
    scripted(blue, "b6", "b5")
    table.move("a4", "a5")
    scripted(blue, "i6", "i5")
    table.ready()
    table.choose("a5")
    button = table.page.locator('[data-button="do.sword"]')
    expect(button).to_have_text("Sword: attack two")
    expect(table.page.locator(".next .hint")).to_contain_text("Your Captain attacks two pieces next to it")
    button.click()
    for target in ("a6", "b5"):
        expect(table.square(target)).to_have_attribute("aria-label", re.compile("possible target"))
        table.choose(target)
    table.hear("You used the Sword: a5 attacks b5 and a6")
    table.hear(r"Captain \(6\) takes Scout \(2\) on b5")
    table.hear(r"Captain \(6\) takes Miner \(3\) on a6")
    table.see_outlined("a5", "a6", "b5")
    expect(table.square("a6")).to_have_attribute("aria-label", "a6, empty")
    expect(table.square("a5")).to_have_attribute("aria-label", re.compile("your Captain"))


def test_apple_with_a_choice_of_targets(browse: Browse, server: Server) -> None:
    front = {"d6": "scout", "e6": "marshal", "f6": "scout", "e7": "bomb"}
    table, blue = seats(browse, server, {"e1": "flag"}, front)
    button = table.page.locator('[data-button="do.apple"]')
    expect(button).to_have_text("Apple: take control")
    expect(table.page.locator(".next .hint")).to_contain_text("Once a match")
    button.click()
    expect(table.page.locator(".next .hint")).to_contain_text("Choose the enemy piece to control")
    table.choose("e6")
    table.hear("You used the Apple on e6; your Flag is on e1.")
    table.hear(r"Marshal \(10\) falls to Bomb on e7|Marshal \(10\) and Bomb both fall")
    expect(table.page.locator(".status")).to_contain_text("Blue to move")
    table.see_outlined("e1", "e6")
    table.page.reload()
    table.see_outlined("e1", "e6")
    scripted(blue, "j6", "j5")
    table.ready()
    table.see_outlined("j5", "j6")
    assert not button.count(), "once a match"


def test_the_log_of_a_phone_keeps_its_place_beside_the_apple(browse: Browse, server: Server) -> None:
    table, blue = seats(browse, server, {"e1": "flag"}, {"j6": "scout"}, **PHONE)
    lately = table.page.locator(".lately")
    expect(table.page.locator('[data-button="do.apple"]')).to_be_visible()
    place = lately.bounding_box()
    assert place
    table.play_turn()
    wait_for(table.page, lambda: not table.page.locator('[data-button="do.apple"]').count())
    now = lately.bounding_box()
    assert now
    assert abs(now["y"] - place["y"]) <= 1
    scripted(blue, "j6", "j5")
    expect(table.page.locator('[data-button="do.apple"]')).to_be_visible()
    assert lately.bounding_box() == place


@pytest.mark.parametrize("way", ["a press on the board", "a key"])
def test_what_a_power_shows_is_hastened_by_a_press(browse: Browse, server: Server, way: str) -> None:
    """The page's clock stands still, so nothing is shown to its end without a press."""
    match = server.match(variant="special")
    page = browse(patient=True)
    page.clock.install()
    table = sit_at(page, match, "blue")
    red = match.sit("red")
    deployed(match, "blue", {"d6": "scout", "e6": "marshal", "f6": "scout", "e7": "bomb"})
    deploy(red, {"f1": "flag"})
    expect(page.locator(".status")).to_contain_text("Red to move")
    page.clock.pause_at(time.time() + 3600)
    page.clock.run_for(1000)  # the earlier events are drawn
    scripted(red, "do.apple", "e6")
    fighter = page.locator(".token.held")
    expect(fighter).to_have_count(1)
    if way == "a key":
        page.evaluate("() => document.activeElement.blur()")
        page.keyboard.press("Space")
    else:
        table.square("a8").click()
    expect(fighter).to_have_count(0)
    table.see_outlined("e6", "f1")
    table.hear(r"Red used the Apple on e6")
    table.hear(r"Marshal \(10\) falls to Bomb on e7|Marshal \(10\) and Bomb both fall")
    assert table.ready()


def test_apple_lets_its_user_choose_between_equal_targets(browse: Browse, server: Server) -> None:
    front = {"d6": "major", "e6": "major", "f6": "major", "e7": "colonel"}
    table, _ = seats(browse, server, {"e1": "flag"}, front)
    table.page.locator('[data-button="do.apple"]').click()
    table.choose("e6")
    expect(table.page.locator(".status")).to_contain_text("Choose which piece is attacked first")
    assert table.ready()
    squares = table.squares()
    assert {name for name, label in squares.items() if "can be chosen" in label} == {"d6", "f6"}
    expect(table.page.locator(".next .guide")).to_contain_text("Of equal pieces you choose the next")
    table.choose("e7")
    expect(table.page.get_by_role("alert")).to_contain_text("choose one of the marked pieces")
    table.choose("f6")
    table.hear(r"Major \(7\) and Major \(7\) both fall on f6")
    expect(table.page.locator(".status")).to_contain_text("Blue to move")
    expect(table.square("d6")).to_have_attribute("aria-label", re.compile("enemy, Major"))


@pytest.mark.parametrize(("accepts", "device"), [(True, {}), (False, {}), (True, PHONE)])
def test_shroud(browse: Browse, server: Server, accepts: bool, device: dict[str, Any]) -> None:
    red, other = {"e3": "scout", "f3": "spy", "a1": "bomb"}, {"e6": "bomb", "f6": "general", "j6": "sergeant"}
    table, blue = seats(browse, server, red, other, **device)
    table.move("e3", "e6")
    table.hear(r"Scout \(2\) falls to Bomb on e6")
    scripted(blue, "j6", "j5")
    table.move("f3", "f4")
    scripted(blue, "j5", "j6")
    table.move("f4", "f5")
    scripted(blue, "j6", "j5")
    table.move("f5", "f6")
    expect(table.page.locator(".status")).to_contain_text("The Shroud: you may bring back a lost piece")
    expect(table.page.locator(".next .hint")).to_contain_text("Choose a lost piece to bring back")
    if accepts:
        _heal(table)
    else:
        table.page.locator('[data-button="decline"]').click()
        table.hear("You bring no lost piece back")
    expect(table.page.locator(".status")).to_contain_text("Blue to move")


def _heal(table: Table) -> None:
    table.page.locator('.next [data-button="lost.red.scout"]').click()
    free = table.page.locator('[data-space][aria-label*="can be chosen"], [data-space][aria-label*="target"]')
    expect(free.first).to_be_visible()
    expect(table.do("confirm-move")).to_have_count(0)  # the page asks for the square only, not for the piece again
    square = free.first.get_attribute("data-space") or ""
    expect(table.page.locator(".next .guide")).to_contain_text("Any square with a dot")
    table.choose(square)
    table.settle()
    table.hear(f"The Shroud returns your Scout to {square}")
    table.see_outlined("f5", "f6", square)
