"""Erasure of typed names: the names that a person gave in matches are overwritten in the stored logs."""

from __future__ import annotations

from collections.abc import Collection, Iterator

import msgspec
import sqlalchemy as sa

from gonfalon.server.storage import tables
from gonfalon.server.storage.entries import Named, SeatHeader, pack, unpack_entry, unpack_header
from gonfalon.server.storage.store import Statements, Store


def plan_erasure(store: Store, match: str, players: Collection[int]) -> Statements:
    """Return the statements that overwrite the names given by `players` in the log of a match. Blocks."""
    matches, log = tables.matches, tables.log
    with store.read() as connection:
        header = connection.scalar(sa.select(matches.c.header).where(matches.c.id == match))
        entries = [
            (place, body)
            for place, body in connection.execute(sa.select(log.c.place, log.c.body).where(log.c.match == match))
        ]
    if header is None:
        return ()
    erased = _erase_header(header, players)
    changes = [sa.update(matches).where(matches.c.id == match).values(header=erased)] if erased != header else []
    for place, body in _erase_entries(entries, players):
        changes.append(sa.update(log).where(log.c.match == match, log.c.place == place).values(body=body))
    return changes


def _erase_header(body: bytes, players: Collection[int]) -> bytes:
    header = unpack_header(body)
    seats = tuple(_erase_seat(seat) if player in players else seat for player, seat in enumerate(header.seats))
    return pack(msgspec.structs.replace(header, seats=seats)) if seats != header.seats else body


def _erase_seat(seat: SeatHeader) -> SeatHeader:
    return msgspec.structs.replace(seat, name="")


def _erase_entries(entries: list[tuple[int, bytes]], players: Collection[int]) -> Iterator[tuple[int, bytes]]:
    """Yield place and new text of each entry that holds a name."""
    for place, body in entries:
        entry = unpack_entry(body)
        if isinstance(entry, Named) and entry.by in players and entry.name:
            yield place, pack(msgspec.structs.replace(entry, name=""))
