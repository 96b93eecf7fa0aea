"""A lock between processes, so that two that start at once on an empty cache do not both compile the same function.

The operating system ends the lock with its process, so a crash leaves nothing to wait for. Where there are no such
locks (systems other than Unix, some network disks), nobody waits and each process compiles for itself.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

try:
    import fcntl
except ImportError:  # not a Unix
    fcntl = None  # type: ignore[assignment]

PATIENCE = 300.0
"""Seconds to wait for another process. After this time both compile, which costs time and nothing else."""
PAUSE = 0.02
"""Seconds between two tries."""

_mine = threading.local()


@contextmanager
def hold_lock(path: Path, patience: float = PATIENCE) -> Iterator[None]:
    """Hold the lock of a file inside the block; without it if it cannot be had. Inside another such block of the same
    thread nothing is locked: with two locks at a time, two threads could wait for each other.
    """
    if fcntl is None or getattr(_mine, "held", False):
        yield
        return
    _mine.held = True
    try:
        with _open(path) as file:
            _wait(file, time.monotonic() + patience)
            yield
    finally:
        _mine.held = False


@contextmanager
def _open(path: Path) -> Iterator[IO[bytes] | None]:
    """Open the file, which is made if it is missing; None if that is not possible. Closing it ends the lock."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        file = path.open("ab")
    except OSError:
        yield None
        return
    with file:
        yield file


def _wait(file: IO[bytes] | None, until: float) -> None:
    """Wait for the lock of a file, but not longer than `until`."""
    while file is not None:
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:  # another process holds it
            if time.monotonic() >= until:
                return
            time.sleep(PAUSE)
        except OSError:  # this disk has no locks
            return
        else:
            return
