"""A view as a short list of whole numbers, so that a screen reads it in one call instead of field by field."""

from collections.abc import Iterator
from typing import NamedTuple

from gonfalon.engine.compiled.jit import Numbers, Records, ViewRow, entry, helper
from gonfalon.games.grid import state as g
from gonfalon.games.grid.rules.moves import move_end

WHO, LAST, TURNS, HIGHEST, QUIET = range(5)
"""Places of `pack_who` and `pack_last`, of the completed turns, of the highest legal id (-1 if none), and of the turns
without an attack.
"""
HEAD = 5
LOST = HEAD
"""Pieces off the board: 13 counts of red, 13 of blue."""
KINDS = 2 * g.TYPES
TOKENS = LOST + KINDS
"""From here on one key for each piece on the board, by square; see `pack_token`."""
NO_TOKEN = -1
SIZE = TOKENS + g.SQUARES
NEW, LOST_DIFFER, OLD_TOKENS, KEYS = HEAD, 2 * HEAD, 2 * HEAD + 1, 2 * HEAD + 2
"""Places in `list_changes`: the old head is followed by the new one, the number of counts of lost pieces at the end (0
if they are the same), the number of old keys, and the first key.
"""
CHANGES = KEYS + 2 * g.SQUARES + KINDS
BYTE = 0xFF


@helper
def summarise(v: ViewRow, own: int, show_known: bool, out: Numbers) -> int:
    """Fills `out` (int64, SIZE) and returns its used length.

    `own`: side bits whose types are always shown. Without `show_known` marks and seen types of others are left out.
    """
    summarise_head(v, out)
    summarise_lost(v, out[LOST:])
    n = TOKENS
    for square in range(g.SQUARES):
        key = key_at(v, square, own, show_known)
        if key != NO_TOKEN:
            out[n] = key
            n += 1
    return n


@helper
def summarise_head(v: ViewRow, out: Numbers) -> None:
    out[WHO] = pack_who(v)
    out[LAST] = pack_last(v)
    out[TURNS] = v.turn
    out[HIGHEST] = v.legal[v.n_legal - 1] if v.n_legal > 0 else -1
    out[QUIET] = v.quiet


@helper
def summarise_lost(v: ViewRow, out: Numbers) -> None:
    for side in range(2):
        for kind in range(g.TYPES):
            out[side * g.TYPES + kind] = v.lost[side, kind]


# ---- packed numbers: each is written and read here, and nowhere else ----------------------------------------------

PHASE_AT, ACTOR_AT, CHOSEN_AT, READY_AT, OBSERVER_AT = 0, 8, 16, 24, 32
"""First bits of the fields of `pack_who`, eight bits each."""
EYES = 3
"""Added to an observer, so that no value is negative."""


class Who(NamedTuple):
    """Fill in the viewer and the fields about whose turn it is."""

    phase: int
    actor: int
    chosen: int
    """Type picked to return, else 0."""
    ready: tuple[bool, bool]
    observer: int


@helper
def pack_who(v: ViewRow) -> int:
    """`Who` as one number."""
    ready = int(v.ready[0]) + 2 * int(v.ready[1])
    key = (int(v.phase) << PHASE_AT) + (int(v.actor) << ACTOR_AT) + (int(v.chosen) << CHOSEN_AT)
    return key + (ready << READY_AT) + ((int(v.observer) + EYES) << OBSERVER_AT)


def read_who(key: int) -> Who:
    phase, actor, chosen, ready, observer = (key >> at & BYTE for at in range(PHASE_AT, OBSERVER_AT + 8, 8))
    return Who(phase, actor, chosen, (bool(ready & 1), bool(ready & 2)), observer - EYES)


@helper
def pack_last(v: ViewRow) -> int:
    """The last move (this turn's if it has been made, the one before if a side was passed over since), and the fighters
    of an unfinished fight: a byte each for the squares from, to, fighter and four targets, NONE for none.
    """
    unfinished = v.phase != g.TURN and v.phase != g.OVER and v.phase != g.DEPLOY
    turn = int(v.turn) if unfinished else int(v.turn) - 1
    if turn >= 0 and v.ring_kind[turn % g.RING] & g.PASSED:
        turn -= 1
    known = turn >= 0 and v.phase != g.DEPLOY
    key = int(v.ring_from[turn % g.RING]) if known else g.NONE
    key += (int(v.ring_to[turn % g.RING]) if known else g.NONE) << 8
    key += (int(v.where[v.fighter]) if v.fight != g.NO_FIGHT else g.NONE) << 16
    for k in range(4):
        number = v.targets[k]
        square = int(v.where[number]) if v.fight != g.NO_FIGHT and number != g.NONE else g.NONE
        key += square << (24 + 8 * k)
    return key


