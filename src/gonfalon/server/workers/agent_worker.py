"""Main module of a process for computer players. It reads jobs from standard input and answers on standard output,
until the input ends.

An answer is a list: of action ids (`act`), of `Option`s (`consider`), of whether a draw is accepted (`answer`), or
empty (`load`). It is None if the agent lacks the events before the news, a dict of faces by place (`suggest`), a bool
(`GameQuery`), an `UnknownAgent`, or a text that says what went wrong.

Arguments `NAME=ENTRANT` name the operator's own agents, in the forms of `ai.arena.entrants`.
"""

from __future__ import annotations

import os
import secrets
import sys
import traceback
from collections import OrderedDict
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import numpy as np

from gonfalon.ai import Agent, Question, agents
from gonfalon.ai.agent import Adviser, can_play, rehearse
from gonfalon.ai.arena.entrants import EntrantError, make_agent
from gonfalon.ai.offers import accepts_draw
from gonfalon.engine.game import Game
from gonfalon.engine.search import Option
from gonfalon.engine.suggest import suggest
from gonfalon.games import make
from gonfalon.server.workers.process import answer_questions
from gonfalon.server.workers.requests import AgentRequest, GameQuery, Job, UnknownAgent

MOST_AGENTS = 500
"""Maximum number of agents kept with their memory; beyond this the least recently used one is dropped."""
MOST_GAMES = 32
NICE = 5
"""Niceness of the process: the server, which answers people, has priority."""
Answer = list[int] | list[Option] | list[bool] | dict[str, str] | bool | UnknownAgent | str | None


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
        self._asked: dict[str, Agent] = {}
        """Agents that only say which games they play, by name."""
        self._rng = np.random.default_rng(secrets.randbits(128))

    def answer(self, question: Job | GameQuery) -> Answer:
        """Return the answer to send back."""
        try:
            if isinstance(question, GameQuery):
                return self._plays(question)
            return self._do(question)
        except (Exception, SystemExit) as error:  # noqa: BLE001 - the server counts the text as a failure
            before_play = isinstance(question, GameQuery) or question.verb == "load"
            return _describe(error, with_text=before_play)

    def _plays(self, query: GameQuery) -> Answer:
        if query.agent not in self._makers():
            return UnknownAgent(query.agent)
        # One agent answers for all games: making it may take long. Most know all games, which need not be made for it.
        agent = self._asked.get(query.agent) or self._makers()[query.agent]()
        self._asked[query.agent] = agent
        return not hasattr(agent, "plays") or can_play(agent, self._find_game(query))

    def _do(self, job: Job) -> Answer:
        request = job.request
        if job.verb != "suggest" and request.agent not in self._makers():
            return UnknownAgent(request.agent)
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

    def _find_game(self, request: AgentRequest | GameQuery) -> Game:
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


def _describe(error: BaseException, *, with_text: bool) -> str:
    """Return an error in one line, with the place that raised it. `with_text`: with what the error says, which in a
    match may be what the agent saw; the server's log holds nothing of that.
    """
    text = " ".join(str(error).split())
    if isinstance(error, EntrantError):
        return text  # it names file and reason itself
    last = traceback.extract_tb(error.__traceback__)[-1]
    said = f": {text}" if with_text else ""
    return f"{type(error).__name__}{said} ({Path(last.filename).name}, line {last.lineno})"


def read_makers(arguments: Sequence[str]) -> Callable[[], dict[str, Callable[[], Agent]]]:
    """Return the makers of the agents of a process: those of `NAME=ENTRANT` arguments, or else our own."""
    if not arguments:
        return agents
    named = (argument.partition("=") for argument in arguments)
    makers: dict[str, Callable[[], Agent]] = {name: partial(make_agent, entrant) for name, _, entrant in named}
    return lambda: makers


def main() -> None:
    os.nice(NICE)
    answer_questions(AgentWorker(read_makers(sys.argv[1:])).answer)


if __name__ == "__main__":
    main()
