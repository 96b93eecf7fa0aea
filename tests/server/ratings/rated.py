"""Helpers for tests of ratings: rated matches as facts, without playing them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from pathlib import Path

import sqlalchemy as sa

from gonfalon.engine.game import Outcome
from gonfalon.server.clock.control import Bank, Control
from gonfalon.server.config import Config
from gonfalon.server.match.public import Ended, Made, PublicMatch, PublicSeat
from gonfalon.server.ratings.ratings import Ratings
from gonfalon.server.storage import tables
from gonfalon.server.storage.store import Store
from server.harness import find_database
from server.socketless import Clock

FAST = Bank(300, increment=3)


class Book:
    """Names of persons for a leaderboard: the id in capitals, and none for guests."""

    async def find(self, persons: Iterable[str]) -> Mapping[str, str | None]:
        return {person: "" if person.startswith("guest") else person.upper() for person in persons}


async def nothing(_match: str) -> Ended | None:
    """Find no end of a match."""
    return None


class Desk:
    """A store with ratings that compute only when a test says so, and facts that a test makes up."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.config = Config(data=folder, database=find_database(folder))
        self.store = Store(self.config.url)
        self.clock = Clock()
        self.ratings = Ratings(self.store, nothing, Book(), self.clock.times)
        self.made = 0

    async def tell(self, *facts: Made | Ended) -> None:
        """Store what the ratings want to store for each fact, each in its own transaction."""
        for fact in facts:
            await self.store.execute(self.ratings.prepare(fact))

    async def play(self, *persons: str, returns: Sequence[float] = (1, -1), variant: str = "duel") -> str:
        """Store one rated match of these persons and return its id."""
        self.made += 1
        name = f"match-{self.made}"
        await self.tell(ended(name, *map(seat_of, persons), returns=returns, variant=variant))
        return name

    async def dump(self) -> list[tuple[object, ...]]:
        """Return all ratings and all changes."""
        with self.store.read() as connection:
            return [
                tuple(row)
                for table in (tables.ratings, tables.rating_changes)
                for row in connection.execute(sa.select(table).order_by(*table.primary_key))
            ]

    def counter(self, name: str) -> int:
        with self.store.read() as connection:
            counters = tables.counters.c
            return connection.scalar(sa.select(counters.value).where(counters.name == name)) or 0

    def count(self, table: sa.Table) -> int:
        with self.store.read() as connection:
            return connection.scalar(sa.select(sa.func.count()).select_from(table)) or 0


def seat_of(person: str) -> PublicSeat:
    return PublicSeat(agent=person) if person.startswith("level-") else PublicSeat(person=person)


def ended(
    name: str,
    *seats: PublicSeat,
    returns: Sequence[float] = (1, -1),
    variant: str = "duel",
    clock: Control | None = FAST,
    listed: bool = True,
    rated: bool = True,
    counts: bool = True,
) -> Ended:
    """Return the end of a match."""
    match = PublicMatch(name, variant, {}, seats, 0, clock, listed, rated)
    return Ended(match, 9, Outcome(tuple(returns), "flag"), counts)


def work(folder: Path, script: Callable[[Desk], Awaitable[None]]) -> None:
    """Run a coroutine with a desk whose store is open."""

    async def whole() -> None:
        desk = Desk(folder)
        await desk.store.start()
        try:
            await script(desk)
        finally:
            await desk.ratings.close()
            await desk.store.close()

    asyncio.run(whole())
