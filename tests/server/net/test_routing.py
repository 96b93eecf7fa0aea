"""A socket at a node until it is known where it belongs: what comes too early waits, but not without bound."""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from typing import Any, cast

from gonfalon.server.config import Config
from gonfalon.server.net.connection_counts import ConnectionCounts, OpenConnection
from gonfalon.server.net.relays import MOST_EARLY, Carrier, RoutedSocket, Target, parse_head

HEAD = (
    b"GET /api/matches/m/socket HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


class Transport:
    """A transport that keeps what is written."""

    def __init__(self) -> None:
        self.written = b""
        self.aborted = self.closed = False

    def write(self, data: bytes) -> None:
        self.written += data

    def abort(self) -> None:
        self.aborted = True

    def close(self) -> None:
        self.closed = True

    def is_closing(self) -> bool:
        return self.aborted or self.closed


class Door:
    """A routed socket, whose place is known when `place` is set."""

    def __init__(self) -> None:
        self.place: asyncio.Future[Target | HTTPStatus | None] = asyncio.get_running_loop().create_future()
        self.asked = ""
        self.transport = Transport()
        self.counts = ConnectionCounts(Config(), 1_000)
        counted = OpenConnection("10.0.0.9", self.transport.abort)
        self.counts.enter(counted)
        self.socket = RoutedSocket(self._route, lambda: cast("Any", None), set(), self.counts)
        self.socket.connection_made(cast("Any", Carrier(self.transport, counted)))

    async def _route(self, path: str) -> Target | HTTPStatus | None:
        self.asked = path
        return await self.place


def test_a_client_that_sends_much_too_early_is_cut_off() -> None:
    async def script() -> None:
        door = Door()
        door.socket.data_received(HEAD)
        await asyncio.sleep(0)
        assert door.asked == "/api/matches/m/socket"
        door.socket.data_received(b"x" * MOST_EARLY)
        assert not door.transport.aborted
        door.socket.data_received(b"x")
        assert door.transport.aborted
        door.socket.connection_lost(None)
        await asyncio.sleep(0)

    asyncio.run(script())


def test_a_socket_that_belongs_nowhere_gets_the_reason() -> None:
    async def script() -> None:
        door = Door()
        door.place.set_result(HTTPStatus.SERVICE_UNAVAILABLE)
        door.socket.data_received(HEAD)
        await asyncio.sleep(0.01)
        assert door.transport.written.startswith(b"HTTP/1.1 503 ")
        assert door.transport.closed

    asyncio.run(script())


def test_a_node_that_is_not_reached_refuses() -> None:
    async def script() -> None:
        door = Door()
        door.place.set_result(Target("http://127.0.0.1:9", "token"))
        door.socket.data_received(HEAD)
        for _ in range(200):
            await asyncio.sleep(0.01)
            if door.transport.written:
                break
        assert door.transport.written.startswith(b"HTTP/1.1 503 ")
        assert door.counts.relayed == 0

    asyncio.run(script())


def test_a_request_is_repeated_with_all_its_headers() -> None:
    request = parse_head(HEAD)
    assert request is not None
    assert request.serialize().replace(b": ", b":").lower() == HEAD.replace(b": ", b":").lower()
    assert parse_head(b"nonsense\r\n\r\n") is None
