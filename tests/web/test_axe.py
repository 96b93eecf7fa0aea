"""Check that axe-core finds no fault on any screen, in light and dark, on a desktop and on a phone."""

from __future__ import annotations

from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from server.harness import Match, Server
from server.visitors import PASSWORD, new_name
from web.clocked import BANK, Clockwork, seat
from web.conftest import Browse
from web.guard import UNKNOWN
from web.setting import deployed, sit_at
from web.table import Table

axe = Axe()


def check(page: Page, what: str) -> None:
    page.wait_for_timeout(250)
    found = axe.run(page).response["violations"]
    told = [f"{v['id']}: {v['help']}: {[n['html'][:120] for n in v['nodes'][:3]]}" for v in found]
    assert not told, f"{what}: " + "\n".join(told)


PHONE = {"width": 360, "height": 640}
LOOKS: dict[str, dict[str, Any]] = {
    "light": {"color_scheme": "light"},
    "dark": {"color_scheme": "dark"},
    "phone": {"color_scheme": "light", "viewport": PHONE, "has_touch": True},
}


@pytest.fixture(params=LOOKS)
def look(request: pytest.FixtureRequest) -> dict[str, Any]:
    """Settings of the browser."""
    return LOOKS[request.param]


@pytest.mark.parametrize(
    "path",
    [
        *("/", "/new/special", "/rules", "/rules/special", "/settings", "/matches", "/replay", "/about", UNKNOWN),
        *("/account", "/privacy", "/lobby", "/leaderboards", "/leaderboards/duel"),
    ],
)
def test_screens(browse: Browse, look: dict[str, Any], path: str) -> None:
    page = browse(path, **look)
    page.wait_for_load_state("networkidle")
    for summary in page.locator("details summary").all():
        summary.click()
    check(page, path)


def test_screens_of_an_account(browse: Browse, server: Server, look: dict[str, Any]) -> None:
    page = browse("/account", **look)
    page.locator('[data-way="new"]').click()
    name = new_name()
    page.fill('[name="account-name"]', name)
    page.fill('[name="password"]', PASSWORD)
    page.locator('[data-do="enter"]').click()
    page.locator("code").first.wait_for()
    check(page, "recovery codes")
    page.locator('[data-do="codes-kept"]').click()
    page.locator('[data-do="log-out"]').wait_for()
    page.locator('[data-do="delete"]').click()
    check(page, "own account")
    page.goto(server.url(f"/player/{name}"))
    page.locator('[name="variant"], .soft').first.wait_for()
    check(page, "profile")


def test_a_match_from_deployment_to_replay(browse: Browse, server: Server, look: dict[str, Any]) -> None:
    match = server.match(variant="special")
    table = sit_at(browse(**look), match, "red")
    table.suggest()
    table.do("shelf").click()
    table.page.locator("[data-deployment]").first.wait_for()
    check(table.page, "deployment")
    table.do("close-shelf").click()
    table.do("ready").click()
    table.do("ready").wait_for(state="detached")
    deployed(match, "blue", {})
    assert table.ready()
    check(table.page, "match")
    _choosing(table)
    _over(table, match)


def _choosing(table: Table) -> None:
    begin = next(name for name, label in table.squares().items() if "can be chosen" in label)
    table.choose(begin)
    check(table.page, "a piece chosen")
    table.page.keyboard.press("Escape")
    drawer = table.page.locator(".drawer")
    if drawer.is_visible():
        drawer.click()
        check(table.page, "the drawer")
    table.do("resign").click()
    check(table.page, "asked whether to resign")


def _over(table: Table, match: Match) -> None:
    table.do("confirm-resign").click()
    table.do("replay").wait_for()
    check(table.page, "the end")
    table.page.goto(f"/replay/{match.id}")
    table.do("next").wait_for()
    check(table.page, "replay")


def test_the_curtain(browse: Browse, look: dict[str, Any]) -> None:
    page = browse("/new/duel", **look)
    page.check('[name="opponent"][value="device"]')
    page.click('[data-do="start"]')
    page.locator('[data-do="open-curtain"]').wait_for()
    check(page, "curtain")


def test_clocks_and_own_times(browse: Browse, server: Server, look: dict[str, Any]) -> None:
    page = browse("/new/duel", **look)
    page.select_option('[name="time"]', "custom")
    page.fill('[name="time-bank"]', "200")
    check(page, "own times with a fault")
    clocks = Clockwork(page, BANK, seat("red", 700, True, free=3, most=170), seat("blue", 754))
    match = server.match(variant="duel")
    for side in ("red", "blue"):
        deployed(match, side, {})
    assert sit_at(page, match, "red").ready()
    check(page, "clocks")
    for left in (25, 9):
        clocks.say(seat("red", left, True), seat("blue", 754))
        check(page, f"{left} seconds left")
