"""The agent that looks one turn ahead: its own action and the answer to it, in worlds that fit what it knows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gonfalon.ai.agent import must_deploy
from gonfalon.engine.chance import drawn
from gonfalon.engine.game import Actions, Game, State
from gonfalon.engine.view import View

WORLDS = 12
"""Resampled worlds of a decision. Every action is tried in each of them."""
FIRST_ANSWERS = 2
"""In so many of them the answers to every action are looked at, too."""
FINALISTS = 5
"""The best so many actions have their answers looked at in `LAST_ANSWERS` further worlds."""
LAST_ANSWERS = 6
MANY = 50
"""With more legal actions than this, answers are looked at for finalists only: a decision stays below 0.2 s."""
CAUTION = 0.5
"""Weight of the position after the best answer against the position before it. An opponent sees less than the
resampled world shows, so his best answer there is too pessimistic to count in full."""
NOISE = 0.00005
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
        return [int(legal[_best(game, view, legal, rng)])]


def _best(game: Game, view: View, legal: Actions, rng: np.random.Generator) -> int:
    """Index of the action to take."""
    player = view.observer
    worlds = [game.resample(view, rng) for _ in range(WORLDS)]
    every = range(len(legal))
    afters = [[_close(game, game.apply(world, player, int(a)), player, rng) for a in legal] for world in worlds]
    values = np.array([[game.evaluate(after, player) for after in row] for row in afters])
    scores: NDArray[np.float64] = values.mean(axis=0) + rng.random(len(legal)) * NOISE
    losses = np.zeros((WORLDS, len(legal)))
    looked = 0
    if len(legal) <= MANY:
        looked = FIRST_ANSWERS
        _look_at_answers(game, player, afters, values, losses, range(looked), every, rng)
    first = scores - CAUTION * losses[: max(looked, 1)].mean(axis=0)
    finalists = np.argsort(-first)[:FINALISTS].tolist()
    _look_at_answers(game, player, afters, values, losses, range(looked, looked + LAST_ANSWERS), finalists, rng)
    last = scores - CAUTION * losses[: looked + LAST_ANSWERS].mean(axis=0)
    return int(max(finalists, key=lambda i: last[i]))


def _look_at_answers(
    game: Game,
    player: int,
    afters: list[list[State]],
    values: NDArray[np.float64],
    losses: NDArray[np.float64],
    worlds: Sequence[int],
    actions: Sequence[int],
    rng: np.random.Generator,
) -> None:
    """Fills `losses`, shape (worlds, actions): how much the worst answer to an action costs there, at least 0."""
    for world in worlds:
        for i in actions:
            worst = _after_answer(game, afters[world][i], player, rng)
            losses[world, i] = max(0.0, values[world, i] - worst)


def _after_answer(game: Game, state: State, player: int, rng: np.random.Generator) -> float:
    """The evaluation for `player` after the answer that hurts him most; 1 where nobody else is to act."""
    worst = 1.0
    state = _arranged(game, state, player, rng)
    for other in game.to_act(state):
        if other == player:
            continue
        for action in game.legal_actions(state, other):
            after = _close(game, game.apply(state, other, int(action)), other, rng)
            worst = min(worst, game.evaluate(after, player))
    return worst


def _arranged(game: Game, state: State, player: int, rng: np.random.Generator) -> State:
    """`state` where the others can answer: chance drawn, before and after what `player` must still arrange in this turn."""
    while True:
        if game.info.chance:
            state = drawn(game, state, rng)
        if game.to_act(state) != (player,) or not must_deploy(game, view := game.view(state, player)):
            return state
        for action in game.sensible_deployment(view, rng):
            state = game.apply(state, player, int(action))


def _close(game: Game, state: State, player: int, rng: np.random.Generator) -> State:
    """`state` with `player`'s unfinished choice finished at random."""
    while game.is_open(state, player):
        legal = game.legal_actions(state, player)
        state = game.apply(state, player, int(legal[rng.integers(len(legal))]))
    return state


AGENT = GreedyAgent
