"""Keys of views for tables: equal for views between which the rules make no difference."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from gonfalon.engine.view import View
from gonfalon.games.grid import state as g

_FIELDS = (
    "board", "marks", "ruled_out", "lost", "phase", "apple_used", "rescues", "heal", "fight",
    "arrived", "over", "winner", "observer", "ready", "left", "placed", "chosen",
)  # fmt: skip
_COUNTERS = ("turn", "quiet", "chase")


def list_parts(view: View, rules: NDArray[np.void], exact: bool) -> Iterator[NDArray[np.generic]]:
    """Yield everything that decides how the match can go on, without piece numbers. If not `exact`, without turns,
    quiet turns, chase lengths and past turns.
    """
    row = view.record[0]
    yield from (np.asarray(row[name]) for name in _FIELDS)
    if row["phase"] != g.OVER:
        yield np.array([row["mover"], row["actor"]])
    where = np.append(row["where"], np.zeros(g.NONE + 1 - g.PIECES, np.uint8))
    where[g.NONE] = g.NONE
    yield where[row["fighter"]]
    yield where[row["targets"]]
    if exact:
        yield from (np.asarray(row[name]) for name in _COUNTERS)
        yield from _list_past(row, where, int(rules[0]["two_square_limit"]))


def _list_past(row: np.void, where: NDArray[np.uint8], limit: int) -> Iterator[NDArray[np.generic]]:
    """Yield the turns that GR-9 and GR-10 can still need, and the unfinished turn. A piece stands
    for itself by the square where it is now.
    """
    turn, needed = int(row["turn"]), max(2 * limit, int(max(row["chase"])) + 1, 2)
    unfinished = row["phase"] not in (g.DEPLOY, g.TURN, g.OVER)
    turns = np.arange(turn - min(turn, needed, g.RING - 1), turn + unfinished) % g.RING
    squares = where[row["ring_piece"][turns]]
    squares[squares == g.OFF] = g.NONE
    yield squares
    yield from (row[name][turns] for name in ("ring_from", "ring_to", "ring_kind"))
