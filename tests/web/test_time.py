"""The time of a match by link: its maker chooses it, the guest reads it, both notice a claim before it is possible."""

from __future__ import annotations

import random
import re
import time

from playwright.sync_api import Page, WebSocketRoute, expect

from server.harness import Server
from web.conftest import Browse
from web.setting import link_of, new_match
from web.table import Table

OWN_TIME = "Nobody can claim the win because another takes long."
LIVE = "does nothing for 5 minutes, the others may claim the win."


def hurry(page: Page, seconds: int) -> None:
    """Let every claim of this page be possible in `seconds`, whatever the server says."""

    def connect(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        server.on_message(lambda message: socket.send(re.sub(r'"claim_in":\d+', f'"claim_in":{seconds}', str(message))))

    page.route_web_socket(re.compile("/socket$"), connect)


def test_the_maker_chooses_the_time_and_the_guest_reads_it(browse: Browse) -> None:
    page = browse("/new/duel")
    choice = page.locator('[name="time"]')
    expect(choice, "the computer needs none").to_have_count(0)
    page.check('[name="opponent"][value="link"]')
    expect(page.get_by_text(LIVE)).to_be_visible()
    choice.select_option(label="In our own time")
    expect(page.get_by_text(OWN_TIME)).to_be_visible()
    page.locator('[data-do="start"]').click()
    expect(page.locator(".inviting")).to_contain_text(OWN_TIME)
    guest = browse(link_of(Table(page)))
    expect(guest.locator("[data-invited]")).to_contain_text(OWN_TIME)


def test_players_notice_a_claim_before_it_is_possible(browse: Browse) -> None:
    host = browse()
    hurry(host, 8)
    red = new_match(host, "duel", "link")
    guest = browse()
    hurry(guest, 5)
    guest.goto(link_of(red))
    blue = Table(guest)
    expect(guest.locator("[data-invited]")).to_contain_text(LIVE)
    expect(guest.locator("[data-own-time]"), "also while the pieces are placed").to_contain_text("Decide within 0:0")
    for table in (blue, red):
        table.deploy()
    expect(host.locator("[data-own-time]")).to_contain_text("Decide within 0:0")
    expect(guest.locator("[data-own-time]")).to_have_count(0)
    expect(guest.get_by_text("Red has done nothing for too long.")).to_be_visible()
    expect(host.locator("[data-own-time]")).to_contain_text("The others may claim the win now.")
    blue.do("claim").click()
    expect(guest.get_by_text("It is too early to claim the win."), "the server has its own time").to_be_visible()


def test_a_replay_shows_the_time_of_each_decision(browse: Browse, server: Server) -> None:
    match = server.match()
    red, blue = match.both()
    time.sleep(1.1)  # the page leaves out what took less than a second
    red.deploy(random.Random(1))
    blue.send("resign")
    red.until("ended")
    page = browse(f"/replay/{match.id}")
    shown = page.locator("[data-took]")
    expect(shown).to_have_count(1)
    expect(shown).to_contain_text(re.compile(r"Time: 0:\d\d"))
