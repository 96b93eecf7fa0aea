"""The running matches that everybody may watch, the strongest first."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine

import msgspec

from gonfalon.server.lobby.outside import Ratings, Visitors
from gonfalon.server.match.public import Ended, Fact, PublicMatch, PublicSeat, Started
from gonfalon.server.protocol.lobby_messages import RunningMatch, RunningSeat
from gonfalon.server.storage import lobby as stored
from gonfalon.server.storage.deadlines import Reader
from gonfalon.server.storage.store import Statements

log = logging.getLogger("gonfalon.lobby")
MOST_SHOWN = 50
"""Maximum number of running matches in the list."""
_decoder = msgspec.json.Decoder(PublicMatch)

Spawn = Callable[[Coroutine[object, object, None]], object]
"""Runs a coroutine in a task."""


class Watching:
    """A listener that keeps the list of running matches; a table keeps it while no server runs."""

    def __init__(self, visitors: Visitors, ratings: Ratings, spawn: Spawn, changed: Callable[[], None]) -> None:
        """`changed`: called when the list may have changed."""
        self._visitors = visitors
        self._ratings = ratings
        self._spawn = spawn
        self._changed = changed
        self._running: dict[str, RunningMatch | None] = {}
        """All of them, by id; None until their names and ratings are known."""
        self._shown: dict[str, RunningMatch] = {}

    async def start(self, store: Reader) -> None:
        """Load the matches that ran when the last server ended, or that are not known yet."""
        for body in await asyncio.to_thread(stored.list_listed, store):
            match = _decoder.decode(body)
            if match.id in self._running:
                continue
            self._running[match.id] = None
            await self._describe(match)
        self.find_changes()

    def prepare(self, fact: Fact) -> Statements:
        """Return the statements that keep the table up to date."""
        if not fact.match.listed:
            return ()
        if isinstance(fact, Started):
            return (stored.write_listed(fact.match.id, msgspec.json.encode(fact.match)),)
        return (stored.delete_listed(fact.match.id),) if isinstance(fact, Ended) else ()

    def publish(self, fact: Fact) -> None:
        """Add a match that has begun, or remove one that is over."""
        if not fact.match.listed:
            return
        if isinstance(fact, Started):
            self._running[fact.match.id] = None
            self._spawn(self._describe(fact.match))
        elif isinstance(fact, Ended):
            self.drop(fact.match.id)

    def drop(self, match: str) -> None:
        """Remove a match from the list; an unknown id is no error."""
        if self._running.pop(match, None) is not None:
            self._changed()

    async def drop_deleted(self, store: Reader) -> None:
        """Remove matches that were deleted while they ran."""
        known = tuple(self._running)
        stored_now = await asyncio.to_thread(stored.list_listed, store)
        left = {_decoder.decode(body).id for body in stored_now}
        for match in known:
            if match not in left:
                self.drop(match)

    @property
    def shown(self) -> tuple[RunningMatch, ...]:
        """The list as all pages have it."""
        return tuple(self._shown.values())

    def find_changes(self) -> tuple[tuple[RunningMatch, ...], tuple[str, ...]]:
        """Bring the list up to date. Return the matches that are new in it, and the ids of those that have left."""
        known = [match for match in self._running.values() if match is not None]
        known.sort(key=lambda match: -match.strength)
        now = {match.id: match for match in known[:MOST_SHOWN]}
        before, self._shown = self._shown, now
        new = tuple(match for match in now.values() if match.id not in before)
        return new, tuple(match for match in before if match not in now)

    async def _describe(self, match: PublicMatch) -> None:
        """Add names and ratings to a match, and show it if it still runs."""
        names = await self._visitors.list_names([seat.person for seat in match.seats if seat.person])
        seats = [await self._describe_seat(match, seat, names.get(seat.person, "")) for seat in match.seats]
        if match.id not in self._running:
            return
        strength = sum(seat.rating or 0 for seat in seats) // len(seats)
        self._running[match.id] = RunningMatch(
            match.id, match.variant, match.changed, tuple(seats), match.clock, match.rated, strength
        )
        self._changed()

    async def _describe_seat(self, match: PublicMatch, seat: PublicSeat, name: str) -> RunningSeat:
        found = None
        if seat.person and match.clock is not None:
            found = await self._ratings.find(seat.person, match.variant, match.clock)
        if found is None:
            return RunningSeat(name or seat.name, seat.agent)
        return RunningSeat(name or seat.name, seat.agent, found.rating, found.provisional)
