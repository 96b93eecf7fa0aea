"""Worth of a full state for a player in the middle of a turn, if the turn ended now. A heuristic for the search, not a
rule.

Unlike `estimate`, which every agent may use, it considers the next mover, the number of moves, and the mover's
knowledge of a Flag within reach.

A player wins with a probability proportional to exp(points / SCALE). Matches of four players
(`tools/data/conquest_worth.py`) show that a player's own Flag decides. Capturing a Flag gains more, the more Flags its
owner holds. Held Flags are worth nothing by themselves: what counts is that their owners have lost them.
"""

import math

from gonfalon.engine.compiled.jit import Numbers, RulesRow, StateRow, helper
from gonfalon.games.conquest import state as g
from gonfalon.games.conquest.play.estimate import flag_zone
from gonfalon.games.conquest.rules.flags import has_flag
from gonfalon.games.conquest.rules.moves import result_of
from gonfalon.games.conquest.rules.turn_end import controller_of
from gonfalon.games.conquest.rules.units import may_move, owner_of

WORTH = (0.0, 9.0, 9.0, 9.0, 8.0, 9.0, 11.0, 14.0, 18.0, 23.0, 30.0, 9.0, 0.0)
"""Worth of a unit on the map, by type, in points. The Flag counts separately."""
IN_RESERVE = 0.05
"""Share of its worth that a unit keeps in the reserve. A card may bring the unit back."""
SHOWN = 0.12
"""Share of its worth that a unit loses when all know it."""
LAND, CITY = 2.5, 1.5
"""Worth of a territory, which gives half a card per turn, and of a city, which gives a move per turn."""
FLAG = 210.0
"""Worth of the player's own Flag on the map."""
DANGER, SPOILS, REACH = 135.0, 65.0, 15.0
"""DANGER: cost of a Flag that opponents can certainly take before its owner's turn. SPOILS: its increase per Flag that
the owner holds. REACH: gain for a player who can reach a Flag one turn later.
"""
BLITZ = 2
"""Moves that a Blitz would add. There is a Blitz in most turns."""
THROUGH = 0.5
"""Probability that an attacker with enough moves fights its way to a Flag, if no way is free."""
SURE = 150.0
"""Worth of a known Flag that the mover can reach with the remaining moves, so that plans continue towards it."""
LIKELY = 1.6
"""Factor by which an attacker finds a Flag among the possible units more often than by chance: attackers prefer the
best hidden units.
"""
HANGING, UNSEEN = 0.5, 0.14
"""Share of its worth that a unit risks beside a stronger enemy: one who knows the unit, and one who does not."""
SCALE = 75.0
"""Number of points by which one player must lead another to be e times as likely to win."""


@helper
def worth(s: StateRow, r: RulesRow, player: int, after: int, heeds: int, work: Numbers, lead: Numbers) -> float:
    """Return the expected result for `player`, from -1 to 1, if `after` moves next.

    `heeds`: 1 to count opponents' knowledge of the player's units. `work`: int32 (2 * ZONES,), `lead`: float64 (2 *
    PLAYERS,); both are scratch.
    """
    if s.phase == g.OVER:
        if s.winner == g.NONE:
            return 0.0 if has_flag(s, player) else -1.0
        return 1.0 if s.winner == player else -1.0
    if s.out[player] != g.IN:
        return -1.0
    count_points(s, r, after, player if heeds == 0 else g.NONE, work, lead)
    total = 0.0
    for other in range(r.players):
        if s.out[other] == g.IN:
            total += math.exp((lead[other] - lead[player]) / SCALE)
    return 2.0 / total - 1.0


@helper
def count_points(s: StateRow, r: RulesRow, after: int, careless: int, work: Numbers, lead: Numbers) -> None:
    """Write each player's points to `lead`, followed by each player's number of moves in the next turn. `careless`:
    player for whose Flag the opponents' knowledge is ignored, or NONE.
    """
    for player in range(g.PLAYERS):
        lead[player] = 0.0
        lead[g.PLAYERS + player] = 1.0
    count_units(s, r, lead)
    count_land(s, r, lead)
    for player in range(r.players):
        count_flags(s, r, player, after, careless, work, lead)


@helper
def count_units(s: StateRow, r: RulesRow, lead: Numbers) -> None:
    """Add the worth of each player's units to the leads."""
    for slot in range(r.players * g.ARMY):
        kind, owner = s.kind[slot], owner_of(slot)
        if s.zone[slot] < g.RESERVE:
            lead[owner] += WORTH[kind] * (1.0 - SHOWN * s.known[g.THE_PUBLIC, slot] - risk(s, r, slot))
        elif s.zone[slot] == g.RESERVE:
            lead[owner] += WORTH[kind] * IN_RESERVE


