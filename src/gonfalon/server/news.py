"""What the computer player of a seat is told between decisions: the seat's own events, as its page would get them."""

from __future__ import annotations

import asyncio

import msgspec

from gonfalon.engine.events import Event
from gonfalon.server.frames import tell
from gonfalon.server.sitting import Sitting, play_step

SLICE = 50
"""Steps that are told before others have their turn."""


class News(msgspec.Struct, frozen=True):
    """The events of the steps from number `first` on, up to `end` (not included)."""

    first: int
    end: int
    events: tuple[Event, ...]


class Newsagent:
    """Remembers how far a player was told. It plays steps again only when their events are asked for."""

    def __init__(self, sitting: Sitting, player: int) -> None:
        self._sitting = sitting
        self._player = player
        self._told = 0
        self._state = sitting.game.initial_state()

    async def collect(self, end: int, *, again: bool) -> News:
        """What came since the last call, or `again` all since the match began, up to step `end`."""
        game = self._sitting.game
        if again:
            self._told, self._state = 0, game.initial_state()
        first, events = self._told, list[Event]()
        while self._told < end:
            step = self._sitting.steps[self._told]
            row = play_step(game, self._state, step)
            events += tell(game, step, row, self._player)
            self._told, self._state = self._told + 1, row[-1]
            if self._told % SLICE == 0:
                await asyncio.sleep(0)
        return News(first, end, tuple(events))
