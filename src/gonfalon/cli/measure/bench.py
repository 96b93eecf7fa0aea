"""`gonfalon bench`: measures the engine, the library beside others, or the server, and prints the figures."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from gonfalon.cli.choosing import check_variant, find_agent
from gonfalon.cli.errors import CommandError
from gonfalon.cli.extras import EXTRAS, require
from gonfalon.cli.places import require_server_system
from gonfalon.cli.progress import show_progress

NAME_WIDTH = 42
"""Width of the names in the engine's table."""
MATCHES = 300
"""Default number of matches, for a soak and for the beliefs."""


def bench(arguments: argparse.Namespace) -> int:
    """Measure one part and print a table, or rows as JSON. Status 1: the server lost or changed something. Raises
    `CommandError`.
    """
    matches = arguments.matches or MATCHES
    if arguments.variant:
        check_variant(arguments.variant)
    if arguments.plot and arguments.part != "library":
        raise CommandError("--plot is for bench library")
    if arguments.part in ("server", "lobby", "kills", "soak", "cluster"):
        require_server_system()
        require(f"bench {arguments.part}", *EXTRAS["play"])
    if arguments.part == "server":
        return _measure_server(arguments)
    if arguments.part == "lobby":
        from gonfalon.server.trials import lobby

        lobby.run(arguments.json, arguments.pages or lobby.PAGES)
        return 0
    if arguments.part == "kills":
        from gonfalon.server.trials import kills

        result = kills.run(arguments.kills, arguments.database, arguments.variant or kills.VARIANT)
        return int(result.lost + result.doubled + result.overcharged > 0)
    if arguments.part == "cluster":
        return _try_cluster(arguments.short)
    if arguments.part == "belief":
        from gonfalon.cli.measure import belief

        belief.run(arguments.variant or "barrage", matches)
        return 0
    if arguments.part == "soak":
        from gonfalon.server.trials import soak

        soak.run(matches, arguments.minutes, arguments.database, arguments.variant or soak.VARIANT)
        return 0
    if arguments.part == "library":
        _measure_library(arguments)
        return 0
    _measure_engine(arguments.json, arguments.variant)
    return 0


def _try_cluster(short: bool) -> int:
    """Let everything happen to a site of two nodes, then measure what a move costs. Raises `CommandError`."""
    from gonfalon.server.trials import cluster
    from gonfalon.server.trials.processes.site import MissingProgramError

    try:
        result = cluster.run(cluster.SHORT if short else None)
        for line in () if short else cluster.measure():
            print(line)
    except MissingProgramError as error:
        raise CommandError(str(error)) from None
    return int(not result.passed)


def _measure_server(arguments: argparse.Namespace) -> int:
    if arguments.attack:
        from gonfalon.server.trials.attack import attacks

        return int(not attacks.run())
    from gonfalon.server.trials import analysed, speed

    variant = arguments.variant or speed.VARIANT
    if arguments.analysis:
        analysed.run(arguments.json, variant)
    elif arguments.computer:
        _measure_crowd(arguments, variant)
    else:
        speed.run(arguments.json, variant)
    return 0


def _measure_crowd(arguments: argparse.Namespace, variant: str) -> None:
    """Measure waits for one computer player. Raises `CommandError` for an unknown one."""
    find_agent(arguments.computer)
    from gonfalon.server.trials import crowd

    crowd.run(arguments.json, variant, arguments.computer, arguments.matches or crowd.MATCHES)


def _measure_engine(as_json: bool, variant: str) -> None:
    """Measure the engine; print each row as soon as it is known, or all as JSON."""
    from gonfalon.cli.measure.speed import list_parts

    parts, found = list_parts(variant), []
    with show_progress(parts[0][0], len(parts)) as progress:
        for number, (_, measure) in enumerate(parts, 1):
            rows = measure()
            progress.advance(parts[number][0] if number < len(parts) else "engine")
            found += rows
            for row in () if as_json else rows:
                name = f"{row['name']} {row['variant']}".strip()
                value = f"{format_number(row['value']):>12} {row['unit']:<14} spread {row['spread']:.0%}"
                print(f"{name:{NAME_WIDTH}}  {value}", flush=True)
    if as_json:
        print(json.dumps(found, indent=2))


def _measure_library(arguments: argparse.Namespace) -> None:
    """Compare with other libraries. Raises `CommandError` if the plot cannot be drawn."""
    from gonfalon.cli.contests.arena import check_plot
    from gonfalon.cli.measure import library
    from gonfalon.cli.measure.machine import describe_commit, describe_machine

    if arguments.plot:
        check_plot(arguments.plot)
    variant = arguments.variant or library.VARIANT
    with show_progress("library", library.count_parts()) as progress:
        results = library.measure(variant, progress.advance)
    commit, machine = describe_commit(), describe_machine()
    if arguments.json:
        rows = [each._asdict() for each in results]
        print(json.dumps({"variant": variant, "commit": commit, "machine": machine, "rows": rows}, indent=2))
    else:
        print(f"{variant} beside games of other libraries, commit {commit}\n{machine}")
        print("\n".join(library.write_table(results)))
    if arguments.plot:
        library.draw(results, f"{variant} beside games of other libraries", Path(arguments.plot))


def format_number(value: float) -> str:
    """Return a number as text with a sensible number of digits."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
