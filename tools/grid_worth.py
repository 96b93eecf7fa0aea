"""What the points of the board games' search leave out: fits corrections of the pieces' worth to played matches.

    gonfalon arena level-8 greedy --game original --games 200 --folder FOLDER
    python tools/grid_worth.py FOLDER [FOLDER ...]

A sample is a turn: the points of the side to move by a short search of the true position, how many more pieces of each
type it has than the other side, who plays it, and whether it won (a logistic regression; every match counts as much as
another). Printed is by how many points each type should be worth more, with the standard error over matches, and how
well results of matches left out in turn are predicted with and without it, in nats. A correction need not be a cause:
who still has his Scouts in Barrage has not yet guessed wrong. What it brings is for the arena to say.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gonfalon.engine.game import Game, State
from gonfalon.engine.record import read_record
from gonfalon.engine.replay import game_of, play_record
from gonfalon.engine.view import copy_rows, zero_rows
from gonfalon.games import make
from gonfalon.games.grid import state as g
from gonfalon.games.grid.play.desk import DESK
from gonfalon.games.grid.play.exposure import find_doubt
from gonfalon.games.grid.play.level import LEVEL, LEVELS, SURE, WIN
from gonfalon.games.grid.play.looking import look, prepare
from gonfalon.games.grid.play.memo import FOUND, SIZE
from gonfalon.games.grid.ruleset import TYPES

EVERY, DEPTH, NODES = 9, 2, 20_000
"""Of the decisions one in so many is a sample; how far it is looked, and at how many positions at most."""
GUESSED = 0.3
"""How much of its Flag the other side is taken to have given away."""
FOLDS, RIDGE, STEPS = 5, 0.15, 30
"""`RIDGE`: for each sample."""
Floats = NDArray[np.float64]


class Sample(NamedTuple):
    match: int
    points: float
    """Over the scale of a decided match, by the side to move."""
    scale: float
    more: Floats
    """Own pieces less the other side's by type, shape (TYPES,)."""
    first: bool
    """Whether the first entrant is to move."""
    won: bool


def list_samples(folder: Path, matches: int) -> Iterator[Sample]:
    """The samples of an arena. `matches`: how many were counted before."""
    for k, line in enumerate((folder / "matches.jsonl").read_text().splitlines()):
        row = json.loads(line)
        record = read_record((folder / "records" / f"{row['number']:06}.txt").read_text(encoding="utf-8"))
        game = game_of(record, make)
        states = [step[-1] for step in play_record(game, record)]
        over = states[-1][0]
        if over["phase"] != g.OVER or over["winner"] == g.NONE:
            continue
        for state in states[::EVERY]:
            if state[0]["phase"] == g.TURN:
                player = int(state[0]["mover"])
                points, scale = find_points(game, state, player)
                if abs(points) < SURE:
                    more = count_more(state, player)
                    yield Sample(
                        matches + k, points / scale, scale, more, row["seat"] == player, over["winner"] == player
                    )


def find_points(game: Game, state: State, player: int) -> tuple[float, float]:
    """The points of the best turn of the side to move, and the scale of a decided match."""
    rules, desks, memo = copy_rows(game.rules), zero_rows(DESK, 1), zero_rows(FOUND, SIZE)
    rows, levels = zero_rows(g.STATE, LEVELS), zero_rows(LEVEL, LEVELS)
    view = game.view(state, player)
    desks["doubt"], desks["bluff"] = find_doubt(view, rules), 1.0
    desks["flag_share"][0, : g.SQUARES][state["board"][0, : g.SQUARES] == g.FLAG + (g.RED << (1 - player))] = GUESSED
    prepare(state, 0, rules, player, desks)
    best = -2 * WIN
    for action in view.legal.tolist():
        desks["nodes"] = NODES
        best = max(best, look(state, 0, rules, player, desks, rows, levels, memo, action, DEPTH, best, 2 * WIN))
    return best, float(desks["scale"][0])


