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


async def sweep(store: Store, find_end: FindEnd, today: date) -> int:
    """Add the missing rows and return their number. `today`: day of a match without a step.

    Raises `StoreError`, `sqlalchemy.exc.SQLAlchemyError`.
    """
    matches = tables.matches.c.id
    await store.execute(
        # matches that were deleted before their end
        (sa.delete(tables.rated_open).where(tables.rated_open.c.match.not_in(sa.select(matches))),)
    )
    added = 0
    for match in await asyncio.to_thread(_list_candidates, store):
        try:
            end = await find_end(match)
        except Exception:
            log.exception("match %s cannot be loaded, so it is not rated", match)
            continue
        if end is not None:
            added += await _close(store, end, today)
    return added


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


def _list_candidates(store: Store) -> list[str]:
    """Return the rated matches that have not ended by their rows, and whose clocks do not run."""
    match = tables.rated_open.c.match
    chosen = sa.select(match).where(match.not_in(sa.select(tables.deadlines.c.match))).order_by(match)
    with store.read() as connection:
        return list(connection.scalars(chosen))


def _is_missing(store: Store, match: str) -> bool:
    with store.read() as connection:
        return read_row(connection, match) is None
