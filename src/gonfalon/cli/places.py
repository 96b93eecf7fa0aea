"""Storage of a server's matches: the options `--data` and `--database`."""

from __future__ import annotations

import argparse
import importlib.util
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from gonfalon.cli.errors import CommandError

if TYPE_CHECKING:
    from gonfalon.server.config import Config


def add_places(parser: argparse.ArgumentParser, say: Callable[[str], str]) -> None:
    """Add the two options. `say`: returns the text of a help message."""
    parser.add_argument("--data", default="gonfalon-data", metavar="FOLDER", help=say("serve.data"))
    parser.add_argument("--database", default="", metavar="URL", help=say("serve.database"))


def make_folder(data: Path) -> None:
    """Make the data folder. Raises `CommandError` if something else is there, or if the folder cannot be made, or if
    this user cannot write there.
    """
    try:
        data.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise CommandError(f"--data: {data} is a file; choose a folder") from None
    except OSError as error:
        raise CommandError(f"--data: the folder {data} cannot be made: {error.strerror}; choose another") from None
    for path in (data, *data.glob("matches.db*")):
        if not os.access(path, os.W_OK):
            raise CommandError(f"--data: this user cannot write to {path}; change its owner, or choose another folder")


def require_server_system() -> None:
    """Raise `CommandError` on a system without the calls that the server needs, such as Windows."""
    if importlib.util.find_spec("resource") is None:
        raise CommandError("the server runs on Linux and macOS only; on Windows use WSL")


def find_config(arguments: argparse.Namespace) -> Config:
    """Return a server's settings with the values of the two options. Raises `CommandError` where no server runs."""
    require_server_system()
    from gonfalon.server.config import Config

    return Config(data=Path(arguments.data), database=arguments.database)
