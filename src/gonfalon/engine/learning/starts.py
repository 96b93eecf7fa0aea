"""Matches at the moment at which play begins, for loops that do not learn to place pieces."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np

from gonfalon.engine.chance import draw, draw_all
from gonfalon.engine.game import CHANCE, PUBLIC, Game, State
from gonfalon.engine.view import as_bytes, zero_rows

Deploy = Literal["actions", "sensible", "uniform"]
"""Beginning of a match: the initial state, or after deployments of `Game.sensible_deployment` or
`Game.random_deployment`.
"""


def make_starts(game: Game, deploy: Deploy, count: int, rng: np.random.Generator) -> State:
    """Return `count` states at the beginning of play, shape (count,); for `actions` only the initial state, shape (1,).

    Raises ValueError for another way to deploy.
    """
    if deploy not in get_args(Deploy):
        raise ValueError(f"matches begin with {', '.join(get_args(Deploy))}, not {deploy}")
    if deploy == "actions":
        return game.initial_state()
    starts = zero_rows(game.initial_state().dtype, count)
    for row in as_bytes(starts):
        row[:] = as_bytes(deploy_all(game, rng, deploy))[0]
    return starts


def deploy_all(game: Game, rng: np.random.Generator, deploy: Deploy = "sensible") -> State:
    """Return a new match at the beginning of play, when a player is to act: after all deployments, other choices before
    play, and draws. Raises ValueError for another way to deploy.
    """
    if deploy not in ("sensible", "uniform"):
        raise ValueError(f"deployments are sensible or uniform, not {deploy}")
    state = game.initial_state()
    choose = game.sensible_deployment if deploy == "sensible" else game.random_deployment
    while not game.standing(game.view(state, PUBLIC)).started:
        player = game.to_act(state)[0]
        if player == CHANCE:
            state = game.apply(state, CHANCE, draw(game, state, rng))
        else:
            state = game.deploy(state, player, choose(game.view(state, player), rng))
    return draw_all(game, state, rng)
