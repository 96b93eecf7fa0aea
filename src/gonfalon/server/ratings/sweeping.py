"""The sweep at start: it adds the rows of rated matches that ended without one.

Usually it finds nothing, since the row is stored together with the end. A match may have ended without a listener, for
example by `gonfalon matches end`. Matches that are still open have a row in `rated_open`. Those with a running clock
have a row in `deadlines`, so only the others are read.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import UTC, date, datetime

import sqlalchemy as sa

from gonfalon.server.journal import note
from gonfalon.server.match.public import Ended
from gonfalon.server.ratings.rows import make_row, read_row, write_closed, write_row
from gonfalon.server.storage import tables
from gonfalon.server.storage.store import Store

log = logging.getLogger("gonfalon.ratings")
FindEnd = Callable[[str], Awaitable[Ended | None]]
"""Returns the end of a match as its log says; None if the match is not over."""


async def find_candidates(store: Store) -> list[str]:
    """Return the matches that may have ended without a row. Forget those that were deleted before their end.

    Raises `StoreError`, `sqlalchemy.exc.SQLAlchemyError`.
    """
    candidates, gone = await asyncio.to_thread(_list_candidates, store)
    if gone:
        await store.execute([statement for match in gone for statement in write_closed(match)])
    return candidates


async def add_row(store: Store, find_end: FindEnd, match: str, today: date) -> bool:
    """Add the row of a match if it is over and has none. Return whether a row was added. `today`: day of a match
    without a step. Raises like `find_candidates`.
    """
    try:
        end = await find_end(match)
    except Exception:
        log.exception("match %s cannot be loaded, so it is not rated", match)
        return False
    return end is not None and await _close(store, end, today)


async def _close(store: Store, end: Ended, today: date) -> bool:
    """Store the row of a match that is over, if it changes ratings. Return whether the row was missing."""
    match = end.match.id
    moved = await store.find_last_step(match)
    row = make_row(end, datetime.fromtimestamp(moved, UTC).date() if moved else today)
    missing = row is not None and await asyncio.to_thread(_is_missing, store, match)
    await store.execute([*write_closed(match), *(write_row(row) if row is not None else ())])
    if missing:
        note("rated-match-added", match=match)
    return missing


def _list_candidates(store: Store) -> tuple[list[str], list[str]]:
    """Return the matches that have not ended by their rows and whose clocks do not run; and those that are deleted."""
    match = tables.rated_open.c.match
    resting = sa.select(match).where(match.not_in(sa.select(tables.deadlines.c.match))).order_by(match)
    gone = sa.select(match).where(match.not_in(sa.select(tables.matches.c.id)))
    with store.read() as connection:
        deleted = list(connection.scalars(gone))
        return [each for each in connection.scalars(resting) if each not in deleted], deleted


def _is_missing(store: Store, match: str) -> bool:
    with store.read() as connection:
        return read_row(connection, match) is None
