"""Membership of a node: its epoch, its connections' names, and the fence of everything that it stores."""

from __future__ import annotations

import secrets
import time
from typing import Any

import sqlalchemy as sa

from gonfalon.server.cluster import rows
from gonfalon.server.cluster.rows import NodeRow
from gonfalon.server.storage.holding import NodeTakenError, RightsError
from gonfalon.server.storage.ownership import hold_session
from gonfalon.server.storage.rights import require_rights
from gonfalon.server.storage.schema import require_newest

EPOCH = "epoch"
"""Key of a connection's epoch in its `info`."""
LOCK_WITHIN = "1s"
"""Time to wait for the row of another node. Its transactions are ended, so the row is free soon."""


class Membership:
    """The `Holding` of a node. `epoch`: 0 until `enter`; a dead node enters again under a new one."""

    upgrades = False

    def __init__(self, name: str, advertised: str) -> None:
        self.name = name
        self.epoch = 0
        self._advertised = advertised

    @property
    def label(self) -> str:
        """See `NodeRow.label`."""
        return rows.label_node(self.name, self.epoch)

    def hold(self, connection: Any, record: Any) -> None:
        """Share the database's lock with other nodes. Raises `DatabaseTakenError`."""
        hold_session(connection, record, shared=True)

    def mark(self, connection: Any, record: Any) -> None:
        """Give a connection the name by which other nodes end it, and remember its epoch."""
        epoch = record.info[EPOCH] = self.epoch
        cursor = connection.cursor()
        cursor.execute("SELECT set_config('application_name', %s, false)", (rows.name_connections(self.name, epoch),))
        cursor.close()
        connection.commit()

    def fence(self, connection: sa.Connection) -> sa.Executable:
        """Return the query that finds the row of this node while it is alive, in the epoch in which the connection was
        opened: one of an earlier epoch stores nothing, because other nodes do not know it by its name.
        """
        return rows.fence(self.name, connection.info[EPOCH])

    # ---- blocking, on a connection of the heartbeat ------------------------------------------------------------

    def enter(self, connection: sa.Connection) -> None:
        """Take a new epoch. If a node of this name seems alive, wait until it counts as dead.

        Raises `NodeTakenError` if it gives a sign meanwhile.
        """
        epoch = self._wait_for_name(connection)
        with connection.begin():
            before = rows.lock_node(connection, self.name)
            if before is not None and before.epoch != epoch:
                raise NodeTakenError(self.name)  # another process was faster
            for statement in rows.bury(self.name) if before is not None else ():
                connection.execute(statement)
            connection.execute(rows.insert_node(self.name, epoch + 1, self._advertised, secrets.token_hex(16)))
        self.epoch = epoch + 1

    def _wait_for_name(self, connection: sa.Connection) -> int:
        """Return the last epoch under this name, once that node is dead."""
        first = self._find(connection)
        if first is None or first.epoch == self.epoch:
            return 0 if first is None else first.epoch  # our own earlier epoch, which others have ended
        seen = first
        while seen.present:
            time.sleep(0.2)
            again = self._find(connection)
            if again is None or again.epoch != seen.epoch or (again.present and again.age < seen.age):
                raise NodeTakenError(self.name)
            seen = again
        if seen.alive:
            end_connections(connection, seen)
        return seen.epoch

    def _find(self, connection: sa.Connection) -> NodeRow | None:
        with connection.begin():
            return rows.find_node(connection, self.name)

    def end(self, connection: sa.Connection, other: NodeRow) -> list[str] | None:
        """Declare a silent node dead, and free everything that it owned. Return its matches whose clocks run; None if
        it is not dead, or not by us.
        """
        end_connections(connection, other)
        with connection.begin():
            connection.execute(sa.text(f"SET LOCAL lock_timeout = '{LOCK_WITHIN}'"))
            row = rows.lock_node(connection, other.name)
            if row is None or row.epoch != other.epoch or not row.silent:
                return None
            if connection.execute(rows.fence(self.name, self.epoch)).first() is None:
                return None  # we are dead ourselves
            running = rows.list_running(connection, other.name)
            for statement in rows.bury(other.name):
                connection.execute(statement)
            return running

    def leave(self, connection: sa.Connection) -> None:
        """Say that this node has ended, so that others need not wait."""
        with connection.begin():
            row = rows.lock_node(connection, self.name)
            if row is not None and row.epoch == self.epoch and row.alive:
                for statement in rows.bury(self.name):
                    connection.execute(statement)


def end_connections(connection: sa.Connection, other: NodeRow) -> None:
    """End all connections of a node, so that its transactions in progress are undone."""
    with connection.begin():
        connection.execute(rows.end_connections(other.name, other.epoch)).all()


def check_database(connection: sa.Connection) -> None:
    """Check that a node can use this database. Raises `SchemaError`, `RightsError`."""
    require_newest(connection)
    require_rights(connection, sa.inspect(connection).get_table_names())
    others = sa.text(
        "SELECT count(*) FROM pg_stat_activity WHERE application_name LIKE 'gonfalon:%' AND usename <> current_user"
    )
    if connection.scalar(others) and not connection.scalar(
        sa.text("SELECT pg_has_role('pg_signal_backend', 'MEMBER')")
    ):
        user = connection.scalar(sa.select(sa.func.current_user()))
        raise RightsError(
            f"other nodes use another database user; {user} needs the role pg_signal_backend to end their connections"
        )
