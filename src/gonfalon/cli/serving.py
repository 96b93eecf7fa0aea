"""`gonfalon serve`."""

from __future__ import annotations

import argparse
import asyncio
import socket
import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING

from gonfalon.cli.errors import CommandError

if TYPE_CHECKING:
    from gonfalon.server.store import Store


def serve(arguments: argparse.Namespace) -> int:
    """Serves the page until Ctrl-C. Raises `CommandError` if it cannot listen on the address or reach the database."""
    import msgspec

    from gonfalon.server.app import serve as run
    from gonfalon.server.config import STATIC, Config

    if not (STATIC / "index.html").is_file():
        raise CommandError("the page is not built yet; make setup builds it")
    _check_free(arguments.host, arguments.port)
    config = Config(database=arguments.database, hosts=(arguments.host, *arguments.name))
    if arguments.data:
        config = msgspec.structs.replace(config, data=Path(arguments.data))
    if not config.database:
        config.data.mkdir(parents=True, exist_ok=True)
    _check_database(config.url)
    host = f"[{arguments.host}]" if ":" in arguments.host else arguments.host
    print(f"Gonfalon is on http://{host}:{arguments.port}  (Ctrl-C ends it)", flush=True)
    try:
        run(arguments.host, arguments.port, config)
    except KeyboardInterrupt:
        print("Stopped.")
    return 0


def _check_free(host: str, port: int) -> None:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except (OSError, OverflowError) as error:
            raise CommandError(f"cannot listen on {host} port {port}: {error}") from error


def _check_database(url: str) -> None:
    """Opens it once, which brings it up to date, and closes it. The messages do not show the URL, which may hold a
    password.
    """
    import sqlalchemy as sa

    from gonfalon.server.ownership import DatabaseTakenError
    from gonfalon.server.store import Store

    try:
        asyncio.run(_open_and_close(Store(url)))
    except ModuleNotFoundError as error:
        raise CommandError(f"the database needs a package that is not installed: {error.name}") from None
    except sa.exc.ArgumentError:
        raise CommandError("the database's address is no URL such as postgresql+psycopg://user@host/name") from None
    except sa.exc.DBAPIError as error:
        raise CommandError(f"the database cannot be reached: {str(error.orig).splitlines()[0]}") from None
    except sqlite3.Error as error:
        raise CommandError(f"the database cannot be reached: {error}") from None
    except DatabaseTakenError as error:
        raise CommandError(str(error)) from None


async def _open_and_close(store: Store) -> None:
    try:
        await store.start()
    finally:
        await store.close()
