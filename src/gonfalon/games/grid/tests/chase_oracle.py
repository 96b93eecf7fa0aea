"""GR-10 in its exact form, word by word and slowly. Every position is kept whole."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from gonfalon.games.grid.tests.oracle import STEPS, Move, Piece, Square, Table


@dataclass
class ChaseTable(Table):
    """A table with the chase rule. `by_rank` is the wrong reading that compares pieces by rank, to find where it
    matters.
    """

    by_rank: bool = False
    chase: list[int] = field(default_factory=lambda: [0, 0])
    last: list[Move | None] = field(default_factory=lambda: [None, None])
    history: list[dict[Square, Any]] = field(default_factory=list)
    """All positions so far, the current one last."""

    def __post_init__(self) -> None:
        self.history.append(self.picture(self.pieces))

    def picture(self, pieces: dict[Square, Piece]) -> dict[Square, Any]:
        return {square: piece[:2] if self.by_rank else piece for square, piece in pieces.items()}

    def next_to_enemy(self, square: Square, side: int, pieces: dict[Square, Piece]) -> bool:
        near = [(square[0] + x, square[1] + y) for x, y in STEPS]
        return any(pieces[place][0] != side for place in near if place in pieces)

    def brings_back(self, move: Move) -> bool:
        """Whether GR-10 forbids a move: it continues a chase, is not the exact undo, and repeats an earlier
        position.
        """
        begin, end = move
        length = self.chase[self.mover]
        if end in self.pieces or self.last[self.mover] == (end, begin):
            return False  # an attack ends the chase and brings no position back, since a piece is gone
        after = dict(self.pieces)
        after[end] = after.pop(begin)
        if not self.next_to_enemy(end, self.mover, after):
            return False
        picture = self.picture(after)
        now = len(self.history) - 1
        return any(self.history[now - back] == picture for back in range(1, length) if back <= now)

    def legal(self) -> set[Move]:
        return {move for move in super().legal() if not self.brings_back(move)}

    def miss_turn(self) -> None:
        self.chase, self.last[self.mover] = [0, 0], None
        super().miss_turn()
        self.history.append(self.picture(self.pieces))

    def play(self, move: Move) -> None:
        (begin, end), me, other = move, self.mover, 1 - self.mover
        attack = end in self.pieces
        super().play(move)
        theirs = self.last[other]
        evaded = theirs is not None and abs(begin[0] - theirs[1][0]) + abs(begin[1] - theirs[1][1]) == 1
        self.chase[other] = self.chase[other] + 1 if evaded else 0
        if attack:
            self.chase = [0, 0]
        threatens = self.next_to_enemy(end, me, self.pieces)
        self.chase[me] = self.chase[me] + 1 if threatens else 0
        self.last[me] = move
        self.history.append(self.picture(self.pieces))
