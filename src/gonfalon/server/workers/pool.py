"""Computer players, each decision in a process of its own: a time budget, ended by kill, started again."""

from __future__ import annotations

import logging
import math
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any, TypeVar

from gonfalon.ai.levels import STRONGEST
from gonfalon.engine.search import Option
from gonfalon.engine.view import View
from gonfalon.server.match.computers.news import News
from gonfalon.server.workers.priority_lock import PriorityLock, Urgency
from gonfalon.server.workers.process import WorkerError, WorkerProcess

log = logging.getLogger("gonfalon.agents")
Checked = TypeVar("Checked")
ROUND = 2.0
"""Seconds that all decisions which wait for one process get together, so that the last of them comes in time too."""
Tell = Callable[[bool], Awaitable[News]]
"""What the player was told since the last call; with True all that he was told since the match began."""


class AgentError(RuntimeError):
    """A computer player did not answer within its budget, died, or gave no legal answer, several times in a row."""


class AgentPool:
    """A pool of worker processes, started when first needed. A match keeps to one worker, so an agent may remember."""

    def __init__(
        self, processes: int, seconds: float, budget: float, start: float, tries: int, command: Sequence[str]
    ) -> None:
        """`seconds`: what an agent is given to think, less when many wait; `budget`: then its process is killed."""
        self._players = [_AgentProcess(command, seconds, budget, start) for _ in range(max(1, processes))]
        self._tries = tries
        self.waiting = 0
        """Decisions that were asked for and not given yet."""

    @property
    def running(self) -> int:
        """Processes that there are."""
        return sum(player.running for player in self._players)

    @property
    def killed(self) -> int:
        """Processes that were killed, since the start."""
        return sum(player.killed for player in self._players)

    async def decide(
        self,
        match: str,
        variant: str,
        changed: dict[str, bool | int],
        agent: str,
        player: int,
        view: View,
        tell: Tell,
        check: Callable[[list[int]], Checked | None],
        *,
        begun: bool = False,
    ) -> Checked:
        """One decision of `agent` on `view`, as `check` returns it (None: not legal). `begun`: a part of it has been
        made before. Raises `AgentError`.
        """
        urgency = Urgency.BEGUN if begun else Urgency.NEW
        process = self._find_process(match)
        for attempt in range(1, self._tries + 1):
            self.waiting += 1
            try:
                answer = await process.ask(urgency, "act", (match, variant, changed, agent, player), view, tell)
            except AgentError as error:
                log.warning("computer player %s, attempt %d: %s", agent, attempt, error)
                continue
            finally:
                self.waiting -= 1
            checked = check(answer)
            if checked is not None:
                return checked
            log.warning("computer player %s, attempt %d: no legal answer", agent, attempt)
        raise AgentError(f"{agent} failed {self._tries} times")

    async def consider(
        self,
        match: str,
        variant: str,
        changed: dict[str, bool | int],
        player: int,
        view: View,
        tell: Tell,
        seconds: float,
        *,
        patient: bool = False,
    ) -> list[Option]:
        """What the strongest agent thinks of `view`, in one attempt. `patient`: only when nobody else waits for the
        process. Raises `AgentError`, and what `tell` raises, once it is asked.
        """
        urgency, key = Urgency.PATIENT if patient else Urgency.NEW, (match, variant, changed, STRONGEST, player)
        return list(await self._find_process(match).ask(urgency, "consider", key, view, tell, seconds))

    async def answer_offer(
        self, match: str, variant: str, changed: dict[str, bool | int], agent: str, player: int, view: View, tell: Tell
    ) -> bool:
        """Whether `agent` accepts a draw, in one attempt. Raises `AgentError`, and what `tell` raises."""
        key = (match, variant, changed, agent, player)
        (accepts,) = await self._find_process(match).ask(Urgency.NEW, "answer", key, view, tell)
        return bool(accepts)

    async def suggest(
        self,
        match: str,
        variant: str,
        changed: dict[str, bool | int],
        view: View,
        given: dict[str, str],
        seconds: float,
    ) -> dict[str, str]:
        """A whole arrangement around what is `given`, in one attempt; see `engine.suggest`. Raises `AgentError`."""
        return await self._find_process(match).suggest((match, variant, changed), view, given, seconds)

    def _find_process(self, match: str) -> _AgentProcess:
        return self._players[zlib.crc32(match.encode()) % len(self._players)]

    async def close(self) -> None:
        """Kills all workers."""
        for process in self._players:
            await process.kill()


class _AgentProcess:
    """One process; one question at a time."""

    def __init__(self, command: Sequence[str], seconds: float, budget: float, start: float) -> None:
        self._worker = WorkerProcess(command)
        self._seconds = seconds
        self._budget = budget
        self._start = start
        self._loaded: set[str] = set()
        self._lock = PriorityLock()
        self._waiting = 0
        """Questions that were asked and not answered yet, without the patient ones."""
        self._crowd = 1
        """The most that have waited at once since nobody did."""

    @property
    def running(self) -> bool:
        return self._worker.running

    @property
    def killed(self) -> int:
        return self._worker.killed

    async def ask(
        self, urgency: Urgency, verb: str, key: tuple[Any, ...], view: View, tell: Tell, seconds: float = math.inf
    ) -> list[Any]:
        """The agent's answer. `seconds`: it is given no more. Raises `AgentError`."""
        async with self._pass_through(urgency):
            return await self._ask((verb, *key, view.record), tell, seconds)

    async def suggest(self, key: tuple[Any, ...], view: View, given: dict[str, str], seconds: float) -> dict[str, str]:
        """An arrangement, which no agent is needed for. Raises `AgentError`."""
        async with self._pass_through(Urgency.NEW):
            asked = (view.observer, view.record, given, self._share(seconds))
            # What it takes to compile is in this time too, so it is the time for a start.
            answer = await self._worker.ask(("suggest", *key, "", *asked), self._start)
        if not isinstance(answer, dict):
            raise AgentError(str(answer))
        return answer

    @asynccontextmanager
    async def _pass_through(self, urgency: Urgency) -> AsyncIterator[None]:
        """The block is run when the process is free for it. Raises `AgentError` for `WorkerError`."""
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

    def _share(self, seconds: float) -> float:
        """So much of these seconds as there is for one question, with so many that wait."""
        return min(seconds, self._seconds, ROUND / self._crowd)

    async def _ask(self, question: tuple[Any, ...], tell: Tell, seconds: float) -> list[Any]:
        _, *key, _ = question
        _, variant, changed, agent, _ = key
        game = f"{variant} {sorted(changed.items())} {agent}"
        news = await tell(False)
        if game not in self._loaded:
            await self._worker.ask(("load", *key), self._start)
            self._loaded.add(game)
        answer = await self._put(question, news, seconds)
        if answer is None:  # a new agent, or one that did not hear what came before
            answer = await self._put(question, await tell(True), seconds)
        if not isinstance(answer, list):
            await self._worker.kill()
            raise AgentError(str(answer))
        return answer

    async def _put(self, question: tuple[Any, ...], news: News, seconds: float) -> Any:
        return await self._worker.ask((*question, news, self._share(seconds)), self._budget)

    async def kill(self) -> None:
        """Ends the process at once."""
        await self._worker.kill()
