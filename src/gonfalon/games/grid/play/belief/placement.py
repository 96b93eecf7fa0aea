"""Habits of people's deployments, and the deployment squares that a view shows of the other side."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from gonfalon.engine.compiled.belief import Company, Styles
from gonfalon.engine.compiled.kernels import Rows
from gonfalon.engine.rulesets.ruleset import read_toml
from gonfalon.engine.view import View
from gonfalon.games.grid import state as g
from gonfalon.games.grid.play.tunables import (
    HABIT,
    LEAST_COMPANY,
    LEAST_FLAG,
    LEAST_SHARE,
    LEAST_STYLE,
    PROOF,
    STYLES,
    TRUST,
)
from gonfalon.games.grid.ruleset import DATA, TYPES

HABIT_ROWS = {1: (0,), 2: (0, 3), 3: (0, 1, 3), 4: (0, 1, 2, 3)}
"""Rows of the table of habits that represent the own rows, by number of own rows, the back row first. With more rows
the front row stands for each of the others.
"""
STEPS = 16
"""Shares of styles are stored as logarithms, in multiples of 1/16."""


def is_sparse(rules: Rows) -> bool:
    """Whether an army leaves squares of its side empty, as Barrage's does."""
    return bool(rules[0]["army"][0])


def find_size(rules: Rows) -> tuple[int, int]:
    """Return the number of a side's own rows and of the board's columns."""
    columns = int(rules[0]["columns"])
    return int(rules[0]["own_squares"]) // columns, columns


def fit_table(shares: NDArray[np.float64], rows: int, columns: int) -> NDArray[np.float64]:
    """Return a table of habits for so many own rows and columns, shape (..., rows * columns, types). `shares`: shape
    (..., 4, COLUMNS, types). The columns of a narrower board lie between those of the table, the middle on the middle.
    """
    chosen = HABIT_ROWS.get(rows, (*HABIT_ROWS[4], *(3,) * (rows - 4)))
    at = np.linspace(0, g.COLUMNS - 1, columns)
    left, part = at.astype(np.int64), (at % 1)[:, None]
    right = np.minimum(left + 1, g.COLUMNS - 1)
    kept = shares[..., list(chosen), :, :]
    fitted: NDArray[np.float64] = kept[..., left, :] * (1 - part) + kept[..., right, :] * part
    return fitted.reshape(*shares.shape[:-3], rows * columns, g.TYPES)


@cache
def read_habits(sparse: bool, rows: int, columns: int) -> NDArray[np.float64]:
    """Return the likelihood of each type on each own square, shape (squares, types), the back row first;
    `data/habits.toml`. `sparse`: armies that leave squares free, as Barrage's. `rows`, `columns`: see `find_size`.
    """
    content = read_toml(DATA / "habits.toml")[_name(sparse)]
    shares = np.zeros((4, g.COLUMNS, g.TYPES))
    for kind, values in content.items():
        shares[:, :, TYPES.index(kind)] = np.reshape(values, (4, g.COLUMNS))
    shares[:, :, : g.FLAG] += LEAST_SHARE
    shares[:, :, g.FLAG] += LEAST_FLAG
    return fit_table(shares, rows, columns)


@cache
def read_company(sparse: bool) -> NDArray[np.float64]:
    """Return the factor for two types side by side, relative to the habits of each square, shape (types, types);
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


@cache
def read_styles(sparse: bool, rows: int, columns: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the styles of people's deployments, `data/styles/`: the frequency of each, shape (styles,), and the
    likelihood of each type on each own square in it, shape (styles, squares, types), the back row first. Type 0 is
    no piece. `rows`, `columns`: see `find_size`.
    """
    with np.load(DATA / "styles" / f"{_name(sparse)}.npz") as content:
        chosen = content["chosen"].astype(np.float64)
        shares = np.exp(content["shares"] / -STEPS).reshape(len(chosen), 4, g.COLUMNS, g.TYPES)
    shares = fit_table(shares, rows, columns)
    mean = np.average(shares, axis=0, weights=chosen)
    shares = TRUST * shares + (1 - TRUST) * mean + LEAST_STYLE
    return chosen / chosen.sum(), shares / shares.sum(axis=2, keepdims=True)


