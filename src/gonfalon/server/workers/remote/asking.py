"""The server's end: it writes questions into the table and waits for their answers.

Each second it renews the rows of its questions. A row that is missing then (PostgreSQL empties the table after a crash)
is written again under a new id, so an answer to the old one finds nobody.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import time
from collections import OrderedDict
from typing import Any

import psycopg

import gonfalon
from gonfalon.ai import agents
from gonfalon.server.bus.channel import Channel
from gonfalon.server.workers.pool import (
    AgentError,
    HistoryMissingError,
    LoadError,
    NoWorkerError,
    OutdatedError,
    UnknownAgentError,
    Wanted,
    find_slot,
)
from gonfalon.server.workers.priority_lock import Urgency
from gonfalon.server.workers.remote import statements as sql
from gonfalon.server.workers.remote.encoding import EncodingError, Reply, decode_reply, decode_value, encode_job
from gonfalon.server.workers.requests import Job

log = logging.getLogger("gonfalon.thinking")
EVERY = 1.0
"""Seconds between two looks at the questions that wait, and at the workers."""
LAST = 2.0
"""Maximum number of seconds for dropping questions at the end."""
MOST_HOMES = 10_000
"""Maximum number of matches whose worker is remembered."""
SLACK = 5.0
"""Seconds that a worker may need beyond its own limits."""


class _Pending:
    """A question without an answer yet."""

    def __init__(self, job: Job, urgency: Urgency, wanted: Wanted) -> None:
        self.job, self.urgency, self.wanted = job, urgency, wanted
        self.body = encode_job(job)
        self.done: asyncio.Future[tuple[str, Reply]] = asyncio.get_running_loop().create_future()
        """Gets the name of the worker, and its answer."""
        self.id = ""
        self.written = self.busy = False
        """Whether the row is there, and whether it is being written or its answer is being read."""
        self.worker: str | None = None
        """The worker that has taken the question."""
        self.since = time.monotonic()
        """Moment from which the present worker, or the absence of one, lasts."""

    def note_worker(self, worker: str | None) -> None:
        if worker != self.worker:
            self.worker, self.since = worker, time.monotonic()

    def fail(self, error: Exception) -> None:
        if not self.done.done():
            self.done.set_exception(error)


class RemoteWorkers:
    """The workers of other machines. Use: first `await start()`, at the end `await close()`."""

    def __init__(self, url: str, budget: float, start: float, *, alone: bool) -> None:
        """`budget`, `start`: as for `AgentPool`; `alone`: nobody else can answer, so questions wait for a worker."""
        self._connection = sql.Connection(url)
        self._channel = Channel(url, sql.CHANNEL, self._hear, self._look_soon)
        self._patience = start + budget + SLACK
        self._alone = alone
        self._asker = secrets.token_hex(8)
        self._living: dict[str, frozenset[str]] = {}
        """Agents of each worker that can be asked now."""
        self._ending: frozenset[str] = frozenset()
        """Workers that finish what they have begun and take nothing new."""
        self._others: frozenset[str] = frozenset()
        """Workers of other versions."""
        self._homes: OrderedDict[str, str] = OrderedDict()
        """The worker whose agents remember a match."""
        self._pending: dict[str, _Pending] = {}
        """Questions by id."""
        self._looking = asyncio.Event()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._watching: asyncio.Task[None] | None = None

    @property
    def living(self) -> int:
        """Number of workers that can be asked now."""
        return len(self._living)

    @property
    def waiting(self) -> int:
        """Number of questions that no worker has taken yet."""
        return sum(pending.worker is None for pending in tuple(self._pending.values()))

    async def start(self) -> None:
        """Find the workers, and listen for answers."""
        with contextlib.suppress(psycopg.Error, OSError):
            await self._look_at_workers()
        await self._channel.start()
        self._watching = asyncio.create_task(self._keep_looking())

    async def close(self) -> None:
        """Drop all questions."""
        if self._watching is not None:
            self._watching.cancel()
        self._spawn(self._drop(list(self._pending)))
        await asyncio.wait(self._tasks, timeout=LAST)
        await self._channel.close()
        await self._connection.close()

    def plays(self, agent: str) -> bool:
        """Return whether a worker plays an agent now; for "", whether there is a worker."""
        return any(not agent or agent in played for played in self._living.values())

    async def ask(self, job: Job, urgency: Urgency, wanted: Wanted) -> Any:
        """Return the answer of an agent, in the type that the verb has (`encoding.VALUES`). Raises `AgentError`,
        `HistoryMissingError`, `OutdatedError`, `NoWorkerError`.
        """
        if job.request.agent and job.request.agent not in agents():
            raise UnknownAgentError(f"there is no computer player {job.request.agent!r} here now")
        if not wanted():
            raise OutdatedError
        pending = _Pending(job, urgency, wanted)
        try:
            await self._write(pending)
            worker, reply = await pending.done
        finally:
            if self._pending.pop(pending.id, None) is not None:
                self._spawn(self._drop([pending.id]))
        self._note_home(job.request.match, worker)
        return _read(job, reply)

    # ---- the rows ---------------------------------------------------------------------------------------------

    async def _write(self, pending: _Pending) -> None:
        """Write a question under a new id. After an error of the database the next look writes it again."""
        self._pending.pop(pending.id, None)
        request = pending.job.request
        pending.id, pending.written, pending.busy = secrets.token_hex(16), False, True
        pending.note_worker(None)
        self._pending[pending.id] = pending
        home = self._homes.get(request.match)
        values = {
            "id": pending.id,
            "asker": self._asker,
            "version": gonfalon.__version__,
            "agent": request.agent,
            "slot": find_slot(request.match),
            "urgency": int(pending.urgency),
            "prefer": home if home in self._living else None,
            "body": pending.body,
        }
        try:
            await self._connection.run(sql.ASK, values)
            pending.written = True
            self._channel.send(sql.ASKED)
        except (psycopg.Error, OSError):
            pass  # the next look writes it
        finally:
            pending.busy = False

    async def _fetch(self, pending: _Pending) -> None:
        """Read an answer, and remove its row."""
        try:
            rows = await self._connection.run(sql.FETCH, {"id": pending.id})
            if rows and not pending.done.done():
                self._pending.pop(pending.id, None)
                pending.done.set_result((rows[0][0], decode_reply(rows[0][1])))
        except (psycopg.Error, OSError):
            pass  # the next look finds the row, or writes the question again
        except EncodingError as error:
            pending.fail(AgentError(str(error)))
        finally:
            pending.busy = False

    async def _drop(self, ids: list[str]) -> None:
        """Remove questions that nobody waits for. Rows that stay are removed by a worker."""
        if ids:
            with contextlib.suppress(psycopg.Error, OSError):
                await self._connection.run(sql.DROP, {"ids": ids})

    # ---- looking ----------------------------------------------------------------------------------------------

    def _hear(self, notice: str) -> None:
        pending = self._pending.get(notice.removeprefix(sql.ANSWERED))
        if notice.startswith(sql.ANSWERED) and pending is not None:
            self._begin_fetching(pending)

    def _look_soon(self) -> None:
        self._looking.set()

    async def _keep_looking(self) -> None:
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(EVERY):
                    await self._looking.wait()
            self._looking.clear()
            try:
                await self._look_at_workers()
                await self._look_at_questions()
            except (psycopg.Error, OSError):
                pass  # the connection has reported it
            except Exception:
                log.exception("the questions that wait cannot be looked at")

    async def _look_at_workers(self) -> None:
        rows = await self._connection.run(sql.LIST_WORKERS)
        ours = [row for row in rows if row[2] == gonfalon.__version__]
        self._living = {name: frozenset(played.split()) for name, processes, _, played in ours if processes}
        self._ending = frozenset(name for name, processes, _, _ in ours if not processes)
        self._report_others({name: version for name, _, version, _ in rows if version != gonfalon.__version__})

    def _report_others(self, others: dict[str, str]) -> None:
        """Log each worker of another version once."""
        for name, version in others.items():
            if name not in self._others:
                log.warning(
                    "the worker %s is not asked: its version is %s, not %s", name, version, gonfalon.__version__
                )
        self._others = frozenset(others)

    async def _look_at_questions(self) -> None:
        """Renew all rows; write again what is missing, and end what nobody will answer."""
        asked = {id_: each for id_, each in self._pending.items() if not each.busy}
        if not asked:
            return
        values = {"asker": self._asker, "ids": [id_ for id_, each in asked.items() if each.written]}
        found = {row[0]: row for row in await self._connection.run(sql.RENEW_QUESTIONS, values)}
        for id_, pending in asked.items():
            if self._pending.get(id_) is not pending or pending.busy:
                continue
            if id_ not in found:
                if pending.written:
                    log.info("a question is gone from the database and is asked again")
                await self._write(pending)
                continue
            _, worker, answered = found[id_]
            pending.note_worker(worker)
            if answered:
                self._begin_fetching(pending)
            else:
                self._check(pending)

    def _check(self, pending: _Pending) -> None:
        """End a question that nobody waits for, or that nobody will answer."""
        lasts = time.monotonic() - pending.since
        taken = pending.worker in self._living or pending.worker in self._ending
        if not taken and not self._alone and not self.plays(pending.job.request.agent):
            pending.fail(NoWorkerError())
        elif pending.worker is None and not pending.wanted():
            pending.fail(OutdatedError())
        elif lasts > self._patience:
            what = "no worker took the question" if pending.worker is None else "the worker gave no answer"
            pending.fail(AgentError(f"{what} within {self._patience:g} s"))

    def _begin_fetching(self, pending: _Pending) -> None:
        if not pending.busy:
            pending.busy = True
            self._spawn(self._fetch(pending))

    def _note_home(self, match: str, worker: str) -> None:
        self._homes[match] = worker
        self._homes.move_to_end(match)
        if len(self._homes) > MOST_HOMES:
            self._homes.popitem(last=False)

    def _spawn(self, work: Any) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _read(job: Job, reply: Reply) -> Any:
    """Return the answer in a reply, or raise the error in it."""
    match reply.outcome:
        case "done":
            try:
                return decode_value(job.verb, reply.value)
            except EncodingError as error:
                raise AgentError(str(error)) from error
        case "history-missing":
            raise HistoryMissingError
        case "unknown-agent":
            raise UnknownAgentError(reply.text)
        case "not-loaded":
            raise LoadError(reply.text)
        case "failed":
            raise AgentError(reply.text)
