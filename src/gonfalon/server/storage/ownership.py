"""Ownership: a database belongs to one server process at a time. Its files belong to the user who runs the server."""

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
"""Number of the advisory lock in PostgreSQL: the letters of "gonfalon". Each database has its own such locks."""
PATIENCE = 5.0
"""Seconds to wait for the lock. PostgreSQL may need them to notice that the process with the lock was killed."""
_SUFFIXES = ("", "-wal", "-shm", ".lock")


class DatabaseTakenError(RuntimeError):
    """Another process uses the database."""

    def __init__(self) -> None:
        super().__init__("another server has this database; two would overwrite each other's matches")


def find_file(url: sa.URL) -> Path | None:
    """Return the file of an SQLite database; None for one in memory and for other databases."""
    if url.get_backend_name() != "sqlite" or url.database in (None, "", ":memory:"):
        return None
    return Path(str(url.database))


def hide_files(file: Path) -> None:
    """Make the files of the database accessible only to their owner, and also the folder if it holds nothing else.
    Files that SQLite adds get the same mode as the database.
    """
    folder = file.parent
    if not folder.is_dir():
        return  # SQLite reports the missing folder
    for each in (file, _lock_of(file)):
        # Open only missing files: closing a file would release the locks that this process has on it.
        with contextlib.suppress(FileExistsError):
            os.close(os.open(each, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    ours = [file.with_name(file.name + suffix) for suffix in _SUFFIXES]
    for each in ours:
        if each.exists():
            _hide(each, 0o600)
    if set(folder.iterdir()) <= set(ours):
        _hide(folder, 0o700)


def _hide(path: Path, mode: int) -> None:
    """Set the mode, if this user may: only the owner and root can, even if others may write to the file."""
    if os.geteuid() in (0, path.stat().st_uid):
        path.chmod(mode)


@contextlib.contextmanager
def hold_file(file: Path) -> Iterator[None]:
    """Own the database of a file while the block runs. The lock is an SQLite lock on a separate file, so that other
    processes can still read the database. It ends when the process ends, in any way. Raises `DatabaseTakenError`.
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
    """Copy the database of a file as it is at one moment. A server may go on writing to it. Raises
    `FileExistsError`.
    """
    os.close(os.open(target, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    with contextlib.closing(sqlite3.connect(file)) as source, contextlib.closing(sqlite3.connect(target)) as copy:
        source.backup(copy)
        copy.execute("PRAGMA journal_mode=DELETE")  # so that the copy is a single file


def hold_session(connection: Any, _record: Any, shared: bool = False) -> None:
    """Take the lock on a new PostgreSQL connection of the writer. The server owns the database while this connection is
    open. `shared`: together with others that share it, which excludes a server that owns it alone.

    Raises `DatabaseTakenError`.
    """
    end = time.monotonic() + PATIENCE
    kind = "_shared" if shared else ""
    cursor = connection.cursor()
    cursor.execute(f"SELECT pg_try_advisory_lock{kind}(%s)", (LOCK,))
    while not cursor.fetchone()[0]:
        if time.monotonic() > end:
            raise DatabaseTakenError
        time.sleep(0.05)
        cursor.execute(f"SELECT pg_try_advisory_lock{kind}(%s)", (LOCK,))
    cursor.close()
    connection.commit()


def _lock_of(file: Path) -> Path:
    return file.with_name(f"{file.name}.lock")
