"""`gonfalon ablate`: a level against itself without an adjustment of its search, for one adjustment after another."""

from __future__ import annotations

import argparse

from rich.console import Console
from rich.table import Table

from gonfalon.ai.arena.report import Pairing
from gonfalon.ai.levels import WITHOUT
from gonfalon.cli.choosing import make_game
from gonfalon.cli.contests.arena import Arena, reporting
from gonfalon.cli.errors import CommandError
from gonfalon.engine.search import Adjustment
from gonfalon.engine.spelling import list_known


def ablate(arguments: argparse.Namespace) -> int:
    """Play each ablation that is not played yet, and print a table. Raises `CommandError`. Status 1: a level failed.

    Each ablation has its own folder, as in `gonfalon arena`. If the command is interrupted, run it again to continue.
    """
    chosen = choose(arguments)
    if arguments.list:
        for adjustment in chosen:
            print(f"{adjustment.name}: {adjustment.sentence} ({adjustment.figure})")
        return 0
    found: list[tuple[Adjustment, Pairing]] = []
    for adjustment in chosen:
        arguments.entrants = [arguments.agent, f"{arguments.agent}{WITHOUT}{adjustment.name}"]
        with reporting():
            contest = Arena(arguments)
            contest.run()
        found += [(adjustment, pairing) for pairing in contest.summarize()]
    print_table(arguments.game, arguments.time, found)
    return int(any(pairing.failed for _, pairing in found))


def choose(arguments: argparse.Namespace) -> list[Adjustment]:
    """Return the named adjustments, or all of the game if none is named. Raises `CommandError`."""
    known = {adjustment.name: adjustment for adjustment in make_game(arguments.game, arguments.set).adjustments()}
    if not known:
        raise CommandError(f"the search of {arguments.game} has no adjustments to switch off")
    unknown = [name for name in arguments.names if name not in known]
    if unknown:
        raise CommandError(f"{arguments.game} has no adjustment {unknown[0]!r}; {list_known(unknown[0], known)}")
    return [known[name] for name in arguments.names or known]


def print_table(variant: str, milliseconds: int, found: list[tuple[Adjustment, Pairing]]) -> None:
    """Print how the whole level scores against itself without each adjustment: share of the points and 95 %
    interval.
    """
    table = Table(title=f"{variant}, {milliseconds} ms a decision", title_justify="left", box=None)
    for heading in ("adjustment", "matches", "share with it", "95 %"):
        table.add_column(heading, justify="left" if heading == "adjustment" else "right")
    for adjustment, pairing in found:
        low, high = pairing.interval
        table.add_row(adjustment.name, str(pairing.matches), f"{pairing.share:.1%}", f"{low:.1%} to {high:.1%}")
    Console().print(table)
