"""Matches by correspondence: the server is killed in the middle, and a deadline passes while it is down."""

from __future__ import annotations

import os
import re

import pytest
import sqlalchemy as sa
from playwright.sync_api import Page, expect

from gonfalon.server.storage import tables
from server.harness import Server
from web.conftest import Browse
from web.guard import Guard
from web.setting import deployed, sit_at, timed
from web.table import Table
from web.test_faults import LOST

DAY = 86_400_000
CONTROL = {"kind": "correspondence", "days": 2}


def let_days_pass(server: Server, up: int, down: int) -> None:
    """Let days pass by moving the stored times back: first `up` days with a server, then `down` days without one."""
    engine = sa.create_engine(f"sqlite:///{server.settings['data']}/matches.db")
    with engine.begin() as connection:
        due, at = tables.deadlines.c.due, tables.up.c.at
        connection.execute(sa.update(tables.deadlines).values(due=due - (up + down) * DAY))
        connection.execute(sa.update(tables.up).values(at=at - down * DAY))
    engine.dispose()


def shoot(page: Page, name: str) -> None:
    if shots := os.environ.get("SHOTS"):
        page.screenshot(path=f"{shots}/{name}.png")


def deadline(table: Table) -> str:
    return table.page.locator("[data-clock]:visible").first.inner_text()


@pytest.mark.skipif("DATABASE" in os.environ, reason="the test moves times in a file of SQLite")
def test_days_in_which_no_server_runs_cost_nothing(browse: Browse, server: Server, guard: Guard) -> None:
    guard.allow(*LOST)
    match = timed(server, CONTROL, "me", "person")
    deployed(match, "blue", {})
    deployed(match, "red", {})
    red = sit_at(browse(), match, "red")
    assert red.ready()
    assert re.search(r"1 day|2 days", deadline(red))
    shoot(red.page, "slow-red")
    assert red.play_turn()
    blue = sit_at(browse(viewport={"width": 360, "height": 640}, has_touch=True), match, "blue")
    assert blue.ready()
    shoot(blue.page, "slow-blue")
    server.kill()
    let_days_pass(server, 0, 9)
    server.start()
    expect(blue.page.get_by_text("Connection lost")).to_have_count(0)
    assert blue.ready(), "the deadline passed while no server ran"
    assert re.search(r"1 day|2 days", deadline(blue))
    assert blue.play_turn()
    assert red.ready()
    server.kill()
    let_days_pass(server, 3, 1)
    server.start()
    expect(red.page.locator("[data-status]")).to_contain_text("You lose", timeout=60_000)
    shoot(red.page, "slow-end")
    shoot(blue.page, "slow-end-blue")
    expect(blue.page.locator("[data-status]")).to_contain_text("You win")
