"""Many matches of one game side by side in one array, changed in place: for search, for learning, for counting."""

from __future__ import annotations

from operator import index

import numpy as np

from gonfalon.engine.events import Refusal
from gonfalon.engine.game import CHANCE, Actions, Game, IllegalActionError, State
from gonfalon.engine.view import copy_rows, zero_rows


class Batch:
    """`count` matches of `game`, all at their beginning; `states` is their array, shape (count,).

    Unlike `Game.apply`, `step` changes a row; take `state(i)` for a copy that stays. `counters` (uint64, a row each)
    are the random streams of `play_randomly`; they lie beside the records, so a copied record foresees nothing.
    """

    def __init__(self, game: Game, count: int, seed: int = 0) -> None:
        if count < 1:
            raise ValueError(f"a batch has at least one match, not {count}")
        self.game = game
        self.states: State = zero_rows(game.initial_state().dtype, count)
        self.counters = np.random.default_rng(seed).integers(0, 2**63, (count, 1)).astype(np.uint64)
        self._lists = game.kernels.list_rows()
        self._ids: Actions = self._lists["ids"][0]
        for i in range(count):
            self.reset(i)

    def reset(self, i: int) -> None:
        """Match `i` begins anew."""
        self.states[i : i + 1].view(np.uint8)[:] = self.game.initial_state().view(np.uint8)

    def state(self, i: int) -> State:
        """A copy of row `i`, shape (1,)."""
        return copy_rows(self.states[i : i + 1])

    def legal(self, i: int, player: int) -> Actions:
        """As `Game.legal_actions`, of row `i`; a copy. For CHANCE what may be drawn, each draw once."""
        if not self._acts(player):
            return self._ids[:0].copy()
        return self._ids[: self.game.kernels.legal(self.states, i, self.game.rules, player, self._lists)].copy()

    def _acts(self, player: int) -> bool:
        return 0 <= player < self.game.info.players or (player == CHANCE and self.game.info.chance)

    def step(self, i: int, player: int, action: int) -> None:
        """Applies a legal action, or a possible draw of CHANCE, to row `i` in place. Raises `IllegalActionError`."""
        game, player, action = self.game, index(player), index(action)
        known = self._acts(player) and 0 <= action < game.info.actions
        if not known or not game.kernels.step(self.states, i, game.rules, player, action, self._lists):
            raise IllegalActionError(game.explain(self.states[i : i + 1], player, action) or Refusal("unknown-action"))

    def play_randomly(self, i: int, most: int) -> int:
        """Plays up to `most` actions in row `i`, the players' uniformly random, chance by its probabilities; returns how many
        were played, chance included.
        """
        kernels, rules = self.game.kernels, self.game.rules
        return int(kernels.random_play(self.states, i, rules, self.counters[i], self._lists, most))


def perft(game: Game, state: State, depth: int) -> int:
    """How many sequences of `depth` actions lead on from `state`; a match that ends earlier counts for no longer length.

    Of several who may act, the first acts; each possible draw of chance counts once.
    """
    stack = zero_rows(state.dtype, depth + 1)
    stack[:1].view(np.uint8)[:] = state.view(np.uint8)
    return int(game.kernels.perft(stack, game.rules, depth, game.kernels.list_rows(depth + 1)))
