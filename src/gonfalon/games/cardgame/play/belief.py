"""Likelihoods of hidden cards for a player, and worlds drawn by them."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gonfalon.engine.compiled.belief import NoDealError, sample_deals
from gonfalon.engine.events import Event
from gonfalon.engine.game import State
from gonfalon.engine.search import Mind
from gonfalon.engine.view import View, copy_rows
from gonfalon.games.cardgame import state as g
from gonfalon.games.cardgame.play.story import Story
from gonfalon.games.cardgame.play.tables import Habits, habits
from gonfalon.games.cardgame.sight.resample import begin_world, complete_world, resample

TRIES = 8
"""Factor for the number of deals if some deals may contradict CG-13."""


class Belief:
    """A player's belief about the enemy's hidden cards."""

    def __init__(self, view: View, events: Sequence[Event], mind: Mind, rules: NDArray[np.void]) -> None:
        """`view`: the view of a player."""
        self._rules = rules
        self._view = forget(view, events, mind.memory) if mind.memory < 1 else view
        self._enemy = 1 - view.observer
        seen = self._view.record[0]
        first = self._enemy * g.SIDE_PLACES
        kinds = seen["kind"][first : first + g.SIDE_PLACES]
        self._hidden = first + np.flatnonzero(kinds == g.HIDDEN)
        self._groups = [int(label) for label in seen["group"][self._hidden]]
        self._labels = sorted(set(self._groups) - {g.NONE})
        shown = np.bincount(kinds[kinds < g.HIDDEN], minlength=g.TYPES)
        shown[0] = 0
        self._left = rules[0]["deck"].astype(np.int64) - seen["lost"][self._enemy] - shown
        self.likely = self._judge(Story.of(view.observer, events), habits(), mind.insight)

    def _judge(self, story: Story, known: Habits, insight: float) -> NDArray[np.float64]:
        """Return the likelihood of each type on each hidden place and in the pile: shape (hidden + pile, TYPES)."""
        seen, first = self._view.record[0], self._enemy * g.SIDE_PLACES
        likely = np.ones((len(self._hidden) + int(seen["n_pile"][self._enemy]), g.TYPES))
        for k, place in enumerate(self._hidden.tolist()):
            likely[k] = known.of_place(place - first, story) ** insight
            likely[k] *= (int(seen["ruled_out"][place]) >> np.arange(g.TYPES) & 1) == 0
        return likely

    def looks_like(self) -> list[object]:
        """Return, by place of the enemy line, the belief about its card. Equal values mean that nothing distinguishes
        two cards.
        """
        first, found = self._enemy * g.SIDE_PLACES, list[object]()
        rows = dict(zip(self._hidden.tolist(), self.likely, strict=False))
        for place in range(first, first + g.LINE):
            kind, group = int(self._view.kind[place]), int(self._view.group[place])
            row = rows.get(place)
            told = () if row is None else tuple(np.round(row / row.max(), 1).tolist())
            found.append((kind, group, told))
        return found

    def draw(self, count: int, rng: np.random.Generator) -> State:
        """Draw worlds, shape (count,), each with a probability proportional to its likelihood."""
        if not self._view.started:
            return self._draw_alike(count, rng)
        attacks = self._view.phase == g.ACT and self._view.mover == self._enemy
        try:
            deals = self._deal(count * (TRIES if attacks else 1), rng)
        except NoDealError:
            return self._draw_alike(count, rng)
        if attacks:
            line = deals[:, (self._hidden % g.SIDE_PLACES) < g.LINE]
            stands = self._view.kind[self._enemy * g.SIDE_PLACES :][: g.LINE]
            if not ((stands > 0) & (stands < g.BOMB)).any():
                deals = deals[(line < g.BOMB).any(axis=1)]
            if len(deals) < count:
                return self._draw_alike(count, rng)
        return self._build(deals[:count])

    def _draw_alike(self, count: int, rng: np.random.Generator) -> State:
        return np.concatenate([resample(self._view, self._rules, rng) for _ in range(count)])

    def _deal(self, count: int, rng: np.random.Generator) -> NDArray[np.int64]:
        """Return types by hidden place, shape (count, hidden). Cards known to be in a group count as separate types,
        which only places of the group may have.
        """
        wide, left = [self.likely], self._left.copy()
        types: list[int] = []
        for number, label in enumerate(self._labels, start=1):
            told = self._view.record[0]["among"][label].astype(np.int64)
            inside = np.array([one == label for one in self._groups] + [False] * (len(self.likely) - len(self._groups)))
            wide.append(self.likely * inside[:, None])
            types += (number * g.TYPES + np.repeat(np.arange(g.TYPES), told)).tolist()
            left -= told
        types += np.repeat(np.arange(g.TYPES), left).tolist()
        deals = sample_deals(np.concatenate(wide, axis=1), np.array(types, np.int64), count, rng)
        return deals[:, : len(self._hidden)] % g.TYPES

    def _build(self, deals: NDArray[np.int64]) -> State:
        """Return the whole states of the deals. Knowledge differs between them only if cards are known in groups;
        otherwise one state is copied.
        """
        state = begin_world(self._view)
        state[0]["kind"][self._hidden] = deals[0]
        complete_world(state, self._view, self._rules)
        if self._labels:
            return np.concatenate([self._build_one(deal) for deal in deals])
        worlds = np.concatenate([state] * len(deals))
        worlds["kind"][:, self._hidden] = deals
        counts = np.zeros((len(deals), g.TYPES), np.int64)
        for deal in deals.T:
            counts[np.arange(len(deals)), deal] += 1
        worlds["pile"][:, self._enemy] = self._left - counts
        return worlds

    def _build_one(self, deal: NDArray[np.int64]) -> State:
        state = begin_world(self._view)
        state[0]["kind"][self._hidden] = deal
        complete_world(state, self._view, self._rules)
        return state


def forget(view: View, events: Sequence[Event], memory: float) -> View:
    """Return a view without the cards that its player has forgotten. These are revealed cards, but never cards of the
    last act or cards in a group with those. Forgotten cards stay forgotten, and differ between matches.
    """
    record = copy_rows(view.record)
    row, enemy = record[0], 1 - view.observer
    salt = "".join(str(event.args.get("face")) for event in events[:40] if event.code == "placed")
    first = enemy * g.SIDE_PLACES
    last = [place for place in row["last"][1:].tolist() if place != g.NONE]
    fresh = set(row["group"][last].tolist()) - {g.NONE}
    for k in range(g.SIDE_PLACES):
        place = first + k
        card = int(row["number"][enemy, k]) if k < g.LINE else -1
        if place in last or row["group"][place] in fresh or row["kind"][place] == 0:
            continue
        if zlib.crc32(f"{salt} {card}".encode()) % 1000 < memory * 1000 and row["group"][place] == g.NONE:
            continue
        row["kind"][place], row["marks"][place], row["group"][place] = g.HIDDEN, g.UNKNOWN, g.NONE
        row["ruled_out"][place], row["public"][place] = 0, 0
    return View(record, view.observer, view.ruleset)