def count_more(state: State, player: int) -> Floats:
    """Own pieces less the other side's, by type."""
    board = state["board"][0, : g.SQUARES]
    own, other = (
        np.bincount(board[board & (g.RED << side) != 0] & g.TYPE, minlength=g.TYPES) for side in (player, 1 - player)
    )
    return np.asarray(own - other, np.float64)


def fit(features: Floats, won: Floats, weights: Floats, ridge: Floats) -> Floats:
    """The coefficients that predict best, by Newton's method."""
    found = np.zeros(features.shape[1])
    for _ in range(STEPS):
        chances = predict(features, found)
        slope = features.T @ (weights * (chances - won)) + ridge * found
        found -= np.linalg.solve(bend(features, chances, weights, ridge), slope)
    return found


def predict(features: Floats, coefficients: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-features @ coefficients)))


def bend(features: Floats, chances: Floats, weights: Floats, ridge: Floats) -> Floats:
    """The second derivative of what `fit` makes least."""
    return np.asarray((features * (weights * chances * (1 - chances))[:, None]).T @ features + np.diag(ridge + 1e-6))


def judge(features: Floats, won: Floats, weights: Floats, ridge: Floats, folds: NDArray[np.int64]) -> float:
    """Nats a sample, each fold predicted by the others."""
    nats = np.zeros(len(won))
    for fold in range(FOLDS):
        out = folds == fold
        chances = predict(features[out], fit(features[~out], won[~out], weights[~out], ridge))
        nats[out] = -np.log(np.where(won[out] > 0, chances, 1 - chances))
    return float(np.average(nats, weights=weights))


def main(folders: list[str]) -> None:
    samples: list[Sample] = []
    for folder in folders:
        samples += list_samples(Path(folder), samples[-1].match + 1 if samples else 0)
    points, won = np.array([each.points for each in samples]), np.array([float(each.won) for each in samples])
    matches = np.array([each.match for each in samples])
    weights = 1 / np.bincount(matches)[matches]
    weights *= len(samples) / weights.sum()
    known = np.stack(
        [points, points * np.abs(points), [2.0 * each.first - 1 for each in samples], np.ones(len(won))], axis=1
    )
    more = np.array([each.more for each in samples])
    kinds = np.flatnonzero(more.std(axis=0) > 0)
    features = np.concatenate([known, more[:, kinds]], axis=1)
    ridge = np.r_[np.zeros(known.shape[1]), np.full(len(kinds), RIDGE * np.sqrt(len(won)))]
    folds = matches % FOLDS
    print(f"{len(won)} turns of {len(set(matches.tolist()))} matches; nats on those left out: ", end="")
    print(f"present {judge(known, won, weights, ridge[: known.shape[1]], folds):.4f}, ", end="")
    print(f"corrected {judge(features, won, weights, ridge, folds):.4f}")
    found = fit(features, won, weights, ridge)
    factor = np.mean([each.scale for each in samples]) / found[0]
    spread = find_spread(features, won, weights, ridge, found, matches)
    for k, kind in enumerate(kinds.tolist(), known.shape[1]):
        print(f"{TYPES[kind]:12} {factor * found[k]:+5.0f} points, +-{factor * spread[k]:.0f}")


def find_spread(
    features: Floats, won: Floats, weights: Floats, ridge: Floats, found: Floats, matches: NDArray[np.int64]
) -> Floats:
    """Standard errors, matches being independent and not turns (White, Econometrica 48, 1980)."""
    chances = predict(features, found)
    pulls = np.zeros((matches.max() + 1, features.shape[1]))
    np.add.at(pulls, matches, features * (weights * (won - chances))[:, None])
    inverse = np.linalg.inv(bend(features, chances, weights, ridge))
    return np.asarray(np.sqrt(np.diag(inverse @ (pulls.T @ pulls) @ inverse)))


if __name__ == "__main__":
    main(sys.argv[1:])
