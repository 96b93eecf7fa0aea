"""Hints: the move that the strongest computer player would make for the match's only person, from that person's
view.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Sequence

import msgspec

from gonfalon.ai.levels import STRONGEST
from gonfalon.engine.game import Game, State
from gonfalon.engine.search import Option
from gonfalon.engine.view import View
from gonfalon.server.match.bounds import require_room
from gonfalon.server.match.clients.client import Client
from gonfalon.server.match.clients.frames import encode
from gonfalon.server.match.computers.news import NewsFeed
from gonfalon.server.match.computers.players import Queue
from gonfalon.server.match.match import Match
from gonfalon.server.protocol import messages as m
from gonfalon.server.protocol.refusals import Declined
from gonfalon.server.storage.entries import Hinted
from gonfalon.server.workers.pool import AgentError, AgentPool, OutdatedError
from gonfalon.server.workers.requests import AgentRequest, News

log = logging.getLogger("gonfalon.advice")
SECONDS = 1.0
"""Thinking time for a hint."""


class Hints:
    """The hints of one match, one at a time. A finished hint goes through the match's queue, like an agent's
    decision.
    """

    def __init__(self, match: Match, pool: AgentPool, queue: Queue) -> None:
        self._match = match
        self._pool = pool
        self._queue = queue
        self._task: asyncio.Task[None] | None = None
        self._about: State | None = None
        """Position of the latest request for a hint."""
        self._hint: m.Advice | None = None
        """The hint for that position; a second request gets this one again."""
        self._feed: NewsFeed | None = None

    @property
    def busy(self) -> bool:
        return self._task is not None

    async def ask(self, match: Match, client: Client, _message: m.AskAdvice) -> None:
        """Start thinking. The answer comes later as `Advice`, unless the position has changed by then."""
        player, match_state = match.require_player(client), match.state
        if match_state.alone != player:
            raise Declined("not-alone")
        if match_state.header.rated:
            raise Declined("rated-no-help")
        if player not in match_state.due:
            raise Declined("not-your-turn")
        state = match.drafts.find_state(player)
        view = match_state.game.view(state, player)
        if match_state.game.standing(view).deploys:
            raise Declined("no-hint" if match_state.game.standing(view).arranges else "no-hint-choosing")
        if state is self._about and self._hint is not None:
            client.push(encode(self._hint))
            return
        if self.busy:
            raise Declined("hint-under-way")
        require_room(Hinted, match_state.counts)
        self._about, self._hint = state, None
        self._task = asyncio.create_task(self._think(player, state, view))

    def stop(self) -> None:
        """Cancel the hint in progress."""
        if self._task is not None:
            self._task.cancel()

    def _is_wanted(self, player: int, state: State) -> bool:
        """Return whether the player is connected and the position is still the one asked about."""
        match = self._match
        return match.drafts.find_state(player) is state and bool(match.broadcast.find_clients(player))

    async def _think(self, player: int, state: State, view: View) -> None:
        match_state = self._match.state
        header = match_state.header
        request = AgentRequest(header.id, header.rules, header.changed, STRONGEST, view)
        feed = self._feed = self._feed or NewsFeed(match_state, player)

        def ask(news: News) -> Awaitable[list[Option]]:
            told = msgspec.structs.replace(request, news=news)
            return self._pool.consider(told, SECONDS, lambda: self._is_wanted(player, state))

        options: list[Option] = []
        try:
            options = await feed.ask(len(match_state.moves.steps), ask)
        except OutdatedError:
            pass  # no client waits for the hint any more
        except AgentError as error:
            log.warning("match %s: no hint: %s", header.id, error)
        except Exception:
            log.exception("match %s: no hint", header.id)

        def finish() -> Awaitable[None]:
            self._task = None
            return self._give(player, state, options)

        self._queue.put_nowait(finish)

    async def _give(self, player: int, state: State, options: list[Option]) -> None:
        match = self._match
        if not self._is_wanted(player, state):
            return
        path = name_steps(match.state.game, state, player, options[0].actions) if options else ()
        if not path:
            self._about = None
            self._tell(player, m.Refused(Declined("hint-failed").line))
            return
        await match.note(Hinted(player))
        self._hint = m.Advice(path, options[0].chance)
        self._tell(player, self._hint)
        match.tell_presence()

    def _tell(self, player: int, message: m.Message) -> None:
        for window in self._match.broadcast.find_clients(player):
            window.push(encode(message))


def name_steps(game: Game, state: State, player: int, actions: Sequence[int]) -> tuple[str, ...]:
    """Return the scene ids of a player's choice, in the order of the page; the parts of a compound choice follow one
    another. Empty if the first part cannot be chosen.
    """
    path: list[str] = []
    for action in actions:
        choices = {choice.id: choice.path for choice in game.choices(game.view(state, player))}
        if action not in choices:
            break
        path += choices[action]
        state = game.apply(state, player, action)
        if not game.is_open(state, player):
            break
    return tuple(path)
