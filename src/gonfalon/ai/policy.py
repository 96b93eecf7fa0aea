"""Policies: the probabilities of a computer player's actions in a view, as baselines and for distillation."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from gonfalon.ai.agent import Adviser, Agent, Question
from gonfalon.ai.random import RandomAgent
from gonfalon.engine.events import Event
from gonfalon.engine.game import Game, Probabilities
from gonfalon.engine.search import Option
from gonfalon.engine.spelling import list_known
from gonfalon.engine.view import View

SECONDS = 0.1
TEMPERATURE = 0.05
"""Default temperature, in units of `Option.value`: an action whose expected result is 0.05 lower has 1/e of the
probability.
"""
SAMPLES = 16
"""Default number of answers that are counted."""


class Policy:
    """The policy of a computer player in one game. Call it with a view; see `__call__`.

    >>> import gonfalon
    >>> from gonfalon.ai.policy import Policy
    >>> game = gonfalon.make("tiny")
    >>> position = game.parse_state("tiny; red 3!.1; blue .2!.; turn red 2")
    >>> Policy(game, "level-8", seed=1)(game.view(position, 0)).round(2)
    array([1., 0.])
    """

    def __init__(
        self,
        game: Game,
        agent: str | Callable[[], Agent],
        *,
        seconds: float = SECONDS,
        temperature: float = TEMPERATURE,
        samples: int = SAMPLES,
        seed: int = 0,
    ) -> None:
        """`agent`: a name of `gonfalon.ai.agents()`, or a callable that makes an agent. `seconds`: thinking time for a
        view. `temperature`: of the softmax over a search's values; 0 puts everything on the best action. `samples`:
        number of answers that are counted if there are no values. Raises ValueError.
        """
        if not 0 <= temperature < np.inf:
            raise ValueError(f"a temperature is at least 0, not {temperature}")
        if not seconds > 0:
            raise ValueError(f"an agent needs more than 0 seconds, not {seconds}")
        if samples < 1:
            raise ValueError(f"at least 1 answer is counted, not {samples}")
        self._game = game
        self._make_agent = _find_maker(agent)
        self._seconds, self._temperature, self._samples = seconds, temperature, samples
        self._rng = np.random.default_rng(seed)

    def __call__(self, view: View, events: Sequence[Event] = ()) -> Probabilities:
        """Return the probability of each action of `view.legal`, in the same order.

        `events`: the viewer's events since the match began. Without them, a level does not know how pieces have moved
        before, so it thinks of other worlds.

        - A level, or another `Adviser`: the softmax of the values of its search. Of a compound choice only the first
          action counts, with the sum of all its continuations. Actions that the search dropped have 0.
        - `random`: every action has the same probability.
        - Deployments and other arrangements, and agents without values, such as `greedy`: the share of the first
          actions of `samples` independent answers.

        Raises ValueError if the viewer cannot act.
        """
        legal = view.legal
        if not len(legal):
            raise ValueError(f"player {view.observer} cannot act")
        agent = self._make_agent()
        deploys = self._game.standing(view).deploys
        if isinstance(agent, Adviser) and not deploys:
            question = Question(view, tuple(events), self._seconds)
            options = agent.consider(self._game, question, self._rng)
            return _weigh(legal, options, self._temperature)
        if isinstance(agent, RandomAgent) and not deploys:
            return np.full(len(legal), 1 / len(legal))
        return self._count_answers(view, tuple(events))

    def _count_answers(self, view: View, events: tuple[Event, ...]) -> Probabilities:
        legal = view.legal
        question = Question(view, events, self._seconds / self._samples)
        found = np.zeros(len(legal))
        for _ in range(self._samples):
            first = self._make_agent().act(self._game, question, self._rng)[0]
            found[np.searchsorted(legal, first)] += 1
        return found / self._samples


def _weigh(legal: NDArray[np.int32], options: Sequence[Option], temperature: float) -> Probabilities:
    """Return the softmax of the options' values, summed by the first action; of equal best ones the first."""
    values = np.array([option.value for option in options])
    firsts = np.searchsorted(legal, [option.actions[0] for option in options])
    if temperature == 0:
        weights = np.zeros(len(values))
        weights[values.argmax()] = 1.0
    else:
        weights = np.exp((values - values.max()) / temperature)
    found = np.zeros(len(legal))
    np.add.at(found, firsts, weights / weights.sum())
    return found


def _find_maker(agent: str | Callable[[], Agent]) -> Callable[[], Agent]:
    from gonfalon.ai import agents  # imported here, because `agents` imports every module of this package

    if not isinstance(agent, str):
        return agent
    if agent not in agents():
        raise ValueError(f"no computer player {agent!r}; {list_known(agent, agents())}")
    return agents()[agent]
