"""A player resigns (CQ-25), or all agree on a draw (CQ-35)."""

from gonfalon.engine.compiled.jit import RulesRow, StateRow, helper
from gonfalon.engine.compiled.kernels import note
from gonfalon.games.conquest import state as g
from gonfalon.games.conquest.rules.cards import discard_table, drop_choice
from gonfalon.games.conquest.rules.flags import end, find_last_flag, has_flag, next_with_flag, pass_flags
from gonfalon.games.conquest.rules.legal import is_choice_open
from gonfalon.games.conquest.rules.start import next_lot, next_pick, next_to_deploy
from gonfalon.games.conquest.rules.turn import begin_battle, begin_turns
from gonfalon.games.conquest.rules.turn_end import look_at_control, pass_turn
from gonfalon.games.conquest.rules.units import clear_army


@helper
def resign(s: StateRow, r: RulesRow, player: int) -> None:
    """CQ-25: take a player who resigns out of the match. Before the battle the player's share of the map stays
    empty.
    """
    s.n_log = 0
    note(s, g.LOG_RESIGNED, player, 0, 0, 0, 0)
    s.out[player] = g.RESIGNED
    if s.started:
        leave_battle(s, r, player)
    else:
        leave_start(s, r, player)
    begin_turns(s, r)


@helper
def leave_start(s: StateRow, r: RulesRow, player: int) -> None:
    s.contends[player] = 0
    s.lot[player] = 0
    s.holder[player] = g.NONE
    s.placed[player] = 0
    for k in range(g.ZONES):
        s.laid[player, k] = 0
    if find_last_flag(s, r) != g.NONE:
        end(s, g.BY_RESIGNING, find_last_flag(s, r))
    elif s.phase == g.STARTING:
        next_lot(s, r)
    elif s.phase == g.DRAFT:
        next_pick(s, r)
    elif next_to_deploy(s, r) == g.NONE:
        begin_battle(s, r)


@helper
def leave_battle(s: StateRow, r: RulesRow, player: int) -> None:
    if player == s.mover or is_choice_open(s):
        drop_choice(s)
        s.phase = g.CARD if player != s.mover else s.phase
    if has_flag(s, player):
        s.holder[player] = g.NONE
    pass_flags(s, r, player, next_with_flag(s, r, player))
    if find_last_flag(s, r) != g.NONE:
        # The player's units stay on the map, because a finished match shows all units.
        drop_choice(s)
        end(s, g.BY_RESIGNING, find_last_flag(s, r))
        return
    clear_army(s, player)
    look_at_control(s, r)
    if player == s.mover:
        s.due = 0
        discard_table(s)
        pass_turn(s, r)


@helper
def agree_draw(s: StateRow, _r: RulesRow) -> None:
    """CQ-35: end the match, because the players have agreed on a draw."""
    s.n_log = 0
    note(s, g.LOG_AGREED, 0, 0, 0, 0, 0)
    end(s, g.BY_AGREEMENT, g.NONE)
