"""The duties that one process has at a time: the meeting place of strangers with the ratings, and the upkeep of what
sleeps. A single process has both; of nodes, whoever holds the job (`cluster.jobs`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import msgspec

from gonfalon.server.bus.bus import Bus
from gonfalon.server.lobby.lobby import Lobby
from gonfalon.server.match.public import Ended, Fact, Listener, Listeners, Started, prepare_all, publish_all
from gonfalon.server.match.registry import Registry
from gonfalon.server.net.web_sockets import TRY_AGAIN
from gonfalon.server.people.people import People
from gonfalon.server.ratings.ratings import Ratings
from gonfalon.server.storage.store import Statements

FACT = "fact"
"""Topic of facts of matches on the bus."""
_KINDS: dict[str, type[Fact]] = {kind.__name__: kind for kind in (Started, Ended)}


class Meeting:
    """The lobby and the ratings: a listener of matches, and a job. Facts of matches of other nodes come by the bus."""

    name = "meeting"

    def __init__(
        self, make_lobby: Callable[[], Lobby], ratings: Ratings, seats: Listener, bus: Bus, *, is_open: bool
    ) -> None:
        """`is_open`: whether facts belong here although `start` was not called yet; in a single process."""
        self._make_lobby = make_lobby
        self.lobby = make_lobby()
        self._ratings = ratings
        self._seats = seats
        self._bus = bus
        self.open = is_open
        """Whether people meet here."""

    async def start(self) -> None:
        """Begin to compute ratings and to pair people."""
        await self._ratings.start()
        await self.lobby.start()
        self.open = True

    async def close(self) -> None:
        """Stop both. The pages in the lobby come again, and find it elsewhere."""
        self.open = False
        lobby, self.lobby = self.lobby, self._make_lobby()
        for window in lobby.windows.list_all():
            window.close(TRY_AGAIN)
        await lobby.close()
        await self._ratings.close()

    def prepare(self, fact: Fact) -> Statements:
        """Return the statements that are stored with a fact. They depend on nothing in memory."""
        return prepare_all(self._listeners, (fact,))

    @property
    def _listeners(self) -> Listeners:
        return self._seats, self._ratings, *self.lobby.listeners

    def publish(self, fact: Fact) -> None:
        """Tell a fact to the lobby and the ratings, wherever they are."""
        if self.open:
            publish_all(self._listeners, (fact,))
        elif isinstance(fact, Ended) or (isinstance(fact, Started) and fact.match.listed):
            self._bus.tell(FACT, {"kind": type(fact).__name__, "fact": fact})

    def hear(self, body: Any) -> None:
        """Take over a fact of another node."""
        if self.open:
            self.publish(msgspec.convert(body["fact"], _KINDS[body["kind"]]))

    def forget(self, person: str) -> Statements:
        """Return the statements by which the lobby forgets a deleted person."""
        return self.lobby.forget(person)

    async def read_missed(self) -> None:
        """Read the tables anew, because facts of other nodes may have been missed."""
        if self.open:
            self._ratings.wake()
            await self.lobby.read_missed()


class Upkeep:
    """Deadlines of matches that sleep, deletion of old matches, and of guests whom nobody uses: a job."""

    name = "upkeep"

    def __init__(self, registry: Registry, people: People, others_run: Callable[[], bool]) -> None:
        """`others_run`: blocks; returns whether other nodes are alive."""
        self._registry = registry
        self._people = people
        self._others_run = others_run

    async def start(self) -> None:
        """Begin with both."""
        await self._registry.begin_upkeep(await asyncio.to_thread(self._others_run))
        self._people.begin_upkeep()

    async def close(self) -> None:
        await self._people.end_upkeep()
        await self._registry.end_upkeep()
