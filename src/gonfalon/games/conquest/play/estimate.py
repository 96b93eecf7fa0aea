"""Estimate of a full state for a player. A heuristic for agents, not a rule."""

from gonfalon.engine.compiled.jit import RulesRow, StateRow, helper
from gonfalon.games.conquest import state as g
from gonfalon.games.conquest.rules.flags import has_flag
from gonfalon.games.conquest.rules.units import find_on_board, may_move, owner_of

WORTH = (0, 10, 9, 9, 8, 10, 12, 15, 19, 24, 30, 12, 0)
"""Worth of a unit on the board, by type."""
IN_RESERVE = 0.25
"""Share of its worth that a unit keeps in the reserve. A card may bring the unit back."""
SHOWN = 0.04
"""Share of its worth that a unit loses when all know it."""
LAND, CITY = 2.5, 4.0
"""Worth of a controlled territory, which gives cards, and of a city, which gives moves."""
FLAG_WORTH, HELD_WORTH = 60, 40
CLOSE = 30
"""Worth of a unit beside an enemy's Flag. It decreases with the distance."""
SCALE = 120
"""Lead in points that counts as half a win."""


@helper
def estimate(s: StateRow, r: RulesRow, player: int) -> float:
    """Return the estimate for `player`, from -1 (lost) to 1 (won). A draw is 0 for those who share it and -1 for
    players without a Flag.
    """
    if s.phase == g.OVER:
        if s.winner == g.NONE:
            return 0.0 if has_flag(s, player) else -1.0
        return 1.0 if s.winner == player else -1.0
    others, best = 0.0, 0.0
    for other in range(r.players):
        if other != player:
            value = strength(s, r, other)
            others += value
            best = max(best, value)
    mean = (others / (r.players - 1) + best) / 2
    lead = strength(s, r, player) - mean
    return lead / (SCALE + abs(lead))


@helper
def strength(s: StateRow, r: RulesRow, player: int) -> float:
    """Return a player's strength: units, territories, Flags, the distance of units from an enemy's Flag, and of enemies
    from the player's Flag.
    """
    if s.out[player] != g.IN:
        return 0.0
    total = 0.0
    for slot in range(player * g.ARMY, (player + 1) * g.ARMY):
        if s.zone[slot] < g.RESERVE:
            total += WORTH[s.kind[slot]] * (1.0 - SHOWN * s.known[g.THE_PUBLIC, slot])
        elif s.zone[slot] == g.RESERVE:
            total += WORTH[s.kind[slot]] * IN_RESERVE
    for t in range(r.territories):
        if s.control[t] == player:
            total += LAND + CITY * r.city[t]
    for other in range(r.players):
        if other == player:
            total += (FLAG_WORTH - danger(s, r, player, True)) if has_flag(s, player) else 0
        elif s.holder[other] == player:
            total += HELD_WORTH
        elif s.holder[other] == other:
            total += danger(s, r, other, False) if owner_near(s, r, other) == player else 0
    return total


@helper
def flag_zone(s: StateRow, player: int) -> int:
    slot = find_on_board(s, player, g.FLAG)
    return g.NONE if slot == g.NONE else s.zone[slot]


@helper
def nearest(s: StateRow, r: RulesRow, player: int) -> int:
    """Return the slot of the movable enemy unit that is nearest to the player's Flag, or NONE."""
    zone, found, best = flag_zone(s, player), g.NONE, g.NONE
    if zone == g.NONE:
        return g.NONE
    for slot in range(r.players * g.ARMY):
        if owner_of(slot) != player and s.zone[slot] < g.RESERVE and may_move(s.kind[slot]):
            away = r.away[zone, s.zone[slot]]
            if away < best:
                best = away
                found = slot
    return found


@helper
def owner_near(s: StateRow, r: RulesRow, player: int) -> int:
    slot = nearest(s, r, player)
    return g.NONE if slot == g.NONE else owner_of(slot)


@helper
def danger(s: StateRow, r: RulesRow, player: int, own: bool) -> float:
    """Return the effect of the enemy unit nearest to the player's Flag: to add to its owner's strength, or (`own`) to
    subtract from the player's.
    """
    slot = nearest(s, r, player)
    if slot == g.NONE:
        return 0.0
    value = CLOSE / r.away[flag_zone(s, player), s.zone[slot]]
    return value / 2 if own else value
