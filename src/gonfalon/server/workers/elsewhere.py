"""Workers on other machines, if the database is one that they can share with a server."""

from __future__ import annotations

import sqlalchemy as sa

from gonfalon.server.workers.pool import Elsewhere

TABLES = ("workers", "questions")
"""The tables in which a worker writes. It needs no others, so it can have a user of its own."""


def find_elsewhere(url: str, budget: float, start: float, *, alone: bool) -> Elsewhere | None:
    """Return the workers that share a database, or None for one that they cannot share. `budget`, `start`: as for
    `AgentPool`; `alone`: nobody else can answer.
    """
    if not is_shared(url):
        return None
    from gonfalon.server.workers.remote.asking import RemoteWorkers  # it needs an extra

    return RemoteWorkers(url, budget, start, alone=alone)


def is_shared(url: str) -> bool:
    """Return whether workers can reach a database: PostgreSQL, by psycopg."""
    parsed = sa.make_url(url)
    return parsed.get_backend_name() == "postgresql" and parsed.get_driver_name() == "psycopg"
