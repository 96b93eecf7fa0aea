"""A PostgreSQL database can be restored as it was at any moment, as docs/running.md says."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from gonfalon.server.storage.entries import AnyEntry, Header, Named, SeatHeader
from gonfalon.server.storage.store import Store
from gonfalon.server.trials.processes.postgres import Cluster, find_binaries
from server.harness import DATABASE, wait_for

HEADER = Header("match", "barrage", {}, (SeatHeader(maker=True), SeatHeader(agent="level-1")), 0, 0)
BEFORE, AFTER, AGAIN = Named(0, "before"), Named(0, "after"), Named(0, "again")

pytestmark = pytest.mark.skipif(not DATABASE, reason="a test of PostgreSQL: make test-postgres")


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that the user of the database can reach, with a name short enough for a socket."""
    with tempfile.TemporaryDirectory(prefix="gonfalon-recovery-") as name:
        yield Path(name)


def ask(url: str, question: str) -> Any:
    """Return the only value of a query."""
    engine = sa.create_engine(url, isolation_level="AUTOCOMMIT", poolclass=sa.NullPool)
    with engine.connect() as connection:
        return connection.scalar(sa.text(question))


async def note(url: str, place: int, entry: AnyEntry) -> None:
    """Store an entry of the match at its place; before the first one, the match."""
    store = Store(url)
    await store.start()
    try:
        if not place:
            await store.create(HEADER)
        await store.append(HEADER.id, place, [entry])
    finally:
        await store.close()


async def load(url: str) -> list[AnyEntry]:
    store = Store(url)
    await store.start()
    try:
        found = await store.load(HEADER.id)
    finally:
        await store.close()
    assert found is not None
    return found[1]


def test_a_database_is_restored_as_it_was_at_a_moment(folder: Path) -> None:
    binaries = find_binaries()
    assert binaries is not None
    archive, base = folder / "wal", folder / "base"
    cluster = Cluster(
        binaries, folder, archive_mode="on", archive_command=f"test ! -f {archive}/%f && cp %p {archive}/%f"
    )
    archive.mkdir()
    cluster.own(archive)
    cluster.create()
    cluster.start()
    try:
        url = cluster.make_database()
        cluster.call("pg_basebackup", "-h", folder, "-U", "gonfalon", "-D", base, "--checkpoint=fast")
        asyncio.run(note(url, 0, BEFORE))
        moment = ask(url, "SELECT clock_timestamp()::text")
        asyncio.run(note(url, 1, AFTER))
        last = ask(url, "SELECT pg_walfile_name(pg_switch_wal())")
        wait_for((archive / last).exists)
    finally:
        cluster.stop()

    shutil.rmtree(cluster.data)
    base.rename(cluster.data)
    with (cluster.data / "postgresql.conf").open("a", encoding="utf-8") as settings:
        print(f"restore_command = 'cp {archive}/%f %p'", file=settings)
        print(f"recovery_target_time = '{moment}'", file=settings)
        print("recovery_target_action = 'promote'", file=settings)
    (cluster.data / "recovery.signal").touch()
    cluster.own(cluster.data / "recovery.signal")
    cluster.start()
    try:
        wait_for(lambda: not ask(url, "SELECT pg_is_in_recovery()"))
        assert asyncio.run(load(url)) == [BEFORE]
        asyncio.run(note(url, 1, AGAIN))
        assert asyncio.run(load(url)) == [BEFORE, AGAIN]
    finally:
        cluster.stop()
