"""The log of a match as it is stored: its packed part, and then the rows of `log` from the next place on.

A day after the end of a match its log is packed (`packing.py`). It may still get entries, such as a rematch; so it does
no harm to pack a match that is in memory, or one that goes on.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence

import sqlalchemy as sa

from gonfalon.server.storage import tables

_SEPARATOR = b"\n"
"""Stands between two packed entries; an entry is JSON in one line."""

_matches, _log, _packed = tables.matches.c, tables.log.c, tables.packed.c


def read_entries(connection: sa.Connection, match: str) -> list[bytes]:
    """Return all entries of a log in order, as they are stored. Blocks."""
    wanted = sa.select(_log.place, _log.body).where(_log.match == match).order_by(_log.place)
    # The rows first: if the log is packed between the two queries, the packed part has all of them.
    rows = connection.execute(wanted).all()
    entries = read_packed(connection, match)
    return entries + [body for place, body in rows if place >= len(entries)]


def read_packed(connection: sa.Connection, match: str) -> list[bytes]:
    """Return the entries in the packed part of a log; empty if there is none. Blocks. Raises `zlib.error`."""
    body = connection.scalar(sa.select(_packed.body).where(_packed.match == match))
    return zlib.decompress(body).split(_SEPARATOR) if body else []


def write_packed(connection: sa.Connection, match: str, entries: Sequence[bytes]) -> None:
    """Store these first entries of a log as its packed part."""
    connection.execute(sa.delete(tables.packed).where(_packed.match == match))
    body = zlib.compress(_SEPARATOR.join(entries), 9)
    connection.execute(sa.insert(tables.packed).values(match=match, entries=len(entries), body=body))


def pack_log(connection: sa.Connection, match: str) -> None:
    """Pack all entries of a log, in the transaction of the caller."""
    if not lock_match(connection, match):
        return
    entries = read_entries(connection, match)
    if entries:
        write_packed(connection, match, entries)
        connection.execute(sa.delete(tables.log).where(_log.match == match, _log.place < len(entries)))


def lock_match(connection: sa.Connection, match: str) -> bool:
    """Keep others from packing, erasing or deleting a match until the transaction ends. Return whether there is such a
    match. SQLite has one writer only, and needs no lock. Entries may be appended meanwhile (`FOR NO KEY UPDATE`).
    """
    found = connection.scalar(sa.select(_matches.id).where(_matches.id == match).with_for_update(key_share=True))
    return found is not None


def count_entries() -> sa.ColumnElement[int]:
    """Return the query for the number of entries of each match, as a column beside those of `matches`."""
    rows = sa.select(sa.func.count()).where(_log.match == _matches.id).scalar_subquery()
    packed = sa.select(_packed.entries).where(_packed.match == _matches.id).scalar_subquery()
    return rows + sa.func.coalesce(packed, 0)
