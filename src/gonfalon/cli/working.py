"""`gonfalon worker`: computer players for the servers of a PostgreSQL database, on this machine."""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
from typing import TYPE_CHECKING

from gonfalon.cli.errors import CommandError
from gonfalon.cli.extras import EXTRAS, require
from gonfalon.cli.matches import reporting
from gonfalon.cli.places import find_config, require_server_system

if TYPE_CHECKING:
    from gonfalon.server.config import Config


def worker(arguments: argparse.Namespace) -> int:
    """Answer questions until Ctrl-C or SIGTERM. Raises `CommandError` if the database cannot be used."""
    require_server_system()
    require("worker", *EXTRAS["play"], *EXTRAS["postgres"])
    from gonfalon.server.journal import write_to_stderr

    config = find_config(arguments)
    write_to_stderr(arguments.log)
    with reporting():
        _check_database(config)
    processes = arguments.processes or _count_processors()
    print(f"{processes} processes think for the servers of this database  (Ctrl-C ends them)", flush=True)
    asyncio.run(_work(config, processes))
    print("Stopped.")
    return 0


def _count_processors() -> int:
    """Return the number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _check_database(config: Config) -> None:
    """Check that servers can ask here. Raises `CommandError`, and what `reporting` knows."""
    import sqlalchemy as sa

    from gonfalon.server.storage.rights import require_rights
    from gonfalon.server.storage.schema import require_newest
    from gonfalon.server.workers.elsewhere import TABLES, is_shared

    if not is_shared(config.url):
        raise CommandError(
            "workers need --database with PostgreSQL, as postgresql+psycopg://user@host/name: an SQLite database "
            "belongs to one process, whose computer players think beside it"
        )
    engine = sa.create_engine(config.url, hide_parameters=True, poolclass=sa.NullPool)
    with engine.connect() as connection:
        require_newest(connection)
        require_rights(connection, TABLES)


async def _work(config: Config, processes: int) -> None:
    """Run the worker until the first signal; a second one ends it at once."""
    from gonfalon.server.workers.remote.answering import Worker

    stop, loop = asyncio.Event(), asyncio.get_running_loop()

    def end(number: signal.Signals) -> None:
        stop.set()
        loop.remove_signal_handler(number)

    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, end, number)
    await Worker(config.url, processes, config.agent_command, budget=config.agent_budget, start=config.agent_start).run(
        stop
    )
