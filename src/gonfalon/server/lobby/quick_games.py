"""Quick games: each is a variant at one speed, with a queue of its own."""

from __future__ import annotations

from gonfalon.server.clock.control import Bank, PerTurn
from gonfalon.server.protocol.lobby_messages import QuickGame


def _bank(minutes: int, increment: int, deployment: int) -> Bank:
    return Bank(minutes * 60, increment=increment, deployment=deployment)


QUICK_GAMES = (
    QuickGame("duel", "duel", 2, _bank(5, 3, 120)),
    QuickGame("barrage", "barrage", 2, _bank(5, 3, 120)),
    QuickGame("classic", "classic", 2, _bank(15, 3, 300)),
    QuickGame("original", "original", 2, _bank(20, 5, 300)),
    QuickGame("cardgame", "cardgame", 2, _bank(10, 5, 120)),
    QuickGame("conquest-two", "conquest-two", 2, _bank(20, 10, 300)),
    QuickGame("conquest", "conquest", 4, PerTurn(60, deployment=300)),
)
"""All quick games in the order of the page. A name never changes, because pages send it."""
