"""`gonfalon bench server --analysis`: time that players wait for answers, with and without a running analysis. Some
play against the computer, most against each other. Measurements with and without an analysis alternate.
"""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import statistics
import threading
from collections.abc import Iterator

import msgspec

from gonfalon.server.trials.asking import Answers, ask_on
from gonfalon.server.trials.processes.server import Trial, on_trial
from gonfalon.server.trials.speed import (
    PATIENCE,
    VARIANT,
    Row,
    Tally,
    listen,
    load,
    make_row,
    play_match,
    print_rows,
    stop,
    wait_until,
)

PEOPLE, COMPUTERS = 30, 6
"""Number of simultaneous matches between people, and against the computer."""
AGENT = "greedy"
"""An agent that answers almost at once, so that the wait for its process becomes visible."""
PAUSE = 1.0
WINDOWS, WINDOW = 3, 20.0
"""Number of measurements of each kind, and seconds of each."""


@contextlib.contextmanager
def _asking(trial: Trial, match: str, side: str) -> Iterator[http.client.HTTPResponse]:
    """Yield the reports of an analysis. Leaving the block ends it."""
    connection = http.client.HTTPConnection("127.0.0.1", trial.port, timeout=PATIENCE)
    try:
        connection.request("POST", f"/api/matches/{match}/analyses/{side}")
        answer = connection.getresponse()
        if answer.status != 200:
            raise RuntimeError(f"no analysis: {answer.status}")
        yield answer
    finally:
        connection.close()


@contextlib.contextmanager
def _analysing(trial: Trial, match: str) -> Iterator[None]:
    """Analyse one side's decisions again and again while the block runs."""
    over = threading.Event()

    def follow() -> None:
        while not over.is_set():
            with _asking(trial, match, "red") as answer:
                while not over.is_set() and answer.readline():
                    pass

    thread = threading.Thread(target=follow)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def _begin_one(trial: Trial, match: str) -> None:
    """Analyse at least one decision, so that everything is compiled."""
    with _asking(trial, match, "blue") as answer:
        while (line := answer.readline()) and not msgspec.json.decode(line)["done"]:
            pass


async def _measure(trial: Trial, variant: str) -> list[Row]:
    matches = [await play_match(trial, variant, 2, Tally()) for _ in range(WINDOWS)]
    await asyncio.to_thread(_begin_one, trial, matches[0])
    people, tasks = await load(trial, variant, 2, PEOPLE, PAUSE)
    asking = Answers()
    tasks += [asyncio.create_task(ask_on(trial, variant, AGENT, asking, PAUSE)) for _ in range(COMPUTERS)]
    await wait_until(lambda: asking.moves >= 2 * COMPUTERS, tasks)
    waits: dict[tuple[str, str], list[list[float]]] = {}
    for match in matches:
        for state in ("no analysis", "an analysis"):
            with _analysing(trial, match) if state == "an analysis" else contextlib.nullcontext():
                await listen(WINDOW, tasks, people, asking)
                for who, tally in (("people", people), ("computer", asking)):
                    waits.setdefault((who, state), []).append(statistics.quantiles(tally.latencies, n=100))
    await stop(tasks)
    return [
        make_row(f"{who}, {state}, p{percent}", variant, [window[percent - 1] * 1000 for window in windows], "ms")
        for (who, state), windows in waits.items()
        for percent in (50, 99)
    ]


def run(json: bool = False, variant: str = VARIANT) -> list[Row]:
    """Measure, print the rows (a table, or one JSON list) and return them."""
    with on_trial() as trial:
        rows = asyncio.run(_measure(trial, variant))
    print_rows(rows, json)
    return rows
