"""The room that the matches of a trial need, as rows and packed: of the whole file, with headers and indexes."""

from __future__ import annotations

import tempfile
from pathlib import Path

import sqlalchemy as sa

from gonfalon.server.storage import tables
from gonfalon.server.storage.logs import pack_log
from gonfalon.server.storage.ownership import copy_file


def measure_room(file: Path) -> tuple[float, float]:
    """Return the kB that a stored match needs on average as rows, and packed. `file`: an SQLite database with matches,
    which stays as it is.
    """
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "matches.db"
        copy_file(file, copy)
        engine = sa.create_engine(f"sqlite:///{copy}", poolclass=sa.NullPool)
        before = _shrink(engine, copy)
        with engine.begin() as connection:
            matches = list(connection.scalars(sa.select(tables.matches.c.id)))
            for match in matches:
                pack_log(connection, match)
        return before / len(matches) / 1000, _shrink(engine, copy) / len(matches) / 1000


def _shrink(engine: sa.Engine, file: Path) -> int:
    """Free all unused room, and return the size of the file in bytes."""
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(sa.text("VACUUM"))
    return file.stat().st_size
