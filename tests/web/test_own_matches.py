"""The lists of one's own matches: whose turn it is, against whom, what is over, and replays."""

from __future__ import annotations

import random
import re

from playwright.sync_api import Locator, Page, expect

from server.harness import Client, Match, Server, wait_for
from web.conftest import Browse
from web.guard import Guard
from web.setting import deployed, new_match, sit_at, timed
from web.table import Table


def named(match: Match, side: str, name: str) -> Client:
    """Return a connection of a side after its player has given a name."""
    client = match.sit(side)
    client.send("give-name", name=name)
    client.until("presence")
    return client


def row(page: Page, match: Match) -> Locator:
    return page.locator(f'[data-match="{match.id}"]')


def listed(page: Page) -> list[str]:
    rows: list[str] = page.locator("[data-match]").evaluate_all("all => all.map((each) => each.dataset.match)")
    return rows


def opened(page: Page, match: Match) -> Table:
    table = sit_at(page, match, "red")
    expect(table.do("random")).to_be_visible()
    return table


def test_the_match_that_waits_for_the_player_comes_first(browse: Browse, server: Server) -> None:
    page, rng = browse(), random.Random(3)
    waiting, newer = server.match(("me", "person")), server.match(("me", "person"))
    guests = [named(match, "blue", name) for match, name in ((waiting, "Ada"), (newer, "Bo"))]
    for match in (waiting, newer):
        opened(page, match).deploy()
    page.goto("/")
    expect(row(page, waiting)).to_contain_text("Not your turn")
    guests[0].deploy(rng)
    page.goto("/")
    expect(row(page, waiting)).to_contain_text("Your turn")
    expect(row(page, waiting)).to_contain_text("Ada")
    expect(row(page, waiting)).to_contain_text("last move")
    expect(row(page, newer)).to_contain_text("Not your turn")
    assert listed(page) == [waiting.id, newer.id]
    go_on = page.locator('[data-do="go-on"]')
    expect(go_on).to_have_attribute("href", f"/match/{waiting.id}")
    page.goto("/matches")
    expect(row(page, newer)).to_contain_text("Bo")
    assert listed(page) == [waiting.id, newer.id]


def test_matches_by_correspondence_wait_in_the_order_of_their_deadlines(browse: Browse, server: Server) -> None:
    page, control = browse(), {"kind": "correspondence", "days": 7}
    later, sooner = timed(server, control, "me", "person"), timed(server, {**control, "days": 1}, "me", "person")
    for match in (sooner, later):
        deployed(match, "blue", {})
        opened(page, match)
    page.goto("/")
    expect(row(page, sooner).locator("[data-left]")).to_have_text(re.compile(r"^(1 day|23 h \d+ min) left$"))
    expect(row(page, later).locator("[data-left]")).to_have_text("7 days left")
    assert listed(page)[:2] == [sooner.id, later.id]
    expect(page).to_have_title("(2) Gonfalon: hidden-rank board games")
    page.goto("/matches")
    expect(page).to_have_title("(2) Matches - Gonfalon")
    page.get_by_role("link", name="Settings").click()
    expect(page).to_have_title("Settings - Gonfalon")


def test_a_match_lost_while_the_page_was_closed_is_not_offered(browse: Browse, server: Server) -> None:
    page, match = browse(), server.match(("me", "person"))
    guest = named(match, "blue", "Ada")
    opened(page, match)
    page.goto("/settings")
    guest.deploy(random.Random(5))
    wait_for(lambda: match.info()["seats"][0]["claim_in"] == 0)
    guest.send("claim-win")
    guest.until("ended")
    page.goto("/")
    expect(page.locator('[data-do="go-on"]')).to_have_count(0)
    expect(page.locator("[data-match]")).to_have_count(0)
    page.goto("/matches")
    expect(page.get_by_role("heading", name="Over")).to_be_visible()
    expect(row(page, match)).to_contain_text("You lose.")
    expect(page.get_by_role("heading", name="Unfinished")).to_have_count(0)


def test_a_match_against_the_computer_stays_one_on_another_device(browse: Browse) -> None:
    table = new_match(browse(), "barrage", "agent:level-2")
    expect(table.do("random")).to_be_visible()
    table.do("other-device").click()
    phone = browse(table.copied("copy-seat"))
    expect(Table(phone).do("random")).to_be_visible()
    phone.goto("/matches")
    for text in ("Barrage", "Level 2, hasty", "Red"):
        expect(phone.locator("[data-match]")).to_contain_text(text)
    expect(phone.locator("[data-match]")).not_to_contain_text("a person")


def test_finished_matches_can_be_seen_again_and_analysed(browse: Browse, server: Server) -> None:
    page, match = browse(), server.match(("me", "person"))
    page.goto("/replay")
    expect(page.get_by_text("Matches that you finish in this browser appear here.")).to_be_visible()
    guest = named(match, "blue", "Ada")
    red = opened(page, match)
    red.do("resign").click()
    red.do("confirm-resign").click()
    red.do("rematch").first.wait_for()
    guest.close()
    server.clients.remove(guest)
    page.get_by_role("link", name="Records").click()
    expect(page.get_by_role("heading", name="Open a record")).to_be_visible()
    expect(row(page, match)).to_contain_text(re.compile("Barrage.*Ada.*You lose", re.DOTALL))
    row(page, match).click()
    expect(page.get_by_role("heading", name="Replay: Barrage")).to_be_visible()
    page.go_back()
    page.locator('li [data-do="analysis"]').click()
    expect(page.locator('[data-do="analyse"]')).to_be_in_viewport()
    expect(page.locator('[name="analysed"]')).to_have_value("red")


def test_a_match_that_the_server_has_deleted_is_not_offered(browse: Browse, guard: Guard) -> None:
    guard.allow("status of 404")
    page = browse()
    page.evaluate(
        """() => localStorage.setItem('gonfalon.matches', JSON.stringify([
          {id: "lost", variant: "duel", mine: "red", secrets: {red: "x"},
           acted: true, opponent: "link", created: 5}]))"""
    )
    page.goto("/")
    expect(page.locator('[data-do="play-now"]')).to_be_visible()
    expect(page.locator('[data-do="go-on"]')).to_have_count(0)
    page.goto("/matches")
    expect(page.locator("[data-match]")).to_contain_text("no longer on the server")
