"""Endings (GR-18 to GR-21)."""

from gonfalon.engine.jit import Row, helper
from gonfalon.games.grid.rules.log import note
from gonfalon.games.grid.rules.moves import has_turn
from gonfalon.games.grid.state import (
    BY_MAX_TURNS,
    BY_NO_MOVES,
    BY_QUIET,
    BY_STALEMATE,
    LOG_OVER,
    NONE,
    OVER,
    RUNNING,
)


@helper
def end(s: Row, reason: int, winner: int) -> None:
    s.over = reason
    s.winner = winner
    s.phase = OVER
    note(s, LOG_OVER, winner, reason, 0, 0, 0, 0)


@helper
def look_at_both_sides(s: Row, r: Row) -> None:
    """GR-19: who has no legal turn loses, to move or not; only the side to move is judged with GR-9 and GR-10."""
    mover = s.mover
    mover_can = has_turn(s, r, mover, True)
    other_can = has_turn(s, r, 1 - mover, False)
    if mover_can and other_can:
        return
    if mover_can:
        end(s, BY_NO_MOVES, mover)
    elif other_can:
        end(s, BY_NO_MOVES, 1 - mover)
    else:
        end(s, BY_STALEMATE, NONE)


@helper
def look_at_counts(s: Row, r: Row) -> None:
    """GR-20."""
    if s.over != RUNNING:
        return
    if s.turn >= r.max_turns:
        end(s, BY_MAX_TURNS, NONE)
    elif s.quiet >= r.max_quiet_turns:
        end(s, BY_QUIET, NONE)
