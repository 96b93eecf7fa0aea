"""The search of the board games. It tries every turn in worlds that the player considers possible. It then goes deeper
with fewer turns, until the time is over.

docs/search.md has the measurements behind it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gonfalon.engine.compiled.kernels import Rows
from gonfalon.engine.events import Event
from gonfalon.engine.search import Clock, Mind, Option, rank
from gonfalon.engine.view import View, copy_rows
from gonfalon.games.grid import state as g
from gonfalon.games.grid.play.adjust.ambush import find_ambush
from gonfalon.games.grid.play.adjust.dares import is_daring
from gonfalon.games.grid.play.adjust.patience import find_luck, find_price, judge_habits, turns_unknown
from gonfalon.games.grid.play.belief.worlds import sample_worlds
from gonfalon.games.grid.play.evaluate.outcome import SURE_VALUE, WIN, find_value
from gonfalon.games.grid.play.search.flag_guard import Exposure, find_exposure
from gonfalon.games.grid.play.search.frame import DEPTH
from gonfalon.games.grid.play.search.root_gambles import Gamble, find_gambles
from gonfalon.games.grid.play.search.sample import Sample, prepare_sample
from gonfalon.games.grid.play.search.searcher import Searcher
from gonfalon.games.grid.play.tunables import AMBUSH, FORCED, KEPT, KEPT_WITHIN, MARGIN, NODES_A_SECOND, POOL, SPARE

LOST = -SURE_VALUE
"""Expected result of a match in which the own Flag falls."""


def search(
    view: View,
    rules: Rows,
    events: Sequence[Event],
    learned: NDArray[np.float64],
    mind: Mind,
    rng: np.random.Generator,
) -> tuple[Option, ...]:
    """See `Game.search`. `learned`: as returned by `read_learned` for the variant."""
    if len(view.legal) == 1:
        return (Option((int(view.legal[0]),), 0.0),)
    clock, rules = Clock(mind, SPARE), copy_rows(rules)  # kernels write their lists into it
    pool = sample_worlds(view, rules, events, mind, POOL, rng)
    sample = prepare_sample(view, rules, learned, pool, mind, clock, daring=is_daring(events, view.observer))
    judge = Judge(view, rules, sample, mind)
    kept, values = Deepening(view, rules, sample, mind, clock, judge).run()
    return rank([(int(view.legal[k]),) for k in kept], values, rng)


class Judge:
    """The value of each action from its results in the worlds, with all adjustments at the root."""

    def __init__(self, view: View, rules: Rows, sample: Sample, mind: Mind) -> None:
        self._weights, self._mind = sample.weights, mind
        self._gambles: dict[int, Gamble] = find_gambles(view, rules, sample)
        self._gambled = np.isin(np.arange(len(view.legal)), list(self._gambles))
        self._turned = np.array([turns_unknown(view, action) for action in view.legal.tolist()])
        self._price = find_price(view, rules) if mind.uses("apple-price") else 0.0
        self._bias = find_bias(view, rules, sample, mind)
        self._exposure = np.zeros(len(view.legal))

    def take_exposure(self, found: Exposure) -> None:
        """Take over the probability that each action loses the own Flag soon."""
        self._exposure = found.average()

    def judge(self, values: NDArray[np.float64], kept: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the expected result of each of the actions `kept`, from its results in each world, shape (worlds,
        actions).
        """
        means = np.average(values, axis=0, weights=self._weights)
        sure = kept[~(self._gambled | self._turned)[kept]]
        best = max(sure if len(sure) else kept, key=lambda k: means[k])
        for k in kept if self._mind.uses("sampled-results") else ():
            if gamble := self._gambles.get(int(k)):
                gains = values[:, k] - values[:, best]
                means[k] = means[best] + gamble.judge(gains, self._weights, float(means[best]))
        means[self._turned] -= self._price
        if self._mind.uses("apple-luck"):
            means[self._turned] -= find_luck(values[:, self._turned] - values[:, [best]])
        means += FORCED * self._exposure * (LOST - means)
        undecided = np.abs(means) < SURE_VALUE  # a move that ends the match is not delayed for habits
        return np.asarray((means + self._bias * undecided)[kept])


def find_bias(view: View, rules: Rows, sample: Sample, mind: Mind) -> NDArray[np.float64]:
    """Return the cost of each legal action that no world shows: repetition, and a Marshal beside an unknown Spy."""
    scale = float(np.average(sample.scales, weights=sample.weights))
    bias = judge_habits(view, rules, scale) if mind.uses("repetition") else np.zeros(len(view.legal))
    if mind.depth > 1 and mind.uses("ambush"):
        bias -= AMBUSH * sample.find_risk(g.MARSHAL) * find_ambush(view, rules, sample.pool)
    return bias


class Deepening:
    """Iterative deepening over the worlds of one decision."""

    def __init__(self, view: View, rules: Rows, sample: Sample, mind: Mind, clock: Clock, judge: Judge) -> None:
        self._actions: list[int] = view.legal.tolist()
        self._sample, self._mind, self._clock, self._judge = sample, mind, clock, judge
        self._searcher = Searcher(rules)
        self._values = np.zeros((len(sample.contexts), len(self._actions)))
        """Expected result of each action in each world."""

    def run(self) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Return the indexes of the actions that were kept, and the expected result of each."""
        kept = np.arange(len(self._actions))
        if self._mind.depth > 2 and self._mind.uses("flag-guard"):
            self._judge.take_exposure(self._find_exposure())
        for depth in range(1, min(self._mind.depth, DEPTH - 2) + 1):
            if depth > 1:
                kept = self._keep_best(kept, KEPT[min(depth, len(KEPT) - 1)])
            if len(kept) < 2 or not self._deepen(kept, depth):
                break
        return kept, self._judge.judge(self._values, kept)

    def _find_exposure(self) -> Exposure:
        sample, context = self._sample, self._sample.contexts[:1].copy()
        return find_exposure(sample.possible, sample.shares, self._actions, context, self._searcher, self._clock)

    def _keep_best(self, kept: NDArray[np.int64], most: int) -> NDArray[np.int64]:
        means = self._judge.judge(self._values, kept)
        order = np.argsort(-means, kind="stable")[:most]
        return np.asarray(kept[order[means[order] >= means[order[0]] - KEPT_WITHIN]])

    def _deepen(self, kept: NDArray[np.int64], depth: int) -> bool:
        """Search every world to that depth. Return False if the time is over before. A world counts only when all of
        `kept` are searched in it, so that all actions are compared in the same worlds.
        """
        for world, scale in enumerate(self._sample.scales.tolist()):
            found: list[float] = []
            for k in kept:
                low = min(max(found, default=-WIN), scale) - MARGIN * scale
                points = self._search(world, int(k), depth, low)
                if points is None:
                    return False
                found.append(points)
            self._values[world, kept] = [find_value(points, scale) for points in found]
        return True

    def _search(self, world: int, k: int, depth: int, low: float) -> float | None:
        """Return the points of an action, at least `low`: below, it no longer matters how bad the action is in this
        world. None if the time is over.
        """
        left = 1 - self._clock.spent
        if left <= 0 and (depth > 1 or world > 0):
            return None
        here, context = self._sample.possible[world : world + 1], self._sample.contexts[world : world + 1]
        context["nodes"] = max(500, int(left * self._clock.seconds * NODES_A_SECOND))
        points = self._searcher.search(here, context, self._actions[k], depth, low)
        return max(points, low) if context["nodes"][0] >= 0 else None
