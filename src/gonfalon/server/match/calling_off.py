"""Calling off: a live match of the lobby can end without a result until each player has decided twice."""

from __future__ import annotations

from collections import Counter

from gonfalon.server.clock.control import Correspondence
from gonfalon.server.match.moves import Step
from gonfalon.server.storage.entries import Header

UNDECIDED = 2
"""Decisions in play that every player must have made before nobody may call a match off."""


class CallingOff:
    """Whether a match may be called off, and who did it."""

    def __init__(self, header: Header) -> None:
        self.is_live = header.listed and not isinstance(header.clock, Correspondence)
        """Whether strangers met for the match and play it at once."""
        self.by: int | None = None
        """The player who called the match off; None if nobody did."""
        self._players = range(len(header.seats))
        self._decided = Counter[int]()
        """Number of decisions of each player since play began, including those taken back."""

    def note(self, step: Step) -> None:
        """Note a step made after play had begun."""
        if step.by >= 0 and step.actions[0] >= 0:
            self._decided[step.by] += 1

    @property
    def is_early(self) -> bool:
        """Whether a player has not decided twice yet, in a live match."""
        return self.is_live and any(self._decided[player] < UNDECIDED for player in self._players)
