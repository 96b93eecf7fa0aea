"""The agent that plays at random."""

from __future__ import annotations

import numpy as np

from gonfalon.ai.agent import Question
from gonfalon.engine.game import Game


class RandomAgent:
    """Deploys at random, and plays every legal action with equal probability."""

    name = "random"

    def act(self, game: Game, question: Question, rng: np.random.Generator) -> list[int]:
        """See `Agent.act`."""
        view = question.view
        legal = view.legal
        if not len(legal):
            raise ValueError(f"player {view.observer} cannot act")
        if game.standing(view).deploys:
            return [int(action) for action in game.random_deployment(view, rng)]
        return [int(legal[rng.integers(len(legal))])]


AGENTS = (RandomAgent,)
