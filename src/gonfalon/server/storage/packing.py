"""Packing of logs: a day after the end of a match, the rows of its log become one compressed value (`logs.py`). A
timer in a running server does it.
"""

from __future__ import annotations

import asyncio
import logging
import time
import zlib
from collections.abc import Iterable
from functools import partial

import sqlalchemy as sa

from gonfalon.server.storage import tables
from gonfalon.server.storage.logs import pack_log
from gonfalon.server.storage.store import Statements, Store
from gonfalon.server.storage.writer import StoreError

log = logging.getLogger("gonfalon.packing")
AFTER = 86_400
"""Seconds from the end of a match until its log is packed. Most rematches are asked for before that."""
LATER = 3_600
"""Seconds until a match is tried again that could not be packed."""
EVERY = 60.0
"""Seconds between two looks for matches to pack."""
AT_ONCE = 5
"""Number of matches packed in one transaction. It is small, so that play does not wait long."""
PAUSE = 0.2
"""Seconds between two such transactions while there are more matches to pack."""
_to_pack = tables.to_pack.c


def plan_packing(match: str, ended: int) -> Statements:
    """Return the statements that note a match to pack, `AFTER` its end (Unix seconds)."""
    removal = sa.delete(tables.to_pack).where(_to_pack.match == match)
    return removal, sa.insert(tables.to_pack).values(match=match, due=ended + AFTER)


def list_due(store: Store, now: int, most: int) -> list[str]:
    """Return matches to pack, at most so many, those due for longest first. Blocks."""
    wanted = sa.select(_to_pack.match).where(_to_pack.due <= now).order_by(_to_pack.due).limit(most)
    with store.read() as connection:
        return list(connection.scalars(wanted))


async def sweep(store: Store) -> int:
    """Pack all logs that are due. Return their number. Raises `StoreError`."""
    packed = 0
    while due := await asyncio.to_thread(list_due, store, int(time.time()), AT_ONCE):
        await _pack(store, due)
        packed += len(due)
        await asyncio.sleep(PAUSE)
    return packed


async def _pack(store: Store, matches: Iterable[str]) -> None:
    """Pack logs. One that cannot be packed, because what is stored is damaged, is left for later."""
    await store.rewrite([partial(_pack_or_postpone, match=match) for match in matches])


def _pack_or_postpone(connection: sa.Connection, match: str) -> None:
    noted = connection.execute(sa.delete(tables.to_pack).where(_to_pack.match == match)).rowcount
    if not noted:
        return  # another process has just done it
    try:
        pack_log(connection, match)
    except zlib.error:
        log.error("the log of match %s is damaged and stays as it is", match)  # noqa: TRY400
        connection.execute(sa.insert(tables.to_pack).values(match=match, due=int(time.time()) + LATER))


async def keep_packing(store: Store) -> None:
    """Pack logs at intervals, until cancelled."""
    while True:
        await asyncio.sleep(EVERY)
        try:
            await sweep(store)
        except (StoreError, sa.exc.SQLAlchemyError):
            log.exception("logs of finished matches are not packed this time")
