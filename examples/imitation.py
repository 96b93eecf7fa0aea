"""Imitation of a computer player from exported data: a network learns which action the player chose.

    gonfalon selfplay --agent level-3 --game barrage --games 400 --time 20 --to npz --observations planes -o level-3.npz
    python examples/imitation.py level-3.npz --minutes 5

Each line has the share of actions of unseen matches that the network puts first, and the mean logarithm of the
probability that it gives to the chosen action, beside that of a uniform choice among the legal actions.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

os.environ.setdefault("JAX_PLATFORMS", "cpu")  # before JAX is imported

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray
from ppo import Weights, begin, judge, learn, make_weights

from gonfalon.records import load

PART = 512
"""Samples of a step."""
RATE = 3e-4
"""Learning rate."""
PATIENCE = 3
"""Number of measurements without progress after which learning ends: the network then learns the data by heart."""
Samples = Mapping[str, NDArray[Any]]
"""Decisions: `seen`, shape (n, size), `actions` and `legal`, shape (n,)."""


class Score(NamedTuple):
    """Measured on matches that were not learned from."""

    first: float
    """Share of the actions that the network puts first."""
    log: float
    """Mean logarithm of the probability of the chosen action."""
    uniform: float
    """The same of a uniform choice among the legal actions."""


def read(path: str) -> tuple[Samples, Samples, int]:
    """Return the decisions to learn from, those of one match in ten to measure with, and the number of action ids."""
    rows = load(path)
    chosen, apart = (rows.form_action >= 0) & (rows.legal > 1), rows.match % 10 == 0
    columns = {"seen": rows.planes.reshape(len(rows.match), -1), "actions": rows.form_action, "legal": rows.legal}
    learned, unseen = (
        {name: each[mask] for name, each in columns.items()} for mask in (chosen & ~apart, chosen & apart)
    )
    return learned, unseen, rows.about.form_actions


def find_loss(weights: Weights, samples: Mapping[str, Any]) -> Any:
    """Return the mean negative logarithm of the probabilities of the chosen actions. The data have no masks, so the
    network also learns what is legal.
    """
    logs, _ = judge(weights, samples["seen"], jnp.ones((1, 1), bool))
    return -jnp.take_along_axis(logs, samples["actions"][:, None], 1).mean()


@jax.jit
def compare(weights: Weights, seen: Any, actions: Any) -> tuple[Any, Any]:
    logs, _ = judge(weights, seen, jnp.ones((1, 1), bool))
    return logs.argmax(axis=1) == actions, jnp.take_along_axis(logs, actions[:, None], 1)[:, 0]


def measure(weights: Weights, samples: Samples) -> Score:
    first, logs = compare(weights, samples["seen"], samples["actions"])
    return Score(float(first.mean()), float(logs.mean()), float(-np.log(samples["legal"]).mean()))


def imitate(path: str, minutes: float, every: float, seed: int = 1) -> Iterator[Score]:
    """Learn for some minutes, or until the unseen matches are predicted no better. Yield the score at the beginning,
    and after every so many minutes.
    """
    learned, unseen, actions = read(path)
    rng, weights = (
        np.random.default_rng(seed),
        make_weights(jax.random.PRNGKey(seed), learned["seen"].shape[1], actions),
    )
    moments, count, end = begin(weights), 0, time.monotonic() + 60 * minutes
    score = best = measure(weights, unseen)
    yield score
    shown, patience = time.monotonic(), PATIENCE
    while time.monotonic() < end and patience:
        chosen = rng.integers(len(learned["actions"]), size=PART)
        count += 1
        samples = {name: each[chosen] for name, each in learned.items()}
        weights, moments = learn(find_loss, weights, moments, float(count), RATE, samples)
        if time.monotonic() - shown > 60 * every:
            score = measure(weights, unseen)
            yield score
            patience = PATIENCE if score.log > best.log else patience - 1
            best, shown = max(score, best, key=lambda each: each.log), time.monotonic()
    if patience:
        yield measure(weights, unseen)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", help="of `gonfalon selfplay` or `gonfalon records export`, with planes")
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--every", type=float, default=0.1, help="minutes between two measurements")
    options = parser.parse_args()
    for first, log, uniform in imitate(options.file, options.minutes, options.every):
        print(f"first {first:.1%}, log {log:.3f} (uniform {uniform:.3f})", flush=True)


if __name__ == "__main__":
    main()
