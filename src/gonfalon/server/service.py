"""What all routes share: the lobby, the sockets, the page, and what is kept between requests."""

from __future__ import annotations

from gonfalon.ai import agents
from gonfalon.server.addresses import network_of
from gonfalon.server.analysis import Analyses
from gonfalon.server.bodies import AgentCard
from gonfalon.server.config import Config
from gonfalon.server.declined import Declined
from gonfalon.server.limits import Buckets
from gonfalon.server.lobby import Lobby
from gonfalon.server.page import Page
from gonfalon.server.replays import Replays
from gonfalon.server.sitting import Sitting
from gonfalon.server.socket import Sockets
from gonfalon.server.visitors import Visitors


class Service:
    """One for each application, as `app.state.service` from its start on."""

    def __init__(self, config: Config, visitors: Visitors) -> None:
        self.config = config
        self.visitors = visitors
        self.lobby = Lobby(config, visitors)
        self.sockets = Sockets(self.lobby, config)
        self.page = Page(config.static)
        self.agents = tuple(AgentCard(name) for name in agents())
        self.replays = Replays(config)
        self.analyses = Analyses(config, self.lobby.agents, self.lobby.store)
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
