"""Ready deployments as data: one file a variant in `data/deployments/`, letters by own square, back row first.

A deployment is one letter a square, from the row nearest to the player to the front row, each row from the player's
left to right. So the same text serves both sides.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gonfalon.engine.game import Actions
from gonfalon.engine.rulesets.ruleset import Ruleset, RulesetError, read_toml
from gonfalon.games.grid import state as g
from gonfalon.games.grid.ruleset import DATA, TYPES, army, board, deploy_rows
from gonfalon.games.grid.text.notation import LETTERS

SERGEANT, COLONEL = 4, 8
"""The lowest and the highest of the middle ranks."""
STRAY = 0.5
"""Number of pieces of a sparse deployment that may step aside."""
Vary = Callable[[NDArray[np.int32], np.random.Generator], NDArray[np.int32]]
"""Function that returns another deployment of the same pattern. Deployments are rows of type codes, the player's back
row first.
"""


def load(ruleset: Ruleset, data: Path = DATA) -> dict[str, str]:
    """Return the deployment texts by name, in the file's order; none of a variant of one's own. Raises `RulesetError`
    naming file and key.
    """
    if ruleset.own:
        return {}
    where = f"deployments/{ruleset.variant}.toml"
    content = read_toml(data / "deployments" / f"{ruleset.variant}.toml")
    if set(content) != {"deployments"} or not isinstance(content["deployments"], dict):
        raise RulesetError(f"{where}: there must be one table, 'deployments'")
    for name, text in content["deployments"].items():
        _check(ruleset, text, f"{where}: {name}")
    return dict(content["deployments"])


def load_pool(ruleset: Ruleset, data: Path = DATA) -> tuple[str, ...]:
    """Return the deployments that won most between computers, most of them bred by `tools/data/pools.py`; empty without
    a file, and for a variant of one's own. Raises `RulesetError` naming file and line.
    """
    path = data / "pools" / f"{ruleset.variant}.txt"
    texts = tuple(path.read_text(encoding="ascii").split()) if path.is_file() and not ruleset.own else ()
    for number, text in enumerate(texts, 1):
        _check(ruleset, text, f"pools/{path.name}: line {number}")
    return texts


def exchange_middle(rows: NDArray[np.int32], rng: np.random.Generator) -> NDArray[np.int32]:
    """Return the same pattern with other pieces: the middle ranks change places within their row. Guards, Scouts,
    Miners and the highest ranks stay.
    """
    varied = rows.copy()
    for row in varied:
        middle = np.flatnonzero((row >= SERGEANT) & (row <= COLONEL))
        row[middle] = rng.permutation(row[middle])
    return varied


def scatter(rows: NDArray[np.int32], rng: np.random.Generator) -> NDArray[np.int32]:
    """Return the same pattern on other squares, so that empty squares do not betray it to an enemy who knows the pool
    by heart. Pieces step to empty squares beside them. Flag, Bombs and the last piece before the Flag stay. Without
    empty squares, the middle ranks are exchanged.
    """
    if (rows != g.EMPTY).all():
        return exchange_middle(rows, rng)
    varied = rows.copy()
    for y, x in np.argwhere((rows != g.EMPTY) & (rows != g.FLAG) & (rows != g.BOMB)):
        beside = [(b, a) for b, a in ((y, x - 1), (y, x + 1), (y - 1, x), (y + 1, x)) if _is_free(varied, b, a)]
        if not beside or rng.random() >= STRAY:
            continue
        moved = varied.copy()
        moved[beside[int(rng.integers(len(beside)))]], moved[y, x] = varied[y, x], g.EMPTY
        varied = moved if covers_flag(moved) else varied
    return varied


def _is_free(rows: NDArray[np.int32], y: int, x: int) -> bool:
    return 0 <= y < len(rows) and 0 <= x < rows.shape[1] and bool(rows[y, x] == g.EMPTY)


def covers_flag(rows: NDArray[np.integer[Any]]) -> bool:
    """Whether a piece stands before the Flag on its file."""
    y, x = np.argwhere(rows == g.FLAG)[0]
    return bool((rows[y + 1 :, x] != g.EMPTY).any())


def shelter_flag(actions: Actions, fixed: Container[int], columns: int) -> Actions:
    """Return a whole deployment whose Flag does not stand on the front row, if a piece behind can change places with
    it. `fixed`: indices of the placements that must stay; `columns`: length of a row.
    """
    kinds = actions - g.ACT_DEPLOY
    (flag,) = np.flatnonzero(kinds == g.FLAG).tolist()
    front = len(kinds) - columns
    free = [] if flag < front or flag in fixed else [each for each in range(front) if each not in fixed]
    for other in sorted(free, key=lambda each: kinds[each] in (g.EMPTY, g.BOMB))[:1]:
        actions = actions.copy()
        actions[[flag, other]] = actions[[other, flag]]
    return actions


def _check(ruleset: Ruleset, text: object, where: str) -> None:
    """GR-2: a deployment has the whole army, one piece a square, and nothing else."""
    if not isinstance(text, str):
        raise RulesetError(f"{where} must be a text of letters, not {text!r}")
    squares = board(ruleset).columns * deploy_rows(ruleset)
    if len(text) != squares:
        raise RulesetError(f"{where} must have {squares} letters, not {len(text)}")
    counts = Counter(text)
    if unknown := sorted(set(counts) - set(LETTERS)):
        raise RulesetError(f"{where}: unknown letter {unknown[0]!r}")
    for code, wanted in enumerate(army(ruleset)):
        if code and counts[LETTERS[code]] != wanted:
            found = counts[LETTERS[code]]
            raise RulesetError(f"{where}: the army has {wanted} of {TYPES[code]} ({LETTERS[code]}), not {found}")