def fill(habits: NDArray[np.float64], army: NDArray[np.float64], empty: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the likelihood of each type on each square, shape (squares, types). It combines the share of each type's
    pieces on each square (`read_habits`), the number of pieces of each type, and the probability that each square
    stays empty.
    """
    found: NDArray[np.float64] = habits * np.append(0, army[1:])
    found *= ((1 - empty) / found.sum(axis=1))[:, None]
    found[:, 0] = empty
    return found


class Placing:
    """Deployment squares of one side's pieces."""

    def __init__(
        self, view: View, rules: Rows, side: int, began: NDArray[np.int64], told: NDArray[np.int64] | None
    ) -> None:
        """`began`, shape (PIECES,): square of each piece at the beginning of the view's turn ring, OFF if unknown.
        `told`: as returned by `read_faces`.
        """
        self._view, self._near = view, rules[0]["near"].astype(np.int64)
        self._army = rules[0]["army"].astype(np.float64)
        self._own = rules[0]["own"][side, : int(rules[0]["own_squares"])].astype(np.int64)
        self._sparse, self._size = is_sparse(rules), find_size(rules)
        self.squares = self._find_squares(g.FIRST_OF_BLUE * side, began)
        """By piece number: its deployment square, OFF if unknown."""
        self._order = np.full(g.SQUARES + 1, -1)
        self._order[self._own] = np.arange(len(self._own))
        self._faces = self._find_faces(told)
        """By square: type of the piece placed there, HIDDEN if unknown, 0 for no piece."""

    def _find_squares(self, first: int, began: NDArray[np.int64]) -> NDArray[np.int64]:
        view, squares = self._view, np.full(g.PIECES, g.OFF)
        mine = np.arange(first, first + len(self._own))
        where = view.where[mine].astype(np.int64)
        resting = (where != g.OFF) & (view.marks[where] & g.MOVED == 0)
        numbered = np.sort(self._own)
        if (
            not self._sparse and (numbered == where)[resting].all()
        ):  # every own square was full, so piece numbers tell the squares
            squares[mine] = numbered
        else:
            placed = np.where(resting, where, began[mine])
            told = (resting | _is_whole(view)) & np.isin(placed, self._own)
            squares[mine[told]] = placed[told]
        return squares

    def _find_faces(self, told: NDArray[np.int64] | None) -> NDArray[np.int64]:
        view, faces = self._view, np.full(g.SQUARES + 1, g.HIDDEN)
        if told is not None:
            faces[: g.SQUARES] = told
        here = np.flatnonzero((self.squares != g.OFF) & (view.where != g.OFF))
        types = view.board[view.where[here]].astype(np.int64) & g.TYPE
        faces[self.squares[here]] = np.where(types == g.HIDDEN, g.HIDDEN, types)
        return faces

    def styles(self, numbers: NDArray[np.int64]) -> Styles:
        """Return the likelihood of each type on the deployment square of each hidden piece, by style, in the styles
        that fit the known pieces best. Where the square is unknown, all types are equal. The first entry has the
        habits of all people.
        """
        chosen, shares = read_styles(self._sparse, *self._size)
        habits = fill(read_habits(self._sparse, *self._size), self._army, shares[:, :, 0].mean(axis=0))
        shares = np.concatenate([habits[None], shares])
        weights = np.log(np.append(HABIT, (1 - HABIT) * chosen))
        faces = self._faces[self._own]
        known = np.flatnonzero(faces != g.HIDDEN)
        weights += PROOF * np.log(shares[:, known, faces[known]]).sum(axis=1)
        best = np.append(0, 1 + np.argsort(-weights[1:], kind="stable")[: STYLES - 1])
        places = self._order[self.squares[numbers]]
        shares = np.where((places >= 0)[:, None], shares[best][:, places], 1.0)
        shares[0] *= self._beside_known(numbers)
        return Styles(weights[best], shares)

    def company(self, numbers: NDArray[np.int64]) -> Company:
        """Return the pairs of these hidden pieces that were placed side by side."""
        piece_on = np.full(g.SQUARES + 1, -1)
        piece_on[self.squares[numbers]] = np.arange(len(numbers))
        piece_on[g.OFF] = -1
        return Company(piece_on[self._around(numbers)], read_company(self._sparse))

    def _beside_known(self, numbers: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the factor of each type for the known pieces placed beside it, shape (pieces, types)."""
        types = self._faces[self._around(numbers)]
        types[types == g.HIDDEN] = 0
        found: NDArray[np.float64] = read_company(self._sparse)[types].prod(axis=1)
        return found

    def _around(self, numbers: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the squares beside the deployment squares of these pieces, OFF for none, shape (pieces, 4)."""
        found: NDArray[np.int64] = self._near[self.squares[numbers]]
        found[self.squares[numbers] == g.OFF] = g.OFF
        return found


def _is_whole(view: View) -> bool:
    """Whether the turn ring goes back to the beginning of the match."""
    return bool(view.turn < g.RING and (view.ring_piece[: view.turn] != g.NONE).all())
