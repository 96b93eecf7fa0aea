"""A view as a short list of whole numbers, so that a screen reads it in one call instead of field by field."""

from gonfalon.engine.jit import Row, helper
from gonfalon.games.grid.rules.moves import move_end
from gonfalon.games.grid.state import (
    ACT_DEPLOY,
    ANY_SIDE,
    DEPLOY,
    NO_FIGHT,
    NONE,
    OVER,
    RING,
    SQUARES,
    TURN,
    TYPES,
)

OBSERVER, PHASE, ACTOR, READY_RED, READY_BLUE, CHOSEN, TURNS, HIGHEST, FROM, TO, FIGHTER = range(11)
"""Places of single numbers. FROM, TO: the last move (NONE: no move); HIGHEST: the highest legal id, -1 if none is."""
TARGETS = 11
"""Four squares, NONE where there is no target."""
LOST = 15
"""Pieces off the board: 13 counts of red, 13 of blue."""
TOKENS = LOST + 2 * TYPES
"""From here on one key for each piece on the board, by square; see `token_key`."""
NO_TOKEN = -1
SIZE = TOKENS + SQUARES
OLD = 2 * TOKENS
"""In `list_changes`, after the summaries of two views up to TOKENS: how many of the keys that follow are old ones."""
CHANGES = OLD + 1 + 2 * SQUARES


@helper
def summarise(v: Row, own: int, show_known: bool, out: Row) -> int:
    """Fills `out` (int32, SIZE) and returns its used length.

    `own`: side bits whose types are always shown. Without `show_known` marks and seen types of others are left out.
    """
    summarise_head(v, out)
    n = TOKENS
    for square in range(SQUARES):
        key = key_at(v, square, own, show_known)
        if key != NO_TOKEN:
            out[n] = key
            n += 1
    return n


@helper
def summarise_head(v: Row, out: Row) -> None:
    """What `summarise` writes before TOKENS."""
    out[OBSERVER] = v.observer
    out[PHASE] = v.phase
    out[ACTOR] = v.actor
    out[TURNS] = v.turn
    out[CHOSEN] = v.chosen
    out[READY_RED] = v.ready[0]
    out[READY_BLUE] = v.ready[1]
    out[HIGHEST] = v.legal[v.n_legal - 1] if v.n_legal > 0 else -1
    summarise_last(v, out)
    for side in range(2):
        for kind in range(TYPES):
            out[LOST + side * TYPES + kind] = v.lost[side, kind]


@helper
def summarise_last(v: Row, out: Row) -> None:
    """The last move, this turn's if it has been made; in an unfinished fight who fights whom."""
    unfinished = v.phase != TURN and v.phase != OVER and v.phase != DEPLOY
    turn = int(v.turn) if unfinished else int(v.turn) - 1
    known = turn >= 0 and v.phase != DEPLOY
    out[FROM] = v.ring_from[turn % RING] if known else NONE
    out[TO] = v.ring_to[turn % RING] if known else NONE
    out[FIGHTER] = v.where[v.fighter] if v.fight != NO_FIGHT else NONE
    for k in range(4):
        number = v.targets[k]
        out[TARGETS + k] = v.where[number] if v.fight != NO_FIGHT and number != NONE else NONE


@helper
def key_at(v: Row, square: int, own: int, show_known: bool) -> int:
    """`token_key` of the piece on a square, NO_TOKEN where none is."""
    piece = v.board[square]
    if not piece & ANY_SIDE:
        return NO_TOKEN
    shown = show_known or piece & own != 0
    return token_key(square, piece, v.number[square], v.marks[square] if show_known else 0, shown)


@helper
def token_key(square: int, piece: int, number: int, marks: int, shown: bool) -> int:
    """Everything a token shows, packed: square * 2^19 + piece * 2^12 + number * 2^4 + marks * 2 + shown."""
    return (square << 19) + (piece << 12) + (number << 4) + (marks << 1) + (1 if shown else 0)


@helper
def list_changes(before: Row, after: Row, own: int, show_known: bool, out: Row) -> int:
    """Fills `out` (int32, CHANGES) with the heads of both summaries, OLD, and the keys of the squares where the views
    differ: first the old ones, then the new ones. Returns the used length.
    """
    summarise_head(before, out)
    summarise_head(after, out[TOKENS:])
    n = OLD + 1
    for square in range(SQUARES):
        key = key_at(before, square, own, show_known)
        if key != NO_TOKEN and key != key_at(after, square, own, show_known):
            out[n] = key
            n += 1
    out[OLD] = n - OLD - 1
    for square in range(SQUARES):
        key = key_at(after, square, own, show_known)
        if key != NO_TOKEN and key != key_at(before, square, own, show_known):
            out[n] = key
            n += 1
    return n


@helper
def list_choices(v: Row, enemy: int, out: Row) -> int:
    """The legal actions as `action * 2`, plus 1 for a move onto an enemy; returns how many."""
    for k in range(int(v.n_legal)):
        action = int(v.legal[k])
        attacks = action < ACT_DEPLOY and v.board[move_end(action)] & enemy != 0
        out[k] = action * 2 + (1 if attacks else 0)
    return v.n_legal
