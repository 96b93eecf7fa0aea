"""A channel of PostgreSQL's LISTEN and NOTIFY. Notices are not stored: who is not connected misses them."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable
from typing import Any

import psycopg
import sqlalchemy as sa

from gonfalon.server.config import NOTICE_SILENCE

log = logging.getLogger("gonfalon.bus")
MOST_BYTES = 7_900
"""Maximum size of a notice; PostgreSQL takes less than 8,000 bytes."""
AGAIN = 1.0
"""Seconds until the next attempt after a lost connection."""
QUIET = 5.0
"""Seconds without a notice after which the connection is tested."""


async def connect(url: str, name: str = "gonfalon") -> psycopg.AsyncConnection[tuple[object, ...]]:
    """Return a connection of its own, each statement of which is a transaction. It notices within seconds that the
    network drops everything. `name`: as PostgreSQL lists it. Raises `psycopg.Error`.
    """
    parsed = sa.make_url(url)
    _, given = parsed.get_dialect()().create_connect_args(parsed)
    options: dict[str, Any] = {**NOTICE_SILENCE, **given}
    return await psycopg.AsyncConnection.connect(**options, autocommit=True, application_name=name)


class Channel:
    """Hears one channel and writes to it, each on a connection of its own: neither stores moves, so no commit waits
    for a notice. Use: `await start()`, then `send`, at the end `await close()`.
    """

    def __init__(
        self,
        url: str,
        channel: str,
        hear: Callable[[str], None],
        missed: Callable[[], None] = lambda: None,
        name: str = "gonfalon",
    ) -> None:
        """`hear`: called with each notice, the own ones too; `missed`: called when the channel is heard again after a
        lost connection, because notices may be missing; `name`: of the connections, as PostgreSQL lists them.
        """
        self._url, self._channel, self._name = url, channel, name
        self._hear, self._missed = hear, missed
        self._queue: asyncio.Queue[str] = asyncio.Queue()
        self._listening = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        """Return when the channel is heard, or after a few seconds without a database."""
        self._tasks = [asyncio.create_task(self._keep_listening()), asyncio.create_task(self._keep_sending())]
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._listening.wait(), QUIET)

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def send(self, notice: str) -> None:
        """Send a notice soon. Raises `ValueError` if it is too large."""
        if len(notice.encode()) > MOST_BYTES:
            raise ValueError(f"a notice has at most {MOST_BYTES} bytes")
        self._queue.put_nowait(notice)

    async def _keep_listening(self) -> None:
        heard_before = False
        while True:
            try:
                async with await connect(self._url, self._name) as connection:
                    await connection.execute(f'LISTEN "{self._channel}"')
                    self._listening.set()
                    if heard_before:
                        self._missed()
                    heard_before = True
                    await self._listen(connection)
            except (psycopg.Error, OSError) as error:
                log.warning("the channel %s is not heard: %s", self._channel, type(error).__name__)
            await asyncio.sleep(AGAIN)

    async def _listen(self, connection: psycopg.AsyncConnection[tuple[object, ...]]) -> None:
        while True:
            async for notice in connection.notifies(timeout=QUIET):
                self._hear(notice.payload)
            await connection.execute("SELECT 1")

    async def _keep_sending(self) -> None:
        notice = ""
        while True:
            try:
                async with await connect(self._url, self._name) as connection:
                    while True:
                        notice = notice or await self._queue.get()
                        await connection.execute("SELECT pg_notify(%s, %s)", (self._channel, notice))
                        notice = ""
            except (psycopg.Error, OSError) as error:
                log.warning("the channel %s takes no notices: %s", self._channel, type(error).__name__)
            await asyncio.sleep(AGAIN)
