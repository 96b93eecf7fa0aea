"""Fits the points of `games/conquest/play/worth.py` to matches that were played.

    gonfalon arena level-8 greedy --game conquest --games 200 --folder FOLDER
    python tools/data/conquest_worth.py FOLDER [FOLDER ...]

The end of each turn is a sample: the points of all players, and the winner of the match. The model: the probability
that a player wins is proportional to exp(points) (a conditional logit; McFadden, Conditional Logit Analysis of
Qualitative Choice Behavior, 1974). The tool prints the constants that fit best, in the scale of the present ones. It
also prints how well the fitted and the present constants predict matches outside the fit, in nats: lower is better, and
equal chances for all players give the logarithm of their number.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

os.environ["GONFALON_PLAIN"] = "1"  # so that the constants can be changed here

import numpy as np
from numpy.typing import NDArray

from gonfalon.ai.arena.folder import read_folder
from gonfalon.engine.compiled import jit
from gonfalon.engine.records.record import read_record
from gonfalon.engine.records.replay import game_of, play_record
from gonfalon.games import make
from gonfalon.games.conquest import state as g
from gonfalon.games.conquest.play import worth

NAMES = ("WORTH", "LAND", "CITY", "FLAG", "DANGER", "SPOILS", "REACH", "SURE")
"""Constants that the points are proportional to. Shares of a unit's worth scale with WORTH."""
LEFT_OUT = 5
"""One match in this many is left out of the fit."""
STEPS, RATE, RIDGE = 4000, 0.3, 1e-4
Floats = NDArray[np.float64]


def list_turns(text: str) -> Iterator[tuple[Floats, int]]:
    """Yield, for each turn's end of a record, the points by constant, shape (players, NAMES), and the winner."""
    record = read_record(text)
    game = game_of(record, make)
    work, lead = np.zeros(2 * g.ZONES, np.int32), np.zeros(2 * g.PLAYERS)
    kept, turn = [], 0
    for step in play_record(game, record):
        state = step[-1][0]
        if state["turn"] != turn and state["phase"] != g.OVER:
            turn = int(state["turn"])
            kept.append(state.copy())
    if state["phase"] == g.OVER and state["winner"] != g.NONE:
        for at in kept:
            yield split_points(at[None], game.rules, work, lead)[: game.info.players], int(state["winner"])


def split_points(states: NDArray[np.void], rules: NDArray[np.void], work: NDArray[np.int32], lead: Floats) -> Floats:
    """Return the points of each player, split by constant. `states` and `rules` have one row each."""
    present, found = {name: getattr(worth, name) for name in NAMES}, np.zeros((g.PLAYERS, len(NAMES)))
    for k, name in enumerate(NAMES):
        for other, value in present.items():
            nothing = (0.0,) * len(value) if isinstance(value, tuple) else 0.0
            setattr(worth, other, value if other == name else nothing)
        count_points(states, rules, work, lead)
        found[:, k] = lead[: g.PLAYERS]
    for name, value in present.items():
        setattr(worth, name, value)
    return found


@jit.entry
def count_points(states: Any, rules: Any, work: Any, lead: Any) -> None:
    worth.count_points(states[0], rules[0], states[0].mover, g.NONE, work, lead)


def predict(points: Floats, factors: Floats) -> Floats:
    """Return each player's chance of winning, shape (samples, players). `points`: (samples, players, NAMES)."""
    logits = points @ factors
    chances = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(chances / chances.sum(axis=1, keepdims=True))


def fit(points: Floats, winners: NDArray[np.int64]) -> Floats:
    """Return the factor for each constant with which they predict the winners best, by gradient descent."""
    scale = points.reshape(-1, points.shape[2]).std(axis=0) + 1e-9
    scaled, factors, each = points / scale, np.zeros(points.shape[2]), np.arange(len(winners))
    for _ in range(STEPS):
        wrong = predict(scaled, factors)
        wrong[each, winners] -= 1
        factors -= RATE * (np.einsum("np,npf->f", wrong, scaled) / len(winners) + RIDGE * factors)
    return np.asarray(factors / scale)


def judge(points: Floats, winners: NDArray[np.int64], factors: Floats) -> float:
    """Return the mean error of the predictions in nats per sample."""
    return float(-np.log(predict(points, factors)[np.arange(len(winners)), winners]).mean())


def main(folders: list[str]) -> None:
    samples: list[tuple[Floats, int]] = []
    tests: list[bool] = []
    for folder in folders:
        played = read_folder(Path(folder))
        for row in played.rows:
            turns = list(list_turns(played.read(row)))
            samples += turns
            tests += [row.number % LEFT_OUT == 0] * len(turns)
    points, winners = np.array([each for each, _ in samples]), np.array([winner for _, winner in samples])
    test = np.array(tests)
    fitted, present = fit(points[~test], winners[~test]), np.full(len(NAMES), 1 / worth.SCALE)
    print(f"{len(points)} turns; nats on those left out: ", end="")
    print(
        f"nothing known {np.log(points.shape[1]):.3f}, present {judge(points[test], winners[test], present):.3f}, ",
        end="",
    )
    print(f"fitted {judge(points[test], winners[test], fitted):.3f}")
    for name, factor in zip(NAMES, fitted.tolist(), strict=True):
        value = getattr(worth, name)
        told = (
            f"times {factor * worth.SCALE:.2f}" if isinstance(value, tuple) else f"{factor * worth.SCALE * value:.1f}"
        )
        print(f"{name}: {told} (is {'as it stands' if isinstance(value, tuple) else value})")


if __name__ == "__main__":
    main(sys.argv[1:])
