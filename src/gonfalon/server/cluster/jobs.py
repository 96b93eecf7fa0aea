"""Jobs that exactly one node does: each is a row, and whoever holds it does the work."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from typing import Protocol

import sqlalchemy as sa

from gonfalon.server.cluster import rows
from gonfalon.server.cluster.membership import Membership
from gonfalon.server.journal import note
from gonfalon.server.storage.store import Store
from gonfalon.server.storage.writer import StoreError

log = logging.getLogger("gonfalon.nodes")
EVERY = 1.0
"""Seconds between two looks for jobs that nobody does."""


class Job(Protocol):
    """Work that can begin, end, and begin again."""

    name: str

    async def start(self) -> None: ...

    async def close(self) -> None: ...


class Jobs:
    """Takes the jobs that are free. Use: `start`, at the end `await close()`."""

    def __init__(self, membership: Membership, store: Store, jobs: Sequence[Job]) -> None:
        self._membership = membership
        self._store = store
        self._jobs = jobs
        self._held: set[str] = set()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._task = asyncio.create_task(self._keep_taking())

    async def close(self, release: bool = True) -> None:
        """End all jobs. `release`: let other nodes have them at once; not if this node is dead."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        for job in self._jobs:
            self._held.discard(job.name)
            try:
                await job.close()  # it may have begun without being held yet
            except Exception:
                log.exception("the job %s does not end well", job.name)
            if release:
                await self._release(job)

    async def _keep_taking(self) -> None:
        while True:
            for job in self._jobs:
                if job.name not in self._held:
                    await self._try(job)
            await asyncio.sleep(EVERY)

    async def _try(self, job: Job) -> None:
        try:
            if not await self._take(job):
                return
            await job.start()
        except (StoreError, sa.exc.SQLAlchemyError) as error:
            log.warning("the job %s does not begin this time: %s", job.name, type(error).__name__)
            await job.close()
        else:
            self._held.add(job.name)
            note("job-begins", job=job.name)

    async def _take(self, job: Job) -> bool:
        """Return whether the job is ours, also from an attempt that failed afterwards."""
        own = (self._membership.name, self._membership.epoch)
        owner = await asyncio.to_thread(self._find, job)
        if not owner.node:
            await self._store.execute([rows.take_job(job.name, *own)])
            owner = await asyncio.to_thread(self._find, job)
        return (owner.node, owner.epoch) == own

    async def _release(self, job: Job) -> None:
        try:
            await self._store.execute([rows.release_job(job.name, self._membership.name, self._membership.epoch)])
        except StoreError as error:
            log.warning("the job %s is not given back: %s", job.name, error)

    def _find(self, job: Job) -> rows.Owner:
        with self._store.read() as connection:
            return rows.list_jobs(connection).get(job.name, rows.Owner("", 0))
