"""Deadlines of correspondence: killed servers and clocks that jump cost nobody time."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gonfalon.server.clock.control import Correspondence
from gonfalon.server.clock.deadline import (
    DAY,
    LEAST_JUMP,
    JumpWatch,
    extend,
    find_deadline,
    find_down_time,
    find_spent,
    is_past,
    system_ms,
)

HOUR = 3_600_000
NOON = 1_800_000_000_000
times = st.integers(NOON, NOON + 30 * DAY)
controls = st.sampled_from([Correspondence(days) for days in (1, 2, 3, 7)])


class Machine:
    """A system clock that somebody sets, and a monotonic one that nobody can set."""

    def __init__(self) -> None:
        self.system, self.monotonic = NOON, 5_000
        self.watch = JumpWatch(lambda: self.system, lambda: self.monotonic)

    def wait(self, ms: int, jump: int = 0) -> int:
        """Let time go by, while the system clock jumps; return the time that a check adds."""
        self.monotonic += ms
        self.system += ms + jump
        return self.watch.check()


# ---- one deadline -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("days", [1, 2, 3, 7])
def test_a_decision_has_its_days(days: int) -> None:
    assert find_deadline(Correspondence(days), NOON, NOON - HOUR) == NOON + days * DAY


@given(controls, times, times)
def test_a_decision_never_begins_before_the_last_stored_time(control: Correspondence, now: int, last: int) -> None:
    deadline = find_deadline(control, now, last)
    assert deadline - max(now, last) == control.days * DAY


def test_an_act_in_the_millisecond_of_the_deadline_is_in_time() -> None:
    assert [is_past(NOON, NOON + late) for late in (-1, 0, 1)] == [False, False, True]


@given(controls, times, st.integers(-DAY, 8 * DAY))
def test_the_time_spent_is_measured_from_the_deadline(control: Correspondence, now: int, wait: int) -> None:
    deadline = find_deadline(control, now, now)
    assert find_spent(control, deadline, now + wait) == min(max(0, wait), control.days * DAY)


# ---- servers that do not run --------------------------------------------------------------------------------------


def test_a_deadline_that_passed_while_the_server_was_down_is_extended() -> None:
    up, now = NOON, NOON + 9 * HOUR
    deadline = up + 2 * HOUR
    assert is_past(deadline, now)
    extended = extend(deadline, up, find_down_time(up, now))
    assert extended - now == deadline - up, "the player has as much time as before the server ended"


def test_a_deadline_that_passed_while_the_server_was_up_stays_passed() -> None:
    assert extend(NOON - 1, NOON, 9 * HOUR) == NOON - 1
    assert extend(NOON, NOON, 9 * HOUR) == NOON + 9 * HOUR, "its millisecond was not over"


@given(controls, times, st.integers(0, 5 * DAY), st.integers(0, DAY))
def test_down_time_costs_nobody(control: Correspondence, now: int, down: int, wait: int) -> None:
    deadline = find_deadline(control, now, now)
    up = now + min(wait, control.days * DAY)
    restart = up + down
    extended = extend(deadline, up, find_down_time(up, restart))
    assert extended - restart == deadline - up
    assert find_spent(control, extended, restart) == up - now


def test_a_start_with_a_clock_that_went_back_adds_nothing() -> None:
    assert find_down_time(NOON, NOON - HOUR) == 0


# ---- a system clock that jumps ------------------------------------------------------------------------------------


def test_a_jump_forward_is_added() -> None:
    machine = Machine()
    deadline = find_deadline(Correspondence(1), machine.system, 0)
    before = machine.watch.last
    added = machine.wait(60_000, HOUR)
    assert added == HOUR
    assert extend(deadline, before, added) - machine.system == DAY - 60_000


def test_a_jump_back_is_left_out() -> None:
    machine = Machine()
    assert machine.wait(60_000, -HOUR) == 0
    deadline = find_deadline(Correspondence(1), machine.system, NOON + 60_000)
    assert deadline == NOON + 60_000 + DAY, "a new decision begins at the last stored time"
    assert machine.wait(60_000, HOUR) == HOUR, "the clock is set right: this is a jump forward"


@pytest.mark.parametrize(("jump", "added"), [(0, 0), (10_000, 0), (10_001, 10_001)])
def test_only_more_than_ten_seconds_are_a_jump(jump: int, added: int) -> None:
    assert Machine().wait(60_000, jump) == added


def test_a_drift_never_becomes_a_jump() -> None:
    machine = Machine()
    assert sum(machine.wait(60_000, 900) for _ in range(1_000)) == 0


def test_a_machine_that_slept_adds_its_sleep() -> None:
    """A sleeping machine's monotonic clock stands still on Linux, so its sleep is a jump of the system clock."""
    assert Machine().wait(0, 8 * HOUR) == 8 * HOUR


@given(st.lists(st.tuples(st.integers(0, HOUR), st.integers(-2 * HOUR, 2 * HOUR)), max_size=20))
def test_no_jump_takes_time_from_a_player(steps: list[tuple[int, int]]) -> None:
    machine = Machine()
    deadline, used = find_deadline(Correspondence(7), machine.system, 0), 0
    for wait, jump in steps:
        before = machine.watch.last
        deadline = extend(deadline, before, machine.wait(wait, jump))
        used += wait + (jump if 0 < jump <= LEAST_JUMP else 0)
        assert deadline - machine.system >= 7 * DAY - used


def test_the_system_clock_gives_whole_milliseconds() -> None:
    assert isinstance(system_ms(), int)
    assert system_ms() > NOON - 1_000 * DAY
