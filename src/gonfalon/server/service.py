"""Everything that the routes share: the registry, the sockets, the reviews, and the rate limit of costly requests."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from http import HTTPStatus

from websockets.http11 import Request as Opening

from gonfalon.server.config import Config
from gonfalon.server.lobby.lobby import Lobby
from gonfalon.server.lobby.sockets import LobbySockets
from gonfalon.server.match.public import Ended, describe_end
from gonfalon.server.match.registry import Registry
from gonfalon.server.match.sockets import MatchSockets
from gonfalon.server.match.state import MatchState
from gonfalon.server.meeting import PeopleOfLobby, RatingsOfLobby
from gonfalon.server.net.addresses import network_of
from gonfalon.server.net.connection_counts import ConnectionCounts
from gonfalon.server.net.rate_limits import RateLimiter
from gonfalon.server.net.web_sockets import Listener, WebSocket
from gonfalon.server.people.people import People
from gonfalon.server.protocol.refusals import Declined
from gonfalon.server.ratings.ratings import Ratings
from gonfalon.server.review.analysis import Analyses
from gonfalon.server.review.replay import record_match
from gonfalon.server.review.replay_cache import ReplayCache

LOBBY = "/api/lobby/"
"""Beginning of the addresses of the lobby's sockets."""


class Service:
    """The service of one application: `app.state.service` from the start of the application on."""

    def __init__(self, config: Config, connection_counts: ConnectionCounts) -> None:
        self.config = config
        self.connection_counts = connection_counts
        self.registry = Registry(config, connection_counts)
        store = self.registry.store
        self.people = People(config, store, self.registry.name_rules)
        self.ratings = Ratings(store, self.find_end, self.people.directory)
        self.lobby = Lobby(config, self.registry, PeopleOfLobby(self.people, store), RatingsOfLobby(self.ratings))
        self.registry.listeners = (self.people.seats, self.ratings, *self.lobby.listeners)
        self.registry.persons = self.people.directory
        self.match_sockets = MatchSockets(self.registry, config)
        self.lobby_sockets = LobbySockets(self.lobby, config)
        self._join_people()
        self.replays = ReplayCache(config)
        self.analyses = Analyses(config, self.registry.pool, self.registry.store)
        self._standings = RateLimiter(config.standings_rate, config.standings_burst)
        self._lookups = RateLimiter(config.lookup_rate, config.lookup_burst)

    def _join_people(self) -> None:
        """Tell the other parts when a session ends, a name changes, or a person is deleted."""
        people = self.people
        self.match_sockets.visitors = people
        people.sessions.on_end += [self.match_sockets.let_in.end, self.lobby_sockets.let_in.end]
        people.directory.on_change.append(self.registry.refresh_names)
        people.forget = (self.ratings.forget, self.lobby.forget)
        people.exports["ratings"] = self.ratings.describe
        people.erase = self._erase_names

    def _erase_names(self, match: str, players: Sequence[int]) -> None:
        """Forget the names that players of a match gave, wherever memory holds them."""
        self.registry.erase_names(match, players)
        self.replays.drop(match)

    async def start(self) -> None:
        """Start everything, the registry first. Raises what `Registry.start` raises."""
        await self.registry.start()
        await self.people.start()
        await self.ratings.start()
        await self.lobby.start()

    async def close(self) -> None:
        """Stop everything, the registry last."""
        await self.analyses.close()
        await self.replays.close()
        await self.lobby.close()
        await self.people.close()
        await self.ratings.close()
        await self.registry.close()

    def answer_socket(self, socket: WebSocket, request: Opening) -> Listener | HTTPStatus:
        """Return the listener for a socket that a client wants to open, or the HTTP status that refuses it."""
        sockets = self.lobby_sockets if request.path.startswith(LOBBY) else self.match_sockets
        return sockets.answer(socket, request)

    def count_costly(self, address: str) -> None:
        """Count one costly request of an address. Raises `Declined`: `too-many`."""
        _count(self.registry.costly, address)

    def count_load(self, match: str, address: str) -> None:
        """Count one costly request of an address if a match must be loaded. Raises `Declined`: `too-many`."""
        if self.registry.peek(match) is None:
            self.count_costly(address)

    def count_standings(self, address: str) -> None:
        """Count one question for standings of an address. Raises `Declined`: `too-many`."""
        _count(self._standings, address)

    def count_lookup(self, address: str) -> None:
        """Count one look at a profile or list of an address. Raises `Declined`: `too-many`."""
        _count(self._lookups, address)

    async def find_finished(self, match: str) -> MatchState:
        """Return the state of a match that is over. Raises `Declined`: `no-match`, `not-over`."""
        match_state = await self.registry.find_state(match)
        if match_state.outcome is None:
            raise Declined("not-over", 409)
        return match_state

    async def find_end(self, match: str) -> Ended | None:
        """Return the end of a match as its log says; None if it is not over, or if there is no such match."""
        loaded = await self.registry.store.load(match)
        if loaded is None:
            return None
        header, entries = loaded
        game = await self.registry.library.game(header.rules, header.changed)
        return await asyncio.to_thread(lambda: describe_end(MatchState(header, game, entries)))

    async def find_record(self, match: str, address: str) -> str:
        """Return the record of a match that is over. If it is not kept, making it counts as a costly request.

        Raises `Declined`: `no-match`, `not-over`, `too-many`.
        """
        kept = self.registry.records
        record = kept.get(match)
        if record is None:
            self.count_costly(address)
            since = kept.changes
            match_state = await self.find_finished(match)
            record = await asyncio.to_thread(lambda: record_match(match_state).write())
            kept.put(match, record, len(record), since)
        return record


def _count(limiter: RateLimiter, address: str) -> None:
    if not limiter.take(network_of(address)):
        raise Declined("too-many", 429)
