"""What a search is asked and what it answers, for all games. Each family searches in its room `play`."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import chain

import msgspec
import numpy as np
from numpy.typing import NDArray

from gonfalon.engine.kernels import Kernels, Rows
from gonfalon.engine.view import View, copy_rows, zero_rows


class Mind(msgspec.Struct, frozen=True):
    """How a player thinks: how long, how far, and what he makes of what he has seen. The levels differ in this."""

    seconds: float
    """How long a search may take; it ends a little before. 0: for what takes no thought."""
    depth: int = 64
    """How many turns it looks ahead at most, its own first one included."""
    worlds: int = 24
    """In how many worlds at most it tries a decision."""
    memory: float = 1.0
    """How much it remembers of what it saw of others, from 0 (nothing that does not stand before its eyes) to 1."""
    insight: float = 1.0
    """How much it makes of where hidden things stand and of what they did, from 0 (all that fits is as likely) to 1."""
    bluffs: bool = True
    """Whether it counts what others know of its own hidden things."""
    breadth: int = 8
    """With how many plans it goes on at each step of a turn of several moves."""
    processor_time: bool = False
    """Whether `seconds` are the thread's own on a processor, from which other work on the machine takes nothing."""
    cores: int = 1
    """How many searches it makes at once, each with the whole time."""

    def __post_init__(self) -> None:
        """Raises ValueError for a mind that cannot think."""
        if not 0 <= self.seconds < math.inf:
            raise ValueError(f"nobody thinks for {self.seconds} s")
        for name in ("depth", "worlds", "breadth", "cores"):
            if getattr(self, name) < 1:
                raise ValueError(f"the {name} of a search is at least 1, not {getattr(self, name)}")
        for name in ("memory", "insight"):
            if not 0 <= getattr(self, name) <= 1:
                raise ValueError(f"{name} is from 0 to 1, not {getattr(self, name)}")


class Option(msgspec.Struct, frozen=True):
    """One way to decide."""

    actions: tuple[int, ...]
    """All actions of the decision, or the first ones of a compound choice."""
    value: float
    """The result to be expected for the player: 1 won, -1 lost."""

    @property
    def chance(self) -> float:
        """The value as a chance of winning, from 0 to 1."""
        return min(1.0, max(0.0, (1 + self.value) / 2))


Search = Callable[[np.random.Generator], tuple[Option, ...]]
"""A search of one decision, with its draws."""


def search_together(search: Search, cores: int, rng: np.random.Generator) -> tuple[Option, ...]:
    """What so many searches at once, each with draws of its own, come to together (root parallelization: Cazenave and
    Jouandeau, On the Parallelization of UCT, 2007).
    """
    if cores == 1:
        return search(rng)
    with ThreadPoolExecutor(cores) as threads:
        return merge(list(threads.map(search, rng.spawn(cores))))


def merge(found: Sequence[Sequence[Option]]) -> tuple[Option, ...]:
    """The options of several searches, each with the mean of its values. Those that more searches name come first:
    what one has left out was not good enough to be looked at to the end.
    """
    values: dict[tuple[int, ...], list[float]] = {}
    for option in chain.from_iterable(found):
        values.setdefault(option.actions, []).append(option.value)
    merged = [(-len(each), -sum(each) / len(each), actions) for actions, each in values.items()]
    return tuple(Option(actions, -value) for _, value, actions in sorted(merged, key=lambda one: one[:2]))


class Clock:
    """Time for one search."""

    def __init__(self, mind: Mind, share: float = 1.0) -> None:
        """`share`: of the time that the mind has. Raises ValueError if that is none."""
        if mind.seconds <= 0:
            raise ValueError("a search takes some time, not 0 s")
        self._read = find_timer(mind.processor_time)
        self._begin = self._read()
        self.seconds = mind.seconds * share

    @property
    def spent(self) -> float:
        """The share of the time that is over; above 1 it is late."""
        return (self._read() - self._begin) / self.seconds


def find_timer(processor_time: bool) -> Callable[[], float]:
    """What tells the time in seconds: the thread's own on a processor, or the time that passes for everybody."""
    return time.thread_time if processor_time else time.perf_counter


def look_once(kernels: Kernels, rules: Rows, view: View, worlds: Rows, rng: np.random.Generator) -> tuple[Option, ...]:
    """The viewer's actions by the mean estimate of what each leads to, the best first. The search of a game that needs
    no better one.

    `worlds`: states that fit what he knows, shape (n,).
    """
    legal = view.legal
    scratch, rules = zero_rows(worlds.dtype), copy_rows(rules)
    values = np.zeros((len(worlds), len(legal)))
    for world, found in enumerate(values):
        kernels.score(worlds, world, scratch, 0, rules, view.observer, legal, len(legal), view.observer, found)
    return rank([(action,) for action in legal.tolist()], values.mean(axis=0), rng)


def rank(paths: Sequence[tuple[int, ...]], values: NDArray[np.float64], rng: np.random.Generator) -> tuple[Option, ...]:
    """The paths as options, the best first; equal ones in any order. What is charged for a risk may lead beyond a lost
    match: that tells how bad a path is beside others, but nothing can be worse than losing.
    """
    order = np.lexsort((rng.random(len(paths)), -values))
    return tuple(Option(paths[k], min(1.0, max(-1.0, float(values[k])))) for k in order)
