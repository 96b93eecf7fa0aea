"""People and ratings as the lobby knows them. The packages do not import one another; this module joins them."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping, Sequence

from gonfalon.server.clock.control import Control
from gonfalon.server.clock.speed import speed_of
from gonfalon.server.lobby.outside import Visitor
from gonfalon.server.people.people import People
from gonfalon.server.people.rows import find_account
from gonfalon.server.protocol.rating_bodies import ShownRating
from gonfalon.server.ratings.ratings import Ratings
from gonfalon.server.storage.store import Store


class PeopleOfLobby:
    """The lobby's `Visitors`."""

    def __init__(self, people: People, store: Store) -> None:
        self._people = people
        self._store = store

    async def recognise(self, cookies: Sequence[str], secure: bool) -> Visitor | None:
        """Return the visitor of the `Cookie` headers of a request; None without a session."""
        session = await self._people.recognise(cookies, secure)
        if session is None:
            return None
        name = (await self._people.directory.find((session.person,)))[session.person] or ""
        return Visitor(session.person, name, bool(name), session.hash)

    async def find_person(self, name: str) -> str | None:
        """Return the id of an account by its name; None if there is none."""
        found = await asyncio.to_thread(find_account, self._store, name)
        return None if found is None else found.id

    async def list_names(self, persons: Collection[str]) -> Mapping[str, str]:
        """Return the account names of persons; guests and unknown ids are missing."""
        return {person: name for person, name in (await self._people.directory.find(persons)).items() if name}

    def is_blocked(self, one: str, other: str) -> bool:
        """Return whether either of two persons has blocked the other."""
        return self._people.blocks.is_blocked(one, other)


class RatingsOfLobby:
    """The lobby's `Ratings`: those among people."""

    def __init__(self, ratings: Ratings) -> None:
        self._ratings = ratings

    async def find(self, person: str, variant: str, clock: Control) -> ShownRating | None:
        """Return the rating that is shown for a person in a variant at the speed of a clock; None if there is none."""
        speed = speed_of(clock)
        if speed is None:
            return None
        return self._ratings.peek(person, variant, speed) or await self._ratings.find(person, variant, speed)
