"""Requests that are too slow, too large, too many, or sent by foreign pages."""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import InvalidStatus

from gonfalon.server.config import Config
from gonfalon.server.net.connection_counts import ConnectionCounts
from gonfalon.server.net.http_connections import HttpConnection
from gonfalon.server.trials.attack import attackers
from server.harness import Client, Server, running
from server.net.raw import Transport, flood, is_closed


@pytest.mark.parametrize(
    "half",
    [
        b"",
        b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ",
        b"POST /api/matches HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{",
    ],
    ids=["nothing", "half a head", "half a body"],
)
def test_half_a_request_is_ended(tmp_path: Path, half: bytes) -> None:
    with running(tmp_path, request_within=1.0) as server, attackers.plugged(server.port) as plugged:
        plugged.sendall(half)
        assert is_closed(plugged)


class HalfTaken(Transport):
    """A transport that counts what is written as unsent."""

    def __init__(self) -> None:
        super().__init__()
        self.unsent = 0
        self.aborted = False

    def get_extra_info(self, _name: str) -> tuple[str, int]:
        return ("127.0.0.1", 1)

    def get_write_buffer_size(self) -> int:
        return self.unsent

    def abort(self) -> None:
        self.aborted = True


@pytest.mark.parametrize("busy", [True, False], ids=["while it is made", "when it is made"])
def test_an_answer_may_be_taken_slowly_but_must_be_taken(busy: bool) -> None:
    async def script() -> None:
        config = Config(request_within=0.3)
        transport = HalfTaken()
        door = HttpConnection(lambda _: asyncio.Protocol(), ConnectionCounts(config, 1_000), config)
        door.connection_made(transport)  # type: ignore[arg-type]
        door.note_head()
        door.note_body()
        await asyncio.sleep(0.7)
        assert not transport.aborted, "the server may take its time"
        transport.unsent = 1_000
        if not busy:
            door.note_answer()
        for _ in range(70):
            transport.unsent -= 10
            await asyncio.sleep(0.01)
        assert not transport.aborted
        while not transport.aborted:
            await asyncio.sleep(0.01)

    asyncio.run(script())


def test_a_request_that_takes_long_to_answer_is_not_ended(tmp_path: Path) -> None:
    with running(tmp_path, request_within=0.2) as server:
        assert server.get("/api/games/special").status_code == 200


def test_a_head_is_bounded(server: Server) -> None:
    with attackers.plugged(server.port) as plugged:
        plugged.sendall(b"GET / HTTP/1.1\r\n")
        assert flood(plugged, b"X-Long: " + b"y" * 1_000 + b"\r\n", 60_000_000) < 30_000_000
        with contextlib.suppress(ConnectionResetError):  # the server closes without reading all that the client sent
            assert plugged.recv(100).startswith(b"HTTP/1.1 431 ")
        assert is_closed(plugged)


def test_requests_of_an_address_are_limited(tmp_path: Path) -> None:
    with running(tmp_path, request_rate=0.01, request_burst=3) as server:
        codes = [server.get("/healthz").status_code for _ in range(5)]
        assert codes == [200, 200, 200, 429, 429]
        problem = server.get("/healthz")
        assert problem.json()["line"]["code"] == "too-many"
        assert "content-security-policy" in problem.headers


def test_a_foreign_header_hides_no_address(tmp_path: Path) -> None:
    def ask(server: Server, number: int) -> int:
        return httpx.get(server.url("/healthz"), headers={"X-Forwarded-For": f"203.0.113.{number}"}).status_code

    with running(tmp_path / "open", request_rate=0.01, request_burst=2) as server:
        assert [ask(server, n) for n in range(4)] == [200, 200, 429, 429]
    with running(tmp_path / "proxy", request_rate=0.01, request_burst=2, trusted_proxies=["127.0.0.1"]) as server:
        assert [ask(server, n) for n in range(4)] == [200] * 4
        assert [ask(server, 1) for _ in range(2)] == [200, 429]


def test_an_origin_that_is_no_address_is_turned_away(server: Server) -> None:
    with pytest.raises(InvalidStatus) as refused:
        Client(server, server.match().id, origin="http://[")
    assert refused.value.response.status_code == 403
