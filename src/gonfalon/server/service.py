"""Everything that the routes share: the registry, the sockets, the reviews, and the rate limit of costly requests."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
from http import HTTPStatus

from websockets.http11 import Request as Opening

from gonfalon.server.bus.bus import NoBus
from gonfalon.server.cluster.node import Node
from gonfalon.server.config import Config
from gonfalon.server.duties import Meeting, Upkeep
from gonfalon.server.lobby.lobby import Lobby
from gonfalon.server.lobby.sockets import LobbySockets
from gonfalon.server.match.public import Ended, describe_end
from gonfalon.server.match.registry import Registry
from gonfalon.server.match.sockets import MatchSockets, find_match
from gonfalon.server.match.state import MatchState
from gonfalon.server.meeting import PeopleOfLobby, RatingsOfLobby
from gonfalon.server.net.addresses import network_of
from gonfalon.server.net.connection_counts import ConnectionCounts
from gonfalon.server.net.rate_limits import RateLimiter
from gonfalon.server.net.relays import Target
from gonfalon.server.net.web_sockets import Listener, WebSocket
from gonfalon.server.news import News
from gonfalon.server.people.people import People
from gonfalon.server.protocol.refusals import Declined
from gonfalon.server.ratings.ratings import Ratings
from gonfalon.server.review.analysis import Analyses
from gonfalon.server.review.replay import record_match
from gonfalon.server.review.replay_cache import ReplayCache
from gonfalon.server.storage.writer import StoreError

LOBBY = "/api/lobby/"
"""Beginning of the addresses of the lobby's sockets."""


class Service:
    """The service of one application: `app.state.service` from the start of the application on."""

    def __init__(self, config: Config, connection_counts: ConnectionCounts) -> None:
        self.config = config
        self.connection_counts = connection_counts
        self.node = node = Node(config, self) if config.node else None
        """This process as one of several; None if it is the only one."""
        if node is None:
            self.registry = Registry(config, connection_counts)
        else:
            self.registry = Registry(
                config, connection_counts, times=node.times, owners=node.claims, holding=node.membership
            )
            node.claims.store = self.registry.store
        self.store = store = self.registry.store
        self.people = People(config, store, self.registry.name_rules)
        times = None if node is None else node.times
        self.ratings = Ratings(store, self.find_end, self.people.directory, times)
        bus = NoBus() if node is None else node.bus
        self.meeting = Meeting(self._make_lobby, self.ratings, self.people.seats, bus, is_open=node is None)
        self.upkeep = Upkeep(self.registry, self.people, lambda: node is not None and node.others_run())
        self.registry.listeners = (self.meeting,)
        self.registry.persons = self.people.directory
        self.match_sockets = MatchSockets(self.registry, config)
        self.lobby_sockets = LobbySockets(lambda: self.meeting.lobby, config)
        self._join_people()
        self.replays = ReplayCache(config)
        self.news = News(self, bus)
        self.people.erase = self.news.erase
        self.analyses = Analyses(config, self.registry.pool, self.registry.store)
        self._standings = RateLimiter(config.standings_rate, config.standings_burst)
        self._lookups = RateLimiter(config.lookup_rate, config.lookup_burst)

    def _join_people(self) -> None:
        """Tell the other parts when a session ends, a name changes, or a person is deleted."""
        people = self.people
        self.match_sockets.visitors = people
        people.sessions.on_end += [self.match_sockets.let_in.end, self.lobby_sockets.let_in.end]
        people.directory.on_change.append(self.registry.refresh_names)
        people.forget = (self.ratings.forget, self.meeting.forget)
        people.exports["ratings"] = self.ratings.describe

    def _make_lobby(self) -> Lobby:
        visitors, ratings = PeopleOfLobby(self.people, self.store), RatingsOfLobby(self.ratings)
        return Lobby(self.config, self.registry, visitors, ratings)

    async def start(self) -> None:
        """Start everything, the registry first. Raises what `Registry.start` and `Node.enter` raise."""
        node = self.node
        if node is None:
            await self.registry.start()
            await self.people.start()
            self.people.begin_upkeep()
            await self.meeting.start()
            return
        await node.enter()
        await self.registry.start(upkeep=False)
        await self.people.start()
        await node.open((self.meeting, self.upkeep), self.answer_socket, self.connection_counts)

    async def close(self) -> None:
        """Stop everything, the registry last."""
        await self.analyses.close()
        await self.replays.close()
        await self.news.close()
        if self.node is not None:
            await self.node.close()
        else:
            await self.meeting.close()
        await self.people.close()
        await self.registry.close()
        if self.node is not None:
            await self.node.leave()

    # ---- sockets ----------------------------------------------------------------------------------------------

    def answer_socket(self, socket: WebSocket, request: Opening) -> Listener | HTTPStatus:
        """Return the listener for a socket that a client wants to open, or the HTTP status that refuses it."""
        if not request.path.startswith(LOBBY):
            return self.match_sockets.answer(socket, request)
        return self.lobby_sockets.answer(socket, request) if self.meeting.open else HTTPStatus.SERVICE_UNAVAILABLE

    async def find_node(self, path: str) -> Target | HTTPStatus | None:
        """Return to which node a socket belongs; see `net.relays.Route`."""
        assert self.node is not None
        if path.startswith(LOBBY):
            return None if self.meeting.open else await self.node.find_job(self.meeting.name)
        match = find_match(path)
        if match is None or match in self.registry.in_memory:
            return None
        return await self.node.find_match(match)

    # ---- what a node owns -------------------------------------------------------------------------------------

    async def hand_over(self) -> None:
        """Give up all matches in memory, one after the other."""
        await self.registry.hand_over()

    async def abandon_all(self) -> None:
        """Drop all matches in memory without storing anything, because other nodes own them now. What was to be stored
        before has failed when this returns.
        """
        await self.registry.abandon_all()
        with contextlib.suppress(StoreError):
            await self.store.execute(())

    async def resume(self, running: Sequence[str] | None = None) -> None:
        """Load matches whose clocks run and that a dead node had; None: all that nobody has, after this node has come
        back. Read what was missed.
        """
        for match in running or ():
            self.registry.deadlines.load_again(match)
        if running is None:
            await self.registry.deadlines.load_running()
        await self.news.read_missed()

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
