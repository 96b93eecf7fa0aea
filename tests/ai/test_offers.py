"""When a computer player accepts a draw."""

from __future__ import annotations

import numpy as np
import pytest

import gonfalon
from ai.test_positions import STATE
from gonfalon.ai import Question, agents
from gonfalon.ai.agent import Agent, rehearse
from gonfalon.ai.offers import QUIET, accepts_draw
from gonfalon.engine.game import Game
from gonfalon.engine.search import Option


class Adviser:
    """An agent that always computes the same chance of winning."""

    name = "adviser"

    def __init__(self, chance: float) -> None:
        self.value = 2 * chance - 1

    def act(self, _game: Game, _question: Question, _rng: np.random.Generator) -> list[int]:
        raise AssertionError("nothing is decided")

    def consider(self, _game: Game, question: Question, _rng: np.random.Generator) -> tuple[Option, ...]:
        return Option((int(question.view.legal[0]),), self.value), Option((int(question.view.legal[1]),), -1.0)


def accepts(agent: Agent, state: str = STATE, quiet: int = 0) -> bool:
    game = gonfalon.make("barrage")
    parsed = game.parse_state(state.replace("turn 30 quiet 1", f"turn 200 quiet {quiet}"))
    (player,) = game.to_act(parsed)
    return accepts_draw(game, agent, Question(game.view(parsed, player), (), 0.2), np.random.default_rng(1))


@pytest.mark.parametrize(
    ("chance", "quiet", "accepted"),
    [
        (0.25, 0, True),
        (0.3, 0, False),
        (0.5, 0, False),
        (0.5, QUIET - 1, False),
        (0.5, QUIET, True),
        (0.59, QUIET, True),
        (0.61, QUIET, False),
        (0.86, 150, True),
        (1.0, 199, False),
    ],
)
def test_a_draw_is_taken_where_one_is_behind_or_where_nothing_happens(
    chance: float, quiet: int, accepted: bool
) -> None:
    assert accepts(Adviser(chance), quiet=quiet) is accepted


def test_who_does_not_know_how_he_stands_takes_none() -> None:
    assert not accepts(agents()["random"](), quiet=199)
    assert not accepts(agents()["greedy"](), quiet=199)


BEHIND = STATE.replace("b2'", "bM'").replace("bB  ..", "b3  b9").replace("r9'", "r3'")
"""Red has only a Miner left, Blue the two highest pieces and a Miner."""
AHEAD = STATE.replace("b2'", "b3'").replace("rB  ..", "rB  rM")


@pytest.mark.parametrize("level", ["level-4", "level-8"])
def test_levels_know_when_they_are_behind(level: str) -> None:
    rehearse(gonfalon.make("barrage"), agents()[level], np.random.default_rng(1))  # gives the levels time to think
    assert accepts(agents()[level](), BEHIND)
    assert not accepts(agents()[level](), AHEAD, quiet=QUIET)
