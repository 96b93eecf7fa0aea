"""Every variant as an environment of PettingZoo (its AEC interface: one agent after the other).

>>> from gonfalon.envs import pettingzoo
>>> env = pettingzoo.env("barrage")
>>> env.reset(seed=1)
>>> for agent in env.agent_iter():
...     observation, reward, termination, truncation, info = env.last()
...     done = termination or truncation
...     action = None if done else env.action_space(agent).sample(observation["action_mask"])
...     env.step(action)

Agents are named by their sides, such as `red`. An observation is a dict of `observation`, the planes of `Game.encode`,
and `action_mask`. Rewards come at the end of a match: the returns of its outcome.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

import gonfalon
from gonfalon.envs.table import Observation, Table


def env(variant: str, render_mode: str | None = None, **switches: bool | int) -> AECEnv:
    """Return the environment with PettingZoo's usual checks: an illegal action loses the match for its agent, who gets
    -1, and ends it. `switches`: house rules. Raises `RulesetError`.
    """
    checked = wrappers.TerminateIllegalWrapper(raw_env(variant, render_mode, **switches), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(checked))


def raw_env(variant: str, render_mode: str | None = None, **switches: bool | int) -> MatchEnv:
    """Return the environment without checks: an illegal action raises `IllegalActionError` and changes nothing."""
    return MatchEnv(variant, render_mode, switches)


class MatchEnv(AECEnv):
    """One match of a variant. `render_mode`: `ansi` (a text) or `human` (the text is printed); both show everything."""

    def __init__(self, variant: str, render_mode: str | None, switches: dict[str, bool | int]) -> None:
        super().__init__()
        self.game = gonfalon.make(variant, **switches)
        self.metadata = {
            "name": f"gonfalon_{variant}_v0",
            "render_modes": ["ansi", "human"],
            "is_parallelizable": False,
        }
        self.render_mode = render_mode
        self.possible_agents = list(self.game.info.sides)
        self._table = Table(self.game)
        self._rng = np.random.default_rng()
        self.observation_spaces = dict.fromkeys(self.possible_agents, self._table.describe_observations())
        self.action_spaces = dict.fromkeys(self.possible_agents, self._table.describe_actions())

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002
        """Begin a new match. `seed`: of the draws of chance."""
        if seed is not None:
            self._rng = np.random.default_rng(seed)
        self._table.start(self._rng)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self._find_next()

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        assert action is not None
        self._table.apply(int(action), self._rng)
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        outcome = self._table.outcome
        if outcome is None:
            self.agent_selection = self._find_next()
        else:
            self.rewards = dict(zip(self.possible_agents, outcome.returns, strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()

    def observe(self, agent: str) -> Observation:
        return self._table.observe(self.possible_agents.index(agent))

    def render(self) -> str | None:
        """Return the whole position as text (`ansi`), or print it (`human`)."""
        text = self.game.state_text(self._table.position)
        if self.render_mode == "human":
            print(text)
            return None
        return text

    def close(self) -> None:
        pass

    def _find_next(self) -> str:
        return self.possible_agents[self._table.player]
