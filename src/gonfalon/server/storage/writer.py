"""The only writer of a database: a thread that stores all waiting writes in one transaction (group commit)."""

from __future__ import annotations

import asyncio
import queue
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec
import sqlalchemy as sa

from gonfalon.server.storage import tables
from gonfalon.server.storage.holding import FencedError
from gonfalon.server.storage.logs import lock_match
from gonfalon.server.storage.ownership import DatabaseTakenError

GATHER = 0.01
"""Minimum number of seconds between two commits. A commit costs as much as storing 20 rows, so shared commits give most
of the speed under load. The first write after a pause does not wait.
"""
MOST_A_COMMIT = 2_000
_NOTE_STEP = (
    sa.update(tables.matches)
    .where(tables.matches.c.id == sa.bindparam("changed"))
    .values(moved=sa.bindparam("at", type_=sa.BigInteger))
)

_OF_MATCH = (
    tables.claims,
    tables.deadlines,
    tables.listed,
    tables.analyses,
    tables.seats,
    tables.results,
    tables.to_pack,
    tables.packed,
    tables.log,
)
"""Tables with rows that go with their match."""


Act = Callable[[sa.Connection], None]
"""Reads rows and writes others, in the transaction of a commit. It must be quick, because all other writes wait."""


Fence = Callable[[sa.Connection], sa.Executable | None]


class StoreError(RuntimeError):
    """A write failed, and nothing of it was stored."""


class Write(msgspec.Struct, frozen=True):
    """Rows and statements that are all stored together, or not at all."""

    headers: Sequence[dict[str, Any]] = ()
    """Rows of `matches`."""
    rows: Sequence[dict[str, Any]] = ()
    """Rows of `log`."""
    moved: Mapping[str, int] = {}
    """Unix seconds of the last step of a match, by its id."""
    analyses: Sequence[dict[str, Any]] = ()
    deleted: Sequence[str] = ()
    """Ids of matches to delete, with their logs and analyses."""
    statements: Sequence[sa.Executable] = ()
    """Statements of other packages, executed in order after the rows."""
    acts: Sequence[Act] = ()
    """Called in order after the statements."""


class Pending(msgspec.Struct, eq=False):
    """A write, with the future that its caller awaits."""

    write: Write
    done: asyncio.Future[None]


