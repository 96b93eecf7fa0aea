"""The process in which computer players think: reads questions from its input, answers on its output, ends with it.

A question is a tuple (`load` or `act`, match, variant, house rules, agent's name, player, view record, observer), an
answer a list of action ids, or a text that says what went wrong.
"""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

import numpy as np

from gonfalon.ai import Agent, agents
from gonfalon.engine.chance import draw_all
from gonfalon.engine.game import Game
from gonfalon.engine.view import View
from gonfalon.games import make
from gonfalon.server.worker import answer_questions

MOST_AGENTS = 500
"""Agents kept, with what they remember; beyond that the one not used for the longest time is forgotten."""
REHEARSED = 8
"""Decisions that a computer player makes before its first match, once play has begun."""


class Thinking:
    """Games by ruleset, agents by match and player."""

    def __init__(self, makers: Callable[[], dict[str, Callable[[], Agent]]] = agents) -> None:
        self._makers = makers
        self._games: OrderedDict[str, Game] = OrderedDict()
        self._agents: OrderedDict[tuple[str, int], Agent] = OrderedDict()
        self._rng = np.random.default_rng(secrets.randbits(128))

    def answer(self, question: tuple[Any, ...]) -> list[int] | str:
        """What to send back: a list of actions, or for what went wrong a text."""
        verb, match, variant, changed, name, player, record, observer = question
        try:
            game = self._game(variant, changed)
            if verb == "load":
                self._rehearse(game, name)
                return []
            return [int(a) for a in self._agent(match, player, name).act(game, View(record, observer), self._rng)]
        except Exception as error:  # noqa: BLE001 - told to the server, which counts it as a failure
            return f"{type(error).__name__}: {error}"

    def _game(self, variant: str, changed: dict[str, bool | int]) -> Game:
        key = f"{variant} {sorted(changed.items())}"
        if key not in self._games:
            self._games[key] = make(variant, **changed)
            if len(self._games) > 32:
                self._games.popitem(last=False)
        self._games.move_to_end(key)
        return self._games[key]

    def _agent(self, match: str, player: int, name: str) -> Agent:
        key = match, player
        if key not in self._agents:
            self._agents[key] = self._makers()[name]()
            if len(self._agents) > MOST_AGENTS:
                self._agents.popitem(last=False)
        self._agents.move_to_end(key)
        return self._agents[key]

    def _rehearse(self, game: Game, name: str) -> None:
        """Deploys and plays a little, so that compiling counts as starting and not as thinking."""
        agent, state, decisions = self._makers()[name](), game.initial_state(), 0
        while decisions < REHEARSED and (players := game.to_act(state := draw_all(game, state, self._rng))):
            view = game.view(state, players[0])
            decisions += game.standing(view).started
            for action in agent.act(game, view, self._rng):
                state = game.apply(state, players[0], action)


def main() -> None:
    answer_questions(Thinking().answer)


if __name__ == "__main__":
    main()
