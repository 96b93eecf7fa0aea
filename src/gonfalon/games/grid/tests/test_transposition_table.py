"""The transposition table changes the time of a search, not its result."""

from __future__ import annotations

import numpy as np
import pytest

from gonfalon.engine.view import copy_rows, zero_rows
from gonfalon.games.grid.play.evaluate.context import CONTEXT
from gonfalon.games.grid.play.evaluate.outcome import WIN
from gonfalon.games.grid.play.search.alpha_beta import prepare_context
from gonfalon.games.grid.play.search.searcher import Searcher
from gonfalon.games.grid.tests.diagrams import RED, Position, position

ENDING = """
10 bF bB .. .. .. .. .. .. .. ..
 9 .. .. .. .. .. .. .. .. .. ..
 8 .. b7' .. .. .. .. .. .. .. ..
 5 .. .. ~~ ~~ .. .. ~~ ~~ r8'! ..
 4 .. .. .. .. .. b6'! .. .. .. ..
 3 .. .. .. r9' .. .. .. .. .. ..
 1 .. .. .. .. .. .. .. rB rF rB
"""
PLENTY = 1 << 40


class Place:
    """The one world of a position, for searches of Red's actions."""

    def __init__(self, place: Position) -> None:
        self.state, self.context = place.state, zero_rows(CONTEXT)
        self.rules = copy_rows(place.game.rules)
        self.actions: list[int] = place.game.legal_actions(place.state, RED).tolist()
        self.context["doubt"] = self.context["aim"] = 1.0
        self.context["player"] = RED
        prepare_context(place.state, self.rules, self.context)

    def search(
        self, searcher: Searcher, action: int, depth: int, alpha: float = -2 * WIN, beta: float = 2 * WIN
    ) -> float:
        self.context["nodes"], self.context["history"] = PLENTY, 0
        return searcher.search(self.state, self.context, action, depth, alpha, beta)

    @property
    def searched(self) -> int:
        """Number of positions in the last search."""
        return PLENTY - int(self.context[0]["nodes"])


@pytest.fixture(scope="module")
def place() -> Place:
    return Place(position("original", ENDING, turn=200))


def test_a_stored_position_is_not_searched_again(place: Place) -> None:
    searcher = Searcher(place.rules)
    for action in place.actions:
        points = place.search(searcher, action, 4)
        first = place.searched
        assert place.search(searcher, action, 4) == points
        assert place.searched == 0 < first


def test_a_bound_is_not_taken_for_the_points_themselves(place: Place) -> None:
    """A search that was cut off left only bounds behind; a later one with more room finds the exact value."""
    for action in place.actions:
        truth = place.search(Searcher(place.rules), action, 4)
        searcher = Searcher(place.rules)
        for alpha, beta in ((truth - 30.0, truth - 20.0), (truth + 20.0, truth + 30.0)):
            place.search(searcher, action, 4, alpha, beta)
        assert place.search(searcher, action, 4) == pytest.approx(truth)


def test_worlds_are_told_apart(place: Place) -> None:
    searcher, action = Searcher(place.rules), place.actions[0]
    place.search(searcher, action, 4)
    place.context["world"] = 1
    place.search(searcher, action, 4)
    assert place.searched > 0
    place.context["world"] = 0


def test_a_win_counts_from_where_it_is_found() -> None:
    """A way to the Flag is worth less if it begins later."""
    near = Place(position("original", ENDING.replace(" 8 .. b7'", " 8 r3'! .. ").replace("bF bB", "bF! bB"), turn=200))
    searcher = Searcher(near.rules)
    wins = {action: near.search(searcher, action, 5) for action in near.actions}
    fresh = {action: near.search(Searcher(near.rules), action, 5) for action in wins}
    assert wins == fresh
    assert np.unique(list(wins.values())).size > 1
