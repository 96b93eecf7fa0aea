"""Policies of computer players, in one game of every family."""

from __future__ import annotations

import numpy as np
import pytest

import gonfalon
from ai.test_search import decisions
from gonfalon.ai import Question, agents
from gonfalon.ai.policy import Policy

FAMILIES = ("barrage", "cardgame", "conquest-two", "tiny")


@pytest.mark.parametrize("variant", FAMILIES)
@pytest.mark.parametrize("agent", agents())
def test_probabilities_of_legal_actions(variant: str, agent: str) -> None:
    game = gonfalon.make(variant)
    policy = Policy(game, agent, seconds=0.03, samples=4)
    for number, (state, player, told) in enumerate(decisions(game, seed=3, steps=60)):
        if number % 12 == 0:
            check(policy(view := game.view(state, player), told), view.legal)


def check(found: np.ndarray, legal: np.ndarray) -> None:
    assert found.shape == legal.shape
    assert (found >= 0).all()
    assert found.sum() == pytest.approx(1)


@pytest.mark.parametrize("variant", ["barrage", "conquest-two"])
@pytest.mark.parametrize("agent", ["random", "greedy", "level-1", "level-8"])
def test_before_play_answers_are_counted(variant: str, agent: str) -> None:
    game = gonfalon.make(variant)
    state, rng = game.initial_state(), np.random.default_rng(1)
    while (player := game.to_act(state)[0]) < 0:
        state = game.apply(state, player, int(rng.choice(game.chance_outcomes(state)[0])))
    found = Policy(game, agent, samples=8, seed=2)(view := game.view(state, player))
    check(found, view.legal)
    assert ((found * 8) % 1 == 0).all()
    assert np.count_nonzero(found) > 1, "deployments vary"


def test_the_best_action_is_the_likeliest() -> None:
    game = gonfalon.make("tiny")
    view = game.view(game.parse_state("tiny; red 3!.1; blue .2!.; turn red 2"), 0)
    wins = [game.action_text(view, action) for action in view.legal].index("a1xb2")
    for agent in ("level-4", "level-8", "greedy"):
        assert Policy(game, agent)(view)[wins] > 0.99
    assert Policy(game, "random")(view).tolist() == [0.5, 0.5]
    warm, cold = (Policy(game, "level-8", temperature=each)(view)[wins] for each in (5.0, 0.5))
    assert 0.5 < warm < cold < 1


def test_temperature_zero_is_the_agents_choice() -> None:
    game = gonfalon.make("special")
    for state, player, told in decisions(game, seed=3, steps=30):
        view = game.view(state, player)
        found = Policy(game, "level-1", temperature=0.0, seconds=9, seed=5)(view, told)
        question = Question(view, tuple(told), 9)
        chosen = agents()["level-1"]().act(game, question, np.random.default_rng(5))
        assert found.max() == 1
        assert view.legal[found.argmax()] == chosen[0]


def test_mistakes() -> None:
    game = gonfalon.make("tiny")
    with pytest.raises(ValueError, match="no computer player 'genius'; there are greedy"):
        Policy(game, "genius")
    with pytest.raises(ValueError, match="at least 0"):
        Policy(game, "random", temperature=-1)
    with pytest.raises(ValueError, match="player 0 cannot act"):
        Policy(game, "random")(game.view(game.initial_state(), 0))
