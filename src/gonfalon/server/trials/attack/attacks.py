"""`gonfalon bench server --attack`: how long a player waits while attackers use the server at full speed, compared with
a quiet server; the cost of replays; and the effects of very many hostile frames.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import statistics
import subprocess
import sys
import time
import urllib.error
from collections.abc import Iterator
from typing import Any

import msgspec
from websockets.asyncio.client import ClientConnection, connect

from gonfalon.server.protocol.secrets import new_secret
from gonfalon.server.trials.attack import attackers, bounds
from gonfalon.server.trials.attack.kinds import KINDS, REMATCHES
from gonfalon.server.trials.processes.server import Trial, on_trial
from gonfalon.server.trials.speed import Client, Tally, play_all

BEGUN = 2.5
"""Seconds until an attacker has opened all its sockets."""
SECONDS = 9.0
"""Length of each measurement, in seconds."""
PAUSE = 0.06
"""Seconds between two questions of the player; a socket may send 20 messages a second."""
HOSTILE = 1_000_000
LONG = "conquest"
"""Variant whose matches have the largest replays."""
ON_LONG = ("spectators from the start", "replays", "records", "pages of a match")
"""Attacks on a long match that is over."""


class Figures(msgspec.Struct, frozen=True):
    """A player's waits in milliseconds: for the answer to a question, and for an HTTP request (`page`)."""

    attack: str
    p50: float
    p99: float
    worst: float
    page: float
    cpu: float
    """CPU use of the server, as a share of one core."""
    memory: float
    """Memory of the server, in megabytes."""


@contextlib.contextmanager
def _attacking(kind: str, trial: Trial, match: str) -> Iterator[None]:
    """Run an attacker in a separate process. With an empty `kind`, run none."""
    if not kind:
        yield
        return
    command = [sys.executable, "-m", "gonfalon.server.trials.attack.kinds", kind, str(trial.port), match]
    process = subprocess.Popen(command)  # noqa: S603 - this Python
    try:
        yield
    finally:
        process.kill()
        process.wait()


async def _measure(trial: Trial, match: str, hello: dict[str, Any], kind: str, target: str) -> Figures:
    """Measure questions of a player of `match` and HTTP requests, during an attack on the match `target`."""
    waits: list[float] = []
    pages: list[float] = []
    async with connect(_address(trial, match), compression=None, max_size=None, ping_interval=None) as ws:
        await ws.send(json.dumps(hello))
        with _attacking(kind, trial, target):
            await asyncio.sleep(BEGUN)
            cpu, began = trial.read_cpu(), time.perf_counter()
            loading = asyncio.create_task(_load_page(trial, pages))
            while time.perf_counter() - began < SECONDS:
                waits.append(await _ask(ws))
                await asyncio.sleep(PAUSE)
            used = (trial.read_cpu() - cpu) / (time.perf_counter() - began)
            loading.cancel()
    cuts = statistics.quantiles(waits, n=100, method="inclusive")
    page = max(pages) if pages else float("inf")
    return Figures(kind or "none", cuts[49], cuts[98], max(waits), page, used, trial.read_memory())


async def _ask(ws: ClientConnection) -> float:
    """Return the milliseconds until the match answers a player's question."""
    sent = time.perf_counter()
    await ws.send('{"type":"why","path":["a1"]}')
    while json.loads(await ws.recv())["type"] != "refused":
        pass
    return (time.perf_counter() - sent) * 1000


async def _load_page(trial: Trial, pages: list[float]) -> None:
    """Append the milliseconds of each load to `pages`. Requests refused by the rate limit of this address do not
    count.
    """
    while True:
        began = time.perf_counter()
        with contextlib.suppress(urllib.error.HTTPError):
            await asyncio.to_thread(trial.request, "/api/agents")
            pages.append((time.perf_counter() - began) * 1000)
        await asyncio.sleep(0.25)


def _address(trial: Trial, match: str) -> str:
    return f"ws://127.0.0.1:{trial.port}/api/matches/{match}/socket"


def _make_match(trial: Trial, variant: str) -> tuple[str, list[str]]:
    """Make a match of persons. Return its id and the invitations of its seats."""
    players = trial.request(f"/api/games/{variant}")["card"]["players"]
    made = trial.request("/api/matches", {"variant": variant, "seats": [{"kind": "person"}] * players})
    return made["match"], list(made["invitations"].values())


async def _play_out(trial: Trial, variant: str) -> str:
    """Play a match with random moves to its end. Return its id."""
    match, invitations = await asyncio.to_thread(_make_match, trial, variant)
    await play_all(Client(trial.port, match, each, Tally(), 0) for each in invitations)
    return match


