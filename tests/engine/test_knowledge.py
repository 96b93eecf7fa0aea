"""Knowledge of hidden pieces, tested on small records made by hand: one row of places and one or two observers."""

from __future__ import annotations

import importlib.util
from collections import Counter
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gonfalon.engine.compiled import jit


def uncompiled() -> Any:
    """Return the functions as plain Python, which accepts any record. Other tests compare the compiled functions with
    plain Python.
    """
    spec = importlib.util.find_spec("gonfalon.engine.compiled.knowledge")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jit, "helper", lambda function: function)
        spec.loader.exec_module(module)
    return module


k = uncompiled()


def record(kinds: str, observers: int = 1) -> SimpleNamespace:
    """Return a record with pieces of these types, "." for an empty place. No observer knows anything."""
    kind = np.array([0 if letter == "." else "ABCDE".index(letter) + 1 for letter in kinds])
    return SimpleNamespace(
        kind=kind,
        group=np.tile(np.arange(len(kind)), (observers, 1)),
        known=np.zeros((observers, len(kind)), int),
        ruled_out=np.zeros((observers, len(kind)), int),
    )


def copy_of(s: SimpleNamespace) -> SimpleNamespace:
    return SimpleNamespace(**{name: field.copy() for name, field in vars(s).items()})


def summary(s: SimpleNamespace, observer: int = 0) -> list[tuple[tuple[int, ...], str]]:
    """Return all that an observer is shown: each group's places, and the types known to be in it. Single unknown pieces
    are left out.
    """
    found = []
    for label in sorted(set(s.group[observer].tolist())):
        places = [place for place, group in enumerate(s.group[observer].tolist()) if group == label]
        types = "".join(sorted("ABCDE"[s.kind[p] - 1] for p in places if s.known[observer][p]))
        if types or len(places) > 1:
            found.append((tuple(places), types))
    return found


def see_set(s: SimpleNamespace, *places: int, observer: int = 0) -> None:
    """Let the observer see these pieces as a set."""
    for place in places:
        k.reveal(s, observer, place)
    for place in places[1:]:
        k.merge(s, observer, places[0], place)
    k.simplify_group(s, observer, min(places))


def join(s: SimpleNamespace, place: int, member: int, observer: int = 0) -> None:
    """Let an unknown piece join the group of `member`."""
    k.note_types(s, observer, int(s.group[observer][member]))
    k.merge(s, observer, member, place)
    k.simplify_group(s, observer, int(s.group[observer][member]))


def test_at_first_nothing_is_known() -> None:
    assert summary(record("ABC.")) == []


def test_reveal_makes_one_piece_known_to_one_observer() -> None:
    s = record("ABC", observers=2)
    k.reveal(s, 1, 2)
    assert (summary(s, 0), summary(s, 1)) == ([], [((2,), "C")])


def test_merge_puts_two_groups_together_under_the_lowest_place() -> None:
    s = record("ABCD")
    see_set(s, 2, 3)
    k.merge(s, 0, 3, 1)
    assert s.group[0].tolist() == [0, 1, 1, 1]
    assert summary(s) == [((1, 2, 3), "CD")]


def test_settle_dissolves_a_group_of_one_type() -> None:
    s = record("AAB")
    see_set(s, 0, 1)
    assert summary(s) == [((0,), "A"), ((1,), "A")]


def test_settle_dissolves_a_group_of_which_nothing_is_known() -> None:
    s = record("ABC")
    k.merge(s, 0, 0, 1)
    k.merge(s, 0, 0, 2)
    k.simplify_group(s, 0, 0)
    assert s.group[0].tolist() == [0, 1, 2]


def test_settle_keeps_a_group_that_says_something() -> None:
    s = record("AAB")
    see_set(s, 0, 1, 2)
    assert summary(s) == [((0, 1, 2), "AAB")]


