"""Rows of persons: statements that change them, and queries, which block."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import msgspec
import sqlalchemy as sa

from gonfalon.server.people.account_names import find_key, is_account_name
from gonfalon.server.storage import tables
from gonfalon.server.storage.store import Statements, Store

_persons = tables.persons.c


class Person(msgspec.Struct, frozen=True):
    """An account, or a guest without a name. Times in Unix seconds."""

    id: str
    name: str
    """Name of the account; empty for a guest."""
    password: str
    """Hash of the password; empty if there is none."""
    created: int
    seen: int
    banned: int
    """Time at which the operator banned the account; 0 if it is not banned."""


def _read(row: sa.Row[Any] | None) -> Person | None:
    if row is None:
        return None
    return Person(row.id, row.name or "", row.password or "", row.created, row.seen, row.banned)


def find_person(store: Store, person: str) -> Person | None:
    """Return a person by id."""
    with store.read() as connection:
        return _read(connection.execute(sa.select(tables.persons).where(_persons.id == person)).first())


def find_account(store: Store, name: str) -> Person | None:
    """Return the account with a name, in any case. A text that no account can have as its name is not looked up: a
    database may not accept it.
    """
    if not is_account_name(name):
        return None
    with store.read() as connection:
        return _read(connection.execute(sa.select(tables.persons).where(_persons.key == find_key(name))).first())


def find_names(store: Store, persons: Collection[str]) -> dict[str, str]:
    """Return the names of persons by id, empty for guests. Unknown ids are missing: those persons were deleted."""
    wanted = sa.select(_persons.id, _persons.name).where(_persons.id.in_(sorted(persons)))
    with store.read() as connection:
        return {person: name or "" for person, name in connection.execute(wanted)}


def list_accounts(store: Store, most: int) -> list[Person]:
    """Return accounts, those seen last first."""
    wanted = sa.select(tables.persons).where(_persons.key.is_not(None)).order_by(_persons.seen.desc()).limit(most)
    with store.read() as connection:
        return [person for row in connection.execute(wanted) if (person := _read(row))]


def write_guest(person: str, now: int) -> sa.Executable:
    """Return the statement that adds a guest."""
    return sa.insert(tables.persons).values(id=person, created=now, seen=now, banned=0)


def write_account(person: str, name: str, password: str, now: int, new: bool) -> sa.Executable:
    """Return the statement that makes an account: of a guest, or `new`. It fails if the name is taken."""
    values: dict[str, Any] = {"name": name, "key": find_key(name), "password": password or None}
    if new:
        return sa.insert(tables.persons).values(id=person, created=now, seen=now, banned=0, **values)
    return change_person(person, **values)


def change_person(person: str, **values: Any) -> sa.Executable:
    """Return the statement that changes columns of a person."""
    return sa.update(tables.persons).where(_persons.id == person).values(**values)


def write_codes(person: str, hashes: Sequence[str]) -> Statements:
    """Return the statements that replace the recovery codes of a person."""
    codes = tables.recovery_codes
    rows = [sa.insert(codes).values(hash=each, person=person) for each in hashes]
    return [sa.delete(codes).where(codes.c.person == person), *rows]


def has_code(store: Store, person: str, code: str) -> bool:
    """Return whether a hash is that of an unused recovery code of a person."""
    codes = tables.recovery_codes.c
    wanted = sa.select(codes.hash).where(codes.person == person, codes.hash == code)
    with store.read() as connection:
        return connection.scalar(wanted) is not None


def drop_code(code: str) -> sa.Executable:
    """Return the statement that removes a used recovery code."""
    return sa.delete(tables.recovery_codes).where(tables.recovery_codes.c.hash == code)


def drop_person(person: str) -> Statements:
    """Return the statements that remove a person, with everything that only concerns the person."""
    own = (tables.sessions, tables.passkeys, tables.recovery_codes, tables.seats, tables.blocks)
    return [
        *(sa.delete(table).where(table.c.person == person) for table in own),
        sa.delete(tables.blocks).where(tables.blocks.c.blocked == person),
        sa.delete(tables.persons).where(_persons.id == person),
    ]
