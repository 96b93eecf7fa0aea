"""Gymnasium's own test of an environment, and matches against computer players."""

from __future__ import annotations

from collections import Counter
from functools import wraps
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import gonfalon
from gonfalon.ai import agents
from gonfalon.envs.gymnasium import SeatEnv


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("variant", gonfalon.variants(unlisted=True))
def test_the_interface(variant: str, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: Counter[str] = Counter()  # a suite that tests nothing passes too
    for name in ("reset", "step"):
        method = getattr(SeatEnv, name)

        @wraps(method)  # the suite looks at the signatures
        def count(*arguments: Any, name: str = name, method: Any = method, **named: Any) -> Any:
            calls[name] += 1
            return method(*arguments, **named)

        monkeypatch.setattr(SeatEnv, name, count)
    check_env(SeatEnv(variant, "random"), skip_render_check=True)
    assert calls["reset"] >= 5
    assert calls["step"] >= 2


@pytest.mark.parametrize(("variant", "side"), [("tiny", "blue"), ("barrage", "red"), ("conquest", "green")])
def test_a_match_from_any_seat(variant: str, side: str) -> None:
    env, rng = SeatEnv(variant, "random", side=side), np.random.default_rng(3)
    observation, _ = env.reset(seed=3)
    terminated, reward = False, 0.0
    while not terminated:
        action = int(rng.choice(np.flatnonzero(observation["action_mask"])))
        observation, reward, terminated, truncated, info = env.step(action)
        assert not truncated
        assert "refusal" not in info
    assert -1 <= reward <= 1
    assert not observation["action_mask"].any()


def test_equal_seeds_give_equal_matches() -> None:
    first, second = (play(seed=5) for _ in range(2))
    assert all(np.array_equal(one, other) for one, other in zip(first, second, strict=True))


def play(seed: int) -> list[np.ndarray]:
    env, rng = SeatEnv("conquest", "random"), np.random.default_rng(seed)
    observation, _ = env.reset(seed=seed)
    seen = [observation["observation"]]
    for _ in range(60):
        observation, _, terminated, _, _ = env.step(int(rng.choice(np.flatnonzero(observation["action_mask"]))))
        seen.append(observation["observation"])
        if terminated:
            break
    return seen


def test_an_illegal_action_loses() -> None:
    env = SeatEnv("barrage", "random")
    observation, _ = env.reset(seed=1)
    illegal = int(np.flatnonzero(observation["action_mask"] == 0)[-1])
    _, reward, terminated, _, info = env.step(illegal)
    assert (reward, terminated) == (-1.0, True)
    assert info["refusal"]


def test_each_side_may_have_its_own_opponent() -> None:
    env = SeatEnv("conquest", {"blue": "greedy", "green": agents()["random"], "ochre": "random"})
    env.reset(seed=1)
    with pytest.raises(ValueError, match=r"ochre: no computer player None; there are .*greedy"):
        SeatEnv("conquest", {"blue": "greedy", "green": "random"})
    with pytest.raises(ValueError, match="blue: no computer player 'gredy'"):
        SeatEnv("barrage", "gredy")
    with pytest.raises(ValueError, match="barrage has no side 'green'; there are red, blue"):
        SeatEnv("barrage", side="green")
