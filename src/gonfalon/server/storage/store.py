"""The database of a server: the append-only log of every match. A write counts as done when it is on disk.

SQLite (WAL, `synchronous=FULL`) by default, PostgreSQL by URL. Alembic creates and updates the schema at start.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import shutil
from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Any

import msgspec
import sqlalchemy as sa

from gonfalon.server.protocol.refusals import Declined
from gonfalon.server.storage import tables
from gonfalon.server.storage.entries import AnyEntry, Header, pack, unpack_entry, unpack_header
from gonfalon.server.storage.holding import Alone, Holding
from gonfalon.server.storage.logs import count_entries, read_entries
from gonfalon.server.storage.ownership import find_file, hide_files, hold_file
from gonfalon.server.storage.schema import upgrade
from gonfalon.server.storage.writer import Act, StoreError, Write, Writer

log = logging.getLogger("gonfalon.store")
PROBE = "probe"
"""Id of a row that `Store.check` writes; ids of matches are longer."""
LAST_READS = 5.0
"""Maximum number of seconds for which `Store.close` waits for threads that read."""
Statements = Sequence[sa.Executable]
"""Statements of other packages (clocks, people, ratings) for the same transaction as entries of a log."""


class StoredMatch(msgspec.Struct, frozen=True):
    """A match in the list of all matches: its header, and the number of entries in its log."""

    header: Header
    entries: int


class Store:
    """Use from one event loop: first `await start()`, then `create`, `append`, `load`, at the end `await close()`."""

    def __init__(self, url: str, free_disk: int = 0, holding: Holding | None = None) -> None:
        """`free_disk`: bytes that must be free on the disk for a new match; `holding`: `Alone` if not given."""
        self._free_disk = free_disk
        self._holding = holding = holding or Alone()
        self.file = find_file(sa.make_url(url))
        """The SQLite file; None if the database is not a file."""
        # Error texts must not show the stored values: positions, hashes of secrets, names.
        self._readers = sa.create_engine(url, hide_parameters=True)
        self._engine = sa.create_engine(url, hide_parameters=True)
        if self._engine.dialect.name == "sqlite":
            for engine in (self._readers, self._engine):
                sa.event.listen(engine, "connect", _prepare_sqlite)
        elif self._engine.dialect.name == "postgresql":
            for engine in (self._readers, self._engine):
                sa.event.listen(engine, "connect", holding.mark)
            sa.event.listen(self._engine, "connect", holding.hold)
        self._held = contextlib.ExitStack()
        self.writer = Writer(self._engine, holding.fence)

    async def start(self) -> None:
        """Lock the database, update the schema and start the writer.

        Raises `DatabaseTakenError`, `sqlalchemy.exc.SQLAlchemyError`.
        """
        await asyncio.to_thread(self._open)
        self.writer.start()

    async def check(self) -> None:
        """Write a row and delete it again. Raises `StoreError` if the database cannot be changed."""
        row = {"id": PROBE, "created": 0, "header": b""}
        await self.writer.put(Write(headers=[row], deleted=[PROBE]))

    async def try_out(self) -> None:
        """Start, write a row and close, so that any error of the database shows now. Raises what `start` and `check`
        raise.
        """
        try:
            await self.start()
            await self.check()
        finally:
            await self.close()

    async def close(self) -> None:
        """Store all writes that wait, and end the writer."""
        await self.writer.stop()
        await self._finish_reading()
        self._readers.dispose()
        self._engine.dispose()
        self._held.close()

    def renew_readers(self) -> None:
        """Let later reads use new connections, because another node has ended the present ones."""
        self._readers.dispose()

    async def _finish_reading(self) -> None:
        """Wait for threads that still read: a task that was cancelled does not stop its thread, and nothing would close
        the thread's connection after `dispose`.
        """
        pool = self._readers.pool
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(LAST_READS):
                while isinstance(pool, sa.QueuePool) and pool.checkedout():
                    await asyncio.sleep(0.01)

    async def is_ready(self) -> bool:
        """Return whether a new match can be stored. If the last write failed, this tries another one."""
        try:
            self.require_room()
            if self.writer.failing:
                await self.check()
        except (Declined, StoreError):
            return False
        return True

    def require_room(self) -> None:
        """Check the free disk space before a new match, so that running matches can still be stored.

        Raises `Declined`: `disk-full`. For a database on another machine the space is unknown and not checked.
        """
        if self.file is not None and (free := shutil.disk_usage(self.file.parent).free) < self._free_disk:
            log.error("no new matches: %d MB are free on the disk of the database", free // 1_000_000)
            raise Declined("disk-full", 507)

    # ---- writing ----------------------------------------------------------------------------------------------

    def create(
        self,
        header: Header,
        log: tuple[str, int, Sequence[AnyEntry]] | None = None,
        statements: Statements = (),
    ) -> asyncio.Future[None]:
        """Store a new match. `log`: entries of another match to store in the same transaction (its id, the place of the
        first entry, the entries).
        """
        row = {"id": header.id, "created": header.created, "header": pack(header)}
        return self.writer.put(Write(headers=[row], rows=_rows(*log) if log else [], statements=statements))

    def append(
        self, match: str, place: int, entries: Sequence[AnyEntry], statements: Statements = (), moved: int = 0
    ) -> asyncio.Future[None]:
        """Store `entries`, the first at `place` (the number of entries before it). `moved`: if they make a step, its
        time in Unix seconds. The future fails with `StoreError`.
        """
        steps = {match: moved} if moved else {}
        return self.writer.put(Write(rows=_rows(match, place, entries), moved=steps, statements=statements))

    def execute(self, statements: Statements) -> asyncio.Future[None]:
        """Run only statements, in one transaction. The future fails with `StoreError`."""
        return self.writer.put(Write(statements=statements))

    def rewrite(self, acts: Sequence[Act]) -> asyncio.Future[None]:
        """Run functions that read before they write, in one transaction. The future fails with `StoreError`."""
        return self.writer.put(Write(acts=acts))

    def delete(self, matches: Sequence[str]) -> asyncio.Future[None]:
        """Delete matches and their logs; unknown ids are no error."""
        return self.writer.put(Write(deleted=matches))

    def keep_analysis(self, match: str, side: str, body: bytes) -> asyncio.Future[None]:
        """Store the analysis of one side of a match."""
        return self.writer.put(Write(analyses=[{"match": match, "side": side, "body": body}]))

    # ---- reading ----------------------------------------------------------------------------------------------

    def read(self) -> AbstractContextManager[sa.Connection]:
        """Return a connection for reading; its queries block."""
        return self._readers.connect()

    async def load(self, match: str) -> tuple[Header, list[AnyEntry]] | None:
        """Return the whole log of a match; None if there is no such match."""
        return await asyncio.to_thread(self._load, match)

    async def find_last_step(self, match: str) -> int:
        """Return the time of the last step of a match in Unix seconds; 0 if there is none or if it is not known."""
        return await asyncio.to_thread(self._find_last_step, match)

    async def load_analysis(self, match: str, side: str) -> bytes | None:
        """Return the stored analysis; None if there is none."""
        return await asyncio.to_thread(self._load_analysis, match, side)

    async def list_matches(self, before: int | None = None) -> list[StoredMatch]:
        """Return all matches, or those made before the Unix time `before`; the newest first."""
        return await asyncio.to_thread(self._list, before)

    def _load(self, match: str) -> tuple[Header, list[AnyEntry]] | None:
        matches = tables.matches.c
        with self._readers.connect() as connection:
            header = connection.scalar(sa.select(matches.header).where(matches.id == match))
            if header is None:
                return None
            return unpack_header(header), [unpack_entry(body) for body in read_entries(connection, match)]

    def _find_last_step(self, match: str) -> int:
        with self._readers.connect() as connection:
            wanted = sa.select(tables.matches.c.moved).where(tables.matches.c.id == match)
            return connection.scalar(wanted) or 0

    def _load_analysis(self, match: str, side: str) -> bytes | None:
        analyses = tables.analyses.c
        wanted = sa.select(analyses.body).where(analyses.match == match, analyses.side == side)
        with self._readers.connect() as connection:
            body: bytes | None = connection.scalar(wanted)
            return body

    def _list(self, before: int | None) -> list[StoredMatch]:
        matches = tables.matches.c
        chosen = sa.select(matches.header, count_entries()).order_by(matches.created.desc(), matches.id)
        if before is not None:
            chosen = chosen.where(matches.created < before)
        with self._readers.connect() as connection:
            return [StoredMatch(unpack_header(header), count) for header, count in connection.execute(chosen)]

    def _open(self) -> None:
        if self.file is not None:
            hide_files(self.file)
            self._held.enter_context(hold_file(self.file))
        with self._engine.begin() as connection:  # whoever connects holds the database
            if self._holding.upgrades:
                upgrade(connection)


def _rows(match: str, place: int, entries: Sequence[AnyEntry]) -> list[dict[str, Any]]:
    return [{"match": match, "place": place + i, "body": pack(entry)} for i, entry in enumerate(entries)]


def _prepare_sqlite(connection: Any, _record: Any) -> None:
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=FULL")
    cursor.execute("PRAGMA foreign_keys=ON")
    cursor.execute("PRAGMA busy_timeout=10000")
    cursor.close()
