"""Erasure of typed names: the names that a person gave in matches are overwritten in the stored logs."""

from __future__ import annotations

from collections.abc import Collection

import msgspec
import sqlalchemy as sa

from gonfalon.server.storage import tables
from gonfalon.server.storage.entries import Named, SeatHeader, pack, unpack_entry, unpack_header
from gonfalon.server.storage.logs import lock_match, read_packed, write_packed

_HINT = b'"named"'
"""Text in every entry that holds a name, so that the others need not be read."""


def erase_names(connection: sa.Connection, match: str, players: Collection[int]) -> None:
    """Overwrite the names given by `players` in the log of a match, in the transaction of the caller: the log may be
    packed at any other moment.
    """
    matches, log = tables.matches, tables.log
    if not lock_match(connection, match):
        return
    header = connection.scalar(sa.select(matches.c.header).where(matches.c.id == match))
    if header is None:
        return
    if (erased := _erase_header(header, players)) != header:
        connection.execute(sa.update(matches).where(matches.c.id == match).values(header=erased))
    packed = read_packed(connection, match)
    if (without := [_erase_entry(body, players) for body in packed]) != packed:
        write_packed(connection, match, without)
    rows = connection.execute(sa.select(log.c.place, log.c.body).where(log.c.match == match)).all()
    for place, body in rows:
        if (emptied := _erase_entry(body, players)) != body:
            connection.execute(sa.update(log).where(log.c.match == match, log.c.place == place).values(body=emptied))


def _erase_header(body: bytes, players: Collection[int]) -> bytes:
    header = unpack_header(body)
    seats = tuple(_erase_seat(seat) if player in players else seat for player, seat in enumerate(header.seats))
    return pack(msgspec.structs.replace(header, seats=seats)) if seats != header.seats else body


def _erase_seat(seat: SeatHeader) -> SeatHeader:
    return msgspec.structs.replace(seat, name="")


def _erase_entry(body: bytes, players: Collection[int]) -> bytes:
    """Return the entry without the name that it holds."""
    if _HINT not in body:
        return body
    entry = unpack_entry(body)
    if isinstance(entry, Named) and entry.by in players and entry.name:
        return pack(msgspec.structs.replace(entry, name=""))
    return body
