"""Counts where people put their pieces: `python tools/habits.py FOLDER > src/gonfalon/games/grid/data/habits.toml`.

FOLDER holds `human-original.txt`, `program-original.txt` and `human-barrage.txt` of the public data of the repository
StrategoAI/ataraxos (MIT licence; the human deployments were collected there from gravon.de): one deployment a line, 40
letters.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

LETTERS = "ACDEFGHIJKLBM"
"""By type code: none, Spy, Scout, Miner, then up to the Marshal, Bomb, Flag."""
RANKS = ("spy", "scout", "miner", "sergeant", "lieutenant", "captain", "major", "colonel", "general", "marshal")
NAMES = (*RANKS, "bomb", "flag")
HEAD = """\
# Where people put their pieces: for each type its share, per 1000, of the pieces on each of the 4x10 own squares, the
# back row first. Counted by tools/habits.py from public deployments of the repository StrategoAI/ataraxos (MIT licence;
# those of people were collected there from gravon.de): `full` from 64,920 by people and 1,000 by a program, half and
# half; `sparse` from 3,944 by people of Barrage. Left and right count alike."""
ROWS, COLUMNS, SQUARES = 4, 10, 40


def count(paths: list[tuple[Path, bool]]) -> list[Counter[str]]:
    """How often each letter stands on each square, the back row first; left and right count alike. Every file counts
    as much as another. The second of a pair: whether the file has the front row first.
    """
    found: list[Counter[str]] = [Counter() for _ in range(SQUARES)]
    for path, front_first in paths:
        lines = [line.strip() for line in path.read_text(encoding="ascii").splitlines() if line.strip()]
        for line in lines:
            rows = [line[k : k + COLUMNS] for k in range(0, SQUARES, COLUMNS)]
            for y, row in enumerate(reversed(rows) if front_first else rows):
                for x, letter in enumerate(row):
                    found[y * COLUMNS + x][letter] += 1 / len(lines)
                    found[y * COLUMNS + COLUMNS - 1 - x][letter] += 1 / len(lines)
    return found


def show(name: str, found: list[Counter[str]]) -> None:
    """Prints the table of one kind of army: for each type its share, per 1000, of the pieces on each square."""
    print(f"[{name}]")
    for kind, letter in zip(NAMES, LETTERS[1:], strict=True):
        shares = [1000 * each[letter] / sum(each[k] for k in LETTERS[1:]) for each in found]
        if any(shares):
            print(f"{kind} = [")
            for row in range(ROWS):
                print(
                    "    "
                    + ", ".join(f"{share:.0f}" for share in shares[row * COLUMNS : row * COLUMNS + COLUMNS])
                    + ","
                )
            print("]")


def main(folder: Path) -> None:
    print(HEAD)
    show("full", count([(folder / "human-original.txt", True), (folder / "program-original.txt", False)]))
    show("sparse", count([(folder / "human-barrage.txt", True)]))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
