"""`gonfalon draw`: a position as an SVG picture."""

from __future__ import annotations

import argparse
from pathlib import Path

import gonfalon
from gonfalon.cli.choosing import make_game
from gonfalon.cli.errors import CommandError
from gonfalon.cli.terminal.study import find_observer, read_text
from gonfalon.engine.game import TextError


def draw(arguments: argparse.Namespace) -> int:
    """Write the picture of a position, as `Game.state_text` returns it. Raises `CommandError`."""
    text = read_text(arguments.position)
    variant = text.lstrip("\n").partition("\n")[0].strip()
    game = make_game(variant, arguments.set)
    try:
        view = game.view(game.parse_state(text), find_observer(game, arguments.eyes))
    except TextError as error:
        raise CommandError(f"{arguments.position}: {error}") from error
    name = "position" if arguments.position == "-" else Path(arguments.position).stem
    output = arguments.output or f"{name}.svg"
    gonfalon.draw(game, view, turned=arguments.turned).save(output)
    print(output)
    return 0
