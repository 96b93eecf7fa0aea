"""Tiny with the interface of `engine/game.py`."""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from gonfalon.engine.base import NO_ACTIONS, RowGame
from gonfalon.engine.events import Event, Refusal
from gonfalon.engine.game import CHANCE, Actions, Standing, State, TextError
from gonfalon.engine.learning.observation import Layout
from gonfalon.engine.rulesets.ruleset import Ruleset
from gonfalon.engine.screens.scene import Board, Choice, Scene
from gonfalon.engine.view import View, zero_rows
from gonfalon.games.tiny import kernels, screen, sight, text
from gonfalon.games.tiny import state as g


class TinyGame(RowGame):
    records = g
    kernels = kernels
    form_type = sight.FORM

    def __init__(self, ruleset: Ruleset) -> None:
        super().__init__(ruleset, zero_rows(g.RULES), players=2, chance=True, longest=2 + 5)

    def to_act(self, state: State) -> tuple[int, ...]:
        return ((CHANCE,), (int(state["mover"][0]),), ())[state["phase"][0]]

    def is_open(self, _state: State, _player: int) -> bool:
        return False

    def standing(self, view: View) -> Standing:
        return Standing(bool(view.phase != g.DEAL), int(view.turn), 0, (), False)

    def _tell(self, after: State, observer: int) -> tuple[Event, ...]:
        return sight.events_of(after, observer)

    def _explain_action(self, view: View, action: int) -> Refusal | None:
        return screen.explain(view, action)

    def explain_path(self, view: View, path: Sequence[str]) -> Refusal:
        return self._explain_action(view, g.ACT_DEAL) or Refusal("unknown-action")

    def candidates(self, view: View) -> dict[str, tuple[str, ...]]:
        return sight.candidates(view)

    def resample(self, view: View, rng: np.random.Generator) -> State:
        return sight.resample(view, rng)

    def _deploy_randomly(self, _view: View, _rng: np.random.Generator) -> Actions:
        return NO_ACTIONS

    def _deploy_sensibly(self, view: View, rng: np.random.Generator) -> Actions:
        return self._deploy_randomly(view, rng)

    def _list_key_parts(self, view: View, exact: bool) -> Iterator[NDArray[np.generic]]:
        fields = ("board", "seen", "phase", "mover", "over", "winner", "observer", *(("turn",) if exact else ()))
        return (np.asarray(view.record[0][name]) for name in fields)

    def _describe_layout(self) -> Layout:
        return sight.layout_of(self.rules)

    def board(self) -> Board:
        return screen.BOARD

    def scene(self, view: View) -> Scene:
        return screen.scene_of(view)

    def choices(self, view: View) -> tuple[Choice, ...]:
        return screen.choices_of(view)

    def action_text(self, view: View, action: int) -> str:
        return text.action_text(action, view.observer)

    def parse_action(self, view: View, text_: str) -> int:
        return text.parse_action(text_, view.observer)

    def state_text(self, state: State) -> str:
        return text.state_text(state)

    def parse_state(self, text_: str) -> State:
        return text.parse_state(text_)

    def deployment_text(self, actions: Sequence[int]) -> str:
        if len(actions):
            raise TextError("pieces are dealt, not placed")
        return ""

    def parse_deployment(self, text_: str, _player: int) -> Actions:
        if text_.strip():
            raise TextError("pieces are dealt, not placed")
        return NO_ACTIONS


def make(ruleset: Ruleset) -> TinyGame:
    """Return the game of a ruleset of this family."""
    return TinyGame(ruleset)
