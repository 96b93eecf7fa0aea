"""Random play of many matches side by side, and its rate.

python examples/random_play.py --variant barrage --seconds 5
"""

from __future__ import annotations

import argparse
import time

import numpy as np

import gonfalon


def play(variant: str, count: int, seconds: float, seed: int = 1) -> tuple[int, int, float]:
    """Play random actions in `count` matches. Return the actions, the matches that ended, and red's mean return."""
    rng = np.random.default_rng(seed)
    actions, ends, total = 0, 0, 0.0
    with gonfalon.Batch(gonfalon.make(variant), count, deploy="uniform", seed=seed) as batch:
        batch.step(np.zeros(count, np.int32), rows=[])  # the first step compiles
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            legal, due = batch.legal(), batch.due
            counts = np.diff(legal.offsets)
            draws = legal.offsets[:-1] + rng.integers(np.maximum(counts, 1))
            chosen = np.where(due, legal.actions[np.minimum(draws, len(legal.actions) - 1)], 0)
            batch.step(chosen)
            over = due & batch.done
            actions += int(due.sum())
            ends += int(over.sum())
            total += float(batch.returns[over, 0].sum())
    return actions, ends, total / max(1, ends)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--variant", default="barrage")
    parser.add_argument("--matches", type=int, default=256)
    parser.add_argument("--seconds", type=float, default=5.0)
    options = parser.parse_args()
    actions, ends, mean = play(options.variant, options.matches, options.seconds)
    print(f"{actions:,} actions, {actions / options.seconds:,.0f} a second")
    print(f"{ends:,} matches, red's mean return {mean:+.3f}")


if __name__ == "__main__":
    main()
