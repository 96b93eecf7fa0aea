"""What `gonfalon bench server` runs: a real server process, real web sockets on loopback, random legal moves.

The server runs alone in its process, on a temporary database; the clients are in this one. Two loads: as fast as it
goes (moves per second of the server's CPU time), and one move a second a match (latency). Deployments are not counted.
"""

from __future__ import annotations

import asyncio
import contextlib
import json as text_json
import os
import random
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from websockets.asyncio.client import ClientConnection, connect

VARIANT = "classic"
BUSY, CALM = 50, 100
"""Matches at the same time under either load, a client for each seat."""
WINDOWS, WINDOW, LONG = 3, 4.0, 12.0
"""Measurements of the first load, and how long each and the second load last, in seconds."""
_SERVE = """
import sys, json
from pathlib import Path
from gonfalon.server.app import serve
from gonfalon.server.config import Config
free = dict(message_rate=1e6, message_burst=10**6, create_rate=1e6, create_burst=10**6)
serve(port=int(sys.argv[1]), config=Config(data=Path(sys.argv[2]), **free))
"""


class Row(msgspec.Struct, frozen=True):
    """One line of results. `spread`: the width of all measurements as a part of `value`; 0 for a single one."""

    name: str
    variant: str
    value: float
    unit: str
    spread: float


class Heard(msgspec.Struct):
    """The parts of a server's message that a client needs."""

    type: str
    n: int = 0
    choices: list[dict[str, Any]] = []
    now: dict[str, Any] = {}
    patch: dict[str, Any] = {}


_decoder = msgspec.json.Decoder(Heard)


class Client:
    """One seat that plays random choices; `pause` seconds before each move."""

    def __init__(self, port: int, match: str, secret: str, tally: Tally, pause: float) -> None:
        self._url = f"ws://127.0.0.1:{port}/api/matches/{match}/socket"
        self._secret = secret
        self._tally = tally
        self._pause = pause
        self._n = 0
        self._sent = 0.0
        self._waiting = False
        """For an answer to its last action; what can be done is told anew after that."""
        self._scene: dict[str, Any] = {}
        """`arrange` and `started` of the scene."""

    async def play(self) -> None:
        """Deploys and plays until the match is over."""
        async with connect(self._url, compression=None, max_size=None, ping_interval=None) as ws:
            await ws.send(text_json.dumps({"type": "hello", "secret": self._secret}))
            async for data in ws:
                if await self._hear(ws, _decoder.decode(data)):
                    return

    async def _hear(self, ws: ClientConnection, heard: Heard) -> bool:
        if heard.type in ("welcome", "update"):
            self._scene |= heard.now.get("scene") or heard.patch.get("rest") or {}
            if not self._waiting:
                await self._decide(ws, heard.choices or heard.now.get("choices", []))
        elif heard.type == "stored":
            self._waiting = False
            if self._scene["started"]:
                self._tally.moves += 1
                self._tally.latencies.append(time.perf_counter() - self._sent)
        elif heard.type == "refused":
            raise RuntimeError(f"a legal action was refused: {heard}")
        return heard.type == "ended"

    async def _decide(self, ws: ClientConnection, choices: list[dict[str, Any]]) -> None:
        """Arranges pieces or chooses at random, if it is due."""
        arrange = self._scene["arrange"]
        if arrange:
            pieces = [piece["action"] for piece in arrange["pieces"] for _ in range(piece["count"])]
            random.shuffle(pieces)
            await self._act(ws, pieces[: len(arrange["places"])])
        elif choices:
            if self._pause and self._scene["started"]:
                await asyncio.sleep(self._pause)
            await self._act(ws, [random.choice(choices)["id"]])

    async def _act(self, ws: ClientConnection, actions: list[int]) -> None:
        self._n += 1
        self._waiting = True
        self._sent = time.perf_counter()
        await ws.send(text_json.dumps({"type": "act", "n": self._n, "actions": actions}))


class Tally:
    """Moves made and seconds from sending each to hearing that it is stored."""

    def __init__(self) -> None:
        self.moves = 0
        self.latencies: list[float] = []


def _request(port: int, path: str, body: object = None) -> Any:
    data = None if body is None else text_json.dumps(body).encode()
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", data, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=120) as answer:  # noqa: S310 - loopback
        return text_json.loads(answer.read())


