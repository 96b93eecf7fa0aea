"""THE filter: the parts of a state that an observer may see, field by field. Nothing else decides this."""

from gonfalon.engine.compiled.jit import RulesRow, StateRow, ViewRow, helper
from gonfalon.engine.game import EVERYTHING
from gonfalon.games.cardgame import state as g
from gonfalon.games.cardgame.rules.cards import hand_place, line_place


@helper
def may_know(observer: int, side: int) -> bool:
    """Return whether the observer may know the secrets of `side`."""
    return observer == side or observer == EVERYTHING


@helper
def book_of(observer: int, side: int) -> int:
    """Return the observer whose knowledge of the side's cards the view shows: the viewer; for the viewer's own cards,
    the other player.
    """
    if observer == 0 or observer == 1 or observer == EVERYTHING:
        return 1 - side
    return g.THE_PUBLIC


@helper
def fill_view(s: StateRow, _r: RulesRow, observer: int, v: ViewRow) -> None:
    """Fill the view `v`, which is all zeros, except for its legal actions."""
    v.observer = observer
    v.phase = s.phase
    v.started = s.started
    v.anew = s.anew
    v.mover = s.mover
    v.turn = s.turn
    v.quiet = s.quiet
    v.over = s.over
    v.winner = s.winner
    for k in range(4):
        v.last[k] = s.last[k]
    for side in range(2):
        show_side(s, observer, side, v)
        book = book_of(observer, side)
        for k in range(g.LINE):
            show_place(s, observer, side, book, line_place(side, k), v)
        for j in range(g.DEALT):
            show_place(s, observer, side, book, hand_place(side, j), v)
        show_hand(s, observer, side, book, v)


@helper
def show_side(s: StateRow, observer: int, side: int, v: ViewRow) -> None:
    v.ready[side] = s.started != 0 or s.placed[side] == g.LINE
    v.next_number[side] = s.next_number[side]
    v.n_hand[side] = s.n_hand[side]
    v.n_pile[side] = s.n_pile[side]
    for kind in range(g.TYPES):
        v.lost[side, kind] = s.lost[side, kind]
        if observer == EVERYTHING:
            v.pile[side, kind] = s.pile[side, kind]
    for k in range(g.LINE):
        v.number[side, k] = s.number[side, k]
        if may_know(observer, side):
            v.laid[side, k] = s.laid[side, k]
    if may_know(observer, side):
        v.placed[side] = s.placed[side]


@helper
def is_alone(s: StateRow, book: int, side: int, place: int) -> bool:
    """Return whether the place is a group of its own."""
    for other in range(side * g.SIDE_PLACES, (side + 1) * g.SIDE_PLACES):
        if other != place and s.group[book, other] == s.group[book, place]:
            return False
    return True


@helper
def show_place(s: StateRow, observer: int, side: int, book: int, place: int, v: ViewRow) -> None:
    """Show a card, and the knowledge of it in the book. A book is one observer's knowledge of a side's cards."""
    v.group[place] = g.NONE
    if s.kind[place] == 0:
        return
    alone, group = is_alone(s, book, side, place), s.group[book, place]
    known = s.known[book, place]
    if alone:
        v.marks[place] = g.SEEN if known else g.UNKNOWN
    else:
        v.marks[place] = g.AMONG
        v.group[place] = group
        if known:
            v.among[group, s.kind[place]] += 1
    v.ruled_out[place] = s.ruled_out[book, place]
    v.public[place] = s.known[g.THE_PUBLIC, place]
    if may_know(observer, side) or v.marks[place] == g.SEEN:
        v.kind[place] = s.kind[place]
    else:
        v.kind[place] = g.HIDDEN


@helper
def show_hand(s: StateRow, observer: int, side: int, book: int, v: ViewRow) -> None:
    """Show a hand as a set: its types in the order of ranks. If all cards of a hand are known, the hand counts as
    seen.
    """
    n, first = s.n_hand[side], hand_place(side, 0)
    if n == 0:
        return
    if v.marks[first] == g.AMONG and is_seen_hand(s, book, side):
        for kind in range(g.TYPES):
            v.among[first, kind] = 0
        for place in range(first, first + n):
            v.marks[place] = g.SEEN
            v.group[place] = g.NONE
    if not may_know(observer, side) and v.marks[first] != g.SEEN:
        return
    place = first
    for kind in range(g.TYPES - 1, 0, -1):
        for j in range(g.DEALT):
            if s.kind[first + j] == kind:
                v.kind[place] = kind
                place += 1


@helper
def is_seen_hand(s: StateRow, book: int, side: int) -> bool:
    """Return whether the hand is a group of its own and all its cards are known."""
    first = hand_place(side, 0)
    for k in range(g.LINE):
        if s.group[book, line_place(side, k)] == s.group[book, first]:
            return False
    for j in range(s.n_hand[side]):
        if not s.known[book, first + j]:
            return False
    return True
