"""Moves and combat (CQ-13 to CQ-20): the legal ones and their effects, except for captured Flags."""

from gonfalon.engine.compiled.jit import Numbers, RulesRow, StateRow, helper
from gonfalon.engine.compiled.kernels import note
from gonfalon.games.conquest import state as g
from gonfalon.games.conquest.rules.units import fall, may_move, owner_of, relocate, rule_out, show_to_all

LANDS = g.MOST_LEGAL - g.ZONES
"""Index from which the array of the legal list has room for the regions of connected empty zones."""
QUEUE = LANDS - g.ZONES
"""Index from which the array has room for the zones that the search must still visit."""


@helper
def is_near(r: RulesRow, zone: int, other: int) -> bool:
    """CQ-14: return whether two zones border each other."""
    for k in range(r.n_near[zone]):
        if r.near[zone, k] == other:
            return True
    return False


@helper
def is_enemy(s: StateRow, player: int, zone: int) -> bool:
    return s.at[zone] != g.NONE and owner_of(s.at[zone]) != player


@helper
def can_move(s: StateRow, r: RulesRow, player: int) -> bool:
    """CQ-16: return whether the player has a legal move or combat. Looking at neighbours is enough, because a run also
    begins with an empty neighbour.
    """
    for slot in range(player * g.ARMY, (player + 1) * g.ARMY):
        zone = s.zone[slot]
        if zone < g.RESERVE and may_move(s.kind[slot]):
            for k in range(r.n_near[zone]):
                near = r.near[zone, k]
                if s.at[near] == g.NONE or owner_of(s.at[near]) != player:
                    return True
    return False


@helper
def legal_moves(s: StateRow, r: RulesRow, player: int, out: Numbers) -> int:
    """List the legal moves, ascending. Stopping is possible after the first move (CQ-13)."""
    n = 0
    mapped = False
    if s.made > 0:
        out[0] = g.ACT_STOP
        n = 1
    low, high = player * g.ARMY, (player + 1) * g.ARMY
    for zone in range(r.zones):
        slot = s.at[zone]
        if slot < low or slot >= high or not may_move(s.kind[slot]):
            continue
        if s.kind[slot] == g.SCOUT:
            if not mapped:
                map_empty(s, r, out)
                mapped = True
            n = list_runs(s, r, player, zone, out, n)
        else:
            for k in range(r.n_near[zone]):
                near = r.near[zone, k]
                if s.at[near] == g.NONE or s.at[near] < low or s.at[near] >= high:
                    out[n] = g.ACT_MOVE + zone * g.ZONES + near
                    n += 1
    return n


@helper
def map_empty(s: StateRow, r: RulesRow, out: Numbers) -> None:
    """Number the regions of connected empty zones from 1. All other zones get 0."""
    for zone in range(r.zones):
        out[LANDS + zone] = 0
    lands = 0
    for start in range(r.zones):
        if s.at[start] != g.NONE or out[LANDS + start]:
            continue
        lands += 1
        out[LANDS + start] = lands
        out[QUEUE] = start
        done, end = 0, 1
        while done < end:
            zone = out[QUEUE + done]
            done += 1
            for k in range(r.n_near[zone]):
                near = r.near[zone, k]
                if s.at[near] == g.NONE and out[LANDS + near] == 0:
                    out[LANDS + near] = lands
                    out[QUEUE + end] = near
                    end += 1


@helper
def lands_near(r: RulesRow, zone: int, out: Numbers) -> int:
    """Return the regions of empty zones that the zone borders, as bits. The highest possible number is 36."""
    lands = 0
    for k in range(r.n_near[zone]):
        lands |= 1 << out[LANDS + r.near[zone, k]]
    return lands & ~1


@helper
def list_runs(s: StateRow, r: RulesRow, player: int, begin: int, out: Numbers, n: int) -> int:
    """List a Scout's moves and runs (CQ-15)."""
    lands = lands_near(r, begin, out)
    low, high = player * g.ARMY, (player + 1) * g.ARMY
    for zone in range(r.zones):
        slot = s.at[zone]
        if slot == g.NONE:
            reached = (lands >> out[LANDS + zone]) & 1 != 0
        elif low <= slot < high:
            reached = False
        else:
            reached = is_near(r, begin, zone) or (
                r.scout_attacks_after_run != 0 and lands != 0 and lands_near(r, zone, out) & lands != 0
            )
        if reached:
            out[n] = g.ACT_MOVE + begin * g.ZONES + zone
            n += 1
    return n


@helper
def walk(s: StateRow, r: RulesRow, slot: int, zone: int) -> None:
    """Move a unit to an empty zone. CQ-15: a run shows that the unit is a Scout; any move shows that it is no Flag or
    Cursed Land.
    """
    begin = s.zone[slot]
    if is_near(r, begin, zone):
        rule_out(s, r, slot, g.IMMOBILE)
        note(s, g.LOG_MOVED, owner_of(slot), begin, zone, 0, 0)
    else:
        show_to_all(s, r, slot)
        note(s, g.LOG_RAN, owner_of(slot), begin, zone, 0, 0)
    relocate(s, slot, zone)


@helper
def result_of(attacker: int, defender: int) -> int:
    """Return the result of a combat, from the view of the attacker (CQ-17 to CQ-19)."""
    if defender == g.CURSED_LAND:
        return g.WON if attacker == g.SORCERESS else g.LOST
    if attacker == g.SPY_MASTER and defender == g.KING:
        return g.WON
    if attacker == defender:
        return g.BOTH
    return g.WON if attacker > defender else g.LOST


@helper
def note_combat(s: StateRow, slot: int, enemy: int, result: int) -> None:
    kinds = s.kind[slot] * 16 + s.kind[enemy]
    note(s, g.LOG_BATTLE, owner_of(slot), kinds, owner_of(enemy), s.zone[enemy], result)


@helper
def fight(s: StateRow, slot: int, enemy: int) -> None:
    """CQ-17: carry out combat between two units that all have seen. Neither is a Flag."""
    zone, result = s.zone[enemy], result_of(s.kind[slot], s.kind[enemy])
    note_combat(s, slot, enemy, result)
    if result != g.LOST:
        fall(s, enemy)
    if result != g.WON:
        fall(s, slot)
    else:
        relocate(s, slot, zone)