async def _keep_playing(port: int, variant: str, players: int, tally: Tally, pause: float) -> None:
    """A client a seat, match after match."""
    wish = {"variant": variant, "seats": [{"kind": "person"}] * players}
    while True:
        made = await asyncio.to_thread(_request, port, "/api/matches", wish)
        clients = [Client(port, made["match"], secret, tally, pause) for secret in made["secrets"].values()]
        await asyncio.gather(*(client.play() for client in clients))


@contextlib.contextmanager
def _server() -> Iterator[tuple[int, int]]:
    """A server on a free port; gives the port and the process id."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.Popen([sys.executable, "-c", _SERVE, str(port), folder])  # noqa: S603 - this Python
        try:
            _await_start(port, process)
            yield port, process.pid
        finally:
            process.terminate()
            process.wait(15)


def _await_start(port: int, process: subprocess.Popen[bytes]) -> None:
    for _ in range(600):
        if process.poll() is not None:
            raise RuntimeError(f"the server ended with status {process.returncode}")
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.1)
    raise RuntimeError("the server does not start")


def _cpu(pid: int) -> float:
    """CPU seconds that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _memory(pid: int) -> float:
    """Resident megabytes of a process."""
    lines = Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines()
    return int(next(line for line in lines if line.startswith("VmRSS")).split()[1]) / 1024


async def _load(
    port: int, variant: str, players: int, matches: int, pause: float
) -> tuple[Tally, list[asyncio.Task[None]]]:
    tally = Tally()
    tasks = [asyncio.create_task(_keep_playing(port, variant, players, tally, pause)) for _ in range(matches)]
    while tally.moves < 2 * matches:
        _raise(tasks)
        await asyncio.sleep(0.1)
    return tally, tasks


def _raise(tasks: list[asyncio.Task[None]]) -> None:
    for task in tasks:
        if task.done():
            task.result()


async def _stop(tasks: list[asyncio.Task[None]]) -> None:
    for task in tasks:
        task.cancel()
    for result in await asyncio.gather(*tasks, return_exceptions=True):
        if isinstance(result, Exception):
            raise result


async def _measure(port: int, pid: int, variant: str, players: int) -> list[Row]:
    rates, walls = [], []
    tally, tasks = await _load(port, variant, players, BUSY, 0)
    for _ in range(WINDOWS):
        moves, cpu, began = tally.moves, _cpu(pid), time.perf_counter()
        await asyncio.sleep(WINDOW)
        _raise(tasks)
        rates.append((tally.moves - moves) / (_cpu(pid) - cpu))
        walls.append((tally.moves - moves) / (time.perf_counter() - began))
    await _stop(tasks)
    tally, tasks = await _load(port, variant, players, CALM, 1.0)
    tally.latencies.clear()
    await asyncio.sleep(LONG)
    _raise(tasks)
    waits = statistics.quantiles(tally.latencies, n=100)
    await _stop(tasks)
    return [
        _row(f"moves per CPU-second, {BUSY * players} clients", variant, rates, "1/s"),
        _row(f"moves per second, {BUSY * players} clients", variant, walls, "1/s"),
        _row(f"latency p50, {CALM * players} clients", variant, [waits[49] * 1000], "ms"),
        _row(f"latency p99, {CALM * players} clients", variant, [waits[98] * 1000], "ms"),
        _row("memory", variant, [_memory(pid)], "MB"),
    ]


def _row(name: str, variant: str, values: list[float], unit: str) -> Row:
    middle = statistics.median(values)
    return Row(name, variant, round(middle, 1), unit, round((max(values) - min(values)) / middle, 3))


def run(json: bool = False, variant: str = VARIANT) -> list[Row]:
    """Measures, prints the rows (a table, or one JSON list) and returns them."""
    with _server() as (port, pid):
        players = _request(port, f"/api/games/{variant}")["card"]["players"]
        rows = asyncio.run(_measure(port, pid, variant, players))
    if json:
        print(msgspec.json.encode(rows).decode())
    else:
        for row in rows:
            print(f"{row.name:<36} {row.variant:<10} {row.value:>10.1f} {row.unit:<4} spread {row.spread:.1%}")
    return rows


if __name__ == "__main__":
    run("--json" in sys.argv)
