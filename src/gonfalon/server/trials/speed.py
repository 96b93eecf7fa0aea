"""`gonfalon bench server`: a real server process, real web sockets on loopback, random legal moves.

The server runs alone in its process, on a temporary database; the clients run in this process. There are two loads:
full speed (moves per second of the server's CPU time), and one move per second and match (latency). Deployments do not
count. The matches show how much room the database needs.
"""

from __future__ import annotations

import asyncio
import json as text_json
import random
import statistics
import sys
import time
from collections.abc import Callable, Iterable
from typing import Any, Protocol

import msgspec
from websockets.asyncio.client import ClientConnection, connect

from gonfalon.server.protocol.secrets import new_secret
from gonfalon.server.trials.packed import measure_room
from gonfalon.server.trials.processes.server import Trial, on_trial

VARIANT = "classic"
BUSY, CALM = 50, 100
"""Number of simultaneous matches under each load, with one client per seat."""
WINDOWS, WINDOW, LONG = 3, 4.0, 12.0
"""Number and seconds of the measurements under the first load; seconds of the measurement under the second load."""
PATIENCE = 300.0
"""Seconds after which a trial that still waits has failed. Compilation takes long."""


class Row(msgspec.Struct, frozen=True):
    """One line of results. `spread`: (maximum - minimum) / `value` over all measurements; 0 for a single one."""

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
    side: str = ""
    by: str = ""


_decoder = msgspec.json.Decoder(Heard)


class Player(Protocol):
    """Player of one seat."""

    async def play(self) -> None: ...


class Client:
    """A seat that plays random choices, with `pause` seconds before each move."""

    def __init__(self, port: int, match: str, invitation: str, tally: Tally, pause: float) -> None:
        self._url = f"ws://127.0.0.1:{port}/api/matches/{match}/socket"
        self._hello = {"type": "hello", "secret": new_secret(), "invitation": invitation}
        self._tally = tally
        self._pause = pause
        self._n = 0
        self._sent = 0.0
        self._waiting = False
        """Whether an act is not acknowledged yet; until then there are no new choices."""
        self._scene: dict[str, Any] = {}
        """The fields `arrange` and `started` of the scene."""

    async def play(self) -> None:
        """Deploy and play until the match is over."""
        async with connect(self._url, compression=None, max_size=None, ping_interval=None) as ws:
            await ws.send(text_json.dumps(self._hello))
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
                self._note_stored()
        elif heard.type == "refused":
            raise RuntimeError(f"a legal action was refused: {heard}")
        return heard.type == "ended"

    def _note_stored(self) -> None:
        self._tally.note(time.perf_counter() - self._sent)

    async def _decide(self, ws: ClientConnection, choices: list[dict[str, Any]]) -> None:
        """Arrange pieces or make a choice at random, if this seat is due."""
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
    """Number of moves, and for each move the seconds from sending to acknowledgement."""

    def __init__(self) -> None:
        self.moves = 0
        self.latencies: list[float] = []

    def note(self, seconds: float) -> None:
        """Count one more move, with its player's wait in seconds."""
        self.moves += 1
        self.latencies.append(seconds)


async def _keep_playing(trial: Trial, variant: str, players: int, tally: Tally, pause: float) -> None:
    """Play one match after another."""
    while True:
        await play_match(trial, variant, players, tally, pause)


async def play_match(trial: Trial, variant: str, players: int, tally: Tally, pause: float = 0) -> str:
    """Play a match with random moves to its end, one client per seat. Return its id."""
    wish = {"variant": variant, "seats": [{"kind": "person"}] * players}
    made = await asyncio.to_thread(trial.request, "/api/matches", wish)
    await play_all(Client(trial.port, made["match"], guest, tally, pause) for guest in made["invitations"].values())
    return str(made["match"])


async def play_all(clients: Iterable[Player]) -> None:
    """Run until all clients have played. If cancelled, this waits until all sockets are closed. `asyncio.gather` would
    return at the first one and leave the sockets open that a busy server closes later.
    """
    async with asyncio.TaskGroup() as group:
        for client in clients:
            group.create_task(client.play())


