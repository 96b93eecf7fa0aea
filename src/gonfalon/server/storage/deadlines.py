"""The table of deadlines: one row for each match whose clock runs, and the last time at which the server was up.

`due` is a deadline by correspondence, in Unix milliseconds. It is empty for a match that stays in memory while its
clock runs, and for one in which a computer player is due: a start loads those.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Protocol

import sqlalchemy as sa

from gonfalon.server.storage import tables

_deadlines, _up = tables.deadlines.c, tables.up.c


class Reader(Protocol):
    """The part of the store that reading needs. Each method here blocks, so it runs in a thread."""

    def read(self) -> AbstractContextManager[sa.Connection]: ...


def find_due(store: Reader, match: str) -> int:
    """Return the deadline of a match; 0 if there is none."""
    with store.read() as connection:
        return connection.scalar(sa.select(_deadlines.due).where(_deadlines.match == match)) or 0


def list_past(store: Reader, now: int, most: int) -> list[str]:
    """Return the matches whose deadlines have passed, at most so many, the earliest first."""
    wanted = sa.select(_deadlines.match).where(_deadlines.due < now).order_by(_deadlines.due).limit(most)
    with store.read() as connection:
        return list(connection.scalars(wanted))


def list_running(store: Reader) -> list[str]:
    """Return the matches with a running clock and no deadline."""
    with store.read() as connection:
        return list(connection.scalars(sa.select(_deadlines.match).where(_deadlines.due.is_(None))))


def read_up(store: Reader) -> int:
    """Return the last stored time at which a server was up; 0 if there is none."""
    with store.read() as connection:
        return connection.scalar(sa.select(sa.func.max(_up.at))) or 0


def write_due(match: str, due: int | None) -> Sequence[sa.Executable]:
    """Return the statements that store the row of a match. `due`: 0 for an empty deadline, None for no row."""
    removal = sa.delete(tables.deadlines).where(_deadlines.match == match)
    if due is None:
        return (removal,)
    return removal, sa.insert(tables.deadlines).values(match=match, due=due or None)


def write_up(at: int) -> Sequence[sa.Executable]:
    """Return the statements that store a time at which the server is up."""
    return sa.delete(tables.up), sa.insert(tables.up).values(at=at)


def write_extension(up: int, down: int) -> sa.Executable:
    """Return the statement that adds `down` ms to all deadlines, as `clock.deadline.extend` does."""
    return sa.update(tables.deadlines).where(_deadlines.due >= up).values(due=_deadlines.due + down)
