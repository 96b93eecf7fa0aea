"""`gonfalon bench server --computer AGENT`: time that people wait for each act of the computer when many play against
it at once, and for moves of other people at that time. For comparison: moves of other people while no computer thinks.
"""

from __future__ import annotations

import asyncio
import statistics

from gonfalon.server.trials.asking import Answers, ask_on
from gonfalon.server.trials.processes.server import Trial, on_trial
from gonfalon.server.trials.speed import VARIANT, Row, Tally, listen, load, make_row, print_rows, stop, wait_until

MATCHES = 128
"""Default number of simultaneous matches against the computer."""
PEOPLE = 8
"""Number of simultaneous matches between people."""
PAUSE = 0.5
"""Seconds before each move of a person."""
WINDOW = 30.0
"""Length of each measurement, in seconds."""
FEWEST = 10
"""Minimum number of waits for a result."""


async def _measure(trial: Trial, variant: str, agent: str, matches: int) -> list[Row]:
    players = (await asyncio.to_thread(trial.request, f"/api/games/{variant}"))["card"]["players"]
    people, tasks = await load(trial, variant, players, PEOPLE, PAUSE)
    alone, answers = await _listen(tasks, people), Answers()
    tasks += [asyncio.create_task(ask_on(trial, variant, agent, answers, PAUSE)) for _ in range(matches)]
    await wait_until(lambda: answers.moves >= 2 * matches, tasks)  # by then everything is compiled
    beside = await _listen(tasks, people, answers)
    waiting = dict(answers.waiting)
    # Await the answers that are still missing; otherwise the slowest ones would not count.
    await wait_until(lambda: not waiting.items() & answers.waiting.items(), tasks)
    await stop(tasks)
    slowest = make_row(f"answer of {agent}, {matches} matches, slowest", variant, [max(answers.latencies) * 1000], "ms")
    return [
        *_make_rows("move of people, alone", variant, alone),
        *_make_rows(f"move of people, beside {agent}", variant, beside),
        *_make_rows(f"answer of {agent}, {matches} matches", variant, answers.latencies),
        slowest,
    ]


async def _listen(tasks: list[asyncio.Task[None]], people: Tally, *others: Tally) -> list[float]:
    """Return people's waits for their moves, in seconds. The measurement goes on until every tally has enough waits."""
    tallies = (people, *others)
    await listen(WINDOW, tasks, *tallies)
    await wait_until(lambda: all(len(tally.latencies) >= FEWEST for tally in tallies), tasks)
    return list(people.latencies)


def _make_rows(name: str, variant: str, waits: list[float]) -> list[Row]:
    percentiles = statistics.quantiles(waits, n=100, method="inclusive")
    return [make_row(f"{name}, p{percent}", variant, [percentiles[percent - 1] * 1000], "ms") for percent in (50, 99)]


def run(json: bool = False, variant: str = VARIANT, agent: str = "level-4", matches: int = MATCHES) -> list[Row]:
    """Measure, print the rows (a table, or one JSON list) and return them."""
    with on_trial() as trial:
        rows = asyncio.run(_measure(trial, variant, agent, matches))
    print_rows(rows, json)
    return rows
