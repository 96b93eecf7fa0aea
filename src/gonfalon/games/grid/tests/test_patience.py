"""What the lower levels wait with."""

from __future__ import annotations

import numpy as np
import pytest

from gonfalon.ai.agent import Question
from gonfalon.ai.levels import LEVELS, Level
from gonfalon.engine.search import Option
from gonfalon.games.grid import state as g
from gonfalon.games.grid.play.patience import keep_apple
from gonfalon.games.grid.tests.diagrams import RED, make, position


def is_apple(action: int) -> bool:
    return g.ACT_APPLE <= action < g.ACT_SWORD


@pytest.mark.parametrize("number", [number for number, mind in enumerate(LEVELS, 1) if mind.depth == 1])
def test_a_low_level_does_not_begin_with_its_apple(number: int) -> None:
    game, rng = make("special"), np.random.default_rng(number)
    state = game.initial_state()
    for player in game.to_act(state):
        for action in game.sensible_deployment(game.view(state, player), rng):
            state = game.apply(state, player, int(action))
    view = game.view(state, RED)
    assert any(is_apple(action) for action in view.legal.tolist())
    assert not any(map(is_apple, Level(number).act(game, Question(view, (), 1.0), rng)))


def test_an_apple_on_a_known_piece_is_weighed_with_the_rest() -> None:
    at = position("special", "8 bF .. b9 b8\n4 .. .. .. .. b7\n3 .. .. .. .. r2 r5\n2 rS\n1 rF").play("e3xe4", "d8-d7")
    view = at.game.view(at.state, RED)
    options = [Option((int(action),), 0.0) for action in view.legal]
    text = at.game.action_text
    kept = {text(view, option.actions[0]) for option in keep_apple(options, view, LEVELS[0])}
    assert {action for action in kept if action.startswith("apple")} == {"apple e4"}
    assert kept >= {action for action in at.legal() if not action.startswith("apple")}
    assert keep_apple(options, view, LEVELS[-1]) == tuple(options)
    only = [option for option in options if is_apple(option.actions[0])][:1]
    assert keep_apple(only, view, LEVELS[0]) == tuple(only)