class Writer:
    """Use from one event loop: first `start()`, then `put`, at the end `await stop()`."""

    def __init__(self, engine: sa.Engine, fence: Fence = lambda _: None) -> None:
        """`fence`: see `Holding.fence`."""
        self._engine = engine
        self._fence = fence
        self._queue: queue.SimpleQueue[Pending | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self.commits = self.stored = self.failed = 0
        """Number of transactions, of entries they stored, and of writes that failed; all since the start."""
        self.failing = False
        """Whether the database refused everything of the last commit."""

    @property
    def waiting(self) -> int:
        """Number of writes not begun yet."""
        return self._queue.qsize()

    def start(self) -> None:
        loop = asyncio.get_running_loop()
        self._thread = threading.Thread(target=self._write_forever, args=(loop,), name="store", daemon=True)
        self._thread.start()

    async def stop(self) -> None:
        """Store all writes that wait, and end the thread."""
        if self._thread is not None:
            self._queue.put(None)
            await asyncio.to_thread(self._thread.join)
            self._thread = None

    def put(self, write: Write) -> asyncio.Future[None]:
        """Store a write. The future is done when the write is on disk; it fails with `StoreError`."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._queue.put(Pending(write, done))
        return done

    # ---- the thread -------------------------------------------------------------------------------------------

    def _write_forever(self, loop: asyncio.AbstractEventLoop) -> None:
        with self._engine.connect() as connection:
            while True:
                batch, last = self._gather(self._queue.get())
                if batch:
                    began = time.monotonic()
                    failures = _commit(connection, self._fence, [pending.write for pending in batch])
                    self._count(batch, failures)
                    loop.call_soon_threadsafe(_resolve, batch, failures)
                    if not last and (rest := GATHER - (time.monotonic() - began)) > 0:
                        time.sleep(rest)
                if last:
                    return

    def _gather(self, first: Pending | None) -> tuple[list[Pending], bool]:
        """Return the writes for the next commit, and whether they are the last ones."""
        batch: list[Pending] = []
        item = first
        while item is not None:
            batch.append(item)
            if len(batch) >= MOST_A_COMMIT:
                return batch, False
            try:
                item = self._queue.get_nowait()
            except queue.Empty:
                return batch, False
        return batch, True

    def _count(self, batch: list[Pending], failures: Mapping[int, Exception]) -> None:
        self.commits += len(failures) < len(batch)
        self.failing = len(failures) == len(batch) and not any(map(_is_conflict, failures.values()))
        self.failed += len(failures)
        self.stored += sum(len(pending.write.rows) for i, pending in enumerate(batch) if i not in failures)


def _commit(connection: sa.Connection, fence: Fence, batch: list[Write]) -> dict[int, Exception]:
    """Store all writes in one transaction; if that fails, store each in its own. Return the failures by index."""
    try:
        with connection.begin():
            _pass(connection, fence(connection))
            _insert(connection, tables.matches, [row for write in batch for row in write.headers])
            _insert(connection, tables.log, [row for write in batch for row in write.rows])
            _note_steps(connection, batch)
            _insert(connection, tables.analyses, [row for write in batch for row in write.analyses])
            for write in batch:
                for statement in write.statements:
                    connection.execute(statement)
                for act in write.acts:
                    act(connection)
                _delete(connection, write.deleted)
    except DatabaseTakenError as error:
        return dict.fromkeys(range(len(batch)), error)
    except FencedError as error:
        connection.invalidate()  # a connection bears the epoch in which it was opened
        return dict.fromkeys(range(len(batch)), error)
    except Exception as error:  # noqa: BLE001 - an act may fail in any way, and the thread must go on
        if len(batch) == 1:
            return {0: error}
        return {i: failed for i, write in enumerate(batch) for failed in _commit(connection, fence, [write]).values()}
    return {}


def _pass(connection: sa.Connection, fence: sa.Executable | None) -> None:
    """Go on if this process may still write. Raises `FencedError`."""
    if fence is not None and connection.execute(fence).first() is None:
        raise FencedError


def _is_conflict(failure: Exception) -> bool:
    """Return whether a write failed by its own content, so that others may succeed."""
    return isinstance(failure, sa.exc.IntegrityError)


def _insert(connection: sa.Connection, table: sa.Table, rows: list[dict[str, Any]]) -> None:
    if rows:
        connection.execute(sa.insert(table), rows)


def _note_steps(connection: sa.Connection, batch: list[Write]) -> None:
    """Store the times of last steps, each match once: a statement costs more than all the rows of a usual commit."""
    moved = {match: at for write in batch for match, at in write.moved.items()}
    if moved:
        connection.execute(_NOTE_STEP, [{"changed": match, "at": at} for match, at in moved.items()])


def _delete(connection: sa.Connection, matches: Sequence[str]) -> None:
    for match in matches:
        lock_match(connection, match)
        for table in _OF_MATCH:
            connection.execute(sa.delete(table).where(table.c.match == match))
        connection.execute(sa.delete(tables.matches).where(tables.matches.c.id == match))


def _resolve(batch: list[Pending], failures: dict[int, Exception]) -> None:
    for i, pending in enumerate(batch):
        if pending.done.done():
            continue
        if i in failures:
            # The first line only: PostgreSQL's details may show values of the row.
            failure = StoreError(f"not stored: {str(failures[i]).partition(chr(10))[0]}")
            failure.__cause__ = failures[i]
            pending.done.set_exception(failure)
        else:
            pending.done.set_result(None)