@helper
def risk(s: StateRow, r: RulesRow, slot: int) -> float:
    """Return the share of its worth that a unit risks from enemies beside it who can beat it."""
    kind, owner, found = s.kind[slot], owner_of(slot), 0.0
    for k in range(r.n_near[s.zone[slot]]):
        other = s.at[r.near[s.zone[slot], k]]
        if other == g.NONE or owner_of(other) == owner or not may_move(s.kind[other]):
            continue
        if kind != g.FLAG and result_of(s.kind[other], kind) == g.WON:
            found = max(found, HANGING if s.known[owner_of(other), slot] else UNSEEN)
    return found


@helper
def count_land(s: StateRow, r: RulesRow, lead: Numbers) -> None:
    """Add the worth of each player's territories to the leads. Add cities to the numbers of moves after the leads."""
    for t in range(r.territories):
        owner = controller_of(s, t)
        if owner != g.NONE:
            lead[owner] += LAND + CITY * r.city[t]
            lead[g.PLAYERS + owner] += r.city[t]


@helper
def count_flags(s: StateRow, r: RulesRow, owner: int, after: int, careless: int, work: Numbers, lead: Numbers) -> None:
    """Add the worth of the owner's Flag, its risk, and the gain of the players who can reach it."""
    if not has_flag(s, owner):
        return
    zone = flag_zone(s, owner)
    lead[owner] += FLAG
    if zone == g.NONE:
        return
    worst = 0.0
    for foe in range(r.players):
        if foe == owner or s.out[foe] != g.IN:
            continue
        moves, walk = lead[g.PLAYERS + foe], count_steps(s, r, foe, zone, work)
        chance = max(reaches(walk, moves), THROUGH * reaches(nearest_to(s, r, foe, zone) + 1, moves))
        knows = 0.15 if owner == careless else knowledge(s, foe, s.at[zone])
        if s.phase == g.MOVE and s.mover == foe and knows >= 1.0 and walk <= s.moves:
            lead[foe] += SURE
        first = (foe - after) % r.players < (owner - after) % r.players
        worst += chance * knows * (1.0 if first else 0.5)
        if not first:
            lead[foe] += REACH * chance * (0.3 + 0.7 * knows)
    lead[owner] -= (DANGER + SPOILS * count_held(s, r, owner)) * min(worst, 1.0)


@helper
def count_held(s: StateRow, r: RulesRow, player: int) -> int:
    """Count the Flags of other players that a player holds."""
    held = 0
    for other in range(r.players):
        if other != player and s.holder[other] == player:
            held += 1
    return held


@helper
def reaches(steps: int, moves: float) -> float:
    """Return the probability that a player gets this many steps far in a turn that has these moves before cards."""
    if steps <= moves:
        return 1.0
    if steps <= moves + BLITZ:
        return 0.7
    return 0.4 / (steps - moves - BLITZ + 1)


@helper
def knowledge(s: StateRow, foe: int, flag: int) -> float:
    """Return the probability that `foe` attacks the right unit to take the Flag in slot `flag`: 1 if `foe` knows the
    unit.
    """
    owner = owner_of(flag)
    low, group, members, hidden = owner * g.ARMY, s.group[foe, flag], 0, 0
    known = s.known[foe, flag]
    for slot in range(low, low + g.ARMY):
        if s.zone[slot] >= g.RESERVE:
            continue
        if s.group[foe, slot] == group:
            members += 1
        if not s.known[foe, slot] and (s.ruled_out[foe, slot] >> g.FLAG) & 1 == 0:
            hidden += 1
    if known:
        return 1.0 / max(members, 1)
    return min(LIKELY / max(hidden, 1), 1.0)


@helper
def nearest_to(s: StateRow, r: RulesRow, foe: int, zone: int) -> int:
    """Return the distance in steps of `foe`'s nearest movable unit from the zone, ignoring units between them."""
    best = 99
    for slot in range(foe * g.ARMY, (foe + 1) * g.ARMY):
        if s.zone[slot] < g.RESERVE and may_move(s.kind[slot]):
            best = min(best, r.away[zone, s.zone[slot]])
    return best


@helper
def count_steps(s: StateRow, r: RulesRow, foe: int, zone: int, work: Numbers) -> int:
    """Return the number of moves through empty zones that `foe` needs to attack the zone; 99 if `foe` must win a battle
    on the way.
    """
    low, high, best = foe * g.ARMY, (foe + 1) * g.ARMY, 99
    for other in range(r.zones):
        work[other] = 0
    work[zone] = 1
    work[g.ZONES] = zone
    done, end = 0, 1
    while done < end:
        here = work[g.ZONES + done]
        done += 1
        for k in range(r.n_near[here]):
            near = r.near[here, k]
            slot = s.at[near]
            if slot == g.NONE:
                if work[near] == 0:
                    work[near] = work[here] + 1
                    work[g.ZONES + end] = near
                    end += 1
            elif low <= slot < high and may_move(s.kind[slot]):
                best = min(best, 1 if s.kind[slot] == g.SCOUT else work[here])
    return best
