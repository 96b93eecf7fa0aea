"""Deadlines of all matches of a server, and the matches that stay in memory while their clocks run.

Nobody pays for time in which no server ran: once a minute the server stores that it is up, and a start adds the time
since then to all deadlines. Jumps of the system clock are treated in the same way.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable
from typing import Protocol

import sqlalchemy as sa

from gonfalon.server.clock.deadline import JumpWatch, find_down_time
from gonfalon.server.clock.times import Times
from gonfalon.server.match.clocks.timing import Timing
from gonfalon.server.match.owning import ElsewhereError
from gonfalon.server.protocol.refusals import Declined
from gonfalon.server.storage import deadlines
from gonfalon.server.storage.store import Store
from gonfalon.server.storage.writer import StoreError

log = logging.getLogger("gonfalon.deadlines")
EVERY = 5.0
"""Seconds between two searches for deadlines that have passed."""
UP_EVERY = 60_000
"""Milliseconds between two stored times at which the server is up."""
MOST_PAST = 100
"""Maximum number of matches opened in one search."""
A_SECOND = 50
"""Matches loaded in one second after a start."""


class Timed(Protocol):
    """A match whose time may be over."""

    @property
    def timing(self) -> Timing: ...

    def check_time(self) -> None:
        """End the time of the players who are late, and let computer players go on."""


Find = Callable[[str], Awaitable[Timed]]


class Deadlines:
    """Use: first `await start()`, then `keep` in a task of its own."""

    def __init__(self, store: Store, times: Times) -> None:
        self.times = times
        self._store = store
        self._watch = JumpWatch(times.system, times.monotonic)
        self.up = 0
        """The latest time that was stored, in Unix milliseconds. No deadline begins earlier."""
        self._running: list[str] = []
        """Matches to load after the start."""
        self._broken: set[str] = set()
        """Matches that cannot be loaded. They are not tried again."""
        self.looks = False
        """Whether this process looks after the deadlines of matches that sleep: of nodes only one does."""

    async def start(self, others_run: bool = False) -> None:
        """Add the time in which no server ran to all deadlines, and look after them. `others_run`: whether another node
        ran meanwhile. Raises `StoreError`.
        """
        up, now = await asyncio.to_thread(deadlines.read_up, self._store), self.times.system()
        statements = [*deadlines.write_up(max(up, now))]
        if up and not others_run and (down := find_down_time(up, now)):
            statements.insert(0, deadlines.write_extension(up, down))
        await self._store.execute(statements)
        self.up = max(up, now)
        self.looks = True
        await self.load_running()

    async def load_running(self) -> None:
        """Load all matches soon whose clocks run, but those of other nodes."""
        self._running = await asyncio.to_thread(deadlines.list_running, self._store)

    async def keep(self, find: Find, live: Callable[[], Iterable[Timed]]) -> None:
        """Load the matches whose clocks ran; then end the time of players who are late, until cancelled. `live`: the
        matches in memory.
        """
        while True:
            while self._running and await self._check(find, self._running.pop()):
                await asyncio.sleep(1 / A_SECOND)
            try:
                await self.look(find, live)
            except (StoreError, sa.exc.SQLAlchemyError) as error:
                log.warning("deadlines are not checked this time: %s", type(error).__name__)
            await asyncio.sleep(EVERY)

    def load_again(self, match: str) -> None:
        """Load a match soon whose task has failed, because its clock may run."""
        self._running.append(match)

    async def look(self, find: Find, live: Callable[[], Iterable[Timed]]) -> None:
        """Correct all deadlines for a jump of the system clock, store that the server is up, and end the time of
        players who are late. A node that does not look after deadlines corrects only those of its matches in memory.
        """
        before = self._watch.last
        jump = self._watch.check()
        if jump:
            for each in live():
                each.timing.extend(before, jump)
        if not self.looks:
            return
        if jump:
            await self._store.execute((deadlines.write_extension(before, jump), *deadlines.write_up(self._watch.last)))
            self.up = self._watch.last
        elif self._watch.last >= self.up + UP_EVERY:
            await self._store.execute(deadlines.write_up(self._watch.last))
            self.up = self._watch.last
        now = self.times.system()
        for match in await asyncio.to_thread(deadlines.list_past, self._store, now, MOST_PAST + len(self._broken)):
            if match not in self._broken and not await self._check(find, match):
                return

    async def _check(self, find: Find, match: str) -> bool:
        """Load a match if necessary, and end the time of players who are late. Return whether the database answers."""
        try:
            (await find(match)).check_time()
        except (Declined, ElsewhereError):
            pass  # the match was deleted meanwhile, or belongs to another node
        except (StoreError, sa.exc.SQLAlchemyError) as error:
            log.warning("match %s is loaded later: %s", match, type(error).__name__)
            self._running.append(match)
            return False
        except Exception:
            log.exception("match %s cannot be loaded, so its time is not checked", match)
            self._broken.add(match)
        return True


class RunningMatches:
    """Counts the matches that stay in memory because their clocks run, so that nobody fills it."""

    def __init__(self, most: int, most_of_address: int) -> None:
        self._most = most
        self._most_of_address = most_of_address
        self._addresses: dict[str, str] = {}
        """The address whose client started the first clock, by match."""
        self._counts = Counter[str]()

    def take(self, match: str, address: str) -> None:
        """Count a match whose first clock starts. `address`: of the client that comes last; empty after a start of the
        server. Raises `Declined`: `busy`.
        """
        if match in self._addresses:
            return
        full = len(self._addresses) >= self._most or self._counts[address] >= self._most_of_address
        if address and full:
            raise Declined("busy", 503)
        self._addresses[match] = address
        self._counts[address] += 1

    def release(self, match: str) -> None:
        """Forget a match whose clocks run no longer."""
        address = self._addresses.pop(match, None)
        if address is not None:
            self._counts[address] -= 1
            if not self._counts[address]:
                del self._counts[address]
