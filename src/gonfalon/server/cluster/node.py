"""One node: it enters and leaves, owns matches and jobs, and hands both over."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from http import HTTPStatus
from typing import Any, Protocol

import sqlalchemy as sa

from gonfalon.server.bus.bus import GAP, DatabaseBus
from gonfalon.server.clock.times import Times
from gonfalon.server.cluster import rows
from gonfalon.server.cluster.claims import Claims, Place
from gonfalon.server.cluster.heartbeat import Heartbeat
from gonfalon.server.cluster.jobs import Job, Jobs
from gonfalon.server.cluster.membership import Membership, check_database
from gonfalon.server.config import Config
from gonfalon.server.journal import note
from gonfalon.server.net.connection_counts import ConnectionCounts
from gonfalon.server.net.relays import RelayPort, Target
from gonfalon.server.net.web_sockets import Answer
from gonfalon.server.storage.store import Store
from gonfalon.server.storage.writer import StoreError

log = logging.getLogger("gonfalon.nodes")
AGAIN = 1.0
"""Seconds after which a node tries again to follow what happened, if the database did not answer."""
DRAIN_WITHIN = 15.0
"""Seconds in which a node hands over what it owns. What is left then is dropped, and waits for the next node."""


Work = Callable[[], Awaitable[None]]


class Owned(Protocol):
    """The matches of a node, and its store (`Service`)."""

    store: Store

    async def hand_over(self) -> None: ...

    async def abandon_all(self) -> None: ...

    async def resume(self, running: Sequence[str] | None = None) -> None: ...


class Node:
    """Use: `await enter()`, then start the store, then `await open(...)`; at the end `await close()`, stop the store,
    and `await leave()`.
    """

    def __init__(self, config: Config, owned: Owned) -> None:
        self._config = config
        self._owned = owned
        self.membership = Membership(config.node, config.advertise)
        self._heartbeat = Heartbeat(config.url, self.membership, self)
        self.times = Times(system=self._heartbeat.clock.read)
        self.claims = Claims(self.membership)
        self.bus = DatabaseBus(config.url, config.node)
        self.on_drained: Callable[[], None] = lambda: None
        """Called when the node has handed over everything, so that the process can end."""
        self._jobs: Jobs | None = None
        self._port: RelayPort | None = None
        self._order = asyncio.Lock()
        self._deaths = 0
        """Number of times that others declared this node dead."""
        self._tasks: set[asyncio.Task[object]] = set()

    # ---- from start to end ------------------------------------------------------------------------------------

    async def enter(self) -> None:
        """Become a node. Raises `SchemaError`, `RightsError`, `NodeTakenError`, `sqlalchemy.exc.SQLAlchemyError`."""
        await asyncio.to_thread(check_url, self._config.url)
        await self._heartbeat.start()

    async def open(self, jobs: Sequence[Job], answer: Answer, counts: ConnectionCounts) -> None:
        """Take part: hear the others, take their sockets, take jobs. Raises OSError if the relay port is taken."""
        self._port = RelayPort(answer, counts, self._config)
        self._port.token = await asyncio.to_thread(self._find_token)
        await self._port.open(self._config.advertise)
        await self.bus.start()
        self._jobs = Jobs(self.membership, self._owned.store, jobs)
        self._jobs.start()
        note("node-enters", node=self.membership.name, epoch=self.membership.epoch)

    async def close(self) -> None:
        """Take part no longer: before the store stops."""
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._jobs is not None:
            await self._jobs.close()
        if self._port is not None:
            await self._port.close()
        await self.bus.close()

    async def leave(self) -> None:
        """Say that the node has ended: after the store has stopped."""
        await self._heartbeat.close()

    async def drain(self) -> None:
        """Hand over everything that this node owns, and take nothing more."""
        if self.claims.draining:
            return
        self.claims.draining = True
        note("node-drains", node=self.membership.name)
        try:
            async with asyncio.timeout(DRAIN_WITHIN):
                await self._owned.store.execute([rows.drain(self.membership.name)])
                if self._jobs is not None:
                    await self._jobs.close()
                await self._owned.hand_over()
        except (TimeoutError, StoreError) as error:
            log.warning("not everything is handed over: %s", error)

    # ---- where sockets belong ---------------------------------------------------------------------------------

    async def find_match(self, match: str) -> Target | HTTPStatus | None:
        """Return where the sockets of a match belong that is not in memory: see `net.relays.Route`."""
        return await self._find_target(self.claims.find_place(match))

    async def find_job(self, job: str) -> Target | HTTPStatus | None:
        """Return where the sockets of a job belong that is not done here."""
        return await self._find_target(self.claims.find_job(job))

    async def _find_target(self, finding: Awaitable[Place]) -> Target | HTTPStatus | None:
        try:
            place = await finding
        except sa.exc.SQLAlchemyError:
            return HTTPStatus.SERVICE_UNAVAILABLE  # the heartbeat logs that the database does not answer
        if place.here:
            return None
        if place.node is None:
            return HTTPStatus.SERVICE_UNAVAILABLE
        return Target(place.node.advertised, place.node.token, self.membership.label)

    def others_run(self) -> bool:
        """Return whether other nodes are alive. Blocks."""
        with self._owned.store.read() as connection:
            return any(row.present and row.name != self.membership.name for row in rows.list_nodes(connection))

    # ---- what the heartbeat tells -----------------------------------------------------------------------------

    async def die(self) -> None:
        """Drop everything, because others own it now. Nothing may be stored later that was begun before."""
        async with self._order:
            self._deaths += 1
            if self._jobs is not None:
                await self._jobs.close(release=False)
            await self._owned.abandon_all()

    def note_entry(self) -> None:
        """Go on under a new epoch."""
        self._do(self._follow(self._go_on, self._deaths))

    def note_end_of(self, node: str, running: list[str]) -> None:
        """Take over the matches of a dead node whose clocks run, and let all read what it could not tell."""
        note("node-ended", node=node, running=len(running))
        self.bus.tell(GAP)
        self._do(self._follow(lambda: self._owned.resume(running), self._deaths))

    def note_lost(self, nodes: Mapping[str, int]) -> None:
        """End the sockets that these nodes brought: their pages come back another way."""
        if self._port is not None:
            self._port.lose(nodes)

    def note_drain(self) -> None:
        """Hand over everything, then let the process end."""
        if not self.claims.draining:
            self._do(self._in_order(self._drain_and_end))

    async def _go_on(self) -> None:
        self._owned.store.renew_readers()
        if self._port is not None:
            self._port.token = await asyncio.to_thread(self._find_token)
        await self._owned.resume()
        if self._jobs is not None:
            self._jobs.start()
        note("node-enters", node=self.membership.name, epoch=self.membership.epoch)

    async def _drain_and_end(self) -> None:
        await self.drain()
        self.on_drained()

    def _find_token(self) -> str:
        with self._owned.store.read() as connection:
            own = rows.find_node(connection, self.membership.name)
            return "" if own is None else own.token

    def _do(self, work: Coroutine[Any, Any, object]) -> None:
        """Do something in a task of its own, until this node closes."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _follow(self, work: Work, deaths: int) -> None:
        """Do something after what was begun before, and again until the database has answered. After another death
        than the first `deaths` nothing is left to do: the node enters anew.
        """
        while deaths == self._deaths and not await self._in_order(work, deaths):
            await asyncio.sleep(AGAIN)

    async def _in_order(self, work: Work, deaths: int | None = None) -> bool:
        """Do something after what was begun before. Return whether it needs no other attempt."""
        async with self._order:
            if deaths not in (None, self._deaths):
                return True
            try:
                await work()
            except (StoreError, sa.exc.SQLAlchemyError) as error:
                log.warning("the node follows later what happened: %s", type(error).__name__)
                return False
            except Exception:
                log.exception("the node could not follow what happened")
            return True


def check_url(url: str) -> None:
    """Check that a node can use a database. Raises `SchemaError`, `RightsError`, `sqlalchemy.exc.SQLAlchemyError`."""
    with _connect(url) as connection:
        check_database(connection)


async def try_out(config: Config) -> None:
    """Be a node for a moment, and write once. Raises what `Node.enter` and `Store.try_out` raise."""
    check_url(config.url)
    membership = Membership(config.node, config.advertise)
    with _connect(config.url) as connection:
        membership.enter(connection)
        try:
            await Store(config.url, holding=membership).try_out()
        finally:
            membership.leave(connection)


def _connect(url: str) -> sa.Connection:
    return sa.create_engine(url, hide_parameters=True, poolclass=sa.pool.NullPool).connect()
