"""Improves the table `[weights]` of `games/cardgame/data/play.toml`, by matches of the player that decides without a
search against itself.

    python tools/data/cardgame_weights.py SECONDS

First come the numbers by which the player decides. All are changed at random, once in one direction and once in the
opposite one. They then move a little towards the side that does better in matches between the two (Spall, Multivariate
Stochastic Approximation Using a Simultaneous Perturbation Gradient Approximation, 1992). Then logistic regression finds
how much the features of a state say about the result.
"""

from __future__ import annotations

import sys
import time
import tomllib

import numpy as np
from numpy.typing import NDArray

import gonfalon
from gonfalon.engine.view import copy_rows
from gonfalon.games.cardgame import state as g
from gonfalon.games.cardgame.play import weights as w
from gonfalon.games.cardgame.play.policy import BOX
from gonfalon.games.cardgame.play.practice import practise
from gonfalon.games.cardgame.play.tables import weights
from gonfalon.games.cardgame.ruleset import DATA

STEPS = {
    (w.WORTH, w.WORTH + g.TYPES): 0.1,
    (w.WORTH + g.TYPES, w.SHOWN): 0.15,
    (w.SHOWN, w.LAY): 0.09,
    (w.LAY, w.LAID): 0.2,
    (w.LAID, w.BEATS): 0.15,
    (w.BEATS, w.NOISE): 0.2,
    (w.DANGER, w.LAY_NOISE): 0.1,
}
"""Step size of the numbers that are changed, by their range (first, end)."""
MATCHES, FITTED, TURNS = 600, 30000, 400
"""Number of matches of one comparison; number of matches for the regression; maximum number of turns kept per match."""
KEPT = 6
"""Number of states per match that the regression uses."""
LEAST_LAID = 0.02
RIDGE = 30.0

Floats = NDArray[np.float64]


class Table:
    """The game in which the matches are played."""

    def __init__(self) -> None:
        self._game = gonfalon.make("cardgame")
        self._rules, self._box = copy_rows(self._game.rules), np.zeros(BOX)
        self._counter = np.random.default_rng(1).integers(0, 2**63, 1).astype(np.uint64)
        self.notes = np.zeros((TURNS, 2 * w.FEATURES))
        self.kept = 0

    def play(self, red: Floats, blue: Floats) -> float:
        """Play a match. Return red's result, -1 to 1."""
        state = self._game.initial_state()
        self.kept = practise(state, self._rules, red, blue, self._box, self._counter, self.notes)
        winner = int(state["winner"][0])
        return 0.0 if winner == g.NONE else 1.0 - 2.0 * winner

    def compare(self, one: Floats, other: Floats, matches: int) -> float:
        """Return the mean result of `one` against `other`."""
        return sum(self.play(one, other) - self.play(other, one) for _ in range(matches // 2)) / matches


def improve(table: Table, p: Floats, seconds: float, rng: np.random.Generator) -> Floats:
    step, begin = np.zeros(len(p)), time.monotonic()
    for (first, last), size in STEPS.items():
        step[first:last] = size
    while (spent := (time.monotonic() - begin) / seconds) < 1:
        way = step * rng.choice([-1, 1], len(p)) * (1 - 0.8 * spent)
        result = table.compare(bound(p + way), bound(p - way), MATCHES)
        p = bound(p + way * np.clip(result, -0.5, 0.5))
    return p


def bound(p: Floats) -> Floats:
    bounded = p.copy()
    bounded[w.LAID : w.BEATS] = np.maximum(LEAST_LAID, p[w.LAID : w.BEATS])
    return bounded


def fit(table: Table, p: Floats, rng: np.random.Generator) -> Floats:
    """Return the weights of the features: how the logarithm of the odds to win grows with each feature."""
    states, results = [], []
    for _ in range(FITTED):
        result = table.play(p, p)
        chosen = rng.choice(table.kept, min(KEPT, table.kept), replace=False)
        states.append(table.notes[chosen])
        results.append(np.full(len(chosen), (result + 1) / 2))
    x, y = np.concatenate(states), np.concatenate(results)
    found = np.zeros(x.shape[1])
    for _ in range(8):
        mean = 1 / (1 + np.exp(-x @ found))
        slope = x.T @ (mean - y) + RIDGE * found
        bend = (x.T * (mean * (1 - mean))) @ x + RIDGE * np.eye(len(found))
        found -= np.linalg.solve(bend, slope)
    return found


def write(p: Floats) -> None:
    """Replace the table; the rest of the file stays."""
    path = DATA / "play.toml"
    text = path.read_text(encoding="utf-8")
    head, rest = text.split("\n[weights]\n")
    lines, at = ["", "[weights]"], 0
    for name, old in tomllib.loads(text)["weights"].items():
        lines.append(f"{name} = [{', '.join(str(round(float(x), 3)) for x in p[at : at + len(old)])}]")
        at += len(old)
    path.write_text(head + "\n".join(lines) + "\n\n[habits]\n" + rest.split("\n[habits]\n")[1], encoding="utf-8")


def main(seconds: float) -> None:
    table, rng = Table(), np.random.default_rng(1)
    before = weights()
    p = improve(table, before.copy(), seconds, rng)
    p[: 2 * w.FEATURES] = fit(table, p, rng)
    print(f"mean result against the numbers before: {table.compare(p, before, 10000):.3f}")
    write(p)


if __name__ == "__main__":
    main(float(sys.argv[1]))
