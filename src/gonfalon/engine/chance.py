"""Draws of chance for agents, benchmarks, warm-ups and tests. Not for matches: there draws must be unpredictable."""

from __future__ import annotations

import numpy as np

from gonfalon.engine.game import CHANCE, Game, State


def draw(game: Game, state: State, rng: np.random.Generator) -> int:
    """Draw an action of chance by its probability. A draw must be due."""
    actions, odds = game.chance_outcomes(state)
    # Equals `rng.choice`, but takes a fifth of the time.
    steps = np.cumsum(odds)
    return int(actions[np.searchsorted(steps, rng.random() * steps[-1], side="right")])


def draw_all(game: Game, state: State, rng: np.random.Generator) -> State:
    """Return the state after all draws that are due before a player's next decision."""
    while game.to_act(state) == (CHANCE,):
        state = game.apply(state, CHANCE, draw(game, state, rng))
    return state
