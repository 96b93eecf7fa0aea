"""A client that does not read is cut off before much data waits for it."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from gonfalon.server.config import Config
from gonfalon.server.net.connection_counts import ConnectionCounts, OpenConnection
from gonfalon.server.net.web_sockets import WebSocket
from gonfalon.server.trials.attackers import PING, frame

MOST = 10_000
OPENING = (
    b"GET /api/matches/x/socket HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n\r\n"
)


class Stuck:
    """A transport whose other end reads nothing."""

    def __init__(self) -> None:
        self.waiting = 0
        self.aborted = False

    def write(self, data: bytes) -> None:
        assert not self.aborted, "written after it was cut off"
        self.waiting += len(data)

    def get_write_buffer_size(self) -> int:
        return self.waiting

    def abort(self) -> None:
        self.aborted = True

    def is_closing(self) -> bool:
        return self.aborted

    def is_reading(self) -> bool:
        return True


class Tap:
    """The transport that an HTTP connection passes on to a WebSocket."""

    def __init__(self) -> None:
        self.transport = Stuck()
        self.counted = OpenConnection("127.0.0.1", lambda: None)


class Deaf:
    """A listener that ignores every message."""

    def receive(self, data: bytes) -> None:
        pass

    def overflow(self) -> None:
        pass

    def disconnect(self) -> None:
        pass


def open_wire(**settings: Any) -> tuple[WebSocket, Stuck]:
    config = Config(most_waiting=MOST, **settings)
    tap = Tap()
    wire = WebSocket(lambda *_: Deaf(), set(), ConnectionCounts(config, 1_000), config)
    wire.connection_made(tap)  # type: ignore[arg-type]
    wire.data_received(OPENING)
    return wire, tap.transport


@pytest.mark.parametrize("at_once", [True, False], ids=["in one round", "one by one"])
def test_messages_wait_up_to_a_bound(at_once: bool) -> None:
    async def script() -> None:
        wire, stuck = open_wire()
        for _ in range(100):
            wire.send(b"x" * 1_000)
            if not at_once:
                await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert stuck.aborted
        assert stuck.waiting < MOST + 3_000
        wire.connection_lost(None)

    asyncio.run(script())


def test_pongs_wait_up_to_a_bound() -> None:
    async def script() -> None:
        wire, stuck = open_wire(message_rate=1e6, message_burst=1e6)
        for _ in range(1_000):
            wire.data_received(frame(PING, b"y" * 100))
        assert stuck.aborted
        assert stuck.waiting < MOST + 3_000
        wire.connection_lost(None)

    asyncio.run(script())
