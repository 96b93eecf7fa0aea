"""A computer player's answer to a draw offer."""

from __future__ import annotations

import numpy as np

from gonfalon.ai.agent import Adviser, Agent, Question
from gonfalon.engine.game import Game

QUIET = 40
"""Quiet turns after which a match that neither side wins may as well end."""
DOUBT = 1 / 400
"""Reduction of a lead in the chance of winning, for each quiet turn: the win that the search sees has not come."""


def accepts_draw(game: Game, agent: Agent, question: Question, rng: np.random.Generator) -> bool:
    """Return whether the player prefers a draw to playing on: with half of its share of the chances or less, or after
    many quiet turns with a small lead (more turns for a larger one). An agent that gives no advice does not know its
    chances, and never accepts.

    Not for a deployment or another arrangement. Raises ValueError if the viewer cannot act.
    """
    if not isinstance(agent, Adviser):
        return False
    standing = game.standing(question.view)
    share = 1 / (game.info.players - len(standing.out))
    chance = agent.consider(game, question, rng)[0].chance
    lead = chance - share
    return lead <= -share / 2 or (standing.quiet >= QUIET and lead <= DOUBT * standing.quiet)
