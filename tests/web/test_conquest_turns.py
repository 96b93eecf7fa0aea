"""The turns of other players in Conquest: the page shows each turn as a whole, and the player can skip it or watch it
again.
"""

from __future__ import annotations

import re

from playwright.sync_api import expect

from server.harness import Server
from web.conftest import Browse
from web.maptable import MapTable
from web.setting import sit_at
from web.staged import staged
from web.table import wait_for
from web.test_conquest_flags import to_move
from web.test_phone import PHONE, on_screen

AGENTS = ("me", "random", "random", "random")
OTHERS = ("Blue", "Green", "Ochre")


def make_turn(table: MapTable) -> None:
    """Make all moves of a turn."""
    while not table.do("look-on").is_enabled():
        table.make_move()
        wait_for(table.page, lambda: table.do("look-on").is_enabled() or table.open_zones())


def test_each_turn_of_others_is_told_as_one_and_can_be_looked_at_again(browse: Browse, server: Server) -> None:
    match = staged(server, "conquest", to_move, AGENTS)
    table = MapTable(sit_at(browse(patient=True, **PHONE), match, "red").page)
    page, headline = table.page, table.page.locator(".status .turn")
    assert table.due() == "move"
    make_turn(table)
    before = table.spoken()
    expect(headline).to_have_text(re.compile(f"^({'|'.join(OTHERS)})'s turn$"))
    for name in ("look-back", "look-on"):
        on_screen(page, f'[data-do="{name}"]')
    table.do("look-on").tap()
    wait_for(page, lambda: table.due() in ("move", "card"))
    told = [line for line in table.spoken() if line not in before and line.startswith(OTHERS)]
    assert len(told) == len(OTHERS), told

    table.do("look-back").tap()
    expect(headline).to_have_text("Looking back: Ochre's turn")
    assert not table.open_zones(), "nothing is chosen in what has been"
    page.keyboard.press("b")
    expect(headline).to_have_text("Looking back: Green's turn")
    page.keyboard.press("n")
    expect(headline).to_have_text("Looking back: Ochre's turn")
    page.keyboard.press("Escape")
    expect(headline).to_have_text(re.compile("Your turn|Play a card"))
    page.reload()
    table.do("look-back").tap()
    expect(headline).to_have_text("Looking back: Ochre's turn")
