"""Knowledge of hidden pieces: for each observer a partition of the places into groups.

A view has no memory, so the state record keeps the notes of a careful player, in four fields:

- `kind` uint8 (places,): the type of the piece on a place, 0 for none
- `group` uint8 (observers, places): the lowest place of the group to which a place belongs
- `known` uint8 (observers, places): 1 (the *mark*) if the observer knows that the group has a piece of this type; in a
  group of one place the observer knows the piece itself
- `ruled_out` uint16 (observers, places): bit t if the observer knows that the piece is not of type t

An observer sees the places of a group and the types known to be in it, but not which piece has which type. So the marks
only count types. When an unmarked piece is revealed and another piece of its group has a mark for the same type, that
mark is removed. Groups that say nothing, or everything, are dissolved (`simplify_group`). All notes follow from the
observer's own events.
"""

from __future__ import annotations

from gonfalon.engine.compiled.jit import StateRow, helper


@helper
def forget(s: StateRow, observer: int, place: int) -> None:
    """Forget a place whose piece has left or was shuffled. If the observer sees the piece leave, call `reveal` first:
    otherwise the rest of its group would show which piece had a mark.
    """
    leave(s, observer, place)
    s.known[observer, place] = 0
    s.ruled_out[observer, place] = 0


@helper
def reveal(s: StateRow, observer: int, place: int) -> None:
    """Let the observer know the type of the piece on `place`."""
    if not s.known[observer, place]:
        _use_up_mark(s, observer, place)
    rest = leave(s, observer, place)
    s.known[observer, place] = 1
    s.ruled_out[observer, place] = 0
    simplify_group(s, observer, rest)


@helper
def _use_up_mark(s: StateRow, observer: int, place: int) -> None:
    """Remove the mark of this type from another piece of the group, if there is one: it stood for the revealed
    piece.
    """
    for other in range(len(s.kind)):
        same = s.group[observer, other] == s.group[observer, place] and s.kind[other] == s.kind[place]
        if same and s.known[observer, other]:
            s.known[observer, other] = 0
            return


@helper
def leave(s: StateRow, observer: int, place: int) -> int:
    """Make the place a group of its own. Return the group of the other pieces that were in its group, or the new group
    if there were none.
    """
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
def merge(s: StateRow, observer: int, one: int, other: int) -> None:
    """Join the groups of two places whose pieces can no longer be told apart. The caller must call `simplify_group`."""
    first, second = s.group[observer, one], s.group[observer, other]
    low = min(first, second)
    for place in range(len(s.kind)):
        if s.group[observer, place] == first or s.group[observer, place] == second:
            s.group[observer, place] = low


@helper
def move_knowledge(s: StateRow, observer: int, begin: int, finish: int) -> None:
    """Move the knowledge of the piece on `begin` to the empty place `finish`. The caller moves `kind`."""
    s.known[observer, finish] = s.known[observer, begin]
    s.ruled_out[observer, finish] = s.ruled_out[observer, begin]
    rest = leave(s, observer, begin)
    if rest != begin:
        s.group[observer, finish] = rest
        _relabel(s, observer, rest)
    s.known[observer, begin] = 0
    s.ruled_out[observer, begin] = 0


@helper
def _relabel(s: StateRow, observer: int, group: int) -> None:
    """Number a group by its lowest place."""
    lowest = -1
    for place in range(len(s.kind)):
        if s.group[observer, place] == group:
            if lowest < 0:
                lowest = place
            s.group[observer, place] = lowest


@helper
def is_all_known(s: StateRow, observer: int, group: int) -> bool:
    """Return whether the types of all pieces of the group are known."""
    for place in range(len(s.kind)):
        if s.group[observer, place] == group and not s.known[observer, place]:
            return False
    return True


@helper
def note_types(s: StateRow, observer: int, group: int) -> None:
    """Prepare a group for one more piece of unknown type. If all types of the group are known, note for its present
    pieces that all other types are ruled out.
    """
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
def simplify_group(s: StateRow, observer: int, group: int) -> None:
    """Dissolve a group that says nothing (no type is known) or everything (all types are known and equal)."""
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
def swap_knowledge(s: StateRow, observer: int, one: int, other: int) -> None:
    """Swap the knowledge of the pieces on two places. The observer must not be able to tell the two pieces apart.

    The caller swaps `kind`.
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
