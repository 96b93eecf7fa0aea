"""Readiness: whether the server can store a new match, at start and later."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import sqlalchemy as sa

from gonfalon.cli import main
from server.harness import DATABASE, Server, find_database, running

ON_FILES = pytest.mark.skipif(bool(DATABASE), reason="about files of SQLite")


@contextmanager
def without_matches(data: Path) -> Iterator[None]:
    """Rename the table of matches while the block runs, so that every write fails."""
    engine = sa.create_engine(find_database(data) or f"sqlite:///{data}/matches.db")
    with engine.begin() as connection:
        connection.execute(sa.text("ALTER TABLE matches RENAME TO away"))
    try:
        yield
    finally:
        with engine.begin() as connection:
            connection.execute(sa.text("ALTER TABLE away RENAME TO matches"))
        engine.dispose()


def ask(server: Server, path: str) -> tuple[int, str]:
    answer = server.get(path)
    return answer.status_code, answer.text


def test_a_server_is_ready_while_its_database_can_be_written(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        assert ask(server, "/readyz") == (200, "ok")
        with without_matches(tmp_path):
            wish = {"variant": "barrage", "seats": [{"kind": "me"}, {"kind": "person"}]}
            assert server.post("/api/matches", wish).status_code == 500
            assert ask(server, "/readyz") == (503, "No match can be stored.")
            assert ask(server, "/healthz") == (200, "ok")
        assert ask(server, "/readyz") == (200, "ok")


@ON_FILES
def test_a_full_disk_is_not_ready(tmp_path: Path) -> None:
    with running(tmp_path, free_disk=1 << 60) as server:
        assert ask(server, "/readyz")[0] == 503


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a page, and nothing that serves it."""
    page = tmp_path / "page"
    page.mkdir()
    (page / "index.html").touch()
    monkeypatch.setattr("gonfalon.server.config.STATIC", page)
    monkeypatch.setattr("gonfalon.server.app.serve", lambda *_: None)
    return tmp_path


def test_a_server_that_cannot_write_ends_at_start(built: Path, capsys: pytest.CaptureFixture[str]) -> None:
    where = ["--database", find_database(built / "data")] if DATABASE else ["--data", str(built / "data")]
    assert main(["serve", "--port", "0", *where]) == 0
    capsys.readouterr()
    with without_matches(built / "data"):
        assert main(["serve", "--port", "0", *where]) == 2
    assert capsys.readouterr().err.startswith("gonfalon: the database cannot be changed: ")


AS_NOBODY = """
import os, pathlib, sys
from gonfalon.cli.errors import CommandError
from gonfalon.cli.places import make_folder
os.setuid(65534)
try:
    make_folder(pathlib.Path(sys.argv[1]))
except CommandError as error:
    print(error)
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
@pytest.mark.parametrize("closed", ["", "matches.db"])
def test_files_of_another_owner_are_named(closed: str) -> None:
    with tempfile.TemporaryDirectory() as folder:  # not `tmp_path`, where only its owner may look
        data = Path(folder)
        (data / "matches.db").touch()
        (data / "matches.db").chmod(0o666)
        data.chmod(0o777)
        (data / closed).chmod(0o555)
        command = [sys.executable, "-c", AS_NOBODY, folder]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        assert done.stdout.startswith(f"--data: this user cannot write to {data / closed};")


@pytest.mark.skipif(sys.platform != "linux", reason="about a folder of Linux where nobody can make a file")
def test_a_folder_that_takes_no_files_is_named(built: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", "--port", "0", "--data", "/sys/kernel"]) == 2
    assert "/sys/kernel" in capsys.readouterr().err
