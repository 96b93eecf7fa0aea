"""Measures engine and server and writes bench/results.md, with the commit and the machine it was measured on."""

from __future__ import annotations

import datetime
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from gonfalon.cli.measure.bench import format_number
from gonfalon.cli.measure.machine import describe_commit, describe_machine

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "bench" / "results.md"
PARTS = {
    "engine": "One core, CPU time, best of five; random play with full legal lists, placements not counted.\n"
    "Starts are a whole new process, by the clock.",
    "server": "One process with rules, views and storing; agents' processes apart.",
}


def main() -> int:
    """Writes the page. Returns the exit status."""
    today = datetime.datetime.now(tz=datetime.UTC).date()
    text = [
        "# Results",
        "",
        f"Made by `make bench` at commit `{describe_commit()}` on {today}:",
        f"{describe_machine()}.",
        "Spread is the difference between the worst run and the best, as a share of the best.",
    ]
    for part, meaning in PARTS.items():
        rows = _measure(part)
        text += ["", f"## {part.capitalize()}", "", meaning, "", *_table(rows)]
    RESULTS.write_text("\n".join([*text, ""]), encoding="utf-8")
    print(f"Written to {RESULTS.relative_to(ROOT)}")
    return 0


def _measure(part: str) -> list[dict[str, Any]]:
    command = [sys.executable, "-m", "gonfalon", "bench", part, "--json"]
    print(f"Measuring the {part}", flush=True)
    rows: list[dict[str, Any]] = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
    return rows


def _table(rows: list[dict[str, Any]]) -> list[str]:
    body = [
        f"| {row['name']} | {row['variant']} | {format_number(row['value'])} | {row['unit']} | {row['spread']:.0%} |"
        for row in rows
    ]
    return ["| what | variant | value | unit | spread |", "|---|---|---|---|---|", *body]


if __name__ == "__main__":
    sys.exit(main())
