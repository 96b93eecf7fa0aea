"""Export of everything that is stored about a person, as JSON that people can read."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import msgspec
import sqlalchemy as sa

from gonfalon.server.people.rows import Person, find_names
from gonfalon.server.storage import tables
from gonfalon.server.storage.entries import Named, unpack_entry, unpack_header
from gonfalon.server.storage.logs import read_entries
from gonfalon.server.storage.store import Store

HIDDEN = {"hash", "key", "credential", "password", "person", "count", "day"}
"""Columns that are left out: secrets, and what says nothing to a reader."""


def export_person(store: Store, person: Person) -> dict[str, Any]:
    """Return everything that is stored about a person. Blocks."""
    who = person.id
    sessions = _rows(store, tables.sessions, who)
    played = _rows(store, tables.results, who)
    with store.read() as connection:
        codes = tables.recovery_codes.c
        count = connection.scalar(sa.select(sa.func.count()).where(codes.person == who)) or 0
        blocked = set(connection.scalars(sa.select(tables.blocks.c.blocked).where(tables.blocks.c.person == who)))
    return {
        "id": who,
        "name": person.name,
        "created": _date(person.created),
        "seen": _date(person.seen),
        "banned": _date(person.banned) if person.banned else None,
        "password": "stored as a hash" if person.password else None,
        "recovery_codes": f"{count} unused, stored as hashes",
        "sessions": sessions,
        "passkeys": _rows(store, tables.passkeys, who),
        "blocked": sorted(find_names(store, blocked).values()),
        "seats": [seat | {"typed_names": _find_typed(store, seat)} for seat in _rows(store, tables.seats, who)],
        "results": played,
        "left_early": _rows(store, tables.left_early, who),
        "challenges": _find_challenges(store, who),
    }


def _rows(store: Store, table: sa.Table, person: str) -> list[dict[str, Any]]:
    """Return the rows of a person, with times as dates."""
    with store.read() as connection:
        found = connection.execute(sa.select(table).where(table.c.person == person))
        return [_describe(row) for row in found.mappings()]


def _describe(row: sa.RowMapping) -> dict[str, Any]:
    return {name: _word(name, value) for name, value in row.items() if name not in HIDDEN}


def _find_challenges(store: Store, person: str) -> list[dict[str, Any]]:
    """Return the stored challenges by a person: when they were made, and their terms."""
    challenges = tables.challenges.c
    wanted = sa.select(challenges.made, challenges.body).where(challenges.maker == person).order_by(challenges.made)
    with store.read() as connection:
        found = list(connection.execute(wanted))
    return [{"made": _date(made), "terms": msgspec.json.decode(body)["terms"]} for made, body in found]


def _find_typed(store: Store, seat: dict[str, Any]) -> list[str]:
    """Return the names that the person typed in a match."""
    matches = tables.matches.c
    with store.read() as connection:
        header = connection.scalar(sa.select(matches.header).where(matches.id == seat["match"]))
        bodies = read_entries(connection, seat["match"])
    if header is None:
        return []
    player = seat["player"]
    entries = (unpack_entry(body) for body in bodies)
    given = [unpack_header(header).seats[player].name]
    given += [entry.name for entry in entries if isinstance(entry, Named) and entry.by == player]
    return [name for name in given if name]


def _word(name: str, value: Any) -> Any:
    return _date(value) if name in ("created", "seen", "ended", "at") else value


def _date(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat()
