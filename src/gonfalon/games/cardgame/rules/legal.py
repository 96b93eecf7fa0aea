"""The legal actions, the possible draws of chance with their weights, and the player who acts next."""

from gonfalon.engine.compiled.jit import Numbers, RulesRow, StateRow, helper
from gonfalon.engine.game import CHANCE
from gonfalon.games.cardgame import state as g
from gonfalon.games.cardgame.rules.battle import list_looks
from gonfalon.games.cardgame.rules.cards import line_place
from gonfalon.games.cardgame.rules.laying import is_laid, legal_lays


@helper
def legal_actions(s: StateRow, _r: RulesRow, player: int, out: Numbers) -> int:
    """Write the legal actions of the player, or the possible draws of CHANCE, ascending. Return their number."""
    if s.phase == g.LAY:
        return legal_lays(s, player, out, 0) if player >= 0 else 0
    if s.phase == g.DRAW:
        return legal_draws(s, out) if player == CHANCE else 0
    if s.phase == g.ACT and player == s.mover:
        return legal_acts(s, player, out)
    return 0


@helper
def chance_weight(s: StateRow, _r: RulesRow, action: int) -> int:
    """Return the relative weight of a draw of chance: all cards of the pile are equally likely."""
    return s.pile[s.mover, action - g.ACT_DRAW]


@helper
def next_actor(s: StateRow, _r: RulesRow) -> int:
    """Return the player who acts next; while both lay, red until red is ready."""
    if s.phase == g.DRAW:
        return CHANCE
    if s.phase == g.LAY and not s.started:
        return 1 if is_laid(s, 0) else 0
    return s.mover


@helper
def legal_draws(s: StateRow, out: Numbers) -> int:
    n = 0
    for kind in range(1, g.TYPES):
        if s.pile[s.mover, kind]:
            out[n] = g.ACT_DRAW + kind
            n += 1
    return n


@helper
def legal_acts(s: StateRow, side: int, out: Numbers) -> int:
    """List the possible acts of the cards in the line (CG-6 to CG-10)."""
    n, first = 0, line_place(side, 0)
    for k in range(g.LINE):
        if may_attack(s.kind[first + k]):
            for enemy in range(g.LINE):
                if s.kind[line_place(1 - side, enemy)]:
                    out[n] = g.ACT_ATTACK + k * g.LINE + enemy
                    n += 1
    for k in range(g.LINE):
        if s.kind[first + k] == g.SPY:
            out[n] = g.ACT_LOOK_HAND + k
            n += 1
    for k in range(g.LINE):
        if s.kind[first + k] == g.SCOUT:
            n = list_looks(s, 1 - side, g.ACT_LOOK_LINE + k * g.LOOKS, out, n)
    for k in range(g.LINE):
        if s.kind[first + k] == g.FLAG:
            out[n] = g.ACT_TRICK
            n += 1
    return n


@helper
def may_attack(kind: int) -> bool:
    """CG-8: return whether a card of the type may attack. Bombs and the Flag never do."""
    return 0 < kind < g.BOMB
