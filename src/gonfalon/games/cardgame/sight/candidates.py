"""Types that a viewer cannot rule out for the cards in the enemy's line, from all seen and lost cards."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gonfalon.engine.compiled.belief import list_candidates
from gonfalon.engine.view import View
from gonfalon.games.cardgame import state as g
from gonfalon.games.cardgame.sight.resample import list_hidden


def find_candidates(view: View, rules: NDArray[np.void]) -> dict[int, list[int]]:
    """See `Game.candidates`; the types are by place in a line."""
    seen = view.record[0]
    found = dict[int, list[int]]()
    for side in range(2):
        if not seen["started"] or side == view.observer:
            continue
        line = range(side * g.SIDE_PLACES, side * g.SIDE_PLACES + g.LINE)
        shown = {place: [int(seen["kind"][place])] for place in line if seen["kind"][place]}
        found |= shown | {place: kinds for place, kinds in _find_hidden(seen, rules, side).items() if place in line}
    return found


def _find_hidden(seen: np.void, rules: NDArray[np.void], side: int) -> dict[int, list[int]]:
    """Return the possible types by hidden place. A card known to be in a group goes to one of the group's places. All
    other cards go to the other places or the pile.
    """
    hidden, told, unseen = list_hidden(seen, rules, side)
    cards = [(kind, label) for label, kinds in told.items() for kind in kinds] + [(kind, g.NONE) for kind in unseen]
    alike = sorted(set(cards))
    pile = len(cards) - len(hidden)
    possible = np.zeros((len(cards), len(alike)), np.bool_)
    for k, (kind, label) in enumerate(alike):
        fits = [
            label in (g.NONE, seen["group"][place]) and not seen["ruled_out"][place] >> kind & 1 for place in hidden
        ]
        possible[:, k] = [*fits, *[label == g.NONE] * pile]
    rows = list_candidates(possible, np.array([alike.index(card) for card in cards], np.int64))
    return {
        place: sorted({alike[k][0] for k in np.flatnonzero(row)})
        for place, row in zip(hidden, rows[: len(hidden)], strict=True)
    }
