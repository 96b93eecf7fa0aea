"""Deployments chosen by rollouts are complete and varied, and win more than drawn ones."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from gonfalon.engine.chance import draw
from gonfalon.engine.game import CHANCE, Actions, Game, State
from gonfalon.engine.search import Mind
from gonfalon.engine.view import zero_rows
from gonfalon.games import make
from gonfalon.games.conquest import state as g
from gonfalon.games.conquest.play import plans

VARIANTS = ("conquest", "conquest-three", "conquest-two", "conquest-narrows")
QUICK = Mind(seconds=0.05, processor_time=True)


def drafted(game: Game, rng: np.random.Generator, planner: int | None = None) -> State:
    """Return a match in which all territories are chosen and no unit is placed. The search chooses for `planner`."""
    state = game.initial_state()
    while state["phase"][0] != g.DEPLOY:
        player = game.to_act(state)[0]
        if player == CHANCE:
            state = game.apply(state, CHANCE, draw(game, state, rng))
        else:
            view = game.view(state, player)
            planned = player == planner
            choice = game.plan_deployment(view, QUICK, rng) if planned else game.sensible_deployment(view, rng)
            state = put(game, state, player, choice)
    return state


def put(game: Game, state: State, player: int, actions: Actions) -> State:
    for action in actions.tolist():
        state = game.apply(state, player, action)
    return state


def play_by_habit(game: Game, state: State, player: int, seed: int) -> float:
    """Play a match with complete deployments to its end by the rollout policy; return the player's result."""
    planner, counter = zero_rows(plans.PLANNER), np.array([seed], np.uint64)
    planner["player"], planner["heeds"], planner["turns"] = player, 1, 40
    return plans.play_on(state, state.copy(), game.rules.copy(), planner, counter)


def deploy_all(game: Game, state: State, rng: np.random.Generator, besides: int | None = None) -> State:
    """Return the match after sensible deployments of all players except `besides`."""
    for player in range(game.info.players):
        if player != besides:
            state = put(game, state, player, game.sensible_deployment(game.view(state, player), rng))
    return state


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_planned_deployment_completes_what_stands(variant: str) -> None:
    """CQ-7: the plan also completes a deployment that another agent has begun."""
    game, rng = make(variant), np.random.default_rng(1)
    state = drafted(game, rng)
    for player in range(game.info.players):
        begun = put(game, state, player, game.sensible_deployment(game.view(state, player), rng)[: 4 * player])
        planned = game.plan_deployment(game.view(begun, player), QUICK, rng)
        done = put(game, begun, player, planned)
        assert game.standing(game.view(done, player)).started is False
        assert player not in game.to_act(done)


@pytest.mark.parametrize("variant", ["conquest-two", "conquest"])
def test_trials_find_better_deployments(variant: str) -> None:
    """Planned and drawn deployments play by rollouts against the same deployments of the opponents, in enough matches
    to tell them apart.
    """
    game, rng = make(variant), np.random.default_rng(2)
    gains = []
    for _ in range(6):
        state = drafted(game, rng)
        view = game.view(state, 0)
        planned = game.plan_deployment(view, Mind(seconds=0.2, processor_time=True), rng)
        for seed in range(30):
            others = deploy_all(game, state, rng, besides=0)
            drawn = game.sensible_deployment(view, rng)
            results = [play_by_habit(game, put(game, others, 0, units), 0, seed) for units in (planned, drawn)]
            gains.append(results[0] - results[1])
    assert np.mean(gains) > 0.1


def test_planned_deployments_have_no_tell() -> None:
    game, rng = make("conquest-two"), np.random.default_rng(3)
    view = game.view(drafted(game, rng), 0)
    hasty = Mind(seconds=0.01, breadth=4, processor_time=True)
    planned = [game.plan_deployment(view, hasty, rng).tolist() for _ in range(200)]
    flags = Counter(units.index(g.ACT_PLACE + g.FLAG) for units in planned)
    assert len({tuple(units) for units in planned}) == 200
    assert len(flags) > 5
    assert max(flags.values()) < 120


def test_a_narrow_mind_draws_once() -> None:
    """The easy levels do not compare deployments: they draw only one."""
    game, rng = make("conquest-two"), np.random.default_rng(4)
    view = game.view(drafted(game, rng), 0)
    narrow = game.plan_deployment(view, Mind(seconds=1, breadth=1), np.random.default_rng(5))
    assert (narrow == game.sensible_deployment(view, np.random.default_rng(5))).all()


def test_what_others_have_placed_changes_nothing() -> None:
    """Other players' deployments are hidden from the player, so they do not change the plan."""
    game, rng = make("conquest-narrows"), np.random.default_rng(6)
    state = drafted(game, rng)
    later = put(game, state, 1, game.sensible_deployment(game.view(state, 1), rng))
    quick = Mind(seconds=1e-9)
    found = [game.plan_deployment(game.view(at, 0), quick, np.random.default_rng(7)) for at in (state, later)]
    assert (found[0] == found[1]).all()


@pytest.mark.parametrize("variant", ["conquest-two", "conquest-three"])
def test_planned_territories_win_more(variant: str) -> None:
    """CQ-6: all players deploy alike and play by the rollout policy; only one has chosen territories by search."""
    game, rng = make(variant), np.random.default_rng(9)
    results = []
    for number in range(24):
        planner = number % game.info.players
        state = drafted(game, rng, planner)
        results += [play_by_habit(game, deploy_all(game, state, rng), planner, seed) for seed in range(8)]
    even = 2 / game.info.players - 1
    assert np.mean(results) > even + 0.1
