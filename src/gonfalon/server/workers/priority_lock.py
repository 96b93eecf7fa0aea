"""A lock that the most urgent waiting caller gets first."""

from __future__ import annotations

import asyncio
import heapq
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from enum import IntEnum
from itertools import count


class Urgency(IntEnum):
    """Urgency of a question; the lowest number goes first."""

    BEGUN = 0
    """A part of the decision was already made: its player has already waited."""
    NEW = 1
    PATIENT = 2
    """Goes only when no other question waits."""


class PriorityLock:
    """Lets one caller in at a time: the most urgent one that waits; among equally urgent ones, the first."""

    def __init__(self) -> None:
        self._taken = False
        self._numbers = count()
        self._queue: list[tuple[Urgency, int, asyncio.Future[None]]] = []

    @asynccontextmanager
    async def hold(self, urgency: Urgency) -> AsyncIterator[None]:
        """Run the block when it is this caller's turn."""
        await self._enter(urgency)
        try:
            yield
        finally:
            self._leave()

    async def _enter(self, urgency: Urgency) -> None:
        if not self._taken:
            self._taken = True
            return
        turn = asyncio.get_running_loop().create_future()
        heapq.heappush(self._queue, (urgency, next(self._numbers), turn))
        try:
            await turn
        except asyncio.CancelledError:
            if not turn.cancelled():  # the caller already has the lock
                self._leave()
            raise

    def _leave(self) -> None:
        while self._queue:
            *_, turn = heapq.heappop(self._queue)
            if not turn.done():  # a cancelled caller no longer waits
                turn.set_result(None)
                return
        self._taken = False