# ---- parts ---------------------------------------------------------------------------------------------------------


async def attack_all(trial: Trial, long_match: str) -> list[Figures]:
    """Run every kind of attack, with a quiet measurement before and after. The server has its default limits."""
    match, invitations = await asyncio.to_thread(_make_match, trial, "barrage")
    hello = {"type": "hello", "secret": new_secret(), "invitation": invitations[0]}
    found = []
    for kind in ("", *KINDS, ""):
        target = long_match if kind in ON_LONG else match
        figures = await _measure(trial, match, hello, kind, target)
        found.append(figures)
        times = f"{figures.p50:>8.1f} {figures.p99:>8.1f} {figures.worst:>8.1f} {figures.page:>8.1f}"
        print(f"{figures.attack:<34} {times} {figures.cpu:>7.0%} {figures.memory:>7.0f}", flush=True)
    return found


def measure_replay(trial: Trial, match: str) -> None:
    """Print the size of the replay of a long match, and of its record."""
    record = attackers.call(trial.port, f"/api/matches/{match}/record")
    size = len(attackers.call(trial.port, f"/api/matches/{match}/replay"))
    lines = record.count(b"\n")
    print(f"\nreplay of {LONG}: record {len(record):,} bytes, {lines} lines; compressed {size:,} bytes")


async def send_hostile(trial: Trial) -> bool:
    """Send a million hostile frames as players, as a spectator and as strangers. Return whether the match is
    unchanged.
    """
    match, invitations = await asyncio.to_thread(_make_match, trial, "barrage")
    hellos = [{"type": "hello", "secret": new_secret(), "invitation": each} for each in invitations]
    before = [await _look(trial, match, hello) for hello in (*hellos, {"type": "hello"})]
    rng, memory = random.Random(1), trial.read_memory()
    frames = [attackers.make_hostile(rng) for _ in range(20_000)]
    firsts = [*(attackers.say(**hello) for hello in hellos), attackers.say(type="hello"), b""]
    sent = 0
    while sent < HOSTILE:
        for first in firsts:
            batch = rng.choices(frames, k=2_000)
            with contextlib.suppress(OSError), attackers.upgraded(trial.port, match, first) as plug:
                plug.settimeout(30)
                plug.sendall(b"".join(batch))
                sent += len(batch)
                plug.shutdown(1)
                while plug.recv(1 << 20):
                    pass
    after = [await _look(trial, match, hello) for hello in (*hellos, {"type": "hello"})]
    grown = trial.read_memory() - memory
    same = before == after
    print(f"\n{sent:,} hostile frames: match and scenes {'unchanged' if same else 'CHANGED'}, memory {grown:+.1f} MB")
    return same


async def _look(trial: Trial, match: str, hello: dict[str, Any]) -> Any:
    """Return everything in an observer's `Welcome` that hostile frames might change."""
    async with connect(_address(trial, match), compression=None, max_size=None, ping_interval=None) as ws:
        await ws.send(json.dumps(hello))
        while (message := json.loads(await ws.recv()))["type"] != "welcome":
            pass
    return message["now"], message["latest"], message["n"], message["offers"], message["ending"]


def run() -> bool:
    """Print all figures. Return whether the hostile frames left the match unchanged."""

    async def limited(trial: Trial) -> None:
        long_match = await _play_out(trial, LONG)
        print(f"{'attack':<34} {'p50 ms':>8} {'p99 ms':>8} {'worst':>8} {'page':>8} {'CPU':>7} {'MB':>7}")
        await attack_all(trial, long_match)
        await asyncio.to_thread(measure_replay, trial, long_match)
        match, _ = await asyncio.to_thread(_make_match, trial, "barrage")
        with _attacking("replays", trial, long_match):
            await asyncio.to_thread(bounds.share_replays, trial, long_match)
        await asyncio.to_thread(bounds.share_spectators, trial, match)
        with _attacking(REMATCHES, trial, match):
            await asyncio.to_thread(bounds.count_new_matches, trial)
        await bounds.find_longest_log(trial)

    async def free(trial: Trial) -> bool:
        match, _ = await asyncio.to_thread(_make_match, trial, "barrage")
        await asyncio.to_thread(bounds.stuff_deaf, trial, match)
        await asyncio.to_thread(bounds.load_matches, trial)
        return await send_hostile(trial)

    with on_trial(limited=True) as trial:
        asyncio.run(limited(trial))
    with on_trial() as trial:
        return asyncio.run(free(trial))
