"""Only one server at a time may use a database, and only the owner may read its files."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import random
import stat
import subprocess
import sys
from pathlib import Path

import pytest
import sqlalchemy as sa
from websockets.exceptions import ConnectionClosed

from gonfalon.cli import main
from gonfalon.server.storage.ownership import DatabaseTakenError
from gonfalon.server.storage.store import Store
from server.harness import DATABASE, SERVE, find_database, running

ON_FILES = pytest.mark.skipif(bool(DATABASE), reason="about files of SQLite")


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@ON_FILES
def test_files_are_for_their_owner_alone(tmp_path: Path, rng: random.Random) -> None:
    folder = tmp_path / "data"
    old = os.umask(0o022)
    try:
        with running(folder) as server:
            server.match().sit("red").deploy(rng)
            names = {path.name for path in folder.iterdir()}
            assert {"matches.db", "matches.db-wal", "matches.db-shm"} <= names
            assert {mode(path) for path in folder.iterdir()} == {0o600}
            assert mode(folder) == 0o700
    finally:
        os.umask(old)


@ON_FILES
def test_files_of_older_servers_too_but_no_folder_that_holds_more(tmp_path: Path) -> None:
    for folder, more in ((tmp_path / "ours", False), (tmp_path / "home", True)):
        folder.mkdir(mode=0o755)
        (folder / "matches.db").touch(0o644)
        if more:
            (folder / "letter.txt").touch(0o644)
        with running(folder):
            assert mode(folder / "matches.db") == 0o600
            assert mode(folder) == (0o755 if more else 0o700)
        assert not more or mode(folder / "letter.txt") == 0o644


def test_a_second_server_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str], rng: random.Random) -> None:
    with running(tmp_path) as server:
        settings = json.dumps(server.settings)
        command = [sys.executable, "-c", SERVE, "0", settings]
        second = subprocess.run(command, capture_output=True, timeout=120, check=False)
        assert second.returncode != 0
        assert b"another server has this database" in second.stderr
        where = ["--database", find_database(tmp_path)] if DATABASE else ["--data", str(tmp_path)]
        assert main(["serve", "--port", "0", *where]) == 2
        assert "another server has this database" in capsys.readouterr().err
        server.match().sit("red").deploy(rng)  # the first server goes on


def test_a_killed_server_leaves_no_lock(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        match = server.match()
        for _ in range(3):
            server.kill()
            server.start()
        assert match.info()["id"] == match.id


def test_a_store_that_ends_gives_the_database_back(tmp_path: Path) -> None:
    url = find_database(tmp_path) or f"sqlite:///{tmp_path / 'x.db'}"

    async def run() -> None:
        for _ in range(2):
            first, second = Store(url), Store(url)
            await first.start()
            with pytest.raises(DatabaseTakenError):
                await second.start()
            await second.close()
            await first.close()

    asyncio.run(run())


@pytest.mark.skipif(not DATABASE, reason="about connections to PostgreSQL")
def test_a_lost_connection_is_made_anew_and_the_database_stays_held(tmp_path: Path, rng: random.Random) -> None:
    """A lost connection is what a restart of PostgreSQL causes. A decision that was waiting is not acknowledged, and
    the client sends it again.
    """
    url = find_database(tmp_path)
    with running(tmp_path) as server:
        match = server.match()
        red = match.sit("red")
        actions = red.placements(rng)
        drop_connections(url)
        red.send("act", n=1, actions=actions)
        for _ in range(3):  # The writer's connection and up to two of readers turn out to be lost, one by one
            with contextlib.suppress(ConnectionClosed, AssertionError):
                red = match.sit("red")
                assert red.n or red.act(actions, 1)["type"] == "stored"
                break
        assert match.sit("red").welcome["n"] == 1

        async def second() -> None:
            store = Store(url)
            with pytest.raises(DatabaseTakenError):
                await store.start()
            await store.close()

        asyncio.run(second())


def drop_connections(url: str) -> None:
    engine = sa.create_engine(url, poolclass=sa.NullPool)
    others = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> "
    with engine.connect() as connection:
        connection.execute(sa.text(others + "pg_backend_pid()"))
