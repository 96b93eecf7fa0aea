"""How people place pieces, and where the other side's pieces were placed, as far as a view tells it."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from gonfalon.engine.belief import Company
from gonfalon.engine.kernels import Rows
from gonfalon.engine.ruleset import read_toml
from gonfalon.engine.view import View
from gonfalon.games.grid import state as g
from gonfalon.games.grid.ruleset import DATA, TYPES

HABIT_ROWS = {3: (0, 1, 3), 4: (0, 1, 2, 3)}
"""For each number of own rows, the rows of the table of habits that stand for them, the back row first."""
LEAST_SHARE, LEAST_FLAG = 20.0, 2.0
"""Added to every share of the table, in thousandths, and to those of the Flag: not everybody deploys as most people do.
"""
LEAST_COMPANY = 0.02
"""No two types are less likely side by side."""


def is_sparse(rules: Rows) -> bool:
    """Whether an army leaves squares of its side empty, as Barrage's does."""
    return bool(rules[0]["army"][0])


@cache
def read_habits(sparse: bool, rows: int) -> NDArray[np.float64]:
    """How likely each type is on each own square, shape (squares, types), the back row first; `data/habits.toml`.
    `sparse`: armies that leave squares free, as Barrage's.
    """
    content = read_toml(DATA / "habits.toml")[_name(sparse)]
    shares = np.zeros((4, g.COLUMNS, g.TYPES))
    for kind, values in content.items():
        shares[:, :, TYPES.index(kind)] = np.reshape(values, (4, g.COLUMNS))
    shares[:, :, : g.FLAG] += LEAST_SHARE
    shares[:, :, g.FLAG] += LEAST_FLAG
    return shares[list(HABIT_ROWS[rows])].reshape(-1, g.TYPES)


@cache
def read_company(sparse: bool) -> NDArray[np.float64]:
    """How much likelier people put two types side by side than their habits for each square say, shape (types, types);
    `data/habits.toml`.
    """
    content = read_toml(DATA / "habits.toml")["beside"][_name(sparse)]
    kinds = [TYPES.index(kind) for kind in content]
    found = np.ones((g.TYPES, g.TYPES))
    for kind, values in content.items():
        found[TYPES.index(kind), kinds] = np.maximum(np.array(values) / 100, LEAST_COMPANY)
    return found


def _name(sparse: bool) -> str:
    return "sparse" if sparse else "full"


class Placing:
    """Where the pieces of one side were placed."""

    def __init__(self, view: View, rules: Rows, side: int, began: NDArray[np.int64]) -> None:
        """`began`, shape (PIECES,): where each piece stood when the turn ring of the view began, OFF where that is not
        known.
        """
        self._view, self._near = view, rules[0]["near"].astype(np.int64)
        self._own = rules[0]["own"][side, : int(rules[0]["own_squares"])].astype(np.int64)
        self._sparse = is_sparse(rules)
        self.squares = self._find_squares(g.FIRST_OF_BLUE * side, began)
        """By piece number: the square on which it was placed, OFF where that is not known."""

    def _find_squares(self, first: int, began: NDArray[np.int64]) -> NDArray[np.int64]:
        view, squares = self._view, np.full(g.PIECES, g.OFF)
        mine = np.arange(first, first + len(self._own))
        where = view.where[mine].astype(np.int64)
        resting = (where != g.OFF) & (view.marks[where] & g.MOVED == 0)
        numbered = np.sort(self._own)
        if not self._sparse and (numbered == where)[resting].all():  # every own square was full, so numbers tell them
            squares[mine] = numbered
        else:
            placed = np.where(resting, where, began[mine])
            told = (resting | _is_whole(view)) & np.isin(placed, self._own)
            squares[mine[told]] = placed[told]
        return squares

    def likely(self, numbers: NDArray[np.int64]) -> NDArray[np.float64]:
        """How likely each type is where each of these pieces was placed, shape (pieces, types); no difference where
        that is not known.
        """
        order = np.full(g.SQUARES + 1, -1)
        order[self._own] = np.arange(len(self._own))
        places = order[self.squares[numbers]]
        habits = read_habits(self._sparse, len(self._own) // g.COLUMNS)
        found: NDArray[np.float64] = np.where(places[:, None] >= 0, habits[places], 1.0)
        return found

    def company(self, numbers: NDArray[np.int64]) -> tuple[Company, NDArray[np.float64]]:
        """What these hidden pieces were placed beside: each other, and known pieces that are on the board; for the
        latter how much likelier each type becomes by them, shape (pieces, types).
        """
        view, factors = self._view, read_company(self._sparse)
        piece_on = np.full(g.SQUARES + 1, g.NONE, np.int64)
        told = np.flatnonzero(self.squares != g.OFF)
        piece_on[self.squares[told]] = told
        beside = piece_on[self._near[self.squares[numbers]]]
        beside[self.squares[numbers] == g.OFF] = g.NONE
        index, types = np.full(g.NONE + 1, -1), np.zeros(g.NONE + 1, np.int64)
        there = np.flatnonzero(view.where != g.OFF)
        types[there] = view.board[view.where[there]] & g.TYPE
        types[types == g.HIDDEN] = 0
        index[numbers], types[numbers] = np.arange(len(numbers)), 0
        return Company(index[beside], factors), factors[types[beside]].prod(axis=1)


def _is_whole(view: View) -> bool:
    """Whether the turn ring goes back to the beginning of the match."""
    return bool(view.turn < g.RING and (view.ring_piece[: view.turn] != g.NONE).all())
