"""Our computer players as bots of OpenSpiel."""

from __future__ import annotations

import numpy as np
import pyspiel

from gonfalon.ai import Asker, agents
from gonfalon.envs.open_spiel.matches import MatchGame, MatchState
from gonfalon.envs.open_spiel.variants import make_game


class AgentBot(pyspiel.Bot):
    """A computer player of `gonfalon.ai.agents()` as a bot of OpenSpiel. It uses only what its player may know."""

    def __init__(self, game: MatchGame, player: int, name: str, seconds: float = 0.1, seed: int = 0) -> None:
        """`seconds`: thinking time for one decision. Raises KeyError for an unknown name."""
        super().__init__()
        self._game = make_game(game.variant, game.settings)
        self._player = player
        self._make_agent = agents()[name]
        self._seconds = seconds
        self._rng = np.random.default_rng(seed)
        self.restart()

    def restart(self) -> None:
        """Begin a new match."""
        self._asker = Asker(self._game, {self._player: self._make_agent()}, self._seconds)
        self._position = self._game.initial_state()
        self._told = 0
        """Number of actions of the match that the agent has been told."""
        self._planned: list[int] = []
        """Further actions of the agent's decision."""

    def step(self, state: MatchState) -> int:
        """Return the next action of the agent in a state that follows the state of the last step."""
        for action in state.history()[self._told :]:
            actor = self._game.to_act(self._position)[0]
            self._position = self._game.apply(self._position, actor, action)
            self._asker.note(action, self._position)
            self._told += 1
        if not self._planned:
            self._planned = self._asker.ask(self._player, self._position, self._rng)
        return self._planned.pop(0)
