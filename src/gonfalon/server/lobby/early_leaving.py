"""People who leave matches early: from the third match in a day on, their next pairing has to wait."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Callable

from gonfalon.server.match.public import Ended, Fact
from gonfalon.server.protocol.refusals import Declined
from gonfalon.server.storage import lobby as stored
from gonfalon.server.storage.deadlines import Reader
from gonfalon.server.storage.store import Statements

PATIENCE = 2
"""Matches that a person may leave early in a day without having to wait."""
PAUSE = 120
"""Seconds to wait after each further one."""


class EarlyLeaving:
    """A listener that notes who calls matches off, and remembers those of the present UTC day."""

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self._day = 0
        self._today: dict[str, list[int]] = {}
        """Unix seconds at which each person left, on `_day`."""

    async def start(self, store: Reader) -> None:
        """Load the matches left early today."""
        self._day = int(self._clock()) // stored.DAY
        for person, at in await asyncio.to_thread(stored.list_left_early, store, self._day):
            self._note(person, at)

    def prepare(self, fact: Fact) -> Statements:
        """Return the statement that notes who left a match early."""
        person = _find_leaver(fact)
        return (stored.write_left_early(fact.match.id, person, int(self._clock()), fact.match.rated),) if person else ()

    def publish(self, fact: Fact) -> None:
        """Remember who left a match early."""
        if person := _find_leaver(fact):
            self._note(person, int(self._clock()))

    def require_patience(self, person: str) -> None:
        """Check that a person may look for a match now. Raises `Declined`: `wait-to-seek`."""
        times, now = self._today.get(person, []), self._clock()
        if len(times) > PATIENCE and int(now) // stored.DAY == self._day and (rest := times[-1] + PAUSE - now) > 0:
            raise Declined("wait-to-seek", may_seek_in=math.ceil(rest))

    def _note(self, person: str, at: int) -> None:
        if at // stored.DAY != self._day:
            self._day = at // stored.DAY
            self._today.clear()
        self._today.setdefault(person, []).append(at)


def _find_leaver(fact: Fact) -> str:
    """Return the id of the person who called a match off; empty if nobody did."""
    if not isinstance(fact, Ended) or fact.called_off is None:
        return ""
    return fact.match.seats[fact.called_off].person


async def find_share_left(store: Reader, person: str, finished: int) -> float:
    """Return the share of a person's rated matches that the person left early, from 0 to 1. `finished`: number of the
    person's rated matches that count.
    """
    left = await asyncio.to_thread(stored.count_left_early, store, person)
    return left / (left + finished) if left else 0.0
