"""Counts where people put their pieces, and which types they put side by side:

    python tools/data/habits.py FOLDER > src/gonfalon/games/grid/data/habits.toml

FOLDER holds `human-original.txt`, `program-original.txt` and `human-barrage.txt` of the public data of the repository
StrategoAI/ataraxos (MIT licence; the human deployments were collected there from gravon.de): one deployment per line,
40 letters.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from itertools import product
from pathlib import Path

LETTERS = "ACDEFGHIJKLBM"
"""Letters by type code: none, Spy, Scout, Miner, then up to the Marshal, Bomb, Flag."""
RANKS = ("spy", "scout", "miner", "sergeant", "lieutenant", "captain", "major", "colonel", "general", "marshal")
NAMES = (*RANKS, "bomb", "flag")
HEAD = """\
# Where people put their pieces: for each type its share, per 1000, of the pieces on each of the 4x10 own squares, the
# back row first. Counted by tools/data/habits.py from public deployments of the repository StrategoAI/ataraxos (MIT
# licence; those of people were collected there from gravon.de): `full` from 64,920 by people and 1,000 by a
# program, half and half; `sparse` from 3,944 by people of Barrage. Left and right count alike.
# `beside`: how often two types stand side by side, per 100 of how often they would if squares were filled apart."""
ROWS, COLUMNS, SQUARES = 4, 10, 40
EMPTY = LETTERS[0]
PAIRS = [(k, k + 1) for k in range(SQUARES) if (k + 1) % COLUMNS] + [(k, k + COLUMNS) for k in range(SQUARES - COLUMNS)]
"""Pairs of squares side by side."""


def read(path: Path, *, front_first: bool) -> list[str]:
    """Return the deployments of a file, the back row first; each one twice, the second time mirrored. `front_first`:
    the file has the front row first.
    """
    found = []
    for line in filter(None, map(str.strip, path.read_text(encoding="ascii").splitlines())):
        rows = [line[k : k + COLUMNS] for k in range(0, SQUARES, COLUMNS)]
        rows = rows[::-1] if front_first else rows
        found += ["".join(rows), "".join(row[::-1] for row in rows)]
    return found


def count(sources: list[list[str]]) -> list[dict[str, float]]:
    """Return the share of each letter on each square. Every source has the same weight."""
    found: list[dict[str, float]] = [defaultdict(float) for _ in range(SQUARES)]
    for deployments in sources:
        for deployment in deployments:
            for square, letter in enumerate(deployment):
                found[square][letter] += 1 / len(deployments)
    return found


def count_beside(sources: list[list[str]]) -> dict[tuple[str, str], float]:
    """Return, for each pair of types, how often they stand side by side, divided by how often they would if squares
    were independent: the mean over the sources.
    """
    total: dict[tuple[str, str], float] = defaultdict(float)
    for deployments in sources:
        seen: Counter[tuple[str, str]] = Counter()
        expected: dict[tuple[str, str], float] = defaultdict(float)
        for one, other in PAIRS:
            pairs = Counter((each[one], each[other]) for each in deployments if EMPTY not in (each[one], each[other]))
            firsts, seconds = Counter[str](), Counter[str]()
            for (first, second), times in pairs.items():
                firsts[first] += times
                seconds[second] += times
            for first, second in product(firsts, seconds):
                for pair in ((first, second), (second, first)):
                    seen[pair] += pairs[first, second]
                    expected[pair] += firsts[first] * seconds[second] / pairs.total()
        for pair, expectation in expected.items():
            total[pair] += seen[pair] / expectation / len(sources)
    return total


def show(name: str, found: list[dict[str, float]]) -> None:
    """Print the table of one kind of army: for each type the share, per 1000, of its pieces on each square."""
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


def show_beside(name: str, found: dict[tuple[str, str], float]) -> None:
    print(f"[beside.{name}]")
    letters = [letter for letter in LETTERS[1:] if any(letter in pair for pair in found)]
    for letter in letters:
        shares = ", ".join(f"{100 * found[letter, other]:.0f}" for other in letters)
        print(f"{NAMES[LETTERS.index(letter) - 1]} = [{shares}]")


def main(folder: Path) -> None:
    full = [
        read(folder / "human-original.txt", front_first=True),
        read(folder / "program-original.txt", front_first=False),
    ]
    sparse = [read(folder / "human-barrage.txt", front_first=True)]
    print(HEAD)
    show("full", count(full))
    show("sparse", count(sparse))
    show_beside("full", count_beside(full))
    show_beside("sparse", count_beside(sparse))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
