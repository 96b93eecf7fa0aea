"""Messages for people who meet as strangers: about the end of a match, their ratings, and their accounts."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Page, expect

from server.harness import Server
from server.visitors import PASSWORD, make_account, new_name
from web.conftest import Browse
from web.setting import sit_at

PHONE = {"width": 360, "height": 640}
MATCH = re.compile(r"/match/[\w-]+$")
LONGEST = "W" * 20


def do(page: Page, name: str) -> None:
    page.locator(f'[data-do="{name}"]:visible').first.click()


def come_in(page: Page, server: Server) -> str:
    """Make an account, open it in the page's browser and return its name."""
    browser = server.browser()
    name, _ = make_account(browser)
    page.context.add_cookies(
        [{"name": key, "value": value, "url": server.url("")} for key, value in browser.cookies.items()]
    )
    page.goto(server.url("/account"))
    expect(page.locator('[data-do="log-out"]')).to_be_visible()
    return name


def pair(browse: Browse, server: Server) -> tuple[Page, Page]:
    """Open pages of two accounts in a rated match."""
    pages = browse("about:blank"), browse("about:blank")
    for page in pages:
        come_in(page, server)
        page.goto(server.url("/lobby"))
        page.locator('[data-game="duel"]').click()
    for page in pages:
        expect(page).to_have_url(MATCH)
        expect(page.locator("[data-rated]")).to_be_visible()
    return pages


def test_the_status_says_who_called_the_match_off(browse: Browse, server: Server) -> None:
    one, other = pair(browse, server)
    do(one, "call-off")
    do(one, "confirm-call-off")
    expect(one.locator(".status .reason")).to_have_text("You called the match off.")
    expect(other.locator(".status .reason")).to_have_text(re.compile("^(Red|Blue) called the match off.$"))
    do(other, "lobby")
    expect(other).to_have_url(re.compile("/lobby$"))


def test_the_own_rating_comes_first_for_both(browse: Browse, server: Server) -> None:
    one, other = pair(browse, server)
    do(one, "resign")
    do(one, "confirm-resign")
    for page, change in ((one, r"\(–\d+\)"), (other, r"\(\+\d+\)")):
        shown = page.locator("[data-changed]:visible")
        expect(shown).to_have_count(2)
        expect(shown.first).to_have_text(re.compile(rf"^Your rating: 1500 → \d+\? {change}$"))


def test_a_rematch_says_that_the_other_player_has_gone(browse: Browse, server: Server) -> None:
    one, other = pair(browse, server)
    do(one, "resign")
    do(one, "confirm-resign")
    do(one, "rematch")
    expect(one.get_by_text("You asked for a rematch.").first).to_be_visible()
    expect(one.locator("[data-away]")).to_have_count(0)
    other.goto(server.url("/rules"))
    expect(one.locator("[data-away]")).to_have_text(re.compile("^(Red|Blue): away.$"))


def test_an_account_has_its_name_and_no_other(browse: Browse, server: Server) -> None:
    one, _ = pair(browse, server)
    expect(one.locator('[data-do="resign"]')).to_be_visible()
    expect(one.locator('[data-do="rename"]')).to_have_count(0)


def test_a_player_who_is_out_is_told_so_after_a_reload(browse: Browse, server: Server) -> None:
    match = server.match(("me", "person", "person"), "conquest-three")
    page = sit_at(browse(), match, "red").page
    others = [match.sit(side) for side in match.invitations]
    do(page, "resign")
    do(page, "confirm-resign")
    for _ in range(2):
        expect(page.locator("[data-out]")).to_have_text("You are out of this match. You may go on watching.")
        expect(page.locator('[data-do="notify"]')).to_have_count(0)
        page.reload()
    assert not any(other.over for other in others)


def test_the_account_page_stays_in_place_when_it_changes(browse: Browse, server: Server) -> None:
    others = [make_account(server.browser())[0] for _ in range(2)]
    page = browse("about:blank", viewport=PHONE)
    name = come_in(page, server)
    for other in others:
        page.goto(server.url(f"/player/{other}"))
        do(page, "block")
        expect(page.get_by_role("status").filter(has_text="You block this player")).to_be_visible()
    page.goto(server.url("/account"))
    unblock = page.get_by_role("button", name="No longer block")
    unblock.first.scroll_into_view_if_needed()
    before = page.evaluate("scrollY")
    assert before > 0
    unblock.first.click()
    expect(unblock).to_have_count(1)
    assert page.evaluate("scrollY") == before
    do(page, "delete")
    expect(page.locator('[name="delete-password"]')).to_be_focused()
    page.get_by_role("button", name="Cancel").press("Enter")
    expect(page.locator('[data-do="delete"]')).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.type(PASSWORD)
    do(page, "confirm-delete")
    expect(page.locator("[data-deleted]")).to_have_text("Your account is deleted.")
    expect(page.get_by_role("link", name=name)).to_have_count(0)


