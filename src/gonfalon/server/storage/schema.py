"""The schema of a database: its revision, and the way to the newest one."""

from __future__ import annotations

from pathlib import Path

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

UPGRADE = 0x676F6E66616C6F6F
"""Number of the advisory lock of PostgreSQL that one upgrade holds at a time."""


class SchemaError(RuntimeError):
    """The database has not the schema that this version needs."""


def upgrade(connection: sa.Connection) -> None:
    """Bring the schema up to date. Raises `alembic.util.CommandError` if it is newer than this version."""
    config = _make_config()
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def require_newest(connection: sa.Connection) -> None:
    """Check that the schema is the one of this version. Raises `SchemaError`."""
    present = MigrationContext.configure(connection).get_current_revision()
    scripts = ScriptDirectory.from_config(_make_config())
    if present == scripts.get_current_head():
        return
    if present is None:
        raise SchemaError("no server has used this database yet: `gonfalon database upgrade` makes its tables")
    if present in {script.revision for script in scripts.walk_revisions()}:
        raise SchemaError("the database is older than this version of Gonfalon: run `gonfalon database upgrade` first")
    raise SchemaError("the database is of a newer version of Gonfalon; update this one")


def upgrade_beside(connection: sa.Connection) -> tuple[str, str]:
    """Bring a PostgreSQL database up to date while nodes run: migrations only add. Return the revisions before and
    after; an empty one: no tables. Raises `alembic.util.CommandError` if the schema is newer than this version.
    """
    connection.execute(sa.select(sa.func.pg_advisory_xact_lock(UPGRADE)))
    before = MigrationContext.configure(connection).get_current_revision() or ""
    upgrade(connection)
    return before, MigrationContext.configure(connection).get_current_revision() or ""


def _make_config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    return config
