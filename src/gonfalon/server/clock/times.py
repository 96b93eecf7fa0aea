"""The two clocks of a machine. Tests put others in their place."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from gonfalon.server.clock.deadline import system_ms
from gonfalon.server.clock.running import monotonic_ms


@dataclass(frozen=True)
class Times:
    """Both in whole milliseconds. Durations come from the monotonic clock, deadlines from the system clock (UTC)."""

    monotonic: Callable[[], int] = monotonic_ms
    system: Callable[[], int] = system_ms
