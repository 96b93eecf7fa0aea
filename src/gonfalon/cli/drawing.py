"""Scenes as text, for a terminal."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from gonfalon.engine.game import CHANCE, EVERYTHING, Game
from gonfalon.engine.scene import Arrange, ArrangePiece, Board, Group, Scene, Space, Token, Tray

CELL = 4
"""Characters a square: side, letter, mark, gap."""
UNKNOWN = "?"
MARKS = {"seen": "!", "among": "*", "moved": "'"}
"""The first of these that a token has is shown behind its letter."""
LEGEND = "First letter: the side. ? unknown, ' has moved, ! known beyond its owner, * known as one of several, ~ nothing enters."
DEALS = 50
"""Tries to see all pieces dealt."""


def letters(game: Game) -> dict[str, str]:
    """The letter of every piece type by its face, as in deployment texts.

    Where pieces are dealt, they are dealt until all have been seen, or almost: a face without a letter is written out.
    """
    rng = np.random.default_rng(0)
    found = _dealt_letters(game, rng)
    scene = game.scene(game.view(game.initial_state(), EVERYTHING))
    faces = {item.face for tray in scene.trays for item in tray.items} - {""}
    for _ in range(DEALS):
        if not game.info.chance or faces <= found.keys():
            break
        found |= _dealt_letters(game, rng)
    return found


def _dealt_letters(game: Game, rng: np.random.Generator) -> dict[str, str]:
    """Letters of what the players have to deploy after one deal."""
    state = game.initial_state()
    while game.to_act(state) == (CHANCE,):
        actions, odds = game.chance_outcomes(state)
        state = game.apply(state, CHANCE, int(rng.choice(actions, p=odds)))
    found: dict[str, str] = {}
    for player in range(game.info.players):
        arrange = game.scene(game.view(state, player)).arrange
        if arrange is not None:
            found |= {piece.face: piece.letter for piece in arrange.pieces if piece.face}
    return found


def picture(board: Board, scene: Scene, letter: Mapping[str, str], *, turned: bool = False) -> str:
    """The board with its tokens, the pieces beside it below, and what is known of several; `turned` shows it from the far
    side. Layouts other than `grid` and `table` are listed space by space.
    """
    tokens = {token.place: token for token in scene.tokens}
    if board.layout == "grid":
        lines = _grid(board, tokens, letter, turned)
    else:
        lines = _table(board, tokens, letter, turned) if board.layout == "table" else _listed(board, tokens, letter)
    trays = [_tray(tray, letter) for tray in scene.trays if tray.items]
    return "\n".join([*lines, *trays, *(_group(group, letter) for group in scene.groups)])


def _grid(board: Board, tokens: Mapping[str, Token], letter: Mapping[str, str], turned: bool) -> list[str]:
    spaces = {(int(space.place[0]), int(space.place[1])): space for space in board.spaces}
    columns = range(board.columns)[:: -1 if turned else 1]
    lines = []
    for row in range(board.rows)[:: 1 if turned else -1]:
        cells = [_cell(spaces.get((column, row)), tokens, letter) for column in columns]
        lines.append(f"{row + 1:>3}  " + "".join(f"{cell:{CELL}}" for cell in cells).rstrip())
    names = (spaces[column, 0].name.rstrip("0123456789") if (column, 0) in spaces else "" for column in columns)
    return [*lines, "     " + "".join(f" {name:{CELL - 1}}" for name in names).rstrip()]


def _table(board: Board, tokens: Mapping[str, Token], letter: Mapping[str, str], turned: bool) -> list[str]:
    """The rows of spaces one below the other, each with its names on the outer side."""
    rows: dict[float, list[Space]] = {}
    for space in sorted(board.spaces, key=lambda space: space.place[::-1], reverse=turned):
        rows.setdefault(space.place[1], []).append(space)
    near, *others = rows.values()
    far = [line for row in reversed(others) for line in (_names(row), _cells(row, tokens, letter))]
    return [*far, _cells(near, tokens, letter), _names(near)]


def _names(row: list[Space]) -> str:
    return "     " + "".join(f" {space.name:{CELL - 1}} " for space in row).rstrip()


def _cells(row: list[Space], tokens: Mapping[str, Token], letter: Mapping[str, str]) -> str:
    return "     " + "".join(f"{_cell(space, tokens, letter):{CELL}} " for space in row).rstrip()


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
    items = " ".join(f"{item.count}x{letter.get(item.face, item.face) or UNKNOWN}" for item in tray.items)
    return f"{tray.side} {tray.kind}: {items}"


def _group(group: Group, letter: Mapping[str, str]) -> str:
    """`known of blue: 3 6 among the 3 on b1 b4 hand`."""
    known = " ".join(letter.get(face, face) for face in group.faces)
    places = " ".join(place.removesuffix(f".{group.side}") for place in group.places)
    return f"known of {group.side}: {known} among the {group.count} on {places}"


def offer(arrange: Arrange) -> str:
    """What is to be arranged: `To place: 2 of M marshal, 2x6 captain on r1 r4`."""
    pieces = ", ".join(_piece(piece) for piece in arrange.pieces)
    return f"To place: {len(arrange.places)} of {pieces} on {' '.join(arrange.places)}"


def _piece(piece: ArrangePiece) -> str:
    count = f"{piece.count}x" if piece.count > 1 else ""
    return f"{count}{piece.letter} {piece.face or 'stays empty'}"
