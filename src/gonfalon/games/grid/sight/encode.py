"""Observation tensors. Every channel is listed here once, with its meaning. Reads views, never states."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gonfalon.engine.game import Tensors
from gonfalon.engine.view import View
from gonfalon.games.grid import state as g
from gonfalon.games.grid.ruleset import TYPES

_TYPES = TYPES[1:]
_OWNERS = ("own", "enemy")

CHANNELS: tuple[str, ...] = (
    *(f"own {name}" for name in _TYPES),  # 1 on squares with an own piece of this type
    *(f"enemy {name}" for name in _TYPES),  # 1 on squares with an enemy piece known to be of this type
    "enemy unknown",  # 1 on squares with an enemy piece of unknown type
    *(f"{owner} moved" for owner in _OWNERS),  # 1 where the piece has moved
    *(f"{owner} seen" for owner in _OWNERS),  # 1 where both know the type
    *(f"enemy not {name}" for name in _TYPES),  # 1 on enemy pieces publicly known not to be of this type
    "blocked",  # 1 on squares that nothing enters
    "last from",  # 1 on the square that the last move left
    "last to",  # 1 on the square where it ended
    *(f"{owner} lost {name}" for owner in _OWNERS for name in _TYPES),  # whole plane: share of 8 pieces lost
    *(f"own left {name}" for name in ("empty", *_TYPES)),  # whole plane, while placing: share of 40 still to place
    "own turn",  # whole plane: 1 if the viewer is to act
    *(f"phase {name}" for name in ("deploy", "turn", "heal", "heal place", "target", "rescue", "rescue place", "over")),
    *(f"{owner} apple used" for owner in _OWNERS),  # whole plane
    *(f"{owner} rescues" for owner in _OWNERS),  # whole plane: share of 2
    *(f"{owner} chase" for owner in _OWNERS),  # whole plane: chase length / 256
    "turn",  # whole plane: turns / 2000
    "quiet",  # whole plane: quiet turns / 256, at most 1
    "viewer is red",  # whole plane; the board is not turned round for blue, so action ids mean the same for both
)


def encode(view: View, rows: int) -> Tensors:
    """Planes float32 (channels, rows, 10), row 0 nearest to red. A spectator has red's planes, without red's
    secrets.
    """
    me = view.observer if view.observer in (0, 1) else 0
    planes = np.zeros((len(CHANNELS), rows, g.COLUMNS), np.float32)
    where = {name: k for k, name in enumerate(CHANNELS)}
    _squares(planes, where, view, me, rows)
    _counts(planes, where, view, me)
    return Tensors(planes, CHANNELS)


def _squares(planes: NDArray[np.float32], where: dict[str, int], view: View, me: int, rows: int) -> None:
    shape = (rows, g.COLUMNS)
    count = rows * g.COLUMNS
    board, marks = view.board[:count].reshape(shape), view.marks[:count].reshape(shape)
    ruled_out = view.ruled_out[:count].reshape(shape)
    for owner, side in (("own", me), ("enemy", 1 - me)):
        mine = (board & (g.RED << side)) != 0
        for kind, name in enumerate(_TYPES, 1):
            planes[where[f"{owner} {name}"]] = mine & (board & g.TYPE == kind)
        planes[where[f"{owner} moved"]] = mine & (marks & g.MOVED != 0)
        planes[where[f"{owner} seen"]] = mine & (marks & g.SEEN != 0)
    enemy = (board & (g.RED << (1 - me))) != 0
    planes[where["enemy unknown"]] = enemy & (board & g.TYPE == g.HIDDEN)
    for kind, name in enumerate(_TYPES, 1):
        planes[where[f"enemy not {name}"]] = enemy & (ruled_out & (1 << kind) != 0)
    planes[where["blocked"]] = board == g.BLOCKED
    _last_move(planes, where, view)


def _last_move(planes: NDArray[np.float32], where: dict[str, int], view: View) -> None:
    turn = int(view.turn) - 1
    if turn > 0 and view.ring_kind[turn % g.RING] & g.PASSED:
        turn -= 1
    at = turn % g.RING
    if turn >= 0 and view.ring_to[at] != g.NONE:
        for name, square in (("last from", int(view.ring_from[at])), ("last to", int(view.ring_to[at]))):
            planes[where[name], square // g.COLUMNS, square % g.COLUMNS] = 1


def _counts(planes: NDArray[np.float32], where: dict[str, int], view: View, me: int) -> None:
    for owner, side in (("own", me), ("enemy", 1 - me)):
        for kind, name in enumerate(_TYPES, 1):
            planes[where[f"{owner} lost {name}"]] = view.lost[side, kind] / 8
        planes[where[f"{owner} apple used"]] = view.apple_used[side]
        planes[where[f"{owner} rescues"]] = view.rescues[side] / 2
        planes[where[f"{owner} chase"]] = view.chase[side] / 256
    for kind, name in enumerate(("empty", *_TYPES)):
        planes[where[f"own left {name}"]] = view.left[me, kind] / 40
    planes[where["own turn"]] = view.n_legal > 0
    planes[where["phase deploy"] + int(view.phase)] = 1
    planes[where["turn"]] = view.turn / 2000
    planes[where["quiet"]] = min(1.0, view.quiet / 256)
    planes[where["viewer is red"]] = me == 0
