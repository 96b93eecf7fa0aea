"""Chooses cards to lay: at random, or as a person might."""

from __future__ import annotations

import numpy as np

from gonfalon.engine.game import Actions
from gonfalon.engine.scene import Arrange
from gonfalon.engine.view import View
from gonfalon.games.cardgame import state as g

EAGER = {"flag": 0.02, "bomb": 0.5, "spy": 0.6, "marshal": 0.8}
"""How willingly a type is laid; 1 for types not listed. The Flag is safe in the hand, the Spy waits for the Marshal."""
TRIES = 20
"""How often cards are drawn until one can attack."""


def random_deployment(arrange: Arrange | None, rng: np.random.Generator) -> Actions:
    """Cards and their places, all ways equally likely. Empty if there is nothing to lay."""
    return _draw_lays(arrange, {}, rng)


def sensible_deployment(view: View, arrange: Arrange | None, rng: np.random.Generator) -> Actions:
    """Cards chosen by `EAGER`. If possible, at least one card of the line can attack (CG-13)."""
    side = view.observer
    line = [*view.kind[side * g.SIDE_PLACES : side * g.SIDE_PLACES + g.LINE].tolist(), *view.laid[side].tolist()]
    stands = any(0 < kind < g.BOMB for kind in line)
    for _ in range(TRIES):
        actions = _draw_lays(arrange, EAGER, rng)
        if stands or any(0 < action - g.ACT_LAY < g.BOMB for action in actions.tolist()):
            break
    return actions


def _draw_lays(arrange: Arrange | None, eager: dict[str, float], rng: np.random.Generator) -> Actions:
    """Draws as many cards as must be laid, by how eager each type is, and puts them on places at random."""
    if arrange is None:
        return np.zeros(0, np.int32)
    cards = [piece for piece in arrange.pieces if piece.face for _ in range(piece.count)]
    empty = [piece.action for piece in arrange.pieces if not piece.face for _ in range(piece.count)]
    odds = np.array([eager.get(piece.face, 1.0) for piece in cards])
    count = len(arrange.places) - len(empty)
    chosen = rng.choice(len(cards), count, replace=False, p=odds / odds.sum()).tolist() if count else []
    return rng.permutation(np.array([*empty, *(cards[k].action for k in chosen)], np.int32))
