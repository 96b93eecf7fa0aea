"""Every variant as an environment of Gymnasium: one seat, against computer players.

>>> from gonfalon.envs.gymnasium import SeatEnv
>>> env = SeatEnv("barrage", opponents="greedy")
>>> observation, info = env.reset(seed=1)
>>> action = env.action_space.sample(observation["action_mask"])
>>> observation, reward, terminated, truncated, info = env.step(action)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import gymnasium
from gymnasium import spaces

import gonfalon
from gonfalon.ai import Agent, Asker, agents
from gonfalon.engine.chance import draw
from gonfalon.engine.game import CHANCE, IllegalActionError
from gonfalon.engine.spelling import list_known
from gonfalon.envs.table import Observation, Table, find_seat

Opponents = str | Mapping[str, str | Callable[[], Agent]] | Callable[[], Agent]
"""A computer player for all other seats, or one for each side: a name of `gonfalon.ai.agents()`, or a callable that
makes an agent for one match.
"""


class SeatEnv(gymnasium.Env[Observation, int]):
    """One seat of a match. The reward comes at the end: the seat's return, from -1 to 1.

    An illegal action ends the match with -1, and `info["refusal"]` names the reason. If the seat is out while others
    play on (games for more than two), the match ends for it with the return of a loser.
    """

    def __init__(
        self,
        variant: str,
        opponents: Opponents = "greedy",
        *,
        side: str = "",
        seconds: float = 0.1,
        **switches: bool | int,
    ) -> None:
        """`side`: of the seat; by default the first. `seconds`: thinking time of an opponent for one decision.
        `switches`: house rules. Raises `RulesetError`, and ValueError for an unknown side or computer player.
        """
        self.game = gonfalon.make(variant, **switches)
        self.seat = find_seat(self.game, side)
        if not seconds > 0:
            raise ValueError(f"opponents need more than 0 seconds for a decision, not {seconds}")
        self._seconds = seconds
        self._makers = {
            p: _find_maker(opponents, each) for p, each in enumerate(self.game.info.sides) if p != self.seat
        }
        self._table = Table(self.game)
        self._asker = Asker(self.game, {}, seconds)
        self.observation_space: spaces.Space[Any] = self._table.describe_observations()
        self.action_space: spaces.Space[Any] = self._table.describe_actions()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin a new match and play until the seat is to act. `seed`: of chance and of the opponents."""
        super().reset(seed=seed, options=options)
        self._asker = Asker(self.game, {player: make() for player, make in self._makers.items()}, self._seconds)
        self._table.position = self.game.initial_state()
        self._play_on()
        return self._observe(), {}

    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        try:
            self._apply(self.seat, int(action))
        except IllegalActionError as error:
            return self._observe(), -1.0, True, False, {"refusal": error.refusal.code}
        self._play_on()
        outcome, players = self._table.outcome, self.game.info.players
        if outcome is not None:
            return self._observe(), outcome.returns[self.seat], True, False, {"reason": outcome.reason}
        out = self._is_out()
        return self._observe(), -1.0 / (players - 1) if out else 0.0, out, False, {}

    def _play_on(self) -> None:
        """Play draws and opponents until the seat is to act, is out, or the match is over."""
        table, game = self._table, self.game
        while (player := table.player) != self.seat and table.outcome is None and not self._is_out():
            if player == CHANCE:
                self._apply(CHANCE, draw(game, table.position, self.np_random))
                continue
            for action in self._asker.ask(player, table.position, self.np_random):
                self._apply(player, action)

    def _apply(self, player: int, action: int) -> None:
        after = self.game.apply(self._table.position, player, action)
        self._asker.note(action, after)
        self._table.position = after

    def _is_out(self) -> bool:
        view = self.game.view(self._table.position, self.seat)
        return self.seat in self.game.standing(view).out

    def _observe(self) -> Observation:
        return self._table.observe(self.seat)


def _find_maker(opponents: Opponents, side: str) -> Callable[[], Agent]:
    """Return the callable that makes the computer player of a side. Raises ValueError."""
    wanted = opponents.get(side) if isinstance(opponents, Mapping) else opponents
    if callable(wanted):
        return wanted
    known = agents()
    if wanted not in known:
        raise ValueError(f"{side}: no computer player {wanted!r}; {list_known(wanted, known)}")
    return known[wanted]
