"""Plays agents against each other: whole matches, each agent in each seat in turn, results with confidence intervals.

`python -m gonfalon.ai.arena classic greedy random --matches 100` prints a table. With more than two players the first
agent has one seat and the second all others; if both are equally good, the first wins 1/n of the matches. Each match
has its own random generator, made from the seed and the match's number, so results can be reproduced and one match can
be played alone.
"""

from __future__ import annotations

import argparse
import math
import time
from collections import Counter
from collections.abc import Callable, Sequence

import msgspec
import numpy as np

from gonfalon.ai import agents
from gonfalon.ai.agent import Agent, Asker
from gonfalon.engine.chance import draw
from gonfalon.engine.game import CHANCE, Game, State

MakeAgent = Callable[[], Agent]
SECONDS = 1.0
"""Time for a decision."""


class Played(msgspec.Struct, frozen=True):
    """One match. `returns` is by player. `decisions` and `actions` count those of all players. `slowest` is the longest
    decision, in seconds, and `cpu` the CPU-seconds of the whole match.
    """

    returns: tuple[float, ...]
    reason: str
    decisions: int
    actions: int
    slowest: float
    cpu: float


class Score(msgspec.Struct, frozen=True):
    """How the first agent did against the second over `matches` matches. It moves one seat on after each match."""

    matches: int
    won: int
    drawn: int
    lost: int
    reasons: dict[str, int]
    decisions: float
    """Mean number of decisions a match, of all players."""
    slowest: float
    """The longest decision of all, in seconds."""
    part: float = 0.5
    """What a draw counted on average. A draw that k players share counts 1/k."""
    cpu: tuple[float, float, float] = (0, 0, 0)
    """CPU-seconds a match, for agents and rules: least, median, most."""

    @property
    def share(self) -> float:
        """Points a match, from 0 to 1."""
        return (self.won + self.drawn * self.part) / self.matches

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's 95 % interval of `share`. It treats a draw as part of a win, which makes it a little too wide."""
        z, n, p = 1.96, self.matches, self.share
        middle = (p + z * z / (2 * n)) / (1 + z * z / n)
        half = z / (1 + z * z / n) * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
        return max(0.0, middle - half), min(1.0, middle + half)


def play(game: Game, players: Sequence[Agent], rng: np.random.Generator, start: State | None = None) -> Played:
    """Plays one match from `start` (default: the beginning). `players` are the agents by player number.

    Raises `IllegalActionError` if an agent answers with an illegal action, RuntimeError if the match is longer than
    `GameInfo.longest`.
    """
    state = game.initial_state() if start is None else start
    asker = Asker(game, dict(enumerate(players)), SECONDS)
    decisions, actions, slowest = 0, 0, 0.0
    started = time.process_time()
    while actors := game.to_act(state):
        player = actors[0]
        if player == CHANCE:
            chosen = [draw(game, state, rng)]
        else:
            begin = time.perf_counter()
            chosen = asker.ask(player, state, rng)
            slowest = max(slowest, time.perf_counter() - begin)
            decisions += 1
        for action in chosen:
            state = game.apply(state, player, action)
            asker.note(action, state)
        actions += len(chosen)
        if actions > game.info.longest:
            raise RuntimeError(f"{game.info.variant}: a match of more than {game.info.longest} actions")
    outcome = game.outcome(state)
    if outcome is None:
        raise RuntimeError(f"{game.info.variant}: nobody can act and the match is not over")
    return Played(outcome.returns, outcome.reason, decisions, actions, slowest, time.process_time() - started)


def compare(game: Game, first: MakeAgent, second: MakeAgent, matches: int, seed: int = 0) -> Score:
    """Plays `matches` matches. The first agent has each seat in turn, the second all others."""
    played = []
    points = []
    for number in range(matches):
        seat = number % game.info.players
        players = [first() if player == seat else second() for player in range(game.info.players)]
        played.append(play(game, players, np.random.default_rng([seed, number])))
        points.append(points_of(played[-1].returns, seat))
    parts = [point for point in points if 0 < point < 1]
    return Score(
        matches,
        points.count(1),
        len(parts),
        points.count(0),
        dict(Counter(match.reason for match in played)),
        sum(match.decisions for match in played) / matches,
        max(match.slowest for match in played),
        sum(parts) / max(1, len(parts)),
        tuple(np.quantile([match.cpu for match in played], (0, 0.5, 1)).tolist()),
    )


def points_of(returns: Sequence[float], player: int) -> float:
    """1 for the winner, 1/k for each of k players who share a draw, 0 for a loser."""
    best = max(returns)
    return 1 / list(returns).count(best) if returns[player] == best else 0.0


def main(argv: Sequence[str] | None = None) -> None:
    """Compares two agents on variants and prints one line each."""
    from gonfalon import make, variants

    parser = argparse.ArgumentParser(prog="python -m gonfalon.ai.arena", description="Compares two agents.")
    parser.add_argument("variant", choices=["all", *variants()])
    parser.add_argument("first", choices=list(agents()))
    parser.add_argument("second", choices=list(agents()))
    parser.add_argument("--matches", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_args(argv)
    for variant in variants() if chosen.variant == "all" else (chosen.variant,):
        score = compare(make(variant), agents()[chosen.first], agents()[chosen.second], chosen.matches, chosen.seed)
        low, high = score.interval
        print(
            f"{variant}: {chosen.first} {score.won} won, {score.drawn} drawn, {score.lost} lost of {score.matches}; "
            f"{score.share:.1%} ({low:.1%} to {high:.1%}); {score.decisions:.0f} decisions a match, slowest "
            f"{score.slowest * 1000:.0f} ms; {score.reasons}; a match takes "
            f"{' / '.join(f'{seconds:.2f}' for seconds in score.cpu)} CPU-seconds (least / median / most)",
            flush=True,
        )


if __name__ == "__main__":
    main()
