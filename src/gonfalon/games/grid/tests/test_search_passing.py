"""The search in matches in which a side is passed over (switch `no_move_passes`)."""

from __future__ import annotations

import numpy as np
import pytest

from gonfalon.engine.search import Mind
from gonfalon.engine.view import copy_rows, zero_rows
from gonfalon.games.grid.play.evaluate.context import CONTEXT
from gonfalon.games.grid.play.evaluate.outcome import SURE
from gonfalon.games.grid.play.search.alpha_beta import prepare_context
from gonfalon.games.grid.play.search.searcher import Searcher
from gonfalon.games.grid.tests.diagrams import RED, Position, position

ALONE = "8 bF! .. .. .. .. .. .. .. bB! bB!\n{row} r4\n1 rF"
"""Blue has nothing that can move."""


def find_points(at: Position, text: str, depth: int) -> float:
    """Return the points of an action of red, searched to a depth in turns."""
    rules, contexts = copy_rows(at.game.rules), zero_rows(CONTEXT)
    contexts["doubt"], contexts["nodes"] = 1.0, 100_000
    prepare_context(at.state, rules, contexts)
    action = at.game.parse_action(at.game.view(at.state, RED), text)
    return Searcher(rules).search(at.state, contexts, action, depth)


@pytest.mark.parametrize(("row", "depth"), [(5, 4), (4, 6), (3, 8)])
def test_depth_counts_the_turns_that_are_missed(row: int, depth: int) -> None:
    """Red takes the Flag after 8 - `row` turns of its own, the last one in the exchanges after the search depth."""
    at = position("classic", ALONE.format(row=row), no_move_passes=True)
    step = f"a{row}-a{row + 1}"
    assert find_points(at, step, depth) > SURE
    assert abs(find_points(at, step, depth - 2)) < SURE


def test_points_are_those_of_the_side_that_moves_twice() -> None:
    """Red loses its last movable piece, and blue takes red's Flag in three turns of its own."""
    at = position("classic", "8 bF\n2 .. rB! b8!\n1 rF! .. r4!", no_move_passes=True)
    assert find_points(at, "c1xc2", 6) < -SURE


@pytest.mark.parametrize("seed", range(3))
def test_the_search_finds_the_hidden_flag_of_a_side_that_cannot_move(seed: int) -> None:
    """The Marshal and two Miners against three hidden pieces, which are known to be two Bombs and the Flag."""
    at = position("duel", "8 bB .. .. .. bF .. .. .. bB\n1 rF r3 rM r3", no_move_passes=True)
    rng, turns = np.random.default_rng(seed), 0
    while not at.ended and turns < 60:
        option = at.game.search(at.game.view(at.state, at.actor), (), Mind(seconds=600.0, depth=2, worlds=6), rng)[0]
        at = Position(at.game, at.game.apply(at.state, at.actor, option.actions[0]))
        turns += 1
    assert at.ended == "red flag"
