"""Estimate of a full state for a player. A heuristic for agents, not a rule."""

from gonfalon.engine.compiled.jit import RulesRow, StateRow, helper
from gonfalon.games.cardgame import state as g
from gonfalon.games.cardgame.rules.cards import count_gaps, line_place
from gonfalon.games.cardgame.rules.legal import may_attack

WORTH = (0, 22, 12, 16, 14, 17, 22, 30, 38, 48, 60, 26, 0)
"""Worth of a card in the game, by type."""
SHARE = 0.03
"""Share of its worth that a card loses when the other side knows it."""
LAST_ATTACKER, NO_ATTACKER = 25, 120
FLAG_IN_LINE, FLAG_SEEN = 30, 90
SCALE = 150
"""Lead in points that counts as half a win."""


@helper
def estimate(s: StateRow, _r: RulesRow, player: int) -> float:
    """Return the estimate for `player`, from -1 (lost) to 1 (won)."""
    if s.phase == g.OVER:
        if s.winner == g.NONE:
            return 0.0
        return 1.0 if s.winner == player else -1.0
    lead = strength(s, player) - strength(s, 1 - player)
    return lead / (SCALE + abs(lead))


@helper
def strength(s: StateRow, side: int) -> float:
    """Return the side's strength: its cards in the game, the other side's knowledge of them, the attackers in its line,
    and the danger for its Flag.
    """
    total, attackers = 0.0, 0
    for kind in range(1, g.TYPES):
        total += WORTH[kind] * s.pile[side, kind]
    for place in range(side * g.SIDE_PLACES, (side + 1) * g.SIDE_PLACES):
        kind = s.kind[place]
        total += WORTH[kind] * (1.0 - SHARE if s.known[1 - side, place] else 1.0)
    for k in range(g.LINE):
        kind = s.kind[line_place(side, k)]
        if may_attack(kind):
            attackers += 1
        elif kind == g.FLAG:
            total -= FLAG_SEEN if s.known[1 - side, line_place(side, k)] else FLAG_IN_LINE
    if attackers < 2 and (s.n_hand[side] == 0 or count_gaps(s, side) == 0):
        total -= LAST_ATTACKER if attackers else NO_ATTACKER
    return total
