"""Main module of a process for computer players. It reads jobs from standard input and answers on standard output,
until the input ends.

An answer is a list: of action ids (`act`), of `Option`s (`consider`), of whether a draw is accepted (`answer`), or
empty (`load`). It is None if the agent lacks the events before the news, a dict of faces by place (`suggest`), or a
text that says what went wrong.
"""

from __future__ import annotations

import os
import secrets
from collections import OrderedDict
from collections.abc import Callable

import numpy as np

from gonfalon.ai import Agent, Question, agents
from gonfalon.ai.agent import Adviser, rehearse
from gonfalon.ai.offers import accepts_draw
from gonfalon.engine.game import Game
from gonfalon.engine.search import Option
from gonfalon.engine.suggest import suggest
from gonfalon.games import make
from gonfalon.server.workers.process import answer_questions
from gonfalon.server.workers.requests import AgentRequest, Job

MOST_AGENTS = 500
"""Maximum number of agents kept with their memory; beyond this the least recently used one is dropped."""
MOST_GAMES = 32
NICE = 5
"""Niceness of the process: the server, which answers people, has priority."""
Answer = list[int] | list[Option] | list[bool] | dict[str, str] | str | None


class _SeatedAgent:
    """An agent, and the number of steps of the match whose events it got."""

    def __init__(self, agent: Agent) -> None:
        self.agent = agent
        self.heard = 0


class AgentWorker:
    """Keeps games by ruleset, and agents by match and player."""

    def __init__(self, makers: Callable[[], dict[str, Callable[[], Agent]]] = agents) -> None:
        self._makers = makers
        self._games: OrderedDict[str, Game] = OrderedDict()
        self._agents: OrderedDict[tuple[str, int], _SeatedAgent] = OrderedDict()
        self._rng = np.random.default_rng(secrets.randbits(128))

    def answer(self, job: Job) -> Answer:
        """Return the answer to send back."""
        try:
            return self._do(job)
        except Exception as error:  # noqa: BLE001 - the server counts the text as a failure
            return f"{type(error).__name__}: {error}"

    def _do(self, job: Job) -> Answer:
        request = job.request
        game, view = self._find_game(request), request.view
        if job.verb == "load":
            rehearse(game, self._makers()[request.agent], self._rng)
            return []
        if job.verb == "suggest":
            return suggest(game, view, job.given, self._rng, job.seconds)
        agent = self._find_agent(request)
        if agent is None:
            return None
        question = Question(view, request.news.events, job.seconds)
        if job.verb == "answer":
            return [accepts_draw(game, agent, question, self._rng)]
        if job.verb == "act":
            return [int(action) for action in agent.act(game, question, self._rng)]
        if not isinstance(agent, Adviser):
            raise TypeError(f"{agent.name} gives no advice")
        return list(agent.consider(game, question, self._rng))

    def _find_game(self, request: AgentRequest) -> Game:
        key = f"{request.rules} {sorted(request.changed.items())}"
        if key not in self._games:
            self._games[key] = make(request.rules, **request.changed)
            if len(self._games) > MOST_GAMES:
                self._games.popitem(last=False)
        self._games.move_to_end(key)
        return self._games[key]

    def _find_agent(self, request: AgentRequest) -> Agent | None:
        """Return the agent that got all events before the news. If the news begin with the match, this can be a new
        one.
        """
        key, news = (request.match, request.view.observer), request.news
        seated = self._agents.get(key)
        if seated is None or seated.heard != news.first:
            if news.first:
                return None
            seated = self._agents[key] = _SeatedAgent(self._makers()[request.agent]())
        self._agents.move_to_end(key)
        if len(self._agents) > MOST_AGENTS:
            self._agents.popitem(last=False)
        seated.heard = news.end
        return seated.agent


def main() -> None:
    os.nice(NICE)
    answer_questions(AgentWorker().answer)


if __name__ == "__main__":
    main()
