"""The transposition table changes the time of a search, not its result."""

from __future__ import annotations

import numpy as np
import pytest

from gonfalon.engine.kernels import Rows
from gonfalon.engine.view import copy_rows, zero_rows
from gonfalon.games.grid import state as g
from gonfalon.games.grid.play.evaluate.context import DESK
from gonfalon.games.grid.play.search.alpha_beta import look, prepare
from gonfalon.games.grid.play.search.frame import LEVEL, LEVELS, WIN
from gonfalon.games.grid.play.search.transposition_table import FOUND, SIZE
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


class Looker:
    """Search Red's actions in the one world of a position."""

    def __init__(self, place: Position) -> None:
        self.place, self.desk = place, zero_rows(DESK)
        self.rules = copy_rows(place.game.rules)
        self.desk["doubt"] = self.desk["aim"] = 1.0
        prepare(place.state, 0, self.rules, RED, self.desk)
        self.rows = zero_rows(g.STATE, LEVELS), zero_rows(LEVEL, LEVELS)

    def look(self, memo: Rows, action: int, depth: int, alpha: float = -2 * WIN, beta: float = 2 * WIN) -> float:
        self.desk["nodes"], self.desk["history"] = PLENTY, 0
        args = (self.place.state, 0, self.rules, RED, self.desk, *self.rows, memo)
        return float(look(*args, action, depth, alpha, beta))

    @property
    def looked(self) -> int:
        """Number of positions in the last search."""
        return PLENTY - int(self.desk[0]["nodes"])


@pytest.fixture(scope="module")
def looker() -> Looker:
    return Looker(position("original", ENDING, turn=200))


def test_what_is_known_is_not_looked_at_again(looker: Looker) -> None:
    memo = zero_rows(FOUND, SIZE)
    for action in looker.place.game.legal_actions(looker.place.state, RED).tolist():
        points = looker.look(memo, action, 4)
        first = looker.looked
        assert looker.look(memo, action, 4) == points
        assert looker.looked == 0 < first


def test_a_bound_is_not_taken_for_the_points_themselves(looker: Looker) -> None:
    """A search that was cut off left only bounds behind; a later one with more room finds the exact value."""
    for action in looker.place.game.legal_actions(looker.place.state, RED).tolist():
        truth = looker.look(zero_rows(FOUND, SIZE), action, 4)
        memo = zero_rows(FOUND, SIZE)
        for alpha, beta in ((truth - 30.0, truth - 20.0), (truth + 20.0, truth + 30.0)):
            looker.look(memo, action, 4, alpha, beta)
        assert looker.look(memo, action, 4) == pytest.approx(truth)


def test_worlds_are_told_apart(looker: Looker) -> None:
    memo, action = zero_rows(FOUND, SIZE), int(looker.place.game.legal_actions(looker.place.state, RED)[0])
    looker.look(memo, action, 4)
    looker.desk["world"] = 1
    looker.look(memo, action, 4)
    assert looker.looked > 0
    looker.desk["world"] = 0


def test_a_win_counts_from_where_it_is_found() -> None:
    """A way to the Flag is worth less if it begins later."""
    near = Looker(position("original", ENDING.replace(" 8 .. b7'", " 8 r3'! .. ").replace("bF bB", "bF! bB"), turn=200))
    memo = zero_rows(FOUND, SIZE)
    wins = {action: near.look(memo, action, 5) for action in near.place.game.legal_actions(near.place.state, RED)}
    fresh = {action: near.look(zero_rows(FOUND, SIZE), action, 5) for action in wins}
    assert wins == fresh
    assert np.unique(list(wins.values())).size > 1
