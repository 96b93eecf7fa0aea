"""The grid family behind the interface of `engine/game.py`. Each member calls the file that does the work."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from functools import cache, cached_property, partial

import numpy as np
from numpy.typing import NDArray

from gonfalon.engine.base import RowGame
from gonfalon.engine.events import Event, Refusal
from gonfalon.engine.game import Actions, Standing, State, TextError
from gonfalon.engine.learning.observation import Layout
from gonfalon.engine.rulesets.ruleset import Ruleset
from gonfalon.engine.screens.patches import ScenePatch
from gonfalon.engine.screens.scene import Board, Choice, Hint, Line, Scene
from gonfalon.engine.search import Adjustment, Mind, Option
from gonfalon.engine.view import View
from gonfalon.games.grid import kernels
from gonfalon.games.grid import state as g
from gonfalon.games.grid.play import deployments
from gonfalon.games.grid.play.adjust.patience import keep_apple
from gonfalon.games.grid.play.adjustments import ADJUSTMENTS
from gonfalon.games.grid.play.belief.worlds import sample_worlds
from gonfalon.games.grid.play.evaluate.learned import read_learned
from gonfalon.games.grid.play.search.root import search
from gonfalon.games.grid.ruleset import TYPES, settle
from gonfalon.games.grid.screen.explain import explain_action, explain_path
from gonfalon.games.grid.screen.hints import codes_of, hints_of
from gonfalon.games.grid.screen.remarks import remarks_of
from gonfalon.games.grid.screen.scene import board_of, choices_of, patch_of, scene_of
from gonfalon.games.grid.sight.candidates import find_candidates
from gonfalon.games.grid.sight.encode import FORM
from gonfalon.games.grid.sight.keys import list_parts
from gonfalon.games.grid.sight.layout import layout_of
from gonfalon.games.grid.sight.resample import resample
from gonfalon.games.grid.sight.view import events_of, standing_of
from gonfalon.games.grid.tables import make_rules
from gonfalon.games.grid.text import notation, position, reading

_PICKED = frozenset((g.HEAL_PLACE, g.RESCUE_PLACE))
"""Phases in which a piece is picked to return and not placed yet."""
RETURNS = 4
"""Maximum number of pieces of a side that come back, besides one for each Spy: two by Rescue, two by the Shrouds of
rescued Spies.
"""


class GridGame(RowGame):
    """One variant under one ruleset."""

    records = g
    kernels = kernels
    form_type = FORM

    def __init__(self, ruleset: Ruleset) -> None:
        """Raises `RulesetError`, also for a ruleset made by hand."""
        ruleset = settle(ruleset)
        rules = make_rules(ruleset)
        own = int(rules[0]["own_squares"])
        # A returning piece takes two actions, or one if declined. A turn with a choice of targets takes three more.
        longest = 2 * own + 4 * int(ruleset.values["max_turns"]) + 4 * (RETURNS + int(rules[0]["army"][g.SPY]))
        super().__init__(ruleset, rules, players=2, chance=False, longest=longest)

    def to_act(self, state: State) -> tuple[int, ...]:
        phase = state["phase"].item()
        if phase == g.DEPLOY:
            own = self.rules[0]["own_squares"]
            return tuple(side for side in range(2) if state["placed"][0, side] < own)
        return () if phase == g.OVER else (state["actor"].item(),)

    def is_open(self, state: State, player: int) -> bool:
        phase = state["phase"][0]
        if phase == g.DEPLOY:
            return bool(0 < state["placed"][0, player] < self.rules[0]["own_squares"])
        return phase in _PICKED and bool(state["actor"][0] == player)

    # ---- hidden information

    def standing(self, view: View) -> Standing:
        return standing_of(view)

    def _tell(self, after: State, observer: int) -> tuple[Event, ...]:
        return events_of(after, observer)

    def _explain_action(self, view: View, action: int) -> Refusal | None:
        return explain_action(view, action, self.rules)

    def explain_path(self, view: View, path: Sequence[str]) -> Refusal:
        return explain_path(view, path, self.rules)

    def candidates(self, view: View) -> dict[str, tuple[str, ...]]:
        found = find_candidates(view, self.rules)
        return {notation.SQUARE_NAMES[place]: tuple(TYPES[kind] for kind in kinds) for place, kinds in found.items()}

    def resample(self, view: View, rng: np.random.Generator) -> State:
        return resample(view, self.rules, rng)

    # ---- for agents

    def _draw_worlds(
        self, view: View, events: Sequence[Event], mind: Mind, count: int, rng: np.random.Generator
    ) -> State:
        return sample_worlds(view, self.rules, events, mind, count, rng)

    def adjustments(self) -> tuple[Adjustment, ...]:
        return ADJUSTMENTS

    def _find_options(
        self, view: View, events: Sequence[Event], mind: Mind, rng: np.random.Generator
    ) -> tuple[Option, ...]:
        learned = read_learned(self.info.variant)
        return keep_apple(search(view, self.rules, events, learned, mind, rng), view, mind)

    def _deploy_randomly(self, view: View, rng: np.random.Generator) -> Actions:
        left = np.repeat(np.arange(g.TYPES), view.left[view.observer])
        return (g.ACT_DEPLOY + rng.permutation(left)).astype(np.int32)

    def _deploy_sensibly(self, view: View, rng: np.random.Generator) -> Actions:
        texts = tuple(deployments.load(self.info.ruleset).values())
        return self._deploy_by_one_of(texts, deployments.exchange_middle, view, rng)

    def _deploy_to_win(self, view: View, mind: Mind, rng: np.random.Generator) -> Actions:
        texts = deployments.load_pool(self.info.ruleset)
        if not texts:
            return self._deploy_sensibly(view, rng)
        return self._deploy_by_one_of(texts, deployments.scatter, view, rng)

    def settle_deployment(
        self, view: View, actions: Actions, fixed: Container[int], _rng: np.random.Generator
    ) -> Actions:
        if len(actions) != self.rules[0]["own_squares"]:
            return actions
        return deployments.shelter_flag(actions, fixed, int(self.rules[0]["columns"]))

    def _deploy_by_one_of(
        self, texts: Sequence[str], vary: deployments.Vary, view: View, rng: np.random.Generator
    ) -> Actions:
        if view.placed[view.observer] or not texts:
            return self._deploy_randomly(view, rng)
        placed = self.parse_deployment(texts[int(rng.integers(len(texts)))], view.observer)
        rows = vary((placed - g.ACT_DEPLOY).reshape(-1, int(self.rules[0]["columns"])), rng)
        return np.ascontiguousarray(g.ACT_DEPLOY + (rows[:, ::-1] if rng.integers(2) else rows)).reshape(-1)

    def _list_key_parts(self, view: View, exact: bool) -> Iterator[NDArray[np.generic]]:
        return list_parts(view, self.rules, exact)

    def _describe_layout(self) -> Layout:
        return layout_of(self.rules)

    # ---- for screens

    def board(self) -> Board:
        return board_of(self.rules, self._hint_codes)

    def scene(self, view: View) -> Scene:
        return scene_of(view, self.rules, self.info.ruleset)

    def patch(self, before: View, after: View) -> ScenePatch:
        return patch_of(before, after, self.rules, self.info.ruleset)

    def remarks(self, view: View, actions: Sequence[int]) -> tuple[Line, ...]:
        return remarks_of(view, actions, self.rules)

    def choices(self, view: View) -> tuple[Choice, ...]:
        return choices_of(view, self.rules)

    def hints(self, view: View) -> tuple[Hint, ...]:
        return hints_of(view, self.choices(view), self._hint_codes)

    @cached_property
    def _hint_codes(self) -> tuple[str, ...]:
        return codes_of(self.rules, bool(self.info.ruleset.values["show_known"]))

    # ---- text

    def action_text(self, view: View, action: int) -> str:
        return notation.action_text(view, action, self.rules)

    def parse_action(self, view: View, text: str) -> int:
        # Records are mostly moves, and the same moves come again. Only short texts are few enough to remember them all.
        if len(text) <= notation.LONGEST_MOVE:
            return self._parse_short(text)
        return notation.parse_action(text, self.rules)

    @cached_property
    def _parse_short(self) -> Callable[[str], int]:
        """`notation.parse_action`, which remembers its results."""
        return cache(partial(notation.parse_action, rules=self.rules))

    def state_text(self, state: State) -> str:
        return position.state_text(state, self.info.variant, self.rules)

    def parse_state(self, text: str) -> State:
        return reading.parse_state(text, self.info.variant, self.rules)

    def deployment_text(self, actions: Sequence[int]) -> str:
        if not all(g.ACT_DEPLOY <= action < g.ACT_APPLE for action in actions):
            raise TextError("a deployment consists of placements")
        return notation.deployment_text(actions)

    def parse_deployment(self, text: str, player: int) -> Actions:
        return notation.parse_deployment(text, self.rules)


def make(ruleset: Ruleset) -> GridGame:
    """The game of a ruleset of this family."""
    return GridGame(ruleset)
