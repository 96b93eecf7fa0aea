"""Arrangements suggested to the player who asks. Nobody else learns of it, and the match does not change."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter

import numpy as np

from gonfalon.engine.game import Game
from gonfalon.engine.suggest import NotPlacedError, check_given, suggest, suggest_choice
from gonfalon.engine.view import View
from gonfalon.server.match.clients.client import Client
from gonfalon.server.match.clients.frames import encode
from gonfalon.server.match.match import Match
from gonfalon.server.protocol import messages as m
from gonfalon.server.protocol.refusals import Declined
from gonfalon.server.workers.pool import AgentError, AgentPool
from gonfalon.server.workers.requests import AgentRequest

log = logging.getLogger("gonfalon.suggesting")
SECONDS = 0.1
"""Seconds to compare arrangements, in games that can compare them."""
PATIENCE = 3.0
"""Seconds until the player gets a quick arrangement instead: the process may be starting or busy."""


class Suggestions:
    """The suggestions of one match. A good arrangement comes from the computer players' process, one at a time per
    player. A player who asks again meanwhile gets a quick one.
    """

    def __init__(self, match: Match, pool: AgentPool) -> None:
        self._match = match
        self._pool = pool
        self._weighing: dict[int, asyncio.Task[dict[str, str] | None]] = {}
        """Requests to the process that are running, by player."""
        self._answering: set[asyncio.Task[None]] = set()
        self._asked = Counter[int]()
        """Number of requests by player; a late answer goes out only for the latest."""

    async def ask(self, match: Match, client: Client, message: m.Suggest) -> None:
        """Answer with a `Suggestion`, at once or later."""
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
        """Cancel all running requests."""
        for task in (*self._weighing.values(), *self._answering):
            task.cancel()

    async def _draw(self, client: Client, view: View, given: dict[str, str]) -> None:
        rng = np.random.default_rng()
        at = await asyncio.to_thread(suggest, self._match.state.game, view, given, rng)
        client.push(encode(m.Suggestion(at)))

    async def _weigh(self, seat: int, view: View, given: dict[str, str]) -> dict[str, str] | None:
        """Return an arrangement found by the computer players' process; None if it fails."""
        header = self._match.state.header
        request = AgentRequest(header.id, header.rules, header.changed, "", view)
        try:
            return await self._pool.suggest(request, given, SECONDS)
        except AgentError as error:
            log.warning("match %s: no thought for an arrangement: %s", header.id, error)
            return None
        finally:
            del self._weighing[seat]

    async def _answer(
        self, weighing: asyncio.Task[dict[str, str] | None], client: Client, view: View, given: dict[str, str]
    ) -> None:
        """Send the arrangement, unless the player has asked again meanwhile."""
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
    """Return whether the viewer has a choice before play that is not an arrangement."""
    standing = game.standing(view)
    return not standing.started and not standing.arranges and len(view.legal) > 0
