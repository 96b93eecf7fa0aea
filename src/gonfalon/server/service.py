"""What all routes share: the lobby, the sockets, the page, and what is kept between requests."""

from __future__ import annotations

import asyncio
from collections import OrderedDict

import msgspec

from gonfalon.ai import agents
from gonfalon.server.addresses import network_of
from gonfalon.server.config import Config
from gonfalon.server.declined import Declined
from gonfalon.server.limits import Buckets
from gonfalon.server.lobby import Lobby
from gonfalon.server.messages import AgentCard
from gonfalon.server.page import Page
from gonfalon.server.replay import replay_match
from gonfalon.server.sitting import Sitting
from gonfalon.server.socket import Sockets
from gonfalon.server.visitors import Visitors

MOST_REPLAYS = 16
"""Encoded replays of finished matches kept in memory."""


class Service:
    """One for each application, as `app.state.service` from its start on."""

    def __init__(self, config: Config, visitors: Visitors) -> None:
        self.config = config
        self.visitors = visitors
        self.lobby = Lobby(config, visitors)
        self.sockets = Sockets(self.lobby, config)
        self.page = Page(config.static)
        self.agents = tuple(AgentCard(name) for name in agents())
        self.replays: OrderedDict[str, bytes] = OrderedDict()
        self._costly = Buckets(config.create_rate, config.create_burst)

    def count_costly(self, address: str) -> None:
        """Counts one costly request of an address. Raises `Declined`: `too-many`."""
        if not self._costly.take(network_of(address)):
            raise Declined("too-many", 429)

    async def find_finished(self, match: str) -> Sitting:
        """A match that is over. Raises `Declined`: `no-match`, `not-over`."""
        sitting = await self.lobby.find_sitting(match)
        if sitting.outcome is None:
            raise Declined("not-over", 409)
        return sitting

    async def replay(self, match: str) -> bytes:
        """The encoded replay of a match that is over."""
        if match not in self.replays:
            sitting = await self.find_finished(match)
            self.replays[match] = await asyncio.to_thread(lambda: msgspec.json.encode(replay_match(sitting)))
            if len(self.replays) > MOST_REPLAYS:
                self.replays.popitem(last=False)
        self.replays.move_to_end(match)
        return self.replays[match]
