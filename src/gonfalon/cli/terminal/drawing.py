"""Scenes as text, for a terminal."""

from __future__ import annotations

from collections.abc import Mapping

from gonfalon.cli.language.words import Words
from gonfalon.engine.game import Game
from gonfalon.engine.screens.scene import Board, Group, Scene, Score, Space, Token, Tray

CELL = 4
"""Width of a square in characters: side, letter, mark, gap."""
CARD = 13
"""Width of a card in characters."""
LAND, HOLDER, ZONE = 16, 11, 19
"""Widths in characters of a territory's name, of its holder, and of one of its zones."""
UNKNOWN = "?"
MARKS = {"seen": "!", "looked": "=", "among": "*", "moved": "'"}
"""Characters for a token's marks. After its letter, a token shows the character of the first mark it has."""


def find_letters(game: Game) -> dict[str, str]:
    """Return the letter of each piece type by its face, as in deployment texts. Empty if matches do not begin with a
    deployment.
    """
    found: dict[str, str] = {}
    start = game.initial_state()
    for player in range(game.info.players):
        arrange = game.scene(game.view(start, player)).arrange
        if arrange is not None:
            found |= {piece.face: piece.letter for piece in arrange.pieces if piece.face}
    return found


def draw_scene(board: Board, scene: Scene, letters: Mapping[str, str], words: Words, *, turned: bool = False) -> str:
    """Return the board with its tokens, the trays and the known groups as text. `turned` shows it from the far side."""
    return _Drawing(board, letters, words).draw(scene, turned)


def describe_scores(scores: tuple[Score, ...], words: Words) -> str:
    """Return the scores of all sides, one line each: the numbers, the Flags, and whether the side leads."""
    lines = []
    for score in scores:
        counts = ", ".join(words.say(f"count.{name}", {"count": count}) for name, count in score.counts.items())
        told = {"side": score.side, "counts": counts, "flags": [words.word("side", side) for side in score.flags]}
        line = words.say("score.line" if score.flags else "score.line.none", told)
        lines.append(words.say("score.leads", {"line": line}) if score.leads else line)
    return "\n".join(lines)


class _Drawing:
    """Draws the positions of one board. `letters`: letter of each piece type, used on grids only; other boards have
    room for names.
    """

    def __init__(self, board: Board, letters: Mapping[str, str], words: Words) -> None:
        self.board = board
        self.letters = letters if board.layout == "grid" else {}
        self.words = words

    def draw(self, scene: Scene, turned: bool) -> str:
        tokens = {token.place: token for token in scene.tokens}
        if self.board.layout == "grid":
            lines = self._draw_grid(tokens, turned)
        elif self.board.layout == "map":
            lines = self._draw_map(scene, tokens)
        else:
            lines = self._draw_table(tokens, turned)
        trays = (self._describe_tray(tray) for tray in scene.trays if tray.items)
        groups = (self._describe_group(group) for group in scene.groups if group.faces)
        return "\n".join([*lines, *trays, *groups])

    def _draw_grid(self, tokens: Mapping[str, Token], turned: bool) -> list[str]:
        spaces = {(int(space.place[0]), int(space.place[1])): space for space in self.board.spaces}
        columns = range(self.board.columns)[:: -1 if turned else 1]
        lines = []
        for row in range(self.board.rows)[:: 1 if turned else -1]:
            cells = [self._draw_cell(spaces.get((column, row)), tokens) for column in columns]
            lines.append(f"{row + 1:>3}  " + "".join(f"{cell:{CELL}}" for cell in cells).rstrip())
        names = (spaces[column, 0].name.rstrip("0123456789") if (column, 0) in spaces else "" for column in columns)
        return [*lines, "     " + "".join(f" {name:{CELL - 1}}" for name in names).rstrip()]

    def _draw_cell(self, space: Space | None, tokens: Mapping[str, Token]) -> str:
        if space is None:  # no space of the board
            return ""
        if space.ground != "land":
            return "~~~"
        return self._draw_token(tokens[space.id]) if space.id in tokens else " ."

    def _draw_token(self, token: Token) -> str:
        return self.words.word("side", token.side)[:1].lower() + self._sign(token.face) + _mark(token)

    def _sign(self, face: str) -> str:
        if face in self.letters:
            return self.letters[face]
        return self.words.word("face", face) if face else UNKNOWN

    def _draw_table(self, tokens: Mapping[str, Token], turned: bool) -> list[str]:
        """Return the rows of places: for each row, a line of names and below it a line of cards."""
        lines = []
        for row in range(self.board.rows)[:: 1 if turned else -1]:
            spaces = sorted((space for space in self.board.spaces if space.place[1] == row), key=lambda s: s.place[0])
            lines.append("".join(f"{space.name:{CARD}}" for space in spaces).rstrip())
            lines.append("".join(f"{self._draw_card(tokens.get(space.id)):{CARD}}" for space in spaces).rstrip())
            lines.append("")
        return lines

    def _draw_card(self, token: Token | None) -> str:
        return "-" if token is None else self._sign(token.face) + _mark(token)

    def _draw_map(self, scene: Scene, tokens: Mapping[str, Token]) -> list[str]:
        """Return one line for each territory: its name, its holder, its zones with their units."""
        held = {tint.place: tint.kind.removeprefix("held.") for tint in scene.tints}
        lines = []
        for region in self.board.regions:
            name = region.name + ("*" if region.tower else "")
            holder = held.get(region.id, "")
            held_by = self.words.say("board.contested") if holder == "contested" else self.words.word("side", holder)
            spaces = (space for space in self.board.spaces if space.zone == region.id)
            zones = (f"{f'{space.id} {self._draw_unit(tokens.get(space.id), holder)}':{ZONE - 1}} " for space in spaces)
            lines.append(f"{name:{LAND}}{held_by:{HOLDER}}{''.join(zones)}".rstrip())
        return lines

    def _draw_unit(self, token: Token | None, holder: str) -> str:
        if token is None or token.side == holder:
            return self._draw_card(token)
        return f"{self.words.word('side', token.side)} {self._draw_card(token)}"

    def _describe_tray(self, tray: Tray) -> str:
        items = []
        for item in tray.items:
            many = f"{item.count}x{self._sign(item.face)}"
            items.append(self.words.say("board.tray.of", {"item": many, "side": item.side}) if item.side else many)
        key = f"board.tray.{tray.kind}" + ".nobody" * (not tray.side)
        return self.words.say(key, {"side": tray.side, "items": " ".join(items)})

    def _describe_group(self, group: Group) -> str:
        places = [self._describe_place(place) for place in group.places]
        faces = [self.words.word("face", face) for face in group.faces]
        told = {"count": group.count, "places": ", ".join(places), "faces": ", ".join(faces)}
        return self.words.say("board.group", told)

    def _describe_place(self, place: str) -> str:
        """Return the name of a place; a place beside the board (`hand.<side>`) is named by its kind."""
        kind, dot, side = place.partition(".")
        return self.words.say(f"board.beside.{kind}", {"side": side}) if dot else place


def _mark(token: Token) -> str:
    marks = {mark.partition(".")[0] for mark in token.marks}
    return next((sign for mark, sign in MARKS.items() if mark in marks), "")
