"""Positions on a small phone: the board stays at one place from the first piece to the end."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from web.cardtable import CardTable
from web.conftest import Browse
from web.maptable import MapTable
from web.setting import new_match
from web.table import Table
from web.test_phone import PHONE, box_of, covered

GRIDS = ("original", "classic", "special", "duel", "barrage")


def sit_down(page: Page, variant: str) -> Table:
    """Make a match against the computer, in which the pieces must be placed."""
    new_match(page, variant, "agent:random", "red")
    if variant in GRIDS:
        table = Table(page)
    elif variant == "cardgame":
        table = CardTable(page)
    else:
        table = MapTable(page)
        table.pick_territories()
    table.do("ready").wait_for()
    return table


def place_all(table: Table) -> None:
    """Place all pieces, but do not press Ready."""
    if isinstance(table, CardTable):
        places = [name for name in table.gaps() if name[0] == table.side()]
        while not table.do("ready").is_enabled():
            table.put(table.faces()[0], places.pop(0))
    else:
        table.suggest()


def resign(table: Table) -> None:
    table.page.locator("button.drawer").tap()
    table.do("resign").tap()
    table.do("confirm-resign").tap()
    table.do("replay").first.wait_for()


@pytest.mark.parametrize("variant", [*GRIDS, "cardgame", "conquest-two"])
def test_the_board_stands_where_it_stood_from_placing_to_the_end(browse: Browse, variant: str) -> None:
    page = browse(**PHONE)
    table = sit_down(page, variant)
    stood = {"placing": box_of(page, ".boardbox")}
    assert not covered(page, '[data-do="ready"]')
    place_all(table)
    stood["placed"] = box_of(page, ".boardbox")
    table.do("ready").tap()
    table.do("ready").wait_for(state="detached")
    if table.due() != "over":
        stood["play"] = box_of(page, ".boardbox")
        resign(table)
    stood["the end"] = box_of(page, ".boardbox")
    assert len({tuple(box.values()) for box in stood.values()}) == 1, stood
