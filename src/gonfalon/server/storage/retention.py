"""Deletion of old matches: on request by `gonfalon matches delete`, or by a timer in a running server (off by
default).
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager

import sqlalchemy as sa

from gonfalon.server.journal import note
from gonfalon.server.storage.store import Store
from gonfalon.server.storage.writer import StoreError

log = logging.getLogger("gonfalon.retention")
DAY = 86_400
EVERY = 3_600.0
"""Seconds between two runs of the timer."""
AT_ONCE = 100
"""Number of matches deleted in one transaction. It is small, so that play does not wait long."""


Leaving = Callable[[Sequence[str]], AbstractContextManager[Sequence[str]]]
"""Keeps matches out of the server's memory while they are deleted, and yields those that may be deleted: the ones that
are not in memory now.
"""


def find_limit(days: int) -> int:
    """Return the Unix time before which matches are older than `days`."""
    return int(time.time()) - days * DAY


async def sweep(store: Store, days: int, leaving: Leaving) -> int:
    """Delete all matches made more than `days` days ago, finished or not, except those in memory. Return their
    number.

    A client may come for a match at any moment, also between the choice of a match and its deletion. So each match is
    either in memory, and stays, or cannot be opened any more.
    """
    old = await store.list_matches(find_limit(days))
    gone = 0
    for first in range(0, len(old), AT_ONCE):
        with leaving([each.header.id for each in old[first : first + AT_ONCE]]) as chosen:
            await store.delete(chosen)
        for match in chosen:
            note("match-deleted", match=match)
        gone += len(chosen)
    return gone


async def keep_sweeping(store: Store, days: int, leaving: Leaving) -> None:
    """Delete old matches at intervals, until cancelled."""
    while True:
        try:
            await sweep(store, days, leaving)
        except (StoreError, sa.exc.SQLAlchemyError):
            log.exception("old matches are not deleted this time")
        await asyncio.sleep(EVERY)
