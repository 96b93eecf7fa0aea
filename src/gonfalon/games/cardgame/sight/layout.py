"""Meaning of the observations and action ids with a deck, and which of them it uses."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from gonfalon.engine.learning.observation import ActionParts, Layout, place_parts
from gonfalon.games.cardgame import state as g
from gonfalon.games.cardgame.ruleset import TYPES
from gonfalon.games.cardgame.sight.encode import PLANES


def layout_of(rules: NDArray[np.void]) -> Layout:
    """Return the layout of the observations with a deck. Blue plays upwards if both rows are mirrored."""
    deck = rules[0]["deck"]
    return Layout(
        planes=PLANES,
        rows=2,
        columns=g.LINE,
        past=0,
        used=tuple(_uses(deck, plane.name) for plane in PLANES),
        parts=place_parts(g.ACTIONS, _list_actions(deck)),
        turns=(tuple(range(2 * g.LINE)), (*reversed(range(g.LINE)), *reversed(range(g.LINE, 2 * g.LINE)))),
    )


def _uses(deck: NDArray[np.uint8], plane: str) -> bool:
    """Return whether a player can ever see something in a plane. The piles are shown to nobody who plays."""
    if plane.startswith("pile ") and plane != "pile size":
        return False
    kind = next((k for k in range(1, g.TYPES) if plane.rsplit(maxsplit=1)[-1] == TYPES[k]), 0)
    return not kind or plane.startswith("not ") or bool(deck[kind])


def _list_actions(deck: NDArray[np.uint8]) -> Iterator[tuple[int, ActionParts]]:
    """Yield the action ids that can be legal with the deck, or drawn, with their parts. Cells: the own line, the
    enemy's line.
    """
    kinds = [kind for kind in range(1, g.TYPES) if deck[kind]]
    yield g.ACT_LAY, ActionParts("lay", name="gap")
    for kind in kinds:
        yield g.ACT_LAY + kind, ActionParts("lay", name=TYPES[kind])
        yield g.ACT_DRAW + kind, ActionParts("draw", name=TYPES[kind], by_chance=True)
    targets = [*g.PAIRS, *((k,) for k in range(g.LINE))]
    for own in range(g.LINE):
        yield g.ACT_LOOK_HAND + own, ActionParts("look-hand", (own,))
        for enemy in range(g.LINE):
            yield g.ACT_ATTACK + own * g.LINE + enemy, ActionParts("attack", (own, g.LINE + enemy))
        for number, target in enumerate(targets):
            cells = (own, *(g.LINE + k for k in target))
            yield g.ACT_LOOK_LINE + own * g.LOOKS + number, ActionParts("look-line", cells)
    yield g.ACT_TRICK, ActionParts("trick")
