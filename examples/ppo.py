"""Proximal policy optimization (Schulman et al., 2017) by self-play, in one file: JAX on the CPU, `gonfalon.Batch`,
masks of legal actions, no shaping of rewards.

    python examples/ppo.py --variant grid-6x6 --minutes 30 --output policy.npz
    gonfalon arena py:examples/ppo.py:Learned random --game grid-6x6 --games 200 --time 50

One network plays all seats, always seen from the side of the player to act. The first command prints the share of
points against `random` and `greedy` as it learns, and keeps the weights. `Learned` is the trained policy as an agent;
it reads the file that GONFALON_POLICY names (default: policy.npz).
"""

from __future__ import annotations

import argparse
import csv
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple

os.environ.setdefault("JAX_PLATFORMS", "cpu")  # before JAX is imported

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

import gonfalon
from gonfalon.ai import Asker, Question, play_on
from gonfalon.engine.game import Game
from gonfalon.engine.learning.observation import Form
from gonfalon.engine.view import View

HIDDEN = 256
"""Units of each of the two hidden layers."""
STEPS, EPOCHS, PARTS = 64, 3, 8
"""Steps of a rollout in each match; passes over its samples, and parts of a pass."""
DISCOUNT, LAMBDA, CLIP = 0.99, 0.95, 0.2
VALUE = 0.5
"""Weight of the value's term in the loss."""
FIRST, LAST = np.array([5e-4, 0.1]), np.array([1e-4, 0.03])
"""Learning rate and weight of the entropy's term, at the beginning and at the end; both fall evenly. With less entropy,
play against oneself goes in circles: after 26 million decisions with a weight of 0.01 to 0.02, `random` still had a
quarter of the points.
"""
ILLEGAL = -1e9
"""Logit of an illegal action."""
Weights = dict[str, Any]
Loss = Callable[[Weights, Mapping[str, Any]], Any]


class Rollout(NamedTuple):
    """Steps of many matches, each array of shape (steps, matches, ...)."""

    seen: NDArray[np.uint8]
    masks: NDArray[np.bool_]
    actions: NDArray[np.int32]
    logs: NDArray[np.float32]
    """Logarithm of the probability that the action had."""
    values: NDArray[np.float32]
    players: NDArray[np.int32]
    rewards: NDArray[np.float32]
    """Return of who acted if the step ended the match, else 0."""
    ends: NDArray[np.bool_]
    counts: NDArray[np.bool_]
    """Whether the step was a decision. A match that is over begins anew in a step that is none."""


