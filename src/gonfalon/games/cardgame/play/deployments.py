"""Chooses cards to lay: at random, or as a person might."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gonfalon.engine.game import Actions, State
from gonfalon.engine.screens.scene import Arrange
from gonfalon.engine.view import View, copy_rows
from gonfalon.games.cardgame import state as g
from gonfalon.games.cardgame.play.policy import BOX
from gonfalon.games.cardgame.play.quick import decide
from gonfalon.games.cardgame.play.tables import weights
from gonfalon.games.cardgame.sight.resample import begin_world


def random_deployment(arrange: Arrange | None, rng: np.random.Generator) -> Actions:
    """Return cards and their places, all ways equally likely. Empty if there is nothing to lay."""
    if arrange is None:
        return np.zeros(0, np.int32)
    cards = [piece.action for piece in arrange.pieces if piece.face for _ in range(piece.count)]
    empty = [piece.action for piece in arrange.pieces if not piece.face for _ in range(piece.count)]
    chosen = rng.choice(len(cards), len(arrange.places) - len(empty), replace=False).tolist() if cards else []
    return rng.permutation(np.array([*empty, *(cards[k] for k in chosen)], np.int32))


def sensible_deployment(view: View, rules: NDArray[np.void], rng: np.random.Generator) -> Actions:
    """Return cards that the quick policy chooses, on random places. Empty if there is nothing to lay."""
    if view.phase != g.LAY or not len(view.legal):
        return np.zeros(0, np.int32)
    chosen, counter = np.zeros(g.LINE, np.int32), rng.integers(0, 2**63, 1).astype(np.uint64)
    count = decide(told_state(view), copy_rows(rules), view.observer, weights(), np.zeros(BOX), counter, chosen)
    return rng.permutation(chosen[:count])


def told_state(view: View) -> State:
    """Return a state with only a player's knowledge, for code that reads nothing else."""
    state = begin_world(view)
    for side in range(2):
        places = slice(side * g.SIDE_PLACES, (side + 1) * g.SIDE_PLACES)
        state[0]["known"][1 - side, places] = view.marks[places] == g.SEEN
    return state
