"""What may be done, what chance may draw and how likely, and who acts next."""

from gonfalon.engine.jit import Row, helper, shared
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
from gonfalon.games.conquest.state import (
    ACT_DRAW,
    ACT_START,
    ACT_UNIT,
    AIM,
    CARD,
    DEPLOY,
    DRAFT,
    DRAW,
    GUESS,
    MOVE,
    ORDER,
    RAISE,
    STARTING,
    TYPES,
    UNIT,
)

CHANCE = -1
"""As `engine.game.CHANCE`: kernels take it for a player."""


@shared
def legal_actions(s: Row, r: Row, player: int, out: Row) -> int:
    """Writes the player's legal actions, or those of CHANCE, ascending, and returns how many there are."""
    if player == CHANCE:
        return legal_draws(s, r, out)
    if s.phase == DEPLOY:
        return legal_places(s, r, player, out)
    if player != s.mover:
        return 0
    if s.phase == MOVE:
        return legal_moves(s, r, player, out)
    if s.phase == CARD:
        return legal_cards(s, r, player, out)
    if s.phase == DRAFT:
        return legal_picks(s, r, out)
    if s.phase == AIM:
        return legal_names(s, r, player, out)
    if s.phase == ORDER:
        return legal_orders(s, out)
    if s.phase == GUESS:
        return legal_guesses(r, out)
    return legal_empty(s, r, out) if s.phase == RAISE else 0


@helper
def chance_weight(s: Row, r: Row, action: int) -> int:
    """How likely a draw of chance is, beside the others: 0 if it cannot be."""
    if s.phase == STARTING and ACT_START <= action < ACT_DRAW:
        return r.army[action - ACT_START]
    if s.phase == DRAW and ACT_DRAW <= action < ACT_UNIT:
        return draw_weight(s, action - ACT_DRAW)
    if s.phase == UNIT and ACT_UNIT < action < ACT_UNIT + TYPES:
        return reserve_weight(s, action - ACT_UNIT)
    return 0


@helper
def legal_draws(s: Row, r: Row, out: Row) -> int:
    n = 0
    if is_chance(s):
        for action in range(ACT_START, ACT_UNIT + TYPES):
            if chance_weight(s, r, action) > 0:
                out[n] = action
                n += 1
    return n


@helper
def is_chance(s: Row) -> bool:
    return s.phase == STARTING or s.phase == DRAW or s.phase == UNIT


@helper
def next_actor(s: Row, r: Row) -> int:
    """Who acts next; of several who deploy, the first who is not ready."""
    if is_chance(s):
        return CHANCE
    return next_to_deploy(s, r) if s.phase == DEPLOY else s.mover
