"""Deployments for tests that begin after them."""

from __future__ import annotations

import numpy as np

from gonfalon.engine.game import Game, State


def deploy_all(game: Game, state: State, rng: np.random.Generator) -> State:
    """Return the state after all players who have to deploy have done so, with sensible deployments."""
    for player in game.to_act(state):
        for action in game.sensible_deployment(game.view(state, player), rng):
            state = game.apply(state, player, int(action))
    return state
