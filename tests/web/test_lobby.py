"""The lobby's screen: people meet by quick games and challenges, in browsers of their own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from gonfalon.server.config import STATIC
from server.harness import Server, running
from server.visitors import make_account
from web.conftest import CLAIM_AFTER, Browse
from web.guard import Guard
from web.table import Table

MATCH = re.compile(r"/match/[\w-]+$")


def do(page: Page | Locator, name: str) -> Locator:
    return page.locator(f'[data-do="{name}"]')


def seek(page: Page, game: str) -> None:
    page.locator(f'[data-game="{game}"]').click()


def open_form(page: Page, **fields: str) -> None:
    """Open the form for a new challenge and fill it in."""
    page.locator("details summary").click()
    for name, value in fields.items():
        field = page.locator(f'[name="challenge-{name}"]')
        if field.evaluate("field => field.tagName") == "SELECT":
            field.select_option(value)
        else:
            field.fill(value)


def with_account(page: Page, server: Server) -> str:
    """Make an account, open it in the page's browser and go to the lobby. Return its name."""
    browser = server.browser()
    name, _ = make_account(browser)
    page.context.add_cookies(
        [{"name": key, "value": value, "url": server.url("")} for key, value in browser.cookies.items()]
    )
    page.goto("/lobby")
    expect(page.locator('[data-game="duel"]')).to_be_enabled()
    return name


def challenges(page: Page, kind: str) -> Locator:
    return page.locator(f"[data-challenge].{kind}")


def test_two_accounts_are_paired_and_see_the_board(browse: Browse, server: Server) -> None:
    one, other = browse("about:blank"), browse("about:blank")
    names = [with_account(page, server) for page in (one, other)]
    seek(one, "duel")
    expect(do(one, "stop")).to_be_visible()
    expect(one.locator("[data-news]")).to_have_text("You wait for somebody.")
    expect(other.locator('[data-game="duel"]')).to_contain_text("1 person waits")
    seek(other, "duel")
    for page, opponent in ((one, names[1]), (other, names[0])):
        expect(page).to_have_url(MATCH)
        expect(page.locator("[data-space]").first).to_be_visible()
        expect(page.locator(f'[data-account="{opponent}"]')).to_be_visible()
        expect(page.locator("[data-rated]")).to_be_visible()


def test_a_match_is_called_off(browse: Browse) -> None:
    one, other = browse("/lobby"), browse("/lobby")
    for page in (one, other):
        seek(page, "barrage")
    expect(one).to_have_url(MATCH)
    do(one, "call-off").click()
    do(one, "keep-playing").click()
    expect(do(one, "call-off")).to_be_focused()
    do(one, "call-off").click()
    do(one, "confirm-call-off").click()
    expect(one.locator("[data-called-off]").first).to_have_text("You called the match off.")
    expect(other.locator("[data-called-off]").first).to_have_text(re.compile("^(Red|Blue) called the match off.$"))
    expect(do(one, "call-off")).to_have_count(0)


def test_a_guest_accepts_an_open_challenge(browse: Browse) -> None:
    maker, guest = browse("/lobby"), browse("/lobby")
    open_form(maker, game="barrage", side="blue", time="quick")
    expect(maker.locator('[name="challenge-rated"]')).to_be_disabled()
    do(maker, "post").click()
    expect(challenges(maker, "yours")).to_have_count(1)
    shown = challenges(guest, "open")
    expect(shown).to_contain_text("its maker plays Blue")
    do(shown, "accept").click()
    for page in (maker, guest):
        expect(page).to_have_url(MATCH)
        expect(page.locator("[data-space]").first).to_be_visible()


def test_a_direct_challenge_is_answered_by_other_terms(browse: Browse, server: Server) -> None:
    one, other = browse("about:blank"), browse("about:blank")
    name, opponent = [with_account(page, server) for page in (one, other)]
    open_form(one, to=opponent, time="quick")
    do(one, "post").click()
    direct = challenges(other, "for-you")
    expect(direct).to_contain_text(f"{name} challenges you")
    do(direct, "counter").click()
    direct.locator('[name="challenge-time"]').select_option("standard")
    direct.locator('[name="challenge-rated"]').check()
    do(direct, "post").click()
    answer = challenges(one, "for-you")
    expect(answer).to_contain_text("proposes other terms to you")
    expect(one.locator("[data-news]")).not_to_be_empty()
    expect(challenges(one, "yours")).to_have_count(0)
    do(answer, "decline").click()
    expect(other.locator("[data-news]")).to_have_text("Your challenge was declined.")


def test_challenges_are_refused_and_taken_back(browse: Browse) -> None:
    page = browse("/lobby")
    open_form(page, to="Nobody-at-all")
    do(page, "post").click()
    expect(page.get_by_role("alert")).to_have_text("Nobody here is called Nobody-at-all.")
    open_form(page)
    do(page, "post").click()
    do(page, "withdraw").press("Enter")
    expect(challenges(page, "yours")).to_have_count(0)
    expect(page.get_by_role("heading", name="Challenges")).to_be_focused()
    expect(page.get_by_role("alert")).to_have_count(0)


def test_a_wait_is_ended_by_keyboard(browse: Browse) -> None:
    page = browse("/lobby")
    page.locator('[data-game="classic"]').focus()
    page.keyboard.press("Enter")
    expect(page.locator('[data-game="classic"]')).to_have_attribute("aria-pressed", "true")
    expect(page.locator('[data-game="classic"]')).to_be_focused()
    do(page, "stop").focus()
    page.keyboard.press("Enter")
    expect(do(page, "stop")).to_have_count(0)
    expect(page.locator('[data-game="classic"]')).to_be_focused()
    expect(page.locator("[data-news]")).to_have_text("You no longer wait.")


