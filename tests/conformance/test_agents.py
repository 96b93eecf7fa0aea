"""The interface of `engine.game.Game` for agents: deployments, arrangements, estimates."""

from __future__ import annotations

from functools import partial

import numpy as np

from conformance.cases import (
    Case,
    arranges,
    draw,
    each_case,
    game_of,
    is_deploying,
    observers,
    plan_deployment,
    steps_of,
)
from gonfalon.engine.game import CHANCE


@each_case
def test_deployments_of_agents(case: Case) -> None:
    """Random, sensible and planned deployments complete a deployment from any point, with legal actions."""
    game, rng = game_of(case), np.random.default_rng(6)
    for begun in (0, 3):
        for make in (game.random_deployment, game.sensible_deployment, partial(plan_deployment, game)):
            state = game.initial_state()
            while is_deploying(game, state):
                player = game.to_act(state)[0]
                if player == CHANCE:
                    state = game.apply(state, player, draw(game, state, rng))
                    continue
                for _ in range(begun):
                    if arranges(game, state, player):
                        state = game.apply(state, player, int(rng.choice(game.legal_actions(state, player))))
                placing = arranges(game, state, player)
                if not game.standing(game.view(state, player)).deploys:
                    continue  # all places are already filled
                for action in make(game.view(state, player), rng).tolist():
                    state = game.apply(state, player, action)
                assert not placing or not arranges(game, state, player)


@each_case
def test_arrangements_of_agents(case: Case) -> None:
    """Random and sensible deployments complete an arrangement in the middle of a match, from any point: all pieces are
    placed and the choice is complete.
    """
    game, rng = game_of(case), np.random.default_rng(8)
    for step in [step for step in steps_of(case) if arranges(game, step.before, step.player)][::7]:
        for make in (game.random_deployment, game.sensible_deployment):
            view, state = game.view(step.before, step.player), step.before
            arrange = game.scene(view).arrange
            actions = make(view, rng).tolist()
            assert arrange is not None
            assert len(actions) == len(arrange.places)
            for action in actions:
                state = game.apply(state, step.player, action)
            assert not game.is_open(state, step.player)


@each_case
def test_evaluations(case: Case) -> None:
    game = game_of(case)
    for step in steps_of(case)[::9]:
        values = [game.evaluate(step.before, player) for player in range(game.info.players)]
        assert all(-1 < value < 1 for value in values)
        assert observers(game)
