"""The rules record: a ruleset in the numbers that the compiled rules read."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gonfalon.engine.rulesets.ruleset import Ruleset
from gonfalon.games.grid import ruleset as data
from gonfalon.games.grid.state import COLUMNS, OFF, RULES, SQUARES
from gonfalon.games.grid.text.notation import move_action

STEPS = ((-1, 0), (1, 0), (0, -1), (0, 1))
"""West, east, south, north as steps of column and row."""


def make_rules(ruleset: Ruleset) -> NDArray[np.void]:
    """The rules record of a ruleset, shape (1,)."""
    board = data.board(ruleset)
    record = np.zeros(1, RULES)
    row = record[0]
    row["squares"], row["rows"], row["columns"] = board.rows * COLUMNS, board.rows, board.columns
    row["blocked"] = [not _is_there(square, board) for square in range(SQUARES + 1)]
    row["blocked"][list(board.blocked)] = 1
    row["near"] = [[_neighbour(square, step, board) for step in STEPS] for square in range(SQUARES + 1)]
    row["first_move"] = [
        [0 if near == OFF else move_action(square, near) for near in row["near"][square].tolist()]
        for square in range(SQUARES + 1)
    ]
    _set_deployment(row, data.deploy_rows(ruleset), board, data.army(ruleset))
    row["powers"] = data.powers(ruleset)
    for name, value in ruleset.values.items():
        if name in (RULES.names or ()):
            row[name] = value
    return record


def _is_there(square: int, board: data.BoardData) -> bool:
    """Whether the board has the square: a lower or narrower board uses the rows and columns next to a1."""
    return square % COLUMNS < board.columns and square // COLUMNS < board.rows


def _neighbour(square: int, step: tuple[int, int], board: data.BoardData) -> int:
    column, row = square % COLUMNS + step[0], square // COLUMNS + step[1]
    inside = 0 <= column < board.columns and 0 <= row < board.rows and _is_there(square, board)
    return row * COLUMNS + column if inside else OFF


def _set_deployment(row: np.void, rows: int, board: data.BoardData, army: tuple[int, ...]) -> None:
    """Fill in each side's own squares, back row first, from the owner's left. Blue sees the board turned round, so
    Blue's squares run down from the last one.
    """
    own = [y * COLUMNS + x for y in range(rows) for x in range(board.columns)]
    last = (board.rows - 1) * COLUMNS + board.columns - 1
    row["own_squares"] = len(own)
    row["own"][0, : len(own)] = own
    row["own"][1, : len(own)] = [last - square for square in own]
    row["army"] = army
    row["army"][0] = len(own) - sum(army)
