"""Positions, turns and results as text, so that the tests of the rules read like diagrams.

A diagram is some rows of the board, upper rows first, in the cells of `position.py`. Rows that are left out, and
squares to the right of the last cell, are empty; blocked squares may be written as empty.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import gonfalon
from diagram import Diagram
from gonfalon.engine.game import Game
from gonfalon.games.grid.ruleset import TYPES

RED, BLUE = 0, 1


@cache
def make(variant: str, **switches: bool | int) -> Game:
    """The game; each set of switches is made once."""
    return gonfalon.make(variant, **switches)


class Position(Diagram):
    """A position on a board of squares."""

    def cells(self) -> dict[str, str]:
        """The cell of every square, as the text form of positions writes it."""
        return cells_of(self.game.state_text(self.state))

    def seen(self, square: str, observer: int) -> str:
        """The type that `observer` sees on a square: "" for an empty square, "hidden" for an unknown piece."""
        tokens = self.scene(observer).tokens
        faces = [token.face or "hidden" for token in tokens if token.place == square]
        return faces[0] if faces else ""


def cells_of(text: str) -> dict[str, str]:
    """Cells by square of the rows in a text; other lines are passed over."""
    rows = [line.split() for line in text.splitlines() if line.split() and line.split()[0].isdigit()]
    return {f"{file}{number}": cell for number, *cells in rows for file, cell in zip("abcdefghij", cells, strict=False)}


def full_diagram(game: Game, diagram: str) -> str:
    """The diagram with all its rows, the left out squares empty."""
    data = game.info.ruleset.data["board"]
    given = cells_of(diagram)
    lines = []
    for number in range(data["rows"], 0, -1):
        names = [f"{file}{number}" for file in "abcdefghij"]
        cells = ["~~" if name in data["blocked"] else given.get(name, "..") for name in names]
        lines.append(" ".join((str(number), *cells)))
    return "\n".join(lines)


def position(variant: str, diagram: str, turn: int = 0, quiet: int = 0, lines: str = "", **switches: Any) -> Position:
    """A position of a variant; red is to move after an even number of turns. `lines`: more lines of the text form."""
    game = make(variant, **switches)
    text = f"{variant}\nturn {turn} quiet {quiet}\n{lines}\n{full_diagram(game, diagram)}"
    return Position(game, game.parse_state(text))


def same_board(after: Position, diagram: str) -> None:
    """Asserts that the board is like the diagram, including marks (moved, seen, spent)."""
    assert "\n".join(_pieces(after.cells())) == "\n".join(_pieces(cells_of(full_diagram(after.game, diagram))))


def _pieces(cells: dict[str, str]) -> list[str]:
    return sorted(f"{square} {cell}" for square, cell in cells.items() if cell not in ("..", "~~"))


def lost(after: Position, side: int) -> dict[str, int]:
    """Return the number of lost pieces of a side, by name. Other types are left out."""
    return {TYPES[k]: int(n) for k, n in enumerate(after.row["lost"][side]) if n and k}


def deployed(variant: str, red: str, blue: str, **switches: Any) -> Position:
    """The position after both deployments: letters, back row first, from the owner's left."""
    game = make(variant, **switches)
    at = Position(game, game.initial_state())
    for player, text in ((RED, red), (BLUE, blue)):
        for action in game.parse_deployment(text, player):
            at = Position(game, game.apply(at.state, player, int(action)), (at.state, player, int(action)))
    return at
