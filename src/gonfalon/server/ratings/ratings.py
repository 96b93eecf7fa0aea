"""The ratings of a server: a listener of matches, a task that computes ratings, and the answers about them."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime
from typing import Protocol

from gonfalon.server.clock.speed import Speed
from gonfalon.server.clock.times import Times
from gonfalon.server.match.public import Ended, Fact, Made
from gonfalon.server.protocol.rating_bodies import (
    CurvePoint,
    Leaderboard,
    LeaderboardEntry,
    MatchRatings,
    PersonRating,
    Pool,
    ShownRating,
)
from gonfalon.server.ratings import reading
from gonfalon.server.ratings.applying import Key, apply_next
from gonfalon.server.ratings.levels import list_ratings
from gonfalon.server.ratings.model import show
from gonfalon.server.ratings.rows import make_row, write_closed, write_open, write_row
from gonfalon.server.ratings.sweeping import FindEnd, add_row, find_candidates
from gonfalon.server.storage.kept import Kept
from gonfalon.server.storage.store import Statements, Store

log = logging.getLogger("gonfalon.ratings")
AGAIN = 5.0
"""Seconds until the next attempt when ratings could not be stored."""
MOST_KEPT = 20_000
"""Maximum number of ratings kept in memory for pairing."""


class Names(Protocol):
    """The part of the server that knows names of persons."""

    async def find(self, persons: Iterable[str]) -> Mapping[str, str | None]:
        """Return names by id: empty for a guest, None for a person who was deleted."""


class Ratings:
    """A `Listener` of the registry. Use: `await start()` after the store has started, at the end `await close()`."""

    def __init__(self, store: Store, find_end: FindEnd, names: Names, times: Times | None = None) -> None:
        self._store = store
        self._find_end = find_end
        self._names = names
        self._times = times or Times()
        self._kept = Kept[ShownRating](MOST_KEPT, MOST_KEPT)
        self._ended = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._closing = False

    # ---- facts of matches -------------------------------------------------------------------------------------

    def prepare(self, fact: Fact) -> Statements:
        """Return the statements for the row of a rated match."""
        match fact:
            case Made() if fact.match.rated:
                return write_open(fact.match.id)
            case Ended() if fact.match.rated:
                row = make_row(fact, self._find_day())
                return [*write_closed(fact.match.id), *(write_row(row) if row is not None else ())]
            case _:
                return ()

    def publish(self, fact: Fact) -> None:
        """Wake the task that computes ratings."""
        if isinstance(fact, Ended) and fact.match.rated:
            self.wake()

    def wake(self) -> None:
        """Look for matches that have ended."""
        self._ended.set()

    # ---- computing --------------------------------------------------------------------------------------------

    async def start(self) -> None:
        """Begin to compute ratings: first those of matches that ended before."""
        self._closing = False
        self._kept.clear()
        self._task = asyncio.create_task(self._work())

    async def close(self) -> None:
        """Stop computing. The next start goes on."""
        # A cancelled task would leave a thread that still reads from the store.
        self._closing = True
        self._ended.set()
        if self._task is not None:
            await asyncio.wait([self._task])  # which leaves it alone if this is cancelled
            self._task = None

    async def sweep(self) -> int:
        """Add the rows of matches that ended without one; see `sweeping`. Return their number."""
        added = 0
        for match in await find_candidates(self._store):
            if self._closing:
                break
            added += await add_row(self._store, self._find_end, match, self._find_day())
        return added

    async def catch_up(self) -> None:
        """Compute all ratings that follow from the stored rows. Raises `StoreError`."""
        while not self._closing and (changes := await apply_next(self._store)) is not None:
            for change in changes:
                self._kept.drop(change.key)
            for change in changes:
                stand = change.after
                self._kept.put(change.key, show(stand.rating, stand.matches), 1, self._kept.changes)

    async def _work(self) -> None:
        swept = False
        while not self._closing:
            self._ended.clear()
            try:
                if not swept:
                    await self.sweep()
                    swept = True
                await self.catch_up()
            except Exception:
                log.exception("ratings are not computed this time")
                await self._wait(AGAIN)
                continue
            await self._wait(None)

    async def _wait(self, seconds: float | None) -> None:
        """Wait for the end of a match, or for so long; not at all while closing."""
        if not self._closing:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._ended.wait(), seconds)

    # ---- answers ----------------------------------------------------------------------------------------------

    async def find(self, person: str, variant: str, speed: Speed, pool: Pool = "people") -> ShownRating | None:
        """Return a rating, and keep it for `peek`; None if the person has none."""
        key = Key(person, variant, speed, pool)
        since = self._kept.changes
        found = await asyncio.to_thread(reading.find, self._store, key)
        if found is not None:
            self._kept.put(key, found, 1, since)
        return found

    def peek(self, person: str, variant: str, speed: Speed, pool: Pool = "people") -> ShownRating | None:
        """Return a rating from memory. None: `find` has not read it lately, or the person has none."""
        return self._kept.get(Key(person, variant, speed, pool))

    async def describe(self, person: str) -> tuple[PersonRating, ...]:
        """Return all ratings of a person with their curves, the one with most matches first."""
        return await asyncio.to_thread(reading.describe, self._store, person)

    async def curve(self, person: str, variant: str, speed: Speed, pool: Pool = "people") -> tuple[CurvePoint, ...]:
        """Return the curve of one rating, the earliest day first; empty if there is none."""
        wanted = (variant, speed, pool)
        found = [each.curve for each in await self.describe(person) if (each.variant, each.speed, each.pool) == wanted]
        return found[0] if found else ()

    async def changes_of(self, match: str) -> MatchRatings:
        """Return the changes of ratings by a match; no change if it is not rated, or not over."""
        return await asyncio.to_thread(reading.list_changes, self._store, match)

    async def leaderboard(self, variant: str, pool: Pool, speed: Speed, today: date | None = None) -> Leaderboard:
        """Return the leaderboard of a game. Persons without a name are left out."""
        day = today or self._find_day()
        places = await asyncio.to_thread(reading.list_leaders, self._store, variant, pool, speed, day)
        names = await self._names.find(place.person for place in places)
        entries = (
            LeaderboardEntry(name, place.rating, place.day.isoformat())
            for place in places
            if (name := names.get(place.person))
        )
        return Leaderboard(variant, pool, speed, tuple(entries), list_ratings(variant))

    def forget(self, person: str) -> Statements:
        """Return the statements that remove a person from all answers. The rows of the matches stay, because the
        ratings of others follow from them.
        """
        return reading.write_unlisted(person)

    def _find_day(self) -> date:
        return datetime.fromtimestamp(self._times.system() / 1000, UTC).date()
