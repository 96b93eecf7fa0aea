"""Follows the public knowledge of each piece of a grid game, by GR-7, GR-11, GR-17, GR-19 and GR-30 to GR-37, only from
the steps of the match.
"""

from __future__ import annotations

import copy
from collections import Counter
from dataclasses import dataclass, replace

import numpy as np

from conformance.cases import Step
from gonfalon.engine.events import WITHDRAW
from gonfalon.engine.game import Game, State
from gonfalon.games.grid import state as g
from gonfalon.games.grid.ruleset import TYPES, army
from gonfalon.games.grid.text.notation import move_squares, square_name

WON, LOST, BOTH = "won", "lost", "both"
MOVABLE = range(g.SPY, g.BOMB)


@dataclass(frozen=True)
class Piece:
    """Public knowledge of one piece: whether it has moved, whether its type is known, which types it beat without being
    seen, and whether it can never move, because its side missed a turn although nothing shut this piece in.
    """

    moved: bool = False
    seen: bool = False
    beat: frozenset[int] = frozenset()
    rooted: bool = False


def side_of(code: int) -> int:
    return 1 if code & g.BLUE else 0


def battle(game: Game, attacker: int, defender: int) -> str:
    """GR-12 to GR-16: return the result of an ordinary attack."""
    values = game.info.ruleset.values
    if defender == g.FLAG or (attacker, defender) in ((g.MINER, g.BOMB), (g.SPY, g.MARSHAL)):
        return WON
    if defender == g.BOMB:
        return BOTH if values["one_time_bombs"] else LOST
    if attacker == defender:
        return WON if values["attacker_wins_ties"] else BOTH
    return WON if attacker > defender else LOST


def fits(game: Game, kind: int, piece: Piece) -> bool:
    """Return whether a hidden piece with this public knowledge may have the type."""
    if (piece.moved and kind not in MOVABLE) or (piece.rooted and kind in MOVABLE):
        return False
    return all(battle(game, attacker, kind) == LOST for attacker in piece.beat)


def board(state: State) -> list[int]:
    codes: list[int] = state["board"][0, : g.SQUARES].tolist()
    return [code if code & g.ANY_SIDE else 0 for code in codes]


def beside(game: Game, square: int) -> list[int]:
    """Return the neighbouring squares, found by letters and numbers of their names."""
    near = {space.id: space.near for space in game.board().spaces}[square_name(square)]
    names = {square_name(k): k for k in range(g.SQUARES)}
    return [names[name] for name in near]


def sword_squares(game: Game, action: int) -> tuple[int, int, int]:
    """Return the squares of the Captain and of both targets."""
    square, pair = divmod(action - g.ACT_SWORD, len(g.SWORD_PAIRS))
    ways = (-1, 1, -g.COLUMNS, g.COLUMNS)
    one, other = g.SWORD_PAIRS[pair]
    return square, square + ways[one], square + ways[other]


def list_passes(step: Step) -> list[int]:
    """Return the sides that were passed over at the end of a step, in order: their turns are counted too."""
    first, turns = int(step.before["turn"][0]), int(step.after["turn"][0])
    made = 0 if step.before["phase"][0] == g.DEPLOY else 1
    return [turn % 2 for turn in range(first + made, turns)]


