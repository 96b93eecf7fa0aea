"""Passing over a side without a legal turn (GR-19, switch `no_move_passes`)."""

from gonfalon.engine.compiled.jit import RulesRow, StateRow, helper
from gonfalon.games.grid import state as g
from gonfalon.games.grid.rules.log import note, record_turn
from gonfalon.games.grid.rules.moves import can_move, is_restrained
from gonfalon.games.grid.rules.repetition import find_barrier

RANKS = (1 << g.BOMB) - (1 << g.SPY)
"""A bit for each movable type."""


@helper
def pass_turn(s: StateRow, r: RulesRow) -> None:
    """Pass over the side to move. The pass is a turn without an attack; for GR-9 and GR-10 it is no move, and it ends
    both chases.
    """
    note(s, g.LOG_PASSED, s.mover, 0, 0, 0, 0, 0)
    rule_out_movable(s, r, s.mover)
    record_turn(s, g.NONE, g.NONE, g.NONE, g.PASSED)
    s.chase[0] = 0
    s.chase[1] = 0
    s.turn += 1
    s.quiet += 1
    s.mover = 1 - s.mover
    s.actor = s.mover


@helper
def rule_out_movable(s: StateRow, r: RulesRow, side: int) -> None:
    """Rule out, for each hidden piece of the side to move, the types that could have moved: a pass is public."""
    fence = find_barrier(s, r)
    restrained = is_restrained(s, r, side, fence)
    for square in range(r.squares):
        if not s.board[square] & (g.RED << side) or s.marks[square] & g.SEEN:
            continue
        if can_move(s, r, side, restrained, fence, square, False):
            s.ruled_out[square] |= RANKS
        elif can_move(s, r, side, restrained, fence, square, True):
            s.ruled_out[square] |= 1 << g.SCOUT
