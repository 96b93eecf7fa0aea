"""`gonfalon bench soak`: many simultaneous matches, one after another, for minutes; then the server's memory,
descriptors and tasks. They show leaks.
"""

from __future__ import annotations

import asyncio
import time

import msgspec

from gonfalon.server.trials.processes.server import Trial, on_trial
from gonfalon.server.trials.speed import Tally, load, raise_failures, stop

VARIANT = "barrage"
PAUSE = 0.5
"""Seconds before each move."""
LOOKS = 6
"""Number of intervals between the first and the last measurement under load."""
QUIET = 60.0
"""Maximum number of seconds until the server must have released everything."""


class Look(msgspec.Struct, frozen=True):
    """Resources that the server uses at one moment."""

    when: str
    moves: int
    memory: float
    """Megabytes."""
    files: int
    tasks: int


def _look(trial: Trial, when: str, moves: int) -> Look:
    look = Look(when, moves, trial.read_memory(), trial.count_files(), trial.count_tasks())
    line = f"{look.moves:>9} moves {look.memory:>8.1f} MB {look.files:>6} descriptors {look.tasks:>6} tasks"
    print(f"{when:<16}{line}", flush=True)
    return look


async def _soak(trial: Trial, variant: str, matches: int, minutes: float) -> list[Look]:
    players = trial.request(f"/api/games/{variant}")["card"]["players"]
    looks = [await asyncio.to_thread(_look, trial, "before", 0)]
    tally, tasks = await load(trial, variant, players, matches, PAUSE)
    for number in range(LOOKS + 1):
        when = f"{number * minutes / LOOKS:.1f} minutes"
        looks.append(await asyncio.to_thread(_look, trial, when, tally.moves))
        if number < LOOKS:
            await asyncio.sleep(minutes * 60 / LOOKS)
            raise_failures(tasks)
            tally.latencies.clear()
    await stop(tasks)
    looks.append(await _await_quiet(trial, looks[0], tally))
    return looks


async def _await_quiet(trial: Trial, before: Look, tally: Tally) -> Look:
    """Measure once more when the clients are gone, or at the latest after `QUIET` seconds."""
    end = time.monotonic() + QUIET
    while time.monotonic() < end and await asyncio.to_thread(trial.count_tasks) > before.tasks:
        await asyncio.sleep(1)
    return await asyncio.to_thread(_look, trial, "all have left", tally.moves)


def run(matches: int, minutes: float, database: str = "", variant: str = VARIANT) -> list[Look]:
    """Print the measurements and return them."""
    with on_trial(database) as trial:
        return asyncio.run(_soak(trial, variant, matches, minutes))
