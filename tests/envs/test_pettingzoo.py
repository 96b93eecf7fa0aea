"""PettingZoo's own tests of an environment, on every variant, and what they do not look at."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, render_test, seed_test

import gonfalon
from gonfalon.engine.game import IllegalActionError
from gonfalon.envs import pettingzoo

CYCLES = 120
LEAST = 10
"""Least number of steps; random matches can be short."""


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Count the calls of an environment's methods, because a suite that tests nothing passes too."""
    found: Counter[str] = Counter()
    for name in ("reset", "step", "observe", "render"):
        method = getattr(pettingzoo.MatchEnv, name)

        def count(*arguments: Any, name: str = name, method: Any = method, **named: Any) -> Any:
            found[name] += 1
            return method(*arguments, **named)

        monkeypatch.setattr(pettingzoo.MatchEnv, name, count)
    return found


@pytest.mark.filterwarnings("ignore::UserWarning")  # advice on names of agents and kinds of spaces
@pytest.mark.parametrize("variant", gonfalon.variants(unlisted=True))
def test_the_interface(variant: str, calls: Counter[str]) -> None:
    api_test(pettingzoo.env(variant), num_cycles=CYCLES)
    assert calls["reset"] >= 4
    assert calls["step"] >= LEAST
    assert calls["observe"] >= LEAST


@pytest.mark.parametrize("variant", ["barrage", "conquest", "cardgame"])
def test_equal_seeds_give_equal_matches(variant: str, calls: Counter[str]) -> None:
    seed_test(lambda: pettingzoo.env(variant), num_cycles=CYCLES)
    assert calls["step"] >= 2 * LEAST


def test_texts_are_shown(calls: Counter[str], capsys: pytest.CaptureFixture[str]) -> None:
    render_test(lambda render_mode: pettingzoo.env("barrage", render_mode))
    assert calls["render"] >= 2
    assert "barrage" in capsys.readouterr().out, "the mode `human` prints"


@pytest.mark.parametrize("variant", ["tiny", "barrage", "conquest"])
def test_returns_are_those_of_the_match(variant: str) -> None:
    env, rng = pettingzoo.raw_env(variant), np.random.default_rng(2)
    env.reset(seed=2)
    total = dict.fromkeys(env.agents, 0.0)
    for agent in env.agent_iter(100_000):
        observation, reward, termination, truncation, _ = env.last()
        assert observation is not None
        total[agent] += reward
        done = termination or truncation
        legal = np.flatnonzero(observation["action_mask"])
        assert done == (not legal.size), "whoever is asked can act"
        env.step(None if done else int(rng.choice(legal)))
    assert sum(total.values()) == pytest.approx(0)
    assert not env.agents


def test_only_the_agent_that_is_asked_has_legal_actions() -> None:
    env = pettingzoo.raw_env("barrage")
    env.reset(seed=1)
    assert env.agent_selection == "red", "of those who deploy at once the first seat comes first"
    assert env.observe("red")["action_mask"].any()
    assert not env.observe("blue")["action_mask"].any()


def test_how_the_first_one_deploys_is_hidden_from_the_second() -> None:
    seen = []
    for seed in (1, 2):
        env, rng = pettingzoo.raw_env("barrage"), np.random.default_rng(seed)
        env.reset(seed=1)
        while env.agent_selection == "red":
            env.step(int(rng.choice(np.flatnonzero(env.observe("red")["action_mask"]))))
        seen.append(env.observe("blue"))
    assert all(np.array_equal(seen[0][name], seen[1][name]) for name in seen[0])


def test_an_illegal_action_changes_nothing_without_the_checks() -> None:
    env = pettingzoo.raw_env("barrage")
    env.reset(seed=1)
    illegal = int(np.flatnonzero(env.observe("red")["action_mask"] == 0)[0])
    before = env.observe("red")
    with pytest.raises(IllegalActionError):
        env.step(illegal)
    assert np.array_equal(env.observe("red")["observation"], before["observation"])


def test_house_rules_are_switches() -> None:
    assert pettingzoo.raw_env("barrage", max_turns=50).game.info.ruleset.changed == {"max_turns": 50}
    with pytest.raises(gonfalon.RulesetError):
        pettingzoo.env("barrage", no_such_switch=True)
