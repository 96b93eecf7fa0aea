"""One match as environments play it: one action at a time, with chance drawn in between."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from gonfalon.engine.chance import draw_all
from gonfalon.engine.game import CHANCE, Game, Outcome
from gonfalon.engine.spelling import list_known

Observation = dict[str, NDArray[Any]]
"""`observation`: the planes of `Game.encode`; `action_mask`: 1 for each legal action."""


def find_seat(game: Game, side: str) -> int:
    """Return the player of a side; the first one if `side` is empty. Raises ValueError for an unknown side."""
    sides = game.info.sides
    if side and side not in sides:
        raise ValueError(f"{game.info.variant} has no side {side!r}; {list_known(side, sides)}")
    return sides.index(side) if side else 0


class Table:
    """A match, changed in place.

    Only one player acts at a time, as these libraries want it: of several who may act, such as those who deploy at the
    same moment, it is the first in the order of the seats, until that player may act no longer. This order tells nobody
    anything: nothing of a deployment is in another player's view before play but that it is complete.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.position = game.initial_state()

    def start(self, rng: np.random.Generator) -> None:
        """Begin a new match."""
        self.position = draw_all(self.game, self.game.initial_state(), rng)

    def apply(self, action: int, rng: np.random.Generator) -> None:
        """Apply an action of the player who is to act, and the draws that follow. Raises `IllegalActionError`."""
        after = self.game.apply(self.position, self.player, action)
        self.position = draw_all(self.game, after, rng)

    @property
    def player(self) -> int:
        """The player who is to act; CHANCE while a draw is due, and when the match is over."""
        players = self.game.to_act(self.position)
        return players[0] if players else CHANCE

    @property
    def outcome(self) -> Outcome | None:
        return self.game.outcome(self.position)

    def observe(self, player: int) -> Observation:
        """Return what a player sees. Nobody but the player who is to act has legal actions."""
        view = self.game.view(self.position, player)
        mask = np.zeros(self.game.info.actions, np.int8)
        if player == self.player:
            mask[view.legal] = 1
        return {"observation": self.game.encode(view).planes, "action_mask": mask}

    def describe_observations(self) -> spaces.Dict:
        """Return the space of `observe`."""
        planes = spaces.Box(0.0, 1.0, self.game.observation_spec.shape, np.float32)
        return spaces.Dict({"observation": planes, "action_mask": spaces.MultiBinary(self.game.info.actions)})

    def describe_actions(self) -> spaces.Discrete:
        """Return the space of actions: the action ids of the game."""
        return spaces.Discrete(self.game.info.actions)