class GridWatcher:
    def __init__(self, game: Game) -> None:
        self.game = game
        self.started = False
        self.pieces: dict[int, Piece] = {}
        self._public: set[int] = set()
        self._private: list[set[int]] = [set(), set()]

    def copy(self) -> GridWatcher:
        other = copy.copy(self)
        other.pieces = dict(self.pieces)
        return other

    # ---- following

    def see(self, step: Step) -> None:
        before, action = board(step.before), step.action
        self._public, self._private = set(), [set(), set()]
        if action == WITHDRAW:
            return
        known = dict(self.pieces)
        if step.before["phase"][0] == g.DEPLOY:
            self._deploy(step)
        elif action < g.ACT_DEPLOY:
            self._move(before, *move_squares(action))
        elif g.ACT_APPLE <= action < g.ACT_SWORD:
            self._apple(before, step.player, action - g.ACT_APPLE)
        elif g.ACT_SWORD <= action < g.ACT_TARGET:
            for square in sword_squares(self.game, action):
                self._reveal(square)
        elif g.ACT_PICK < action < g.ACT_PLACE:
            self._private[step.player].add(action - g.ACT_PICK)
        elif action >= g.ACT_PLACE:
            self.pieces[action - g.ACT_PLACE] = Piece(seen=True)
        self._tell(step, known)
        for side in list_passes(step):
            self._root(board(step.after), side)

    def _root(self, codes: list[int], side: int) -> None:
        """Note what a missed turn of `side` shows (GR-19). If a piece has moved, GR-9 or GR-10 held it back."""
        for square, piece in self.pieces.items():
            near = [codes[other] for other in beside(self.game, square)]
            if side_of(codes[square]) == side and not piece.moved and any(not c or side_of(c) != side for c in near):
                self.pieces[square] = replace(piece, rooted=True)

    def _deploy(self, step: Step) -> None:
        if g.ACT_DEPLOY <= step.action < g.ACT_APPLE:
            self._private[step.player].add(step.action - g.ACT_DEPLOY)
        squares = self.game.rules[0]["own_squares"]  # type: ignore[attr-defined]  # grid games only
        if step.after["phase"][0] != g.DEPLOY and (step.after["placed"][0] == squares).all():
            self.started = True
            self.pieces = {square: Piece() for square, code in enumerate(board(step.after)) if code}

    def _reveal(self, square: int) -> None:
        piece = self.pieces[square]
        self.pieces[square] = Piece(piece.moved, True, piece.beat)

    def _move(self, before: list[int], begin: int, end: int) -> None:
        mine = self.pieces.pop(begin)
        kind, other = before[begin] & g.TYPE, before[end] & g.TYPE
        self._private[side_of(before[begin])].add(kind)
        if not before[end]:
            ran = abs(end - begin) not in (1, g.COLUMNS)
            self.pieces[end] = Piece(True, mine.seen or ran, mine.beat)
            if mine.seen or ran:
                self._public.add(kind)
            return
        self._private[side_of(before[end])].add(other)
        self._public.add(kind)
        result, target = battle(self.game, kind, other), self.pieces[end]
        silent = self.game.info.ruleset.values["silent_defence"] and kind != g.SCOUT and not target.seen
        if result == LOST and silent:
            self.pieces[end] = replace(target, beat=target.beat | {kind})
            return
        self._public.add(other)
        self.pieces[end] = Piece(True, True) if result == WON else Piece(target.moved, True, target.beat)

    def _apple(self, before: list[int], player: int, chosen: int) -> None:
        self._reveal(before.index(g.FLAG + (g.RED << player)))
        self._reveal(chosen)
        if before[chosen] & g.TYPE in MOVABLE:
            for square in beside(self.game, chosen):
                if before[square] and side_of(before[square]) != player:
                    self._reveal(square)

    def _tell(self, step: Step, known: dict[int, Piece]) -> None:
        """Drop pieces that left the board, and note the types that this step made public."""
        before, after = board(step.before), board(step.after)
        if not self.started:
            return
        self.pieces = {square: piece for square, piece in self.pieces.items() if after[square]}
        self._public |= {after[k] & g.TYPE for k, p in self.pieces.items() if p.seen and not known.get(k, Piece()).seen}
        powers = step.action >= g.ACT_APPLE
        self._public |= {before[k] & g.TYPE for k in known if before[k] and not after[k] and (powers or known[k].seen)}
        if powers:  # a fight is between pieces that all have seen
            self._public |= {before[k] & g.TYPE for k in known if known[k].seen and before[k]}
            self._public |= {after[k] & g.TYPE for k in self.pieces if self.pieces[k].seen}

    # ---- asking

    def faces(self, state: State, observer: int) -> dict[str, str]:
        codes = board(state)
        if not self.started:
            return {square_name(k): TYPES[c & g.TYPE] for k, c in enumerate(codes) if c and side_of(c) == observer}
        return {
            square_name(k): TYPES[codes[k] & g.TYPE] if piece.seen or side_of(codes[k]) == observer else ""
            for k, piece in self.pieces.items()
        }

    def mentions(self, state: State, observer: int) -> Counter[str]:
        codes, row = board(state), state[0]
        show = self.game.info.ruleset.values["show_known"]
        found = Counter(
            face
            for space, face in self.faces(state, observer).items()
            if show or side_of(codes[_NUMBER[space]]) == observer
        )
        if self.started:
            for side in range(2):
                for kind, count in enumerate(self.lost(state, side)):
                    found[TYPES[kind]] += 2 if count else 0  # counted twice: the item's id and its face
        if observer in (0, 1) and row["phase"] == g.DEPLOY and row["left"][observer].any():
            found.update(TYPES[kind] for kind in np.flatnonzero(row["left"][observer]))
        if row["phase"] in (g.HEAL_PLACE, g.RESCUE_PLACE) and row["actor"] == observer:
            found[TYPES[row["chosen"]]] += 1
        return Counter({face: count for face, count in found.items() if face and count})

    def lost(self, state: State, side: int) -> list[int]:
        """GR-17: return the numbers of the army's pieces that are not on the board."""
        counts = list(army(self.game.info.ruleset))
        counts[0] = 0
        for code in board(state):
            if code and side_of(code) == side:
                counts[code & g.TYPE] -= 1
        return counts

    def tellable(self, observer: int) -> set[str]:
        kinds = self._public | (self._private[observer] if observer in (0, 1) else set())
        return {TYPES[kind] for kind in kinds if kind}


_NUMBER = {square_name(square): square for square in range(g.SQUARES)}
