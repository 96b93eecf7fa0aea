"""The worker's end: it takes questions from the table, lets its processes think, and writes the answers."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
import secrets
import socket
from collections.abc import Sequence
from typing import Any

import msgspec
import psycopg

import gonfalon
from gonfalon.ai import agents
from gonfalon.server.bus.channel import Channel
from gonfalon.server.journal import note
from gonfalon.server.workers.pool import (
    ROUND,
    AgentError,
    AgentProcess,
    HistoryMissingError,
    LoadError,
    UnknownAgentError,
)
from gonfalon.server.workers.priority_lock import Urgency
from gonfalon.server.workers.remote import statements as sql
from gonfalon.server.workers.remote.encoding import EncodingError, Reply, decode_job, encode_reply, encode_value

log = logging.getLogger("gonfalon.thinking")
POLL = 0.5
"""Seconds between two looks for questions without a notice: a question of a worker that is gone has none."""
TRIES = 3
"""Number of attempts to write an answer."""
CLEAN = 20
"""Number of renewals between two removals of old rows."""


class Worker:
    """A worker with some processes, each of which answers one question at a time. All questions of a match go to the
    same process, which remembers what its agents were told.
    """

    def __init__(self, url: str, processes: int, command: Sequence[str], budget: float, start: float) -> None:
        """`command`, `budget`, `start`: as for `AgentPool`."""
        self.name = f"{socket.gethostname()[:60]}-{secrets.token_hex(4)}"
        self._connection = sql.Connection(url, "gonfalon worker")
        self._channel = Channel(url, sql.CHANNEL, self._hear, self._wake_up, "gonfalon worker")
        self._processes = [AgentProcess(command, float("inf"), budget, start) for _ in range(processes)]
        self._budget = budget
        self._thinking: dict[int, asyncio.Task[None]] = {}
        """Tasks by the number of their process."""
        self._held: dict[int, str] = {}
        """Ids of their questions."""
        self._crowd = 1
        """Maximum number of questions for each process of all workers, since this worker was last idle."""
        self._wake = asyncio.Event()
        self._stopping = False

    async def run(self, stop: asyncio.Event) -> None:
        """Answer questions until `stop` is set; then finish the thoughts that are begun, and give back the rest. While
        the database is away, this waits for it.
        """
        await self._channel.start()
        renewing = asyncio.create_task(self._keep_renewing())
        stopping = asyncio.create_task(self._await_stop(stop))
        note("worker-starts", name=self.name, processes=len(self._processes), version=gonfalon.__version__)
        try:
            while not self._stopping:
                await self._take_all()
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(POLL):
                        await self._wake.wait()
                self._wake.clear()
            await self._finish()
        finally:
            for task in (renewing, stopping, *self._thinking.values()):
                task.cancel()
            await asyncio.gather(*(process.kill() for process in self._processes))
            await self._leave()
            await self._channel.close()
            await self._connection.close()
            note("worker-stops", name=self.name)

    async def _await_stop(self, stop: asyncio.Event) -> None:
        await stop.wait()
        self._stopping = True
        self._wake_up()

    def _hear(self, notice: str) -> None:
        if notice == sql.ASKED:
            self._wake_up()

    def _wake_up(self) -> None:
        self._wake.set()

    # ---- taking -----------------------------------------------------------------------------------------------

    async def _take_all(self) -> None:
        """Take questions while processes are free."""
        try:
            while not self._stopping and len(self._thinking) < len(self._processes) and await self._take():
                pass
        except (psycopg.Error, OSError):
            await asyncio.sleep(POLL)  # the connection has reported it

    async def _take(self) -> bool:
        """Take the most urgent question for a free process. Return whether there was one."""
        count = len(self._processes)
        values = {
            "name": self.name,
            "version": gonfalon.__version__,
            "processes": count,
            "free": [slot for slot in range(count) if slot not in self._thinking],
            "agents": list(agents()),
            "held": list(self._held.values()),
            "patient": int(Urgency.PATIENT),
        }
        rows = await self._connection.run(sql.TAKE, values)
        if not rows:
            self._crowd = self._crowd if self._thinking else 1
            return False
        id_, slot, urgency, body, waiting, processes = rows[0]
        self._crowd = max(self._crowd, math.ceil(waiting / max(1, processes)))
        self._held[slot % count] = id_
        task = self._thinking[slot % count] = asyncio.create_task(self._answer(slot % count, id_, body, urgency))
        task.add_done_callback(lambda _: self._note_free(slot % count))
        return True

    def _note_free(self, slot: int) -> None:
        del self._thinking[slot], self._held[slot]
        self._wake_up()

    # ---- answering --------------------------------------------------------------------------------------------

    async def _answer(self, slot: int, question: str, body: bytes, urgency: int) -> None:
        """Think about a question and write the answer."""
        reply = await self._think(slot, body, Urgency(urgency))
        if self._stopping and reply.outcome in ("failed", "not-loaded"):
            return  # the signal that ends this worker may have ended its processes too: another one answers
        for _ in range(TRIES):
            rows = await self._run(sql.ANSWER, {"id": question, "name": self.name, "answer": encode_reply(reply)})
            if rows is not None:
                if rows:  # else nobody waits for this answer any more
                    self._channel.send(sql.ANSWERED + question)
                return
            await asyncio.sleep(POLL)

    async def _think(self, slot: int, body: bytes, urgency: Urgency) -> Reply:
        """Return the answer of a process, or the reason why there is none."""
        try:
            job = decode_job(body)
            short = msgspec.structs.replace(job, seconds=min(job.seconds, ROUND / self._crowd))
            return Reply("done", value=encode_value(await self._processes[slot].ask(short, urgency)))
        except HistoryMissingError:
            return Reply("history-missing")
        except UnknownAgentError as error:
            return Reply("unknown-agent", str(error))
        except LoadError as error:
            return Reply("not-loaded", str(error))
        except (AgentError, EncodingError) as error:
            return Reply("failed", str(error))
        except Exception as error:
            log.exception("a question cannot be answered")
            return Reply("failed", type(error).__name__)

    async def _run(self, statement: str, values: dict[str, Any]) -> list[tuple[Any, ...]] | None:
        """Run a statement; None if the database cannot be reached."""
        try:
            return await self._connection.run(statement, values)
        except (psycopg.Error, OSError):
            return None

    # ---- the row of this worker -------------------------------------------------------------------------------

    async def _keep_renewing(self) -> None:
        number = 0
        while True:
            await self._renew()
            if number % CLEAN == 0:
                for statement in sql.FORGET_OLD:
                    await self._run(statement, {})
            number += 1
            await asyncio.sleep(sql.RENEW)

    async def _renew(self) -> None:
        """Renew the row. A worker that is about to end has no processes, so that nobody counts on it."""
        values = {
            "name": self.name,
            "processes": 0 if self._stopping else len(self._processes),
            "version": gonfalon.__version__,
            "agents": " ".join(agents()),
        }
        await self._run(sql.RENEW_WORKER, values)

    async def _finish(self) -> None:
        """Let the processes finish their thoughts, then give back what is left."""
        await self._renew()
        if self._thinking:
            await asyncio.wait(self._thinking.values(), timeout=self._budget + 1)

    async def _leave(self) -> None:
        """Give back all questions and remove the row, so that others take them at once."""
        await self._run(sql.GIVE_BACK, {"name": self.name})
        await self._run(sql.REMOVE_WORKER, {"name": self.name})
        await self._run(sql.NOTIFY, {})
