"""`gonfalon bench`: measures the engine or the server and prints the figures."""

from __future__ import annotations

import argparse
import json

from gonfalon.cli.choosing import check_variant, find_agent
from gonfalon.cli.extras import EXTRAS, require
from gonfalon.cli.places import require_server_system

MATCHES = 300
"""Default number of matches, for a soak and for the beliefs."""


def bench(arguments: argparse.Namespace) -> int:
    """Measure one part and print a table, or rows as JSON. Status 1: the server lost or changed something. Raises
    `CommandError`.
    """
    matches = arguments.matches or MATCHES
    if arguments.variant:
        check_variant(arguments.variant)
    if arguments.part in ("server", "kills", "soak"):
        require_server_system()
        require(f"bench {arguments.part}", *EXTRAS["play"])
    if arguments.part == "server":
        return _measure_server(arguments)
    if arguments.part == "kills":
        from gonfalon.server.trials import kills

        result = kills.run(arguments.kills, arguments.database, arguments.variant or kills.VARIANT)
        return int(result.lost + result.doubled + result.overcharged > 0)
    if arguments.part == "belief":
        from gonfalon.cli.measure import belief

        belief.run(arguments.variant or "barrage", matches)
        return 0
    if arguments.part == "soak":
        from gonfalon.server.trials import soak

        soak.run(matches, arguments.minutes, arguments.database, arguments.variant or soak.VARIANT)
        return 0
    _measure_engine(arguments.json)
    return 0


def _measure_server(arguments: argparse.Namespace) -> int:
    if arguments.attack:
        from gonfalon.server.trials import attacks

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


def _measure_engine(as_json: bool) -> None:
    from gonfalon.cli.measure.speed import measure

    rows = measure()
    if as_json:
        print(json.dumps(rows, indent=2))
        return
    names = [f"{row['name']} {row['variant']}".strip() for row in rows]
    width = max(map(len, names))
    for name, row in zip(names, rows, strict=True):
        print(f"{name:{width}}  {format_number(row['value']):>12} {row['unit']:<14} spread {row['spread']:.0%}")


def format_number(value: float) -> str:
    """Return a number as text with a sensible number of digits."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
