"""The append-only event log of every match. One writer thread with group commit; a write is done when it is on disk.

SQLite (WAL, `synchronous=FULL`) by default, PostgreSQL by URL. The schema is made and changed by Alembic at start.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import queue
import shutil
import threading
import time
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

import msgspec
import sqlalchemy as sa
from alembic import command
from alembic.config import Config as AlembicConfig

from gonfalon.server.protocol.refusals import Declined
from gonfalon.server.storage.entries import AnyEntry, Header, pack, unpack_entry, unpack_header
from gonfalon.server.storage.ownership import DatabaseTakenError, find_file, hide_files, hold_file, hold_session

log = logging.getLogger("gonfalon.store")
GATHER = 0.01
"""Seconds between two commits at least: what comes in between shares one. A commit costs as much as storing 20 rows, so
this is most of what storing costs under load; the first write after a pause does not wait.
"""
MOST_A_COMMIT = 2_000

_metadata = sa.MetaData()
_matches = sa.Table(
    "matches",
    _metadata,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("created", sa.BigInteger),
    sa.Column("header", sa.LargeBinary),
)
_log = sa.Table(
    "log",
    _metadata,
    sa.Column("match", sa.String(32), primary_key=True),
    sa.Column("place", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("body", sa.LargeBinary),
)
_analyses = sa.Table(
    "analyses",
    _metadata,
    sa.Column("match", sa.String(32), primary_key=True),
    sa.Column("side", sa.String(32), primary_key=True),
    sa.Column("body", sa.LargeBinary),
)


class StoreError(RuntimeError):
    """Something could not be stored; nothing of it was."""


class Write(msgspec.Struct, eq=False):
    """Rows that are stored together or not at all."""

    done: asyncio.Future[None]
    headers: list[dict[str, Any]]
    rows: list[dict[str, Any]]
    deleted: Sequence[str] = ()
    """Matches that go, with their logs and analyses."""
    analyses: Sequence[dict[str, Any]] = ()


class StoredMatch(msgspec.Struct, frozen=True):
    """A match in a list of all: its header, and how many entries its log has."""

    header: Header
    entries: int


class Store:
    """Use from one event loop: `await start()`, then `create`, `append`, `load`, at the end `await close()`."""

    def __init__(self, url: str, free_disk: int = 0) -> None:
        self._free_disk = free_disk
        self.file = find_file(sa.make_url(url))
        """Of SQLite; None: the database is no file."""
        # An error must not show what was to be stored: positions, hashes of secrets, names.
        self._readers = sa.create_engine(url, hide_parameters=True)
        self._writer = sa.create_engine(url, hide_parameters=True)
        if self._writer.dialect.name == "sqlite":
            for engine in (self._readers, self._writer):
                sa.event.listen(engine, "connect", _prepare_sqlite)
        elif self._writer.dialect.name == "postgresql":
            sa.event.listen(self._writer, "connect", hold_session)
        self._held = contextlib.ExitStack()
        self._writes: queue.SimpleQueue[Write | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self.commits = self.stored = self.failed = 0
        """Transactions, entries that they stored, and writes that could not be stored; since the start."""

    async def start(self) -> None:
        """Takes hold of the database, brings the schema up to date and starts the writer. Raises `DatabaseTakenError`,
        `sqlalchemy.exc.SQLAlchemyError`.
        """
        await asyncio.to_thread(self._open)
        loop = asyncio.get_running_loop()
        self._thread = threading.Thread(target=self._write_forever, args=(loop,), name="store", daemon=True)
        self._thread.start()

    async def close(self) -> None:
        """Stores what is waiting and ends the writer."""
        if self._thread is not None:
            self._writes.put(None)
            await asyncio.to_thread(self._thread.join)
            self._thread = None
        self._readers.dispose()
        self._writer.dispose()
        self._held.close()

    @property
    def waiting(self) -> int:
        """Writes that have not been begun."""
        return self._writes.qsize()

    def require_room(self) -> None:
        """To be asked before a match is made, so that what little room is left is for those that are played. Raises
        `Declined`: `disk-full`. Of a database elsewhere the room is not known.
        """
        if self.file is not None and (free := shutil.disk_usage(self.file.parent).free) < self._free_disk:
            log.error("no new matches: %d MB are free on the disk of the database", free // 1_000_000)
            raise Declined("disk-full", 507)

    def create(self, header: Header, log: tuple[str, int, Sequence[AnyEntry]] | None = None) -> asyncio.Future[None]:
        """Stores a new match, together with entries of another one (id, place of the first, entries) if given."""
        row = {"id": header.id, "created": header.created, "header": pack(header)}
        return self._put([row], _rows(*log) if log else [])

    def append(self, match: str, place: int, entries: Sequence[AnyEntry]) -> asyncio.Future[None]:
        """Stores `entries`, the first at `place` (how many there were). Done when on disk; fails with `StoreError`."""
        return self._put([], _rows(match, place, entries))

    def delete(self, matches: Sequence[str]) -> asyncio.Future[None]:
        """Deletes matches and their logs; those that are not there are no error."""
        return self._put([], [], matches)

    def keep_analysis(self, match: str, side: str, body: bytes) -> asyncio.Future[None]:
        """Stores the analysis of one side of a match."""
        return self._put([], [], analyses=[{"match": match, "side": side, "body": body}])

    async def load_analysis(self, match: str, side: str) -> bytes | None:
        """What was kept of it, None if there is nothing."""
        return await asyncio.to_thread(self._load_analysis, match, side)

    async def list_matches(self, before: int | None = None) -> list[StoredMatch]:
        """All matches, or those made before a point in time (Unix seconds); the newest first."""
        return await asyncio.to_thread(self._list, before)

    async def load(self, match: str) -> tuple[Header, list[AnyEntry]] | None:
        """The whole log of a match, None if there is none."""
        return await asyncio.to_thread(self._load, match)

    def _put(
        self,
        headers: list[dict[str, Any]],
        rows: list[dict[str, Any]],
        deleted: Sequence[str] = (),
        analyses: Sequence[dict[str, Any]] = (),
    ) -> asyncio.Future[None]:
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._writes.put(Write(done, headers, rows, deleted, analyses))
        return done

    def _load(self, match: str) -> tuple[Header, list[AnyEntry]] | None:
        with self._readers.connect() as connection:
            header = connection.scalar(sa.select(_matches.c.header).where(_matches.c.id == match))
            if header is None:
                return None
            bodies = connection.scalars(sa.select(_log.c.body).where(_log.c.match == match).order_by(_log.c.place))
            return unpack_header(header), [unpack_entry(body) for body in bodies]

    def _load_analysis(self, match: str, side: str) -> bytes | None:
        wanted = sa.select(_analyses.c.body).where(_analyses.c.match == match, _analyses.c.side == side)
        with self._readers.connect() as connection:
            body: bytes | None = connection.scalar(wanted)
            return body

    def _list(self, before: int | None) -> list[StoredMatch]:
        entries = sa.select(sa.func.count()).where(_log.c.match == _matches.c.id).scalar_subquery()
        chosen = sa.select(_matches.c.header, entries).order_by(_matches.c.created.desc(), _matches.c.id)
        if before is not None:
            chosen = chosen.where(_matches.c.created < before)
        with self._readers.connect() as connection:
            return [StoredMatch(unpack_header(header), count) for header, count in connection.execute(chosen)]

    def _open(self) -> None:
        if self.file is not None:
            hide_files(self.file)
            self._held.enter_context(hold_file(self.file))
        config = AlembicConfig()
        config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
        with self._writer.begin() as connection:
            config.attributes["connection"] = connection
            command.upgrade(config, "head")

    def _write_forever(self, loop: asyncio.AbstractEventLoop) -> None:
        with self._writer.connect() as connection:
            while True:
                first = self._writes.get()
                batch, last = self._gather(first)
                if batch:
                    began = time.monotonic()
                    failures = _commit(connection, batch)
                    self._count(batch, failures)
                    loop.call_soon_threadsafe(_resolve, batch, failures)
                    if not last and (rest := GATHER - (time.monotonic() - began)) > 0:
                        time.sleep(rest)
                if last:
                    return

    def _count(self, batch: list[Write], failures: Collection[int]) -> None:
        self.commits += len(failures) < len(batch)
        self.failed += len(failures)
        self.stored += sum(len(write.rows) for i, write in enumerate(batch) if i not in failures)

    def _gather(self, first: Write | None) -> tuple[list[Write], bool]:
        batch: list[Write] = []
        item = first
        while item is not None:
            batch.append(item)
            if len(batch) >= MOST_A_COMMIT:
                return batch, False
            try:
                item = self._writes.get_nowait()
            except queue.Empty:
                return batch, False
        return batch, True


def _rows(match: str, place: int, entries: Sequence[AnyEntry]) -> list[dict[str, Any]]:
    return [{"match": match, "place": place + i, "body": pack(entry)} for i, entry in enumerate(entries)]


def _commit(connection: sa.Connection, batch: list[Write]) -> dict[int, Exception]:
    """Stores all in one transaction; if that fails, each in its own. Returns failures by index."""
    try:
        with connection.begin():
            _insert(connection, [h for w in batch for h in w.headers], [r for w in batch for r in w.rows])
            if analyses := [row for w in batch for row in w.analyses]:
                connection.execute(sa.insert(_analyses), analyses)
            _delete(connection, [match for w in batch for match in w.deleted])
    except DatabaseTakenError as error:
        return dict.fromkeys(range(len(batch)), error)
    except sa.exc.SQLAlchemyError as error:
        if len(batch) == 1:
            return {0: error}
        return {i: failed for i, write in enumerate(batch) for failed in _commit(connection, [write]).values()}
    return {}


def _insert(connection: sa.Connection, headers: list[dict[str, Any]], rows: list[dict[str, Any]]) -> None:
    if headers:
        connection.execute(sa.insert(_matches), headers)
    if rows:
        connection.execute(sa.insert(_log), rows)


def _delete(connection: sa.Connection, matches: list[str]) -> None:
    for match in matches:
        connection.execute(sa.delete(_analyses).where(_analyses.c.match == match))
        connection.execute(sa.delete(_log).where(_log.c.match == match))
        connection.execute(sa.delete(_matches).where(_matches.c.id == match))


def _resolve(batch: list[Write], failures: dict[int, Exception]) -> None:
    for i, write in enumerate(batch):
        if write.done.done():
            continue
        if i in failures:
            failure = StoreError(f"not stored: {failures[i]}")
            failure.__cause__ = failures[i]
            write.done.set_exception(failure)
        else:
            write.done.set_result(None)


def _prepare_sqlite(connection: Any, _record: Any) -> None:
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=FULL")
    cursor.execute("PRAGMA foreign_keys=ON")
    cursor.execute("PRAGMA busy_timeout=10000")
    cursor.close()
