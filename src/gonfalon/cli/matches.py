"""`gonfalon matches`: reads or changes the stored matches of a server.

This command reads the database itself, also while a server runs. A running server changes its matches itself, because
it has them in memory (`operating.py`). For deletion by age see also `gonfalon serve --keep-days`.
"""

from __future__ import annotations

import argparse
import asyncio
import sqlite3
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from gonfalon.cli.errors import CommandError
from gonfalon.cli.extras import EXTRAS, find_extra, require, word_missing
from gonfalon.cli.operating import perform
from gonfalon.cli.places import find_config

if TYPE_CHECKING:
    from gonfalon.server.config import Config
    from gonfalon.server.match.state import MatchState
    from gonfalon.server.storage.entries import AnyEntry, Header
    from gonfalon.server.storage.store import Store

UNDEFINED_TABLE = "42P01"
"""PostgreSQL's error code for a missing table."""
NEWER = "the database is of a newer version of Gonfalon; update this one, or choose another --data or --database"
NO_TABLE = "there are no matches: no server has used this database yet"


def matches(arguments: argparse.Namespace) -> int:
    """Run one of `ACTS`, or let the server end or delete matches. Raises `CommandError`."""
    if arguments.act in ("end", "delete"):
        return _change(arguments)
    require("matches", "sqlalchemy", "alembic")
    from gonfalon.server.storage.store import Store

    config = find_used(arguments)
    act: Callable[[Store, argparse.Namespace], Awaitable[int]] = ACTS[arguments.act]
    with reporting():
        return asyncio.run(_with_store(Store(config.url), act, arguments))


def _change(arguments: argparse.Namespace) -> int:
    require("matches", *EXTRAS["play"])
    from gonfalon.server.operator.requests import DeleteMatches, EndMatches

    ids = tuple(arguments.ids)
    perform(arguments, EndMatches(ids) if arguments.act == "end" else DeleteMatches(ids, arguments.older_than))
    return 0


def find_used(arguments: argparse.Namespace) -> Config:
    """Return the settings of the two options of `places`. Raises `CommandError` if no server has used the folder."""
    config = find_config(arguments)
    if not config.database and not (config.data / "matches.db").is_file():
        raise CommandError(NO_TABLE)
    return config


@contextmanager
def reporting() -> Iterator[None]:
    """Turn every database error into a `CommandError`. No message shows the URL, because it may hold a password."""
    import alembic.util
    import sqlalchemy as sa

    from gonfalon.server.storage.holding import NodeTakenError, RightsError
    from gonfalon.server.storage.ownership import DatabaseTakenError
    from gonfalon.server.storage.schema import SchemaError
    from gonfalon.server.storage.writer import StoreError

    try:
        yield
    except ModuleNotFoundError as error:
        if find_extra(error.name):
            raise CommandError(word_missing("this database", str(error.name))) from None
        raise CommandError(f"the database needs a package that is not installed: {error.name}") from None
    except sa.exc.ArgumentError:
        raise CommandError("the database's address is no URL such as postgresql+psycopg://user@host/name") from None
    except sa.exc.DBAPIError as error:
        if getattr(error.orig, "sqlstate", "") == UNDEFINED_TABLE:
            raise CommandError(NO_TABLE) from None
        raise CommandError(f"the database cannot be used: {_first_line(error)}") from None
    except sqlite3.Error as error:
        raise CommandError(f"the database cannot be used: {error}") from None
    except OSError as error:
        raise CommandError(f"the database cannot be used: {error.filename}: {error.strerror}") from None
    except StoreError as error:
        raise CommandError(f"the database cannot be changed: {_first_line(error.__cause__)}") from None
    except (DatabaseTakenError, NodeTakenError, RightsError, SchemaError) as error:
        raise CommandError(str(error)) from None
    except alembic.util.CommandError:
        raise CommandError(NEWER) from None


def _first_line(error: BaseException | None) -> str:
    """Return the database's own words without SQLAlchemy's."""
    return str(getattr(error, "orig", error)).splitlines()[0]


async def _with_store(
    store: Store, act: Callable[[Store, argparse.Namespace], Awaitable[int]], arguments: argparse.Namespace
) -> int:
    try:
        return await act(store, arguments)
    finally:
        await store.close()


async def _list(store: Store, _arguments: argparse.Namespace) -> int:
    """Print one line per match, the newest first."""
    for kept in await store.list_matches():
        seats = " ".join(seat.agent or "person" for seat in kept.header.seats)
        print(f"{kept.header.id}  {_date(kept.header)}  {kept.header.variant}  {kept.entries} entries  {seats}")
    return 0


async def _show(store: Store, arguments: argparse.Namespace) -> int:
    """Print what a spectator may know of each match."""
    for name in arguments.ids:
        sitting = _play(*await _find(store, name))
        header, sides = sitting.header, sitting.game.info.sides
        print(f"match    {header.id}")
        print(f"made     {_date(header)}")
        print(f"variant  {header.variant}")
        for rule, value in header.changed.items():
            print(f"rule     {rule}={str(value).lower()}")
        for player, (side, seat) in enumerate(zip(sides, header.seats, strict=True)):
            there = "" if player in sitting.taken else "  (link not opened)"
            print(f"{side:<8} {seat.agent or seat.name or 'person'}{there}")
        print(f"entries  {sitting.size}")
        print(f"state    {_word_state(sitting)}")
    return 0


async def _back_up(store: Store, arguments: argparse.Namespace) -> int:
    """Copy all matches, as they are at this moment, into one file."""
    from gonfalon.server.storage.ownership import copy_file

    if store.file is None:
        raise CommandError("backup copies SQLite databases only; use pg_dump for PostgreSQL")
    try:
        await asyncio.to_thread(copy_file, store.file, Path(arguments.file))
    except OSError as error:
        raise CommandError(f"cannot write {arguments.file}: {error.strerror}") from None
    print(f"all matches are in {arguments.file}")
    return 0


ACTS = {"list": _list, "show": _show, "backup": _back_up}


async def _find(store: Store, name: str) -> tuple[Header, list[AnyEntry]]:
    found = await store.load(name)
    if found is None:
        raise CommandError(f"there is no match {name!r}")
    return found


def _play(header: Header, entries: list[AnyEntry]) -> MatchState:
    from gonfalon.games import make
    from gonfalon.server.match.state import MatchState

    return MatchState(header, make(header.rules, **header.changed), entries)


def _word_state(sitting: MatchState) -> str:
    if sitting.outcome is not None:
        return f"over: {sitting.outcome.reason}"
    return "being played" if sitting.started else "not begun"


def _date(header: Header) -> str:
    return datetime.fromtimestamp(header.created, UTC).isoformat(" ", "minutes").removesuffix("+00:00")
