"""Types that a viewer cannot rule out for the pieces of others, from everything seen and lost."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gonfalon.engine.compiled.belief import list_candidates
from gonfalon.engine.view import View
from gonfalon.games.grid import state as g
from gonfalon.games.grid.sight.resample import copy_known, list_possible, list_unseen


def find_candidates(view: View, rules: NDArray[np.void]) -> dict[int, list[int]]:
    """See `Game.candidates`: types by square."""
    if not view.ready.all():
        return {}
    row = copy_known(view)[0]
    pieces, found = row["board"][: g.SQUARES], dict[int, list[int]]()
    for side in range(2):
        if side == view.observer:
            continue
        mine = (pieces & (g.RED << side)) != 0
        kinds = pieces & g.TYPE
        hidden = np.flatnonzero(mine & (kinds == g.HIDDEN))
        found |= {int(square): [int(kinds[square])] for square in np.flatnonzero(mine & (kinds != g.HIDDEN))}
        rows = list_candidates(list_possible(row, hidden), list_unseen(row, rules, side, mine))
        found |= {int(square): np.flatnonzero(row).tolist() for square, row in zip(hidden, rows, strict=True)}
    return found
