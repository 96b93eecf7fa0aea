"""Laying cards from the hand on the gaps of the player's line. All gaps together are one hidden choice (CG-2, CG-4,
CG-10).
"""

from gonfalon.engine.compiled.jit import Numbers, StateRow, helper
from gonfalon.engine.compiled.kernels import note
from gonfalon.games.cardgame import state as g
from gonfalon.games.cardgame.rules.cards import count_gaps, hand_place, line_place, put_in_line


@helper
def is_laid(s: StateRow, side: int) -> bool:
    """Return whether every gap of the side's line is decided."""
    return s.placed[side] == count_gaps(s, side)


@helper
def count_to_lay(s: StateRow, side: int) -> int:
    """Return the number of cards that must still be laid (CG-4): enough for the gaps if the hand has them, minus those
    already laid.
    """
    laid = 0
    for k in range(g.LINE):
        if s.laid[side, k]:
            laid += 1
    return min(count_gaps(s, side), s.n_hand[side]) - laid


@helper
def is_in_hand(s: StateRow, side: int, kind: int) -> bool:
    """Return whether the hand has another card of the type, besides those laid in this choice."""
    left = 0
    for j in range(g.DEALT):
        if s.kind[hand_place(side, j)] == kind:
            left += 1
    for k in range(g.LINE):
        if s.laid[side, k] == kind:
            left -= 1
    return left > 0


@helper
def legal_lays(s: StateRow, side: int, out: Numbers, n: int) -> int:
    """List the types of the hand that may go on the next gap, and "empty" while there are more gaps than cards."""
    if s.phase != g.LAY or (s.started and side != s.mover) or is_laid(s, side):
        return n
    must = count_to_lay(s, side)
    if count_gaps(s, side) - s.placed[side] > must:
        out[n] = g.ACT_LAY
        n += 1
    if must > 0:
        for kind in range(1, g.TYPES):
            if is_in_hand(s, side, kind):
                out[n] = g.ACT_LAY + kind
                n += 1
    return n


@helper
def next_gap(s: StateRow, side: int) -> int:
    """Return the place of the line that the next action of the choice decides."""
    gaps = 0
    for k in range(g.LINE):
        if s.kind[line_place(side, k)] == 0:
            if gaps == s.placed[side]:
                return k
            gaps += 1
    return g.LINE


@helper
def lay(s: StateRow, side: int, kind: int) -> None:
    """Decide one more gap. The other player sees it only when the choice is complete."""
    k = next_gap(s, side)
    s.laid[side, k] = kind
    s.placed[side] += 1
    if kind:
        note(s, g.LOG_PLACED, side, kind, line_place(side, k), 0, 0)


@helper
def close(s: StateRow, side: int) -> int:
    """Close the choice: put its cards in the line. Return their places as bits."""
    places = 0
    for k in range(g.LINE):
        if s.laid[side, k]:
            put_in_line(s, side, s.laid[side, k], k)
            s.laid[side, k] = 0
            places |= 1 << k
    s.placed[side] = 0
    return places
