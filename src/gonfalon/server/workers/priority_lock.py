"""A lock that lets the most urgent in first."""

from __future__ import annotations

import asyncio
import heapq
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from enum import IntEnum
from itertools import count


class Urgency(IntEnum):
    """How urgent a question is; the lowest number goes first."""

    BEGUN = 0
    """A part of the decision has been made: whoever waits for it has waited before."""
    NEW = 1
    PATIENT = 2
    """Only when nobody else waits."""


class PriorityLock:
    """Lets one in at a time; of those who wait the most urgent one, and of equally urgent ones who came first."""

    def __init__(self) -> None:
        self._taken = False
        self._numbers = count()
        self._queue: list[tuple[Urgency, int, asyncio.Future[None]]] = []

    @asynccontextmanager
    async def hold(self, urgency: Urgency) -> AsyncIterator[None]:
        """The block is run when its turn has come."""
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
            if not turn.cancelled():  # its turn had come just before
                self._leave()
            raise

    def _leave(self) -> None:
        while self._queue:
            *_, turn = heapq.heappop(self._queue)
            if not turn.done():  # who waited may have been cancelled
                turn.set_result(None)
                return
        self._taken = False
