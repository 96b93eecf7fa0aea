"""A computer player's answer to a draw offer."""

from __future__ import annotations

import numpy as np

from gonfalon.ai.agent import Adviser, Agent, Question
from gonfalon.engine.game import Game

QUIET = 40
"""Number of quiet turns after which a match without a clear leader may as well end."""
DOUBT = 1 / 400
"""Decrease of a lead (in chance of winning) per quiet turn: the win that the search expects has still not come."""


def accepts_draw(game: Game, agent: Agent, question: Question, rng: np.random.Generator) -> bool:
    """Return whether the player prefers a draw to playing on. A player does with a chance of winning of at most half of
    an equal share, or after many quiet turns with a small lead; a larger lead needs more turns. An agent that is not an
    `Adviser` does not know its chances and never accepts.

    The view must not ask for a deployment or another arrangement. Raises ValueError if the viewer cannot act.
    """
    if not isinstance(agent, Adviser):
        return False
    standing = game.standing(question.view)
    share = 1 / (game.info.players - len(standing.out))
    chance = agent.consider(game, question, rng)[0].chance
    lead = chance - share
    return lead <= -share / 2 or (standing.quiet >= QUIET and lead <= DOUBT * standing.quiet)
