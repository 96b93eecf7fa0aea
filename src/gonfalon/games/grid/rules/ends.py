"""Endings (GR-18 to GR-21)."""

from gonfalon.engine.compiled.jit import Records, RulesRow, StateRow, entry, helper
from gonfalon.games.grid import state as g
from gonfalon.games.grid.rules.log import note
from gonfalon.games.grid.rules.moves import has_turn
from gonfalon.games.grid.rules.passing import pass_turn


@helper
def end(s: StateRow, reason: int, winner: int) -> None:
    s.over = reason
    s.winner = winner
    s.phase = g.OVER
    note(s, g.LOG_OVER, winner, reason, 0, 0, 0, 0)


@helper
def judge_both_sides(s: StateRow, r: RulesRow) -> None:
    """GR-19: a side without a legal turn loses, even if it is not to move. GR-9 and GR-10 forbid moves only to the side
    that moves next. With `no_move_passes` the side to move is passed over instead.

    A loop, since a pass lets the other side be the one that GR-9 and GR-10 restrain.
    """
    while s.over == g.RUNNING:
        mover_can = has_turn(s, r, s.mover, True)
        other_can = has_turn(s, r, 1 - s.mover, False)
        if mover_can and (other_can or r.no_move_passes):
            return
        if not mover_can and not other_can:
            end(s, g.BY_STALEMATE, g.NONE)
        elif mover_can:
            end(s, g.BY_NO_MOVES, s.mover)
        elif not r.no_move_passes:
            end(s, g.BY_NO_MOVES, 1 - s.mover)
        else:
            judge_counts(s, r)  # a turn that completes a count of GR-20 is not followed by a pass
            if s.over == g.RUNNING:
                pass_turn(s, r)
                judge_counts(s, r)


@helper
def judge_counts(s: StateRow, r: RulesRow) -> None:
    """GR-20: too many turns, or too many without an attack, are a draw."""
    if s.over != g.RUNNING:
        return
    if s.turn >= r.max_turns:
        end(s, g.BY_MAX_TURNS, g.NONE)
    elif s.quiet >= r.max_quiet_turns:
        end(s, g.BY_QUIET, g.NONE)


@helper
def resign(s: StateRow, _r: RulesRow, player: int) -> None:
    """GR-21."""
    s.n_log = 0
    note(s, g.LOG_RESIGNED, player, 0, 0, 0, 0, 0)
    end(s, g.BY_RESIGNING, 1 - player)


@helper
def agree_draw(s: StateRow, _r: RulesRow) -> None:
    """GR-21."""
    s.n_log = 0
    note(s, g.LOG_AGREED, 0, 0, 0, 0, 0, 0)
    end(s, g.BY_AGREEMENT, g.NONE)


@entry
def judge(batch: Records, i: int, rules: Records) -> None:
    """GR-19 for row `i`, a position after a finished turn."""
    judge_both_sides(batch[i], rules[0])
