"""Features of a state for each side, and the expected result."""

from gonfalon.engine.compiled.jit import Numbers, RulesRow, StateRow, helper
from gonfalon.games.cardgame import state as g
from gonfalon.games.cardgame.play import weights as w
from gonfalon.games.cardgame.rules.battle import result_of
from gonfalon.games.cardgame.rules.cards import line_place
from gonfalon.games.cardgame.rules.legal import may_attack

LOSS = (0.0, 0.5, 0.15, 0.35, 0.25, 0.35, 0.45, 0.6, 0.75, 0.9, 1.0, 0.4, 3.0)
"""Rough cost of losing a card, by type. Only used to find the worst threat."""


@helper
def fill_features(s: StateRow, side: int, out: Numbers, first: int) -> None:
    """Write the side's features to `out[first:]`, float64."""
    for k in range(w.FEATURES):
        out[first + k] = 0.0
    for kind in range(1, g.FLAG):
        out[first + kind] += s.pile[side, kind]
    for place in range(side * g.SIDE_PLACES, (side + 1) * g.SIDE_PLACES):
        if 0 < s.kind[place] < g.FLAG:
            out[first + s.kind[place]] += 1
    count_line(s, side, out, first)
    compare(s, side, out, first)
    reserve = s.n_hand[side] + s.n_pile[side]
    out[first + w.RESERVE] = 1.0 if reserve <= 1 else 0.0
    out[first + w.ON_MOVE] = 1.0 if s.mover == side else 0.0


@helper
def count_line(s: StateRow, side: int, out: Numbers, first: int) -> None:
    attackers = 0
    for k in range(g.LINE):
        place = line_place(side, k)
        kind = s.kind[place]
        if kind == 0:
            out[first + w.GAP] += 1
            continue
        out[first + w.LINE_CARDS] += 1
        if may_attack(kind):
            attackers += 1
        if s.known[1 - side, place]:
            out[first + w.KNOWN + kind] += 1
        elif kind == g.FLAG:
            out[first + w.FLAG_LAID] += 1
        elif may_attack(kind):
            out[first + w.FRESH] += 1
    if attackers == 0:
        out[first + w.NO_ATTACKER] = 1.0
    elif attackers == 1:
        out[first + w.LONE] = 1.0


@helper
def compare(s: StateRow, side: int, out: Numbers, first: int) -> None:
    """Fill in the features that compare the side's cards with the enemy's."""
    enemy = 1 - side
    out[first + (w.HANGS_LATER if s.mover == side else w.HANGS)] = worst_threat(s, side)
    if is_in_game(s, enemy, g.MARSHAL) and is_in_game(s, side, g.SPY):
        out[first + w.SPY_ALIVE] = 1.0
        for k in range(g.LINE):
            if s.kind[line_place(side, k)] == g.SPY:
                out[first + w.SPY_READY] = 1.0
    if top_of(s, side) > top_of(s, enemy):
        out[first + w.TOP] = 1.0
    if not is_in_game(s, side, g.MINER):
        out[first + w.CLOSED] = count_of(s, enemy, g.BOMB)


@helper
def worst_threat(s: StateRow, side: int) -> float:
    """Return the cost of the worst loss of a known card of the side to the enemy line."""
    worst = 0.0
    for k in range(g.LINE):
        mine = s.kind[line_place(side, k)]
        if not mine or not s.known[1 - side, line_place(side, k)]:
            continue
        for j in range(g.LINE):
            theirs = s.kind[line_place(1 - side, j)]
            if may_attack(theirs) and LOSS[mine] > worst and result_of(theirs, mine) == g.WON:
                worst = LOSS[mine]
    return worst


@helper
def count_of(s: StateRow, side: int, kind: int) -> int:
    """Return the number of the side's cards of a type that are still in the game."""
    count = s.pile[side, kind]
    for place in range(side * g.SIDE_PLACES, (side + 1) * g.SIDE_PLACES):
        if s.kind[place] == kind:
            count += 1
    return count


@helper
def is_in_game(s: StateRow, side: int, kind: int) -> bool:
    return count_of(s, side, kind) > 0


@helper
def top_of(s: StateRow, side: int) -> int:
    """Return the side's highest rank that is still in the game."""
    for kind in range(g.MARSHAL, 0, -1):
        if is_in_game(s, side, kind):
            return kind
    return 0


@helper
def stage_of(s: StateRow, r: RulesRow) -> float:
    """Return the stage of the match: 0 at the beginning, 1 when all cards are lost."""
    lost, cards = 0, 0
    for side in range(2):
        for kind in range(g.TYPES):
            lost += s.lost[side, kind]
            cards += r.deck[kind]
    return lost / cards


@helper
def expect(s: StateRow, r: RulesRow, player: int, p: Numbers, box: Numbers) -> float:
    """Return the expected result for `player`, -1 to 1, of a state with everything known. `p`: see `weights.py`; `box`:
    float64 (2 * FEATURES,), scratch.
    """
    if s.phase == g.OVER:
        if s.winner == g.NONE:
            return 0.0
        return 1.0 if s.winner == player else -1.0
    fill_features(s, player, box, 0)
    fill_features(s, 1 - player, box, w.FEATURES)
    stage, lead = stage_of(s, r), 0.0
    for k in range(w.FEATURES):
        lead += (p[w.VALUE + k] + stage * p[w.VALUE + w.FEATURES + k]) * (box[k] - box[w.FEATURES + k])
    return squash(lead)


@helper
def squash(lead: float) -> float:
    """Return tanh(lead / 2), which turns the logarithm of the odds into a result."""
    if lead > 30.0:
        return 1.0
    if lead < -30.0:
        return -1.0
    odds = 2.718281828459045**lead
    return (odds - 1.0) / (odds + 1.0)
