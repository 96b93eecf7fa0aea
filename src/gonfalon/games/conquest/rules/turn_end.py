"""Control of territories, the end of a turn and of a round, and players who are skipped (CQ-9, CQ-13, CQ-25, CQ-26)."""

from gonfalon.engine.compiled.jit import RulesRow, StateRow, helper
from gonfalon.engine.compiled.kernels import note
from gonfalon.games.conquest import state as g
from gonfalon.games.conquest.rules.flags import end, has_flag
from gonfalon.games.conquest.rules.units import may_move, owner_of, show_to_all

NEXT = g.OVER + 1
"""Phase that exists only inside a step: the mover's turn is about to begin."""


@helper
def controller_of(s: StateRow, t: int) -> int:
    """CQ-9: return the only player with units in the territory, or NONE."""
    found = g.NONE
    for zone in range(t * g.IN_TERRITORY, (t + 1) * g.IN_TERRITORY):
        if s.at[zone] != g.NONE:
            player = owner_of(s.at[zone])
            if found != g.NONE and found != player:
                return g.NONE
            found = player
    return found


@helper
def look_at_control(s: StateRow, r: RulesRow) -> None:
    for t in range(r.territories):
        player = controller_of(s, t)
        if player != s.control[t]:
            s.control[t] = player
            s.stirred = 1
            note(s, g.LOG_CONTROL, player, t, 0, 0, 0)


@helper
def end_turn(s: StateRow, r: RulesRow) -> None:
    look_at_control(s, r)
    pass_turn(s, r)


@helper
def pass_turn(s: StateRow, r: RulesRow) -> None:
    """Pass the turn to the next player who is not out. Rounds count every seat, also of players who are out (CQ-26)."""
    s.turn += 1
    s.moves = 0
    s.made = 0
    while True:
        s.mover = (s.mover + 1) % r.players
        if s.mover == s.start:
            end_round(s, r)
            if s.phase == g.OVER:
                return
        if s.out[s.mover] == g.IN and not is_skipped(s, r, s.mover):
            s.phase = NEXT
            return


@helper
def end_round(s: StateRow, r: RulesRow) -> None:
    s.rounds += 1
    s.quiet = 0 if s.stirred else s.quiet + 1
    s.stirred = 0
    if s.quiet >= r.max_quiet_rounds:
        end(s, g.BY_QUIET, g.NONE)
    elif s.rounds >= r.max_rounds:
        end(s, g.BY_ROUNDS, g.NONE)


@helper
def is_skipped(s: StateRow, r: RulesRow, player: int) -> bool:
    """CQ-25: return whether a player has neither a Flag nor a unit that can move. Such a player is then out for good;
    only Cursed Lands can be left, and all see them.
    """
    if has_flag(s, player):
        return False
    for slot in range(player * g.ARMY, (player + 1) * g.ARMY):
        if s.zone[slot] < g.RESERVE and may_move(s.kind[slot]):
            return False
    s.out[player] = g.SKIPPED
    note(s, g.LOG_SKIPPED, player, 0, 0, 0, 0)
    for slot in range(player * g.ARMY, (player + 1) * g.ARMY):
        if s.zone[slot] < g.RESERVE:
            show_to_all(s, r, slot)
    return True