def test_reveal_takes_the_piece_and_its_type_out_of_the_group() -> None:
    s = record("ABC")
    see_set(s, 0, 1, 2)
    k.reveal(s, 0, 1)
    assert summary(s) == [((0, 2), "AC"), ((1,), "B")]


def test_reveal_of_the_last_but_one_makes_the_last_known() -> None:
    s = record("AB")
    see_set(s, 0, 1)
    k.reveal(s, 0, 0)
    assert summary(s) == [((0,), "A"), ((1,), "B")]


def test_reveal_uses_up_the_mark_that_another_piece_of_the_type_carries() -> None:
    """One piece of a group was seen as an A. After the reveal of the first piece, the view must not show whether that
    piece had the mark before.
    """
    views = []
    for marked in (0, 2):
        s = record("ABAB")
        k.reveal(s, 0, marked)
        for place in (1, 2, 3):
            k.merge(s, 0, 0, place)
        k.reveal(s, 0, 0)
        views.append(summary(s))
    assert views[0] == views[1] == [((0,), "A")]


def test_reveal_of_another_type_leaves_the_marks() -> None:
    s = record("ABAB")
    k.reveal(s, 0, 0)
    for place in (1, 2, 3):
        k.merge(s, 0, 0, place)
    k.reveal(s, 0, 1)
    assert summary(s) == [((0, 2, 3), "A"), ((1,), "B")]


def test_leave_names_the_rest_after_its_lowest_place() -> None:
    s = record("ABC")
    see_set(s, 0, 1, 2)
    assert k.leave(s, 0, 0) == 1
    assert s.group[0].tolist() == [0, 1, 1]
    assert k.leave(s, 0, 2) == 1
    assert k.leave(s, 0, 2) == 2, "its own where it is alone"


def test_forget_leaves_nothing_of_the_place() -> None:
    s = record("ABC")
    see_set(s, 0, 1, 2)
    k.forget(s, 0, 0)
    s.kind[0] = 0
    assert summary(s) == [((1, 2), "BC")]
    assert (s.known[0][0], s.ruled_out[0][0], s.group[0][0]) == (0, 0, 0)


def test_carry_takes_along_what_is_known_and_the_group() -> None:
    s = record(".ABC")
    see_set(s, 1, 2, 3)
    k.move_knowledge(s, 0, 2, 0)
    s.kind[[0, 2]] = s.kind[[2, 0]]
    assert s.group[0].tolist() == [0, 0, 2, 0], "named after its lowest place again"
    assert summary(s) == [((0, 1, 3), "ABC")]


def test_carry_of_a_known_piece_and_of_an_unknown_one() -> None:
    s = record(".AB.")
    k.reveal(s, 0, 1)
    k.move_knowledge(s, 0, 1, 0)
    k.move_knowledge(s, 0, 2, 3)
    s.kind[:] = s.kind[[1, 3, 0, 2]]
    assert summary(s) == [((0,), "A")]


def test_note_types_keeps_what_the_present_pieces_cannot_be() -> None:
    s = record("ABC")
    see_set(s, 0, 1)
    join(s, 2, 0)
    assert summary(s) == [((0, 1, 2), "AB")]
    assert [bool(s.ruled_out[0][0] >> kind & 1) for kind in (1, 2, 3)] == [False, False, True]
    assert s.ruled_out[0][2] == 0, "the new one may be anything"


def test_note_types_says_nothing_of_a_group_that_is_not_known_whole() -> None:
    s = record("ABCD")
    see_set(s, 0, 1)
    join(s, 2, 0)
    before = s.ruled_out.copy()
    join(s, 3, 0)
    assert s.ruled_out.tolist() == before.tolist()


# ---- any sequence ------------------------------------------------------------------------------------------------

Act = tuple[str, int, int]
ACTS = st.lists(
    st.tuples(st.sampled_from(("reveal", "set", "join", "carry", "remove")), st.integers(0, 5), st.integers(0, 5)),
    max_size=8,
)
KINDS = st.text("AB", min_size=4, max_size=5)


