"""Processes that start at once compile each rule once; a lock that is not given back holds up nobody for long."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from gonfalon.engine.compiled import compile_lock
from gonfalon.engine.compiled.compile_lock import hold_lock

HOLD = """
import sys, time
from pathlib import Path
from gonfalon.engine.compiled.compile_lock import hold_lock
with hold_lock(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.readline()
"""


def hold_elsewhere(path: Path) -> subprocess.Popen[str]:
    """Return another process that holds the lock until it gets a line, or dies."""
    command = [sys.executable, "-c", HOLD, str(path)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


def test_a_process_waits_until_another_is_ready(tmp_path: Path) -> None:
    with hold_elsewhere(tmp_path / "lock") as other:
        given_back = []
        assert other.stdin is not None

        def give_back(write: object = other.stdin) -> None:
            given_back.append(True)
            other.communicate("\n")

        timer = threading.Timer(0.3, give_back)
        timer.start()
        with hold_lock(tmp_path / "lock", patience=60):
            assert given_back
        timer.join()


def test_nobody_waits_longer_than_the_limit(tmp_path: Path) -> None:
    with hold_elsewhere(tmp_path / "lock") as other:
        entered = False
        with hold_lock(tmp_path / "lock", patience=0.1):
            entered = True
            assert other.poll() is None
        assert entered
        other.communicate("\n")


def test_a_killed_process_leaves_no_lock(tmp_path: Path) -> None:
    with hold_elsewhere(tmp_path / "lock") as other:
        other.kill()
        other.wait()
    begin = time.monotonic()
    with hold_lock(tmp_path / "lock", patience=60):
        assert time.monotonic() - begin < 30


def test_a_thread_locks_one_file_at_a_time(tmp_path: Path) -> None:
    with hold_elsewhere(tmp_path / "inner") as other:
        begin = time.monotonic()
        with hold_lock(tmp_path / "outer"), hold_lock(tmp_path / "inner", patience=60):
            assert time.monotonic() - begin < 30
        other.communicate("\n")


@pytest.mark.parametrize("missing", ["folder", "locks"])
def test_without_a_folder_or_locks_nobody_waits(missing: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if missing == "locks":
        monkeypatch.setattr(compile_lock, "fcntl", None)
    (tmp_path / "file").touch()
    entered = False
    with hold_lock(tmp_path / "file" / "lock" if missing == "folder" else tmp_path / "lock"):
        entered = True
    assert entered
    assert not (tmp_path / "lock").exists()


def test_an_error_gives_the_lock_back(tmp_path: Path) -> None:
    def fail() -> None:
        with hold_lock(tmp_path / "lock"):
            raise ValueError("inside")

    with pytest.raises(ValueError, match="inside"):
        fail()
    with hold_elsewhere(tmp_path / "lock") as other:
        other.communicate("\n")
