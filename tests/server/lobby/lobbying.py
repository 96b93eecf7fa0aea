"""A lobby in the test's own process: real queues, challenges and store, with invented people, and pages without
sockets.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, cast

import msgspec

import gonfalon
from gonfalon.games import variants
from gonfalon.server.clock.control import Bank, Control
from gonfalon.server.computers import Computers
from gonfalon.server.config import Config
from gonfalon.server.lobby.lobby import Lobby
from gonfalon.server.lobby.outside import Visitor
from gonfalon.server.lobby.sockets import LobbySocket, LobbySockets
from gonfalon.server.match.public import PublicSeat
from gonfalon.server.net.openings import Caller
from gonfalon.server.net.web_sockets import WebSocket
from gonfalon.server.protocol import lobby_messages as m
from gonfalon.server.protocol.bodies import MatchMade
from gonfalon.server.protocol.messages import Message
from gonfalon.server.protocol.rating_bodies import ShownRating
from gonfalon.server.protocol.refusals import Declined
from gonfalon.server.storage.store import Statements, Store
from server.harness import find_database
from server.socketless import Outlet

QUICK = Bank(300, increment=3)
DUEL = m.Terms("duel", clock=QUICK)


class People:
    """Visitors by cookie: `ada` is the account Ada with the id `id-ada`; `guest-1` is a guest. Others are strangers."""

    def __init__(self) -> None:
        self.blocked: set[frozenset[str]] = set()

    async def recognise(self, cookies: Sequence[str], _secure: bool) -> Visitor | None:
        for name in cookies:
            if name.startswith("guest"):
                return Visitor(f"id-{name}", session=name)
            return Visitor(f"id-{name}", name.title(), account=True, session=f"session-{name}")
        return None

    async def find_person(self, name: str) -> str | None:
        return None if name == "Nobody" else f"id-{name.lower()}"

    async def list_names(self, persons: Collection[str]) -> Mapping[str, str]:
        return {person: person.removeprefix("id-").title() for person in persons if "guest" not in person}

    def is_blocked(self, one: str, other: str) -> bool:
        return frozenset((one, other)) in self.blocked

    def block(self, one: str, other: str) -> None:
        self.blocked.add(frozenset((f"id-{one}", f"id-{other}")))


class Shown:
    """Ratings by id of the person."""

    def __init__(self) -> None:
        self.all: dict[str, int] = {}
        self.provisional: set[str] = set()

    async def find(self, person: str, variant: str, clock: Control) -> ShownRating | None:  # noqa: ARG002
        if person not in self.all:
            return None
        return ShownRating(self.all[person], 80, provisional=person in self.provisional, matches=20)


class Made:
    """A match that was made."""

    def __init__(self, seats: Sequence[PublicSeat], variant: str, clock: Control | None, rated: bool) -> None:
        self.seats = tuple(seat.person or seat.agent for seat in seats)
        self.variant, self.clock, self.rated = variant, clock, rated


class FakeMatches:
    """Stands for the registry: it keeps the matches that it should make, and only runs their statements."""

    computers = Computers()

    def __init__(self, store: Store) -> None:
        self.store = store
        self.made: list[Made] = []
        self.counted: list[str] = []
        self.refusal: Declined | None = None
        self.gate = asyncio.Event()
        """No match is made while it is cleared."""
        self.gate.set()

    def count_match(self, address: str) -> None:
        self.counted.append(address)

    async def check_wish(
        self,
        variant: str,
        switches: Mapping[str, bool | int],  # noqa: ARG002
        clock: Control | None,  # noqa: ARG002
    ) -> tuple[str, ...]:
        if variant not in variants():
            raise Declined("no-variant", 404, variant=variant)
        return gonfalon.make(variant).info.sides

    async def create_for(
        self,
        seats: Sequence[PublicSeat],
        variant: str,
        switches: Mapping[str, bool | int],  # noqa: ARG002
        clock: Control | None,
        *,
        rated: bool,
        statements: Statements = (),
    ) -> MatchMade:
        await self.gate.wait()
        if self.refusal is not None:
            raise self.refusal
        await self.store.execute(statements)
        self.made.append(Made(seats, variant, clock, rated))
        sides = gonfalon.make(variant).info.sides
        keys = {side: f"key-{side}" for side, seat in zip(sides, seats, strict=True) if seat.person}
        return MatchMade(f"match-{len(self.made)}", keys, {})


class Clock:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


class PageOutlet(Outlet):
    """A stand-in for the socket of a page."""

    def greet(self, _address: str, plays: bool) -> None:
        assert not plays


class Hall:
    """The lobby, with what stands around it."""

    def __init__(self, folder: Path, **settings: Any) -> None:
        free = {"lobby_rate": 1e6, "lobby_burst": 10**6, "challenge_lingers": 0.05}
        self.config = Config(data=folder, database=find_database(folder), **{**free, **settings})
        self.people, self.ratings, self.clock = People(), Shown(), Clock()
        self.matches = FakeMatches(Store(self.config.url))
        self.lobby = Lobby(self.config, self.matches, self.people, self.ratings, self.clock)
        self.sockets = LobbySockets(lambda: self.lobby, self.config)

    async def enter(self, cookie: str = "", window: str = "", address: str = "127.0.0.1") -> Page:
        """Open a page and wait until it has entered."""
        page = Page(self, cookie, address)
        page.say(m.LobbyHello(window or cookie))
        await page.until("you")
        return page

    @property
    def made(self) -> list[Made]:
        return self.matches.made


class Page:
    """A page in the lobby."""

    def __init__(self, hall: Hall, cookie: str, address: str) -> None:
        self.outlet = PageOutlet()
        caller = Caller(address, [cookie] if cookie else [], secure=False)
        self.socket = LobbySocket(hall.sockets, cast("WebSocket", self.outlet), caller)

    def say(self, message: Message) -> None:
        self.socket.receive(msgspec.json.encode(message))

    def heard(self, kind: str) -> list[dict[str, Any]]:
        """Return all messages of a kind."""
        return [message for message in self.outlet.messages() if message["type"] == kind]

    async def until(self, kind: str, count: int = 1) -> dict[str, Any]:
        """Wait until the page has so many messages of a kind; return the last of these."""
        async with asyncio.timeout(20):
            while len(self.heard(kind)) < count:
                await asyncio.sleep(0.005)
        return self.heard(kind)[count - 1]

    async def ask(self, message: Message, kind: str) -> dict[str, Any]:
        """Send a message and wait for the next answer of a kind."""
        count = len(self.heard(kind))
        self.say(message)
        return await self.until(kind, count + 1)

    async def refusal(self, message: Message) -> str:
        """Send a message and return the code of its refusal."""
        return str((await self.ask(message, "refused"))["line"]["code"])

    async def challenges(self) -> set[str]:
        """Return the ids of the open challenges that the page shows, after all updates so far."""
        await asyncio.sleep(0.35)
        shown = {each["id"] for each in self.heard("lobby")[0]["challenges"]}
        for update in self.heard("lobby-update"):
            shown |= {each["id"] for each in update.get("added", ())}
            shown -= set(update.get("removed", ()))
        return shown

    def leave(self) -> None:
        self.socket.disconnect()


@asynccontextmanager
async def opened(folder: Path, **settings: Any) -> AsyncIterator[Hall]:
    """Run a lobby while the block runs."""
    hall = Hall(folder, **settings)
    await hall.matches.store.start()
    await hall.lobby.start()
    try:
        yield hall
    finally:
        await hall.lobby.close()
        await hall.matches.store.close()
