"""`gonfalon worker`: a match against computer players in another process, and databases that it refuses."""

from __future__ import annotations

import asyncio
import contextlib
import random
import secrets
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

import gonfalon
from gonfalon.cli import main
from gonfalon.server.trials.processes.ports import reserve_port
from server.against import begin, turn
from server.harness import find_database, running
from server.workers.halls import ON_POSTGRES, prepare


def test_a_worker_refuses_sqlite_and_says_why(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["worker", "--data", str(tmp_path)]) == 2
    assert "an SQLite database belongs to one process" in capsys.readouterr().err


def test_a_server_of_sqlite_needs_processes_of_its_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", "--data", str(tmp_path), "--agent-processes", "0"]) == 2
    assert "--agent-processes 0 needs PostgreSQL" in capsys.readouterr().err


@contextlib.contextmanager
def role(url: str, *missing: str) -> Iterator[str]:
    """Make a user of the database with the rights that docs/running.md gives to a worker, without the `missing` ones.
    Yield the address with this user.
    """
    name = f"worker_{secrets.token_hex(8)}"
    rights = ", ".join(right for right in ("SELECT", "INSERT", "UPDATE", "DELETE") if right not in missing)
    engine = sa.create_engine(url, isolation_level="AUTOCOMMIT", poolclass=sa.NullPool)
    with engine.connect() as connection:
        connection.execute(sa.text(f"CREATE ROLE {name} LOGIN"))
        connection.execute(sa.text(f"GRANT SELECT ON alembic_version TO {name}"))
        connection.execute(sa.text(f"GRANT {rights} ON workers, questions TO {name}"))
        try:
            yield sa.make_url(url).set(username=name).render_as_string(hide_password=False)
        finally:
            connection.execute(sa.text(f"DROP OWNED BY {name}"))
            connection.execute(sa.text(f"DROP ROLE {name}"))


@contextlib.contextmanager
def working(url: str) -> Iterator[subprocess.Popen[bytes]]:
    """Run `gonfalon worker` in a process of its own."""
    arguments = ["worker", "--database", url, "--processes", "1"]
    code = f"import sys; from gonfalon.cli import main; sys.exit(main({arguments!r}))"
    process = subprocess.Popen([sys.executable, "-c", code])
    try:
        yield process
    finally:
        process.kill()
        process.wait()


@ON_POSTGRES
@pytest.mark.parametrize("node", ["", "one"])
def test_a_match_against_workers_that_are_killed_and_started_again(
    tmp_path: Path, rng: random.Random, node: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The server owns the database alone, or is a node."""
    with contextlib.ExitStack() as stack:
        if node:
            asyncio.run(prepare(find_database(tmp_path)))
        port = stack.enter_context(reserve_port()).getsockname()[1]
        sharing = {"node": node, "advertise": f"http://127.0.0.1:{port}"} if node else {}
        server = stack.enter_context(running(tmp_path, agent_processes=0, **sharing))
        url = stack.enter_context(role(find_database(tmp_path)))
        with working(url) as first:
            _, red = begin(server, rng)
            turn(red)
            if node:
                capsys.readouterr()
                assert main(["nodes", "list", "--database", find_database(tmp_path)]) == 0
                listed = capsys.readouterr().out.splitlines()[-1].split()
                assert (listed[0], *listed[2:]) == ("worker", "1", "processes", gonfalon.__version__)
            first.kill()
            first.wait()
        with working(url) as second:
            for _ in range(2):
                if not red.over:
                    turn(red)
            second.send_signal(signal.SIGTERM)
            assert second.wait(30) == 0


@ON_POSTGRES
def test_a_database_that_a_worker_cannot_use_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    url = find_database(tmp_path)

    def refuse(address: str = url) -> str:
        assert main(["worker", "--database", address]) == 2
        return capsys.readouterr().err

    assert "no server has used this database yet" in refuse()
    asyncio.run(prepare(url))
    with role(url, "DELETE") as poor:
        assert f"{sa.make_url(poor).username} lacks the right DELETE on the table workers" in refuse(poor)
    engine = sa.create_engine(url, poolclass=sa.NullPool)
    for revision, text in (("0007", "the database is older"), ("later", "of a newer version of Gonfalon")):
        with engine.begin() as connection:
            connection.execute(sa.text(f"UPDATE alembic_version SET version_num = '{revision}'"))
        assert text in refuse()
