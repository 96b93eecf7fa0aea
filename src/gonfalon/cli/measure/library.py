"""`gonfalon bench library`: speed of this library beside others, all in one run on one machine.

Every contender plays at random, and finds all legal actions before each step. A run takes about `RUN` seconds; the runs
of all contenders take turns, so other work on the machine disturbs all of them alike. Steps per second of processor
time count all threads; steps by the clock show what threads gain. The ratio is to the first row, by processor time.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import gonfalon
from gonfalon.engine.chance import draw_all
from gonfalon.engine.game import Game, State
from gonfalon.engine.learning.batch import Batch

VARIANT = "barrage"
RUN = 1.0
"""Seconds of processor time of a run, about."""
RUNS = 5
MATCHES = 256
"""Number of matches that are played side by side."""
FIRST = 64
"""Number of steps of the first run, which only measures how many steps the others take."""
Play = Callable[[int], int]
"""Plays about this number of steps; returns how many it were."""


class Contender(NamedTuple):
    """One row of the comparison."""

    name: str
    library: str
    needs: tuple[str, ...]
    """Modules without which it cannot run."""
    prepare: Callable[[str], Play]
    """Set everything up for a variant of ours. Its time does not count."""


class Result(NamedTuple):
    """The figures of a contender; `missing` names modules that are not installed, and then there are none."""

    name: str
    library: str
    missing: str = ""
    cpu: float = 0.0
    """Steps per second of processor time, in the best run."""
    wall: float = 0.0
    """Steps per second by the clock, in the best run."""
    spread: float = 0.0
    """Difference of the best and the worst run by processor time, as a share of the best."""
    ratio: float = 0.0


# ---- this library -------------------------------------------------------------------------------------------------


def play_steps(game: Game, look: Callable[[State, int], object]) -> Play:
    """Play single steps from Python. `look` is called with each state and the player who decides."""
    rng = np.random.default_rng(2)
    start = gonfalon.deploy_all(game, rng)
    state = start

    def play(steps: int) -> int:
        nonlocal state
        points = rng.random(steps).tolist()
        for point in points:
            state = draw_all(game, state, rng)
            while not (actors := game.to_act(state)):
                state = start
            player = actors[0]
            look(state, player)
            legal = game.legal_actions(state, player)
            state = game.apply(state, player, int(legal[int(point * len(legal))]))
        return steps

    return play


def prepare_loop(variant: str) -> Play:
    """Single steps."""
    return play_steps(gonfalon.make(variant), lambda _state, _player: None)


def prepare_masks(variant: str) -> Play:
    """Single steps, with a mask of the legal actions."""
    game = gonfalon.make(variant)
    mask = np.zeros(game.info.actions, np.int8)

    def look(state: State, player: int) -> None:
        mask[:] = 0
        mask[game.legal_actions(state, player)] = 1

    return play_steps(game, look)


def prepare_observations(variant: str) -> Play:
    """Single steps, with the planes of the player who decides."""
    game = gonfalon.make(variant)
    return play_steps(game, lambda state, player: game.encode(game.view(state, player)))


def prepare_batch(variant: str, threads: int = 1) -> Play:
    """Random play of whole matches side by side, inside the library."""
    batch = Batch(gonfalon.make(variant), MATCHES, threads=threads, deploy="sensible")

    def play(steps: int) -> int:
        played = 0
        while played < steps:
            batch.reset(batch.done)
            played += batch.play_randomly(max(1, steps // MATCHES))
        return played

    return play


def prepare_learning(variant: str, threads: int = 1, observes: bool = True, rows: int = MATCHES) -> Play:
    """Steps as a learner makes them: the observations as bytes if it `observes`, the masks, an action for each row."""
    game, rng = gonfalon.make(variant), np.random.default_rng(2)
    batch, form = Batch(game, rows, threads=threads, deploy="sensible"), game.form(dtype="uint8")
    planes, masks = form.make_buffer(rows), batch.masks()

    def play(steps: int) -> int:
        rounds = steps // rows + 1
        for points in rng.random((rounds, rows)):
            if observes:
                batch.observe(planes, form)
            batch.masks(masks)
            actions, offsets = batch.legal()
            chosen = offsets[:-1] + (points * np.diff(offsets)).astype(np.int64)
            batch.step(actions[np.minimum(chosen, len(actions) - 1)])
        return rounds * rows

    return play


# ---- other libraries ----------------------------------------------------------------------------------------------


def prepare_open_spiel(_variant: str) -> Play:
    """OpenSpiel's dark chess, which is written in C++, stepped from Python."""
    import pyspiel

    game, rng = pyspiel.load_game("dark_chess"), np.random.default_rng(2)
    state = game.new_initial_state()

    def play(steps: int) -> int:
        nonlocal state
        for point in rng.random(steps).tolist():
            if state.is_terminal():
                state = game.new_initial_state()
            legal = state.legal_actions()
            state.apply_action(legal[int(point * len(legal))])
        return steps

    return play


