"""Deadlines of correspondence, in whole ms of the system clock (UTC), corrected for down time and jumps of that clock.

A store has one deadline a match and the last time at which the server said that it is up. Nobody pays for time in which
no server ran, so doubts about such time are settled in favour of the player.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from gonfalon.server.clock.control import Correspondence
from gonfalon.server.clock.running import monotonic_ms

DAY = 86_400_000
LEAST_JUMP = 10_000
"""Minimum jump of the system clock that counts, in ms. Smaller differences are the usual corrections of its rate."""


def system_ms() -> int:
    """Return the time of the machine's system clock, in whole ms since 1970 (UTC)."""
    return time.time_ns() // 1_000_000


def find_deadline(control: Correspondence, now: int, last: int) -> int:
    """Return the deadline of a decision that becomes due at `now`. `last`: the latest time that the server stored.

    A system clock that was set back does not move the beginning before `last`, so the decision has all its days when
    the clock is right again.
    """
    return max(now, last) + control.days * DAY


def is_past(deadline: int, at: int) -> bool:
    """Return whether a deadline has passed. An act in its very millisecond is in time, as with a flag."""
    return at > deadline


def find_spent(control: Correspondence, deadline: int, now: int) -> int:
    """Return the time that a decision took, in ms, for the log: its days without the time that is left.

    Time that was added to the deadline, because no server ran, is not part of it.
    """
    return min(max(0, control.days * DAY - (deadline - now)), control.days * DAY)


def find_down_time(up: int, now: int) -> int:
    """Return the time in which no server ran, in ms, at a start. `up`: the last stored time at which it was up.

    A server stores that time once a minute, so the result may be a minute too much. 0 if the system clock went back.
    """
    return max(0, now - up)


def extend(deadline: int, up: int, down: int) -> int:
    """Return a deadline with the down time added. One that passed while the server was still up stays passed.

    `up`: as in `find_down_time`; for a jump of the system clock, the time before the jump. `down`: ms to add.
    """
    return deadline if is_past(deadline, up) else deadline + down


class JumpWatch:
    """Finds jumps of the system clock, by comparing it with the monotonic clock, which no one can set.

    Both clocks agree again after each check, so a slow drift never adds up to a jump.
    """

    def __init__(self, system: Callable[[], int] = system_ms, monotonic: Callable[[], int] = monotonic_ms) -> None:
        """Both clocks give whole ms; `system` in UTC."""
        self._system = system
        self._monotonic = monotonic
        self.last = system()
        """System time of the last check: the time before a jump that the next check finds."""
        self._last_monotonic = monotonic()

    def check(self) -> int:
        """Return the ms to add to all deadlines: a forward jump since the last check by more than `LEAST_JUMP`, else 0.

        A jump back adds nothing and takes nothing away: the players get that time, rather than lose it when the clock
        is set right. Check before each sweep for deadlines that passed. Add the result by `extend`, with `last` from
        before this call, in one transaction with the new `last`.
        """
        now, monotonic = self._system(), self._monotonic()
        jump = (now - self.last) - (monotonic - self._last_monotonic)
        self.last, self._last_monotonic = now, monotonic
        return jump if jump > LEAST_JUMP else 0
