"""Many matches of one game in one array, changed in place: for search, learning and counting."""

from __future__ import annotations

from operator import index

import numpy as np

from gonfalon.engine.events import Refusal
from gonfalon.engine.game import CHANCE, Actions, Game, IllegalActionError, State
from gonfalon.engine.view import copy_rows, zero_rows


class Batch:
    """`count` new matches of `game`. `states` is their array, shape (count,).

    Unlike `Game.apply`, `step` changes a row; use `state(i)` for a copy that never changes. `counters` (uint64, one row
    per match) are the random streams of `play_randomly`. They are not part of the states, so a copied state cannot
    predict draws.
    """

    def __init__(self, game: Game, count: int, seed: int = 0) -> None:
        count = index(count)
        if count < 1:
            raise ValueError(f"a batch has at least one match, not {count}")
        self.game = game
        self.states: State = zero_rows(game.initial_state().dtype, count)
        self.counters = np.random.default_rng(seed).integers(0, 2**63, (count, 1)).astype(np.uint64)
        self._kernels, self._players, self._actions = game.kernels, game.info.players, game.info.actions
        self._first = CHANCE if game.info.chance else 0
        self._rules = copy_rows(game.rules)  # a copy, because the batch may run in another thread than the game
        self._ids: Actions = self._rules["ids"][0]
        for i in range(count):
            self.reset(i)

    def reset(self, i: int) -> None:
        """Restart match `i`. Raises IndexError for a missing row, like all other methods."""
        i = self._row(i)
        self.states[i : i + 1].view(np.uint8)[:] = self.game.initial_state().view(np.uint8)

    def state(self, i: int) -> State:
        """Return a copy of row `i`, shape (1,)."""
        i = self._row(i)
        return copy_rows(self.states[i : i + 1])

    def legal(self, i: int, player: int) -> Actions:
        """Return a copy of the legal actions of row `i`; for CHANCE, the possible draws."""
        i, player = self._row(i), index(player)
        if not self._first <= player < self._players:
            return self._ids[:0].copy()
        return self._ids[: self._kernels.legal(self.states, i, self._rules, player)].copy()

    def step(self, i: int, player: int, action: int) -> None:
        """Apply a legal action, or a possible draw of CHANCE, to row `i` in place. Raises `IllegalActionError`."""
        i, player, action = self._row(i), index(player), index(action)
        known = self._first <= player < self._players and 0 <= action < self._actions
        if not known or not self._kernels.step(self.states, i, self._rules, player, action):
            refusal = self.game.explain(self.states[i : i + 1], player, action) or Refusal("unknown-action")
            raise IllegalActionError(refusal, player, action)

    def play_randomly(self, i: int, most: int) -> int:
        """Play up to `most` actions in row `i`: the players uniformly at random, chance by its probabilities. Return
        the number of actions played, including chance.
        """
        i = self._row(i)
        return int(self._kernels.random_play(self.states, i, self._rules, self.counters[i], most))

    def _row(self, i: int) -> int:
        """Return `i` as an int, checked because a kernel with a wrong row number would access other memory."""
        i = index(i)
        if not 0 <= i < len(self.states):
            raise IndexError(f"no match {i}; there are 0 to {len(self.states) - 1}")
        return i


def perft(game: Game, state: State, depth: int) -> int:
    """Count the sequences of exactly `depth` actions from `state`. A sequence that ends the match earlier does not
    count.

    If several players may act, the first one acts. Each possible draw of chance counts once. Raises ValueError for a
    depth below 0.
    """
    depth = index(depth)
    if depth < 0:
        raise ValueError(f"the depth is at least 0, not {depth}")
    stack = zero_rows(state.dtype, depth + 1)
    stack[:1].view(np.uint8)[:] = state.view(np.uint8)
    return int(game.kernels.perft(stack, game.rules, depth, game.kernels.list_rows(depth + 1)))
