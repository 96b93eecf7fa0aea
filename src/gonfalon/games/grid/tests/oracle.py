"""A second, slow reading of GR-5 to GR-16 on dicts, to compare the compiled rules with. It imports nothing of the
rules.

Pieces are `(side, type letter, name)`; the name stays with the piece for life. A square is (column, row), from 0.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise

Square = tuple[int, int]
Piece = tuple[int, str, int]
Move = tuple[Square, Square]

STEPS = ((1, 0), (-1, 0), (0, 1), (0, -1))
RANKS = {"S": 1, "2": 2, "3": 3, "4": 4, "5": 5, "6": 6, "7": 7, "8": 8, "9": 9, "M": 10}


def square_text(square: Square) -> str:
    return f"{'abcdefghij'[square[0]]}{square[1] + 1}"


def read_square(text: str) -> Square:
    return "abcdefghij".index(text[0]), int(text[1:]) - 1


def line(move: Move) -> list[Square]:
    """All squares from start to end, both included."""
    (x, y), (to_x, to_y) = move
    length = abs(to_x - x) + abs(to_y - y)
    step_x, step_y = (to_x - x) // length, (to_y - y) // length
    return [(x + k * step_x, y + k * step_y) for k in range(length + 1)]


def borders(move: Move) -> set[frozenset[Square]]:
    """The borders between two squares that a move crosses."""
    squares = line(move)
    return {frozenset(pair) for pair in pairwise(squares)}


def beats(attacker: str, defender: str, ties: bool) -> tuple[bool, bool]:
    """Whether the attacker stays and whether the defender stays (GR-12 to GR-16), one-time Bombs apart."""
    if defender == "F" or (attacker, defender) in (("3", "B"), ("S", "M")):
        return True, False
    if defender == "B":
        return False, True
    if attacker == defender:
        return ties, False
    return RANKS[attacker] > RANKS[defender], RANKS[attacker] < RANKS[defender]


@dataclass
class Table:
    """A board, whose turn it is, and all past turns."""

    rows: int
    blocked: frozenset[Square]
    pieces: dict[Square, Piece]
    limit: int = 3
    ties: bool = False
    bombs_go: bool = False
    mover: int = 0
    past: list[tuple[int, Move | None]] = field(default_factory=list)
    """Each turn: the piece's name and its move; None for a Sword on two pieces, an Apple or a missed turn."""
    quiet: int = 0

    def on_board(self, square: Square) -> bool:
        return 0 <= square[0] < 10 and 0 <= square[1] < self.rows and square not in self.blocked

    def reach(self, begin: Square) -> list[Square]:
        """Return the goals of the piece on a square, repetition apart (GR-5, GR-6, GR-8)."""
        side, letter, _ = self.pieces[begin]
        ends = []
        for x, y in STEPS if letter in RANKS else ():
            end = (begin[0] + x, begin[1] + y)
            while self.on_board(end) and end not in self.pieces and letter == "2":
                ends.append(end)
                end = (end[0] + x, end[1] + y)
            if self.on_board(end) and self.pieces.get(end, (1 - side,))[0] != side:
                ends.append(end)
        return ends

    def possible(self) -> set[Move]:
        """All moves and attacks of the mover, repetition apart."""
        own = [square for square, piece in self.pieces.items() if piece[0] == self.mover]
        return {(begin, end) for begin in own for end in self.reach(begin)}

    def crosses_too_often(self, move: Move) -> bool:
        """GR-9: each of the mover's last turns was a move of this piece over a border that it would cross again."""
        name = self.pieces[move[0]][2]
        own = self.past[::-1][1::2][: self.limit]
        if not self.limit or len(own) < self.limit:
            return False
        if any(made is None or who != name for who, made in own):
            return False
        return bool(borders(move).intersection(*(borders(made) for _, made in own if made)))

    def legal(self) -> set[Move]:
        return {move for move in self.possible() if not self.crosses_too_often(move)}

    def miss_turn(self) -> None:
        """Passes over the side to move (GR-19, switch `no_move_passes`)."""
        self.past.append((-1, None))
        self.quiet += 1
        self.mover = 1 - self.mover

    def play(self, move: Move) -> None:
        """Makes a move or fights the battle (GR-11 to GR-16)."""
        begin, end = move
        piece, other = self.pieces.pop(begin), self.pieces.get(end)
        self.quiet = 0 if other else self.quiet + 1
        stays = True
        if other:
            stays, other_stays = beats(piece[1], other[1], self.ties)
            if not other_stays or (self.bombs_go and other[1] == "B"):
                del self.pieces[end]
        if stays:
            self.pieces[end] = piece
        self.past.append((piece[2], move))
        self.mover = 1 - self.mover


def move_text(move: Move, pieces: dict[Square, Piece]) -> str:
    return f"{square_text(move[0])}{'x' if move[1] in pieces else '-'}{square_text(move[1])}"


def read_move(text: str) -> Move:
    begin, end = text.replace("x", "-").split("-")
    return read_square(begin), read_square(end)
