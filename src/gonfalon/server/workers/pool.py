"""The processes of computer players. Each answer has a time budget; a process that exceeds it is killed and
restarted.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from types import MappingProxyType
from typing import Any, Protocol

import msgspec

from gonfalon.engine.search import Option
from gonfalon.server.workers.priority_lock import PriorityLock, Urgency
from gonfalon.server.workers.process import WorkerError, WorkerProcess
from gonfalon.server.workers.requests import AgentRequest, GameQuery, Job, UnknownAgent

ROUND = 2.0
"""Seconds shared by all decisions that wait for one process, so that the last one also comes in time."""
MOST_LOADED = 1_000
"""Maximum number of pairs of a game and an agent that count as loaded. House rules make more games than are played."""
Wanted = Callable[[], bool]
"""Returns whether somebody still waits for the answer. The pool calls it when the process is free for the question."""


class AgentError(RuntimeError):
    """A computer player did not answer within its budget, or died, or gave too many answers that were refused."""


class UnknownAgentError(AgentError):
    """The server has no computer player of this name, for example since it was started again without it."""


class LoadError(AgentError):
    """The process could not load game and agent: it needed too long, or the agent failed when it played a little for
    practice. Trying again would end alike.
    """


class HistoryMissingError(Exception):
    """The agent lacks the events before the request's news: ask again with the news of the whole match."""


class OutdatedError(Exception):
    """Nobody waits for the answer any more: a move was taken back, or the client that asked has left."""


class NoWorkerError(Exception):
    """No worker on another machine is there to answer."""


class Elsewhere(Protocol):
    """Workers on other machines, which play our own agents."""

    @property
    def living(self) -> int:
        """Number of workers that can be asked now."""

    @property
    def waiting(self) -> int:
        """Number of questions that no worker has taken yet."""

    async def start(self) -> None: ...

    async def close(self) -> None: ...

    def plays(self, agent: str) -> bool:
        """Return whether a worker there plays an agent now; for "", whether there is a worker."""

    async def ask(self, job: Job, urgency: Urgency, wanted: Wanted) -> Any:
        """Return the answer of an agent. Raises what `AgentProcess.ask` raises, and `NoWorkerError`."""


def always() -> bool:
    """Return that the answer is always wanted."""
    return True


class AgentPool:
    """Worker processes, each started when first needed. All requests of one match to an agent go to the same process.
    An agent of the operator's own has a process for itself, so that its failures disturb no other match. Workers on
    other machines are asked first, while there are any.
    """

    def __init__(
        self,
        processes: int,
        seconds: float,
        budget: float,
        start: float,
        command: Sequence[str],
        own: Mapping[str, Sequence[str]] = MappingProxyType({}),
        elsewhere: Elsewhere | None = None,
    ) -> None:
        """`processes`: 0 if only workers elsewhere play our agents; `seconds`: thinking time of an agent, reduced when
        many questions wait; `budget`: seconds after which its process is killed; `start`: seconds allowed for loading;
        `own`: command of each agent of the operator's own, by name.
        """
        count = processes if elsewhere is not None else max(1, processes)
        self._seconds = seconds
        self._shared = [AgentProcess(command, seconds, budget, start) for _ in range(count)]
        self._own = {name: AgentProcess(command, seconds, budget, start) for name, command in own.items()}
        self._asked = self._shared[0] if self._shared else AgentProcess(command, seconds, budget, start)
        """The process that says which games our agents play."""
        self._processes = (self._asked, *self._shared[1:], *self._own.values())
        self.elsewhere = elsewhere
        self.waiting = 0
        """Number of decisions asked for and not answered yet."""

    @property
    def running(self) -> int:
        """Number of processes that run."""
        return sum(process.running for process in self._processes)

    @property
    def killed(self) -> int:
        """Number of processes killed since the start."""
        return sum(process.killed for process in self._processes)

    async def decide(
        self, request: AgentRequest, wanted: Wanted = always, *, begun: bool = False, seconds: float = math.inf
    ) -> list[int]:
        """Return the agent's actions, which nobody has checked yet. `begun`: a part of the decision was already made;
        `seconds`: maximum thinking time, if that is less than usual.

        Raises `AgentError`, `HistoryMissingError`, `OutdatedError`.
        """
        self.waiting += 1
        try:
            urgency = Urgency.BEGUN if begun else Urgency.NEW
            return list(await self._ask(Job("act", request, seconds), urgency, wanted))
        finally:
            self.waiting -= 1

    async def consider(
        self, request: AgentRequest, seconds: float, wanted: Wanted = always, *, patient: bool = False
    ) -> list[Option]:
        """Return the options as the agent rates them, the best first. `patient`: let all other questions go first.

        Raises `AgentError`, `HistoryMissingError`, `OutdatedError`.
        """
        urgency = Urgency.PATIENT if patient else Urgency.NEW
        return list(await self._ask(Job("consider", request, seconds), urgency, wanted))

    async def answer_offer(self, request: AgentRequest, wanted: Wanted = always) -> bool:
        """Return whether the agent accepts a draw. Raises `AgentError`, `HistoryMissingError`, `OutdatedError`."""
        (accepts,) = await self._ask(Job("answer", request, math.inf), Urgency.NEW, wanted)
        return bool(accepts)

    async def plays(self, query: GameQuery) -> bool:
        """Return whether an agent plays a game. Raises `AgentError`."""
        return await (self._own.get(query.agent) or self._asked).ask_game(query)

    async def suggest(self, request: AgentRequest, given: dict[str, str], seconds: float) -> dict[str, str]:
        """Return a whole arrangement that keeps the faces in `given`; see `engine.suggest`. Raises `AgentError`."""
        return dict(await self._ask(Job("suggest", request, seconds, given), Urgency.NEW, always))

    async def _ask(self, job: Job, urgency: Urgency, wanted: Wanted) -> Any:
        """Ask a worker elsewhere if one plays the agent, or if there are no processes here; else a process."""
        agent, remote = job.request.agent, self.elsewhere
        if remote is not None and agent not in self._own and (remote.plays(agent) or not self._shared):
            shared = msgspec.structs.replace(job, seconds=min(job.seconds, self._seconds))
            try:
                return await remote.ask(shared, urgency, wanted)
            except NoWorkerError as error:
                if not self._shared:
                    raise AgentError("there is no worker to answer") from error
        return await self._find(job.request).ask(job, urgency, wanted)

    def _find(self, request: AgentRequest) -> AgentProcess:
        own = self._own.get(request.agent)
        return own or self._shared[find_slot(request.match) % len(self._shared)]

    async def start(self) -> None:
        """Find the workers elsewhere."""
        if self.elsewhere is not None:
            await self.elsewhere.start()

    async def close(self) -> None:
        """Kill all processes."""
        if self.elsewhere is not None:
            await self.elsewhere.close()
        for process in self._processes:
            await process.kill()


