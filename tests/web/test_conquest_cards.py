"""Each of the seven cards, played through the page. Each match begins at a turn in which the card can be used."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from playwright.sync_api import expect

from gonfalon.games.conquest import state as g
from gonfalon.games.conquest.ruleset import CARDS
from server.harness import Server
from web.conftest import Browse
from web.maptable import MapTable
from web.setting import sit_at
from web.staged import Story, staged

RED = 0


def wishing(card: int) -> Any:
    """Return draws of chance: Red gets this card as soon as possible, and Blue gets other cards."""

    def wish(story: Story, drawn: np.ndarray[Any, Any]) -> int | None:
        wanted = g.ACT_DRAW + card
        if wanted not in drawn:
            return None
        if story.state["mover"][0] == RED:
            return wanted
        others = [int(each) for each in drawn if each != wanted]
        return others[0] if others else None

    return wish


def playable(card: int) -> Any:
    def reached(story: Story) -> bool:
        return story.mover == RED and any(choice.path == (f"card.{CARDS[card]}",) for choice in story.choices(RED))

    return reached


@pytest.mark.parametrize("card", range(g.CARDS), ids=CARDS)
def test_a_card(browse: Browse, server: Server, card: int) -> None:
    match = staged(server, "conquest-two", playable(card), ("me", "person"), wishing(card))
    table = MapTable(sit_at(browse(), match, "red").page)
    assert table.due() == "card"
    shown = table.page.locator(f'[data-card="{CARDS[card]}"]')
    expect(shown).to_have_attribute("aria-disabled", "false")
    assert shown.locator(".text").inner_text(), "what the card does is said on it"
    shown.click()
    table.carry_out()
    assert table.status() == "move"
    table.make_move()


def test_why_a_card_cannot_be_played(browse: Browse, server: Server) -> None:
    """New Spy Master needs the Spy Master in the reserve, but in the first turn the Spy Master is on the board."""

    def drawn(story: Story) -> bool:
        return story.mover == RED and story.state["table"][0][g.NEW_MASTER] > 0 and bool(story.choices(RED))

    match = staged(server, "conquest-two", drawn, ("me", "person"), wishing(g.NEW_MASTER))
    table = MapTable(sit_at(browse(), match, "red").page)
    assert table.due() == "card"
    shown = table.page.locator('[data-card="new-spy-master"]')
    expect(shown).to_have_attribute("aria-disabled", "true")
    shown.click(force=True)
    expect(table.page.get_by_role("alert")).to_contain_text("Spy Master")
