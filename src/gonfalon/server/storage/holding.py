"""Holding a database: alone, or together with other nodes."""

from __future__ import annotations

from typing import Any, Protocol

import sqlalchemy as sa

from gonfalon.server.storage.ownership import hold_session


class FencedError(RuntimeError):
    """Another node has declared this one dead, so nothing is stored any more under its epoch."""

    def __init__(self) -> None:
        super().__init__("another node has taken over what this one owned")


class NodeTakenError(RuntimeError):
    """A node of this name is alive."""

    def __init__(self, name: str) -> None:
        super().__init__(f"a node {name} is alive on this database; choose another name")


class RightsError(RuntimeError):
    """The user of the database lacks a right."""


class Holding(Protocol):
    """The store asks these things of it."""

    upgrades: bool
    """Whether a start brings the schema up to date. Otherwise it must be so already."""

    def hold(self, connection: Any, record: Any) -> None:
        """Lock the database on a new PostgreSQL connection of the writer. Raises `DatabaseTakenError`."""

    def mark(self, connection: Any, record: Any) -> None:
        """Give a new PostgreSQL connection its name."""

    def fence(self, connection: sa.Connection) -> sa.Executable | None:
        """Return the query with which each transaction that writes on a connection begins: if it finds no row, nothing
        may be stored. None: there is no other writer.
        """


class Alone:
    """One process owns the database."""

    upgrades = True

    def hold(self, connection: Any, record: Any) -> None:
        """Lock the database. Raises `DatabaseTakenError`."""
        hold_session(connection, record)

    def mark(self, connection: Any, record: Any) -> None:
        """Leave the name as it is."""

    def fence(self, connection: sa.Connection) -> None:
        """Return None."""
