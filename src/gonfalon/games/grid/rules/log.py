"""The log of the last step, in order. `sight/view.py` decides what each observer gets of it."""

from gonfalon.engine.jit import StateRow, helper
from gonfalon.games.grid import state as g


@helper
def note(s: StateRow, code: int, side: int, a: int, b: int, c: int, d: int, e: int) -> None:
    """Appends one entry. No step has more than LOG entries; an Apple with four targets has the most."""
    n = s.n_log
    if n < g.LOG:
        s.log[n, 0] = code
        s.log[n, 1] = side
        s.log[n, 2] = a
        s.log[n, 3] = b
        s.log[n, 4] = c
        s.log[n, 5] = d
        s.log[n, 6] = e
        s.n_log = n + 1
