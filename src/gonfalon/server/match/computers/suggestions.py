"""Arrangements that are suggested to who asks: nobody else hears of it, and nothing is changed by it."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter

import numpy as np

from gonfalon.engine.game import Game
from gonfalon.engine.suggest import NotPlacedError, check_given, suggest, suggest_choice
from gonfalon.engine.view import View
from gonfalon.server.match.client import Client
from gonfalon.server.match.frames import encode
from gonfalon.server.match.match import Match
from gonfalon.server.protocol import messages as m
from gonfalon.server.protocol.refusals import Declined
from gonfalon.server.workers.pool import AgentError, AgentPool

log = logging.getLogger("gonfalon.suggesting")
SECONDS = 0.1
"""To find out which arrangement does best, where the game can."""
PATIENCE = 3.0
"""Seconds after which whoever asked gets one that took no thought: the process may be starting, or busy."""


class Suggestions:
    """One match's. Arrangements that take thought come from the computer players' process, for a player one at a time;
    who asks meanwhile gets one that takes none.
    """

    def __init__(self, match: Match, agents: AgentPool) -> None:
        self._match = match
        self._agents = agents
        self._weighing: dict[int, asyncio.Task[dict[str, str] | None]] = {}
        """What the process is asked, by player."""
        self._answering: set[asyncio.Task[None]] = set()
        self._asked = Counter[int]()
        """Questions by player: only the last one is answered late."""

    async def ask(self, match: Match, client: Client, message: m.Suggest) -> None:
        """The answer is a `Suggestion`, at once or later."""
        seat = match.require_seat(client)
        match.require_running()
        game = match.state.game
        view = game.view(match.drafts.find_state(seat), seat)
        if is_to_choose(game, view):
            actions = await asyncio.to_thread(suggest_choice, game, view, np.random.default_rng())
            client.push(encode(m.Suggestion({}, tuple(actions.tolist()))))
            return
        try:
            check_given(game, view, message.at)
        except NotPlacedError as error:
            raise Declined("bad-message", detail=str(error)) from error
        self._asked[seat] += 1
        if game.weighs_deployments(view) and seat not in self._weighing:
            weighing = self._weighing[seat] = asyncio.create_task(self._weigh(seat, view, message.at))
            answering = asyncio.create_task(self._answer(weighing, client, view, message.at))
            self._answering.add(answering)
            answering.add_done_callback(self._answering.discard)
        else:
            await self._draw(client, view, message.at)

    def stop(self) -> None:
        """Forgets all questions."""
        for task in (*self._weighing.values(), *self._answering):
            task.cancel()

    async def _draw(self, client: Client, view: View, given: dict[str, str]) -> None:
        rng = np.random.default_rng()
        at = await asyncio.to_thread(suggest, self._match.state.game, view, given, rng)
        client.push(encode(m.Suggestion(at)))

    async def _weigh(self, seat: int, view: View, given: dict[str, str]) -> dict[str, str] | None:
        """None if the process fails."""
        header = self._match.state.header
        try:
            return await self._agents.suggest(header.id, header.variant, header.changed, view, given, SECONDS)
        except AgentError as error:
            log.warning("match %s: no thought for an arrangement: %s", header.id, error)
            return None
        finally:
            del self._weighing[seat]

    async def _answer(
        self, weighing: asyncio.Task[dict[str, str] | None], client: Client, view: View, given: dict[str, str]
    ) -> None:
        """Says what is weighed, unless the player asks for more meanwhile."""
        seat = client.observer
        number = self._asked[seat]
        await asyncio.wait({weighing}, timeout=PATIENCE)
        if self._asked[seat] != number:
            return
        if weighing.done() and (at := weighing.result()) is not None:
            client.push(encode(m.Suggestion(at)))
        else:
            await self._draw(client, view, given)


def is_to_choose(game: Game, view: View) -> bool:
    """Whether the viewer has something to choose before play that is no arrangement."""
    standing = game.standing(view)
    return not standing.started and not standing.arranges and len(view.legal) > 0
