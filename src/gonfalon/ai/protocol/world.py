"""A position for a player who knows only the lines of the protocol: a state of our own game that the player cannot tell
from the referee's. So our agents get the same views and events as in a match of our own.
"""

from __future__ import annotations

from collections.abc import Mapping

from gonfalon.ai.protocol import ProtocolError
from gonfalon.ai.protocol.table import ENEMY, Move, Table
from gonfalon.engine.game import IllegalActionError, State

UNMOVED = frozenset({"bomb", "flag"})
"""Types that never move."""
RUNNER = "scout"
"""The only type that can move several squares at once."""


class World:
    """The game so far. The enemy pieces have faces that fit all lines. If a line contradicts these faces, this class
    finds new ones and replays the game with them.
    """

    def __init__(self, table: Table, player: int, board: Mapping[str, str]) -> None:
        """`board`: the first board, with all earlier moves taken back. Raises `ProtocolError`."""
        self._table = table
        self._game = table.game
        self._player = player
        start = self._game.initial_state()
        enemy = self._game.view(start, 1 - player)
        self._own = table.place(self._game.view(start, player), {s: f for s, f in board.items() if f != ENEMY})
        self._army = table.count_army(enemy)
        self._fits = {space: frozenset(self._army) for space, face in board.items() if face == ENEMY}
        """Possible types of each enemy piece, by the space where it started."""
        self._guess: dict[str, str] = {}
        self._origin = {space: space for space in self._fits}
        """The space where the enemy piece on a space started."""
        self._played: list[tuple[int, int]] = []
        self._replay()

    @property
    def state(self) -> State:
        """The position now."""
        return self._states[-1]

    def list_steps(self, first: int) -> list[tuple[int, State]]:
        """Return the actions from number `first` on, including placements, each with the state after it. If the last
        step is the player's own move, its state may be wrong until `begin_turn`: before, nobody knows whether the enemy
        can move.
        """
        return list(zip(self._actions[first:], self._states[first + 1 :], strict=True))

    def move(self, by: int, move: Move) -> None:
        """Play a relayed move of `by`. Raises `ProtocolError` for an impossible move."""
        self._learn(by, move)
        if any(self._guess[space] not in fits for space, fits in self._fits.items()):
            self._replay()
        action = self._table.find(self._game.view(self.state, by), move.begin, move.end)
        if action is None and by != self._player:  # with these faces the enemy could not move, or the match was over
            self._replay()
            action = self._table.find(self._game.view(self.state, by), move.begin, move.end)
        if action is None:
            raise ProtocolError(f"{move.begin} to {move.end} is not possible")
        self._played.append((by, action))
        self._actions.append(action)
        self._states.append(self._game.apply(self.state, by, action))
        self._carry(by, move)

    def begin_turn(self) -> bool:
        """Note that the referee asks the player: if the enemy has not moved last, it has missed a turn. Return whether
        the player can move. Raises `ProtocolError` if a known enemy piece could have moved.
        """
        last = self._played[-1][0] if self._played else 1  # red moves first
        if last == self._player:
            self._root_enemy()
        return self._game.to_act(self.state) == (self._player,)

    def _root_enemy(self) -> None:
        """Find faces with which the enemy cannot move now, and note what this shows of its pieces."""
        while self._game.to_act(self.state) == (1 - self._player,):
            for choice in self._game.choices(self._game.view(self.state, 1 - self._player)):
                self._fits[self._find_origin(choice.path[0])] &= UNMOVED
            self._replay()
        shown = self._game.candidates(self._game.view(self.state, self._player))
        for space, faces in shown.items():
            self._fits[self._find_origin(space)] &= frozenset(faces)

    def _learn(self, by: int, move: Move) -> None:
        """Note what a move and its battle reveal about enemy pieces."""
        if by != self._player:
            origin = self._find_origin(move.begin)
            several = self._table.word(move.begin, move.end).count(" ") > 2
            self._fits[origin] &= {RUNNER} if several else frozenset(self._army) - UNMOVED
            if move.faces:
                self._fits[origin] &= {move.faces[0]}
        elif move.faces:
            self._fits[self._find_origin(move.end)] &= {move.faces[1]}

    def _find_origin(self, space: str) -> str:
        if space not in self._origin:
            raise ProtocolError(f"there is no enemy piece on {space}")
        return self._origin[space]

    def _carry(self, by: int, move: Move) -> None:
        """Update `_origin` after a move."""
        side = self._game.info.sides[1 - self._player]
        there = {
            token.place
            for token in self._game.scene(self._game.view(self.state, self._player)).tokens
            if token.side == side
        }
        moved = self._origin.pop(move.begin) if by != self._player else ""
        if by == self._player and move.end not in there:
            self._origin.pop(move.end, None)
        if moved and move.end in there:
            self._origin[move.end] = moved

    # ---- faces -----------------------------------------------------------------------------------------------------

    def _replay(self) -> None:
        """Find faces that fit, and replay the game with them. Raises `ProtocolError` if there are none."""
        self._guess = assign(self._fits, self._army)
        start = self._game.initial_state()
        theirs = self._table.place(self._game.view(start, 1 - self._player), self._guess)
        begun = [self._own, theirs] if self._player == 0 else [theirs, self._own]
        steps = [(player, action) for player in (0, 1) for action in begun[player]] + self._played
        self._states, self._actions = [start], [action for _, action in steps]
        try:
            for player, action in steps:
                self._states.append(self._game.apply(self.state, player, action))
        except IllegalActionError as error:
            raise ProtocolError(f"these lines fit no possible game: {error.refusal.code}") from error


def assign(fits: Mapping[str, frozenset[str]], army: Mapping[str, int]) -> dict[str, str]:
    """Return a face for each space, chosen from those that fit, with no face used more often than the army has it.
    Raises `ProtocolError`.
    """
    slots = [face for face, count in army.items() for _ in range(count)]
    holder: dict[int, str] = {}

    def seat(space: str, seen: set[int]) -> bool:
        """Find a slot for a space; spaces that hold a slot may move to another one (augmenting paths)."""
        for slot, face in enumerate(slots):
            if face in fits[space] and slot not in seen:
                seen.add(slot)
                if slot not in holder or seat(holder[slot], seen):
                    holder[slot] = space
                    return True
        return False

    if not all(seat(space, set()) for space in fits):
        raise ProtocolError("these lines fit no possible army")
    return {space: slots[slot] for slot, space in holder.items()}
