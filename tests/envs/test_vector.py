"""The vector environment: its rows are matches of the game, as one seat sees them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytest.importorskip("gymnasium")

from gymnasium.vector import AutoresetMode

import gonfalon
from gonfalon.engine.game import IllegalActionError
from gonfalon.envs.vector import BatchEnv, choose_randomly

VARIANTS = ["tiny", "barrage", "cardgame", "conquest-three"]


@pytest.mark.parametrize("variant", VARIANTS)
def test_matches_of_a_seat_go_to_their_ends(variant: str) -> None:
    """Observations lie in their space, rewards come at the end and only then, and a new match follows."""
    env = BatchEnv(variant, 4, deploy="sensible", **({} if variant == "tiny" else SHORT[variant]))
    observations, _ = env.reset(seed=3)
    assert env.metadata["autoreset_mode"] == AutoresetMode.NEXT_STEP
    ended = np.zeros(4, int)
    over = np.zeros(4, bool)
    while ended.min() < 2:
        assert env.observation_space.contains(observations)
        assert observations["action_mask"].any(axis=1).tolist() == (~over).tolist()
        observations, rewards, over, truncations, _ = env.step(choose_randomly(observations, env.np_random))
        ended += over
        assert not truncations.any()
        assert not rewards[~over].any()
        assert (np.abs(rewards) <= 1).all()
    env.close()


SHORT: dict[str, dict[str, Any]] = {
    "barrage": {"max_turns": 30},
    "cardgame": {},
    "conquest-three": {"max_rounds": 10},
}
"""House rules for short matches."""


def test_the_seed_decides_everything() -> None:
    found = []
    for threads in (1, 2):
        env = BatchEnv("duel", 5, side="blue", threads=threads, dtype="uint8", canonical=True, compact=True)
        observations, _ = env.reset(seed=7)
        for _ in range(25):
            observations, *_ = env.step(choose_randomly(observations, env.np_random))
        found.append([array.tobytes() for array in observations.values()])
        env.close()
    assert found[0] == found[1]


def test_the_observation_is_the_view_of_the_seat() -> None:
    env = BatchEnv("duel", 3, side="blue", deploy="sensible")
    observations, _ = env.reset(seed=1)
    for _ in range(5):
        observations, *_ = env.step(choose_randomly(observations, env.np_random))
        for i in range(3):
            view = env.game.view(env._batch.state(i), 1)
            assert observations["observation"][i].tobytes() == env.game.encode(view).planes.tobytes()
            assert np.flatnonzero(observations["action_mask"][i]).tolist() == view.legal.tolist()


def test_opponents_get_their_own_observations() -> None:
    """A policy for the other seats sees those rows from its own side."""
    sides = list[float]()
    red = gonfalon.make("duel").observation_spec.channels.index("viewer is red")

    def opponent(observations: Any, rng: np.random.Generator) -> Any:
        sides.extend(observations["observation"][:, red, 0, 0].tolist())
        return choose_randomly(observations, rng)

    env = BatchEnv("duel", 1, opponent, deploy="sensible")
    observations, _ = env.reset(seed=1)
    for _ in range(6):
        observations, *_ = env.step(choose_randomly(observations, env.np_random))
    assert sides == [0.0] * 6


def test_bad_arguments_are_refused() -> None:
    with pytest.raises(ValueError, match="duel has no side 'green'; there are red, blue"):
        BatchEnv("duel", 2, side="green")
    with pytest.raises(TypeError, match="a function of observations and a generator, not 'greedy'"):
        BatchEnv("duel", 2, "greedy")  # type: ignore[arg-type]
    env = BatchEnv("duel", 2, deploy="sensible")
    env.reset(seed=1)
    with pytest.raises(IllegalActionError):
        env.step(np.array([0, 0]))
