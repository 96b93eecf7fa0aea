"""A tiny game in plain Python for tests of records. It has a deal, simultaneous deployments, chance, and arrangements
in the middle of a match, also two in a row by the same player.

Chance first deals a card from 1 to 4 (`deal 3`). Then both players place three pieces of kinds 0 to 3. In a turn a
player chooses `roll` (chance draws), `lay` (place two pieces) or `twice` (place two pieces, then two more); after the
turn the other player moves. With `hasty` chance draws as soon as one player has placed all pieces, while the other
player is still placing.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from gonfalon.engine.events import Refusal
from gonfalon.engine.game import CHANCE, GameInfo, IllegalActionError, Outcome, Standing, TextError
from gonfalon.engine.rulesets.ruleset import Ruleset
from gonfalon.engine.screens.scene import Arrange, ArrangePiece, Line, Scene

DEPLOYED, LAID = 3, 2
ROLL, LAY, TWICE, DRAW = 4, 5, 6, 7
WORDS = {ROLL: "roll", LAY: "lay", TWICE: "twice"}
SIDES = ("red", "blue")


class FakeState(NamedTuple):
    """`due`: number of pieces that each side still has to place. `again`: number of further arrangements that the mover
    makes after the current one.
    """

    due: tuple[int, int] = (0, 0)
    mover: int = 0
    again: int = 0
    chance: bool = True
    dealt: bool = False
    rolled: bool = False
    winner: int = -1
    told: tuple[tuple[int, int], ...] = ()


class FakeView(NamedTuple):
    state: FakeState
    observer: int


class FakeGame:
    """The members of a game that `engine.records.replay` uses."""

    def __init__(self, *, hasty: bool = False) -> None:
        self.hasty = hasty
        rules = Ruleset("fake", "fake", (), {}, {})
        self.info = GameInfo("fake", "fake", 2, SIDES, True, 11, 4, 10**6, rules)

    def initial_state(self) -> Any:
        return FakeState()

    def to_act(self, state: Any) -> tuple[int, ...]:
        if state.winner >= 0:
            return ()
        if state.chance:
            return (CHANCE,)
        placing = tuple(p for p in (0, 1) if state.due[p])
        return placing or (state.mover,)

    def legal_actions(self, state: Any, player: int) -> Any:
        if player not in self.to_act(state) or player == CHANCE:
            return np.zeros(0, np.int32)
        return np.arange(4) if state.due[player] else np.array([ROLL, LAY, TWICE])

    def chance_outcomes(self, state: Any) -> Any:
        n = 4 if self.to_act(state) == (CHANCE,) else 0
        return DRAW + np.arange(n), np.full(n, 1 / 4)

    def apply(self, state: Any, player: int, action: int) -> Any:
        able = self.chance_outcomes(state)[0] if player == CHANCE else self.legal_actions(state, player)
        if action not in able:
            raise IllegalActionError(Refusal("not-now"), player, action)
        state = state._replace(told=(*state.told, (player, action)))
        if player == CHANCE:
            start = (DEPLOYED, DEPLOYED) if not state.dealt else state.due
            return state._replace(due=start, dealt=True, chance=False)
        return self._place(state, player) if state.due[player] else self._act(state, action)

    def _act(self, state: FakeState, action: int) -> FakeState:
        if action == ROLL:
            return state._replace(chance=True, mover=1 - state.mover)
        due = (LAID, 0) if state.mover == 0 else (0, LAID)
        return state._replace(due=due, again=int(action == TWICE))

    def _place(self, state: FakeState, player: int) -> FakeState:
        due = list(state.due)
        due[player] -= 1
        after = state._replace(due=(due[0], due[1]))
        if due[player]:
            return after
        if not state.rolled:  # during the deployments
            return after._replace(chance=self.hasty or not any(due), rolled=not any(due))
        if state.again:
            return after._replace(due=(LAID, 0) if player == 0 else (0, LAID), again=0)
        return after._replace(mover=1 - player)

    def withdraw(self, state: Any, player: int) -> Any:
        if state.winner >= 0:
            raise ValueError("the match is over")
        return state._replace(winner=1 - player)

    def outcome(self, state: Any) -> Outcome | None:
        if state.winner < 0:
            return None
        return Outcome((1.0, -1.0) if state.winner == 0 else (-1.0, 1.0), "resigned")

    def view(self, state: Any, player: int) -> Any:
        return FakeView(state, player)

    def scene(self, view: Any) -> Scene:
        arrange = None
        if view.observer in self.to_act(view.state) and view.observer >= 0 and view.state.due[view.observer]:
            places = tuple(f"p{k}" for k in range(view.state.due[view.observer]))
            arrange = Arrange(places, tuple(ArrangePiece(f"kind{k}", "abcd"[k], 9, k) for k in range(4)))
        return Scene((), (), (), (), Line(""), (), 0, arrange)

    def standing(self, view: Any) -> Standing:
        return Standing(True, 0, 0, (), self.scene(view).arrange is not None)

    def action_text(self, _view: Any, action: int) -> str:
        return f"deal {action - DRAW}" if action >= DRAW else WORDS.get(action) or "abcd"[action]

    def parse_action(self, view: Any, text: str) -> int:
        texts = {self.action_text(view, action): action for action in range(self.info.actions)}
        if text not in texts:
            raise TextError(f"{text!r} is no action")
        return texts[text]

    def deployment_text(self, actions: Any) -> str:
        return "".join("abcd"[action] for action in actions)

    def parse_deployment(self, text: str, _player: int) -> Any:
        """Read an arrangement; accept only whole ones, of three pieces or two."""
        if len(text) not in (DEPLOYED, LAID) or set(text) - set("abcd"):
            raise TextError(f"{text!r} is no deployment")
        return np.array(["abcd".index(letter) for letter in text], np.int32)
