"""The log of the last step, in order, and the ring of past turns. `sight/view.py` decides what each observer gets of
the log.
"""

from gonfalon.engine.compiled.jit import StateRow, helper, index
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


@helper
def record_turn(s: StateRow, begin: int, finish: int, piece: int, kind: int) -> None:
    """Write the turn that is not counted yet into the ring: its move, and its bits of `ring_kind`."""
    at = s.turn % g.RING
    s.ring_from[index(at)] = begin
    s.ring_to[index(at)] = finish
    s.ring_piece[index(at)] = piece
    s.ring_kind[index(at)] = kind
