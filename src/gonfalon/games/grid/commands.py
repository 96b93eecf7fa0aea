"""The commands of this family: `gonfalon archive games` and `gonfalon archive deployments`. Slow imports wait until a
command runs.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from gonfalon.engine.commands import Commands
from gonfalon.engine.rulesets.ruleset import RulesetError


def add(commands: Commands) -> None:
    """Add the commands of this family to the command line. Each sets `run` to `module:function`."""
    about = "read matches and deployments of the archive of gravon.de"
    parts = commands.add_parser("archive", help=about, description=f"{about[0].upper()}{about[1:]}.").add_subparsers(
        title="commands", metavar="COMMAND", required=True
    )
    games = parts.add_parser("games", help="write the record of each match")
    games.set_defaults(run=f"{__name__}:games")
    games.add_argument("files", metavar="FILE", nargs="+", help="a match as XML")
    games.add_argument("-o", "--output", required=True, metavar="FOLDER", help="for the records; made if missing")
    deployments = parts.add_parser("deployments", help="print deployments in our form, one a line")
    deployments.set_defaults(run=f"{__name__}:deployments")
    deployments.add_argument("file", metavar="FILE", help="40 letters a line")
    deployments.add_argument("--front-first", action="store_true", help="the first ten letters are the front row")


def games(arguments: argparse.Namespace) -> int:
    """Write the record of each file. Print what cannot be read, and go on; return 1 if there was such a file."""
    from gonfalon.engine.game import TextError
    from gonfalon.games.grid.game import make
    from gonfalon.games.grid.ruleset import load
    from gonfalon.games.grid.text.archive import SWITCHES, find_variant, read_game

    folder = Path(arguments.output)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RulesetError(str(error)) from error
    read = 0
    for name in arguments.files:
        path = Path(name)
        try:
            text = path.read_text(encoding="utf-8-sig")
            record = read_game(text, make(load(find_variant(text)).with_switches(SWITCHES)))
            (folder / f"{path.stem}.txt").write_text(record.write(), encoding="utf-8")
        except (OSError, UnicodeDecodeError, TextError) as error:
            print(f"{path}: {error}", file=sys.stderr)
        else:
            read += 1
    print(f"{read} of {len(arguments.files)} matches are in {folder}")
    return int(read < len(arguments.files))


def deployments(arguments: argparse.Namespace) -> int:
    """Print each deployment of a file. Raises `RulesetError` with the first line that is none."""
    from gonfalon.engine.game import TextError
    from gonfalon.games.grid.text.archive import read_deployment

    try:
        lines = Path(arguments.file).read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise RulesetError(f"{arguments.file}: {error}") from error
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            print(read_deployment(line, arguments.front_first))
        except TextError as error:
            raise RulesetError(f"{arguments.file}, line {number}: {error}") from error
    return 0
