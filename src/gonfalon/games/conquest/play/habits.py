"""The rollout policy: plays a whole turn of a player. The search uses it for the opponents' replies.

The policy uses the player's own knowledge in the state: the player's units, and the notes on other units
(`engine/compiled/knowledge.py`). An unknown unit counts as the mean of its possible types.
"""

from gonfalon.engine.compiled.jit import Numbers, RulesRow, StateRow, helper
from gonfalon.engine.compiled.kernels import draw_below
from gonfalon.engine.game import CHANCE
from gonfalon.games.conquest import state as g
from gonfalon.games.conquest.play.worth import CITY, LAND, WORTH
from gonfalon.games.conquest.rules import act, chance_weight, legal_actions, next_actor
from gonfalon.games.conquest.rules.moves import result_of
from gonfalon.games.conquest.rules.turn_end import controller_of
from gonfalon.games.conquest.rules.units import owner_of

CAPTURE = 260.0
"""Worth of a Flag to its attacker, in the points of `worth`."""
STEP = 2.5
"""Worth of one step towards a unit that may be a Flag."""
KEEN = 6.0
"""Factor for a step towards a known Flag."""
NOISE = 3.0
"""Maximum difference of two moves that still count as equal."""
PATIENCE = 60
"""Maximum number of actions in a turn; then the turn is broken off."""
KNOWN = 2 * g.TYPES * g.PLAYERS
"""Index of the first entry for known slots in the tables."""
GOALS = KNOWN + g.UNITS
"""Index of the first entry for the steps to the nearest goal, by zone."""
TABLES = GOALS + g.ZONES
"""Length of the tables of `play_turn`."""


@helper
def draw_due(s: StateRow, r: RulesRow, ids: Numbers, counter: Numbers) -> None:
    """Make the draws that are due for chance. `counter`: uint64 (1,), the random stream."""
    while s.phase == g.DRAW or s.phase == g.UNIT:
        n, total = legal_actions(s, r, CHANCE, ids), 0
        for k in range(n):
            total += chance_weight(s, r, ids[k])
        point, k = draw_below(counter, total), 0
        point -= chance_weight(s, r, ids[0])
        while point >= 0:
            k += 1
            point -= chance_weight(s, r, ids[k])
        act(s, r, CHANCE, ids[k])


@helper
def knows(s: StateRow, player: int, slot: int) -> bool:
    """Return whether the player knows the unit's type: it is not in a group with other units."""
    if not s.known[player, slot]:
        return False
    for other in range(len(s.kind)):
        if other != slot and s.group[player, other] == s.group[player, slot]:
            return False
    return True


@helper
def expect(s: StateRow, r: RulesRow, player: int, table: Numbers) -> None:
    """Fill `table`, float64 (TABLES,), up to the goals. First come, for each other player, the numbers of unknown units
    by type, moved ones before unmoved ones. Then comes 1 for each known slot.
    """
    for k in range(GOALS):
        table[k] = 0.0
    for slot in range(r.players * g.ARMY):
        owner = owner_of(slot)
        if owner == player or s.zone[slot] >= g.RESERVE:
            continue
        if knows(s, player, slot):
            table[KNOWN + slot] = 1.0
        else:
            moved = (s.ruled_out[player, slot] >> g.FLAG) & 1
            table[(2 * owner + 1 - moved) * g.TYPES + s.kind[slot]] += 1.0


@helper
def gain_of(kind: int, other: int) -> float:
    """Return the value of an attack on a unit of type `other`."""
    if other == g.FLAG:
        return CAPTURE
    result = result_of(kind, other)
    gain = WORTH[other] if result != g.LOST else 0.0
    return gain - (WORTH[kind] if result != g.WON else 0.12 * WORTH[kind])


@helper
def attack_gain(s: StateRow, player: int, kind: int, slot: int, table: Numbers) -> float:
    """Return the expected value of an attack on the unit in `slot`, with the player's knowledge."""
    if table[KNOWN + slot] > 0.0:
        return gain_of(kind, s.kind[slot])
    moved = (s.ruled_out[player, slot] >> g.FLAG) & 1
    base = (2 * owner_of(slot) + 1 - moved) * g.TYPES
    total = count = 0.0
    for other in range(1, g.TYPES):
        if table[base + other] > 0.0:
            count += table[base + other]
            total += table[base + other] * gain_of(kind, other)
    return total / count if count > 0.0 else 0.0


