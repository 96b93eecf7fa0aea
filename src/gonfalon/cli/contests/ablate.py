"""`gonfalon ablate`: a level against itself without an adjustment of its search, for one adjustment after another."""

from __future__ import annotations

import argparse

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
    print(f"{variant}, {milliseconds} ms a decision")
    width = max(len("adjustment"), *(len(adjustment.name) for adjustment, _ in found))
    print(f"{'adjustment':{width}}  {'matches':>7}  {'share with it':>13}  {'95 %':>16}")
    for adjustment, pairing in found:
        low, high = pairing.interval
        interval = f"{low:.1%} to {high:.1%}"
        print(f"{adjustment.name:{width}}  {pairing.matches:7}  {pairing.share:13.1%}  {interval:>16}")
