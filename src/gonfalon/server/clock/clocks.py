"""The time of all players of one match, computed from the log alone: the result is equal during play and after loading.

All times are whole milliseconds. A decision costs its player `took`, the time that the log stores.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable

from gonfalon.server.clock.control import Bank, Control, PerTurn

SECOND = 1000
_FIELDS = 3
"""Numbers that one change has in `Clocks._changes`."""


class Clocks:
    """The budgets of the players: one for the decisions before play, one for play.

    Play's budget is the bank (`Bank`) or the time left in this turn (`PerTurn`). Other controls have no budgets:
    nobody loses on time without a clock, and a correspondence deadline is no part of the log (`deadline.py`). Only
    persons pay; a computer player has no budget and no flag.
    """

    def __init__(self, control: Control, players: int, persons: Iterable[int]) -> None:
        """`players`: number of players of the match; `persons`: those that are no computer players."""
        self.control = control
        self._players = players
        self.persons = frozenset(persons)
        """Players who pay for their decisions."""
        self.has_budgets = isinstance(control, Bank | PerTurn)
        """Whether a decision may have too little time left."""
        self._left: list[int] = []
        """The budgets before play of all players, then those for play; empty without a clock."""
        if isinstance(control, Bank | PerTurn):
            play = control.bank if isinstance(control, Bank) else control.turn
            self._left = [control.deployment * SECOND] * players + [play * SECOND] * players
        self._changes = array("q")
        """Number of the move, index in `_left` and former budget of each change, for take-backs. A flat array, because
        thousands of matches with long logs stay in memory.
        """

    # ---- the log ----------------------------------------------------------------------------------------------

    def apply(self, number: int, player: int, took: int, *, before_play: bool, ended_turn: bool) -> None:
        """Apply one more move of the log, of any player or of chance. `number`: its number among the moves that count.

        A time beyond `most` is that of a player whose flag fell: the budget gets no increment. Raises ValueError for a
        negative time.
        """
        if took < 0:
            raise ValueError(f"took: {took} ms is negative")
        if self._has_budget(player):
            place = self._place(player, before_play)
            self._change(number, place, self._find_rest(player, took, before_play))
        if ended_turn and isinstance(self.control, PerTurn):
            for place in range(self._players, 2 * self._players):
                self._change(number, place, self.control.turn * SECOND)

    def cut(self, number: int) -> None:
        """Take back the moves from `number` on: all budgets become those before that move."""
        changes = self._changes
        while changes and changes[-_FIELDS] >= number:
            self._left[changes[-2]] = changes[-1]
            del changes[-_FIELDS:]

    def _change(self, number: int, place: int, value: int) -> None:
        if value != self._left[place]:
            self._changes.extend((number, place, self._left[place]))
            self._left[place] = value

    # ---- the players ------------------------------------------------------------------------------------------

    def left(self, player: int, *, before_play: bool) -> int | None:
        """Return a player's budget at the beginning of the present decision, in ms. None: the player has no clock."""
        return self._left[self._place(player, before_play)] if self._has_budget(player) else None

    def most(self, player: int, *, before_play: bool) -> int | None:
        """Return the most that the player's present decision may take, in ms. None: unlimited."""
        left = self.left(player, before_play=before_play)
        if left is None or before_play or not isinstance(self.control, Bank):
            return left
        most = left + self.control.delay * SECOND
        return min(most, self.control.longest * SECOND) if self.control.longest else most

    def is_past(self, player: int, took: int, *, before_play: bool) -> bool:
        """Return whether a decision that took `took` ms is past its player's flag.

        A decision that took exactly the most it may take is in time: the flag falls one millisecond later.
        """
        most = self.most(player, before_play=before_play)
        return most is not None and took > most

    def _find_rest(self, player: int, took: int, before_play: bool) -> int:
        """Return the budget of a player after a decision that took so long."""
        left = self._left[self._place(player, before_play)]
        if before_play or not isinstance(self.control, Bank):
            return max(0, left - took)
        rest = max(0, left - max(0, took - self.control.delay * SECOND))
        if self.is_past(player, took, before_play=before_play):
            return rest
        return rest + self.control.increment * SECOND

    def _has_budget(self, player: int) -> bool:
        return self.has_budgets and player in self.persons

    def _place(self, player: int, before_play: bool) -> int:
        return player if before_play else self._players + player
