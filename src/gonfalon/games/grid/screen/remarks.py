"""Remarks on unusual deployments, for their owner before play. Codes name no piece, the catalogue does.

A feature is unusual if few people's deployments have it (counts in `data/unusual.toml`); common features get no remark.
A Flag without a Bomb beside it is common: one in four people leave it so.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from gonfalon.engine.compiled.kernels import Rows
from gonfalon.engine.rulesets.ruleset import read_toml
from gonfalon.engine.screens.scene import Line
from gonfalon.engine.view import View
from gonfalon.games.grid import state as g
from gonfalon.games.grid.ruleset import DATA

RARE = 50
"""Give a remark on a feature that at most this many of 1000 deployments have."""
FEW_WAYS = 3
"""Minimum usual number of pieces that can make the first move."""
STRONGEST = (g.MARSHAL, g.MARSHAL - 1, g.MARSHAL - 2)
"""Types that are meant to attack."""


def remarks_of(view: View, actions: Sequence[int], rules: Rows) -> tuple[Line, ...]:
    """Return remarks on the viewer's deployment once `actions` complete it."""
    side = view.observer
    row = rules[0]
    own = row["own"][side, : int(row["own_squares"])]
    laid = view.board[own[: int(view.placed[side])]] & g.TYPE
    kinds = np.concatenate([laid, np.asarray(actions, np.int64) - g.ACT_DEPLOY])
    common = {code for code, share in read_shares(_kind_of_army(kinds)).items() if share > RARE}
    return tuple(line for line in find_unusual(kinds, rules, side) if line.code not in common)


def find_unusual(kinds: NDArray[np.int64], rules: Rows, side: int) -> tuple[Line, ...]:
    """Return all features that can be unusual in a deployment, however frequent. `kinds`: types by own square, the back
    row first, 0 for an empty square.
    """
    columns = int(rules[0]["columns"])
    rows = kinds.reshape(-1, columns)
    if len(rows) == 1:  # nothing can stand behind
        return ()
    back, front = rows[0], rows[-1]
    ways = _count_ways(kinds, rules, side)
    miners, strong = int((kinds == g.MINER).sum()), int(np.isin(back, STRONGEST).sum())
    found: tuple[tuple[str, bool, dict[str, int]], ...] = (
        ("prize-in-front", bool((front == g.FLAG).any()), {}),
        ("clears-in-front", 2 * int((front == g.MINER).sum()) > miners, {}),
        ("stabs-in-front", bool((_is_open(rules, side) & (kinds == g.SPY))[-columns:].any()), {}),
        ("walls-in-front", 2 * int((front == g.BOMB).sum()) >= max(2, int((kinds == g.BOMB).sum())), {}),
        ("strong-behind", strong > 1, {"count": strong}),
        ("few-ways", ways <= FEW_WAYS, {"count": ways}),
    )
    return tuple(Line(code, args) for code, is_so, args in found if is_so)


@cache
def read_shares(army: str) -> dict[str, int]:
    """Return the number in 1000 deployments of such an army that have the feature with this code;
    `data/unusual.toml`.
    """
    return dict(read_toml(DATA / "unusual.toml")[army])


def _kind_of_army(kinds: NDArray[np.int64]) -> str:
    return "full" if kinds.all() else "sparse"


def _count_ways(kinds: NDArray[np.int64], rules: Rows, side: int) -> int:
    """Count the pieces that can make the first move."""
    row = rules[0]
    own = row["own"][side, : len(kinds)]
    free = np.isin(row["near"][own], own[kinds == g.EMPTY]).any(axis=1) | _is_open(rules, side)
    return int((free & (kinds >= g.SPY) & (kinds <= g.MARSHAL)).sum())


def _is_open(rules: Rows, side: int) -> NDArray[np.bool_]:
    """Whether each own square borders a square of neither side that a piece can enter."""
    row = rules[0]
    count = int(row["own_squares"])
    near, others = row["near"][row["own"][side, :count]], row["own"][:, :count]
    can_enter = (near != g.OFF) & (row["blocked"][np.minimum(near, g.SQUARES - 1)] == 0)
    return np.asarray((can_enter & ~np.isin(near, others)).any(axis=1))
