"""`gonfalon bench lobby`: the lobby with 2,000 pages open, from several addresses of this machine.

Three things are measured: the processor's time while nothing happens, the time until a new challenge has reached every
page, and the waits of people who are paired, 50 pairs a second. The clients read frames by hand, because 2,000 clients
of a library would take longer than the server.
"""

from __future__ import annotations

import asyncio
import base64
import json as text_json
import os
import statistics
import time
from collections.abc import Callable
from functools import partial
from typing import cast

from gonfalon.server.net.connection_counts import raise_file_limit
from gonfalon.server.trials.attack.attackers import PONG, frame, make_guest, say
from gonfalon.server.trials.processes.server import Trial, on_trial
from gonfalon.server.trials.speed import Row, make_row, print_rows, wait_until

PAGES = 2_000
"""Default number of pages that only watch."""
A_ADDRESS = 100
"""Pages of one address."""
PEOPLE = 120
"""Number of people who are paired, again and again. They wait for several games, so that those who have just played are
not always paired with each other.
"""
IDLE = 25.0
"""Seconds without an act; a ping of each page falls into them."""
CHALLENGES, BETWEEN = 30, 0.5
"""Number of challenges measured, and seconds between them."""
PAIRS, PAIRING = 50, 12.0
"""Pairs that begin to wait in a second, and the seconds of this measurement."""
GAMES = ("duel", "barrage")
TEXT, PING = 0x81, 0x89
"""First bytes of whole frames of the server."""


def find_address(number: int) -> str:
    """Return the address of this machine from which page `number` comes."""
    return f"127.0.0.{2 + number // A_ADDRESS}"


class Page(asyncio.Protocol):
    """A page in the lobby. `hear` gets the text of each message."""

    def __init__(self, port: int, cookie: str, hear: Callable[[bytes], None]) -> None:
        lines = (
            "GET /api/lobby/socket HTTP/1.1",
            f"Host: 127.0.0.1:{port}",
            "Connection: Upgrade",
            "Upgrade: websocket",
            "Sec-WebSocket-Version: 13",
            f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}",
            *((f"Cookie: {cookie}",) if cookie else ()),
        )
        self._opening = "\r\n".join((*lines, "", "")).encode()
        self._hear = hear
        self._transport: asyncio.Transport = None  # type: ignore[assignment]  # set by connection_made
        self._rest = b""
        self._upgraded = False
        self.entered = False
        self.lost = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        self._transport.write(self._opening)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - how it went changes nothing
        self.lost = True

    def data_received(self, data: bytes) -> None:
        self._rest += data
        if not self._upgraded:
            head, end, self._rest = self._rest.partition(b"\r\n\r\n")
            if not end:
                self._rest = head
                return
            if b" 101 " not in head:
                raise RuntimeError(head.decode().partition("\r\n")[0])
            self._upgraded = True
            self.say(type="hello", window=os.urandom(8).hex())
        while (found := _split(self._rest)) is not None:
            kind, text, self._rest = found
            if kind == PING:
                self._transport.write(frame(PONG, text))
            elif kind == TEXT:
                self.entered = self.entered or text.startswith(b'{"type":"you"')
                self._hear(text)

    def say(self, **message: object) -> None:
        self._transport.write(say(**message))

    def close(self) -> None:
        self._transport.abort()


def _split(data: bytes) -> tuple[int, bytes, bytes] | None:
    """Return the first byte and the payload of the first frame of a server, and the rest; None if it is incomplete."""
    if len(data) < 2:
        return None
    size, start = data[1], 2
    if size >= 126:
        start = 4 if size == 126 else 10
        if len(data) < start:
            return None
        size = int.from_bytes(data[2:start], "big")
    end = start + size
    return (data[0], data[start:end], data[end:]) if len(data) >= end else None


async def open_page(trial: Trial, number: int, hear: Callable[[bytes], None], cookie: str = "") -> Page:
    """Open a page and wait until it is in the lobby. Raises RuntimeError, TimeoutError."""
    loop, address = asyncio.get_running_loop(), find_address(number)
    _, page = await loop.create_connection(
        lambda: Page(trial.port, cookie, hear), "127.0.0.1", trial.port, local_addr=(address, 0)
    )
    async with asyncio.timeout(60):
        while not page.entered:
            if page.lost:
                raise RuntimeError("the server has closed the socket of a page")
            await asyncio.sleep(0.01)
    return page


class Watchers:
    """The pages that only watch. They note when a challenge reaches them."""

    def __init__(self) -> None:
        self.pages: list[Page] = []
        self.reached: dict[bytes, list[float]] = {}
        """The times at which each page learned of a challenge that is being measured, by a part of its text."""

    async def open(self, trial: Trial, pages: int) -> None:
        for first in range(0, pages, A_ADDRESS):
            numbers = range(first, min(pages, first + A_ADDRESS))
            self.pages += await asyncio.gather(*(open_page(trial, number, self._hear) for number in numbers))

    def _hear(self, text: bytes) -> None:
        now = time.perf_counter()
        for mark, times in self.reached.items():
            if mark in text and b'"added"' in text:
                times.append(now)

    async def measure(self, maker: Page) -> list[float]:
        """Return the seconds until each page has learned of a challenge."""
        delays = list[float]()
        for number in range(CHALLENGES):
            # The greatest rating marks the challenge, since its id is not known yet.
            highest = 5_000 + number
            mark = f'"highest":{highest}'.encode()
            times = self.reached[mark] = []
            began = time.perf_counter()
            clock = {"kind": "bank", "bank": 300, "increment": 3}
            maker.say(type="post-challenge", terms={"variant": "duel", "clock": clock, "highest": highest})
            await wait_until(lambda times=times: len(times) >= len(self.pages), [])  # type: ignore[misc]
            delays += [at - began for at in times]
            del self.reached[mark]
            await asyncio.sleep(BETWEEN)
        return delays


