"""Whether the enemy attacks pieces that may be Bombs. `test_search.py` tests the effect on the search."""

from __future__ import annotations

import numpy as np
import pytest

import gonfalon
from gonfalon.engine.events import Event
from gonfalon.games.grid import state as g
from gonfalon.games.grid.play.adjust.dares import is_daring
from gonfalon.games.grid.play.tunables import STRIKES
from gonfalon.games.grid.tests.diagrams import BLUE, RED
from gonfalon.games.grid.text.notation import move_squares


@pytest.mark.parametrize(
    ("variant", "seed", "daring"), [("original", 1, True), ("special", 8, True), ("special", 7, False)]
)
def test_who_strikes_often_at_what_never_moved_is_daring(variant: str, seed: int, daring: bool) -> None:
    """Pieces shown by Sword and Apple do not count (GR-31, GR-33, GR-34); in the last match there are no others."""
    game, rng = gonfalon.make(variant), np.random.default_rng(seed)
    state, told, strikes = game.initial_state(), list[Event](), 0
    while game.outcome(state) is None:
        player = game.to_act(state)[0]
        action = int(rng.choice(game.legal_actions(state, player)))
        if player == BLUE and action < g.ACT_DEPLOY:
            begin, end = move_squares(action)
            board, marks = state["board"][0], state["marks"][0]
            fresh = board[end] != g.EMPTY and not marks[end] & (g.MOVED | g.SEEN)
            strikes += int(fresh and board[begin] & g.TYPE > g.MINER)
        state = game.apply(state, player, action)
        told.extend(game.events(action, state, RED))
        assert is_daring(told, RED) == (strikes >= STRIKES)
    assert is_daring(told, RED) == daring
    assert not is_daring(told[-40:], RED)  # the events do not tell which pieces had moved before
