"""The commands of this family: `gonfalon map check` and `gonfalon map draw`. Slow imports wait until a command runs."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from gonfalon.engine.commands import Commands
from gonfalon.engine.rulesets.ruleset import RulesetError
from gonfalon.engine.spelling import list_known

if TYPE_CHECKING:
    from gonfalon.games.conquest.maps import Map


def add(commands: Commands) -> None:
    """Add the commands of this family to the command line. Each sets `run` to `module:function`."""
    about = "check or draw a Conquest map"
    parts = commands.add_parser("map", help=about, description=f"{about[0].upper()}{about[1:]}.").add_subparsers(
        title="commands", metavar="COMMAND", required=True
    )
    check_parser = parts.add_parser("check", help="say what is wrong with a map file")
    check_parser.set_defaults(run=f"{__name__}:check")
    draw_parser = parts.add_parser("draw", help="draw a map as an SVG picture")
    draw_parser.set_defaults(run=f"{__name__}:draw")
    draw_parser.add_argument(
        "-o", "--output", default="", metavar="OUT", help="(default: the map's name, .svg; -: out)"
    )
    draw_parser.add_argument("--units", action="store_true", help="with a disc where each zone's unit stands")
    for parser in (check_parser, draw_parser):
        parser.add_argument("file", metavar="FILE", help="a map file, or the name of a map that comes with the game")


def check(arguments: argparse.Namespace) -> int:
    """Print the faults of a map, or what the map contains. Return 1 if there are faults."""
    from gonfalon.games.conquest.maps import MapError, find_borders, load

    try:
        m = load(_path(arguments.file))
    except MapError as error:
        print("\n".join(error.faults))
        return 1
    b = find_borders(m)
    cities = sum(territory.city > 0 for territory in m.territories)
    print(
        f"{m.title}: {len(m.territories)} territories, {len(m.zones)} zones, {cities} cities,"
        f" {len(b.pairs)} borders, {len(b.ridged)} ridged borders"
    )
    return 0


def draw(arguments: argparse.Namespace) -> int:
    """Draw a map. A map with faults is drawn too if it can be read; then print its faults and return 1."""
    from gonfalon.games.conquest.maps import MapError, find_faults, read
    from gonfalon.games.conquest.text.drawing import svg

    path = _path(arguments.file)
    try:
        m: Map = read(path)
    except MapError as error:
        print("\n".join(error.faults), file=sys.stderr)
        return 1
    picture = svg(m, units=arguments.units)
    if arguments.output == "-":
        print(picture, end="")
    else:
        out = Path(arguments.output or f"{path.stem}.svg")
        try:
            out.write_text(picture, encoding="utf-8")
        except OSError as error:
            raise RulesetError(str(error)) from error
        print(out)
    found = find_faults(m)
    print("".join(f"{fault}\n" for fault in found), end="", file=sys.stderr)
    return 1 if found else 0


def _path(named: str) -> Path:
    from gonfalon.games.conquest.maps import FOLDER, list_maps

    if Path(named).is_file():
        return Path(named)
    if named in list_maps():
        return FOLDER / f"{named}.toml"
    raise RulesetError(f"no file {named!r}, and no map of that name; {list_known(named, list_maps())}")
