"""`gonfalon bench`: prints what the engine's and the server's measurements give."""

from __future__ import annotations

import argparse
import importlib
import json
from typing import Any

Row = dict[str, Any]
"""One figure: `name`, `variant`, `value` (the best of its runs), `unit`, `spread` (worst against best, as a share)."""


def bench(arguments: argparse.Namespace) -> int:
    """Measures one part and prints a table, or rows as JSON."""
    module = {"engine": "gonfalon.cli.bench_engine", "server": "gonfalon.server.bench"}[arguments.part]
    rows: list[Row] = importlib.import_module(module).measure()
    if arguments.json:
        print(json.dumps(rows, indent=2))
        return 0
    names = [f"{row['name']} {row['variant']}".strip() for row in rows]
    width = max(map(len, names))
    for name, row in zip(names, rows, strict=True):
        print(f"{name:{width}}  {number(row['value']):>12} {row['unit']:<14} spread {row['spread']:.0%}")
    return 0


def number(value: float) -> str:
    """A figure with as many digits as it deserves."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
