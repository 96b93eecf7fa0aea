"""A referee of the line protocol, for tests. It deals the pieces, and it judges without our rules."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Protocol

STEPS = {"UP": (0, -1), "DOWN": (0, 1), "LEFT": (-1, 0), "RIGHT": (1, 0)}
RANKS = "s98765432" + "1"
"""Movable pieces, the weakest first."""

Square = tuple[int, int]


class Listener(Protocol):
    """A player: gets lines, and answers a board."""

    def hear(self, line: str) -> list[str]: ...


class Script:
    """A player that answers every board with the next of the given lines."""

    def __init__(self, answers: Sequence[str], height: int) -> None:
        self.answers = list(answers)
        self.heard: list[str] = []
        self._height = height
        self._rows = 0

    def hear(self, line: str) -> list[str]:
        self.heard.append(line)
        if " " in line or line in ("START", "QUIT"):
            return []
        self._rows += 1
        return [self.answers.pop(0)] if self._rows % self._height == 0 else []


class Referee:
    """A match between two players. RED has the upper rows."""

    def __init__(
        self, red: Sequence[str], blue: Sequence[str], *, height: int, relays: bool = True, asks: bool = True
    ) -> None:
        """`red`, `blue`: deployments as the protocol writes them. `relays`: whether missed turns are
        relayed. `asks`: whether a player without a move is asked.
        """
        width = len(red[0])
        self.size = width, height
        self.pieces: dict[Square, tuple[int, str]] = {}
        for side, first, lines in ((0, 0, red), (1, height - len(blue), blue)):
            for y, line in enumerate(lines, first):
                self.pieces |= {(x, y): (side, letter) for x, letter in enumerate(line) if letter != "."}
        middle = range(height // 2 - 1, height // 2 + 1)
        self.blocked = {(x, y) for x, y in product((2, 3, 6, 7), middle)}
        self._relays, self._asks = relays, asks
        self.missed = [0, 0]
        """Turns that each side has missed."""

    def draw(self, side: int) -> list[str]:
        return ["".join(self._letter((x, y), side) for x in range(self.size[0])) for y in range(self.size[1])]

    def _letter(self, square: Square, side: int) -> str:
        owner, letter = self.pieces.get(square, (side, "+" if square in self.blocked else "."))
        return letter if owner == side else "#"

    def list_moves(self, side: int) -> set[str]:
        """Return all legal answers of a side."""
        found = set()
        for (x, y), (owner, letter) in self.pieces.items():
            if owner == side and letter in RANKS:
                for name, (dx, dy) in STEPS.items():
                    for count in range(1, 10 if letter == "9" else 2):
                        end = (x + count * dx, y + count * dy)
                        if not self._is_open(end) or self.pieces.get(end, (1 - side,))[0] == side:
                            break
                        found.add(f"{x} {y} {name}" + (f" {count}" if count > 1 else ""))
                        if end in self.pieces:
                            break
        return found

    def _is_open(self, square: Square) -> bool:
        return 0 <= square[0] < self.size[0] and 0 <= square[1] < self.size[1] and square not in self.blocked

    def play(self, players: Sequence[Listener], turns: int = 2000) -> str:
        """Play until a Flag falls or the turns are over. Return the answer that took the Flag, with its result; else
        "".
        """
        players[0].hear("START")
        for turn in range(turns):
            side = turn % 2
            legal = self.list_moves(side)
            if not legal and not self._asks:
                answer = "NO_MOVE"
            else:
                (answer,) = [each for line in self.draw(side) for each in players[side].hear(line)]
            assert answer in (legal or {"NO_MOVE"}), (side, answer)
            relay = self.make_move(side, answer) if legal else "NO_MOVE OK"
            self.missed[side] += not legal
            if legal or self._relays:
                assert not any(player.hear(relay) for player in players)
            if relay.endswith("F"):
                return relay
        return ""

    def make_move(self, side: int, answer: str) -> str:
        """Make a move of `side`. Return its relay line."""
        x, y, name, *count = answer.split()
        dx, dy = STEPS[name]
        begin, n = (int(x), int(y)), int(count[0]) if count else 1
        end = (begin[0] + n * dx, begin[1] + n * dy)
        letter, other = self.pieces.pop(begin)[1], self.pieces.pop(end, (0, ""))[1]
        result = self._fight(letter, other) if other else "OK"
        if result in ("OK", "KILLS"):
            self.pieces[end] = (side, letter)
        elif result == "DIES":
            self.pieces[end] = (1 - side, other)
        return f"{answer} {result}" + (f" {letter} {other}" if other else "")

    @staticmethod
    def _fight(letter: str, other: str) -> str:
        if other == "F" or (letter, other) in (("8", "B"), ("s", "1")):
            return "KILLS"
        if other == "B":
            return "DIES"
        if letter == other:
            return "BOTHDIE"
        return "KILLS" if RANKS.index(letter) > RANKS.index(other) else "DIES"