def read_last(key: int) -> Iterator[tuple[int, str]]:
    """Each square with its part in the last move or fight."""
    kinds = ("from", "to", "fighter", "target", "target", "target", "target")
    for k, kind in enumerate(kinds):
        square = key >> 8 * k & BYTE
        if square != g.NONE:
            yield square, kind


SHOWN_AT, MARKS_AT, NUMBER_AT, PIECE_AT, SQUARE_AT = 0, 1, 4, 12, 19
"""First bits of the fields of `pack_token`."""


class TokenKey(NamedTuple):
    """Everything that a token shows."""

    square: int
    piece: int
    """Piece code, with HIDDEN for a type that the viewer does not know."""
    number: int
    marks: int
    shown: bool
    """Whether a known type is shown."""


@helper
def key_at(v: ViewRow, square: int, own: int, show_known: bool) -> int:
    """`pack_token` of the piece on a square, NO_TOKEN for none."""
    piece = v.board[square]
    if not piece & g.ANY_SIDE:
        return NO_TOKEN
    shown = show_known or piece & own != 0
    return pack_token(square, piece, v.number[square], v.marks[square] if show_known else 0, shown)


@helper
def pack_token(square: int, piece: int, number: int, marks: int, shown: bool) -> int:
    """`TokenKey` as one number."""
    key = (square << SQUARE_AT) + (piece << PIECE_AT) + (number << NUMBER_AT)
    return key + (marks << MARKS_AT) + ((1 if shown else 0) << SHOWN_AT)


def read_token(key: int) -> TokenKey:
    piece, number = key >> PIECE_AT & 0x7F, key >> NUMBER_AT & BYTE
    return TokenKey(key >> SQUARE_AT, piece, number, key >> MARKS_AT & 7, bool(key >> SHOWN_AT & 1))


@helper
def pack_choice(action: int, attacks: bool) -> int:
    """A legal action, and whether it is a move onto an enemy."""
    return action * 2 + (1 if attacks else 0)


def read_choice(key: int) -> tuple[int, bool]:
    return key // 2, bool(key % 2)


# ---- lists --------------------------------------------------------------------------------------------------------


@helper
def list_changes(before: ViewRow, after: ViewRow, own: int, show_known: bool, out: Numbers) -> int:
    """Fills `out` (int64, CHANGES) with both heads, then the keys of the squares where the views differ (old ones, then
    new ones), then the new counts of lost pieces if they differ. Returns the used length.
    """
    summarise_head(before, out)
    summarise_head(after, out[NEW:])
    old, new, fresh = KEYS, 0, KEYS + g.SQUARES
    for square in range(g.SQUARES):
        was, now = key_at(before, square, own, show_known), key_at(after, square, own, show_known)
        if was != now:
            if was != NO_TOKEN:
                out[old] = was
                old += 1
            if now != NO_TOKEN:
                out[fresh + new] = now
                new += 1
    for k in range(new):
        out[old + k] = out[fresh + k]
    out[OLD_TOKENS] = old - KEYS
    out[LOST_DIFFER] = 0
    if lost_differ(before, after):
        out[LOST_DIFFER] = KINDS
        summarise_lost(after, out[old + new :])
    return old + new + out[LOST_DIFFER]


@helper
def lost_differ(one: ViewRow, other: ViewRow) -> bool:
    for side in range(2):
        for kind in range(g.TYPES):
            if one.lost[side, kind] != other.lost[side, kind]:
                return True
    return False


@helper
def list_choices(v: ViewRow, enemy: int, out: Numbers) -> int:
    """Fills `out` with `pack_choice` of the legal actions. Returns their number."""
    for k in range(int(v.n_legal)):
        action = int(v.legal[k])
        attacks = action < g.ACT_DEPLOY and v.board[move_end(action)] & enemy != 0
        out[k] = pack_choice(action, attacks)
    return v.n_legal


@entry
def summary(views: Records, i: int, own: int, show_known: bool, out: Numbers) -> int:
    """`summarise` of row i of `views`; `out`: int64 (SIZE,)."""
    return summarise(views[i], own, show_known, out)


@entry
def changes(before: Records, i: int, after: Records, j: int, own: int, show_known: bool, out: Numbers) -> int:
    """`list_changes` from row i of `before` to row j of `after`, views; `out`: int64 (CHANGES,)."""
    return list_changes(before[i], after[j], own, show_known, out)


@entry
def choices(views: Records, i: int, enemy: int, out: Numbers) -> int:
    """`list_choices` of row i of `views`; `out`: int32 (MOST_LEGAL,)."""
    return list_choices(views[i], enemy, out)
