"""Speed of the engine on one core: CPU time, best of five runs.

Random play: whole matches from random deployments. Each action is drawn from the full list of legal actions; placements
do not count. Calls: single calls from Python. Starts: a new process until it has played a turn and compiled everything
that a server calls, with an empty cache (first use) and with a filled one.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

import gonfalon
from gonfalon.engine.chance import draw_all
from gonfalon.engine.game import Game, State
from gonfalon.engine.learning.batch import Batch
from gonfalon.engine.learning.starts import deploy_all, make_starts

Row = dict[str, Any]
"""One result: `name`, `variant`, `value` (the best run), `unit`, `spread` (difference of the best and the worst run, as
a share of `value`).
"""
RUNS = 5
MATCHES = 400
"""Number of matches in a run of random play."""
CALLS = 20_000
ADDITIONS = 2_000_000
"""Number of additions in a run of the yardstick."""
EVALUATOR: dict[str, bool | int] = {"two_square_limit": 0, "chase_rule": False}
"""House rules of programs that compare players: no rule against repetition."""
EVALUATED = "original"
MEASURED = ("classic", "original", "cardgame", "conquest")
"""Variants whose calls and starts are measured. Random play is measured for every variant."""
LOOPED = ("classic", "original")
"""Variants for which loops as a user would write them in Python are measured."""
LOOP = 40_000
"""Number of moves in a run of a Python loop."""
START = "import sys, gonfalon; from gonfalon.cli.terminal.study import exercise; exercise(gonfalon.make(sys.argv[1]))"
PLAIN_PLAY = "import sys; from gonfalon.cli.measure.speed import print_uncompiled; print_uncompiled(sys.argv[1])"


Part = tuple[str, Callable[[], list[Row]]]
"""A name, and a function that measures rows."""


def list_parts(variant: str = "") -> list[Part]:
    """Return everything to measure, in the order of printing. `variant`: measure only this one."""
    played = (variant,) if variant else tuple(gonfalon.variants())
    measured, looped = ((variant,), tuple({variant} & set(LOOPED))) if variant else (MEASURED, LOOPED)
    parts: list[Part] = [("yardstick", lambda: [measure_yardstick()])]
    parts += [(f"{each}: random play", partial(_measure_one_play, each)) for each in played]
    if not variant or variant == EVALUATED:
        parts += [(f"{EVALUATED}: evaluator rules", _measure_evaluator)]
    parts += [(f"{each}: random play, uncompiled", partial(_measure_one_uncompiled, each)) for each in looped]
    parts += [(f"{each}: calls", partial(_measure_with, measure_calls, each)) for each in measured]
    parts += [(f"{each}: loops", partial(_measure_with, measure_loops, each)) for each in looped]
    parts += [(f"{each}: starts", partial(measure_starts, each)) for each in measured]
    return parts


def _measure_one_play(variant: str) -> list[Row]:
    return [measure_play(variant, gonfalon.make(variant))]


def _measure_evaluator() -> list[Row]:
    return [measure_play(f"{EVALUATED}, evaluator rules", gonfalon.make(EVALUATED, **EVALUATOR))]


def _measure_one_uncompiled(variant: str) -> list[Row]:
    return [measure_uncompiled(variant)]


def _measure_with(measure: Callable[[str, Game], list[Row]], variant: str) -> list[Row]:
    return measure(variant, gonfalon.make(variant))


def take_best(name: str, variant: str, unit: str, run: Callable[[], float], runs: int = RUNS) -> Row:
    """Return the best of several runs: the highest rate or the shortest duration."""
    values = [run() for _ in range(runs)]
    value = max(values) if unit.endswith("/s") else min(values)
    spread = (max(values) - min(values)) / value
    return {"name": name, "variant": variant, "value": value, "unit": unit, "spread": spread}


def measure_yardstick() -> Row:
    """Measure additions per second in a plain Python loop. This shows how fast the machine is at the moment."""

    def run() -> float:
        begin, total = time.process_time(), 0
        for number in range(ADDITIONS):
            total += number
        return ADDITIONS / (time.process_time() - begin)

    return take_best("yardstick: a Python loop", "-", "additions/s", run)


# ---- random play --------------------------------------------------------------------------------------------------


def measure_play(label: str, game: Game, matches: int = MATCHES, runs: int = RUNS, name: str = "random play") -> Row:
    """Measure moves per CPU-second of the compiled random play, from the first move to the end of each match."""
    starts = make_starts(game, "uniform", matches, np.random.default_rng(1))
    play_out(game, starts[:1].copy(), 0)

    def run() -> float:
        batch = starts.copy()
        begin = time.process_time()
        moves = play_out(game, batch, 1)
        return moves / (time.process_time() - begin)

    return take_best(name, label, "moves/s", run, runs)


def play_out(game: Any, batch: State, seed: int) -> int:
    """Play every row to its end. Return the number of moves."""
    kernels = game.kernels
    counter = np.array([seed], np.uint64)
    return sum(kernels.random_play(batch, i, game.rules, counter, game.info.longest) for i in range(len(batch)))


def measure_uncompiled(variant: str) -> Row:
    """Measure random play with the rules as plain Python, in a separate process."""
    values = [float(_run(PLAIN_PLAY, variant, GONFALON_PLAIN="1").split()[-1]) for _ in range(3)]
    spread = (max(values) - min(values)) / max(values)
    return {
        "name": "random play, uncompiled",
        "variant": variant,
        "value": max(values),
        "unit": "moves/s",
        "spread": spread,
    }


def print_uncompiled(variant: str) -> None:
    """Print the moves per CPU-second of one match. Run this in a process that compiles nothing."""
    game = gonfalon.make(variant, max_turns=300)
    print(measure_play(variant, game, matches=1, runs=1)["value"])


# ---- calls --------------------------------------------------------------------------------------------------------


def measure_calls(variant: str, game: Any) -> list[Row]:
    """Measure microseconds per call from Python, over the positions of random matches."""
    steps = list(islice(_walk_matches(game), CALLS))
    kernels, rules = game.kernels, game.rules
    measured: tuple[tuple[str, Callable[[State, int, int], object]], ...] = (
        ("legal actions, kernel", lambda state, player, _: kernels.legal(state, 0, rules, player)),
        ("legal actions, interface", lambda state, player, _: game.legal_actions(state, player)),
        ("apply, interface", game.apply),
    )
    return [take_best(name, variant, "us/call", partial(_time_calls, call, steps)) for name, call in measured]


def _time_calls(call: Callable[[State, int, int], object], steps: list[tuple[State, int, int]]) -> float:
    begin = time.process_time()
    for state, player, action in steps:
        call(state, player, action)
    return (time.process_time() - begin) / len(steps) * 1e6


def _walk_matches(game: Game) -> Iterator[tuple[State, int, int]]:
    rng = np.random.default_rng(2)
    while True:
        state = deploy_all(game, rng, "uniform")
        while actors := game.to_act(state := draw_all(game, state, rng)):
            action = int(rng.choice(game.legal_actions(state, actors[0])))
            yield state, actors[0], action
            state = game.apply(state, actors[0], action)


# ---- loops --------------------------------------------------------------------------------------------------------


def measure_loops(variant: str, game: Game) -> list[Row]:
    """Measure moves per CPU-second of loops as a user would write them in Python. Each action is drawn from the full
    list of legal actions. One loop makes a new state for each move (`to_act`, `legal_actions`, `apply`), the other
    plays in place (`Batch.legal`, `Batch.step`).
    """
    start = deploy_all(game, np.random.default_rng(1), "uniform")
    points = np.random.default_rng(3).random(LOOP).tolist()
    loops: tuple[tuple[str, Callable[[], object]], ...] = (
        ("Python loop, new states", lambda: _play_anew(game, start, points)),
        ("Python loop, batch of 256", lambda: _play_batch(game)),
    )
    return [take_best(name, variant, "moves/s", partial(_rate, loop)) for name, loop in loops]


def _rate(loop: Callable[[], object]) -> float:
    begin = time.process_time()
    loop()
    return LOOP / (time.process_time() - begin)


def _play_anew(game: Game, start: State, points: list[float]) -> None:
    """Play matches from `start`, one move for each of `points`."""
    state = start
    for point in points:
        while not (actors := game.to_act(state)):
            state = start
        legal = game.legal_actions(state, actors[0])
        state = game.apply(state, actors[0], legal[int(point * len(legal))])


def _play_batch(game: Game) -> None:
    """Play matches of a batch by random actions, about as many as the other loops play moves."""
    rng = np.random.default_rng(3)
    with Batch(game, 256, deploy="sensible") as batch:
        for _ in range(LOOP // len(batch)):
            legal = batch.legal()
            counts = np.diff(legal.offsets)
            chosen = legal.offsets[:-1] + (rng.random(len(batch)) * counts).astype(np.int64)
            batch.step(legal.actions[np.minimum(chosen, len(legal.actions) - 1)])


# ---- starting -----------------------------------------------------------------------------------------------------


def measure_starts(variant: str) -> list[Row]:
    """Measure seconds (wall clock) until a new process has played a turn, with an empty and with a filled cache."""
    later = []
    first = []
    for _ in range(2):
        with tempfile.TemporaryDirectory() as folder:
            first.append(_time_start(variant, folder))
            later += [_time_start(variant, folder) for _ in range(3)]
    return [
        {
            "name": name,
            "variant": variant,
            "value": min(found),
            "unit": "s",
            "spread": (max(found) - min(found)) / min(found),
        }
        for name, found in (("first use, compiling", first), ("later start", later))
    ]


def _time_start(variant: str, cache: str) -> float:
    begin = time.perf_counter()
    _run(START, variant, NUMBA_CACHE_DIR=cache)
    return time.perf_counter() - begin


def _run(script: str, variant: str, **environment: str) -> str:
    source = str(Path(gonfalon.__file__).parents[1])
    known = {**os.environ, "PYTHONPATH": source, **environment}
    known.pop("PYTHONDONTWRITEBYTECODE", None)  # let a start read Python's bytecode, as after an installation
    # The numbers of the random generator wrap around. When nothing is compiled, NumPy warns of this.
    command = [sys.executable, "-W", "ignore:overflow:RuntimeWarning", "-c", script, variant]
    done = subprocess.run(command, env=known, check=True, stdout=subprocess.PIPE, text=True)  # noqa: S603 - this Python
    return done.stdout
