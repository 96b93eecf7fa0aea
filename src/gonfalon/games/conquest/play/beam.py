"""Plans for the rest of a turn, tried in many worlds at once: a beam search over sequences of actions, then rollouts
from the best of them. `plans.py` has the compiled part.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gonfalon.engine.game import State
from gonfalon.engine.search import Clock, Mind
from gonfalon.engine.view import copy_rows, zero_rows
from gonfalon.games.conquest import state as g
from gonfalon.games.conquest.play import plans

MOST_TURNS = 4
"""Number of turns after which the rollout of a plan ends."""
PASSES = 6
"""Number of rollouts in each world, if there is time."""

Path = tuple[int, ...]


class Plan(NamedTuple):
    """A sequence of actions from one of the roots."""

    root: int
    path: Path
    value: float
    """Mean worth of the worlds if the turn ended after the plan."""


class Beam:
    """The sampled worlds (root 0), the worlds after each of some first choices (the other roots), and plans from
    there.
    """

    def __init__(
        self, worlds: State, roots: int, rules: NDArray[np.void], player: int, mind: Mind, rng: np.random.Generator
    ) -> None:
        """`roots`: number of roots besides root 0, which holds the unchanged worlds."""
        self.count, self.player = len(worlds), player
        self.used = self.count
        """Number of worlds, the first ones of each root, that the search uses."""
        self.turns = min(mind.depth, MOST_TURNS) - 1
        self.width = mind.breadth
        self._rules = copy_rows(rules)
        self._beams = self.count * (1 + roots)
        self._spare = self._beams + self.count * 2 * self.width
        self.rows = zero_rows(worlds.dtype, self._spare + 1)
        self.rows[: self.count].view(np.uint8)[:] = worlds.view(np.uint8)
        self._ids = np.zeros(g.MOST_LEGAL, np.int32)
        self._planner = zero_rows(plans.PLANNER)
        self._planner["player"], self._planner["heeds"] = player, mind.bluffs
        self._planner["turns"] = self.turns
        self.counter = rng.integers(0, 2**63, 1).astype(np.uint64)
        self._rng = rng

    def plant(self, root: int, path: Path) -> None:
        """Make a root: the worlds after these actions and the draws of chance between them."""
        self._follow(0, root * self.count, path)

    def _follow(self, first: int, target: int, path: Path) -> None:
        for action in path or (g.ACT_STOP,):
            self._go_on(first, target, self.used, action)
            first = target

    def _go_on(self, first: int, target: int, count: int, action: int) -> None:
        """Apply the action to the `count` rows from `first` on; write the results to the rows from `target` on."""
        worlds, targets = self.rows[first : first + count], self.rows[target : target + count]
        plans.go_on(worlds, targets, self._rules, self.player, action, self.counter)

    def settle(self, root: int) -> None:
        """In each world of a root, put a drawn unit where it is worth most at once, and put back the units of a Regroup
        in random order.
        """
        for row in range(root * self.count, root * self.count + self.used):
            while self.rows["phase"][row] in (g.AIM, g.ORDER):
                actions, values = self._look(row, 1)
                best = int(actions[values[:-1].argmax()])
                if self.rows["phase"][row] == g.ORDER:
                    best = int(actions[self._rng.integers(len(actions))])
                self._go_on(row, row, 1, best)

    def _look(self, first: int, count: int) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
        """Return the possible next actions, and the mean worth after each; the last value is the worth without any
        action.
        """
        n = plans.list_next(self.rows, first, count, self._rules, self.player, self._ids)
        actions, values = self._ids[:n].copy(), np.zeros(n + 1)
        worlds, scratch = self.rows[first : first + count], self.rows[self._spare :]
        plans.try_all(worlds, scratch, self._rules, self._planner, actions, values)
        return actions, values

    def stay(self, root: int) -> Plan:
        """Return the plan without further actions."""
        return Plan(root, (), float(self._look(root * self.count, self.used)[1][-1]))

    def look(self, root: int) -> list[Plan]:
        """Return the plans of one action, the best first."""
        options = self._options(root * self.count)
        return sorted((Plan(root, (action,), value) for action, value in options), key=lambda plan: -plan.value)

    def grow(self, root: int, clock: Clock, until: float, width: int) -> list[Plan]:
        """Return plans from a root, the best first. Stop when the share `until` of the clock's time is spent. Plans
        with equal values count once: they have the same actions in another order. `width`: number of unfinished plans
        kept at each step, at most the width of the beam.
        """
        found: dict[float, Plan] = {}
        nodes: list[tuple[Path, int]] = [((), root * self.count)]
        half = 0
        while nodes:
            fresh: dict[float, tuple[Path, int]] = {}
            for path, first in nodes:
                if found and clock.spent > until:
                    break
                for action, value in self._options(first):
                    if value not in found:
                        found[value] = Plan(root, (*path, action), value)
                        if action != g.ACT_STOP:
                            fresh[value] = (path, first)
            best = sorted(fresh, reverse=True)[:width]
            if clock.spent > until:
                break
            half = 1 - half
            base = self._beams + half * self.count * self.width
            for k, value in enumerate(best):
                path, target = found[value].path, base + k * self.count
                self._follow(fresh[value][1], target, path[-1:])
            nodes = [(found[value].path, base + k * self.count) for k, value in enumerate(best)]
        return sorted(found.values(), key=lambda plan: -plan.value)

    def _options(self, first: int) -> Iterator[tuple[int, float]]:
        actions, values = self._look(first, self.used)
        yield from zip(actions.tolist(), values[:-1].tolist(), strict=True)

    def play_on(self, chosen: list[Plan], clock: Clock, until: float) -> NDArray[np.float64]:
        """Return the mean result of each plan after some turns of the rollout policy, over as many worlds as time
        allows, at least one. All plans get the same random numbers.
        """
        totals, done = np.zeros(len(chosen)), 0
        for k in range(PASSES * self.used):
            if done and clock.spent > until:
                break
            seed = self._rng.integers(0, 2**63, dtype=np.uint64)
            for j, plan in enumerate(chosen):
                totals[j] += self._value_after(plan, k % self.used, seed)
            done += 1
        return totals / done

    def _value_after(self, plan: Plan, world: int, seed: np.uint64) -> float:
        row, target = plan.root * self.count + world, self._beams
        for action in plan.path:
            self._go_on(row, target, 1, action)
            row = target
        self.counter[0] = seed
        start, scratch = self.rows[row : row + 1], self.rows[self._spare :]
        return float(plans.play_on(start, scratch, self._rules, self._planner, self.counter))
