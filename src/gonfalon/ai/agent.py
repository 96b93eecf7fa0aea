"""What a computer player is."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from gonfalon.engine.game import Game
from gonfalon.engine.view import View


class Agent(Protocol):
    """A computer player of every game. It gets what a person gets: the rules (`game`) and its own view.

    An agent may remember things between the decisions of one match; a new match gets a new agent.
    """

    name: str
    """Lower case, one word; worded by the page as `agent.<name>.title`."""

    def act(self, game: Game, view: View, rng: np.random.Generator) -> list[int]:
        """The action ids of one decision: all placements of a deployment; of another compound choice all actions, or
        the first of them, after which it is asked again; otherwise one action.

        `view.observer` is the player who must be able to act; all randomness comes from `rng`, so that the same view,
        memory and generator give the same answer. Raises ValueError if the viewer cannot act.
        """


def must_deploy(game: Game, view: View) -> bool:
    """Whether the viewer's decision is a deployment or an arrangement (to be answered with all its placements), or
    another choice before play: what `Game.sensible_deployment` answers.
    """
    standing = game.standing(view)
    return standing.arranges or not standing.started