def test_a_running_match_is_watched(browse: Browse) -> None:
    tables = [Table(browse("/lobby")) for _ in range(2)]
    for table in tables:
        seek(table.page, "duel")
    for table in tables:
        expect(table.page).to_have_url(MATCH)
        table.suggest()
        table.do("ready").click()
    address = tables[0].page.url
    viewer = browse("/lobby")
    viewer.locator(f'[data-match="{address.rsplit("/", 1)[1]}"] a').click()
    expect(viewer).to_have_url(address)
    expect(viewer.locator("[data-space]").first).to_be_visible()
    expect(viewer.locator('[data-do="resign"]')).to_have_count(0)


def test_a_host_fills_a_table_with_levels(browse: Browse) -> None:
    page = browse("/lobby")
    seek(page, "conquest")
    page.select_option('[name="fill"]', "greedy")
    do(page, "fill").click()
    expect(page).to_have_url(MATCH)
    expect(page.locator("[data-computer]").first).to_be_visible()


@pytest.fixture
def quiet(tmp_path: Path, guard: Guard) -> Iterator[Server]:
    """A server of the test's own, with nobody on it."""
    with running(tmp_path, static=str(STATIC), claim_after=CLAIM_AFTER) as started:
        guard.host = started.url("").removeprefix("http://").rstrip("/")
        yield started


def test_an_empty_lobby_offers_other_ways_and_comes_back_after_a_restart(
    browse: Browse, quiet: Server, guard: Guard, phone: dict[str, Any]
) -> None:
    guard.allow("WebSocket", "ERR_CONNECTION_REFUSED")
    page = browse(quiet.url("/lobby"), **phone)
    expect(page.get_by_text("Nobody else is here right now.")).to_be_visible()
    do(page, "stay").click()
    expect(page.locator('[name="challenge-time"]')).to_have_value("correspondence")
    seek(page, "duel")
    expect(do(page, "stop")).to_be_visible()
    quiet.kill()
    expect(page.get_by_text("The connection is lost.")).to_be_visible()
    quiet.start()
    expect(page.get_by_text("The connection is lost.")).to_have_count(0)
    expect(page.locator('[data-game="duel"]')).to_contain_text("Nobody else waits yet.")
    expect(do(page, "stop")).to_be_visible()


@pytest.fixture
def phone() -> dict[str, Any]:
    """Settings of a browser on a phone."""
    return {"viewport": {"width": 360, "height": 640}, "has_touch": True}


def test_a_challenge_with_house_rules_and_times_of_ones_own(browse: Browse) -> None:
    maker, other = browse("/lobby"), browse("/lobby")
    open_form(maker, game="barrage", time="custom")
    maker.fill('[name="time-bank"]', "7")
    maker.locator("form details summary").click()
    maker.locator('[name="silent_defence"]').check()
    do(maker, "post").click()
    offer = other.locator("[data-challenge]").filter(has_text="7 min")
    expect(offer).to_contain_text("Silent defence")
    do(offer, "accept").click()
    expect(other).to_have_url(MATCH)
    expect(other.locator(".panel")).to_contain_text("7 min each")


def test_a_profile_leads_to_a_challenge_for_its_player(browse: Browse, server: Server) -> None:
    one, other = browse("about:blank"), browse("about:blank")
    name, opponent = [with_account(page, server) for page in (one, other)]
    one.goto(f"/player/{name}")
    expect(one.get_by_role("heading", name=name)).to_be_visible()
    expect(do(one, "challenge")).to_have_count(0)
    one.goto(f"/player/{opponent}")
    do(one, "challenge").click()
    expect(one).to_have_url(re.compile(f"/lobby/{opponent}$"))
    expect(one.locator('[name="challenge-to"]')).to_have_value(opponent)
    expect(one.locator('[name="challenge-game"]')).to_be_focused()
    do(one, "post").click()
    expect(challenges(other, "for-you")).to_contain_text(f"{name} challenges you")
    expect(one.locator('[name="challenge-to"]')).to_have_count(0)
    one.goto(f"/player/{opponent}")
    do(one, "block").click()
    expect(do(one, "challenge")).to_have_count(0)


def test_a_spectator_on_a_phone_sees_who_plays(browse: Browse, server: Server, phone: dict[str, Any]) -> None:
    pages = [browse("about:blank") for _ in range(2)]
    names = [with_account(page, server) for page in pages]
    for page in pages:
        seek(page, "duel")
    for page in pages:
        expect(page).to_have_url(MATCH)
    viewer = browse("about:blank", **phone)
    viewer.goto(pages[0].url)
    shown = viewer.locator(".opponents")
    for name in names:
        expect(shown).to_contain_text(name)
    assert shown.evaluate("part => part.scrollWidth <= part.clientWidth"), "both names are whole"


def test_of_four_on_a_small_phone_each_sees_the_own_rating(
    browse: Browse, server: Server, phone: dict[str, Any]
) -> None:
    pages = [browse("about:blank", **phone) for _ in range(4)]
    for page in pages:
        with_account(page, server)
        seek(page, "conquest")
    for page in pages:
        expect(page).to_have_url(MATCH)
    winner, *others = pages
    for page in others:
        page.locator(".drawer").click()
        do(page, "resign").click()
        do(page, "confirm-resign").click()
    own = winner.locator("[data-changed]:visible").first
    expect(own).to_contain_text("Your rating")
    line, drawer = own.bounding_box(), winner.locator(".drawer").bounding_box()
    assert line is not None
    assert drawer is not None
    assert line["y"] + line["height"] <= drawer["y"]
