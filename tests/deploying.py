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


def draw_deployment(game: Game, player: int) -> list[int]:
    """Return the actions of a sensible deployment in a new match, the same each time."""
    view = game.view(game.initial_state(), player)
    return [int(action) for action in game.sensible_deployment(view, np.random.default_rng(1))]
