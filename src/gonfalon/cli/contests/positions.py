"""`gonfalon positions`: the share of given positions that agents get right."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

import msgspec

from gonfalon.ai.arena.entrants import COMMAND, EntrantError, check_entrant
from gonfalon.ai.arena.positions import PositionError, Setting, Try, put_positions, read_positions
from gonfalon.cli.errors import CommandError
from gonfalon.cli.progress import track


def positions(arguments: argparse.Namespace) -> int:
    """Print the solved share, by agent, family and kind, and the unsolved positions. Raises `CommandError`."""
    for agent in arguments.agents:
        _check(agent)
    folder = Path(arguments.folder)
    paths = sorted(folder.glob("*.toml"))
    if not paths:
        raise CommandError(f"there are no files of positions in {folder}; --folder names another folder")
    try:
        settings = [Setting(position) for position in read_positions(paths)]
    except PositionError as error:
        raise CommandError(str(error)) from error
    putting = put_positions(arguments.agents, settings, arguments.time / 1000, arguments.tries)
    tried = list(track(putting, "positions", len(arguments.agents) * len(settings)))
    if arguments.json:
        print(json.dumps(msgspec.to_builtins(tried), indent=2))
        return 0
    for name in arguments.agents:
        _print([each for each in tried if each.agent == name])
    return 0


def _check(agent: str) -> None:
    """Check that an agent can start from a position. Raises `CommandError`."""
    if agent.startswith(COMMAND):
        raise CommandError(f"{agent}: a program plays matches from the beginning, so it cannot start from a position")
    try:
        check_entrant(agent)
    except EntrantError as error:
        raise CommandError(str(error)) from error


def _print(tried: Sequence[Try]) -> None:
    """Print one agent's results."""
    for family in dict.fromkeys(each.family for each in tried):
        own = [each for each in tried if each.family == family]
        print(f"{own[0].agent}, {family}: {_word_share(own)}")
        for kind in sorted({each.kind for each in own}):
            print(f"  {kind}: {_word_share([each for each in own if each.kind == kind])}")
        for each in own:
            if each.solved < each.tries:
                print(f"    {each.name}: {each.solved} of {each.tries}; {', '.join(each.answers)}")


def _word_share(tried: Sequence[Try]) -> str:
    share = sum(each.solved / each.tries for each in tried) / len(tried)
    return f"{share:.0%} of {len(tried)}"