async def load(
    trial: Trial, variant: str, players: int, matches: int, pause: float
) -> tuple[Tally, list[asyncio.Task[None]]]:
    """Start a number of matches, with a pause before each move. Return their tally and tasks."""
    tally = Tally()
    tasks = [asyncio.create_task(_keep_playing(trial, variant, players, tally, pause)) for _ in range(matches)]
    await wait_until(lambda: tally.moves >= 2 * matches, tasks)
    return tally, tasks


def raise_failures(tasks: list[asyncio.Task[None]]) -> None:
    """Raise the error of a failed task."""
    for task in tasks:
        if task.done():
            task.result()


async def wait_until(done: Callable[[], bool], tasks: list[asyncio.Task[None]]) -> None:
    """Wait while the tasks go on. Raises the error of a failed task, and RuntimeError if waiting takes too long."""
    end = time.monotonic() + PATIENCE
    while not done():
        raise_failures(tasks)
        if time.monotonic() > end:
            raise RuntimeError(f"what was waited for has not come within {PATIENCE:.0f} s")
        await asyncio.sleep(0.05)


async def listen(seconds: float, tasks: list[asyncio.Task[None]], *tallies: Tally) -> None:
    """Let the tasks go on for some seconds. Afterwards the tallies hold only the waits of this time."""
    for tally in tallies:
        tally.latencies.clear()
    await asyncio.sleep(seconds)
    raise_failures(tasks)


async def stop(tasks: list[asyncio.Task[None]]) -> None:
    """End all tasks and close their sockets."""
    for task in tasks:
        task.cancel()
    results = await asyncio.gather(*tasks, return_exceptions=True)
    for result in results:
        if isinstance(result, Exception):
            raise result


async def _measure(trial: Trial, variant: str, players: int) -> list[Row]:
    rates, walls = [], []
    tally, tasks = await load(trial, variant, players, BUSY, 0)
    for _ in range(WINDOWS):
        moves, cpu, began = tally.moves, trial.read_cpu(), time.perf_counter()
        await asyncio.sleep(WINDOW)
        raise_failures(tasks)
        rates.append((tally.moves - moves) / (trial.read_cpu() - cpu))
        walls.append((tally.moves - moves) / (time.perf_counter() - began))
    await stop(tasks)
    tally, tasks = await load(trial, variant, players, CALM, 1.0)
    await listen(LONG, tasks, tally)
    waits = statistics.quantiles(tally.latencies, n=100)
    await stop(tasks)
    return [
        make_row(f"moves per CPU-second, {BUSY * players} clients", variant, rates, "1/s"),
        make_row(f"moves per second, {BUSY * players} clients", variant, walls, "1/s"),
        make_row(f"latency p50, {CALM * players} clients", variant, [waits[49] * 1000], "ms"),
        make_row(f"latency p99, {CALM * players} clients", variant, [waits[98] * 1000], "ms"),
        make_row("memory", variant, [trial.read_memory()], "MB"),
    ]


def make_row(name: str, variant: str, values: list[float], unit: str) -> Row:
    """Return a line of results: the median of several measurements, and their spread."""
    middle = statistics.median(values)
    return Row(name, variant, round(middle, 1), unit, round((max(values) - min(values)) / middle, 3))


def print_rows(rows: list[Row], json: bool) -> None:
    """Print a table, or one JSON list."""
    if json:
        print(msgspec.json.encode(rows).decode())
    else:
        for row in rows:
            print(f"{row.name:<40} {row.variant:<10} {row.value:>10.1f} {row.unit:<4} spread {row.spread:.1%}")


def run(json: bool = False, variant: str = VARIANT) -> list[Row]:
    """Measure, print the rows (a table, or one JSON list) and return them."""
    with on_trial() as trial:
        players = trial.request(f"/api/games/{variant}")["card"]["players"]
        rows = asyncio.run(_measure(trial, variant, players))
        as_rows, packed = measure_room(trial.file)
    rows += [
        make_row("stored match, as rows", variant, [as_rows], "kB"),
        make_row("stored match, packed", variant, [packed], "kB"),
    ]
    print_rows(rows, json)
    return rows


if __name__ == "__main__":
    run("--json" in sys.argv)
