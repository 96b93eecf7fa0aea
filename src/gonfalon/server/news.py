"""What the computer player of a seat is told between decisions: the seat's own events, as its page would get them."""

from __future__ import annotations

import asyncio

import msgspec

from gonfalon.engine.events import Event
from gonfalon.server.frames import tell
from gonfalon.server.line import play_step
from gonfalon.server.sitting import Sitting

SLICE = 50
"""Steps that are told before others have their turn."""


class OvertakenError(Exception):
    """What is asked about is no more: something was taken back."""


class News(msgspec.Struct, frozen=True):
    """The events of the steps from number `first` on, up to `end` (not included)."""

    first: int
    end: int
    events: tuple[Event, ...]


class Newsagent:
    """Remembers how far along the line of the match a player was told. It plays steps again only when their events are
    asked for. When something was taken back, all is told anew: nobody is to remember what has not happened.
    """

    def __init__(self, sitting: Sitting, player: int) -> None:
        self._sitting = sitting
        self._player = player
        self._told = 0
        self._cuts = 0
        self._state = sitting.game.initial_state()

    async def collect(self, end: int, *, again: bool) -> News:
        """What came since the last call, or `again` all since the match began, up to step `end`. Raises
        `OvertakenError` where something is taken back meanwhile.
        """
        game, line = self._sitting.game, self._sitting.line
        if again or self._cuts != line.cuts:
            self._told, self._state, self._cuts = 0, game.initial_state(), line.cuts
        first, events = self._told, list[Event]()
        while self._told < end:
            if self._cuts != line.cuts:
                raise OvertakenError
            step = line.steps[self._told]
            row = play_step(game, self._state, step)
            events += tell(game, step, row, self._player)
            self._told, self._state = self._told + 1, row[-1]
            if self._told % SLICE == 0:
                await asyncio.sleep(0)
        return News(first, end, tuple(events))
