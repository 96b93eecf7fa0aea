"""The legal actions, the possible draws of chance with their weights, and the player who acts next."""

from gonfalon.engine.compiled.jit import Numbers, RulesRow, StateRow, helper
from gonfalon.engine.game import CHANCE
from gonfalon.games.conquest import state as g
from gonfalon.games.conquest.rules.cards import (
    draw_weight,
    legal_cards,
    legal_empty,
    legal_guesses,
    legal_names,
    legal_orders,
    reserve_weight,
)
from gonfalon.games.conquest.rules.moves import legal_moves
from gonfalon.games.conquest.rules.start import legal_picks, legal_places, next_to_deploy


@helper
def legal_actions(s: StateRow, r: RulesRow, player: int, out: Numbers) -> int:
    """Write the legal actions of the player, or the possible draws of CHANCE, ascending. Return their number."""
    if player == CHANCE:
        return legal_draws(s, r, out)
    if s.phase == g.DEPLOY:
        return legal_places(s, r, player, out)
    if player != s.mover:
        return 0
    if s.phase == g.MOVE:
        return legal_moves(s, r, player, out)
    if s.phase == g.CARD:
        return legal_cards(s, r, player, out)
    if s.phase == g.DRAFT:
        return legal_picks(s, r, out)
    if s.phase == g.AIM:
        return legal_names(s, r, player, out)
    if s.phase == g.ORDER:
        return legal_orders(s, out)
    if s.phase == g.GUESS:
        return legal_guesses(r, out)
    return legal_empty(s, r, out) if s.phase == g.RAISE else 0


@helper
def chance_weight(s: StateRow, r: RulesRow, action: int) -> int:
    """Return the relative weight of a draw of chance; 0 if the draw is not possible."""
    if s.phase == g.STARTING and g.ACT_START <= action < g.ACT_DRAW:
        return r.army[action - g.ACT_START]
    if s.phase == g.DRAW and g.ACT_DRAW <= action < g.ACT_UNIT:
        return draw_weight(s, action - g.ACT_DRAW)
    if s.phase == g.UNIT and g.ACT_UNIT < action < g.ACT_UNIT + g.TYPES:
        return reserve_weight(s, action - g.ACT_UNIT)
    return 0


@helper
def legal_draws(s: StateRow, r: RulesRow, out: Numbers) -> int:
    n = 0
    if is_chance(s):
        for action in range(g.ACT_START, g.ACT_UNIT + g.TYPES):
            if chance_weight(s, r, action) > 0:
                out[n] = action
                n += 1
    return n


@helper
def is_chance(s: StateRow) -> bool:
    return s.phase == g.STARTING or s.phase == g.DRAW or s.phase == g.UNIT


@helper
def next_actor(s: StateRow, r: RulesRow) -> int:
    """Return the player who acts next; while several deploy, the first one who is not ready."""
    if is_chance(s):
        return CHANCE
    return next_to_deploy(s, r) if s.phase == g.DEPLOY else s.mover


@helper
def is_choice_open(s: StateRow) -> bool:
    """Return whether the mover is inside a choice that other players see only when it is complete."""
    if s.phase == g.AIM:
        return s.playing != g.REINFORCEMENTS and s.playing != g.SURPRISE
    return s.phase == g.ORDER or s.phase == g.GUESS
