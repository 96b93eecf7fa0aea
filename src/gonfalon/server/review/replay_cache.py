"""Replays of finished matches and of records: made one at a time in a separate process, and cached."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Hashable

from gonfalon.server.config import Config
from gonfalon.server.protocol.refusals import Declined
from gonfalon.server.review.replay import Finished, Unreadable
from gonfalon.server.storage.kept import Kept
from gonfalon.server.workers.process import WorkerError, WorkerProcess

log = logging.getLogger("gonfalon.replays")
Gone = Callable[[], Awaitable[None]]
"""Returns when the client that asked has gone."""
MOST_KEPT, KEPT_BYTES = 16, 32_000_000
"""Maximum number, and bytes together, of the compressed replays kept in memory."""


class _Making:
    """A replay in progress or in the queue, and the addresses of the clients that wait for it."""

    def __init__(self, task: asyncio.Task[bytes]) -> None:
        self.task = task
        self.waiting: list[str] = []


class ReplayCache:
    """A short queue for one process. Clients that want the same replay share it; its place in the queue counts for the
    address that has waited for it longest.
    """

    def __init__(self, config: Config) -> None:
        self._config = config
        self._worker = WorkerProcess(config.replay_command)
        self._turn = asyncio.Lock()
        self._making: dict[Hashable, _Making] = {}
        self._tasks: set[asyncio.Task[bytes]] = set()
        """All tasks that are not done, including abandoned ones that still end their process."""
        self._kept = Kept[bytes](MOST_KEPT, KEPT_BYTES)

    @property
    def queued(self) -> int:
        """Number of replays in progress or waiting."""
        return len(self._making)

    async def find(
        self, name: Hashable, source: Callable[[], str | Finished], gone: Gone, address: str, wanted: str = "replay"
    ) -> bytes:
        """Return the compressed answer of the builder `wanted` (`replay_worker.BUILDERS`) for `source`, cached by name.
        `address`: the client's, as limits count it.

        The work is abandoned when all clients that wait for it have gone. Raises `Declined`: `replays-busy`,
        `replay-too-long`, `bad-record`.
        """
        key = (name, wanted)
        kept = self._kept.get(key)
        if kept is not None:
            return kept
        making = self._making.get(key)
        if making is None:
            self._require_place(address)
            making = self._making[key] = _Making(asyncio.create_task(self._make(key, source(), wanted)))
            self._tasks.add(making.task)
            making.task.add_done_callback(self._tasks.discard)
        leaving = asyncio.ensure_future(gone())
        making.waiting.append(address)
        try:
            await asyncio.wait((making.task, leaving), return_when=asyncio.FIRST_COMPLETED)
            if not making.task.done():
                raise Declined("gone", 499)  # no client reads this
            return making.task.result()
        finally:
            leaving.cancel()
            making.waiting.remove(address)
            if not making.waiting:
                making.task.cancel()  # no effect on a task that is done
                if self._making.get(key) is making:
                    del self._making[key]

    def drop(self, name: Hashable) -> None:
        """Drop all answers for a name, because they are out of date."""
        for key in self._kept.list_keys():
            if isinstance(key, tuple) and key[0] == name:
                self._kept.drop(key)

    def clear(self) -> None:
        """Drop all answers, because any may be out of date."""
        self._kept.clear()

    async def close(self) -> None:
        for task in self._tasks:
            if not task.cancelling():  # a second `cancel` would stop the task from ending its process
                task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._worker.kill()

    def _require_place(self, address: str) -> None:
        """Raises `Declined`: `replays-busy`."""
        taken = sum(making.waiting[:1] == [address] for making in self._making.values())
        if len(self._making) >= self._config.replay_queue or taken >= self._config.replay_queue_of_address:
            raise Declined("replays-busy", 503)

    async def _make(self, key: Hashable, source: str | Finished, wanted: str) -> bytes:
        config, since = self._config, self._kept.changes
        try:
            async with self._turn:
                made = await self._worker.ask((source, wanted, config.replay_budget), config.replay_within)
        except WorkerError as error:
            log.warning("a replay was given up: %s", error)
            raise Declined("replay-too-long", 422) from error
        if isinstance(made, Unreadable):
            raise Declined("bad-record", 400, detail=made.reason[:500], why=made.why)
        self._kept.put(key, made, len(made), since)
        return bytes(made)
