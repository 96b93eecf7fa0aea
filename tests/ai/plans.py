"""Plans of arenas for tests, and functions that play them."""

from __future__ import annotations

import gonfalon
from gonfalon.ai.arena.entrants import COMMAND
from gonfalon.ai.arena.folder import Row
from gonfalon.ai.arena.plan import Plan, list_fixtures
from gonfalon.ai.arena.staff import play_fixture
from gonfalon.ai.protocol import EVALUATOR

ONE_PAIR = ((0, 1),)
THREE_PAIRS = ((0, 1), (0, 2), (1, 2))


def plan_of(*entrants: str, variant: str = "duel", deal: str = "own", patience: float = 30, seed: int = 3) -> Plan:
    changed = dict(EVALUATOR) if any(entrant.startswith(COMMAND) for entrant in entrants) else {}
    return Plan(variant, changed, entrants, 100, seed, deal, patience)


def play_some(plan: Plan, matches: int) -> list[tuple[Row, str]]:
    game = gonfalon.make(plan.variant, **plan.changed)
    return [play_fixture(plan, game, fixture) for fixture in list_fixtures(plan.meetings, game.info.players, matches)]
