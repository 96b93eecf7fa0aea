"""Clocks: what each decision costs, computed from the log alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gonfalon.server.clock.clocks import Clocks
from gonfalon.server.clock.control import Bank, Control, Correspondence, PerTurn, Untimed

CHANCE = -1
TIMED = (Bank(300, increment=3), Bank(900, delay=3, longest=180), Bank(0, delay=10), PerTurn(60, deployment=120))


class Move(NamedTuple):
    """A move as the log says it; `cut` takes the moves from this number on back instead."""

    player: int
    took: int
    before_play: bool = False
    ended_turn: bool = False
    cut: int = -1


def fold(control: Control, moves: Sequence[Move], players: int = 4, persons: Sequence[int] = (0, 1, 2)) -> Clocks:
    clocks, number = Clocks(control, players, persons), 0
    for move in moves:
        if move.cut >= 0:
            number = min(number, move.cut)
            clocks.cut(number)
        else:
            clocks.apply(number, move.player, move.took, before_play=move.before_play, ended_turn=move.ended_turn)
            number += 1
    return clocks


def budgets(clocks: Clocks) -> list[int | None]:
    return [clocks.left(player, before_play=early) for early in (True, False) for player in range(4)]


def bank(clocks: Clocks, player: int) -> int:
    left = clocks.left(player, before_play=False)
    assert left is not None
    return left


controls = st.sampled_from(TIMED)
moves = st.tuples(st.integers(CHANCE, 3), st.integers(0, 400_000), st.booleans(), st.booleans()).map(
    lambda fields: Move(*fields)
)
take_backs = st.integers(0, 12).map(lambda number: Move(CHANCE, 0, cut=number))


# ---- one decision -------------------------------------------------------------------------------------------------


def test_a_decision_costs_its_player_the_time_it_took() -> None:
    clocks = fold(Bank(300), [Move(0, 4_321), Move(1, 10)])
    assert (bank(clocks, 0), bank(clocks, 1), bank(clocks, 2)) == (295_679, 299_990, 300_000)


def test_the_increment_comes_once_a_closed_decision() -> None:
    """A compound choice is one closed decision, however many actions it has."""
    clocks = fold(Bank(300, increment=3), [Move(0, 10_000)])
    assert bank(clocks, 0) == 293_000
    clocks = fold(Bank(300, increment=3), [Move(0, 500)])
    assert bank(clocks, 0) == 302_500, "an increment may make the bank larger than at the beginning"


def test_the_delay_is_free_and_its_rest_is_lost() -> None:
    control = Bank(300, delay=3)
    assert bank(fold(control, [Move(0, 2_999)]), 0) == 300_000
    assert bank(fold(control, [Move(0, 3_000)]), 0) == 300_000
    assert bank(fold(control, [Move(0, 3_001)]), 0) == 299_999


def test_no_decision_may_take_longer_than_the_longest() -> None:
    control = Bank(900, delay=3, longest=180)
    clocks = fold(control, [])
    assert clocks.most(0, before_play=False) == 180_000
    assert not clocks.is_past(0, 180_000, before_play=False)
    assert clocks.is_past(0, 180_001, before_play=False)
    clocks = fold(control, [Move(0, 180_000)] * 5)
    assert clocks.most(0, before_play=False) == 15_000 + 3_000, "the bank has less than that"


def test_deployment_has_a_budget_of_its_own() -> None:
    for control in (Bank(300, increment=3, deployment=60), PerTurn(30, deployment=60)):
        clocks = fold(control, [Move(0, 20_000, before_play=True), Move(0, 15_000, before_play=True)])
        assert clocks.most(0, before_play=True) == 25_000
        assert clocks.most(1, before_play=True) == 60_000
        assert budgets(clocks)[4:] == budgets(fold(control, []))[4:], "it leaves the time for play as it is"


def test_a_turn_has_one_budget_for_all_decisions_of_a_player() -> None:
    control = PerTurn(60)
    clocks = fold(control, [Move(0, 25_000), Move(1, 7_000), Move(0, 30_000)])
    assert [clocks.most(player, before_play=False) for player in (0, 1)] == [5_000, 53_000]
    clocks = fold(control, [Move(0, 25_000), Move(1, 7_000), Move(0, 30_000, ended_turn=True)])
    assert [clocks.most(player, before_play=False) for player in (0, 1)] == [60_000, 60_000]


def test_a_draw_of_chance_may_end_the_turn() -> None:
    clocks = fold(PerTurn(60), [Move(0, 25_000), Move(CHANCE, 0, ended_turn=True)])
    assert bank(clocks, 0) == 60_000


@pytest.mark.parametrize("control", TIMED)
def test_computer_players_and_chance_have_no_flag(control: Control) -> None:
    clocks = fold(control, [Move(3, 10**9), Move(CHANCE, 10**9)])
    for player in (3, CHANCE):
        assert clocks.left(player, before_play=False) is None
        assert clocks.most(player, before_play=False) is None
        assert not clocks.is_past(player, 10**12, before_play=False)
    assert budgets(clocks) == budgets(fold(control, []))


@pytest.mark.parametrize("control", [Untimed(), Untimed(0), Correspondence(3)])
def test_without_a_clock_a_decision_may_take_any_time(control: Control) -> None:
    clocks = fold(control, [Move(0, 10**15), Move(1, 5, ended_turn=True), Move(CHANCE, 0, cut=1)])
    assert budgets(clocks) == [None] * 8
    assert clocks.most(0, before_play=True) is None
    assert not clocks.is_past(0, 10**15, before_play=False)


# ---- the flag -----------------------------------------------------------------------------------------------------


@given(controls, st.lists(moves, max_size=8), st.booleans())
def test_the_flag_falls_one_millisecond_after_the_most(control: Control, played: list[Move], before: bool) -> None:
    clocks = fold(control, played)
    for player in range(3):
        most = clocks.most(player, before_play=before)
        assert most is not None
        assert not clocks.is_past(player, most, before_play=before)
        assert clocks.is_past(player, most + 1, before_play=before)


def test_a_flag_gets_no_increment() -> None:
    assert bank(fold(Bank(10, increment=3), [Move(0, 10_000)]), 0) == 3_000
    assert bank(fold(Bank(10, increment=3), [Move(0, 10_001)]), 0) == 0
    control = Bank(100, increment=30, longest=60)
    assert bank(fold(control, [Move(0, 60_001)]), 0) == 39_999, "lost on time with a bank that is not empty"


def test_two_flags_at_once_leave_the_other_players_time() -> None:
    """In a match of four, two players who are due together may both be past their flags."""
    clocks = fold(Bank(60, increment=5), [Move(0, 60_001), Move(2, 60_001)])
    assert [bank(clocks, player) for player in (0, 1, 2)] == [0, 60_000, 0]


# ---- sums ---------------------------------------------------------------------------------------------------------


@given(controls, st.lists(moves, max_size=30))
def test_no_budget_loses_more_than_its_player_used(control: Control, played: list[Move]) -> None:
    clocks = Clocks(control, 4, (0, 1, 2))
    for number, move in enumerate(played):
        before = budgets(clocks)
        clocks.apply(number, *move[:2], before_play=move.before_play, ended_turn=move.ended_turn)
        for place, (old, new) in enumerate(zip(before, budgets(clocks), strict=True)):
            if old is not None:
                assert new is not None
                used = move.took if place % 4 == move.player and move.before_play == (place < 4) else 0
                assert new >= max(0, old - used)


@given(st.integers(0, 180), st.lists(st.tuples(st.integers(0, 2), st.integers(0, 9_000)), max_size=30))
def test_bank_and_used_time_add_up(increment: int, played: list[tuple[int, int]]) -> None:
    clocks = fold(Bank(3600, increment=increment), [Move(*move) for move in played])
    for player in range(3):
        times = [took for by, took in played if by == player]
        assert bank(clocks, player) + sum(times) == 3_600_000 + 1_000 * increment * len(times)


@given(controls, st.lists(moves, max_size=30))
def test_loading_gives_the_same_as_playing(control: Control, played: list[Move]) -> None:
    playing = Clocks(control, 4, (0, 1, 2))
    for number, move in enumerate(played):
        playing.apply(number, *move[:2], before_play=move.before_play, ended_turn=move.ended_turn)
        assert budgets(playing) == budgets(fold(control, played[: number + 1]))


# ---- take-backs ---------------------------------------------------------------------------------------------------


def test_a_take_back_restores_the_bank() -> None:
    control = Bank(300, increment=3)
    clocks = fold(control, [Move(0, 10_000), Move(0, 250_000), Move(3, 5_000), Move(CHANCE, 0, cut=1)])
    assert bank(clocks, 0) == 293_000


@given(controls, st.lists(moves | take_backs, max_size=40))
def test_only_the_moves_that_count_cost_time(control: Control, log: list[Move]) -> None:
    counting: list[Move] = []
    for move in log:
        if move.cut >= 0:
            del counting[move.cut :]
        else:
            counting.append(move)
    assert budgets(fold(control, log)) == budgets(fold(control, counting))


@given(controls, st.lists(moves, min_size=1, max_size=20), st.data())
def test_moves_that_are_taken_back_and_played_again_give_the_same(
    control: Control, played: list[Move], data: st.DataObject
) -> None:
    number = data.draw(st.integers(0, len(played)))
    again = [*played, Move(CHANCE, 0, cut=number), *played[number:]]
    assert budgets(fold(control, again)) == budgets(fold(control, played))


def test_a_negative_time_is_refused_and_changes_nothing() -> None:
    clocks = fold(Bank(300), [])
    with pytest.raises(ValueError, match="negative"):
        clocks.apply(0, 0, -1, before_play=False, ended_turn=False)
    assert bank(clocks, 0) == 300_000
