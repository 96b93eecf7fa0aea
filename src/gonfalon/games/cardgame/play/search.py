"""The search: rollouts of decisions in worlds that fit the player's knowledge. In a rollout each side decides with its
own knowledge. So no side sees hidden cards, and a look gains worth by the decisions after it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from gonfalon.engine.events import Event
from gonfalon.engine.game import State
from gonfalon.engine.search import Clock, Mind, Option
from gonfalon.engine.view import View, copy_rows, zero_rows
from gonfalon.games.cardgame import state as g
from gonfalon.games.cardgame.play.belief import Belief
from gonfalon.games.cardgame.play.deployments import told_state
from gonfalon.games.cardgame.play.policy import BOX
from gonfalon.games.cardgame.play.quick import judge
from gonfalon.games.cardgame.play.rollout import ROLLOUT, play_out
from gonfalon.games.cardgame.play.tables import weights
from gonfalon.games.cardgame.text.notation import places_of

FOLD = 3
"""Factor for the number of worlds of a `Mind`. A rollout with a few cards is faster than a search on a board, but each
one says less.
"""
BATCH = 8
"""Number of worlds drawn at a time."""
ROUNDS = 12
"""Maximum number of rollouts of a decision in one world, with different random numbers."""
DEEPEST = 8
"""Maximum number of turns of a rollout; then the estimate counts."""
CUTS = (0.12, 0.24, 0.36, 0.5, 0.65)
"""Shares of the time after which the worse half of the decisions is dropped."""
PRIOR = 3.0
"""Weight of the quick policy's value of a decision, as a number of rollouts."""
FEWEST = 2
"""Minimum number of decisions that are kept to the end."""
LATEST = 0.9
"""Share of the time after which no new rollout begins."""

Path = tuple[int, ...]


def search(
    view: View, events: Sequence[Event], mind: Mind, rules: NDArray[np.void], rng: np.random.Generator
) -> tuple[Option, ...]:
    """See `Game.search`."""
    clock = Clock(mind)
    belief = Belief(view, events, mind, rules)
    groups = group_paths(view, belief.looks_like(), rng)
    trial = Trial(view, [first for first, *_ in groups], mind, rules, rng)
    trial.run(belief, clock)
    return tuple(Option(path, value) for k, value in trial.rank() for path in groups[k])


