"""Transposition table with Zobrist keys (A New Hashing Method with Application for Game Playing, 1970). Many orders of
moves reach the same position, and a search one turn deeper reaches it again.

A key leaves out the path to a position, and so the rules on repetition. The value found on one path is used for all.
"""

from typing import Any

import numpy as np

from gonfalon.engine.compiled.jit import Records, RulesRow, StateRow, helper, index
from gonfalon.games.grid import state as g
from gonfalon.games.grid.play.evaluate.context import CODES, KNOWN, MASK
from gonfalon.games.grid.play.evaluate.outcome import SOONER, SURE

SIZE = 1 << 15
"""Number of stored positions; a later one replaces an earlier one."""
EXACT, AT_LEAST, AT_MOST = 1, 2, 3
"""Kinds of stored values: exact, or a bound."""

TRANSPOSITION = np.dtype(
    [
        ("key", np.int64),
        ("points", np.float64),
        ("action", np.int32),  # what was best
        ("depth", np.int16),  # depth of the search, in turns
        ("bound", np.int16),
    ],
    align=True,
)

_RANDOM = np.random.default_rng(1970)
_PIECES = _RANDOM.integers(1, 1 << 62, g.SQUARES * CODES)
_OTHERS = _RANDOM.integers(1, 1 << 62, 8)
_WORLDS = _RANDOM.integers(1, 1 << 62, 256)


@helper
def find_position_key(s: StateRow, r: RulesRow, c: StateRow, mover: int) -> Any:
    """Return a hash of the position, which no other position of the search is likely to share. Never 0."""
    key = _WORLDS[index(c.world)] ^ _OTHERS[index(mover)]
    if c.local:
        key ^= _OTHERS[2]
    for side in range(2):
        if s.apple_used[side]:
            key ^= _OTHERS[index(3 + side)]
    for square in range(r.squares):
        piece = s.board[index(square)]
        if piece & g.ANY_SIDE:
            known = (s.marks[index(square)] & g.SEEN) // g.SEEN
            key ^= _PIECES[index(square * CODES + (piece & MASK) + known * KNOWN)]
    return key


@helper
def recall(transpositions: Records, here: StateRow, at: int) -> bool:
    """Whether the stored value of a position is exact enough for its window; if so, it becomes `best`. `hint` gets the
    stored best action.
    """
    found = transpositions[here.key & (SIZE - 1)]
    if found.key != here.key:
        return False
    here.hint = found.action
    if found.depth < here.depth:
        return False
    points = found.points
    if abs(points) > SURE:
        points -= SOONER * at if points > 0.0 else -SOONER * at
    if found.bound == AT_LEAST and points < here.beta:
        return False
    if found.bound == AT_MOST and points > here.alpha:
        return False
    here.best = points
    return True


@helper
def remember(transpositions: Records, here: StateRow, at: int) -> None:
    """Stores the result for a position at ply `at`."""
    found = transpositions[here.key & (SIZE - 1)]
    points = here.best
    found.bound = EXACT
    if points >= here.high:
        found.bound = AT_LEAST
    elif points <= here.low:
        found.bound = AT_MOST
    if abs(points) > SURE:
        points += SOONER * at if points > 0.0 else -SOONER * at
    found.key, found.points, found.action, found.depth = here.key, points, here.hint, here.depth
