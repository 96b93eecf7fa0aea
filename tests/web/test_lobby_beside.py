"""The lobby beside other screens: who waits may look elsewhere, and chooses which matches the lists show."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page, expect

from server.harness import Server
from web.conftest import Browse
from web.table import Table
from web.test_lobby import MATCH, challenges, do, open_form, seek, with_account


def bar(page: Page) -> Any:
    return page.locator(".lobby-bar")


def take_back(page: Page) -> None:
    """Take back all challenges, because other tests count those that they see."""
    mine = challenges(page, "yours")
    for left in reversed(range(mine.count())):
        do(mine.first, "withdraw").click()
        expect(mine).to_have_count(left)


def test_who_waits_plays_the_computer_until_somebody_comes(browse: Browse) -> None:
    waiting = Table(browse("/lobby"))
    page = waiting.page
    seek(page, "original")
    do(page, "meanwhile").click()
    expect(bar(page)).to_contain_text("You wait for somebody")
    page.locator('[data-do="start"]').click()
    expect(page).to_have_url(MATCH)
    against_the_computer = page.url
    waiting.suggest()
    expect(bar(page)).to_be_visible()
    other = browse("/lobby")
    seek(other, "original")
    expect(other).to_have_url(MATCH)
    expect(bar(page)).to_contain_text("Your match begins.")
    expect(page).to_have_url(against_the_computer)
    do(page, "to-match").click()
    expect(page).to_have_url(other.url)
    expect(bar(page)).to_have_count(0)


def test_a_wait_ends_on_another_screen(browse: Browse) -> None:
    page = browse("/lobby")
    seek(page, "cardgame")
    expect(do(page, "stop")).to_be_visible()
    page.get_by_role("link", name="Settings").click()
    do(bar(page), "stop").click()
    expect(bar(page)).to_have_count(0)
    page.get_by_role("link", name="Matches").click()
    expect(bar(page)).to_have_count(0)


def test_the_lobby_goes_on_where_the_player_left_it(browse: Browse) -> None:
    page = browse("/lobby")
    seek(page, "classic")
    expect(do(page, "stop")).to_be_visible()
    page.get_by_role("link", name="Settings").click()
    do(bar(page), "to-lobby").click()
    expect(bar(page)).to_have_count(0)
    expect(page.locator('[data-game="classic"]')).to_have_attribute("aria-pressed", "true")
    do(page, "stop").click()
    open_form(page, game="barrage", time="quick")
    do(page, "post").click()
    expect(challenges(page, "yours")).to_have_count(1)
    page.get_by_role("link", name="Settings").click()
    expect(bar(page)).to_contain_text("your challenge, open to everybody")
    page.go_back()
    take_back(page)


def test_the_lists_show_what_is_chosen(browse: Browse) -> None:
    maker, reader = browse("/lobby"), browse("/lobby")
    for game in ("barrage", "duel"):
        open_form(maker, game=game, time="quick")
        do(maker, "post").click()
        expect(challenges(maker, "yours").filter(has_text=game.capitalize())).to_have_count(1)
    ours = challenges(reader, "open").filter(has_text="casual")
    before = ours.count()
    reader.select_option('[name="show-game"]', "duel")
    expect(challenges(reader, "open").filter(has_text="Barrage")).to_have_count(0)
    expect(challenges(reader, "open").filter(has_text="Duel")).not_to_have_count(0)
    expect(reader.get_by_text("Not shown:")).to_be_visible()
    reader.select_option('[name="show-pool"]', "rated")
    expect(challenges(reader, "open").filter(has_text="casual")).to_have_count(0)
    reader.select_option('[name="show-game"]', "")
    reader.select_option('[name="show-pool"]', "")
    expect(ours).to_have_count(before)
    take_back(maker)


def test_challenges_of_blocked_people_are_not_shown(browse: Browse, server: Server) -> None:
    maker, reader = browse("about:blank"), browse("about:blank")
    name, _ = (with_account(page, server) for page in (maker, reader))
    open_form(maker, game="barrage", time="quick")
    do(maker, "post").click()
    expect(challenges(reader, "open").filter(has_text=name)).to_have_count(1)
    reader.goto("/account")
    expect(do(reader, "log-out")).to_be_visible()
    reader.goto(f"/player/{name}")
    do(reader, "block").click()
    expect(reader.get_by_role("status")).not_to_have_count(0)
    reader.goto("/lobby")
    expect(reader.locator('[data-game="duel"]')).to_be_enabled()
    expect(challenges(reader, "open").filter(has_text=name)).to_have_count(0)
    take_back(maker)


def test_a_guest_finds_the_match_again_after_the_tab_is_lost(browse: Browse) -> None:
    one, other = browse("/lobby"), browse("/lobby")
    for page in (one, other):
        seek(page, "barrage")
    expect(one).to_have_url(MATCH)
    address = one.url
    # The page that was closed had not saved the match yet.
    one.evaluate(
        "() => { const seat = localStorage['gonfalon.account']; localStorage.clear();"
        " localStorage['gonfalon.account'] = seat }"
    )
    one.goto("/matches")
    one.locator(f'a[href="{address[address.index("/match/") :]}"]').first.click()
    expect(one.locator('[data-do="random"]')).to_be_visible()
