"""Map files for tests: a plain map of squares, and a function that writes a table as TOML."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

NAMES = ("Ash", "Bay", "Cove", "Dale", "East", "Ford", "Glen", "Hill", "Isle", "Jade", "Knoll", "Lake")


def squares() -> dict[str, Any]:
    """Return a map of six rows of six squares with sides of 100. Ash, zone 1 is row 0, column 0; Bay begins at column
    3; and so on, row by row. The upper left corner of row r, column c is `c<r><c>`. The first three rows are the north;
    the south is the north turned by half a turn. Ridges separate Cove, zone 3 from Dale, zone 1, and the mirrored zones
    in the south.
    """
    south = [11, 10, 9, 8, 7, 6]
    table: dict[str, Any] = {
        "title": "Squares",
        "players": [2],
        "territories": 12,
        "cities": 4,
        "size": [700, 700],
        "symmetric": True,
        "quarters": ["North", "South"],
        "ridges": [["c13", "c23"], ["c43", "c53"]],
        "points": {f"c{r}{c}": [50 + 100 * c, 50 + 100 * r] for r in range(7) for c in range(7)},
        "bends": {"c00 c01": [[80, 40], [120, 45]]},
    }
    table["territory"] = [_territory(t, "North") for t in range(6)] + [_territory(t, "South") for t in south]
    return table


def _territory(t: int, quarter: str) -> dict[str, Any]:
    row, first = t // 2, 3 * (t % 2)
    zones = [[f"c{row}{c}", f"c{row}{c + 1}", f"c{row + 1}{c + 1}", f"c{row + 1}{c}"] for c in range(first, first + 3)]
    table: dict[str, Any] = {"id": NAMES[t][:2].lower(), "name": NAMES[t], "quarter": quarter}
    if t in {0, 5, 6, 11}:
        table["city"] = 1
    return table | {"zones": zones if quarter == "North" else zones[::-1]}


def write(folder: Path, table: dict[str, Any], name: str = "broken.toml") -> Path:
    """Write the table to a file; return its path. TOML writes texts, numbers and lists as JSON does."""
    lines = [f"{key} = {json.dumps(value)}" for key, value in table.items() if not _is_table(value)]
    for key, value in table.items():
        for part in value if isinstance(value, list) else [value]:
            if isinstance(part, dict):
                lines.append(f"[[{key}]]" if isinstance(value, list) else f"[{key}]")
                lines += [f"{json.dumps(inner)} = {json.dumps(held)}" for inner, held in part.items()]
    path = folder / name
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def _is_table(value: object) -> bool:
    return isinstance(value, dict) or (isinstance(value, list) and bool(value) and isinstance(value[0], dict))
