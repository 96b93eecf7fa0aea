"""The rights in the database that a worker needs. It needs no others, so it can have a user of its own."""

from __future__ import annotations

import sqlalchemy as sa

from gonfalon.server.storage.holding import RightsError

RIGHTS = ("SELECT", "INSERT", "UPDATE", "DELETE")
TABLES = ("workers", "questions")
"""The tables in which a worker writes."""


def require_rights(connection: sa.Connection) -> None:
    """Check that the user of the database may do what a worker does. Raises `RightsError`."""
    may = sa.func.has_table_privilege
    for table in TABLES:
        for right in RIGHTS:
            user, allowed = connection.execute(sa.select(sa.func.current_user(), may(table, right))).one()
            if not allowed:
                raise RightsError(f"the database user {user} lacks the right {right} on the table {table}")
