"""Lag quotas: the time of a decision that the network used and the player does not pay for."""

from __future__ import annotations

from collections import deque
from statistics import median_low

PINGS = 5
"""Number of the latest pings that count."""
MOST_QUOTA = 300
"""Maximum quota of one decision, in ms. It bounds the gain of a page that answers pings late on purpose."""


class Lag:
    """The latest ping times of one seat, as the server measured them. A client's word about its lag has no way in."""

    def __init__(self) -> None:
        self._pings: deque[int] = deque(maxlen=PINGS)

    def measure(self, took: int) -> None:
        """Note the time from the ping to its answer, in whole ms. Raises ValueError if it is negative."""
        if took < 0:
            raise ValueError(f"ping: {took} ms is negative")
        self._pings.append(took)

    @property
    def quota(self) -> int:
        """Quota of a decision that begins now, in ms; 0 without a measurement.

        It is the lower median, so one late answer among several changes little, and of two measurements the better
        one counts.
        """
        return min(MOST_QUOTA, median_low(self._pings)) if self._pings else 0
