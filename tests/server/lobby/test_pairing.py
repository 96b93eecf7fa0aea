"""Pairing: by rating, in windows that widen; not the same two again and again; never blocked people."""

from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from gonfalon.server.lobby.pairing import LOOKED_AT, MOST_STREAKS, NARROW, WIDENING, Queue, Seeker, Streaks


def seeker(person: str, rating: int = 1500, since: float = 0.0) -> Seeker:
    return Seeker(person, person.title(), True, rating, since)


def queue(*people: Seeker, players: int = 2, streaks: Streaks | None = None, blocked: set[str] | None = None) -> Queue:
    made = Queue(players, streaks or Streaks(), lambda one, other: {one, other} == blocked)
    for each in people:
        made.add(each)
    return made


def names(groups: list[list[Seeker]]) -> list[str]:
    return ["".join(each.person for each in group) for group in groups]


def test_two_people_are_paired_at_once() -> None:
    waiting = queue(seeker("a"), seeker("b", 1590))
    assert names(waiting.take_groups(0)) == ["ab"]
    assert len(waiting) == 0


def test_a_window_widens_with_waiting() -> None:
    apart = 300
    waiting = queue(seeker("a"), seeker("b", 1500 + apart, since=20.0))
    needed = (apart - NARROW) / WIDENING
    assert waiting.take_groups(needed - 0.1) == []
    assert names(waiting.take_groups(needed)) == ["ab"], "the one who waits longer has the wider window"


def test_the_nearest_rating_is_chosen() -> None:
    waiting = queue(seeker("a", 1500), seeker("b", 1590), seeker("c", 1420), seeker("d", 1510))
    assert names(waiting.take_groups(0)) == ["ad"], "the others are too far apart"
    assert names(waiting.take_groups(10)) == ["bc"]


def test_who_waits_longest_chooses_first() -> None:
    waiting = queue(seeker("a", 1500), seeker("b", 1550), seeker("c", 1560))
    assert names(waiting.take_groups(0)) == ["ab"]


def test_blocked_people_are_never_paired() -> None:
    waiting = queue(seeker("a"), seeker("b"), blocked={"a", "b"})
    assert waiting.take_groups(1e9) == []
    waiting.add(seeker("c"))
    assert names(waiting.take_groups(1e9)) == ["ac"]


def play(waiting: Queue, *people: str) -> list[str]:
    for person in people:
        waiting.add(seeker(person))
    return names(waiting.take_groups(0))


def test_the_same_two_play_a_third_time_only_if_nobody_else_waits() -> None:
    waiting = queue()
    assert [play(waiting, "a", "b") for _ in range(4)] == [["ab"]] * 4, "nobody else is there"
    waiting = queue()
    assert [play(waiting, "a", "b") for _ in range(2)] == [["ab"]] * 2
    assert play(waiting, "a", "b", "c") == ["ac"], "somebody else is there now"
    assert play(waiting, "a") == ["ba"], "a has played another one since"


def test_two_who_are_tired_of_each_other_wait_for_the_third() -> None:
    """The third person's rating is out of reach for now; the windows widen."""
    waiting = queue()
    for _ in range(2):
        play(waiting, "a", "b")
    for each in (seeker("a"), seeker("b"), seeker("c", 1700)):
        waiting.add(each)
    assert waiting.take_groups(0) == []
    assert names(waiting.take_groups(10)) == ["ac"]


def test_somebody_whom_both_have_blocked_is_no_reason_to_wait() -> None:
    streaks = Streaks()
    waiting = Queue(2, streaks, lambda one, other: "c" in (one, other))
    for _ in range(2):
        play(waiting, "a", "b")
    assert play(waiting, "c", "a", "b") == ["ab"]


def test_streaks_are_shared_by_all_games_and_bounded() -> None:
    streaks = Streaks()
    play(queue(streaks=streaks), "a", "b")
    play(queue(streaks=streaks), "b", "a")
    assert streaks.count("a", "b") == streaks.count("b", "a") == 2
    streaks.note("a", "c")
    assert streaks.count("a", "b") == 0
    for number in range(MOST_STREAKS):
        streaks.note(f"x{number}", f"y{number}")
    assert streaks.count("a", "c") == 0


def test_the_usual_wait_is_the_median() -> None:
    waiting = queue()
    assert waiting.usual_wait is None
    for wait in (2.0, 4.0, 90.0):
        waiting.add(seeker("a", since=100 - wait))
        waiting.add(seeker("b", since=100 - wait))
        waiting.take_groups(100)
    assert waiting.usual_wait == 4


def test_a_table_of_four_fills() -> None:
    waiting = queue(seeker("a"), seeker("b", 1580), seeker("c", 1510), players=4)
    assert waiting.take_groups(0) == []
    assert names(waiting.list_tables(0)) == ["acb"], "the host is first, then the nearest ratings"
    waiting.add(seeker("d"))
    assert names(waiting.take_groups(0)) == ["adcb"]
    assert waiting.list_tables(0) == []


def test_blocked_people_sit_at_two_tables() -> None:
    waiting = queue(*(seeker(each) for each in "abcde"), players=4, blocked={"a", "b"})
    assert names(waiting.list_tables(0)) == ["acde", "b"]
    assert names(waiting.take_groups(0)) == ["acde"]


@given(st.lists(st.integers(800, 2400), max_size=40), st.floats(0, 60))
def test_every_pair_fits_and_nobody_is_left_who_fits(ratings: list[int], now: float) -> None:
    waiting = queue(*(seeker(str(number), rating) for number, rating in enumerate(ratings)))
    width = NARROW + WIDENING * now
    for one, other in waiting.take_groups(now):
        assert abs(one.rating - other.rating) <= width
    for one, other in itertools.combinations(waiting, 2):
        assert abs(one.rating - other.rating) > width


def test_many_people_are_paired_quickly() -> None:
    """One person is compared with a bounded number of others, also when all of them have to be refused."""
    asked = 0

    def apart(_one: str, _other: str) -> bool:
        nonlocal asked
        asked += 1
        return True

    waiting = Queue(2, Streaks(), apart)
    people = 1_000
    for number in range(people):
        waiting.add(seeker(str(number)))
    assert waiting.take_groups(0) == []
    assert asked <= people * 2 * LOOKED_AT
