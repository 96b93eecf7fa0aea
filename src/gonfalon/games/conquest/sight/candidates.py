"""Types that a viewer cannot rule out for other players' units, from all seen and lost units."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gonfalon.engine.compiled.belief import list_candidates
from gonfalon.engine.view import View
from gonfalon.games.conquest import state as g
from gonfalon.games.conquest.sight.dealing import find_places
from gonfalon.games.conquest.sight.resample import Unknown, lay_out, list_unknown


def find_candidates(view: View, rules: NDArray[np.void]) -> dict[int, list[int]]:
    """See `Game.candidates`; the types are by zone."""
    state = lay_out(view)
    row, found = state[0], dict[int, list[int]]()
    for unknown in list_unknown(state, view, rules):
        if unknown.side != view.observer:
            units = range(unknown.side * g.ARMY, (unknown.side + 1) * g.ARMY)
            by_slot = {slot: [int(row["kind"][slot])] for slot in units} | _find_hidden(unknown)
            found |= {int(row["zone"][slot]): by_slot[slot] for slot in units if row["zone"][slot] < g.ZONES}
    return found


def _find_hidden(unknown: Unknown) -> dict[int, list[int]]:
    """Return the possible types of each seat, by slot."""
    alike = sorted(set(unknown.units))
    masks = find_places(set(unknown.units), unknown.seats)
    possible = np.array([[bool(masks[unit] >> k & 1) for unit in alike] for k in range(len(unknown.seats))], np.bool_)
    possible = possible.reshape(len(unknown.seats), len(alike))
    rows = list_candidates(possible, np.array([alike.index(unit) for unit in unknown.units], np.int64))
    return {
        slot: sorted({alike[k].kind for k in np.flatnonzero(row)})
        for slot, row in zip(unknown.places, rows, strict=True)
    }
