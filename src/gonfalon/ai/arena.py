"""Agents against each other: whole matches, sides swapped, results with confidence intervals.

`python -m gonfalon.ai.arena classic greedy random --matches 100` prints a table. Matches are numbered, and each has its
own generator made of the seed and its number, so that a result can be had again and one match can be looked at alone.
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
from gonfalon.ai.agent import Agent
from gonfalon.engine.chance import draw
from gonfalon.engine.game import CHANCE, Game, State

MakeAgent = Callable[[], Agent]


class Played(msgspec.Struct, frozen=True):
    """One match. `returns` by player; `decisions` and `actions` of all; `slowest`: the longest decision, seconds."""

    returns: tuple[float, ...]
    reason: str
    decisions: int
    actions: int
    slowest: float


class Score(msgspec.Struct, frozen=True):
    """How the first agent did against the second over `matches` matches, sides swapped from each to the next."""

    matches: int
    won: int
    drawn: int
    lost: int
    reasons: dict[str, int]
    decisions: float
    """Mean number of decisions a match, both players'."""
    slowest: float
    """Longest decision of either, in seconds."""

    @property
    def share(self) -> float:
        """Points a match, a draw counting half, from 0 to 1."""
        return (self.won + self.drawn / 2) / self.matches

    @property
    def interval(self) -> tuple[float, float]:
        """95 % interval of `share` (Wilson's; it takes draws for halves of a win, which makes it a little too wide)."""
        z, n, p = 1.96, self.matches, self.share
        middle = (p + z * z / (2 * n)) / (1 + z * z / n)
        half = z / (1 + z * z / n) * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
        return max(0.0, middle - half), min(1.0, middle + half)


def play(game: Game, players: Sequence[Agent], rng: np.random.Generator, start: State | None = None) -> Played:
    """One match from `start` (default: the beginning), `players` by player number.

    Raises `IllegalActionError` for an agent that answers with an illegal action, RuntimeError for a match that is
    longer than the game says matches can be.
    """
    state = game.initial_state() if start is None else start
    decisions, actions, slowest = 0, 0, 0.0
    while actors := game.to_act(state):
        player = actors[0]
        if player == CHANCE:
            chosen = [draw(game, state, rng)]
        else:
            begin = time.perf_counter()
            chosen = players[player].act(game, game.view(state, player), rng)
            slowest = max(slowest, time.perf_counter() - begin)
            decisions += 1
        for action in chosen:
            state = game.apply(state, player, action)
        actions += len(chosen)
        if actions > game.info.longest:
            raise RuntimeError(f"{game.info.variant}: a match of more than {game.info.longest} actions")
    outcome = game.outcome(state)
    if outcome is None:
        raise RuntimeError(f"{game.info.variant}: nobody can act and the match is not over")
    return Played(outcome.returns, outcome.reason, decisions, actions, slowest)


def compare(game: Game, first: MakeAgent, second: MakeAgent, matches: int, seed: int = 0) -> Score:
    """`matches` matches of a two-player game; the first agent has each side in turn."""
    if game.info.players != 2:
        raise ValueError(f"{game.info.variant} has {game.info.players} players; two agents are compared at two")
    played = []
    points = []
    for number in range(matches):
        seat = number % 2
        players = (first(), second()) if seat == 0 else (second(), first())
        played.append(play(game, players, np.random.default_rng([seed, number])))
        points.append(played[-1].returns[seat])
    return Score(
        matches,
        sum(point > 0 for point in points),
        sum(point == 0 for point in points),
        sum(point < 0 for point in points),
        dict(Counter(match.reason for match in played)),
        sum(match.decisions for match in played) / matches,
        max(match.slowest for match in played),
    )


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
        begin = time.perf_counter()
        score = compare(make(variant), agents()[chosen.first], agents()[chosen.second], chosen.matches, chosen.seed)
        low, high = score.interval
        print(
            f"{variant}: {chosen.first} {score.won} won, {score.drawn} drawn, {score.lost} lost of {score.matches}; "
            f"{score.share:.1%} ({low:.1%} to {high:.1%}); {score.decisions:.0f} decisions a match, slowest "
            f"{score.slowest * 1000:.0f} ms; {score.reasons}; {time.perf_counter() - begin:.0f} s",
            flush=True,
        )


if __name__ == "__main__":
    main()
