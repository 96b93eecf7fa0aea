"""Meaning of the observations and action ids of a variant, and which of them the variant uses."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from gonfalon.engine.learning.observation import MOST_PAST, ActionParts, Layout, place_parts
from gonfalon.games.grid import state as g
from gonfalon.games.grid.ruleset import TYPES
from gonfalon.games.grid.sight.encode import PLANES

_POWERS = frozenset(("phase heal", "phase heal place", "phase target", "own apple used", "enemy apple used"))
_RESCUES = frozenset(("phase rescue", "phase rescue place", "own rescues", "enemy rescues"))
_CHASES = frozenset(("own chase", "enemy chase"))
_WEST, _EAST, _SOUTH, _NORTH = range(4)


def layout_of(rules: NDArray[np.void]) -> Layout:
    """Return the layout of a variant's observations. Blue plays upwards if the board is turned by half."""
    r = rules[0]
    rows, columns = int(r["rows"]), int(r["columns"])
    cells = range(rows * columns)
    return Layout(
        planes=PLANES,
        rows=rows,
        columns=columns,
        past=MOST_PAST,
        used=tuple(_uses(r, plane.name) for plane in PLANES),
        parts=place_parts(g.ACTIONS, _list_actions(r)),
        turns=(tuple(cells), tuple(reversed(cells))),
        places=tuple(row * g.COLUMNS + column for row in range(rows) for column in range(columns)),
    )


def _cell(r: np.void, square: int) -> int:
    """Return the cell of a square of the board."""
    row, column = divmod(square, g.COLUMNS)
    return row * int(r["columns"]) + column


def _uses(r: np.void, plane: str) -> bool:
    """Return whether the variant can ever set a plane."""
    if plane in _POWERS:
        return bool(r["powers"])
    if plane in _RESCUES:
        return bool(r["rescue"])
    if plane in _CHASES:
        return bool(r["chase_rule"])
    if plane == "forbidden":
        return bool(r["chase_rule"] or r["two_square_limit"])
    if plane == "own left empty":
        return bool(r["army"][0])
    kind = next((k for k in range(1, g.TYPES) if plane.rsplit(maxsplit=1)[-1] == TYPES[k]), None)
    if kind is None:
        return True
    if plane.startswith("enemy not"):  # a piece that moves is no Bomb and no Flag; two house rules tell more
        return kind >= g.BOMB or bool(r["silent_defence"] or r["no_move_passes"])
    return bool(r["army"][kind])


def _find_closed(r: np.void) -> list[bool]:
    """Return for each square whether it is blocked for both players, each of whom may see the board turned by half. On
    most boards these are the blocked squares.
    """
    columns, squares = int(r["columns"]), int(r["squares"])
    turned = squares - 1 - (g.COLUMNS - columns)  # sum of a square and the turned one
    blocked = r["blocked"].astype(bool).tolist()
    return [blocked[k] and (k % g.COLUMNS >= columns or blocked[turned - k]) for k in range(squares)]


def _list_actions(r: np.void) -> Iterator[tuple[int, ActionParts]]:
    """Yield the action ids that can be legal in the variant, or in its turned form, with their parts."""
    closed = _find_closed(r)
    free = [square for square in range(int(r["squares"])) if not closed[square]]
    for kind in range(g.TYPES):
        if r["army"][kind]:
            yield g.ACT_DEPLOY + kind, ActionParts("deploy", name=TYPES[kind] if kind else "empty")
    for square in free:
        yield from _list_moves(r, square, closed)
        if r["powers"]:
            yield g.ACT_APPLE + square, ActionParts("apple", (_cell(r, square),))
            yield g.ACT_TARGET + square, ActionParts("target", (_cell(r, square),))
            yield from _list_swords(r, square, closed)
    if r["powers"] or r["rescue"]:
        yield g.ACT_PICK, ActionParts("decline")
        for kind in range(1, g.TYPES):
            if r["army"][kind]:
                yield g.ACT_PICK + kind, ActionParts("pick", name=TYPES[kind])
        yield from ((g.ACT_PLACE + square, ActionParts("place", (_cell(r, square),))) for square in free)


def _list_moves(r: np.void, square: int, closed: list[bool]) -> Iterator[tuple[int, ActionParts]]:
    for d in range(4):
        end = int(r["near"][square, d])
        while end != g.OFF and not closed[end]:
            to = end % g.COLUMNS if d in (_WEST, _EAST) else g.COLUMNS + end // g.COLUMNS
            yield g.ACT_MOVE + square * g.MOVE_TO + to, ActionParts("move", (_cell(r, square), _cell(r, end)))
            if not r["army"][g.SCOUT]:
                break
            end = int(r["near"][end, d])


def _list_swords(r: np.void, square: int, closed: list[bool]) -> Iterator[tuple[int, ActionParts]]:
    for number, pair in enumerate(g.SWORD_PAIRS):
        ends = [int(r["near"][square, d]) for d in pair]
        if not any(end == g.OFF or closed[end] for end in ends):
            yield (
                g.ACT_SWORD + square * len(g.SWORD_PAIRS) + number,
                ActionParts("sword", tuple(_cell(r, each) for each in (square, *ends))),
            )
