"""Before the deal (CG-2)."""

from gonfalon.engine.compiled.jit import RulesRow, StateRow, helper
from gonfalon.games.cardgame import state as g
from gonfalon.games.cardgame.rules.turn import go_on


@helper
def set_up(s: StateRow, r: RulesRow) -> None:
    """Set up the state before the deal. `s` must be all zeros."""
    for side in range(2):
        for kind in range(g.TYPES):
            s.pile[side, kind] = r.deck[kind]
            s.n_pile[side] += r.deck[kind]
    for observer in range(g.OBSERVERS):
        for place in range(g.PLACES):
            s.group[observer, place] = place
    for k in range(1, 4):
        s.last[k] = g.NONE
    s.winner = g.NONE
    go_on(s)
