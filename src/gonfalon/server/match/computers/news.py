"""What the computer player of a seat is told between decisions: the seat's own events, as its page would get them."""

from __future__ import annotations

import asyncio

import msgspec

from gonfalon.engine.events import Event
from gonfalon.server.match.frames import tell
from gonfalon.server.match.moves import play_step
from gonfalon.server.match.state import MatchState

SLICE = 50
"""Steps that are told before others have their turn."""


class OutdatedError(Exception):
    """What is asked about is no more: something was taken back."""


class News(msgspec.Struct, frozen=True):
    """The events of the steps from number `first` on, up to `end` (not included)."""

    first: int
    end: int
    events: tuple[Event, ...]


class NewsFeed:
    """Remembers how far along the line of the match a player was told. It plays steps again only when their events are
    asked for. When something was taken back, all is told anew: nobody is to remember what has not happened.
    """

    def __init__(self, match_state: MatchState, player: int) -> None:
        self._match_state = match_state
        self._player = player
        self._told = 0
        self._cuts = 0
        self._state = match_state.game.initial_state()

    async def collect(self, end: int, *, again: bool) -> News:
        """What came since the last call, or `again` all since the match began, up to step `end`. Raises
        `OutdatedError` where something is taken back meanwhile.
        """
        game, line = self._match_state.game, self._match_state.moves
        if again or self._cuts != line.cuts:
            self._told, self._state, self._cuts = 0, game.initial_state(), line.cuts
        first, events = self._told, list[Event]()
        while self._told < end:
            if self._cuts != line.cuts:
                raise OutdatedError
            step = line.steps[self._told]
            row = play_step(game, self._state, step)
            events += tell(game, step, row, self._player)
            self._told, self._state = self._told + 1, row[-1]
            if self._told % SLICE == 0:
                await asyncio.sleep(0)
        return News(first, end, tuple(events))
