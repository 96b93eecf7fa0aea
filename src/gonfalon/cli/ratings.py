"""`gonfalon ratings rebuild`: computes all ratings of a server anew, without the server."""

from __future__ import annotations

import argparse
import asyncio
from typing import TYPE_CHECKING

from gonfalon.cli.extras import require
from gonfalon.cli.matches import find_used, reporting

if TYPE_CHECKING:
    from gonfalon.server.storage.store import Store


def ratings(arguments: argparse.Namespace) -> int:
    """Compute all ratings from the rows of rated matches, in the order of their numbers. Raises `CommandError`."""
    require("ratings", "sqlalchemy", "alembic", "openskill")
    from gonfalon.server.storage.store import Store

    config = find_used(arguments)
    with reporting():
        rows, count = asyncio.run(_rebuild(Store(config.url)))
    print(f"{count} ratings from {rows} rated matches")
    return 0


async def _rebuild(store: Store) -> tuple[int, int]:
    from gonfalon.server.ratings.applying import rebuild

    try:
        await store.start()
        return await rebuild(store)
    finally:
        await store.close()
