"""What a computer player is."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from gonfalon.engine.game import Game
from gonfalon.engine.view import View


class Agent(Protocol):
    """A computer player, for every game. It gets what a person gets: the rules (`game`) and its own view.

    An agent may remember things between the decisions of one match; a new match gets a new agent.
    """

    name: str
    """One word in lower case. The page words it as `agent.<name>.title`."""

    def act(self, game: Game, view: View, rng: np.random.Generator) -> list[int]:
        """The action ids of one decision. For a deployment these are all placements. For another compound choice they
        are all of its actions or the first ones; the agent is then asked again. Otherwise it is one action.

        The agent plays for `view.observer`. All randomness comes from `rng`, so the same view, memory and generator
        give the same answer. Raises ValueError if the viewer cannot act.
        """


def must_deploy(game: Game, view: View) -> bool:
    """Whether the viewer's decision is one that `Game.sensible_deployment` answers: a deployment or another
    arrangement, answered with all its placements, or another choice before play.
    """
    standing = game.standing(view)
    return standing.arranges or not standing.started