class Trial:
    """Decisions that are being compared by rollouts."""

    def __init__(
        self, view: View, paths: Sequence[Path], mind: Mind, rules: NDArray[np.void], rng: np.random.Generator
    ) -> None:
        self._view = view
        self._paths = paths
        self._mind = mind
        self._rules = copy_rows(rules)
        self._rng = rng
        self._prior = self._judge()
        self._rollout = zero_rows(ROLLOUT)
        self._rollout["player"], self._rollout["depth"] = view.observer, min(mind.depth, DEEPEST)
        self._rollout["weights"] = weights()
        self._actions = np.full((len(paths), max(len(path) for path in paths)), -1, np.int32)
        for row, path in zip(self._actions, paths, strict=True):
            row[: len(path)] = path
        self._sums = np.zeros(len(paths))
        self._counts = np.zeros(len(paths), np.int64)
        self._asked = np.arange(len(paths), dtype=np.int32)
        self._scratch = zero_rows(g.STATE)
        self._counter = rng.integers(0, 2**63, 1).astype(np.uint64)

    def _judge(self) -> NDArray[np.float64]:
        """Return the quick policy's value of each decision, -1 to 1."""
        prior = np.zeros(len(self._paths))
        if self._view.phase != g.ACT:
            return prior
        judged = np.zeros(g.MOST_LEGAL)
        judge(told_state(self._view), self._rules, self._view.observer, weights(), np.zeros(BOX), judged)
        where = {int(action): k for k, action in enumerate(self._view.legal)}
        return np.tanh([judged[where[path[0]]] for path in self._paths])

    def run(self, belief: Belief, clock: Clock) -> None:
        """Play rollouts until the time is over, or every decision has had the maximum number of rollouts."""
        cuts = list(CUTS)
        for worlds, i in self._draw_worlds(belief):
            self._try(worlds, i)
            spent = clock.spent
            if spent > LATEST:
                return
            if cuts and spent > cuts[0]:
                self._cut()
                cuts.pop(0)

    def _draw_worlds(self, belief: Belief) -> Iterator[tuple[State, int]]:
        drawn: list[State] = []
        count, most = 0, FOLD * self._mind.worlds
        while count < most:
            drawn.append(self._imagine(belief.draw(min(BATCH, most - count), self._rng)))
            for i in range(len(drawn[-1])):
                yield drawn[-1], i
            count += len(drawn[-1])
        for _ in range(ROUNDS - 1):
            for worlds in drawn:
                for i in range(len(worlds)):
                    yield worlds, i

    def _imagine(self, worlds: State) -> State:
        """Return the worlds; without `bluffs`, change them so that the enemy knows all cards of the viewer's line."""
        if not self._mind.bluffs:
            own = slice(self._view.observer * g.SIDE_PLACES, self._view.observer * g.SIDE_PLACES + g.LINE)
            worlds["known"][:, 1 - self._view.observer, own] = worlds["kind"][:, own] > 0
        return worlds

    def _try(self, worlds: State, i: int) -> None:
        asked, found = self._asked, np.zeros(len(self._asked))
        world = worlds[i : i + 1]
        play_out(world, self._scratch, self._rules, self._rollout, self._actions[asked], self._counter, found)
        self._sums[asked] += found
        self._counts[asked] += 1

    def _cut(self) -> None:
        """Drop the worse half of the decisions."""
        keep = max(FEWEST, (len(self._asked) + 1) // 2)
        order = np.argsort(-(self._sums + PRIOR * self._prior)[self._asked], kind="stable")
        self._asked = np.sort(self._asked[order[:keep]])

    def rank(self) -> Iterator[tuple[int, float]]:
        """Yield the decisions by number with their expected results: those kept longest come first, the best of these
        before the others. No result exceeds an earlier one.
        """
        values = self._sums / np.maximum(1, self._counts)
        order = np.lexsort((self._rng.random(len(values)), -self._sums - PRIOR * self._prior, -self._counts))
        best = 1.0
        for k in order.tolist():
            best = min(best, float(values[k]))
            yield k, best


# ---- what can be decided -----------------------------------------------------------------------------------------


def group_paths(view: View, alike: Sequence[object], rng: np.random.Generator) -> list[list[Path]]:
    """Return the viewer's decisions in groups of equal ones, in random order.

    `alike`: the belief about the card on each place of the enemy line. Cards with equal beliefs are equal.
    """
    if view.phase == g.LAY:
        return [[path] for path in _list_lays(view, rng)]
    groups: dict[tuple[object, ...], list[Path]] = {}
    for action in rng.permutation(view.legal).tolist():
        groups.setdefault(_sort_of(view, alike, action), []).append((action,))
    return list(groups.values())


def _sort_of(view: View, alike: Sequence[object], action: int) -> tuple[object, ...]:
    """Return a key that is equal for acts that differ only in which of several equal cards acts or is the target."""
    if action < g.ACT_LOOK_HAND:
        own, enemy = divmod(action - g.ACT_ATTACK, g.LINE)
        return ("attack", *_card(view, own), alike[enemy])
    if action < g.ACT_LOOK_LINE:
        return ("hand", *_card(view, action - g.ACT_LOOK_HAND))
    if action < g.ACT_TRICK:
        own, pair = divmod(action - g.ACT_LOOK_LINE, g.LOOKS)
        return ("line", *_card(view, own), frozenset(Counter(alike[k] for k in places_of(pair)).items()))
    return ("trick",)


def _card(view: View, own: int) -> tuple[int, int]:
    place = view.observer * g.SIDE_PLACES + own
    return int(view.kind[place]), int(view.marks[place])


def _list_lays(view: View, rng: np.random.Generator) -> Iterator[Path]:
    """Yield the choices of cards for the remaining gaps, each choice once, in any order. The Flag is chosen only if
    necessary.
    """
    side = view.observer
    first = side * g.SIDE_PLACES
    gaps = int((view.number[side] == 0).sum()) - int(view.placed[side])
    hand = Counter(view.kind[first + g.LINE : first + g.SIDE_PLACES].tolist())
    hand.subtract(view.laid[side].tolist())
    cards = sorted((+Counter({kind: n for kind, n in hand.items() if kind})).elements())
    count = min(gaps, len(cards))
    choices = sorted(set(combinations(cards, count)))
    safe = [chosen for chosen in choices if g.FLAG not in chosen]
    for chosen in safe or choices:
        lays = np.array([*chosen, *[0] * (gaps - count)])
        yield tuple(int(g.ACT_LAY + kind) for kind in rng.permutation(lays))
