"""Storage of a server's matches: the options `--data` and `--database`."""

from __future__ import annotations

import argparse
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
    """Make the data folder. Raises `CommandError` if something else is there or the folder cannot be made."""
    try:
        data.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise CommandError(f"--data: {data} is a file; choose a folder") from None
    except OSError as error:
        raise CommandError(f"--data: the folder {data} cannot be made: {error.strerror}; choose another") from None


def find_config(arguments: argparse.Namespace) -> Config:
    """Return a server's settings with the values of the two options."""
    from gonfalon.server.config import Config

    return Config(data=Path(arguments.data), database=arguments.database)
