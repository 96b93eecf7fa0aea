"""Scenes as text, for a terminal."""

from __future__ import annotations

from collections.abc import Mapping

from gonfalon.engine.game import Game
from gonfalon.engine.scene import Board, Scene, Space, Token, Tray

CELL = 4
"""Characters a square: side, letter, mark, gap."""
UNKNOWN = "?"
MARKS = {"seen": "!", "moved": "'"}
"""The first of these that a token has is shown behind its letter."""
LEGEND = "First letter: the side. ? unknown, ' has moved, ! known to all, ~ nothing enters."


def letters(game: Game) -> dict[str, str]:
    """The letter of every piece type by its face, as in deployment texts."""
    found: dict[str, str] = {}
    start = game.initial_state()
    for player in range(game.info.players):
        arrange = game.scene(game.view(start, player)).arrange
        if arrange is not None:
            found |= {piece.face: piece.letter for piece in arrange.pieces if piece.face}
    return found


def picture(board: Board, scene: Scene, letter: Mapping[str, str], *, turned: bool = False) -> str:
    """The board with its tokens, and the lost pieces below; `turned` shows it from the far side.

    Layouts other than `grid` are listed space by space.
    """
    tokens = {token.place: token for token in scene.tokens}
    lines = _grid(board, tokens, letter, turned) if board.layout == "grid" else _listed(board, tokens, letter)
    return "\n".join([*lines, *(_tray(tray, letter) for tray in scene.trays if tray.items)])


def _grid(board: Board, tokens: Mapping[str, Token], letter: Mapping[str, str], turned: bool) -> list[str]:
    spaces = {(int(space.place[0]), int(space.place[1])): space for space in board.spaces}
    columns = range(board.columns)[:: -1 if turned else 1]
    lines = []
    for row in range(board.rows)[:: 1 if turned else -1]:
        cells = [_cell(spaces.get((column, row)), tokens, letter) for column in columns]
        lines.append(f"{row + 1:>3}  " + "".join(f"{cell:{CELL}}" for cell in cells).rstrip())
    names = (spaces[column, 0].name.rstrip("0123456789") if (column, 0) in spaces else "" for column in columns)
    return [*lines, "     " + "".join(f" {name:{CELL - 1}}" for name in names).rstrip()]


def _cell(space: Space | None, tokens: Mapping[str, Token], letter: Mapping[str, str]) -> str:
    if space is None or space.ground != "land":
        return "~~~"
    return _token(tokens[space.id], letter) if space.id in tokens else " ."


def _token(token: Token, letter: Mapping[str, str]) -> str:
    mark = next((sign for mark, sign in MARKS.items() if mark in token.marks), "")
    return token.side[:1] + (letter.get(token.face, token.face) or UNKNOWN) + mark


def _listed(board: Board, tokens: Mapping[str, Token], letter: Mapping[str, str]) -> list[str]:
    return [f"{space.name}: {_token(tokens[space.id], letter)}" for space in board.spaces if space.id in tokens]


def _tray(tray: Tray, letter: Mapping[str, str]) -> str:
    items = " ".join(f"{item.count}x{letter.get(item.face, item.face)}" for item in tray.items)
    return f"{tray.side} {tray.kind}: {items}"