def find_slot(match: str) -> int:
    """Return the number by which all questions of a match go to the same process."""
    return zlib.crc32(match.encode())


class AgentProcess:
    """One process; it answers one question at a time."""

    def __init__(self, command: Sequence[str], seconds: float, budget: float, start: float) -> None:
        self._worker = WorkerProcess(command)
        self._seconds = seconds
        self._budget = budget
        self._start = start
        self._loaded: set[str] = set()
        self._lock = PriorityLock()
        self._waiting = 0
        """Number of unanswered questions, not counting those with `patient`."""
        self._crowd = 1
        """Maximum number of questions that waited together since the process was last idle."""

    @property
    def running(self) -> bool:
        return self._worker.running

    @property
    def killed(self) -> int:
        return self._worker.killed

    async def ask(self, job: Job, urgency: Urgency, wanted: Wanted = always) -> Any:
        """Return the agent's answer to a question; it may think for up to `job.seconds`."""
        if job.verb == "suggest":
            return await self._suggest(job)
        async with self._hold(urgency):
            if not wanted():
                raise OutdatedError
            await self._load(job.request)
            answer = await self._worker.ask(self._shorten(job), self._budget)
            if answer is None:
                raise HistoryMissingError
            if isinstance(answer, UnknownAgent):
                raise UnknownAgentError(f"there is no computer player {answer.name!r} here now")
            if not isinstance(answer, list):
                await self._worker.kill()
                raise AgentError(str(answer))
            return answer

    async def ask_game(self, query: GameQuery) -> bool:
        async with self._hold(Urgency.NEW):
            answer = await self._worker.ask(query, self._start)
        if isinstance(answer, bool):
            return answer
        raise AgentError(str(answer))

    async def _suggest(self, job: Job) -> dict[str, str]:
        async with self._hold(Urgency.NEW):
            # The process may have to compile the game first, so it gets the time for a start.
            answer = await self._worker.ask(self._shorten(job), self._start)
        if not isinstance(answer, dict):
            raise AgentError(str(answer))
        return answer

    async def kill(self) -> None:
        """End the process at once."""
        await self._worker.kill()

    @asynccontextmanager
    async def _hold(self, urgency: Urgency) -> AsyncIterator[None]:
        """Run the block when the process is free for it. Turns `WorkerError` into `AgentError`."""
        hurried = int(urgency != Urgency.PATIENT)
        self._waiting += hurried
        self._crowd = max(self._crowd, self._waiting)
        try:
            async with self._lock.hold(urgency):
                if not self._worker.running:
                    self._loaded.clear()
                yield
        except WorkerError as error:
            raise AgentError(str(error)) from error
        finally:
            self._waiting -= hurried
            self._crowd = self._crowd if self._waiting else 1

    async def _load(self, request: AgentRequest) -> None:
        """Let the process load this game and agent first: loading does not count as thinking."""
        game = f"{request.rules} {sorted(request.changed.items())} {request.agent}"
        if game not in self._loaded:
            try:
                answer = await self._worker.ask(Job("load", request), self._start)
            except WorkerError as error:
                raise LoadError(f"not ready within {self._start:g} s ({error})") from error
            if isinstance(answer, str):
                raise LoadError(answer)
            if len(self._loaded) >= MOST_LOADED:
                self._loaded.clear()
            self._loaded.add(game)

    def _shorten(self, job: Job) -> Job:
        """Return the question with the part of its thinking time that it gets when many wait."""
        return msgspec.structs.replace(job, seconds=min(job.seconds, self._seconds, ROUND / self._crowd))
