"""Many matches as one vector environment of Gymnasium, over `gonfalon.Batch`.

>>> from gonfalon.envs.vector import BatchEnv
>>> env = BatchEnv("barrage", 256, deploy="sensible")
>>> observations, infos = env.reset(seed=1)
>>> actions = choose_randomly(observations, env.np_random)
>>> observations, rewards, terminations, truncations, infos = env.step(actions)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

import gonfalon
from gonfalon.engine.learning.batch import Batch
from gonfalon.engine.learning.observation import Kind
from gonfalon.engine.learning.starts import Deploy
from gonfalon.envs.table import find_seat

Observations = dict[str, NDArray[Any]]
"""`observation`: planes, shape (n, planes, rows, columns). `action_mask`: 1 for each legal action, int8 (n,
actions).
"""
Policy = Callable[[Observations, np.random.Generator], NDArray[Any]]
"""Returns an action id for each row, whole numbers of shape (n,). It is also called for rows that ignore it, whose mask
may have no legal action.
"""


def choose_randomly(observations: Observations, rng: np.random.Generator) -> NDArray[np.int64]:
    """Return a legal action for each row, uniformly at random; 0 where there is none."""
    masks = observations["action_mask"]
    # Numbers above 0, so that a row with one legal action finds it.
    chosen: NDArray[np.int64] = ((1 - rng.random(masks.shape, np.float32)) * masks).argmax(axis=1)
    return chosen


class BatchEnv(VectorEnv[Observations, NDArray[Any], NDArray[np.float64]]):
    """One seat in each of `num_envs` matches. The reward comes at the end of a match: the seat's return, from -1 to 1.

    A match that is over begins anew at the next step, which ignores the action for this row (NEXT_STEP). If the seat is
    out while others play on (games for more than two), they play to the end within the same step.
    """

    def __init__(
        self,
        variant: str,
        num_envs: int,
        opponents: Policy = choose_randomly,
        *,
        side: str = "",
        threads: int = 1,
        deploy: Deploy = "actions",
        dtype: Kind = "float32",
        canonical: bool = False,
        compact: bool = False,
        past: int = 0,
        **switches: bool | int,
    ) -> None:
        """`opponents`: decides for all other seats, with observations of their own. `side`: of the seat; by default the
        first. `deploy`: see `Batch.reset`. `dtype` to `past`: see `Game.form`. `switches`: house rules. Raises
        `RulesetError`, and ValueError for an unknown side or form.
        """
        game = gonfalon.make(variant, **switches)
        if not callable(opponents):
            raise TypeError(f"opponents are a function of observations and a generator, not {opponents!r}")
        self.game = game
        self.seat = find_seat(game, side)
        self.form = game.form(dtype=dtype, canonical=canonical, compact=compact, past=past)
        self.metadata = {"autoreset_mode": AutoresetMode.NEXT_STEP}
        self.num_envs = num_envs
        self.single_action_space = spaces.Discrete(self.form.actions)
        spec = self.form.spec
        planes = spaces.Box(spec.low, spec.high, spec.shape, np.dtype(spec.dtype).type)
        mask = spaces.MultiBinary(self.form.actions)
        self.single_observation_space = spaces.Dict({"observation": planes, "action_mask": mask})
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self._opponents, self._threads, self._deploy = opponents, threads, deploy
        self._batch = Batch(game, num_envs, threads=threads, deploy=deploy, autoreset=False)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, dict[str, Any]]:
        """Begin new matches. `seed`: of chance, of the deployments and of the opponents."""
        super().reset(seed=seed, options=options)
        self._batch.close()
        drawn = int(self.np_random.integers(2**63))
        self._batch = Batch(
            self.game, self.num_envs, threads=self._threads, seed=drawn, deploy=self._deploy, autoreset=False
        )
        self._play_on()
        return self._observe(), {}

    def step(
        self, actions: NDArray[Any]
    ) -> tuple[Observations, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Apply the seat's action in each match, and play on until the seat is to act again.

        Raises `IllegalActionError` for the first illegal action; then no match has changed.
        """
        batch, over = self._batch, self._batch.done.copy()
        batch.step(actions, self.form)
        if over.any():
            batch.reset(over)
        self._play_on()
        rewards = np.where(batch.done, batch.returns[:, self.seat], 0.0)
        return self._observe(), rewards, batch.done.copy(), np.zeros(self.num_envs, np.bool_), {}

    def close_extras(self, **_named: Any) -> None:
        """End the threads."""
        self._batch.close()

    def _play_on(self) -> None:
        """Let the opponents decide until the seat is to act, or the match is over, in every row."""
        batch = self._batch
        while (waiting := batch.due & (batch.to_act != self.seat)).any():
            batch.step(self._opponents(self._look(), self.np_random), self.form, rows=waiting)

    def _look(self) -> Observations:
        """Return what the player to act sees in each row."""
        masks = self._batch.masks(form=self.form)
        return {"observation": self._batch.observe(form=self.form), "action_mask": masks.view(np.int8)}

    def _observe(self) -> Observations:
        """Return what the seat sees in each row."""
        seats = np.full(self.num_envs, self.seat, np.int32)
        masks = self._batch.masks(form=self.form)
        planes = self._batch.observe(form=self.form, players=seats)
        return {"observation": planes, "action_mask": masks.view(np.int8)}
