"""News for computer players: the events of their own seat since the last question, as a page there gets them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from gonfalon.engine.events import Event
from gonfalon.server.match.frames import tell
from gonfalon.server.match.moves import play_step
from gonfalon.server.match.state import MatchState
from gonfalon.server.workers.pool import HistoryMissingError, OutdatedError
from gonfalon.server.workers.requests import News

Answer = TypeVar("Answer")
SLICE = 50
"""Steps collected before other tasks get a turn."""


class NewsFeed:
    """Remembers how far a player was told the moves of a match, and replays the rest only when a question needs it.

    After a take-back the player is told everything anew: an agent must not remember moves that no longer count.
    """

    def __init__(self, match_state: MatchState, player: int) -> None:
        self._match_state = match_state
        self._player = player
        self._told = 0
        self._cuts = 0
        self._position = match_state.game.initial_state()

    async def ask(self, end: int, question: Callable[[News], Awaitable[Answer]]) -> Answer:
        """Put a question with the news up to step `end`; with all news if the agent was not told the earlier ones.

        Raises `OutdatedError` when something is taken back meanwhile, and what the question raises.
        """
        try:
            return await question(await self.collect(end))
        except HistoryMissingError:
            return await question(await self.collect(end, again=True))

    async def collect(self, end: int, *, again: bool = False) -> News:
        """Return the news since the last call, or `again` all since the match began, up to step `end`.

        Raises `OutdatedError` when something is taken back meanwhile.
        """
        game, moves = self._match_state.game, self._match_state.moves
        if again or self._cuts != moves.cuts:
            self._told, self._position, self._cuts = 0, game.initial_state(), moves.cuts
        first, events = self._told, list[Event]()
        while self._told < end:
            if self._cuts != moves.cuts:
                raise OutdatedError
            step = moves.steps[self._told]
            row = play_step(game, self._position, step)
            events += tell(game, step, row, self._player)
            self._told, self._position = self._told + 1, row[-1]
            if self._told % SLICE == 0:
                await asyncio.sleep(0)
        return News(first, end, tuple(events))
