"""Settings and results of a search, for all games. Each family has its search in its folder `play`."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import chain

import msgspec
import numpy as np
from numpy.typing import NDArray

from gonfalon.engine.compiled.kernels import Kernels, Rows
from gonfalon.engine.view import View, copy_rows, zero_rows


class Mind(msgspec.Struct, frozen=True):
    """Settings of a player's search: time, depth, memory, belief. The levels differ in them."""

    seconds: float
    """Time of a search in seconds; the search ends a little earlier. 0: for decisions without a search."""
    depth: int = 64
    """Maximum number of turns ahead, including the player's first one."""
    worlds: int = 24
    """Maximum number of worlds in which a decision is tried."""
    memory: float = 1.0
    """Share of revealed pieces that the player remembers, from 0 (only those still visible) to 1."""
    insight: float = 1.0
    """Exponent of the likelihoods of places and moves of hidden pieces, from 0 (all worlds equally likely) to 1."""
    bluffs: bool = True
    """Whether the player considers what opponents know about the player's hidden pieces."""
    breadth: int = 8
    """Number of plans kept at each step of a turn of several moves."""
    processor_time: bool = False
    """Whether `seconds` count only the thread's own processor time, so that other work on the machine does not
    matter.
    """
    cores: int = 1
    """Number of simultaneous searches; each gets the whole time."""
    without: tuple[str, ...] = ()
    """Names of adjustments (`Game.adjustments`) that are switched off."""

    def __post_init__(self) -> None:
        """Check the settings. Raises ValueError."""
        if not 0 <= self.seconds < math.inf:
            raise ValueError(f"nobody thinks for {self.seconds} s")
        for name in ("depth", "worlds", "breadth", "cores"):
            if getattr(self, name) < 1:
                raise ValueError(f"the {name} of a search is at least 1, not {getattr(self, name)}")
        for name in ("memory", "insight"):
            if not 0 <= getattr(self, name) <= 1:
                raise ValueError(f"{name} is from 0 to 1, not {getattr(self, name)}")

    def uses(self, adjustment: str) -> bool:
        """Return whether an adjustment is switched on."""
        return adjustment not in self.without


class Adjustment(msgspec.Struct, frozen=True):
    """A correction of the search's values that can be switched off."""

    name: str
    sentence: str
    """Its effect, in one sentence."""
    figure: str
    """Best measurement of its benefit, from bench/experiments."""


class Option(msgspec.Struct, frozen=True):
    """One possible decision."""

    actions: tuple[int, ...]
    """All actions of the decision, or the first ones of a compound choice."""
    value: float
    """Expected result for the player, from -1 (lost) to 1 (won)."""

    @property
    def chance(self) -> float:
        """`value` as a chance of winning, from 0 to 1."""
        return min(1.0, max(0.0, (1 + self.value) / 2))


Search = Callable[[np.random.Generator], tuple[Option, ...]]
"""A search of one decision; all randomness comes from the argument."""


def search_together(search: Search, cores: int, rng: np.random.Generator) -> tuple[Option, ...]:
    """Run several searches at once, each with its own random numbers, and return the mean of their results (root
    parallelization: Cazenave and Jouandeau, On the Parallelization of UCT, 2007).
    """
    if cores == 1:
        return search(rng)
    with ThreadPoolExecutor(cores) as threads:
        return merge(list(threads.map(search, rng.spawn(cores))))


def merge(found: Sequence[Sequence[Option]]) -> tuple[Option, ...]:
    """Return the options of several searches, each with the mean of its values. Options found by more searches come
    first: a search without an option had dropped it early as bad.
    """
    values: dict[tuple[int, ...], list[float]] = {}
    for option in chain.from_iterable(found):
        values.setdefault(option.actions, []).append(option.value)
    merged = [(-len(each), -sum(each) / len(each), actions) for actions, each in values.items()]
    return tuple(Option(actions, -value) for _, value, actions in sorted(merged, key=lambda one: one[:2]))


class Clock:
    """Time for one search."""

    def __init__(self, mind: Mind, share: float = 1.0) -> None:
        """`share`: part of the mind's time that this clock gets. Raises ValueError if the mind has no time."""
        if mind.seconds <= 0:
            raise ValueError("a search takes some time, not 0 s")
        self._read = find_timer(mind.processor_time)
        self._begin = self._read()
        self.seconds = mind.seconds * share

    @property
    def spent(self) -> float:
        """The share of the time that has passed; above 1 the search is late."""
        return (self._read() - self._begin) / self.seconds


def find_timer(processor_time: bool) -> Callable[[], float]:
    """Return the clock in seconds: the processor time of the thread, or wall-clock time."""
    return time.thread_time if processor_time else time.perf_counter


def look_once(kernels: Kernels, rules: Rows, view: View, worlds: Rows, rng: np.random.Generator) -> tuple[Option, ...]:
    """Return the viewer's actions by the mean estimate of their results, the best first. This is the search of games
    that need no better one.

    `worlds`: states that fit the viewer's knowledge, shape (n,).
    """
    legal = view.legal
    scratch, rules = zero_rows(worlds.dtype), copy_rows(rules)
    values = np.zeros((len(worlds), len(legal)))
    for world, found in enumerate(values):
        kernels.score(worlds[world : world + 1], scratch, rules, view.observer, legal, view.observer, found)
    return rank([(action,) for action in legal.tolist()], values.mean(axis=0), rng)


def rank(paths: Sequence[tuple[int, ...]], values: NDArray[np.float64], rng: np.random.Generator) -> tuple[Option, ...]:
    """Return the paths as options, the best first; equal ones in random order. Penalties for risks may make a value
    lower than that of a lost match. Such values still order the bad paths, but `Option.value` is never below -1.
    """
    order = np.lexsort((rng.random(len(paths)), -values))
    return tuple(Option(paths[k], min(1.0, max(-1.0, float(values[k])))) for k in order)
