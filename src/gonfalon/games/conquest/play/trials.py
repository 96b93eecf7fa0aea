"""Chooses a deployment by its results: rollouts of many deployments against deployments that opponents may have."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from gonfalon.engine.game import Actions
from gonfalon.engine.search import Clock, Mind
from gonfalon.engine.view import View, copy_rows, zero_rows
from gonfalon.games.conquest import kernels
from gonfalon.games.conquest import state as g
from gonfalon.games.conquest.play import plans
from gonfalon.games.conquest.play.deployments import Draw
from gonfalon.games.conquest.sight.resample import lay_out

ENEMIES = 16
"""Number of worlds, each with one deployment of every opponent."""
TURNS = 40
"""Number of turns after which a rollout ends with the estimate of its position."""
LATEST = 0.8
"""Share of the time after which no new rollout begins."""


def choose_deployment(
    view: View,
    deployments: Sequence[Actions],
    draw_of: Callable[[View], Draw],
    rules: NDArray[np.void],
    mind: Mind,
    rng: np.random.Generator,
) -> Actions:
    """Return the best of some deployments, by repeatedly dropping the worse half. `draw_of`: returns a function that
    draws deployments for the player of a view.
    """
    clock, trials = Clock(mind, LATEST), _Trials(view, draw_of, rules, rng)
    left = list(deployments)
    totals, halvings = np.zeros(len(left)), int(np.log2(len(left)))
    begin = clock.spent
    for halving in range(halvings):
        until = begin + (1 - begin) * (halving + 1) / halvings
        while True:
            totals += trials.play(left)
            if clock.spent >= until:
                break
        best = np.argsort(-totals, kind="stable")[: (len(left) + 1) // 2]
        left, totals = [left[k] for k in best], totals[best]
    return left[0]


class _Trials:
    """Worlds in which all opponents are ready, and the results of the player's deployments there."""

    def __init__(
        self, view: View, draw_of: Callable[[View], Draw], rules: NDArray[np.void], rng: np.random.Generator
    ) -> None:
        self._player, self._rules, self._rng = view.observer, copy_rows(rules), rng
        self._ruleset = view.ruleset
        self._rows = np.repeat(lay_out(view), ENEMIES + 2)
        """The worlds, then one row with the player's deployment added, and one scratch row."""
        self._bytes = self._rows.view(np.uint8).reshape(len(self._rows), -1)
        self._planner = zero_rows(plans.PLANNER)
        self._planner["player"], self._planner["heeds"], self._planner["turns"] = view.observer, 1, TURNS
        self._played = 0
        for side in range(int(rules[0]["players"])):
            if side != view.observer and not view.out[side]:
                draw = draw_of(self._view_of(side))
                for world in range(ENEMIES):
                    self._lay(world, side, draw(rng))

    def _view_of(self, side: int) -> View:
        """Return the view of another player, from before any placements of the trials."""
        views = zero_rows(g.VIEW)
        kernels.view(self._rows, ENEMIES, self._rules, side, views, 0)
        return View(views, side, self._ruleset)

    def _lay(self, row: int, side: int, actions: Actions) -> None:
        """Write the side's next placements into a row, without the check of the rules whether all players are ready."""
        laid, done = self._rows["laid"][row, side], int(self._rows["placed"][row, side])
        laid[done : done + len(actions)] = actions - g.ACT_PLACE
        self._rows["placed"][row, side] = done + len(actions)

    def play(self, deployments: list[Actions]) -> NDArray[np.float64]:
        """Return the result of each deployment in the next world, all with the same draws of chance."""
        world, seed = self._played % ENEMIES, self._rng.integers(0, 2**63, dtype=np.uint64)
        self._played += 1
        return np.array([self._play(world, seed, actions) for actions in deployments])

    def _play(self, world: int, seed: np.uint64, actions: Actions) -> float:
        begun = ENEMIES
        self._bytes[begun] = self._bytes[world]
        self._lay(begun, self._player, actions[:-1])
        kernels.step(self._rows, begun, self._rules, self._player, int(actions[-1]))
        start, scratch = self._rows[begun : begun + 1], self._rows[begun + 1 :]
        return plans.play_on(start, scratch, self._rules, self._planner, np.array([seed]))
