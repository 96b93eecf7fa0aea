"""`gonfalon selfplay`: an agent plays all seats, and its actions become rows for learning."""

from __future__ import annotations

import argparse
import os

from gonfalon.cli.contests.arena import Arena, reporting
from gonfalon.cli.exporting import find_output, write


def selfplay(arguments: argparse.Namespace) -> int:
    """Play the missing matches and export all. The same command goes on after an interruption. Raises `CommandError`.
    Status 1: the agent failed.
    """
    arguments.entrants = [arguments.agent] * 2
    if not arguments.ray:
        arguments.processes = arguments.processes or os.cpu_count() or 1
    with reporting():
        arena = Arena(arguments)
        output = find_output(arguments, arena.folder.path)
        failed = arena.play_all()
    write(arguments, arena.folder.path / "records", output)
    return int(failed)
