"""Write the table of kept data in docs/running.md from the server's list and the page's English words:
`python tools/privacy.py [--check]`.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from gonfalon.server.protocol.kept_data import KEPT_DATA

ROOT = Path(__file__).parents[1]
WORDS = ROOT / "web" / "src" / "people" / "words" / "en.json"
PAGE = ROOT / "docs" / "running.md"
BEGIN, END = "<!-- kept data: made by tools/privacy.py -->\n", "<!-- end of kept data -->"


def make_table() -> str:
    """Return the table in Markdown."""
    words: dict[str, str] = json.loads(WORDS.read_text(encoding="utf-8"))
    rows = (
        f"| {words[f'privacy.{kept.code}.what']} | {words[f'privacy.{kept.code}.why']} "
        f"| {words[f'privacy.until.{kept.until}']} |"
        for kept in KEPT_DATA
    )
    return "\n".join(["| what | why | how long |", "|---|---|---|", *rows, ""])


def fill(page: str) -> str:
    """Return the page with today's table."""
    before, _, rest = page.partition(BEGIN)
    return before + BEGIN + make_table() + END + rest.partition(END)[2]


def main(arguments: list[str]) -> int:
    """Write the table. With `--check`, only say whether it is up to date (status 1: it is not)."""
    old = PAGE.read_text(encoding="utf-8")
    new = fill(old)
    if "--check" in arguments:
        if old != new:
            print(f"{PAGE} is out of date: run python tools/privacy.py", file=sys.stderr)
        return int(old != new)
    PAGE.write_text(new, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
