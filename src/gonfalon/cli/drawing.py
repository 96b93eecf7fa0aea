"""Scenes as text, for a terminal."""

from __future__ import annotations

from collections.abc import Mapping

from gonfalon.cli.words import word
from gonfalon.engine.game import Game
from gonfalon.engine.scene import Board, Group, Scene, Score, Space, Token, Tray

CELL = 4
"""Width of a square in characters: side, letter, mark, gap."""
CARD = 13
"""Width of a card in characters."""
LAND, HOLDER, ZONE = 16, 11, 19
"""Width in characters of a territory's name, of its holder, and of one of its zones."""
UNKNOWN = "?"
MARKS = {"seen": "!", "among": "*", "moved": "'"}
"""Signs of marks. The first mark of these that a token has is shown after its letter."""
LEGENDS = {
    "grid": "First letter: the side. ? unknown, ' has moved, ! known to all, ~ nothing enters.",
    "table": "? unknown, ! known (an own card: to the other side), * one of those below, - a gap.",
    "map": "* behind a territory: it has a city. Units: ? unknown, ' has moved, ! known (an own unit: to others), "
    "* one of those below; with their side where it does not hold the territory.",
}
"""The legend of each layout."""


def find_letters(game: Game) -> dict[str, str]:
    """The letter of each piece type by its face, as in deployment texts. Empty if a match does not begin with a
    deployment.
    """
    found: dict[str, str] = {}
    start = game.initial_state()
    for player in range(game.info.players):
        arrange = game.scene(game.view(start, player)).arrange
        if arrange is not None:
            found |= {piece.face: piece.letter for piece in arrange.pieces if piece.face}
    return found


def draw_scene(board: Board, scene: Scene, letter: Mapping[str, str], *, turned: bool = False) -> str:
    """The board with its tokens, the trays, and what is known of groups. `turned` shows it from the far side."""
    tokens = {token.place: token for token in scene.tokens}
    if board.layout == "grid":
        lines = _draw_grid(board, tokens, letter, turned)
    elif board.layout == "map":
        lines, letter = _draw_map(board, scene, tokens), {}
    else:
        lines, letter = _draw_table(board, tokens, turned), {}
    what = "units" if board.layout == "map" else "cards"
    trays = (_describe_tray(tray, letter) for tray in scene.trays if tray.items)
    groups = (_describe_group(group, what) for group in scene.groups if group.faces)
    return "\n".join([*lines, *trays, *groups])


def describe_scores(scores: tuple[Score, ...]) -> str:
    """How all stand, a line for each side: the numbers of its score, the Flags it has, and who leads."""
    lines = []
    for score in scores:
        numbers = ", ".join(f"{name} {count}" for name, count in score.counts.items())
        flags = f"; Flags: {word('side', score.flags)}" if score.flags else "; no Flag"
        lines.append(f"{word('side', score.side)}: {numbers}{flags}{'; leads' if score.leads else ''}")
    return "\n".join(lines)


def _draw_grid(board: Board, tokens: Mapping[str, Token], letter: Mapping[str, str], turned: bool) -> list[str]:
    spaces = {(int(space.place[0]), int(space.place[1])): space for space in board.spaces}
    columns = range(board.columns)[:: -1 if turned else 1]
    lines = []
    for row in range(board.rows)[:: 1 if turned else -1]:
        cells = [_draw_cell(spaces.get((column, row)), tokens, letter) for column in columns]
        lines.append(f"{row + 1:>3}  " + "".join(f"{cell:{CELL}}" for cell in cells).rstrip())
    names = (spaces[column, 0].name.rstrip("0123456789") if (column, 0) in spaces else "" for column in columns)
    return [*lines, "     " + "".join(f" {name:{CELL - 1}}" for name in names).rstrip()]


def _draw_cell(space: Space | None, tokens: Mapping[str, Token], letter: Mapping[str, str]) -> str:
    if space is None or space.ground != "land":
        return "~~~"
    return _draw_token(tokens[space.id], letter) if space.id in tokens else " ."


def _draw_token(token: Token, letter: Mapping[str, str]) -> str:
    return token.side[:1] + (letter.get(token.face, token.face) or UNKNOWN) + _mark(token)


def _draw_table(board: Board, tokens: Mapping[str, Token], turned: bool) -> list[str]:
    """Lines of places with their names above them."""
    lines = []
    for row in range(board.rows)[:: 1 if turned else -1]:
        spaces = sorted((space for space in board.spaces if space.place[1] == row), key=lambda s: s.place[0])
        lines.append("".join(f"{space.name:{CARD}}" for space in spaces).rstrip())
        lines.append("".join(f"{_draw_card(tokens.get(space.id)):{CARD}}" for space in spaces).rstrip())
        lines.append("")
    return lines


def _draw_card(token: Token | None) -> str:
    if token is None:
        return "-"
    return (word("face", token.face) or UNKNOWN) + _mark(token)


def _mark(token: Token) -> str:
    return next((sign for mark, sign in MARKS.items() if mark in token.marks), "")


def _draw_map(board: Board, scene: Scene, tokens: Mapping[str, Token]) -> list[str]:
    """One line for each territory: its name, its holder, its zones with their units."""
    held = {tint.place: tint.kind.removeprefix("held.") for tint in scene.tints}
    lines = []
    for region in board.regions:
        name = region.name + ("*" if region.tower else "")
        holder = held.get(region.id, "")
        spaces = (space for space in board.spaces if space.zone == region.id)
        zones = (f"{f'{space.id} {_draw_unit(tokens.get(space.id), holder)}':{ZONE}}" for space in spaces)
        lines.append(f"{name:{LAND}}{holder:{HOLDER}}{''.join(zones)}".rstrip())
    return lines


def _draw_unit(token: Token | None, holder: str) -> str:
    if token is None:
        return "-"
    return f"{token.side} " * (token.side != holder) + _draw_card(token)


def _describe_tray(tray: Tray, letter: Mapping[str, str]) -> str:
    items = (
        f"{item.count}x{letter.get(item.face, item.face) or UNKNOWN}" + f" of {item.side}" * bool(item.side)
        for item in tray.items
    )
    return f"{tray.side} {tray.kind}: {' '.join(items)}".lstrip()


def _describe_group(group: Group, what: str) -> str:
    faces = ", ".join(word("face", face) for face in group.faces)
    places = ", ".join(place.replace(".", " of ") for place in group.places)
    return f"{group.count} {what} ({places}), among them: {faces}"
