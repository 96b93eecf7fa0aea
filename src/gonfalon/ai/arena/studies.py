"""Quality of beliefs and of expected results, measured on matches of a level against itself: `gonfalon bench
belief`.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict

import msgspec
import numpy as np

from gonfalon.ai.agent import Asker, Question, play_on
from gonfalon.ai.levels import Level
from gonfalon.engine.events import Event
from gonfalon.engine.game import CHANCE, EVERYTHING, Game, State
from gonfalon.engine.search import Mind

WORLDS = 64
"""Number of worlds from which the likelihoods of a hidden piece's types are computed."""
EVERY = 9
"""One decision in this many is examined."""
BINS = 10


class Moment(msgspec.Struct, frozen=True):
    """A decision in a match: its player, the true state, the player's events until then, and the expected result."""

    player: int
    state: State
    events: tuple[Event, ...]
    value: float


class Belief(msgspec.Struct, frozen=True):
    """Cross-entropy of the types of hidden pieces, in nats per piece; lower is better."""

    pieces: int
    uniform: float
    """Cross-entropy if all possible deals are equally likely."""
    weighted: float
    """Cross-entropy with worlds drawn from the belief, which uses the places and moves of pieces."""


class Bin(msgspec.Struct, frozen=True):
    """Decisions with similar expected chances of winning."""

    decisions: int
    expected: float
    """Mean of the expected chances, from 0 to 1."""
    found: float
    """Mean of the results: 1 for a win, 0 for a loss, values between them for draws."""


class _Watched(Level):
    """A level that stores its events and its expected results."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.heard: list[Event] = []
        self.value = math.nan

    def act(self, game: Game, question: Question, rng: np.random.Generator) -> list[int]:
        self.heard.extend(question.events)
        self.value = math.nan
        if game.standing(question.view).deploys:
            return super().act(game, question, rng)
        best = self.consider(game, question, rng)[0]
        self.value = best.value
        return list(best.actions)


def watch_match(game: Game, level: int, seconds: float, rng: np.random.Generator) -> tuple[list[Moment], list[float]]:
    """Play a match of a level against itself. Return some of its decisions, and the returns by player."""
    players = {player: _Watched(level) for player in range(game.info.players)}
    found, count, state = [], 0, game.initial_state()
    for before, player, _, after in play_on(game, Asker(game, players, seconds), rng):
        state = after
        if player == CHANCE or math.isnan(players[player].value):
            continue
        count += 1
        if count % EVERY == 0 and not game.is_open(before, player):
            agent = players[player]
            found.append(Moment(player, before, tuple(agent.heard), agent.value))
    outcome = game.outcome(state)
    assert outcome is not None
    return found, list(outcome.returns)


def judge_belief(game: Game, moments: list[Moment], rng: np.random.Generator) -> Belief:
    """Compare drawn worlds with the true states."""
    losses: dict[float, list[float]] = {0.0: [], 1.0: []}
    for moment in moments:
        for insight, found in losses.items():
            found.extend(_predict(game, moment, Mind(seconds=1, insight=insight), rng))
    pieces = len(losses[1.0])
    uniform, weighted = (sum(found) / max(1, pieces) for found in losses.values())
    return Belief(pieces, uniform, weighted)


def _predict(game: Game, moment: Moment, mind: Mind, rng: np.random.Generator) -> list[float]:
    """Return, for each hidden piece, minus the logarithm of the likelihood of its true type in the drawn worlds."""
    view = game.view(moment.state, moment.player)
    hidden = {token.id for token in game.scene(view).tokens if not token.face}
    true = _faces(game, moment.state, hidden)
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    worlds = game.sample_worlds(view, moment.events, mind, WORLDS, rng)
    for k in range(WORLDS):
        for token, face in _faces(game, worlds[k : k + 1], hidden).items():
            counts[token][face] += 1
    kinds = len({face for seen in counts.values() for face in seen})
    return [-math.log((counts[token][face] + 1 / kinds) / (WORLDS + 1)) for token, face in true.items()]


def _faces(game: Game, state: State, wanted: set[str]) -> dict[str, str]:
    tokens = game.scene(game.view(state, EVERYTHING)).tokens
    return {token.id: token.face for token in tokens if token.id in wanted}


def judge_chances(game: Game, matches: list[tuple[list[Moment], list[float]]]) -> list[Bin]:
    """Compare expected chances of winning with the results, in bins of a tenth."""
    least = -1 / (game.info.players - 1)
    pairs = [
        ((1 + moment.value) / 2, (returns[moment.player] - least) / (1 - least))
        for moments, returns in matches
        for moment in moments
    ]
    bins: dict[int, list[tuple[float, float]]] = defaultdict(list)
    for expected, came in pairs:
        bins[min(BINS - 1, int(expected * BINS))].append((expected, came))
    return [
        Bin(len(found), sum(e for e, _ in found) / len(found), sum(c for _, c in found) / len(found))
        for _, found in sorted(bins.items())
    ]
