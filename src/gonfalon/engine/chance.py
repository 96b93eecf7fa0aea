"""Drawing what chance decides, where no secret depends on it: for agents, benchmarks, rehearsals and tests."""

from __future__ import annotations

import numpy as np

from gonfalon.engine.game import CHANCE, Game, State


def draw(game: Game, state: State, rng: np.random.Generator) -> int:
    """An action of chance, which must be due, by its probability."""
    actions, odds = game.chance_outcomes(state)
    # What `rng.choice` does, in a fifth of its time.
    steps = np.cumsum(odds)
    return int(actions[np.searchsorted(steps, rng.random() * steps[-1], side="right")])


def draw_all(game: Game, state: State, rng: np.random.Generator) -> State:
    """The state after all draws that are due before a player decides."""
    while game.to_act(state) == (CHANCE,):
        state = game.apply(state, CHANCE, draw(game, state, rng))
    return state