@helper
def find_goals(s: StateRow, r: RulesRow, player: int, table: Numbers) -> None:
    """Fill the goals: the distance from each zone to the nearest unit that may be another player's Flag. If a Flag is
    known, only known Flags are goals.
    """
    for zone in range(r.zones):
        table[GOALS + zone] = 99.0
    for unknown in range(2):
        found = False
        for slot in range(r.players * g.ARMY):
            if (
                owner_of(slot) == player
                or s.zone[slot] >= g.RESERVE
                or not is_goal(s, player, slot, 1 - unknown, table)
            ):
                continue
            found = True
            for zone in range(r.zones):
                away = r.away[s.zone[slot], zone] * (1.0 if unknown else KEEN)
                table[GOALS + zone] = min(table[GOALS + zone], away)
        if found:
            return


@helper
def is_goal(s: StateRow, player: int, slot: int, known: int, table: Numbers) -> bool:
    """Return whether the unit is a Flag that the player knows (`known` 1), or an unknown unit that may be a Flag
    (0).
    """
    if table[KNOWN + slot] > 0.0:
        return known == 1 and s.kind[slot] == g.FLAG
    return known == 0 and (s.ruled_out[player, slot] >> g.FLAG) & 1 == 0


@helper
def walk_gain(s: StateRow, r: RulesRow, player: int, begin: int, finish: int, table: Numbers) -> float:
    """Return the expected value of a move to an empty zone: the way towards a Flag, and territories gained or left."""
    gain = STEP * (table[GOALS + begin] - table[GOALS + finish])
    if s.kind[s.at[begin]] == g.SCOUT:
        gain = 0.3 * gain - 1.0
    come, gone = finish // g.IN_TERRITORY, begin // g.IN_TERRITORY
    if come != gone:
        if controller_of(s, come) == g.NONE:
            gain += stands_alone(s, player, come, finish) * (LAND + CITY * r.city[come])
        gain -= stands_alone(s, player, gone, begin) * (LAND + CITY * r.city[gone])
    return gain


@helper
def stands_alone(s: StateRow, player: int, t: int, zone: int) -> float:
    """Return 1 if the territory is empty outside `zone`; 0.5 if only opponents stand there; 0 if own units do."""
    found = 1.0
    for other in range(t * g.IN_TERRITORY, (t + 1) * g.IN_TERRITORY):
        if other != zone and s.at[other] != g.NONE:
            found = min(found, 0.0 if owner_of(s.at[other]) == player else 0.5)
    return found


@helper
def choose_move(s: StateRow, r: RulesRow, player: int, ids: Numbers, n: int, tables: Numbers, counter: Numbers) -> int:
    """Return the move that the policy chooses among the n legal ones. `tables`: as filled by `expect` and
    `find_goals`.
    """
    best, found = -1e9, ids[0]
    for k in range(n):
        gain = NOISE * draw_below(counter, 1000) / 1000.0
        if ids[k] != g.ACT_STOP:
            begin, finish = (ids[k] - g.ACT_MOVE) // g.ZONES, (ids[k] - g.ACT_MOVE) % g.ZONES
            other = s.at[finish]
            if other == g.NONE:
                gain += walk_gain(s, r, player, begin, finish, tables)
            else:
                gain += attack_gain(s, player, s.kind[s.at[begin]], other, tables)
        if gain > best:
            best = gain
            found = ids[k]
    return found


@helper
def choose_card(ids: Numbers, n: int) -> int:
    """Return the action for a Blitz if it is legal, else for no card."""
    for k in range(n):
        if ids[k] == g.ACT_CARD + g.BLITZ:
            return ids[k]
    return g.ACT_NO_CARD


@helper
def play_turn(s: StateRow, r: RulesRow, ids: Numbers, tables: Numbers, counter: Numbers) -> None:
    """Play the turn of the player to act to its end. `tables`: float64 (TABLES,), scratch."""
    turn, done = s.turn, 0
    player = s.mover
    while s.phase != g.OVER and s.turn == turn and done < PATIENCE:
        draw_due(s, r, ids, counter)
        player = next_actor(s, r)
        n = legal_actions(s, r, player, ids)
        if s.phase == g.MOVE:
            expect(s, r, player, tables)
            find_goals(s, r, player, tables)
            action = choose_move(s, r, player, ids, n, tables, counter)
        elif s.phase == g.CARD:
            action = choose_card(ids, n)
        else:
            action = ids[draw_below(counter, n)]
        act(s, r, player, action)
        done += 1