def test_a_new_account_is_named_above_its_codes(browse: Browse) -> None:
    page = browse("/account", viewport=PHONE)
    name = new_name()
    page.locator('[data-way="new"]').click()
    page.fill('[name="account-name"]', name)
    page.fill('[name="password"]', PASSWORD)
    do(page, "enter")
    expect(page.locator("[data-made]")).to_have_text(f"Your account is made: {name}")
    do(page, "codes-kept")
    expect(page.locator("[data-made]")).to_have_count(0)
    do(page, "log-out")
    page.locator('[data-way="code"]').click()
    expect(page.get_by_text("Without a code, ask the server's operator.")).to_be_visible()


def test_a_tab_notices_that_another_one_has_logged_out(browse: Browse, server: Server) -> None:
    page = browse("about:blank")
    name = come_in(page, server)
    other = page.context.new_page()
    other.goto(server.url("/account"))
    do(other, "log-out")
    expect(other.locator('[data-way="in"]')).to_be_visible()
    expect(page.get_by_role("banner").get_by_role("link", name=name)).to_be_visible()
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(page.locator('[data-way="in"]')).to_be_visible()
    expect(page.get_by_role("banner").get_by_role("link", name=name)).to_have_count(0)


def test_a_new_password_leaves_one_device_in_the_list(browse: Browse, server: Server) -> None:
    page = browse("about:blank")
    name = come_in(page, server)
    answer = server.browser().post("/api/login", json={"name": name, "password": PASSWORD})
    assert answer.status_code == 200
    page.reload()
    expect(page.get_by_role("button", name="Log out there")).to_have_count(1)
    page.fill('[name="old-password"]', PASSWORD)
    page.fill('[name="new-password"]', "seven hidden miners")
    do(page, "change-password")
    expect(page.get_by_text("Your new password is set.")).to_be_visible()
    expect(page.get_by_role("button", name="Log out there")).to_have_count(0)


def profile_of(page: Page, name: str) -> None:
    """Answer questions for a profile as a server with many matches does."""
    shown = {"rating": 1512, "deviation": 80, "provisional": False, "matches": 24}
    curve = [{"day": "2026-01-02", "rating": 1480}, {"day": "2026-01-31", "rating": 1512}]
    rating = {"variant": "duel", "speed": "slow", "pool": "levels", "rating": shown, "day": "2026-01-31"}
    tally = {"wins": 120, "draws": 10, "losses": 114}
    opponents = [{"name": LONGEST, "agent": "", "tally": tally}]
    opponents += [{"name": f"Player-{number}", "agent": "", "tally": tally} for number in range(20)]
    found: dict[str, Any] = {"name": name, "since": 1767225600, "left_early": 0, "mine": False, "blocked": False}
    found |= {"games": [{"variant": "duel", "tally": tally}], "opponents": opponents}
    page.route(
        f"**/api/people/{name}", lambda route: route.fulfill(json=found | {"ratings": [{**rating, "curve": curve}]})
    )
    page.route(f"**/api/people/{name}/matches?*", lambda route: route.fulfill(json={"matches": [], "more": ""}))


def test_a_full_profile_fits_a_phone_and_keeps_its_choice(browse: Browse) -> None:
    page = browse("about:blank", viewport=PHONE)
    profile_of(page, "Ada_L")
    page.goto("/player/Ada_L")
    expect(page.get_by_role("img")).to_have_accessible_name(
        "Rating from Jan 2, 2026 (1480) to Jan 31, 2026 (1512); lowest 1480, highest 1512."
    )
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    opponents = page.locator("dt a")
    expect(opponents).to_have_count(10)
    do(page, "all-opponents")
    expect(opponents).to_have_count(21)
    page.select_option('[name="opponent"]', f"person {LONGEST}")
    page.get_by_role("link", name="Leaderboards").click()
    expect(page).to_have_url(re.compile("/leaderboards"))
    page.go_back()
    expect(page.locator('[name="opponent"]')).to_have_value(f"person {LONGEST}")
    page.locator("[data-rating]").get_by_role("link").click()
    expect(page.locator('[name="speed"]')).to_have_value("slow")
    expect(page.locator('[name="pool"]')).to_have_value("levels")


def test_a_leaderboard_marks_the_reader(browse: Browse, server: Server) -> None:
    page = browse("about:blank")
    name = come_in(page, server)
    shown = {"rating": 1512, "deviation": 80, "provisional": False, "matches": 24}
    entries = [{"name": each, "rating": shown, "day": "2026-01-31"} for each in ("Ada_L", name)]
    board = {"variant": "duel", "pool": "people", "speed": "fast", "entries": entries, "levels": []}
    page.route("**/api/leaderboards/duel?*", lambda route: route.fulfill(json=board))
    page.goto(server.url("/leaderboards/duel"))
    expect(page.locator("[data-person]")).to_have_text(
        [re.compile(r"^1Ada_L1512"), re.compile(rf"^2{name} \(you\)1512")]
    )


def test_the_list_of_matches_leads_an_account_to_its_profile(browse: Browse, server: Server) -> None:
    page = browse("about:blank")
    name = come_in(page, server)
    page.goto(server.url("/matches"))
    page.get_by_role("main").get_by_role("link", name=name).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(name)
