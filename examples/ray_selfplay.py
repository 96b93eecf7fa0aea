"""Self-play on several machines with Ray: actors play with the newest weights and return gradients, one program learns.

    ray start --head --port 6379 --num-cpus 1                  (on the first machine)
    ray start --address FIRST:6379 --num-cpus 1                (on each other machine, or again on the same one)
    python examples/ray_selfplay.py --address FIRST:6379 --rounds 200

The policy is linear: a weight for each plane, cell and action, with a softmax over the legal actions. It learns by
REINFORCE (Williams, 1992): the gradient of an action's log-probability, times the result of its match. It needs NumPy
and the extra `cluster` only. `gonfalon selfplay --ray` plays finished agents on a cluster and needs no program.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import gonfalon

RATE = 2.0
Weights = NDArray[np.float32]
"""Shape (size of an observation, action ids of the form)."""


class Lesson(NamedTuple):
    """What an actor returns after some matches."""

    gradient: Weights
    """Sum over all decisions."""
    decisions: int
    matches: int


class Player:
    """Plays matches of one policy against itself; on a cluster, an actor."""

    def __init__(self, variant: str, matches: int, seed: int) -> None:
        self._game = gonfalon.make(variant)
        self._form = self._game.form(dtype="uint8", canonical=True, compact=True)
        self._batch = gonfalon.Batch(self._game, matches, deploy="uniform", seed=seed, autoreset=False)
        self._rng = np.random.default_rng(seed)

    def find_shape(self) -> tuple[int, int]:
        return int(np.prod(self._form.spec.shape)), self._form.actions

    def play(self, weights: Weights) -> Lesson:
        """Play all matches of the batch to their ends."""
        self._batch.reset()
        steps: list[tuple[NDArray[Any], ...]] = []
        while (due := self._batch.due.copy()).any():
            seen = self._batch.observe(form=self._form)[due].reshape(int(due.sum()), -1)
            masks = self._batch.masks(form=self._form)[due]
            chances = find_chances(seen, masks, weights)
            chosen = draw(chances, self._rng)
            actions = np.zeros(len(due), np.int32)
            actions[due] = chosen
            steps.append((np.flatnonzero(due), self._batch.to_act[due].copy(), seen, chances, chosen))
            self._batch.step(actions, form=self._form)
        gradient = np.zeros_like(weights)
        for rows, players, seen, chances, chosen in steps:
            push = -chances
            push[np.arange(len(chosen)), chosen] += 1
            push *= self._batch.returns[rows, players][:, None]
            gradient += (seen.astype(np.float32) / 255).T @ push
        return Lesson(gradient, sum(len(step[0]) for step in steps), len(self._batch))


def find_chances(seen: NDArray[np.uint8], masks: NDArray[np.bool_], weights: Weights) -> NDArray[np.float32]:
    """Return the probabilities of all actions, shape (n, actions)."""
    logits = np.where(masks, (seen.astype(np.float32) / 255) @ weights, -np.inf)
    chances = np.exp(logits - logits.max(axis=1, keepdims=True))
    found: NDArray[np.float32] = chances / chances.sum(axis=1, keepdims=True)
    return found


def draw(chances: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.int64]:
    """Return an action for each row."""
    return np.asarray((chances.cumsum(axis=1) > rng.random((len(chances), 1)) * (1 - 1e-6)).argmax(axis=1))


def learn(address: str, variant: str, matches: int, rounds: int) -> Iterator[tuple[int, int, float]]:
    """Learn on the cluster at `address`, with one actor for each of its processors. Yield after each round the matches
    and decisions so far, and the norm of the weights.
    """
    import ray

    with ray.init(address=address, log_to_driver=False, logging_level="error"):
        count = max(1, int(ray.cluster_resources().get("CPU", 1)))
        players = [ray.remote(num_cpus=1)(Player).remote(variant, matches, seed) for seed in range(count)]
        weights = np.zeros(ray.get(players[0].find_shape.remote()), np.float32)
        played, decisions = 0, 0
        for _ in range(rounds):
            kept = ray.put(weights)
            lessons = ray.get([player.play.remote(kept) for player in players])
            decisions += sum(lesson.decisions for lesson in lessons)
            played += sum(lesson.matches for lesson in lessons)
            weights = weights + RATE * sum(lesson.gradient for lesson in lessons) / sum(
                lesson.decisions for lesson in lessons
            )
            yield played, decisions, float(np.linalg.norm(weights))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--address", default="auto", help="of the cluster, HOST:PORT (default: the one of this machine)"
    )
    parser.add_argument("--variant", default="grid-6x6")
    parser.add_argument("--matches", type=int, default=128, help="of an actor in a round")
    parser.add_argument("--rounds", type=int, default=100)
    options = parser.parse_args()
    begin = time.monotonic()
    for played, decisions, norm in learn(options.address, options.variant, options.matches, options.rounds):
        print(
            f"{played:,} matches, {decisions:,} decisions, weights {norm:.3f}, {time.monotonic() - begin:.0f} s",
            flush=True,
        )


if __name__ == "__main__":
    main()
