"""The time of a match by link: its maker chooses it, the guest reads it, both notice a claim before it is possible."""

from __future__ import annotations

import random
import re
import time
from typing import Any

from playwright.sync_api import Page, Route, WebSocketRoute, expect

from server.harness import Server
from web.conftest import Browse
from web.guard import Guard
from web.setting import link_of, new_match
from web.table import Table, wait_for

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
    expect(choice, "the computer needs none").to_have_value("none")
    page.check('[name="opponent"][value="link"]')
    expect(choice, "the first preset of a short game").to_have_value("quick")
    expect(page.get_by_text("5 min each, plus 3 s after each decision. Deployment: 2 min.")).to_be_visible()
    choice.select_option("live")
    expect(page.get_by_text(LIVE)).to_be_visible()
    choice.select_option(label="In our own time")
    expect(page.get_by_text(OWN_TIME)).to_be_visible()
    page.locator('[data-do="start"]').click()
    expect(page.locator(".inviting")).to_contain_text(OWN_TIME)
    guest = browse(link_of(Table(page)))
    expect(guest.locator("[data-invited]")).to_contain_text(OWN_TIME)


def sent(page: Page) -> list[dict[str, Any]]:
    """Collect the wishes for matches that this page sends; each gets a refusal."""
    wishes: list[dict[str, Any]] = []

    def refuse(route: Route) -> None:
        wishes.append(route.request.post_data_json or {})
        route.fulfill(status=400, json={"line": {"code": "bad-clock", "args": {}}})

    page.route("**/api/matches", refuse)
    return wishes


def test_own_times_begin_with_the_chosen_preset(browse: Browse, guard: Guard) -> None:
    guard.allow("400 (Bad Request)")
    page = browse("/new/original")
    wishes = sent(page)
    page.check('[name="opponent"][value="link"]')
    choice = page.locator('[name="time"]')
    expect(choice).to_have_value("standard")
    choice.select_option("custom")
    expect(page.locator('[name="time-bank"]')).to_have_value("15")
    expect(page.locator('[name="time-longest"]')).to_have_value("180")
    page.fill('[name="time-bank"]', "7.5")
    page.fill('[name="time-longest"]', "0")
    expect(page.get_by_text("7 min 30 s each; the first 3 s of each decision are free.")).to_be_visible()
    page.click('[data-do="start"]')
    page.get_by_text("Such times cannot be chosen.").wait_for()
    wanted = {"kind": "bank", "bank": 450, "increment": 0, "delay": 3, "longest": 0, "deployment": 300}
    assert [wish["clock"] for wish in wishes] == [wanted]
    page.select_option('[name="time-kind"]', "correspondence")
    page.select_option('[name="time-days"]', "7")
    expect(page.get_by_text("7 days for each decision.")).to_be_visible()
    page.click('[data-do="start"]')
    wait_for(page, lambda: len(wishes) == 2, "the second wish")
    assert wishes[1]["clock"] == {"kind": "correspondence", "days": 7}


def test_an_impossible_time_is_named_at_its_field_and_starts_nothing(browse: Browse, guard: Guard) -> None:
    guard.allow("400 (Bad Request)")
    page = browse("/new/duel")
    wishes = sent(page)
    page.select_option('[name="time"]', "custom")
    for field, value, fault in (
        ("bank", "200", "From 0.5 to 180."),
        ("bank", "", "From 0.5 to 180."),
        ("longest", "2", "0, or from 5 to 10800."),
        ("deployment", "0", "From 0.5 to 180."),
    ):
        box = page.locator(f'[name="time-{field}"]')
        good = box.input_value()
        box.fill(value)
        expect(page.locator(f"#time-{field}-fault")).to_have_text(fault)
        expect(box).to_have_attribute("aria-invalid", "true")
        page.click('[data-do="start"]')
        expect(box, "what is wrong has the focus").to_be_focused()
        box.fill(good)
        expect(page.locator(f"#time-{field}-fault")).to_be_hidden()
    page.fill('[name="time-increment"]', "3")
    page.fill('[name="time-delay"]', "3")
    expect(page.get_by_text("Added seconds or free seconds, not both.")).to_be_visible()
    page.fill('[name="time-increment"]', "0")
    page.select_option('[name="time-kind"]', "turn")
    page.fill('[name="time-turn"]', "601")
    expect(page.locator("#time-turn-fault")).to_have_text("From 5 to 600.")
    assert wishes == []
    page.select_option('[name="time"]', "none")
    page.click('[data-do="start"]')
    wait_for(page, lambda: len(wishes) == 1, "the wish for a match without a clock")
    assert wishes[0]["clock"] is None


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


def test_a_replay_shows_the_clocks_beside_the_names(browse: Browse, server: Server) -> None:
    match = server.match()
    red, blue = match.both()
    red.deploy(random.Random(1))
    blue.deploy(random.Random(1))
    red.send("resign")
    red.until("ended")
    page = browse()

    def add_clocks(route: Route) -> None:
        answer = route.fetch()
        replay = answer.json()
        for number, step in enumerate(replay["steps"]):
            step["clocks"] = {"red": 900_000 - 61_000 * number, "blue": 9_400}
        route.fulfill(response=answer, json=replay)

    page.route("**/replay", add_clocks)
    page.goto(f"/replay/{match.id}")
    clocks = page.locator("[data-clock]")
    expect(clocks).to_have_count(2)
    page.keyboard.press("Home")
    expect(clocks).to_have_count(0)
    page.locator('[data-step="1"]').click()
    expect(clocks).to_have_text(["15:00 left", "0:09.4 left"])
    page.locator('[data-step="2"]').click()
    expect(clocks).to_have_text(["13:59 left", "0:09.4 left"])
