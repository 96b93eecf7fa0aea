"""Risk that the own Marshal stands beside an unknown Spy. In worlds with a Spy beside it, the search always moves the
Marshal away in time. A player who does not know the Spy cannot do so.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gonfalon.engine.compiled.kernels import Rows
from gonfalon.engine.game import State
from gonfalon.engine.view import View
from gonfalon.games.grid import state as g
from gonfalon.games.grid.text.notation import move_squares


def find_ambush(view: View, rules: Rows, pool: State) -> NDArray[np.float64]:
    """Return the probability of a hidden Spy beside the viewer's Marshal after each legal action, shape (actions,); 0
    if the enemy does not know the Marshal. `pool`: worlds that the viewer holds possible.
    """
    risks = np.zeros(len(view.legal))
    marshals = np.flatnonzero(view.board == g.MARSHAL + (g.RED << view.observer))
    if not len(marshals):
        return risks
    marshal = int(marshals[0])
    hidden = (pool["board"] == g.SPY + (g.RED << (1 - view.observer))) & (pool["marks"] & g.SEEN == 0)
    beside = hidden.mean(axis=0)[rules[0]["near"]].sum(axis=1)
    known = bool(view.marks[marshal] & g.SEEN)
    risks[:] = beside[marshal] * known
    for k, action in enumerate(view.legal.tolist()):
        begin, end = move_squares(action) if action < g.ACT_DEPLOY else (g.OFF, g.OFF)
        if begin == marshal:
            risks[k] = beside[end] * (known or view.board[end] != g.EMPTY)
    return risks
