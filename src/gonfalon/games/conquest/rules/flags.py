"""Flags: the holder of each Flag, and who wins by capturing them (CQ-21 to CQ-24)."""

from gonfalon.engine.compiled.jit import RulesRow, StateRow, helper
from gonfalon.engine.compiled.kernels import note
from gonfalon.games.conquest import state as g
from gonfalon.games.conquest.rules.units import find, lift, owner_of, put, show_to_all


@helper
def end(s: StateRow, reason: int, winner: int) -> None:
    """End the match. `winner` is a player or NONE."""
    s.phase = g.OVER
    s.over = reason
    s.winner = winner
    # Many turns without a move may have filled the log in this step. Make room for the last entry, which it must have.
    s.n_log = min(s.n_log, g.LOG - 1)
    note(s, g.LOG_OVER, winner, reason, 0, 0, 0)


@helper
def has_flag(s: StateRow, player: int) -> bool:
    """Return whether the player's Flag is on the board, or about to be put back there by the player (CQ-24)."""
    return s.holder[player] == player


@helper
def find_last_flag(s: StateRow, r: RulesRow) -> int:
    """CQ-24: return the only player with a Flag, or NONE."""
    return find_last_of(s, r, g.NONE, g.NONE)


@helper
def find_winner_by(s: StateRow, r: RulesRow, player: int, loser: int) -> int:
    """CQ-22, CQ-24: return the player who would win if `player` captured the Flag of `loser` now, or NONE."""
    if player == loser or not has_flag(s, loser):
        return g.NONE
    return find_last_of(s, r, loser, player if s.holder[player] == loser else g.NONE)


@helper
def find_last_of(s: StateRow, r: RulesRow, lost: int, back: int) -> int:
    """Return the only player with a Flag, if `lost` has lost theirs and `back` has got theirs back (each may be NONE).
    NONE if there is no such player.
    """
    found = g.NONE
    for player in range(r.players):
        if player != lost and (player == back or has_flag(s, player)):
            if found != g.NONE:
                return g.NONE
            found = player
    return found


@helper
def pass_flags(s: StateRow, r: RulesRow, giver: int, holder: int) -> None:
    """Give all Flags of other players that `giver` holds to `holder`."""
    for player in range(r.players):
        if player != giver and s.holder[player] == giver:
            s.holder[player] = holder
            note(s, g.LOG_GIVEN, player, holder, 0, 0, 0)


@helper
def capture(s: StateRow, r: RulesRow, player: int, slot: int) -> bool:
    """CQ-21 to CQ-23: let the player take a Flag that all have seen. Return whether the player now has to raise their
    own Flag.
    """
    loser, zone, keeper = owner_of(slot), s.zone[slot], s.holder[player]
    lift(s, slot, g.GONE)
    note(s, g.LOG_CAPTURED, player, loser, zone, 0, 0)
    if keeper == player:
        s.holder[loser] = player
        pass_flags(s, r, loser, player)
        return False
    if keeper == loser:
        s.holder[player] = player
        note(s, g.LOG_RECAPTURED, player, 0, 0, 0, 0)
        s.holder[loser] = player
        pass_flags(s, r, loser, player)
        return True
    s.holder[loser] = keeper
    note(s, g.LOG_GIVEN, loser, keeper, 0, 0, 0)
    pass_flags(s, r, loser, keeper)
    return False


@helper
def raise_flag(s: StateRow, r: RulesRow, player: int, zone: int) -> None:
    """CQ-22: put the recaptured Flag on an empty zone. All know that this unit is the Flag."""
    slot = find(s, player, g.FLAG, g.GONE)
    put(s, slot, zone)
    show_to_all(s, r, slot)
    note(s, g.LOG_RAISED, player, zone, 0, 0, 0)


@helper
def next_with_flag(s: StateRow, r: RulesRow, player: int) -> int:
    """Return the next player clockwise who has a Flag, or NONE."""
    for step in range(1, r.players):
        other = (player + step) % r.players
        if has_flag(s, other):
            return other
    return g.NONE
