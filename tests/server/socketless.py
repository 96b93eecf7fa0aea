"""Matches in the test's own process: the match task and a real store, without a server and without sockets."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

from gonfalon.engine.game import PUBLIC
from gonfalon.server.clock.times import Times
from gonfalon.server.computers import Computers
from gonfalon.server.config import Config
from gonfalon.server.match.clients.client import Client
from gonfalon.server.match.clocks.deadlines import Deadlines, RunningMatches
from gonfalon.server.match.persons import NoPersons, Persons
from gonfalon.server.match.public import Listeners
from gonfalon.server.match.state import MatchState
from gonfalon.server.match.task import MatchTask
from gonfalon.server.net.connection_counts import ConnectionCounts
from gonfalon.server.net.rate_limits import RateLimiter
from gonfalon.server.protocol import messages as m
from gonfalon.server.protocol.names import NameRules
from gonfalon.server.storage.entries import AnyEntry, Header
from gonfalon.server.storage.store import Statements, Store
from gonfalon.server.workers.pool import AgentPool


class Clock:
    """Both clocks of a machine, which a test moves."""

    def __init__(self) -> None:
        self.monotonic, self.system = 1_000_000, 1_800_000_000_000
        self.times = Times(lambda: self.monotonic, lambda: self.system)

    def wait(self, ms: int) -> None:
        self.monotonic += ms
        self.system += ms


class Host:
    """The registry, as far as a match's task needs it, with a store that records each append."""

    def __init__(self, folder: Path) -> None:
        self.config = Config(data=folder)
        self.store = Store(self.config.url)
        self.connection_counts = ConnectionCounts(self.config, 1_000)
        self.pool = AgentPool(1, 1, 1, 1, ())
        self.listeners: Listeners = ()
        self.name_rules = NameRules(())
        self.computers = Computers()
        self.persons: Persons = NoPersons()
        self.work = RateLimiter(1e9, 1e9)
        self.costly = RateLimiter(1e9, 1e9)
        self.made = Counter[str]()
        self.clock = Clock()
        self.deadlines = Deadlines(self.store, self.clock.times)
        self.running = RunningMatches(self.config.most_running, self.config.most_running_of_address)
        self.appended: list[Sequence[AnyEntry]] = []
        append = self.store.append

        def count(
            match: str, place: int, entries: Sequence[AnyEntry], statements: Statements = (), moved: int = 0
        ) -> asyncio.Future[None]:
            self.appended.append(entries)
            return append(match, place, entries, statements, moved)

        self.store.append = count  # type: ignore[method-assign]

    def forget(self, match: MatchTask) -> None:
        pass

    def rest(self, match: MatchTask) -> None:
        pass


Script = Callable[[Host], Awaitable[None]]


def run(script: Script, folder: Path, header: Header) -> None:
    """Run a coroutine with a host that stores a match of this header."""

    async def whole() -> None:
        host = Host(folder)
        await host.store.start()
        await host.store.create(header)
        try:
            await script(host)
        finally:
            await host.store.close()

    asyncio.run(whole())


async def until(condition: Callable[[], bool]) -> None:
    """Wait until a condition is true that other tasks bring about."""
    async with asyncio.timeout(30):
        while not condition():
            await asyncio.sleep(0.01)


class Outlet:
    """A stand-in for a socket: it stores the messages that the server sends."""

    def __init__(self) -> None:
        self.sent: list[bytes] = []
        self.reads = True
        self.note: Callable[[int], None] | None = None
        """Takes measured times of pings."""

    def send(self, text: bytes) -> None:
        self.sent.append(text)

    def close(self, code: int) -> None:
        self.sent.append(json.dumps({"type": "close", "code": code}).encode())

    def measure(self, note: Callable[[int], None] | None) -> None:
        self.note = note

    def pause(self) -> None:
        self.reads = False

    def resume(self) -> None:
        self.reads = True

    def messages(self) -> list[dict[str, Any]]:
        return [json.loads(text) for text in self.sent]


class Table:
    """A match with a connection for each of its seats and one for a spectator."""

    def __init__(
        self, host: Host, header: Header, game: Any, entries: Sequence[AnyEntry] = (), deadline: int = 0
    ) -> None:
        self.match = MatchTask(MatchState(header, game, entries), host, deadline)
        sides = {**dict(enumerate(game.info.sides)), PUBLIC: ""}
        self.outlets = {observer: Outlet() for observer in sides}
        self.seats = {observer: Client(self.outlets[observer], observer, side) for observer, side in sides.items()}
        self.n = [0] * game.info.players

    @property
    def state(self) -> MatchState:
        return self.match.state

    async def sit(self, *players: int) -> None:
        """Let these players join, or without arguments all players and the spectator."""
        for player in players or self.seats:
            self.match.join(self.seats[player], -1)
        await self.settle()

    async def settle(self) -> None:
        """Wait until the match's task has carried out all its commands."""
        done = asyncio.Event()

        async def finish() -> None:
            done.set()

        self.match._queue.put_nowait(finish)
        await done.wait()

    async def say(self, player: int, message: m.Message) -> None:
        self.match.submit(self.seats[player], message)
        await self.settle()

    async def act(self, player: int, *actions: int) -> None:
        self.n[player] += 1
        await self.say(player, m.Act(self.n[player], [int(action) for action in actions]))

    def draft(self, player: int) -> tuple[int, ...]:
        """Return the actions of a player's draft."""
        draft = self.match.match.drafts.get(player)
        return draft.actions if draft else ()

    def heard(self, observer: int, kind: str) -> list[dict[str, Any]]:
        """Return all messages of one kind that an observer received, in order."""
        return [message for message in self.outlets[observer].messages() if message["type"] == kind]

    def last(self, observer: int, kind: str) -> dict[str, Any]:
        return self.heard(observer, kind)[-1]

    def refusal(self, player: int) -> str:
        """Return the code of the last refusal that a player received."""
        return str(self.last(player, "refused")["line"]["code"])
