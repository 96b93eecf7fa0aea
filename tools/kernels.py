"""Copies `kernels.py` of one family to all others. Only the name of the family differs.

    python tools/kernels.py [--check]

Change the file of the grid family and run this. The families cannot share one file: Numba caches a compiled function by
its file, and it does not find functions in the cache that get other functions as arguments.
"""

from __future__ import annotations

import sys
from pathlib import Path

GAMES = Path(__file__).parents[1] / "src" / "gonfalon" / "games"
SOURCE = "grid"


def copies() -> dict[Path, str]:
    """Return the text of the `kernels.py` of each other family."""
    text = (GAMES / SOURCE / "kernels.py").read_text(encoding="utf-8")
    families = sorted(path.parents[1].name for path in GAMES.glob("*/data/variants"))
    named = f"gonfalon.games.{SOURCE}"
    return {
        GAMES / family / "kernels.py": text.replace(named, f"gonfalon.games.{family}")
        for family in families
        if family != SOURCE
    }


def main() -> int:
    stale = {path: text for path, text in copies().items() if not path.is_file() or path.read_text("utf-8") != text}
    if sys.argv[1:] == ["--check"]:
        for path in stale:
            print(f"{path}: not the same as the grid family's; run python tools/kernels.py")
        return len(stale)
    for path, text in stale.items():
        path.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
