"""Deletion of old matches: on request by `gonfalon matches delete`, or by a timer in a running server (off by
default).
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Sequence
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


Claim = Callable[[Sequence[str]], Awaitable[Sequence[str]]]
"""Makes this process the owner of matches, and returns those that no other one owns."""


def find_limit(days: int) -> int:
    """Return the Unix time before which matches are older than `days`."""
    return int(time.time()) - days * DAY


async def sweep(store: Store, days: int, leaving: Leaving, claim: Claim | None = None) -> int:
    """Delete all matches made more than `days` days ago, finished or not, except those in memory. Return their
    number. `claim`: needed if other processes own matches too.

    A client may come for a match at any moment, also between the choice of a match and its deletion. So each match is
    either in memory, and stays, or cannot be opened any more.
    """
    old = await store.list_matches(find_limit(days))
    gone = 0
    for first in range(0, len(old), AT_ONCE):
        with leaving([each.header.id for each in old[first : first + AT_ONCE]]) as chosen:
            free = chosen if claim is None else await claim(chosen)
            await store.delete(free)
        for match in free:
            note("match-deleted", match=match)
        gone += len(free)
    return gone


async def keep_sweeping(store: Store, days: int, leaving: Leaving, claim: Claim | None = None) -> None:
    """Delete old matches at intervals, until cancelled."""
    while True:
        try:
            await sweep(store, days, leaving, claim)
        except (StoreError, sa.exc.SQLAlchemyError):
            log.exception("old matches are not deleted this time")
        await asyncio.sleep(EVERY)
