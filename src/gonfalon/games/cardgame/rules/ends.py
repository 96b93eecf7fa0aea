"""Ends of a match (CG-13, CG-14)."""

from gonfalon.engine.compiled.jit import RulesRow, StateRow, helper
from gonfalon.engine.compiled.kernels import note
from gonfalon.games.cardgame import state as g


@helper
def end(s: StateRow, reason: int, winner: int) -> None:
    """End the match. `winner` is a side or NONE."""
    s.phase = g.OVER
    s.over = reason
    s.winner = winner
    note(s, g.LOG_OVER, winner, reason, 0, 0, 0)


@helper
def resign(s: StateRow, _r: RulesRow, player: int) -> None:
    """CG-14: end the match, because the player resigns."""
    s.n_log = 0
    note(s, g.LOG_RESIGNED, player, 0, 0, 0, 0)
    end(s, g.BY_RESIGNING, 1 - player)


@helper
def agree_draw(s: StateRow, _r: RulesRow) -> None:
    """CG-14: end the match, because the players have agreed on a draw."""
    s.n_log = 0
    note(s, g.LOG_AGREED, 0, 0, 0, 0, 0)
    end(s, g.BY_AGREEMENT, g.NONE)
