"""A player leaves a match that goes on (CQ-25)."""

from gonfalon.engine.jit import Row, helper
from gonfalon.engine.kernels import note
from gonfalon.games.conquest.rules.act import begin_battle, begin_turns
from gonfalon.games.conquest.rules.cards import discard_table, drop_choice
from gonfalon.games.conquest.rules.flags import end, has_flag, last_flag, next_with_flag, pass_flags
from gonfalon.games.conquest.rules.start import next_lot, next_pick, next_to_deploy
from gonfalon.games.conquest.rules.turn_end import look_at_control, pass_turn
from gonfalon.games.conquest.rules.units import clear_army
from gonfalon.games.conquest.sight.visible import is_choice_open
from gonfalon.games.conquest.state import BY_RESIGNING, CARD, DRAFT, LOG_RESIGNED, NONE, RESIGNED, STARTING, ZONES


@helper
def resign(s: Row, r: Row, player: int) -> None:
    """CQ-25; before the battle his share of the map stays empty."""
    s.n_log = 0
    note(s, LOG_RESIGNED, player, 0, 0, 0, 0)
    s.out[player] = RESIGNED
    if s.started:
        leave_battle(s, r, player)
    else:
        leave_start(s, r, player)
    begin_turns(s, r)


@helper
def leave_start(s: Row, r: Row, player: int) -> None:
    s.contends[player] = 0
    s.lot[player] = 0
    s.holder[player] = NONE
    s.placed[player] = 0
    for k in range(ZONES):
        s.laid[player, k] = 0
    if last_flag(s, r) != NONE:
        end(s, BY_RESIGNING, last_flag(s, r))
    elif s.phase == STARTING:
        next_lot(s, r)
    elif s.phase == DRAFT:
        next_pick(s, r)
    elif next_to_deploy(s, r) == NONE:
        begin_battle(s, r)


@helper
def leave_battle(s: Row, r: Row, player: int) -> None:
    if player == s.mover or is_choice_open(s):
        drop_choice(s)
        s.phase = CARD if player != s.mover else s.phase
    clear_army(s, player)
    if has_flag(s, player):
        s.holder[player] = NONE
    pass_flags(s, r, player, next_with_flag(s, r, player))
    look_at_control(s, r)
    if last_flag(s, r) != NONE:
        drop_choice(s)
        end(s, BY_RESIGNING, last_flag(s, r))
    elif player == s.mover:
        s.due = 0
        discard_table(s)
        pass_turn(s, r)
