"""The computer players of one match: who is thinking, and what becomes of the answer."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

from gonfalon.engine.game import IllegalActionError, State
from gonfalon.server.agents import AgentError, Agents
from gonfalon.server.declined import Declined
from gonfalon.server.presence import Presence
from gonfalon.server.sitting import Sitting, attempt

log = logging.getLogger("gonfalon.thinking")

Command = Callable[[], Awaitable[None]]
"""Something for a match's task to do."""


class Thinkers:
    """Asks the agents' processes; answers go through the match's queue like everybody's actions, to `answered`."""

    def __init__(
        self,
        state_for: Callable[[int], State],
        sitting: Sitting,
        presence: Presence,
        agents: Agents,
        queue: asyncio.Queue[Command | None],
        answered: Callable[[int, list[int]], Awaitable[None]],
    ) -> None:
        self._state_for = state_for
        self._sitting = sitting
        self._presence = presence
        self._agents = agents
        self._queue = queue
        self._answered = answered
        self._tasks: dict[int, asyncio.Task[None]] = {}

    @property
    def busy(self) -> bool:
        return bool(self._tasks)

    def wake(self) -> None:
        """Lets every computer player think who is due and not yet at it; not one that has failed for good."""
        seats = self._sitting.header.seats
        for player in self._sitting.due:
            agent = player >= 0 and seats[player].agent
            if agent and player not in self._tasks and player not in self._presence.failed:
                self._tasks[player] = asyncio.create_task(self._think(player))

    def stop(self) -> None:
        """Forgets all questions."""
        for task in self._tasks.values():
            task.cancel()

    async def _think(self, player: int) -> None:
        sitting, header = self._sitting, self._sitting.header
        agent = header.seats[player].agent
        view = sitting.game.view(self._state_for(player), player)
        try:
            actions = await self._agents.decide(
                header.id, header.variant, header.changed, agent, player, view, lambda a: self._fits(player, a)
            )
        except AgentError as error:
            log.error("match %s: computer player %s gives up: %s", header.id, agent, error)  # noqa: TRY400 - expected
            actions = []

        def finish() -> Awaitable[None]:
            self._tasks.pop(player, None)
            return self._answered(player, actions)

        self._queue.put_nowait(finish)

    def _fits(self, player: int, actions: list[int]) -> bool:
        """Whether an agent's answer is a legal decision or its beginning; when nobody waits for it any more, all is well."""
        game = self._sitting.game
        if player not in self._sitting.due:
            return True
        try:
            return bool(attempt(game, self._state_for(player), player, actions))
        except (Declined, IllegalActionError) as error:
            log.warning("match %s: a computer player's answer is refused: %s", self._sitting.header.id, error)
            return False
