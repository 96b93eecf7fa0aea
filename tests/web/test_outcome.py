"""The end of a match: who won and how, what it cost, and where to go from there."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from server.harness import Server
from web.conftest import Browse
from web.setting import deploy, deployed, scripted, sit_at

PHONE = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True}


def test_the_end_says_how_it_went_and_leads_on(browse: Browse, server: Server) -> None:
    match = server.match()
    deployed(match, "red", {"b4": "scout", "j4": "scout", "a1": "flag"})
    blue = match.sit("blue")
    deploy(blue, {"b7": "flag", "j7": "spy", "i7": "miner"})
    table = sit_at(browse(), match, "red")
    table.move("j4", "j7")
    scripted(blue, "i7", "i6")
    table.move("b4", "b7")
    outcome = table.page.locator(".panel .outcome")
    expect(outcome).to_contain_text("You win. The Flag is taken.")
    expect(outcome).to_contain_text("The battle that mattered, turn 1")
    expect(outcome).to_contain_text("Scout (2) takes Spy (1) on j7.")
    expect(outcome).to_contain_text("Blue lost 2.")
    expect(outcome).to_contain_text(re.compile(r"Turns: 3, in \d+ min\."))
    told = outcome.locator(".battle").inner_text()
    table.page.reload()
    expect(outcome.locator(".battle")).to_have_text(re.compile(r"turn 1\s+You: Scout \(2\) takes Spy \(1\) on j7\.$"))
    assert outcome.locator(".battle").inner_text() == told
    link = table.copied("share")
    assert link == server.url(f"/replay/{match.id}?language=en")
    expect(browse(link).locator(".board")).to_be_visible()
    phone = sit_at(browse(**PHONE), match, "blue")
    expect(phone.page.locator(".narrow .outcome")).to_be_visible()
    expect(phone.page.locator(".panel .outcome")).to_be_hidden()


def test_who_can_share_otherwise_does(browse: Browse, server: Server) -> None:
    page = browse()
    page.add_init_script("navigator.share = async (given) => void (window.given = given)")
    match = server.match()
    table = sit_at(page, match, "red")
    table.do("resign").click()
    table.do("confirm-resign").click()
    table.do("share").click()
    given = page.wait_for_function("() => window.given").json_value()
    assert given["url"].endswith(f"/replay/{match.id}?language=en")
    assert "A match of" in given["title"]


@pytest.mark.parametrize("variant", ["cardgame", "conquest-narrows"])
def test_every_layout_has_its_end(browse: Browse, server: Server, variant: str) -> None:
    table = sit_at(browse(), server.match(variant=variant), "red")
    table.do("resign").click()
    table.do("confirm-resign").click()
    expect(table.page.locator(".panel .outcome")).to_contain_text("You lose.")
    for name in ("rematch", "replay", "share"):
        expect(table.do(name)).to_be_visible()
