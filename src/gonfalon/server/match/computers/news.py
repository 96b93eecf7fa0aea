"""News for computer players: the events of their own seat since their last question, as the page of that seat gets
them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from gonfalon.engine.events import Event
from gonfalon.server.match.clients.frames import tell
from gonfalon.server.match.moves import play_step
from gonfalon.server.match.state import MatchState
from gonfalon.server.workers.pool import HistoryMissingError, OutdatedError
from gonfalon.server.workers.requests import News

Answer = TypeVar("Answer")
SLICE = 50
"""Number of steps replayed before other tasks get a turn."""


class NewsFeed:
    """Remembers which moves of a match an agent has already received, and replays the rest when a question needs them.

    After a take-back the agent gets all events anew: it must not remember moves that no longer count.
    """

    def __init__(self, match_state: MatchState, player: int) -> None:
        self._match_state = match_state
        self._player = player
        self._told = 0
        self._cuts = 0
        self._position = match_state.game.initial_state()

    async def ask(self, end: int, question: Callable[[News], Awaitable[Answer]]) -> Answer:
        """Put a question with the news up to step `end`. If the agent lacks the earlier events, ask again with all of
        them.

        Raises `OutdatedError` when a move is taken back meanwhile, and any error of the question.
        """
        try:
            return await question(await self.collect(end))
        except HistoryMissingError:
            return await question(await self.collect(end, again=True))

    async def collect(self, end: int, *, again: bool = False) -> News:
        """Return the news since the last call up to step `end`; with `again`, everything since the match began.

        Raises `OutdatedError` when a move is taken back meanwhile.
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
