"""The statements on the tables `workers` and `questions`, and the connection that runs them.

Times are those of the database's clock. A worker counts as gone when its connection has ended, as at once if it is
killed, or when its row is not renewed for `GONE`; a question after `UNWANTED`, because nobody waits for its answer.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from typing import Any

import psycopg

from gonfalon.server.bus.channel import connect

log = logging.getLogger("gonfalon.thinking")
CHANNEL = "gonfalon-thinking"
"""Channel of notices about questions: `ASKED`, or `ANSWERED` and the id of the question."""
ASKED, ANSWERED = "?", "!"
GONE = 2.0
"""Seconds after which a worker whose row is not renewed counts as gone, and others take its questions: its machine may
have died, or the network.
"""
RENEW = 0.5
"""Seconds between two renewals of a worker's row."""
UNWANTED = 4.0
"""Seconds after which no worker takes a question that its server has not renewed."""
LOYALTY = 1.0
"""Seconds for which a question waits for the worker whose agent remembers the match, before any other may take it."""
_ALIVE = f"seen > now() - interval '{GONE} s' AND EXISTS (SELECT FROM pg_stat_activity WHERE pid = backend)"
_LIVING = f"SELECT name FROM workers WHERE {_ALIVE}"  # noqa: S608 - nothing of it comes from outside

RENEW_WORKER = """
INSERT INTO workers (name, seen, backend, processes, version, agents)
VALUES (%(name)s, now(), pg_backend_pid(), %(processes)s, %(version)s, %(agents)s)
ON CONFLICT (name) DO UPDATE SET seen = now(), backend = excluded.backend, processes = excluded.processes
"""
REMOVE_WORKER = "DELETE FROM workers WHERE name = %(name)s"
LIST_WORKERS = f"SELECT name, processes, version, agents FROM workers WHERE {_ALIVE} ORDER BY name"  # noqa: S608
FORGET_OLD = (
    "DELETE FROM workers WHERE seen < now() - interval '60 s'",
    "DELETE FROM questions WHERE seen < now() - interval '10 s'",
)

ASK = """
INSERT INTO questions (id, asker, version, agent, slot, urgency, prefer, asked, seen, body)
VALUES (%(id)s, %(asker)s, %(version)s, %(agent)s, %(slot)s, %(urgency)s, %(prefer)s, now(), now(), %(body)s)
"""
RENEW_QUESTIONS = """
UPDATE questions SET seen = now() WHERE asker = %(asker)s AND id = ANY(%(ids)s)
RETURNING id, worker, answer IS NOT NULL
"""
FETCH = "DELETE FROM questions WHERE id = %(id)s AND answer IS NOT NULL RETURNING worker, answer"
DROP = "DELETE FROM questions WHERE id = ANY(%(ids)s)"

TAKE = f"""
UPDATE questions SET worker = %(name)s WHERE id = (
    SELECT id FROM questions AS q
    WHERE version = %(version)s AND answer IS NULL AND seen > now() - interval '{UNWANTED} s'
    AND slot %% %(processes)s = ANY(%(free)s) AND (agent = '' OR agent = ANY(%(agents)s))
    AND id <> ALL(%(held)s) AND (worker IS NULL OR worker = %(name)s OR worker NOT IN ({_LIVING}))
    AND (prefer IS NULL OR prefer = %(name)s OR asked < now() - interval '{LOYALTY} s' OR prefer NOT IN ({_LIVING}))
    ORDER BY urgency, asked, id LIMIT 1 FOR UPDATE OF q SKIP LOCKED)
RETURNING id, slot, urgency, body,
    (SELECT count(*) FROM questions WHERE answer IS NULL AND urgency < %(patient)s AND version = %(version)s),
    (SELECT coalesce(sum(processes), 0) FROM workers WHERE {_ALIVE} AND version = %(version)s)
"""  # noqa: S608 - nothing of it comes from outside
ANSWER = """
UPDATE questions SET answer = %(answer)s WHERE id = %(id)s AND worker = %(name)s AND answer IS NULL RETURNING id
"""
NOTIFY = f"SELECT pg_notify('{CHANNEL}', '{ASKED}')"
GIVE_BACK = "UPDATE questions SET worker = NULL WHERE worker = %(name)s AND answer IS NULL"


class Connection:
    """A connection that is opened again after an error. One statement runs at a time, each a transaction of its own
    that waits for no disk.
    """

    def __init__(self, url: str, name: str = "gonfalon") -> None:
        """`name`: of the connection, as PostgreSQL lists it."""
        self._url, self._name = url, name
        self._connection: psycopg.AsyncConnection[tuple[Any, ...]] | None = None
        self._lock = asyncio.Lock()
        self._fails = False
        """Whether the last statement failed."""

    async def run(self, statement: str, values: Mapping[str, Any] | None = None) -> list[tuple[Any, ...]]:
        """Run a statement, and return its rows. If the caller is cancelled, the statement still runs to its end. Raises
        `psycopg.Error`.
        """
        running = asyncio.ensure_future(self._run(statement, values))
        running.add_done_callback(lambda done: done.cancelled() or done.exception())  # also if nobody waits any more
        return await asyncio.shield(running)

    async def close(self) -> None:
        async with self._lock:
            await self._drop()

    async def _run(self, statement: str, values: Mapping[str, Any] | None) -> list[tuple[Any, ...]]:
        async with self._lock:
            try:
                if self._connection is None:
                    self._connection = await connect(self._url, self._name)
                    await self._connection.execute("SET synchronous_commit = off")
                cursor = await self._connection.execute(statement, values)
                rows = await cursor.fetchall() if cursor.description else []
            except BaseException as error:
                self._report(error)
                await self._drop()
                raise
            self._fails = False
            return rows

    def _report(self, error: BaseException) -> None:
        """Log the first of the errors in a row."""
        if not self._fails:
            log.warning("questions to workers wait: the database gives %s", type(error).__name__)
        self._fails = True

    async def _drop(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            await connection.close()