def members(s: SimpleNamespace, place: int) -> list[int]:
    return [other for other in range(len(s.kind)) if s.group[0][other] == s.group[0][place]]


def begin(kinds: str) -> SimpleNamespace:
    """Return a record in which two pieces were seen as a set and a third has joined them. Two places are empty."""
    s = record(f".{kinds}.")
    see_set(s, 1, 2)
    join(s, 3, 1)
    return s


def do(s: SimpleNamespace, act: Act) -> None:
    """Apply one action to one or two of the pieces, which the numbers choose."""
    word, one, other = act
    filled, empty = np.flatnonzero(s.kind).tolist(), np.flatnonzero(s.kind == 0).tolist()
    if len(filled) < 2:
        return
    here, there = filled[one % len(filled)], filled[other % len(filled)]
    if word == "carry":
        target = empty[other % len(empty)]
        k.move_knowledge(s, 0, here, target)
        s.kind[target], s.kind[here] = s.kind[here], 0
    elif word == "remove":  # a piece is revealed before it leaves
        k.reveal(s, 0, here)
        k.forget(s, 0, here)
        s.kind[here] = 0
    elif word == "reveal":
        k.reveal(s, 0, here)
    elif word == "set" and here != there:
        see_set(s, *sorted((here, there)))
    elif word == "join" and here != there and members(s, there) == [there] and not s.known[0][there]:
        join(s, there, here)


def check_true(s: SimpleNamespace) -> None:
    """Check that each group has the number of its lowest place, that empty places have no mark, and that no true type
    is ruled out.
    """
    for place, kind in enumerate(s.kind.tolist()):
        assert s.group[0][place] == min(members(s, place))
        assert not s.ruled_out[0][place] >> kind & 1 or not kind
        if not kind:
            assert (s.known[0][place], s.ruled_out[0][place], members(s, place)) == (0, 0, [place])
        group = members(s, place)
        if len(group) > 1:
            marked = [other for other in group if s.known[0][other]]
            assert marked, "a group that says nothing has fallen apart"
            assert len(marked) < len(group) or len(set(s.kind[group].tolist())) > 1


def twins(s: SimpleNamespace) -> list[tuple[int, int]]:
    """Return the pairs of a marked and an unmarked piece of the same type in one group. The view must not show which of
    them has the mark.
    """
    return [
        (one, other)
        for one in range(len(s.kind))
        for other in members(s, one)
        if s.known[0][one] and not s.known[0][other] and s.kind[one] == s.kind[other]
    ]


@settings(max_examples=120, deadline=None)
@given(KINDS, ACTS)
def test_nothing_untrue_is_ever_known(kinds: str, acts: list[Act]) -> None:
    s = begin(kinds)
    check_true(s)
    for act in acts:
        do(s, act)
        check_true(s)


@settings(max_examples=200, deadline=None)
@given(KINDS, ACTS, ACTS)
def test_which_of_two_equal_pieces_carries_the_mark_never_shows(kinds: str, first: list[Act], then: list[Act]) -> None:
    s = begin(kinds)
    for act in first:
        do(s, act)
    for one, other in twins(s):
        t, u = copy_of(s), copy_of(s)
        t.known[0][[one, other]] = t.known[0][[other, one]]
        assert summary(t) == summary(u)
        for act in then:
            do(t, act)
            do(u, act)
            assert summary(t) == summary(u)
            assert t.ruled_out.tolist() == u.ruled_out.tolist()


def test_all_that_is_known_of_groups_is_counted() -> None:
    """Two sets were seen one after the other and mixed: each type counts as often as it was seen."""
    s = record("ABAC")
    see_set(s, 0, 1)
    see_set(s, 2, 3)
    k.merge(s, 0, 0, 2)
    ((places, types),) = summary(s)
    assert (places, Counter(types)) == ((0, 1, 2, 3), Counter("AABC"))
