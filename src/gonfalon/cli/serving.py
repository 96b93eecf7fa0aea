"""`gonfalon serve`."""

from __future__ import annotations

import argparse
import socket
from pathlib import Path

from gonfalon.cli.errors import CommandError


def serve(arguments: argparse.Namespace) -> int:
    """Serves the page until Ctrl-C. Raises `CommandError` if it cannot listen on the address or reach the database."""
    import msgspec

    from gonfalon.server.app import serve as run
    from gonfalon.server.config import STATIC, Config

    if not (STATIC / "index.html").is_file():
        raise CommandError("the page is not built yet; make setup builds it")
    _check_free(arguments.host, arguments.port)
    if arguments.database:
        _check_database(arguments.database)
    host = f"[{arguments.host}]" if ":" in arguments.host else arguments.host
    print(f"Gonfalon is on http://{host}:{arguments.port}  (Ctrl-C ends it)", flush=True)
    config = Config(database=arguments.database, hosts=(arguments.host, *arguments.name))
    if arguments.data:
        config = msgspec.structs.replace(config, data=Path(arguments.data))
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
    """The messages do not show the URL, which may hold a password."""
    import sqlalchemy as sa

    try:
        engine = sa.create_engine(url)
        engine.connect().close()
        engine.dispose()
    except ModuleNotFoundError as error:
        raise CommandError(f"the database needs a package that is not installed: {error.name}") from None
    except sa.exc.ArgumentError:
        raise CommandError("the database's address is no URL such as postgresql+psycopg://user@host/name") from None
    except sa.exc.DBAPIError as error:
        raise CommandError(f"the database cannot be reached: {str(error.orig).splitlines()[0]}") from None
