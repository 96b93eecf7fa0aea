"""Patience of the lower levels: the powers and pieces that they save for later."""

from __future__ import annotations

import numpy as np
import pytest

import gonfalon
from deploying import deploy_all
from gonfalon.ai.agent import Question
from gonfalon.ai.levels import LEVELS, Level


@pytest.mark.parametrize("number", [number for number, mind in enumerate(LEVELS, 1) if mind.depth == 1])
def test_a_low_level_does_not_begin_with_its_apple(number: int) -> None:
    game, rng = gonfalon.make("special"), np.random.default_rng(number)
    state = deploy_all(game, game.initial_state(), rng)
    view = game.view(state, 0)
    assert any(game.action_text(view, int(action)).startswith("apple") for action in view.legal)
    begun = Level(number).act(game, Question(view, (), 1.0), rng)
    assert not any(game.action_text(view, action).startswith("apple") for action in begun)
