"""The agent that looks one turn ahead: its own action and the answer to it, in worlds that fit what it knows."""

from __future__ import annotations

import numpy as np

from gonfalon.ai.agent import must_deploy
from gonfalon.engine.game import CHANCE, Game, State
from gonfalon.engine.view import View

WORLDS = 12
"""Most resampled worlds a decision is tried in."""
EVALUATIONS = 4000
"""Most evaluations of states a decision; fewer worlds where there is more to try. Keeps a decision below 0.2 s."""
CAUTION = 0.5
"""Weight of the position after the best answer against the position before it. An opponent sees less than the
resampled world shows, so his best answer there is too pessimistic to count in full."""
NOISE = 0.002
"""Width of the random tie-break, on the scale of `Game.evaluate`."""


class GreedyAgent:
    """Takes the action whose result looks best on average over worlds drawn from its own view."""

    name = "greedy"

    def act(self, game: Game, view: View, rng: np.random.Generator) -> list[int]:
        """See `Agent.act`."""
        legal = view.legal
        if not len(legal):
            raise ValueError(f"player {view.observer} cannot act")
        if must_deploy(game, view):
            return [int(action) for action in game.sensible_deployment(view, rng)]
        if len(legal) == 1:
            return [int(legal[0])]
        scores = rng.random(len(legal)) * NOISE
        worlds = max(1, min(WORLDS, EVALUATIONS // len(legal) ** 2))
        for _ in range(worlds):
            world = game.resample(view, rng)
            scores += [_score(game, world, view.observer, int(action), rng) / worlds for action in legal]
        return [int(legal[np.argmax(scores)])]


def _score(game: Game, world: State, player: int, action: int, rng: np.random.Generator) -> float:
    """How good `action` looks in `world` for `player`, in [-1, 1]."""
    after = _close(game, game.apply(world, player, action), player, rng)
    value = game.evaluate(after, player)
    if game.outcome(after) is not None:
        return value
    return (1 - CAUTION) * value + CAUTION * _after_answer(game, after, player, value, rng)


def _after_answer(game: Game, state: State, player: int, value: float, rng: np.random.Generator) -> float:
    """The evaluation for `player` after the answer that hurts him most; `value` if nobody else is to act."""
    others = [other for other in game.to_act(state) if other not in (CHANCE, player)]
    worst = value if not others else 1.0
    for other in others:
        for action in game.legal_actions(state, other):
            after = _close(game, game.apply(state, other, int(action)), other, rng)
            worst = min(worst, game.evaluate(after, player))
    return worst


def _close(game: Game, state: State, player: int, rng: np.random.Generator) -> State:
    """`state` with chance drawn and `player`'s unfinished choice finished at random."""
    while True:
        if game.to_act(state) == (CHANCE,):
            actions, odds = game.chance_outcomes(state)
            state = game.apply(state, CHANCE, int(rng.choice(actions, p=odds)))
        elif game.is_open(state, player):
            legal = game.legal_actions(state, player)
            state = game.apply(state, player, int(legal[rng.integers(len(legal))]))
        else:
            return state


AGENT = GreedyAgent
