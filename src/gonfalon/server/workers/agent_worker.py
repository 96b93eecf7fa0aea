"""The process in which computer players think: reads questions from its input, answers on its output, ends with it.

A question is a tuple: `load`, match, variant, house rules, agent's name, player; or `act`, `consider` or `answer` (a
draw offer), the same five, view record, `News` and seconds; or `suggest`, the same five (without a name), view record,
what is placed and seconds. An answer is a list, of action ids, (`consider`) of `Option`s or (`answer`) of whether it
accepts; or None if the agent has not heard what came before the news, so that they must be told from the start; or
(`suggest`) faces by place; or a text that says what went wrong.
"""

from __future__ import annotations

import os
import secrets
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

import numpy as np

from gonfalon.ai import Agent, Question, agents
from gonfalon.ai.agent import Adviser, rehearse
from gonfalon.ai.offers import accepts_draw
from gonfalon.engine.game import Game
from gonfalon.engine.search import Option
from gonfalon.engine.suggest import suggest
from gonfalon.engine.view import View
from gonfalon.games import make
from gonfalon.server.match.computers.news import News
from gonfalon.server.workers.process import answer_questions

MOST_AGENTS = 500
"""Agents kept, with what they remember; beyond that the one not used for the longest time is forgotten."""


NICE = 5
"""The server goes first: it answers people, this process thinks."""


class _Seated:
    """An agent and the number of the match's steps that it was told."""

    def __init__(self, agent: Agent) -> None:
        self.agent = agent
        self.heard = 0


class AgentWorker:
    """Games by ruleset, agents by match and player."""

    def __init__(self, makers: Callable[[], dict[str, Callable[[], Agent]]] = agents) -> None:
        self._makers = makers
        self._games: OrderedDict[str, Game] = OrderedDict()
        self._agents: OrderedDict[tuple[str, int], _Seated] = OrderedDict()
        self._rng = np.random.default_rng(secrets.randbits(128))

    def answer(self, question: tuple[Any, ...]) -> list[int] | list[Option] | list[bool] | dict[str, str] | str | None:
        """What to send back."""
        verb, match, variant, changed, name, player, *asked = question
        try:
            game = self._game(variant, changed)
            if verb == "load":
                rehearse(game, self._makers()[name], self._rng)
                return []
            if verb == "suggest":
                record, given, seconds = asked
                return suggest(game, View(record, player), given, self._rng, seconds)
            record, news, seconds = asked
            seated = self._seat((match, player), name, news)
            if seated is None:
                return None
            asked_for = Question(View(record, player), news.events, seconds)
            if verb == "answer":
                return [accepts_draw(game, seated, asked_for, self._rng)]
            return self._consider(game, seated, asked_for) if verb == "consider" else self._act(game, seated, asked_for)
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

    def _seat(self, key: tuple[str, int], name: str, news: News) -> Agent | None:
        """The agent that has heard what came before the news; a new one where they begin with the match."""
        seated = self._agents.get(key)
        if seated is None or seated.heard != news.first:
            if news.first:
                return None
            seated = self._agents[key] = _Seated(self._makers()[name]())
        self._agents.move_to_end(key)
        if len(self._agents) > MOST_AGENTS:
            self._agents.popitem(last=False)
        seated.heard = news.end
        return seated.agent

    def _act(self, game: Game, agent: Agent, question: Question) -> list[int]:
        return [int(a) for a in agent.act(game, question, self._rng)]

    def _consider(self, game: Game, agent: Agent, question: Question) -> list[Option]:
        if not isinstance(agent, Adviser):
            raise TypeError(f"{agent.name} gives no advice")
        return list(agent.consider(game, question, self._rng))


def main() -> None:
    os.nice(NICE)
    answer_questions(AgentWorker().answer)


if __name__ == "__main__":
    main()