class Eyes:
    """Observations of a game as flat arrays."""

    def __init__(self, game: Game) -> None:
        self.form: Form = game.form(dtype="uint8", canonical=True, compact=True)
        self.size = int(np.prod(self.form.spec.shape))
        self._buffer = self.form.make_buffer()
        self._game = game

    def flatten(self, planes: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Return observations, shape (n, planes, rows, columns), as shape (n, size)."""
        return planes.reshape(len(planes), self.size).copy()

    def look(self, view: Any) -> NDArray[np.uint8]:
        """Return the observation of a view, shape (1, size)."""
        self._buffer[:] = 0
        self._game.encode(view, out=self._buffer, form=self.form)
        return self.flatten(self._buffer[np.newaxis])


# ---- network -----------------------------------------------------------------------------------------------------


def make_weights(key: Any, size: int, actions: int) -> Weights:
    """Return random weights: two hidden layers, then logits of all actions and a value."""
    shapes = {"first": (size, HIDDEN), "second": (HIDDEN, HIDDEN), "policy": (HIDDEN, actions), "value": (HIDDEN, 1)}
    weights: Weights = {}
    for name, shape in shapes.items():
        key, part = jax.random.split(key)
        scale = (0.01 if name == "policy" else 1.0) * (2 / shape[0]) ** 0.5
        weights[name] = scale * jax.random.normal(part, shape)
        weights[f"{name} bias"] = jnp.zeros(shape[1])
    return weights


def judge(weights: Weights, seen: Any, masks: Any) -> tuple[Any, Any]:
    """Return the logarithms of the probabilities of all actions, and the values for who acts."""
    hidden = seen.astype(jnp.float32) / 255
    for name in ("first", "second"):
        hidden = jax.nn.relu(hidden @ weights[name] + weights[f"{name} bias"])
    logits = hidden @ weights["policy"] + weights["policy bias"]
    values = jnp.tanh(hidden @ weights["value"] + weights["value bias"])[..., 0]
    return jax.nn.log_softmax(jnp.where(masks, logits, ILLEGAL)), values


@jax.jit
def choose(weights: Weights, key: Any, seen: Any, masks: Any) -> tuple[Any, Any, Any]:
    """Return drawn actions, the logarithms of their probabilities, and the values."""
    logs, values = judge(weights, seen, masks)
    actions = jax.random.categorical(key, logs)
    return actions, jnp.take_along_axis(logs, actions[:, None], 1)[:, 0], values


# ---- self-play ---------------------------------------------------------------------------------------------------


def play(batch: gonfalon.Batch, eyes: Eyes, weights: Weights, key: Any) -> tuple[Rollout, NDArray[np.float32]]:
    """Play `STEPS` steps in all matches. Return them, and the values of the states after them for who acts there."""
    planes, masks = eyes.form.make_buffer(len(batch)), np.zeros((len(batch), eyes.form.actions), np.bool_)
    steps: list[tuple[Any, ...]] = []
    for part in jax.random.split(key, STEPS):
        batch.observe(out=planes, form=eyes.form)
        batch.masks(out=masks, form=eyes.form)
        seen, counts = eyes.flatten(planes), batch.due.copy()
        allowed = masks | ~counts[:, None]  # whose match is over may do anything: it begins anew
        players = batch.to_act.copy()
        actions, logs, values = (np.asarray(each) for each in choose(weights, part, seen, allowed))
        batch.step(actions, form=eyes.form)
        ends = counts & batch.done
        rewards = np.where(ends, batch.returns[np.arange(len(batch)), players], 0).astype(np.float32)
        steps.append((seen, allowed, actions, logs, values, players, rewards, ends, counts))
    batch.observe(out=planes, form=eyes.form)
    last = np.asarray(judge_values(weights, eyes.flatten(planes)))
    sides = np.where(batch.done, 0, last)
    return Rollout(*(np.stack(each) for each in zip(*steps, strict=True))), sides


@jax.jit
def judge_values(weights: Weights, seen: Any) -> Any:
    return judge(weights, seen, jnp.ones((len(seen), 1), bool))[1]


def find_advantages(rollout: Rollout, after: NDArray[np.float32], to_act: NDArray[np.int32]) -> NDArray[np.float32]:
    """Return the advantages (generalized advantage estimation) of who acted. In a match of two, the value for the other
    player is the negative value.
    """
    advantages = np.zeros_like(rollout.values)
    following, ahead, players = np.zeros(len(after), np.float32), after, to_act
    for k in reversed(range(STEPS)):
        sign = np.where(players == rollout.players[k], 1, -1) * ~rollout.ends[k]
        surprise = rollout.rewards[k] + DISCOUNT * sign * ahead - rollout.values[k]
        following = np.where(rollout.counts[k], surprise + DISCOUNT * LAMBDA * sign * following, 0)
        advantages[k], ahead, players = following, np.where(rollout.counts[k], rollout.values[k], 0), rollout.players[k]
    return advantages


# ---- learning ----------------------------------------------------------------------------------------------------


def find_loss(weights: Weights, samples: Mapping[str, Any]) -> Any:
    logs, values = judge(weights, samples["seen"], samples["masks"])
    taken = jnp.take_along_axis(logs, samples["actions"][:, None], 1)[:, 0]
    ratio = jnp.exp(taken - samples["logs"])
    gain = samples["advantages"]
    policy = -jnp.minimum(ratio * gain, jnp.clip(ratio, 1 - CLIP, 1 + CLIP) * gain)
    value = (values - samples["targets"]) ** 2
    entropy = -(jnp.exp(logs) * jnp.where(samples["masks"], logs, 0)).sum(axis=1)
    weight = samples["counts"].astype(jnp.float32)
    return (weight * (policy + VALUE * value - samples["entropy"] * entropy)).sum() / jnp.maximum(1, weight.sum())


@partial(jax.jit, static_argnums=0)
def learn(
    loss: Loss, weights: Weights, moments: Any, count: Any, rate: Any, samples: Mapping[str, Any]
) -> tuple[Weights, Any]:
    """Return the weights after a step of Adam (Kingma and Ba, 2015), and its moments. `count`: of steps, from 1."""
    gradients = jax.grad(loss)(weights, samples)
    norm = jnp.sqrt(sum((each**2).sum() for each in jax.tree.leaves(gradients)))
    gradients = jax.tree.map(lambda each: each * jnp.minimum(1, 0.5 / (norm + 1e-8)), gradients)
    first = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, moments[0], gradients)
    second = jax.tree.map(lambda m, g: 0.999 * m + 0.001 * g**2, moments[1], gradients)

    def move(weight: Any, one: Any, two: Any) -> Any:
        return weight - rate * (one / (1 - 0.9**count)) / (jnp.sqrt(two / (1 - 0.999**count)) + 1e-8)

    return jax.tree.map(move, weights, first, second), (first, second)


def begin(weights: Weights) -> Any:
    """Return the moments before the first step."""
    zeros = jax.tree.map(jnp.zeros_like, weights)
    return zeros, zeros


def list_samples(rollout: Rollout, advantages: NDArray[np.float32]) -> dict[str, NDArray[Any]]:
    """Return the rollout as samples, shape (steps * matches, ...), with normalized advantages."""
    real = advantages[rollout.counts]
    samples = {
        "seen": rollout.seen,
        "masks": rollout.masks,
        "actions": rollout.actions,
        "logs": rollout.logs,
        "advantages": (advantages - real.mean()) / (real.std() + 1e-8),
        "targets": np.clip(advantages + rollout.values, -1, 1),
        "counts": rollout.counts,
    }
    return {name: each.reshape(-1, *each.shape[2:]) for name, each in samples.items()}


# ---- the policy as an agent --------------------------------------------------------------------------------------


class Learned:
    """The trained policy as an agent: it draws from its probabilities."""

    name = "learned"

    def __init__(self, weights: Weights | None = None) -> None:
        path = Path(os.environ.get("GONFALON_POLICY", "policy.npz"))
        self._weights = read_weights(path) if weights is None else weights

    def plays(self, game: Game) -> bool:
        """Return whether the network fits the game: it has as many inputs and actions as the game's form."""
        eyes = find_eyes(game)
        shape = self._weights["first"].shape[0], self._weights["policy"].shape[1]
        return bool(shape == (eyes.size, eyes.form.actions))

    def act(self, game: Game, question: Question, rng: np.random.Generator) -> list[int]:
        """Return the actions of one decision, of a deployment all placements."""
        if game.standing(question.view).deploys:
            return list(self._deploy(game, question.view, rng))
        return [self._draw(game, question.view, rng)]

    def _deploy(self, game: Game, view: View, rng: np.random.Generator) -> Iterator[int]:
        """Yield all placements: they are the same wherever hidden pieces stand."""
        state = game.resample(view, rng)
        while game.standing(view).deploys and len(view.legal):
            action = self._draw(game, view, rng)
            yield action
            state = game.apply(state, view.observer, action)
            view = game.view(state, view.observer)

    def _draw(self, game: Game, view: View, rng: np.random.Generator) -> int:
        """Return an action drawn by the policy's probabilities."""
        eyes = find_eyes(game)
        key = jax.random.PRNGKey(int(rng.integers(2**31)))
        action = int(choose(self._weights, key, eyes.look(view), eyes.form.mask(view)[np.newaxis])[0][0])
        return int(eyes.form.games[view.observer, action])


@cache
def find_eyes(game: Game) -> Eyes:
    return Eyes(game)


@cache
def read_weights(path: Path) -> Weights:
    with np.load(path) as file:
        return {name: jnp.asarray(file[name]) for name in file.files}


def measure(game: Game, weights: Weights, opponent: str, matches: int, seed: int) -> float:
    """Return the share of points of the policy against an agent of ours, in each seat equally often."""
    points = 0.0
    for number in range(matches):
        seat, rng = number % 2, np.random.default_rng([seed, number])
        players = {seat: Learned(weights), 1 - seat: gonfalon.agents()[opponent]()}
        *_, (_, _, _, last) = play_on(game, Asker(game, players, seconds=0.01), rng)
        outcome = game.outcome(last)
        assert outcome is not None
        points += (1 + outcome.returns[seat]) / 2
    return points / matches


# ---- the program -------------------------------------------------------------------------------------------------


def train(options: argparse.Namespace) -> Weights:
    """Learn for some minutes, and write a line of the curve every now and then. Return the weights."""
    game = gonfalon.make(options.variant)
    eyes, key = Eyes(game), jax.random.PRNGKey(options.seed)
    key, part = jax.random.split(key)
    weights = make_weights(part, eyes.size, eyes.form.actions)
    moments, updates, rng = begin(weights), 0, np.random.default_rng(options.seed)
    end, shown, decisions = time.monotonic() + 60 * options.minutes, 0.0, 0
    curve = csv.writer(sys.stdout)
    curve.writerow(["minutes", "decisions", *options.against])
    with gonfalon.Batch(game, options.matches, seed=options.seed, threads=2) as batch:
        while True:
            left = end - time.monotonic()
            if time.monotonic() - shown > 60 * options.every or left <= 0:
                shares = [measure(game, weights, name, options.measured, updates) for name in options.against]
                spent = options.minutes - max(0.0, left) / 60
                curve.writerow([f"{spent:.1f}", decisions, *(f"{share:.3f}" for share in shares)])
                sys.stdout.flush()
                shown = time.monotonic()
            if left <= 0:
                return weights
            key, part = jax.random.split(key)
            rollout, after = play(batch, eyes, weights, part)
            decisions += int(rollout.counts.sum())
            samples = list_samples(rollout, find_advantages(rollout, after, batch.to_act))
            rate, entropy = LAST + (FIRST - LAST) * max(0.0, left) / (60 * options.minutes)
            for _ in range(EPOCHS):
                for rows in np.array_split(rng.permutation(len(samples["actions"])), PARTS):
                    updates += 1
                    chosen = {name: each[rows] for name, each in samples.items()} | {"entropy": entropy}
                    weights, moments = learn(find_loss, weights, moments, float(updates), rate, chosen)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--variant", default="grid-6x6")
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--every", type=float, default=3.0, help="minutes between two measurements")
    parser.add_argument("--matches", type=int, default=256, help="played side by side")
    parser.add_argument("--against", nargs="*", default=["random", "greedy"])
    parser.add_argument("--measured", type=int, default=100, help="matches against each of them")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--output", type=Path, default=Path("policy.npz"))
    options = parser.parse_args()
    weights = train(options)
    np.savez(options.output, **{name: np.asarray(each) for name, each in weights.items()})
    print(f"Written to {options.output}")


if __name__ == "__main__":
    main()
