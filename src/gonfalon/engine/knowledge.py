"""What observers know of hidden pieces: for each observer a partition of the places into groups.

A view has no memory, so what a careful player would note down lies in the record. Four fields of a state hold it:

`kind`       uint8 (places,): the type of the piece on a place, 0 where there is none
`group`      uint8 (observers, places): the lowest place of the group to which a place belongs
`known`      uint8 (observers, places): 1 where the observer knows that this type is in the group; in a group of one that
             the piece is of this type
`ruled_out`  uint16 (observers, places): bit t where the observer knows that the piece is not of type t

An observer is shown the places of a group and the types of its known pieces, never which piece carries the mark: so when
a type is revealed whose mark another piece of the group carries, that mark is used up. Groups that say nothing, or all,
fall apart (`simplify_group`). Everything here is a function of what the observer has seen.
"""

from __future__ import annotations

from gonfalon.engine.jit import Row, helper


@helper
def forget(s: Row, observer: int, place: int) -> None:
    """Nothing is known of the place any more: its piece has left, or was shuffled. Who sees it leave is told its type
    first (`reveal`): otherwise what is left of its group would show which piece carried a mark.
    """
    leave(s, observer, place)
    s.known[observer, place] = 0
    s.ruled_out[observer, place] = 0


@helper
def reveal(s: Row, observer: int, place: int) -> None:
    """The observer learns the type of the piece on `place`."""
    if not s.known[observer, place]:
        _use_up_mark(s, observer, place)
    rest = leave(s, observer, place)
    s.known[observer, place] = 1
    s.ruled_out[observer, place] = 0
    simplify_group(s, observer, rest)


@helper
def _use_up_mark(s: Row, observer: int, place: int) -> None:
    """Of the others in the group one with the same type may be marked: then it is this piece that was known."""
    for other in range(len(s.kind)):
        same = s.group[observer, other] == s.group[observer, place] and s.kind[other] == s.kind[place]
        if same and s.known[observer, other]:
            s.known[observer, other] = 0
            return


@helper
def leave(s: Row, observer: int, place: int) -> int:
    """Makes the place a group of its own; returns the group of those it was with, or its own where there are none."""
    old = s.group[observer, place]
    rest = -1
    for other in range(len(s.kind)):
        if other != place and s.group[observer, other] == old:
            if rest < 0:
                rest = other
            s.group[observer, other] = rest
    s.group[observer, place] = place
    return rest if rest >= 0 else place


@helper
def merge(s: Row, observer: int, one: int, other: int) -> None:
    """From now on the pieces of both places' groups cannot be told apart. To be settled by the caller."""
    first, second = s.group[observer, one], s.group[observer, other]
    low = min(first, second)
    for place in range(len(s.kind)):
        if s.group[observer, place] == first or s.group[observer, place] == second:
            s.group[observer, place] = low


@helper
def move_knowledge(s: Row, observer: int, begin: int, finish: int) -> None:
    """The piece on `begin` moves to the empty place `finish`, and what is known of it with it. `kind` is the caller's."""
    s.known[observer, finish] = s.known[observer, begin]
    s.ruled_out[observer, finish] = s.ruled_out[observer, begin]
    rest = leave(s, observer, begin)
    if rest != begin:
        s.group[observer, finish] = rest
        _relabel(s, observer, rest)
    s.known[observer, begin] = 0
    s.ruled_out[observer, begin] = 0


@helper
def _relabel(s: Row, observer: int, group: int) -> None:
    """Names a group after its lowest place again."""
    lowest = -1
    for place in range(len(s.kind)):
        if s.group[observer, place] == group:
            if lowest < 0:
                lowest = place
            s.group[observer, place] = lowest


@helper
def is_all_known(s: Row, observer: int, group: int) -> bool:
    """Whether the types of all pieces of the group are known."""
    for place in range(len(s.kind)):
        if s.group[observer, place] == group and not s.known[observer, place]:
            return False
    return True


@helper
def note_types(s: Row, observer: int, group: int) -> None:
    """Before an unknown piece joins a group whose types are all known: its present pieces are of none but these."""
    if not is_all_known(s, observer, group):
        return
    types = 0
    for place in range(len(s.kind)):
        if s.group[observer, place] == group:
            types |= 1 << s.kind[place]
    for place in range(len(s.kind)):
        if s.group[observer, place] == group:
            s.ruled_out[observer, place] |= 0xFFFF - types


@helper
def simplify_group(s: Row, observer: int, group: int) -> None:
    """Dissolves a group that says nothing (no type known) or everything (all known and alike)."""
    marked = size = kind = 0
    alike = True
    for place in range(len(s.kind)):
        if s.group[observer, place] == group:
            size += 1
            marked += s.known[observer, place]
            alike = alike and (kind == 0 or kind == s.kind[place])
            kind = s.kind[place]
    if marked == 0 or (marked == size and alike):
        for place in range(len(s.kind)):
            if s.group[observer, place] == group:
                s.group[observer, place] = place
                if marked:
                    s.ruled_out[observer, place] = 0


@helper
def swap_knowledge(s: Row, observer: int, one: int, other: int) -> None:
    """The pieces on two places, which the observer cannot tell apart, change places, and what is known with them.

    `kind` is the caller's.
    """
    known, ruled_out = s.known[observer, one], s.ruled_out[observer, one]
    s.known[observer, one], s.ruled_out[observer, one] = s.known[observer, other], s.ruled_out[observer, other]
    s.known[observer, other], s.ruled_out[observer, other] = known, ruled_out
    first, second = s.group[observer, one], s.group[observer, other]
    if first == second:
        return
    s.group[observer, one], s.group[observer, other] = second, first
    low_first, low_second = -1, -1
    for place in range(len(s.kind)):
        if s.group[observer, place] == first:
            if low_first < 0:
                low_first = place
        elif s.group[observer, place] == second and low_second < 0:
            low_second = place
    for place in range(len(s.kind)):
        if s.group[observer, place] == first:
            s.group[observer, place] = low_first
        elif s.group[observer, place] == second:
            s.group[observer, place] = low_second
