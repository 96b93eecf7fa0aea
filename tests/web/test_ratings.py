"""Rated play on the page: a rated match against a level, the change at its end, the profile and the leaderboards."""

from __future__ import annotations

import re

import httpx
from playwright.sync_api import Page, expect

from server.harness import Server
from server.visitors import make_account, new_match
from web.conftest import Browse
from web.table import wait_for

PHONE = {"width": 360, "height": 640}
CLOCK = {"kind": "bank", "bank": 300, "increment": 3}
SEATS = [{"kind": "me"}, {"kind": "agent", "agent": "level-1"}]


def do(page: Page, name: str) -> None:
    page.locator(f'[data-do="{name}"]:visible').click()


def come_in(page: Page, server: Server, browser: httpx.Client) -> None:
    """Open the account of `browser` on the page."""
    cookies = [{"name": name, "value": value, "url": server.url("")} for name, value in browser.cookies.items()]
    page.context.add_cookies(cookies)
    page.goto(server.url("/account"))
    expect(page.locator('[data-do="log-out"]')).to_be_visible()


def test_a_rated_match_from_its_form_to_the_lists(browse: Browse, server: Server) -> None:
    browser = server.browser()
    name, _ = make_account(browser)
    page = browse("/account")
    come_in(page, server, browser)
    page.goto(server.url("/new/duel"))
    page.select_option('[name="agent"]', "random")
    expect(page.locator('[name="rated"]')).to_have_count(0)
    page.select_option('[name="agent"]', "level-1")
    expect(page.locator('[name="time"]')).to_have_value("none")
    page.check('[name="rated"]')
    expect(page.locator('[name="time"]')).to_have_value("quick")
    expect(page.locator('[name="time"] option[value="none"]')).to_have_count(0)
    do(page, "start")
    expect(page.locator('[data-do="resign"]:visible')).to_be_visible()
    for help_or_return in ("hint", "quick-hint", "return"):
        expect(page.locator(f'[data-do="{help_or_return}"]')).to_have_count(0)
    do(page, "resign")
    do(page, "confirm-resign")
    change = page.locator("[data-changed]:visible")
    expect(change).to_have_text(re.compile(r"^Your rating: 1500 → 1\d{3}\? \(–\d+\)$"))
    points = change.inner_text().split()[4]
    page.goto(server.url(f"/player/{name}"))
    rating = page.locator('[data-rating$=" levels"]')
    expect(rating).to_contain_text("Duel")
    expect(rating).to_contain_text(re.compile(re.escape(points) + r" ± \d+"))
    expect(rating).to_contain_text("1 match")
    rating.get_by_role("link").click()
    expect(page).to_have_url(re.compile("/leaderboards/duel$"))
    page.select_option('[name="pool"]', "levels")
    expect(page.get_by_text("It takes ten rated matches")).to_be_visible()
    expect(page.locator("[data-level]")).to_have_count(8)
    expect(page.get_by_role("link", name=name).filter(visible=True)).to_have_count(1)  # only the head's
    page.select_option('[name="variant"]', "barrage")
    expect(page).to_have_url(re.compile("/leaderboards/barrage$"))
    page.get_by_role("link", name="Play rated against a level").click()
    expect(page).to_have_url(re.compile("/new/barrage$"))


def test_a_guest_is_offered_no_rated_match(browse: Browse) -> None:
    page = browse("/new/duel")
    expect(page.locator('[name="agent"]')).to_be_visible()
    expect(page.locator('[name="rated"]')).to_have_count(0)


def test_changes_of_two_matches_on_a_phone(browse: Browse, server: Server) -> None:
    browser = server.browser()
    name, _ = make_account(browser)
    page = browse("/account", viewport=PHONE, has_touch=True)
    come_in(page, server, browser)
    for _ in range(2):
        page.goto(server.url("/matches"))
        made = new_match(browser, *SEATS, variant="duel", clock=CLOCK, rated=True)
        page.goto(server.url(f"/match/{made['match']}"))
        page.locator(".drawer").click()
        do(page, "resign")
        do(page, "confirm-resign")
        expect(page.locator("[data-changed]:visible").first).to_be_visible()
    change = page.locator("[data-changed]:visible").first
    expect(change).to_have_text(re.compile(r"^Your rating: 1[0-4]\d\d → \d+\? \(–\d+\)$"))
    found = server.get(f"/api/people/{name}").json()["ratings"]
    assert [(each["speed"], each["rating"]["matches"]) for each in found] == [("fast", 2)]


def test_a_list_with_persons_and_a_curve(browse: Browse) -> None:
    """Answers of a server with many matches, which no test can play."""
    shown = {"rating": 1512, "deviation": 80, "provisional": False, "matches": 24}
    page = browse("about:blank")
    entries = [{"name": "Ada_L", "rating": shown, "day": "2026-01-31"}]
    board = {"variant": "duel", "pool": "levels", "speed": "slow", "entries": entries, "levels": [1000, 1600]}
    page.route("**/api/leaderboards/duel?*", lambda route: route.fulfill(json=board))
    curve = [{"day": "2026-01-02", "rating": 1480}, {"day": "2026-01-31", "rating": 1512}]
    rating = {"variant": "duel", "speed": "slow", "pool": "levels", "rating": shown, "day": "2026-01-31"}
    profile = {"name": "Ada_L", "since": 1767225600, "games": [], "opponents": [], "left_early": 0.042}
    profile |= {"ratings": [{**rating, "curve": curve}], "mine": False, "blocked": False}
    page.route("**/api/people/Ada_L", lambda route: route.fulfill(json=profile))
    page.route("**/api/people/Ada_L/matches?*", lambda route: route.fulfill(json={"matches": [], "more": ""}))
    page.goto("/leaderboards/duel")
    rows = page.locator("tbody tr")
    expect(rows).to_have_text([re.compile("Level 2.*1600"), re.compile("^1.*Ada_L.*1512 ± 80.*24"), re.compile("1000")])
    page.get_by_role("link", name="Ada_L").click()
    picture = page.get_by_role("img")
    expect(picture).to_have_accessible_name(re.compile(r"\(1480\).*\(1512\); lowest 1480, highest 1512"))
    expect(page.get_by_text("Left early: 4 % of the rated matches.")).to_be_visible()
    page.go_back()
    wait_for(page, lambda: rows.count() == 3)


def test_unknown_games_have_no_leaderboard(browse: Browse, server: Server) -> None:
    assert httpx.get(server.url("/leaderboards")).status_code == 200
    assert httpx.get(server.url("/leaderboards/duel")).status_code == 200
    assert httpx.get(server.url("/leaderboards/none")).status_code == 404
    page = browse("/leaderboards", locale="de")
    expect(page.get_by_role("heading", level=1)).to_have_text("Ranglisten")
    expect(page.get_by_text("Noch steht niemand auf dieser Liste.")).to_be_visible()
