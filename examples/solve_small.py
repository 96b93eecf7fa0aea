"""The value of a small game, by counterfactual regret minimization (CFR+: Tammelin, 2014) of OpenSpiel.

    python examples/solve_small.py                       (needs `pip install 'gonfalon[open-spiel]'`)

Each line has the iterations, the exploitability of the average policy, and the value for red. The exploitability is the
mean of what each side could win by its best response; so the true value lies within twice that much of the printed one.

| game | histories | value for red | exploitability | iterations | CPU-seconds |
|---|---|---|---|---|---|
| grid-3x3 | 2,826 | +0.0005 | 0.0041 | 100 | 40 |
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from typing import NamedTuple

import pyspiel
from open_spiel.python.algorithms import cfr, expected_game_score, exploitability

import gonfalon.envs.open_spiel  # noqa: F401 - registers the games

KNOWN = {"grid-3x3": 0.0005}
"""Values for red of the table above, by variant."""


class Line(NamedTuple):
    """What is known after some iterations."""

    iterations: int
    exploitability: float
    value: float


def solve(variant: str, most: int, enough: float, every: int = 50) -> Iterator[Line]:
    """Yield a line after every so many iterations, until the exploitability is `enough` or after `most` iterations."""
    game = pyspiel.load_game(f"gonfalon_{variant.replace('-', '_')}")
    solver = cfr.CFRPlusSolver(game)
    for number in range(1, most + 1):
        solver.evaluate_and_update_policy()
        if number % every == 0 or number == most:
            policy = solver.average_policy()
            value = expected_game_score.policy_value(game.new_initial_state(), [policy, policy])[0]
            line = Line(number, exploitability.exploitability(game, policy), value)
            yield line
            if line.exploitability < enough:
                return


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--variant", default="grid-3x3")
    parser.add_argument("--iterations", type=int, default=2_000, help="at most (default: %(default)s)")
    parser.add_argument("--enough", type=float, default=0.01, help="exploitability (default: %(default)s)")
    options = parser.parse_args()
    begin = time.process_time()
    for line in solve(options.variant, options.iterations, options.enough):
        spent = time.process_time() - begin
        print(f"{line.iterations:>6} {line.exploitability:.4f} {line.value:+.4f}  {spent:.0f} CPU-seconds", flush=True)


if __name__ == "__main__":
    main()
