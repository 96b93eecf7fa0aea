"""Every screen is free of what axe-core finds, in light and in dark."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from server.harness import Match, Server
from web.conftest import Browse
from web.setting import deployed, sit_at
from web.table import Table

axe = Axe()


def check(page: Page, what: str) -> None:
    page.wait_for_timeout(250)
    found = axe.run(page).response["violations"]
    told = [f"{v['id']}: {v['help']}: {[n['html'][:120] for n in v['nodes'][:3]]}" for v in found]
    assert not told, f"{what}: " + "\n".join(told)


@pytest.fixture(params=["light", "dark"])
def look(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.mark.parametrize(
    "path", ["/", "/new/special", "/rules/special", "/settings", "/matches", "/replay", "/nothing"]
)
def test_screens(browse: Browse, look: str, path: str) -> None:
    page = browse(path, color_scheme=look)
    page.wait_for_load_state("networkidle")
    for summary in page.locator("details summary").all():
        summary.click()
    check(page, path)


def test_a_match_from_deployment_to_replay(browse: Browse, server: Server, look: str) -> None:
    match = server.match(variant="special")
    table = sit_at(browse(color_scheme=look), match, "red")
    table.do("random").click()
    table.do("shelf").click()
    table.page.locator("[data-deployment]").first.wait_for()
    check(table.page, "deployment")
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
    table.do("resign").click()
    check(table.page, "asked whether to resign")


def _over(table: Table, match: Match) -> None:
    table.do("confirm-resign").click()
    table.do("replay").wait_for()
    check(table.page, "the end")
    table.page.goto(f"/replay/{match.id}")
    table.do("next").wait_for()
    check(table.page, "replay")


def test_the_curtain(browse: Browse, look: str) -> None:
    page = browse("/new/duel", color_scheme=look)
    page.check('[name="opponent"][value="device"]')
    page.click('[data-do="start"]')
    page.locator('[data-do="open-curtain"]').wait_for()
    check(page, "curtain")
