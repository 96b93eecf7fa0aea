"""Computer players, each decision in a process of its own: a time budget, ended by kill, started again."""

from __future__ import annotations

import asyncio
import logging
import pickle
import struct
import zlib
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from gonfalon.engine.view import View

log = logging.getLogger("gonfalon.agents")
Checked = TypeVar("Checked")


class AgentError(RuntimeError):
    """A computer player did not answer within its budget, died, or gave no legal answer, several times in a row."""


class Agents:
    """A pool of worker processes, started when first needed. A match keeps to one worker, so an agent may remember."""

    def __init__(self, processes: int, budget: float, start: float, tries: int, command: Sequence[str]) -> None:
        self._workers = [_Worker(command, budget, start) for _ in range(max(1, processes))]
        self._tries = tries

    async def decide(
        self,
        match: str,
        variant: str,
        changed: dict[str, bool | int],
        agent: str,
        player: int,
        view: View,
        check: Callable[[list[int]], Checked | None],
    ) -> Checked:
        """One decision of `agent` on `view`, as `check` returns it (None: not legal). Raises `AgentError`."""
        worker = self._workers[zlib.crc32(match.encode()) % len(self._workers)]
        for attempt in range(1, self._tries + 1):
            try:
                answer = await worker.ask((match, variant, changed, agent, player), view)
            except AgentError as error:
                log.warning("computer player %s, attempt %d: %s", agent, attempt, error)
                continue
            checked = check(answer)
            if checked is not None:
                return checked
            log.warning("computer player %s, attempt %d: no legal answer", agent, attempt)
        raise AgentError(f"{agent} failed {self._tries} times")

    async def close(self) -> None:
        """Kills all workers."""
        for worker in self._workers:
            await worker.kill()


class _Worker:
    """One process; one question at a time."""

    def __init__(self, command: Sequence[str], budget: float, start: float) -> None:
        self._command = command
        self._budget = budget
        self._start = start
        self._process: asyncio.subprocess.Process | None = None
        self._loaded: set[str] = set()
        self._lock = asyncio.Lock()

    async def ask(self, key: tuple[Any, ...], view: View) -> list[int]:
        """The agent's answer. Raises `AgentError`; the process is dead then."""
        async with self._lock:
            try:
                return await self._ask(key, view)
            except (TimeoutError, OSError, EOFError) as error:
                await self.kill()
                raise AgentError(f"{type(error).__name__} {error}".strip()) from error
            except BaseException:
                await self.kill()
                raise

    async def _ask(self, key: tuple[Any, ...], view: View) -> list[int]:
        if self._process is None or self._process.returncode is not None:
            self._loaded.clear()
            self._process = await asyncio.create_subprocess_exec(
                *self._command, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
            )
        _, variant, changed, agent, _ = key
        game = f"{variant} {sorted(changed.items())} {agent}"
        if game not in self._loaded:
            await self._exchange(("load", *key, None, 0), self._start)
            self._loaded.add(game)
        answer = await self._exchange(("act", *key, view.record, view.observer), self._budget)
        if not isinstance(answer, list):
            raise AgentError(str(answer))
        return answer

    async def _exchange(self, question: tuple[Any, ...], budget: float) -> Any:
        process = self._process
        assert process is not None
        assert process.stdin is not None
        assert process.stdout is not None
        body = pickle.dumps(question)
        process.stdin.write(struct.pack("!I", len(body)) + body)
        async with asyncio.timeout(budget):
            await process.stdin.drain()
            (size,) = struct.unpack("!I", await process.stdout.readexactly(4))
            return pickle.loads(await process.stdout.readexactly(size))  # noqa: S301 - from our own process

    async def kill(self) -> None:
        """Ends the process at once."""
        process, self._process = self._process, None
        if process is not None and process.returncode is None:
            process.kill()
            await process.wait()
