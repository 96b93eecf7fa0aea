"""Cards that move between piles, hands and lines, and the knowledge of observers about them."""

from gonfalon.engine.compiled.jit import StateRow, helper
from gonfalon.engine.compiled.knowledge import forget, merge, move_knowledge, note_types, reveal, simplify_group
from gonfalon.games.cardgame import state as g


@helper
def line_place(side: int, k: int) -> int:
    """Return the k-th place of the side's line, from 0 to 4."""
    return side * g.SIDE_PLACES + k


@helper
def hand_place(side: int, j: int) -> int:
    """Return the j-th place of the side's hand, from 0."""
    return side * g.SIDE_PLACES + g.LINE + j


@helper
def count_gaps(s: StateRow, side: int) -> int:
    gaps = 0
    for k in range(g.LINE):
        if s.kind[line_place(side, k)] == 0:
            gaps += 1
    return gaps


@helper
def show_to_all(s: StateRow, side: int, place: int) -> None:
    """Turn up a card of `side`: the other player and the public learn its type."""
    reveal(s, 1 - side, place)
    reveal(s, g.THE_PUBLIC, place)


@helper
def forget_by_all(s: StateRow, side: int, place: int) -> None:
    forget(s, 1 - side, place)
    forget(s, g.THE_PUBLIC, place)


@helper
def remove(s: StateRow, side: int, place: int) -> None:
    """Take a card of the line out of the game."""
    s.lost[side, s.kind[place]] += 1
    s.kind[place] = 0
    s.number[side, place - line_place(side, 0)] = 0
    forget_by_all(s, side, place)


@helper
def add_to_hand(s: StateRow, side: int, kind: int) -> None:
    """Move a card from the pile to the hand. Only its owner sees the card."""
    s.pile[side, kind] -= 1
    s.n_pile[side] -= 1
    s.kind[hand_place(side, s.n_hand[side])] = kind
    s.n_hand[side] += 1
    blur_hand(s, 1 - side, side)
    blur_hand(s, g.THE_PUBLIC, side)


@helper
def blur_hand(s: StateRow, observer: int, side: int) -> None:
    """CG-9: a hand has no order. As soon as it has an unknown card, its known cards may be any of its cards.

    Cards of the line that are in one group with the hand cannot be the new card; `note_types` stores this.
    """
    first, n = hand_place(side, 0), s.n_hand[side]
    told = False
    for place in range(first, first + n):
        told = told or s.known[observer, place] != 0 or s.group[observer, place] != place
    if not told:
        return
    for place in range(first, first + n - 1):
        note_types(s, observer, s.group[observer, place])
        merge(s, observer, place, first + n - 1)
    for place in range(first, first + n):
        s.ruled_out[observer, place] = 0
    simplify_group(s, observer, s.group[observer, first])


@helper
def see_hand(s: StateRow, observer: int, side: int) -> None:
    """CG-9: let the observer see the hand as a set."""
    first = hand_place(side, 0)
    for place in range(first, first + s.n_hand[side]):
        reveal(s, observer, place)
    for place in range(first + 1, first + s.n_hand[side]):
        merge(s, observer, first, place)
    if s.n_hand[side]:
        simplify_group(s, observer, first)


@helper
def put_in_line(s: StateRow, side: int, kind: int, k: int) -> None:
    """Move a card of this type from the hand to a gap of the line, face down."""
    j = 0
    while j < g.DEALT - 1 and s.kind[hand_place(side, j)] != kind:
        j += 1
    move_card(s, side, hand_place(side, j), line_place(side, k))
    last = s.n_hand[side] - 1
    if j != last:
        move_card(s, side, hand_place(side, last), hand_place(side, j))
    s.n_hand[side] = last
    s.next_number[side] += 1
    s.number[side, k] = s.next_number[side]


@helper
def move_card(s: StateRow, side: int, begin: int, finish: int) -> None:
    move_knowledge(s, 1 - side, begin, finish)
    move_knowledge(s, g.THE_PUBLIC, begin, finish)
    s.kind[finish] = s.kind[begin]
    s.kind[begin] = 0


@helper
def gather(s: StateRow, side: int) -> None:
    """CG-10: put line and hand back into the pile, and drop all knowledge of them."""
    for place in range(side * g.SIDE_PLACES, (side + 1) * g.SIDE_PLACES):
        if s.kind[place]:
            s.pile[side, s.kind[place]] += 1
            s.n_pile[side] += 1
            s.kind[place] = 0
        forget_by_all(s, side, place)
    for k in range(g.LINE):
        s.number[side, k] = 0
    s.n_hand[side] = 0
