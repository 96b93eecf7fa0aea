"""Text forms: squares, actions, deployments. Positions are in `position.py`."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gonfalon.engine.game import Actions, TextError
from gonfalon.engine.view import View
from gonfalon.games.grid import state as g
from gonfalon.games.grid.ruleset import TYPES
from gonfalon.games.grid.validation import FILES

LONGEST_MOVE = len("a10-b10")
LETTERS = ".S23456789MBF"
"""Letter by type code; "." is an empty square."""


SQUARE_NAMES = tuple(f"{FILES[square % g.COLUMNS]}{square // g.COLUMNS + 1}" for square in range(g.SQUARES))
"""Names by square number: `a1` is 0. Files run from red's left, rows from red's side."""


def square_name(square: int) -> str:
    return SQUARE_NAMES[square]


def parse_square(name: str, rules: NDArray[np.void]) -> int:
    """Inverse of `square_name`. Raises `TextError` if the board has no such square."""
    columns, rows = int(rules[0]["columns"]), int(rules[0]["rows"])
    match = re.fullmatch(r"([a-j])([1-9]|10)", name)
    if match is None or match[1] not in FILES[:columns] or int(match[2]) > rows:
        raise TextError(f"{name!r} is no square of this board (a1 to {FILES[columns - 1]}{rows})")
    return (int(match[2]) - 1) * g.COLUMNS + FILES.index(match[1])


def move_squares(action: int) -> tuple[int, int]:
    """Return the start and the end of a move action."""
    begin, to = divmod(action, g.MOVE_TO)
    row, column = divmod(begin, g.COLUMNS)
    return begin, row * g.COLUMNS + to if to < g.COLUMNS else (to - g.COLUMNS) * g.COLUMNS + column


def move_action(begin: int, end: int) -> int | None:
    """The move from one square to another; None if they share no row or file."""
    if begin == end:
        return None
    if begin // g.COLUMNS == end // g.COLUMNS:
        return begin * g.MOVE_TO + end % g.COLUMNS
    if begin % g.COLUMNS == end % g.COLUMNS:
        return begin * g.MOVE_TO + g.COLUMNS + end // g.COLUMNS
    return None


def sword_squares(action: int, rules: NDArray[np.void]) -> tuple[int, int, int]:
    """The Captain's square and the two targets of a Sword action; OFF for a target beyond the edge."""
    square, pair = divmod(action - g.ACT_SWORD, len(g.SWORD_PAIRS))
    one, other = g.SWORD_PAIRS[pair]
    near = rules[0]["near"][square]
    return square, int(near[one]), int(near[other])


def action_text(view: View, action: int, rules: NDArray[np.void]) -> str:
    """`d3-d4`, `d3xd4`, `d3*c3+e3` (Sword), `apple g7`, `target g7`, `return captain`, `decline`, `to a1`, `place
    bomb`.
    """
    if not 0 <= action < g.ACTIONS:
        raise TextError(f"no action {action}")
    if action < g.ACT_DEPLOY:
        begin, end = move_squares(action)
        join = "x" if view.board[end] & g.ANY_SIDE else "-"
        return f"{square_name(begin)}{join}{square_name(end)}"
    if action < g.ACT_APPLE:
        return f"place {TYPES[action - g.ACT_DEPLOY] or 'nothing'}"
    if action < g.ACT_SWORD:
        return f"apple {square_name(action - g.ACT_APPLE)}"
    if action < g.ACT_TARGET:
        square, one, other = sword_squares(action, rules)
        if g.OFF in (square, one, other):
            raise TextError(f"no action {action}: it points beyond the edge")
        return f"{square_name(square)}*{square_name(one)}+{square_name(other)}"
    if action < g.ACT_PICK:
        return f"target {square_name(action - g.ACT_TARGET)}"
    if action < g.ACT_PLACE:
        kind = action - g.ACT_PICK
        return f"return {TYPES[kind]}" if kind else "decline"
    return f"to {square_name(action - g.ACT_PLACE)}"


def parse_action(text: str, rules: NDArray[np.void]) -> int:
    """Inverse of `action_text`. Treats `-` and `x` alike. Raises `TextError`."""
    text = text.strip()
    if text == "decline":
        return g.ACT_PICK
    word, _, rest = text.partition(" ")
    if word in _WITH_SQUARE and rest:
        return _WITH_SQUARE[word] + parse_square(rest.strip(), rules)
    if word in _WITH_TYPE and rest:
        return _WITH_TYPE[word] + _parse_type(rest.strip(), word)
    move = re.fullmatch(r"([a-j]\d+)[-x]([a-j]\d+)", text)
    if move is not None:
        action = move_action(parse_square(move[1], rules), parse_square(move[2], rules))
        if action is None:
            raise TextError(f"{text!r}: a move ends on another square of the same row or file")
        return action
    sword = re.fullmatch(r"([a-j]\d+)\*([a-j]\d+)\+([a-j]\d+)", text)
    if sword is not None:
        square, one, other = (parse_square(name, rules) for name in sword.groups())
        return sword_action(square, one, other, rules)
    raise TextError(f"{text!r} is no action; examples: d3-d4, d3xd4, d3*c3+e3, apple g7")


_WITH_SQUARE = {"apple": g.ACT_APPLE, "target": g.ACT_TARGET, "to": g.ACT_PLACE}
_WITH_TYPE = {"return": g.ACT_PICK, "place": g.ACT_DEPLOY}


def _parse_type(name: str, word: str) -> int:
    if name == "nothing" and word == "place":
        return 0
    if name not in TYPES[1:]:
        raise TextError(f"{name!r} is no piece type; there are {', '.join(TYPES[1:])}")
    return TYPES.index(name)


def sword_action(square: int, one: int, other: int, rules: NDArray[np.void]) -> int:
    """The Sword action of a Captain on `square` against two neighbours, given in any order. Raises `TextError`."""
    near = rules[0]["near"][square].tolist()
    if one == other or one not in near or other not in near:
        raise TextError(f"a Sword on {square_name(square)} strikes two different squares next to it")
    pair = g.SWORD_PAIRS.index(tuple(sorted((near.index(one), near.index(other)))))
    return g.ACT_SWORD + square * len(g.SWORD_PAIRS) + pair


def deployment_text(actions: Sequence[int]) -> str:
    """One letter for each placement, back row first, from the owner's left: F B S M and 2 to 9; "." stays empty."""
    return "".join(LETTERS[action - g.ACT_DEPLOY] for action in actions)


def parse_deployment(text: str, rules: NDArray[np.void]) -> Actions:
    """The placements of a whole deployment. Raises `TextError` if pieces are missing, too many or unknown, or the text
    is too long (GR-2).
    """
    letters = text.strip()
    own = int(rules[0]["own_squares"])
    for at, letter in enumerate(letters):
        if letter not in LETTERS:
            raise TextError(
                f"{letter!r} at place {at + 1} is no piece; pieces are F B S M 2 to 9, and . for an empty square"
            )
    if len(letters) != own:
        raise TextError(f"a deployment has {own} squares, this one has {len(letters)}")
    army = rules[0]["army"].tolist()
    for kind, letter in enumerate(LETTERS):
        difference = letters.count(letter) - army[kind]
        if difference and kind:
            what = "too many" if difference > 0 else "missing"
            raise TextError(f"{abs(difference)} {TYPES[kind]} {what}: the army has {army[kind]}")
    return np.array([g.ACT_DEPLOY + LETTERS.index(letter) for letter in letters], np.int32)
