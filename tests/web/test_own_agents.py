"""A computer player of the operator's own on the page, on a shipped game that is not listed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from gonfalon.server.config import STATIC
from server.harness import Server, running
from server.workers.test_own_agents import AGENTS
from web.conftest import CLAIM_AFTER, Browse
from web.guard import Guard
from web.table import Table

MATCH = re.compile(r"/match/[\w-]+$")
TITLE = "my-Bot, of this server"


@pytest.fixture
def own(tmp_path: Path, guard: Guard) -> Iterator[Server]:
    """A server with `my-Bot`, which knows the added game `grid-6x6` only."""
    bot = tmp_path / "bot.py"
    bot.write_text(AGENTS, encoding="utf-8")
    settings = {"agents": [f"my-Bot=py:{bot}:Small"], "variants": "grid-6x6"}
    with running(tmp_path, static=str(STATIC), claim_after=CLAIM_AFTER, **settings) as started:
        guard.host = started.url("").removeprefix("http://").rstrip("/")
        yield started


def begin(page: Page, own: Server) -> Table:
    """Start a match against the computer player by the form, and place the pieces."""
    page.goto(own.url("/new/grid-6x6"))
    page.locator('[name="agent"]').select_option(label=TITLE)
    expect(page.get_by_text("A computer player that the operator of this server added.")).to_be_visible()
    page.locator('[data-do="start"]').click()
    expect(page).to_have_url(MATCH)
    table = Table(page)
    table.suggest()
    table.do("ready").click()
    return table


def test_a_match_against_it_from_the_start_page_to_the_replay(browse: Browse, own: Server) -> None:
    page = browse(own.url("/"))
    card = page.locator('[data-variant="grid-6x6"]')
    expect(card.get_by_role("heading", name="Grid 6x6")).to_be_visible()
    table = begin(page, own)
    expect(page.locator(".players")).to_contain_text(TITLE)
    for _ in range(3):
        table.play_turn()
    if table.ready():
        table.do("resign").click()
        table.do("confirm-resign").click()
    table.do("replay").click()
    expect(page.locator(".panel")).to_contain_text(TITLE)
    page.goto(own.url("/matches"))
    expect(page.get_by_text(TITLE).first).to_be_visible()
    page.reload()
    page.goto(own.url("/new/grid-6x6"))
    expect(page.locator('[name="agent"]')).to_have_value("my-Bot")


def test_it_is_not_offered_where_it_does_not_play(browse: Browse, own: Server) -> None:
    page = browse(own.url("/new/barrage"))
    expect(page.locator('[name="agent"] option')).to_have_count(10)
    page.goto(own.url("/new/grid-6x6"))
    expect(page.locator('[name="agent"] option')).to_have_count(11)
    page.wait_for_load_state("networkidle")


def test_a_match_says_that_it_waits_for_an_agent_of_an_earlier_start(browse: Browse, own: Server, guard: Guard) -> None:
    guard.allow("WebSocket", "Failed to load", "ERR_")
    page = browse(own.url("/"))
    assert begin(page, own).ready()
    address = page.url
    page.goto("about:blank")
    own.let_go()
    own.kill()
    own.settings["agents"] = []
    own.start()
    page.goto(address)
    table = Table(page)
    assert table.play_turn()
    expect(page.locator(".calls")).to_contain_text("This computer player is not on the server now.")
    expect(page.locator(".players")).to_contain_text("not on this server now")
    expect(table.do("wake-agents")).to_have_count(0)
    table.do("end-match").click()
    expect(table.do("replay")).to_be_visible()
