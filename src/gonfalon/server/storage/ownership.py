"""Ownership: a database belongs to one server process at a time, and its files to the user who runs the server."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import sqlalchemy as sa

LOCK = 0x676F6E66616C6F6E
"""Number of the advisory lock in PostgreSQL: the letters of "gonfalon". Each database has such locks of its own."""
PATIENCE = 5.0
"""Seconds that PostgreSQL gets to notice that the process with the lock was killed."""
_SUFFIXES = ("", "-wal", "-shm", ".lock")


class DatabaseTakenError(RuntimeError):
    """Another process has the database."""

    def __init__(self) -> None:
        super().__init__("another server has this database; two would overwrite each other's matches")


def find_file(url: sa.URL) -> Path | None:
    """Return the file of an SQLite database; None for one in memory and for other databases."""
    if url.get_backend_name() != "sqlite" or url.database in (None, "", ":memory:"):
        return None
    return Path(str(url.database))


def hide_files(file: Path) -> None:
    """Close the files of the database to everybody but their owner, and the folder too if it holds nothing else. Files
    that SQLite makes beside it get the same mode.
    """
    folder = file.parent
    if not folder.is_dir():
        return  # SQLite says so itself
    for each in (file, _lock_of(file)):
        # Only a missing file is opened: closing a file ends the locks that this process has on it.
        with contextlib.suppress(FileExistsError):
            os.close(os.open(each, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    ours = [file.with_name(file.name + suffix) for suffix in _SUFFIXES]
    for each in ours:
        if each.exists():
            _hide(each, 0o600)
    if set(folder.iterdir()) <= set(ours):
        _hide(folder, 0o700)


def _hide(path: Path, mode: int) -> None:
    """Only the owner may change the mode of a file, even if others may write to it."""
    if os.geteuid() in (0, path.stat().st_uid):
        path.chmod(mode)


@contextlib.contextmanager
def hold_file(file: Path) -> Iterator[None]:
    """Hold the database of a file while the block runs. The lock is SQLite's own, on a file of its own, so that others
    can still read; it ends with the process, however that ends. Raises `DatabaseTakenError`.
    """
    lock = sqlite3.connect(
        file.with_name(f"{file.name}.lock"), timeout=0, isolation_level=None, check_same_thread=False
    )
    try:
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError as error:
        lock.close()
        if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
            raise
        raise DatabaseTakenError from error
    try:
        yield
    finally:
        lock.close()


def copy_file(file: Path, target: Path) -> None:
    """Copy the database of a file as it is at one moment, beside a server that goes on writing. Raises
    `FileExistsError`.
    """
    os.close(os.open(target, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    with contextlib.closing(sqlite3.connect(file)) as source, contextlib.closing(sqlite3.connect(target)) as copy:
        source.backup(copy)
        copy.execute("PRAGMA journal_mode=DELETE")  # one file, with nothing beside it


def hold_session(connection: Any, _record: Any) -> None:
    """Take the lock on a new connection to PostgreSQL, the one that writes; it holds the database as long as it is
    open.

    Raises `DatabaseTakenError`.
    """
    end = time.monotonic() + PATIENCE
    cursor = connection.cursor()
    cursor.execute("SELECT pg_try_advisory_lock(%s)", (LOCK,))
    while not cursor.fetchone()[0]:
        if time.monotonic() > end:
            raise DatabaseTakenError
        time.sleep(0.05)
        cursor.execute("SELECT pg_try_advisory_lock(%s)", (LOCK,))
    cursor.close()
    connection.commit()


def _lock_of(file: Path) -> Path:
    return file.with_name(f"{file.name}.lock")
