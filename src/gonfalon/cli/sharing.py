"""`gonfalon database` and `gonfalon nodes`: the operator's commands for a database that several processes share."""

from __future__ import annotations

import argparse
import asyncio
import sys
from typing import TYPE_CHECKING

import gonfalon
from gonfalon.cli.errors import CommandError
from gonfalon.cli.extras import EXTRAS, require
from gonfalon.cli.matches import find_used, reporting
from gonfalon.cli.places import find_config, make_folder

if TYPE_CHECKING:
    import sqlalchemy as sa

    from gonfalon.server.cluster.rows import NodeRow
    from gonfalon.server.config import Config

LISTED = 86_400
"""Seconds for which a node that has ended is listed."""


def database(arguments: argparse.Namespace) -> int:
    """Bring the database up to date. Raises `CommandError`."""
    require("database", "sqlalchemy", "alembic")
    from gonfalon.server.storage.schema import upgrade_beside
    from gonfalon.server.storage.store import Store

    config = find_config(arguments)
    if not config.database:
        make_folder(config.data)
    with reporting():
        if config.url.startswith("sqlite"):
            asyncio.run(Store(config.url).try_out())  # a file has one owner, who upgrades it at every start
            print("the database is up to date")
            return 0
        engine = _connect(config)
        with engine.begin() as connection:
            before, after = upgrade_beside(connection)
    print(
        "the database is up to date"
        if before == after
        else f"the database is at {after} now ({before or 'new'} before)"
    )
    return 0


def nodes(arguments: argparse.Namespace) -> int:
    """List the nodes, or drain one. Raises `CommandError`."""
    require("nodes", *EXTRAS["play"])
    config = find_used(arguments)
    if config.url.startswith("sqlite"):
        raise CommandError("an SQLite database has one process; nodes share a PostgreSQL database (--database)")
    with reporting(), _connect(config).begin() as connection:
        if arguments.act == "drain":
            return _drain(connection, arguments.name)
        reached = _list_nodes(connection)
        _list_workers(connection)
        return int(not reached)


def _connect(config: Config) -> sa.Engine:
    import sqlalchemy as sa

    return sa.create_engine(config.url, hide_parameters=True, poolclass=sa.NullPool)


def _list_nodes(connection: sa.Connection) -> bool:
    """Print a line for each node that has been seen lately. Return whether all are reached that should be."""
    from gonfalon.server.cluster.rows import count_matches, list_jobs, list_nodes

    rows = [row for row in list_nodes(connection) if row.alive or row.age < LISTED]
    matches, jobs = count_matches(connection), list_jobs(connection)
    all_reached = True
    for row in rows:
        doing = " ".join(job for job, owner in sorted(jobs.items()) if owner.node == row.name)
        state, reached = asyncio.run(_find_state(row))
        all_reached &= reached
        print(
            f"{row.name:<20} {state:<28} {row.advertised:<32} {matches.get(row.name, 0):>6} matches  {doing}".rstrip()
        )
    if not rows:
        print("no node has used this database in the last day", file=sys.stderr)
    return all_reached


def _list_workers(connection: sa.Connection) -> None:
    """Print a line for each worker on another machine."""
    from gonfalon.server.workers.remote.statements import LIST_WORKERS

    for name, processes, version, _ in connection.exec_driver_sql(LIST_WORKERS):
        state = f"{processes} processes" if processes else "ends"
        other = "" if version == gonfalon.__version__ else f"  not asked by nodes of version {gonfalon.__version__}"
        print(f"worker {name:<42} {state:<14} {version}{other}")


async def _find_state(row: NodeRow) -> tuple[str, bool]:
    """Return the state of a node in words, and whether it is as it should be."""
    from gonfalon.server.net.relays import Target, is_reached

    if not row.alive:
        return "ended", True
    if row.silent:
        return f"silent for {row.age:.0f} s", True
    if not await is_reached(Target(row.advertised, row.token)):
        return "alive, not reached from here", False
    return "drains" if row.draining else "alive", True


def _drain(connection: sa.Connection, name: str) -> int:
    from gonfalon.server.cluster.rows import drain, find_node

    row = find_node(connection, name)
    if row is None:
        raise CommandError(f"there is no node {name!r}; `gonfalon nodes list` names them")
    if not row.alive:
        raise CommandError(f"the node {name} has ended already")
    connection.execute(drain(name))
    print(f"{name} hands over its matches and ends")
    return 0
