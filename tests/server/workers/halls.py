"""A database of PostgreSQL with a server's end and workers, in the test's own process. Their processes run a small
program instead of agents.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import numpy as np
import psycopg
import pytest
import sqlalchemy as sa

from gonfalon.engine.view import View
from gonfalon.server.storage.store import Store
from gonfalon.server.workers.priority_lock import Urgency
from gonfalon.server.workers.remote.answering import Worker
from gonfalon.server.workers.remote.asking import RemoteWorkers
from gonfalon.server.workers.requests import AgentRequest, Job, News
from server.harness import DATABASE, find_database
from server.workers.test_pool import command

ON_POSTGRES = pytest.mark.skipif(not DATABASE, reason="a test of PostgreSQL: make test-postgres")
VIEW = View(np.zeros(1, np.dtype([("legal", "i4", 2)])), 0, "barrage")


def request(match: str = "m", first: int = 0) -> AgentRequest:
    return AgentRequest(match, "barrage", {}, "random", VIEW, News(first, first + 1, ()))


SLOW = 'time.sleep(1.5) if verb == "act" else None\n'
ECHO = 'answer = [] if verb == "load" else [int(sys.argv[1]), job.request.news.first]'
"""Work of an agent that answers its number, and the first step of the news."""
END_CONNECTIONS = """
SELECT pg_terminate_backend(pid) FROM pg_stat_activity
WHERE application_name LIKE 'gonfalon%' AND datname = current_database()
"""
MEMORY = """
known = globals().setdefault("known", {})
news = job.request.news
answer = []
if verb == "act":
    knows = news.first in (0, known.get(job.request.match))
    answer = [int(sys.argv[1]), news.first] if knows else None
    known[job.request.match] = news.end if knows else 0
"""
"""Work of an agent that does the same, if it knows all events before the news."""


class Hall:
    """A database with a server's end and workers that play for it."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.asker = RemoteWorkers(self.url, 5, 30, alone=True)
        self.workers: dict[int, Worker] = {}
        self._ends: dict[int, asyncio.Event] = {}
        self._tasks: dict[int, asyncio.Task[None]] = {}

    def work(self, number: int, work: str = ECHO, processes: int = 1) -> Worker:
        """Start a worker whose agents know its number."""
        self._ends[number] = asyncio.Event()
        self.workers[number] = Worker(self.url, processes, command(work, number), 5, 30)
        self._tasks[number] = asyncio.create_task(self.workers[number].run(self._ends[number]))
        return self.workers[number]

    async def arrive(self, number: int, work: str = ECHO, processes: int = 1) -> Worker:
        """Start a worker, and wait until the server knows it."""
        worker = self.work(number, work, processes)
        await self.until(lambda: worker.name in self.asker._living)
        return worker

    async def end(self, number: int) -> None:
        """End a worker as SIGTERM does."""
        self._ends[number].set()
        await self._tasks[number]

    def cut_off(self, number: int) -> Callable[[], None]:
        """Take a worker's database away, as a pause or a dead line does. Return the way to give it back."""
        connection = self.workers[number]._connection
        run = connection.run

        async def fail(*_: object) -> None:
            raise psycopg.OperationalError("cut off")

        connection.run = fail  # type: ignore[method-assign,assignment]

        def give_back() -> None:
            connection.run = run  # type: ignore[method-assign]

        return give_back

    async def ask(self, match: str = "m", first: int = 0, urgency: Urgency = Urgency.NEW) -> Any:
        return await self.asker.ask(Job("act", request(match, first), 1.0), urgency, lambda: True)

    async def run(self, statement: str) -> list[tuple[Any, ...]]:
        async with await psycopg.AsyncConnection.connect(plain(self.url), autocommit=True) as connection:
            cursor = await connection.execute(statement)
            return await cursor.fetchall() if cursor.description else []

    async def until(self, condition: Callable[[], bool]) -> None:
        async with asyncio.timeout(60):
            while not condition():
                await asyncio.sleep(0.02)

    async def until_rows(self, count: int, condition: str = "true") -> None:
        """Wait until the table has so many questions of a kind."""
        async with asyncio.timeout(60):
            while len(await self.run(f"SELECT 1 FROM questions WHERE {condition}")) != count:
                await asyncio.sleep(0.02)

    async def until_taken(self) -> None:
        """Wait until a question has been taken and not answered."""
        await self.until_rows(1, "worker IS NOT NULL AND answer IS NULL")

    async def close(self) -> None:
        await self.asker.close()
        for number in self._ends:
            self._ends[number].set()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)


def plain(url: str) -> str:
    return sa.make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)


def play(folder: Path, script: Callable[[Hall], Awaitable[None]], url: str = "") -> None:
    """Run a script in the database of a folder, or in another one."""

    async def whole() -> None:
        address = url or find_database(folder)
        await prepare(address)
        hall = Hall(address)
        await hall.asker.start()
        try:
            await script(hall)
        finally:
            await hall.close()

    asyncio.run(whole())


async def prepare(url: str) -> None:
    """Make the tables."""
    store = Store(url)
    await store.start()
    await store.close()