class Maker:
    """The page that makes the challenges, and takes each back as soon as the server has confirmed it."""

    def __init__(self) -> None:
        self.page: Page | None = None

    def hear(self, text: bytes) -> None:
        if text.startswith(b'{"type":"your-challenge"') and self.page is not None:
            withdraw = partial(self.page.say, type="withdraw-challenge", id=text_json.loads(text)["challenge"]["id"])
            asyncio.get_running_loop().call_later(BETWEEN, withdraw)


class Seeker:
    """A person who is paired again and again."""

    def __init__(self) -> None:
        self.page: Page | None = None
        self.waits: list[float] = []
        self.since = 0.0
        """Time at which the person began to wait; 0 while not waiting."""

    def hear(self, text: bytes) -> None:
        if text.startswith(b'{"type":"paired"'):
            self.waits.append(time.perf_counter() - self.since)
            self.since = 0.0
        elif text.startswith(b'{"type":"refused"'):
            raise RuntimeError(f"a person could not wait for a game: {text.decode()}")

    def seek(self, game: str) -> None:
        assert self.page is not None
        self.since = time.perf_counter()
        self.page.say(type="seek", game=game)


async def _pair(trial: Trial) -> tuple[list[float], float]:
    """Let pairs wait for games. Return their waits in seconds, and the pairs made in a second."""
    seekers = [Seeker() for _ in range(PEOPLE)]
    for number, seeker in enumerate(seekers):
        cookie = await asyncio.to_thread(make_guest, trial.port, find_address(number * 10))
        seeker.page = await open_page(trial, number * 10, seeker.hear, cookie)
    await _warm(seekers)
    began, turn = time.perf_counter(), 0
    while (now := time.perf_counter()) < began + PAIRING:
        due, turn = int((now - began) * PAIRS), turn + 1
        done = sum(len(seeker.waits) + (seeker.since > 0) for seeker in seekers) // 2
        free = [seeker for seeker in seekers if not seeker.since]
        for number in range(min(due - done, len(free) // 2)):
            for seeker in (free[2 * number], free[2 * number + 1]):
                seeker.seek(GAMES[(turn + number) % len(GAMES)])
        await asyncio.sleep(0.01)
    waits = [wait for seeker in seekers for wait in seeker.waits]
    rate = len(waits) / 2 / (time.perf_counter() - began)
    for seeker in seekers:
        assert seeker.page is not None
        seeker.page.close()
    return waits, rate


async def _warm(seekers: list[Seeker]) -> None:
    """Let one pair play each game, so that it is compiled."""
    for game in GAMES:
        for seeker in seekers[:2]:
            seeker.seek(game)
        await wait_until(lambda: not any(seeker.since for seeker in seekers[:2]), [])
    for seeker in seekers[:2]:
        seeker.waits.clear()


async def _measure(trial: Trial, pages: int) -> list[Row]:
    watchers, maker = Watchers(), Maker()
    await watchers.open(trial, pages)
    cookie = await asyncio.to_thread(make_guest, trial.port, find_address(0))
    maker.page = await open_page(trial, 0, maker.hear, cookie)
    await asyncio.sleep(1)
    cpu, began = trial.read_cpu(), time.perf_counter()
    await asyncio.sleep(IDLE)
    idle = (trial.read_cpu() - cpu) / (time.perf_counter() - began)
    await watchers.measure(maker.page)  # the first round warms everything up
    delays = await watchers.measure(maker.page)
    cpu, began = trial.read_cpu(), time.perf_counter()
    waits, rate = await _pair(trial)
    load = (trial.read_cpu() - cpu) / (time.perf_counter() - began)
    lost = sum(page.lost for page in watchers.pages)
    if lost:
        raise RuntimeError(f"{lost} pages lost their connection")
    reach, pairing = statistics.quantiles(delays, n=100), statistics.quantiles(waits, n=100)
    return [
        make_row(f"idle, {pages} pages", "", [idle * 100], "%"),
        make_row("a challenge reaches a page, p50", "", [reach[49] * 1000], "ms"),
        make_row("a challenge reaches a page, p99", "", [reach[98] * 1000], "ms"),
        make_row("pairs made in a second", "", [rate], "1/s"),
        make_row("wait of two who fit, p50", "", [pairing[49] * 1000], "ms"),
        make_row("wait of two who fit, p99", "", [pairing[98] * 1000], "ms"),
        make_row("load while pairing", "", [load * 100], "%"),
        make_row("memory", "", [trial.read_memory()], "MB"),
    ]


def run(json: bool = False, pages: int = PAGES) -> list[Row]:
    """Measure, print the rows (a table, or one JSON list) and return them."""
    raise_file_limit()
    with on_trial() as trial:
        rows = asyncio.run(_measure(trial, pages))
    print_rows(rows, json)
    return rows
