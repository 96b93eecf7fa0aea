"""What a computer player makes of a draw offer."""

from __future__ import annotations

import numpy as np

from gonfalon.ai.agent import Adviser, Agent, Question
from gonfalon.engine.game import Game

QUIET = 40
"""Quiet turns after which a match that neither side wins may as well end."""
DOUBT = 1 / 400
"""How much of a lead in the chance of winning each quiet turn makes doubtful: a search holds it for a win that will
come, and it has not come.
"""


def accepts_draw(game: Game, agent: Agent, question: Question, rng: np.random.Generator) -> bool:
    """Whether the player would rather have a draw than play on: where he has half his share of the chances or less, or
    where nothing has happened for long and he leads by little, for longer by more. An agent that gives no advice does
    not know how it stands, and never would.

    Not for a deployment or another arrangement. Raises ValueError if the viewer cannot act.
    """
    if not isinstance(agent, Adviser):
        return False
    standing = game.standing(question.view)
    share = 1 / (game.info.players - len(standing.out))
    chance = agent.consider(game, question, rng)[0].chance
    lead = chance - share
    return lead <= -share / 2 or (standing.quiet >= QUIET and lead <= DOUBT * standing.quiet)
