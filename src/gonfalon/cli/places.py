"""Where a server keeps its matches, as `--data` and `--database` say."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gonfalon.server.config import Config


def add_places(parser: argparse.ArgumentParser) -> None:
    """The two options."""
    parser.add_argument(
        "--data", default="gonfalon-data", metavar="FOLDER", help="where matches are kept (default: ./%(default)s)"
    )
    parser.add_argument(
        "--database",
        default="",
        metavar="URL",
        help="another database for them, as postgresql+psycopg://user@host/name",
    )


def find_config(arguments: argparse.Namespace) -> Config:
    """A server's settings with the two."""
    from gonfalon.server.config import Config

    return Config(data=Path(arguments.data), database=arguments.database)
