"""The lobby: the place where strangers meet. It joins queues, challenges and running matches with the pages."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

import sqlalchemy as sa

from gonfalon.server.config import Config
from gonfalon.server.lobby.challenging import Challenging
from gonfalon.server.lobby.early_leaving import EarlyLeaving
from gonfalon.server.lobby.outside import Matches, Ratings, Visitors
from gonfalon.server.lobby.quick_games import QUICK_GAMES
from gonfalon.server.lobby.seeking import Seeking
from gonfalon.server.lobby.tables import Tables
from gonfalon.server.lobby.watching import Watching
from gonfalon.server.lobby.windows import Changes, Window, Windows, encode
from gonfalon.server.match.public import Listeners
from gonfalon.server.net.rate_limits import RateLimiter
from gonfalon.server.protocol import lobby_messages as m
from gonfalon.server.protocol.messages import Message
from gonfalon.server.protocol.refusals import Declined
from gonfalon.server.storage.lobby import forget_person
from gonfalon.server.storage.store import Statements
from gonfalon.server.storage.writer import StoreError

log = logging.getLogger("gonfalon.lobby")
EVERY = 1.0
"""Seconds between two looks at the queues."""
CLEAR_EVERY = 3_600
"""Looks at the queues between two searches for old challenges and deleted matches."""

Handler = Callable[[Window, Any], Awaitable[None]]


class Lobby:
    """Use: give `listeners` to the registry, then `await start()`, at the end `await close()`."""

    def __init__(
        self,
        config: Config,
        matches: Matches,
        visitors: Visitors,
        ratings: Ratings,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.visitors = visitors
        self.windows = Windows()
        self._matches = matches
        self._acts = RateLimiter(config.lobby_rate, config.lobby_burst)
        self._changes = Changes(self.windows, self._complete)
        self._tasks: set[asyncio.Task[None]] = set()
        later = self._changes.note_later
        self.early, self.watching = EarlyLeaving(), Watching(visitors, ratings, self._spawn, later)
        self.tables = tables = Tables(matches, self.windows, clock)
        self.seeking = Seeking(matches, visitors, ratings, tables, self.early, self._spawn, later, clock)
        self.challenging = Challenging(
            config, matches, visitors, ratings, self.windows, self._changes, tables, self.seeking.drop
        )
        self._handlers: dict[type[Message], Handler] = {
            m.Seek: self.seeking.seek,
            m.StopSeeking: self.seeking.stop,
            m.FillTable: self.seeking.fill,
            m.PostChallenge: self.challenging.post,
            m.AcceptChallenge: self.challenging.accept,
            m.DeclineChallenge: self.challenging.decline,
            m.WithdrawChallenge: self.challenging.withdraw,
            m.CounterChallenge: self.challenging.counter,
        }
        self._counts = self.seeking.count()
        self._state, self._state_number = b"", -1

    @property
    def listeners(self) -> Listeners:
        """The listeners of the lobby, for the registry."""
        return self.early, self.watching

    async def start(self) -> None:
        """Load what is stored, and begin to pair people."""
        await self.early.start(self._matches.store)
        await self.watching.start(self._matches.store)
        await self.challenging.start()
        self._spawn(self._keep())

    async def close(self) -> None:
        """Stop pairing people."""
        self._changes.stop()
        tasks = tuple(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    # ---- pages ------------------------------------------------------------------------------------------------

    def enter(self, window: Window) -> None:
        """Add a page and send it everything that it shows."""
        self.windows.add(window)
        window.send(self._show())
        visitor = window.visitor
        window.tell(m.You(visitor is not None, visitor.name if visitor is not None else ""))
        self.challenging.greet(window)
        self.tables.greet(window)

    def leave(self, window: Window) -> None:
        """Remove a page that has closed. Its person waits no longer."""
        self.windows.remove(window)
        if window.person:
            self.seeking.leave(window)
            self.challenging.leave(window)

    def submit(self, window: Window, message: Message) -> None:
        """Handle a message after the earlier ones of the same page. Raises `Declined`: `too-many`."""
        if not self._acts.take(window.address):
            raise Declined("too-many", 429)
        window.keep(message)
        if not window.busy:
            window.busy = True
            self._spawn(self._serve(window))

    def forget(self, person: str) -> Statements:
        """Remove a person whose account is deleted. Return the statements that delete the person's rows."""
        self.drop_person(person)
        return forget_person(person)

    def drop_person(self, person: str) -> None:
        """Remove a person whose account is deleted from everything that all see."""
        self.seeking.drop(person)
        self.challenging.forget(person)

    async def read_missed(self) -> None:
        """Bring the running matches up to date with the tables, because facts of other nodes may have been missed."""
        await self.watching.start(self._matches.store)
        await self.watching.drop_deleted(self._matches.store)

    # ---- within -----------------------------------------------------------------------------------------------

    async def _serve(self, window: Window) -> None:
        """Handle the messages of a page until there is none."""
        try:
            while (message := window.next()) is not None:
                try:
                    await self._handlers[type(message)](window, message)
                except Declined as refusal:
                    window.refuse(refusal)
                except (StoreError, sa.exc.SQLAlchemyError):
                    log.exception("a message to the lobby is not handled")
                    window.refuse(Declined("broken", 500))
        finally:
            window.busy = False

    async def _keep(self) -> None:
        """Pair people again and again, because their windows of ratings widen. Remove what is old."""
        looks = 0
        while True:
            await asyncio.sleep(EVERY)
            looks += 1
            self.seeking.pair_all()
            if looks % CLEAR_EVERY == 0:
                await self._clear()

    async def _clear(self) -> None:
        try:
            await self.challenging.expire()
            await self.watching.drop_deleted(self._matches.store)
        except (StoreError, sa.exc.SQLAlchemyError):
            log.exception("the lobby is not cleared of old things this time")

    def _show(self) -> bytes:
        """Return the message with everything that all see. It is encoded only once until something changes."""
        if self._state_number != self._changes.number:
            self._state_number = self._changes.number
            challenges = tuple(challenge.show() for challenge in self.challenging.all.list_open())
            self._state = encode(m.Lobby(QUICK_GAMES, self.seeking.count(), challenges, self.watching.shown))
        return self._state

    def _complete(self, changes: Changes) -> None:
        """Add the counts and the running matches that have changed to an update for all."""
        counts = self.seeking.count()
        changes.waiting = {name: count for name, count in counts.items() if count != self._counts[name]}
        self._counts = counts
        changes.started, changes.ended = self.watching.find_changes()
        changes.number += 1

    def _spawn(self, work: Coroutine[object, object, None]) -> None:
        """Run a coroutine in a task, and log it if it fails."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._note_done)

    def _note_done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("a task of the lobby failed", exc_info=error)
