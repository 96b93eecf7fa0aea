"""Notices between the processes of a site, of changes to what others keep in memory."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any, Protocol

import sqlalchemy as sa

from gonfalon.server.bus.bus import Bus
from gonfalon.server.duties import FACT, Meeting
from gonfalon.server.lobby.sockets import LobbySockets
from gonfalon.server.match.registry import Registry
from gonfalon.server.match.sockets import MatchSockets
from gonfalon.server.people.people import People
from gonfalon.server.review.replay_cache import ReplayCache

log = logging.getLogger("gonfalon.nodes")
SESSION_ENDED, NAME_CHANGED, BLOCKS_CHANGED = "session-ended", "name-changed", "blocks-changed"
PERSON_DELETED, NAMES_ERASED = "person-deleted", "names-erased"


class Parts(Protocol):
    """The parts of the service that keep something in memory."""

    registry: Registry
    people: People
    meeting: Meeting
    match_sockets: MatchSockets
    lobby_sockets: LobbySockets
    replays: ReplayCache


class News:
    """Joins the parts of a service with the bus, in both directions."""

    def __init__(self, parts: Parts, bus: Bus) -> None:
        self._parts = parts
        self._tasks: set[asyncio.Task[None]] = set()
        self._bus = bus
        people = parts.people
        people.sessions.on_end.append(lambda session: bus.tell(SESSION_ENDED, session))
        people.directory.on_change.append(lambda person: bus.tell(NAME_CHANGED, person))
        people.blocks.on_change.append(lambda: bus.tell(BLOCKS_CHANGED))
        people.on_delete.append(lambda person: bus.tell(PERSON_DELETED, person))
        bus.on(SESSION_ENDED, self._end_session)
        bus.on(NAME_CHANGED, self._change_name)
        bus.on(BLOCKS_CHANGED, lambda _: self._spawn(people.blocks.start()))
        bus.on(PERSON_DELETED, self._delete_person)
        bus.on(NAMES_ERASED, lambda body: self.erase_here(*body))
        bus.on(FACT, parts.meeting.hear)
        bus.on_gap(lambda: self._spawn(self.read_missed()))

    async def close(self) -> None:
        """End all reading."""
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def erase(self, match: str, players: list[int]) -> None:
        """Forget the names that players of a match gave, wherever memory holds them."""
        self.erase_here(match, players)
        self._bus.tell(NAMES_ERASED, (match, players))

    def erase_here(self, match: str, players: list[int]) -> None:
        """Forget them in this process."""
        self._parts.registry.erase_names(match, players)
        self._parts.replays.drop(match)

    async def read_missed(self) -> None:
        """Drop everything in memory that another process may have changed, and read what is needed at once."""
        parts = self._parts
        parts.people.sessions.drop_all()
        parts.people.directory.forget_all()
        parts.registry.records.clear()
        parts.replays.clear()
        await parts.people.blocks.start()
        await parts.meeting.read_missed()
        sockets = (parts.match_sockets.let_in, parts.lobby_sockets.let_in)
        open_now = frozenset[str]().union(*(let_in.list_sessions() for let_in in sockets))
        for session in await parts.people.sessions.list_ended(open_now):
            self._end_session(session)

    def _end_session(self, session: str) -> None:
        self._parts.people.sessions.drop(session)
        self._parts.match_sockets.let_in.end(session)
        self._parts.lobby_sockets.let_in.end(session)

    def _change_name(self, person: str) -> None:
        self._parts.people.directory.forget(person)
        self._parts.registry.refresh_names(person)

    def _delete_person(self, person: str) -> None:
        self._parts.people.blocks.forget(person)
        self._parts.meeting.lobby.drop_person(person)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(_try(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


async def _try(work: Coroutine[Any, Any, None]) -> None:
    try:
        await work
    except sa.exc.SQLAlchemyError as error:
        log.warning("what other nodes changed is not read this time: %s", type(error).__name__)