def prepare_pettingzoo(_variant: str) -> Play:
    """PettingZoo's chess, with its observations and masks."""
    from pettingzoo.classic import chess_v6

    env, rng = chess_v6.raw_env(), np.random.default_rng(2)
    env.reset(seed=1)

    def play(steps: int) -> int:
        for point in rng.random(steps).tolist():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.reset()
                observation = env.last()[0]
            legal = np.flatnonzero(observation["action_mask"])
            env.step(int(legal[int(point * len(legal))]))
        return steps

    return play


def prepare_pgx(_variant: str) -> Play:
    """PGX's Go on 9x9 on the processor, compiled by JAX: many matches side by side, restarted at their ends."""
    import jax
    import pgx
    from pgx.experimental import auto_reset

    length = 50
    env, cpu = pgx.make("go_9x9"), jax.devices("cpu")[0]
    step = jax.vmap(auto_reset(env.step, env.init))

    def advance(carry: Any, _: Any) -> tuple[Any, None]:
        state, key = carry
        key, chosen, reset = jax.random.split(key, 3)
        logits = jax.numpy.where(state.legal_action_mask, 0.0, -1e9)
        action = jax.random.categorical(chosen, logits, axis=-1)
        return (step(state, action, jax.random.split(reset, MATCHES)), key), None

    with jax.default_device(cpu):
        play_on = jax.jit(lambda state, key: jax.lax.scan(advance, (state, key), None, length=length)[0])
        key = jax.random.PRNGKey(2)
        state = jax.jit(jax.vmap(env.init))(jax.random.split(key, MATCHES))
        state, key = jax.block_until_ready(play_on(state, key))

    def play(steps: int) -> int:
        nonlocal state, key
        rounds = steps // (length * MATCHES) + 1
        for _ in range(rounds):
            state, key = jax.block_until_ready(play_on(state, key))
        return rounds * length * MATCHES

    return play


CONTENDERS = (
    Contender("single steps", "gonfalon", (), prepare_loop),
    Contender("single steps, masks", "gonfalon", (), prepare_masks),
    Contender("single steps, observations", "gonfalon", (), prepare_observations),
    Contender("batch, steps and masks", "gonfalon", (), partial(prepare_learning, observes=False)),
    Contender("batch, observations too", "gonfalon", (), prepare_learning),
    Contender("batch of 2048, the same", "gonfalon", (), partial(prepare_learning, rows=2048)),
    Contender("batch of 2048, two threads", "gonfalon", (), partial(prepare_learning, rows=2048, threads=2)),
    Contender("batch, random play", "gonfalon", (), prepare_batch),
    Contender("random play, two threads", "gonfalon", (), partial(prepare_batch, threads=2)),
    Contender("dark chess", "OpenSpiel", ("pyspiel",), prepare_open_spiel),
    Contender("chess", "PettingZoo", ("pettingzoo", "chess", "pygame"), prepare_pettingzoo),
    Contender("go 9x9, many at once", "PGX", ("jax", "pgx"), prepare_pgx),
)


