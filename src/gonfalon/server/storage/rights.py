"""The rights that a user of the database needs."""

from __future__ import annotations

from collections.abc import Iterable

import sqlalchemy as sa

from gonfalon.server.storage.holding import RightsError

RIGHTS = ("SELECT", "INSERT", "UPDATE", "DELETE")


def require_rights(connection: sa.Connection, tables: Iterable[str]) -> None:
    """Check that the user of a PostgreSQL database may read and change some tables. Raises `RightsError`."""
    may = sa.func.has_table_privilege
    for table in tables:
        for right in RIGHTS:
            user, allowed = connection.execute(sa.select(sa.func.current_user(), may(f'"{table}"', right))).one()
            if not allowed:
                raise RightsError(f"the database user {user} lacks the right {right} on the table {table}")
