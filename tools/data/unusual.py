"""Counts rare features of deployments by people: `python tools/data/unusual.py FOLDER >
src/gonfalon/games/grid/data/unusual.toml`.

FOLDER holds `human-original.txt` and `human-barrage.txt`, see `tools/data/habits.py`.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import numpy as np
from habits import COLUMNS, LETTERS, SQUARES

import gonfalon
from gonfalon.games.grid import state as g
from gonfalon.games.grid.screen.remarks import find_unusual

CODES = ("prize-in-front", "clears-in-front", "stabs-in-front", "walls-in-front", "strong-behind", "few-ways")
HEAD = """\
# How many of 1000 deployments by people have what is said of a deployment (`screen/remarks.py`). Counted by
# tools/data/unusual.py from public deployments of the repository StrategoAI/ataraxos (MIT licence; collected there from
# gravon.de): `full` from 64,920 of Original, `sparse` from 3,944 of Barrage."""


def count(path: Path, variant: str) -> dict[str, int]:
    """Return how many of 1000 deployments of a file have the feature of each code."""
    game, found = gonfalon.make(variant), Counter[str]()
    lines = path.read_text(encoding="ascii").split()
    for line in lines:
        back_first = "".join(line[k : k + COLUMNS] for k in reversed(range(0, SQUARES, COLUMNS)))
        text = back_first.translate(str.maketrans(LETTERS, ".S23456789MBF"))
        kinds = game.parse_deployment(text, 0).astype(np.int64) - g.ACT_DEPLOY
        found.update({remark.code for remark in find_unusual(kinds, game.rules, 0)})
    return {code: round(1000 * found[code] / len(lines)) for code in CODES}


def main(folder: Path) -> None:
    print(HEAD)
    for army, variant in (("full", "original"), ("sparse", "barrage")):
        print(f"[{army}]")
        for code, share in count(folder / f"human-{variant}.txt", variant).items():
            print(f"{code} = {share}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