# ---- measuring ----------------------------------------------------------------------------------------------------


def measure(variant: str, watch: Callable[[str], object], runs: int = RUNS) -> list[Result]:
    """Measure all contenders that are installed. `watch` gets the name of each part before it begins."""
    playing: dict[str, tuple[Play, int]] = {}
    missing = {each.name: [name for name in each.needs if find_spec(name) is None] for each in CONTENDERS}
    for each in CONTENDERS:
        watch(f"{each.library}: {each.name}")
        if not missing[each.name]:
            playing[each.name] = calibrate(each.prepare(variant))
    rates: dict[str, list[tuple[float, float]]] = {name: [] for name in playing}
    for number in range(runs):
        watch(f"run {number + 1}")
        for name, (play, steps) in playing.items():
            rates[name].append(find_rates(play, steps))
    base = max(cpu for cpu, _ in rates[CONTENDERS[0].name])
    return [_summarize(each, missing[each.name], rates.get(each.name, []), base) for each in CONTENDERS]


def count_parts(runs: int = RUNS) -> int:
    """Return how often `measure` calls `watch`."""
    return len(CONTENDERS) + runs


def calibrate(play: Play) -> tuple[Play, int]:
    """Return the number of steps that take about `RUN` seconds."""
    play(FIRST)
    steps = FIRST
    while True:
        begin = time.process_time()
        played = play(steps)
        taken = time.process_time() - begin
        if taken >= RUN / 10:
            return play, max(FIRST, int(played * RUN / taken))
        steps = played * 4


def find_rates(play: Play, steps: int) -> tuple[float, float]:
    """Return steps per second, by processor time and by the clock."""
    cpu, wall = time.process_time(), time.perf_counter()
    played = play(steps)
    return played / (time.process_time() - cpu), played / (time.perf_counter() - wall)


def _summarize(each: Contender, missing: list[str], rates: list[tuple[float, float]], base: float) -> Result:
    if not rates:
        return Result(each.name, each.library, ", ".join(missing))
    cpus = [cpu for cpu, _ in rates]
    spread = (max(cpus) - min(cpus)) / max(cpus)
    return Result(each.name, each.library, "", max(cpus), max(w for _, w in rates), spread, max(cpus) / base)


# ---- results ------------------------------------------------------------------------------------------------------


def write_table(results: list[Result]) -> Iterator[str]:
    """Yield the lines of a table."""
    yield f"{'':38}{'steps/s, processor':>20}{'spread':>8}{'ratio':>9}{'steps/s, clock':>18}"
    for each in results:
        name = f"{each.library}: {each.name}"
        if each.missing:
            yield f"{name:38}  not installed: {each.missing}"
        else:
            yield f"{name:38}{each.cpu:>20,.0f}{each.spread:>8.0%}{each.ratio:>9.2f}{each.wall:>18,.0f}"


def draw(results: list[Result], title: str, path: Path) -> None:
    """Draw the rates by processor time, on a logarithmic axis. Raises ModuleNotFoundError without matplotlib."""
    from matplotlib.figure import Figure

    shown = [each for each in results if not each.missing]
    figure = Figure(figsize=(8, 1.5 + 0.4 * len(shown)), layout="constrained")
    axes = figure.subplots()
    colours = ["black" if each.library == "gonfalon" else "gray" for each in shown]
    names = [f"{each.library}: {each.name}" for each in shown]
    axes.barh(names, [each.cpu for each in shown], color=colours)
    axes.set_xscale("log")
    axes.invert_yaxis()
    axes.set_xlabel("steps per second of processor time, best run")
    axes.set_title(title)
    figure.savefig(path)
