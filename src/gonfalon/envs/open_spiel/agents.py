"""Bots of OpenSpiel as agents of our arena, under the names `open_spiel:NAME` with a name of `BOTS`.

A bot gets a state that its player cannot tell from the true one (`MatchState.imagine`), never the true state. Its own
samples are drawn from that state by `resample_from_infostate`, thus from the player's view too.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np
import pyspiel
from open_spiel.python.algorithms import ismcts, mcts

from gonfalon.ai.agent import Question
from gonfalon.ai.arena.entrants import BOT
from gonfalon.engine.game import Game
from gonfalon.engine.search import find_timer
from gonfalon.engine.spelling import list_known
from gonfalon.envs.open_spiel.learned import Learned, write_events
from gonfalon.envs.open_spiel.matches import MatchGame, MatchState, register_ruleset

EXPLORATION = 2.0
"""Constant of UCT."""
SHARE = 0.8
"""Part of the thinking time that is planned for; the duration of a simulation varies."""
LEAST_SIMULATIONS, MOST_SIMULATIONS = 2, 10_000
"""Bounds for the number of simulations. The first one only opens the tree."""


class Budget(NamedTuple):
    """Thinking time for one action."""

    seconds: float
    read_time: Callable[[], float]
    """The clock that counts."""


class Ismcts:
    """OpenSpiel's Information Set Monte Carlo Tree Search, with as many simulations as the time allows. It makes at
    least two, so in long matches, which take long to play out, an answer can be late.
    """

    def __init__(self, evaluator: Callable[[np.random.RandomState], mcts.Evaluator]) -> None:
        self._make_evaluator = evaluator
        self._seconds_each = 0.0
        """Duration of a simulation of the last search."""

    def choose(self, game: MatchGame, state: MatchState, budget: Budget, rng: np.random.Generator) -> int:
        """Return an action."""
        luck = np.random.RandomState(int(rng.integers(2**32)))
        count = int(SHARE * budget.seconds / self._seconds_each) if self._seconds_each else 0
        count = min(max(count, LEAST_SIMULATIONS), MOST_SIMULATIONS)
        bot = ismcts.ISMCTSBot(game, self._make_evaluator(luck), EXPLORATION, count, random_state=luck)
        bot.set_resampler(lambda state, player: state.resample_from_infostate(player, rng.random))
        begin = budget.read_time()
        action = int(bot.step(state))
        if len(state.legal_actions()) > 1:
            self._seconds_each = (budget.read_time() - begin) / count
        return action


class Estimate(mcts.Evaluator):
    """Judges a position by `Game.evaluate`, and takes all actions as equally good at first."""

    def evaluate(self, state: MatchState) -> list[float]:
        return [state.game.evaluate(state.position, player) for player in range(state.game.info.players)]

    def prior(self, state: MatchState) -> list[tuple[int, float]]:
        if state.is_chance_node():
            return state.chance_outcomes()
        actions = state.legal_actions()
        return [(action, 1 / len(actions)) for action in actions]


class Uniform:
    """OpenSpiel's bot that plays at random."""

    def choose(self, _game: MatchGame, state: MatchState, _budget: Budget, rng: np.random.Generator) -> int:
        """Return an action."""
        player = state.current_player()
        bot = pyspiel.make_uniform_random_bot(player, int(rng.integers(2**31)))
        return int(bot.step(state))


BOTS: dict[str, Callable[[], Ismcts | Uniform]] = {
    "ismcts": partial(Ismcts, partial(mcts.RandomRolloutEvaluator, 1)),
    "ismcts-estimate": partial(Ismcts, lambda _luck: Estimate()),
    "uniform_random": Uniform,
}
"""IS-MCTS with random play to the end, IS-MCTS that judges positions by `Game.evaluate`, and random play."""


class BotAgent:
    """A bot of OpenSpiel as an agent."""

    def __init__(self, bot: str) -> None:
        """Raises ValueError for an unknown name."""
        if bot not in BOTS:
            raise ValueError(f"no bot {bot!r} of OpenSpiel; {list_known(bot, BOTS)}")
        self.name = f"{BOT}{bot}"
        self._bot = BOTS[bot]()
        self._learned: Learned | None = None

    def act(self, game: Game, question: Question, rng: np.random.Generator) -> list[int]:
        """See `Agent.act`."""
        view, info = question.view, game.info
        player = view.observer
        if not len(view.legal):
            raise ValueError(f"player {player} cannot act")
        learned = self._learned or Learned(f"observer {player}")
        self._learned = learned = learned.add(write_events(question.events))
        ours = pyspiel.load_game(register_ruleset(info.ruleset), dict(info.ruleset.changed))
        # A deployment is one decision of many actions. Nobody else acts in the sampled position meanwhile.
        arrange = game.scene(view).arrange
        count = len(arrange.places) if arrange else 1
        budget = Budget(question.seconds / count, find_timer(question.processor_time))
        position, actions = game.resample(view, rng), list[int]()
        for _ in range(count):
            state = MatchState.imagine(ours, position, {player: learned})
            actions.append(self._bot.choose(ours, state, budget, rng))
            position = game.apply(position, player, actions[-1])
            learned = learned.add([f"{actions[-1]}"])
        return actions


def make_agent(name: str) -> BotAgent:
    """Return a new agent of a bot, for one match. Raises ValueError for an unknown name."""
    return BotAgent(name.removeprefix(BOT))
