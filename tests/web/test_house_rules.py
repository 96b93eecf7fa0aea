"""House rules chosen in the form are the rules of the match."""

from __future__ import annotations

import re
from itertools import pairwise

from playwright.sync_api import expect

from server.harness import Server
from web.conftest import Browse
from web.setting import deployed, link_of, new_match, sit_at
from web.table import Table


def match_of(table: Table) -> str:
    return table.page.url.split("/")[-1]


def test_without_marks_one_has_to_remember(browse: Browse, server: Server) -> None:
    red = new_match(browse(), "duel", "link", switches={"show_known": False})
    blue = Table(browse(link_of(red)))
    expect(red.page.locator("#panel")).to_contain_text("Show what is known: off")
    red.deploy()
    blue.deploy()
    for _ in range(2):
        assert red.play_turn()
        assert blue.play_turn()
    assert red.ready()
    for table in (red, blue):
        labels = " ".join(table.squares().values())
        assert "has moved" not in labels
        assert "known to all" not in labels
        assert "the enemy knows it" not in labels
        assert "was seen" not in labels


def test_rescue_through_the_page(browse: Browse, server: Server) -> None:
    """A Marshal walks to the far row and brings a lost Scout back."""
    table = new_match(browse(), "barrage", "device", switches={"rescue": True})
    expect(table.do("open-curtain")).to_be_visible()
    info = server.get(f"/api/matches/{match_of(table)}").json()
    assert info["changed"] == {"rescue": True}
    match = server.match(variant="barrage", rescue=True)
    deployed(match, "red", {"a1": "flag", "b4": "marshal", "e4": "scout"})
    deployed(match, "blue", {"e7": "general", "j10": "flag", "i7": "scout", "j8": "bomb"})
    red, blue = sit_at(browse(), match, "red"), sit_at(browse(), match, "blue")
    red.move("e4", "e7")
    for step, (begin, end) in enumerate(pairwise(("i7", "i6", "i5", "i6", "i7", "i6", "i5")), 4):
        blue.move(begin, end)
        red.move(f"b{step}", f"b{step + 1}")
    expect(red.page.locator(".status")).to_contain_text("You may bring back a lost piece")
    red.page.locator('.next [data-button="lost.red.scout"]').click()
    assert red.ready()
    red.choose("e4")
    red.hear("You bring back a Scout on e4")
    blue.hear("Red brings back a Scout on e4")
    expect(red.square("e4")).to_have_attribute("aria-label", re.compile("your Scout"))
