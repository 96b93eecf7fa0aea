"""Translates between the lines of the protocol and the ids of a game."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from gonfalon.ai.protocol import OWN_ROWS, ProtocolError, check_playable
from gonfalon.engine.events import Event
from gonfalon.engine.game import Game
from gonfalon.engine.view import View

SIDES = ("RED", "BLUE")
EMPTY, BLOCKED, ENEMY = ".", "+", "#"
LETTERS = {
    "marshal": "1",
    "general": "2",
    "colonel": "3",
    "major": "4",
    "captain": "5",
    "lieutenant": "6",
    "sergeant": "7",
    "miner": "8",
    "scout": "9",
    "spy": "s",
    "bomb": "B",
    "flag": "F",
}
FACES = {letter: face for face, letter in LETTERS.items()}
STEPS = {"UP": (0, -1), "DOWN": (0, 1), "LEFT": (-1, 0), "RIGHT": (1, 0)}
RESULTS = {"battle-won": "KILLS", "battle-lost": "DIES", "battle-both": "BOTHDIE"}
MOVES = ("moved", "ran", "attacked")
"""Codes of the events that begin a turn."""
NO_MOVE = "NO_MOVE"
"""Answer of a player who cannot move."""
_MOVE = re.compile(r"(\d{1,2}) (\d{1,2}) (UP|DOWN|LEFT|RIGHT)(?: (\d{1,2}))?")
_RELAY = re.compile(rf"({_MOVE.pattern}) (OK|ILLEGAL|(?:KILLS|DIES|BOTHDIE) ([1-9sBF]) ([1-9sBF]))")


class Move(NamedTuple):
    """A move from space to space. `faces`: faces of the attacker and the defender, if there was a battle."""

    begin: str
    end: str
    legal: bool = True
    faces: tuple[str, str] | None = None


class Table:
    """The translation for one game. Red's back row is the top one, and Red's pieces look down, so files run from right
    to left.
    """

    def __init__(self, game: Game) -> None:
        """Raises `ProtocolError` for a game that the protocol cannot express."""
        check_playable(game.info.ruleset)
        board = game.board()
        self.game = game
        self.width, self.height = int(board.columns), int(board.rows)
        self._points = {space.id: (self.width - 1 - int(space.place[0]), int(space.place[1])) for space in board.spaces}
        self._spaces = {point: space for space, point in self._points.items()}
        self._blocked = {space.id for space in board.spaces if space.ground != "land"}

    # ---- boards ----------------------------------------------------------------------------------------------------

    def draw(self, view: View) -> list[str]:
        """Return the lines of the board as the viewer sees it."""
        side = self.game.info.sides[view.observer]
        tokens = self.game.scene(view).tokens
        shown = {token.place: LETTERS[token.face] if token.side == side else ENEMY for token in tokens}
        return ["".join(self._letter(self._spaces[x, y], shown) for x in range(self.width)) for y in range(self.height)]

    def _letter(self, space: str, shown: Mapping[str, str]) -> str:
        return BLOCKED if space in self._blocked else shown.get(space, EMPTY)

    def read(self, rows: Sequence[str]) -> dict[str, str]:
        """Return the faces by space on a board drawn for one player; enemies have the face `ENEMY`."""
        found = {}
        for y, row in enumerate(rows):
            for x, letter in enumerate(row):
                if letter not in (EMPTY, BLOCKED):
                    found[self._spaces[x, y]] = ENEMY if letter == ENEMY else _face(letter)
        return found

    def is_row(self, line: str) -> bool:
        """Return whether a line is a row of a board."""
        return len(line) == self.width and set(line) <= {EMPTY, BLOCKED, ENEMY, *FACES}

    # ---- deployments -----------------------------------------------------------------------------------------------

    def word_deployment(self, view: View, actions: Sequence[int]) -> list[str]:
        """Return all placements of the viewer, who has placed nothing yet, as lines."""
        arrange = self.game.scene(view).arrange
        if arrange is None:
            raise ProtocolError("there is nothing to deploy")
        faces = {piece.action: piece.face for piece in arrange.pieces}
        placed = dict(zip(arrange.places, (faces[action] for action in actions), strict=True))
        return [
            "".join(LETTERS.get(placed.get(self._spaces[x, y], ""), EMPTY) for x in range(self.width))
            for y in self._own_rows(view.observer)
        ]

    def read_deployment(self, view: View, lines: Sequence[str]) -> list[int]:
        """Return the placements that the lines describe. Raises `ProtocolError`."""
        placed = {}
        for y, line in zip(self._own_rows(view.observer), lines, strict=True):
            if len(line) != self.width:
                raise ProtocolError(f"a line of a deployment has {self.width} letters, not {line[:40]!r}")
            placed.update({self._spaces[x, y]: _face(letter) for x, letter in enumerate(line) if letter != EMPTY})
        return self.place(view, placed)

    def place(self, view: View, placed: Mapping[str, str]) -> list[int]:
        """Return the viewer's placements for faces by space; all other squares stay empty. Raises `ProtocolError`."""
        arrange = self.game.scene(view).arrange
        if arrange is None:
            raise ProtocolError("there is nothing to deploy")
        left = {piece.face: piece.count for piece in arrange.pieces}
        codes = {piece.face: piece.action for piece in arrange.pieces}
        if strangers := sorted(set(placed) - set(arrange.places)):
            raise ProtocolError(f"{strangers[0]} is no square of this player's")
        actions = []
        for space in arrange.places:
            face = placed.get(space, "")
            if left.get(face, 0) < 1:
                raise ProtocolError(f"too many of {face or 'empty squares'}")
            left[face] -= 1
            actions.append(codes[face])
        return actions

    def count_army(self, view: View) -> dict[str, int]:
        """Return the number of pieces of each face that the viewer has to place."""
        arrange = self.game.scene(view).arrange
        return {piece.face: piece.count for piece in arrange.pieces if piece.face} if arrange is not None else {}

    def _own_rows(self, player: int) -> range:
        return range(OWN_ROWS) if player == 0 else range(self.height - OWN_ROWS, self.height)

    # ---- moves -----------------------------------------------------------------------------------------------------

    def word(self, begin: str, end: str) -> str:
        """Return a move as a line."""
        (x, y), (to_x, to_y) = self._points[begin], self._points[end]
        count = abs(to_x - x) + abs(to_y - y)
        step = ((to_x - x) // count, (to_y - y) // count)
        name = next(name for name, each in STEPS.items() if each == step)
        return f"{x} {y} {name}" + (f" {count}" if count > 1 else "")

    def find(self, view: View, begin: str, end: str) -> int | None:
        """Return the viewer's action that moves from `begin` to `end`; None if there is none."""
        wanted = (begin, end)
        return next((choice.id for choice in self.game.choices(view) if choice.path == wanted), None)

    def word_action(self, view: View, action: int) -> str:
        """Return the viewer's action as a line. Raises `ProtocolError` for an action that is not a move."""
        path = next((choice.path for choice in self.game.choices(view) if choice.id == action), ())
        if len(path) != 2 or not set(path) <= set(self._points):
            raise ProtocolError(f"the protocol has no words for action {action}")
        return self.word(*path)

    def read_move(self, line: str) -> Move:
        """Return the move of a line. Raises `ProtocolError`."""
        found = _MOVE.fullmatch(line)
        if found is None:
            raise ProtocolError(f"not a move: {line[:60]!r}")
        x, y, name, count = found.groups()
        step_x, step_y = STEPS[name]
        begin, n = (int(x), int(y)), int(count or 1)
        end = (begin[0] + step_x * n, begin[1] + step_y * n)
        if begin not in self._spaces or end not in self._spaces or n < 1:
            raise ProtocolError(f"beyond the edge: {line!r}")
        return Move(self._spaces[begin], self._spaces[end])

    def read_relay(self, line: str) -> Move:
        """Return the move of a relay line, with its result. Raises `ProtocolError`."""
        found = _RELAY.fullmatch(line)
        if found is None:
            raise ProtocolError(f"not a relay of a move: {line[:60]!r}")
        move = self.read_move(found[1])
        faces = (_face(found[7]), _face(found[8])) if found[7] else None
        return move._replace(legal=found[6] != "ILLEGAL", faces=faces)

    def word_relays(self, events: Iterable[Event]) -> list[str]:
        """Return one relay line for each turn in the events."""
        relays: list[str] = []
        for event in events:
            if event.code in MOVES:
                relays.append(f"{self.word(event.args['from'], event.args['to'])} OK")
            elif event.code in RESULTS:
                attacker, defender = LETTERS[event.args["attacker_face"]], LETTERS[event.args["defender_face"]]
                relays.append(f"{relays.pop().removesuffix('OK')}{RESULTS[event.code]} {attacker} {defender}")
            elif event.code == "passed":
                relays.append(f"{NO_MOVE} OK")
        return relays


def _face(letter: str) -> str:
    if letter not in FACES:
        raise ProtocolError(f"no piece has the letter {letter!r}")
    return FACES[letter]
