"""The moves of a match: the steps that count, without those taken back."""

from __future__ import annotations

import msgspec

from gonfalon.engine.game import CHANCE, Game, Standing, State
from gonfalon.engine.records.replay import perform
from gonfalon.server.clock.clocks import Clocks

TAKE_BACK = -5
"""Pseudo-action: the player has taken back their own last decision. It is no move and stands in no record."""
EVERY = 16
"""Number of steps between two stored states."""


class Step(msgspec.Struct, frozen=True):
    """One step, with one `seq`: the actions of one decision or of chance, or a pseudo-action (`TAKE_BACK` or one of
    `engine.records.replay`).
    """

    by: int
    actions: tuple[int, ...]
    took: int = 0
    """Milliseconds that a person needed for the decision."""


def play_step(game: Game, state: State, step: Step) -> list[State]:
    """Return the states after each action of a step. Raises `IllegalActionError`, ValueError."""
    row = []
    for action in step.actions:
        state = perform(game, state, step.by, action)
        row.append(state)
    return row


def charge(clocks: Clocks, number: int, step: Step, before: Standing, after: Standing) -> None:
    """Charge a player for the time of a step. `number`: of the step among the moves; `before`, `after`: what everybody
    knows of the match.
    """
    ended_turn = before.started and before.turn != after.turn
    clocks.apply(number, step.by, step.took, before_play=not before.started, ended_turn=ended_turn)


class Moves:
    """The steps that count, in order. A take-back removes the last ones, and later steps continue from there."""

    def __init__(self, game: Game) -> None:
        self.steps: list[Step] = []
        self.numbers: list[int] = []
        """`seq` of each move: its number among all steps of the match."""
        self.cuts = 0
        """Number of take-backs."""
        self._game = game
        self._kept: list[State] = []
        """The states before every `EVERY`th move."""
        self._draws = 0
        """Number of draws of chance among the steps."""
        self._drawn: dict[int, list[int]] = {}
        """Actions of draws that were taken back, by the number of the draw."""

    def add(self, step: Step, before: State, number: int) -> None:
        """Add a step. `before`: the state in which it was made; `number`: its `seq`."""
        if len(self.steps) % EVERY == 0:
            self._kept.append(before)
        self.steps.append(step)
        self.numbers.append(number)
        self._draws += step.by == CHANCE

    def find_last(self, player: int, begin: int) -> int | None:
        """Return the number of a player's last decision from step `begin` on; None if there is none."""
        for number in range(len(self.steps) - 1, begin - 1, -1):
            step = self.steps[number]
            if step.by == player and step.actions[0] >= 0:
                return number
        return None

    def cut(self, number: int) -> State:
        """Go back to before step `number` and return that state. The removed draws of chance are remembered."""
        first = number // EVERY
        state = self._kept[first]
        for step in self.steps[first * EVERY : number]:
            state = play_step(self._game, state, step)[-1]
        for step in reversed(self.steps[number:]):
            if step.by == CHANCE:
                self._draws -= 1
                self._remember(step.actions[0])
        del self.steps[number:], self.numbers[number:]
        del self._kept[-(-number // EVERY) :]
        self.cuts += 1
        return state

    def _remember(self, action: int) -> None:
        known = self._drawn.setdefault(self._draws, [])
        if action not in known:
            known.append(action)

    @property
    def drawn(self) -> tuple[int, ...]:
        """Actions that the draw now due had before take-backs, the earliest first."""
        return tuple(self._drawn.get(self._draws, ()))
