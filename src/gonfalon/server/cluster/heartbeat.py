"""The heartbeat of a node: a thread with a connection of its own, so that a busy event loop delays no sign of life."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
import time
from collections.abc import Mapping, Sequence
from typing import Protocol

import sqlalchemy as sa

from gonfalon.server.clock.running import monotonic_ms
from gonfalon.server.cluster import rows
from gonfalon.server.cluster.membership import Membership
from gonfalon.server.storage.holding import NodeTakenError

log = logging.getLogger("gonfalon.nodes")
EVERY = 1.0
"""Seconds between two signs."""
LATE = 1.9
"""Seconds between two own signs beyond which they do not count as given in each second."""
STEADY = 4.0
"""Seconds in which a node must have given all its own signs before it declares another one dead."""
DRIFT = 100
"""Difference in ms beyond which the time of the database is taken anew."""


class Listener(Protocol):
    """The heartbeat tells these things, in the event loop."""

    async def die(self) -> None:
        """Drop everything: this node was declared dead. Whatever was to be stored must have failed when this returns,
        because then the node takes a new epoch.
        """

    def note_entry(self) -> None:
        """Go on under a new epoch."""

    def note_end_of(self, node: str, running: list[str]) -> None:
        """Take over from a node that this one has declared dead. `running`: its matches whose clocks run."""

    def note_lost(self, nodes: Mapping[str, int]) -> None:
        """Count on some nodes no longer (`NodeRow.label`). `nodes`: the time of each one's last known sign
        (`monotonic_ms`).
        """

    def note_drain(self) -> None:
        """Hand over everything, because the operator wants it."""


class DatabaseClock:
    """The time of the database, in Unix ms. The clock of this machine counts only the ms since the last comparison."""

    def __init__(self) -> None:
        self._database = self._monotonic = 0

    def compare(self, database: float) -> None:
        """Take over the time of the database, in Unix seconds, unless this clock agrees with it."""
        now = round(database * 1000)
        if abs(now - self.read()) > DRIFT:
            self._database, self._monotonic = now, monotonic_ms()

    def read(self) -> int:
        """Return the time now."""
        return self._database + monotonic_ms() - self._monotonic


class Heartbeat:
    """Use: `await start()`, which raises what `Membership.enter` raises; at the end `await close()`."""

    def __init__(self, url: str, membership: Membership, listener: Listener) -> None:
        self._engine = sa.create_engine(url, hide_parameters=True, poolclass=sa.pool.NullPool)
        self._membership = membership
        self._listener = listener
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self.clock = DatabaseClock()
        self._last = 0.0
        """Time of the last own sign (`time.monotonic`)."""
        self._steady_since = 0.0
        self._told_to_drain = False
        self._signs: dict[str, int] = {}
        """The time of the last sign of each node that is present."""

    async def start(self) -> None:
        await asyncio.to_thread(self._enter)
        loop = asyncio.get_running_loop()
        self._thread = threading.Thread(target=self._beat_forever, args=(loop,), name="heartbeat", daemon=True)
        self._thread.start()

    async def close(self) -> None:
        """Say that the node ends, once nothing of it is stored any more."""
        self._stop.set()
        if self._thread is not None:
            await asyncio.to_thread(self._thread.join)
            try:
                await asyncio.to_thread(self._leave)
            except sa.exc.SQLAlchemyError as error:
                log.warning("the end of this node is not stored: %s", type(error).__name__)
        self._engine.dispose()

    def _enter(self) -> None:
        with self._engine.connect() as connection:
            self._membership.enter(connection)
            self._renew(connection)

    def _leave(self) -> None:
        with self._engine.connect() as connection:
            self._membership.leave(connection)

    def _beat_forever(self, loop: asyncio.AbstractEventLoop) -> None:
        while not self._stop.is_set():
            try:
                with self._engine.connect() as connection:
                    while not self._stop.wait(EVERY):
                        self._beat(connection, loop)
            except sa.exc.SQLAlchemyError as error:
                log.warning("no sign of life in the database: %s", type(error).__name__)
                self._stop.wait(EVERY)
            except Exception:
                log.exception("the heartbeat begins anew")
                self._stop.wait(EVERY)

    def _beat(self, connection: sa.Connection, loop: asyncio.AbstractEventLoop) -> None:
        if not self._renew(connection):
            log.error("this node was declared dead; it drops everything and enters again")
            self._die(loop)
            self._enter_again(connection)
            loop.call_soon_threadsafe(self._listener.note_entry)
            return
        if self._told_to_drain:
            loop.call_soon_threadsafe(self._listener.note_drain)
        if self._last - self._steady_since < STEADY:
            return
        with connection.begin():
            nodes = rows.list_nodes(connection)
        self._find_lost(nodes, loop)
        for row in filter(lambda row: row.silent, nodes):
            running = self._membership.end(connection, row)
            if running is not None:
                log.warning("node %s is dead; its matches are free", row.name)
                loop.call_soon_threadsafe(self._listener.note_end_of, row.name, running)

    def _find_lost(self, nodes: Sequence[rows.NodeRow], loop: asyncio.AbstractEventLoop) -> None:
        """Tell which nodes have ended or fallen silent since the last look."""
        now = monotonic_ms()
        signs = {row.label: now - round(1000 * row.age) for row in nodes if row.present}
        lost = {label: sign for label, sign in self._signs.items() if label not in signs}
        self._signs = signs
        if lost:
            loop.call_soon_threadsafe(self._listener.note_lost, lost)

    def _die(self, loop: asyncio.AbstractEventLoop) -> None:
        dying = asyncio.run_coroutine_threadsafe(self._listener.die(), loop)
        while not self._stop.is_set():
            with contextlib.suppress(TimeoutError):
                dying.result(EVERY)
                return

    def _renew(self, connection: sa.Connection) -> bool:
        """Give a sign. Return whether the node is alive."""
        with connection.begin():
            found = connection.execute(rows.renew(self._membership.name, self._membership.epoch)).first()
        if found is None:
            return False
        self._told_to_drain, database = bool(found[0]), float(found[1])
        self.clock.compare(database)
        now = time.monotonic()
        if now - self._last > LATE:
            self._steady_since = now
        self._last = now
        return True

    def _enter_again(self, connection: sa.Connection) -> None:
        """Take a new epoch. Another process may have taken the name meanwhile: then try until it is gone."""
        while not self._stop.is_set():
            try:
                self._membership.enter(connection)
            except NodeTakenError as error:
                log.error("%s", error)  # noqa: TRY400 - the line says it all
                self._stop.wait(EVERY)
            else:
                self._renew(connection)
                return
