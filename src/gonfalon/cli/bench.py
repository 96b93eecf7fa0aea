"""`gonfalon bench`: measures the engine or the server and prints the figures."""

from __future__ import annotations

import argparse
import json


def bench(arguments: argparse.Namespace) -> int:
    """Measures one part and prints a table, or rows as JSON. Status 1: the server lost or changed something."""
    if arguments.part == "server" and arguments.attack:
        from gonfalon.server.trials import attacks

        return int(not attacks.run())
    if arguments.part == "server" and arguments.analysis:
        from gonfalon.server.trials import analysed
        from gonfalon.server.trials.speed import VARIANT

        analysed.run(arguments.json, arguments.variant or VARIANT)
        return 0
    if arguments.part == "server":
        from gonfalon.server.trials.speed import VARIANT, run

        run(arguments.json, arguments.variant or VARIANT)
        return 0
    if arguments.part == "kills":
        from gonfalon.server.trials import kills

        result = kills.run(arguments.kills, arguments.database, arguments.variant or kills.VARIANT)
        return int(result.lost + result.doubled > 0)
    if arguments.part == "belief":
        from gonfalon.cli import bench_belief

        bench_belief.run(arguments.variant or "barrage", arguments.matches)
        return 0
    if arguments.part == "soak":
        from gonfalon.server.trials import soak

        soak.run(arguments.matches, arguments.minutes, arguments.database, arguments.variant or soak.VARIANT)
        return 0
    from gonfalon.cli.bench_engine import measure

    rows = measure()
    if arguments.json:
        print(json.dumps(rows, indent=2))
        return 0
    names = [f"{row['name']} {row['variant']}".strip() for row in rows]
    width = max(map(len, names))
    for name, row in zip(names, rows, strict=True):
        print(f"{name:{width}}  {format_number(row['value']):>12} {row['unit']:<14} spread {row['spread']:.0%}")
    return 0


def format_number(value: float) -> str:
    """A figure with as many digits as make sense."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
