"""A client that does not read is cut off before much data waits for it, and many such clients before much data waits
for all of them.
"""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from gonfalon.server.config import Config
from gonfalon.server.net import backlog as backlogs
from gonfalon.server.net.backlog import Backlog, release_memory
from gonfalon.server.net.connection_counts import ConnectionCounts, OpenConnection
from gonfalon.server.net.http_connections import TransportProxy
from gonfalon.server.net.web_sockets import WebSocket
from gonfalon.server.trials.attack.attackers import PING, frame

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


def open_wire(
    counts: ConnectionCounts | None = None, address: str = "127.0.0.1", **settings: Any
) -> tuple[WebSocket, Stuck]:
    config = Config(most_waiting=MOST, **settings)
    tap = Tap()
    tap.counted.address = address
    wire = WebSocket(lambda *_: Deaf(), set(), counts or ConnectionCounts(config, 1_000), config)
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


class Reader:
    """The sending side of a connection whose client reads when the test says so."""

    def __init__(self, name: str, gone: list[str]) -> None:
        self.name, self.gone = name, gone
        self.address = name[0]
        self.unsent = 0

    def count_unsent(self) -> int:
        return self.unsent

    def cut(self) -> None:
        self.gone.append(self.name)


def test_of_the_address_with_most_bytes_the_slowest_are_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    released: list[None] = []
    monkeypatch.setattr(backlogs, "RELEASE_AFTER", 0.0)
    monkeypatch.setattr(backlogs, "release_memory", lambda: released.append(None))

    async def script() -> None:
        gone, backlog = list[str](), Backlog(100)
        readers = {name: Reader(name, gone) for name in ("a1", "b1", "b2", "b3")}

        def write(name: str, size: int) -> None:
            readers[name].unsent += size
            backlog.note(readers[name], readers[name].unsent)

        for name, size in (("a1", 30), ("b1", 10), ("b2", 26), ("b3", 25)):
            write(name, size)
        assert (backlog.total, gone) == (91, [])
        write("b1", 12)
        assert not gone, "the system gets the bytes after this round of the event loop"
        await asyncio.sleep(0)
        assert gone == ["b2", "b3"], "address b had most before and after the first cut; a quarter is free again"
        assert backlog.total == 52
        write("b1", 50)
        await asyncio.sleep(0)
        assert gone == ["b2", "b3", "b1"]
        assert not released
        while not released:
            await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert len(released) == 1, "once for both cuts"

    asyncio.run(script())


def test_what_was_read_meanwhile_counts_no_more() -> None:
    async def script() -> None:
        gone, backlog = list[str](), Backlog(100)
        one, two = Reader("a1", gone), Reader("b1", gone)
        backlog.note(one, 90)
        one.unsent, two.unsent = 5, 60
        backlog.note(two, 60)
        await asyncio.sleep(0)
        assert (backlog.total, gone) == (65, [])
        backlog.note(two, 0)
        backlog.forget(one)
        backlog.forget(one)
        assert backlog.total == 0

    asyncio.run(script())


def test_memory_can_be_given_back() -> None:
    release_memory()


def test_sockets_that_do_not_read_wait_up_to_a_bound_together() -> None:
    async def script() -> None:
        counts = ConnectionCounts(Config(most_waiting_of_all=20_000), 1_000)
        wires = [open_wire(counts, address) for address in ("a", *"bbbbbbbb")]
        for _ in range(8):
            for wire, _ in wires:
                wire.send(b"x" * 1_000)
            for _ in range(2):
                await asyncio.sleep(0)
            assert sum(stuck.waiting for _, stuck in wires if not stuck.aborted) < 20_000
        assert not wires[0][1].aborted
        assert any(stuck.aborted for _, stuck in wires)
        for wire, stuck in wires:
            before = stuck.waiting
            wire.send(b"y")
            await asyncio.sleep(0)
            assert (stuck.waiting == before) == stuck.aborted, "who was cut gets nothing more"
            wire.connection_lost(None)
        assert counts.backlog.total == 0

    asyncio.run(script())


def test_answers_to_requests_count_too() -> None:
    async def script() -> None:
        stuck, backlog = Stuck(), Backlog(10_000)
        counted = OpenConnection("127.0.0.1", lambda: None)
        proxy = TransportProxy(stuck, counted, None, None, backlog)  # type: ignore[arg-type]
        proxy.write(b"x" * 9_000)
        assert (backlog.total, stuck.aborted) == (9_000, False)
        proxy.write(b"x" * 2_000)
        await asyncio.sleep(0)
        assert (backlog.total, stuck.aborted) == (0, True)

    asyncio.run(script())
