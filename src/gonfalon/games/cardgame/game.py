"""The Card Game with the interface of `engine/game.py`. Each method calls the module that does the work."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from gonfalon.engine.base import RowGame
from gonfalon.engine.events import Event, Refusal
from gonfalon.engine.game import CHANCE, Actions, Standing, State, TextError
from gonfalon.engine.learning.observation import Layout
from gonfalon.engine.rulesets.ruleset import Ruleset
from gonfalon.engine.screens.scene import Board, Choice, Hint, Line, Scene
from gonfalon.engine.search import Mind, Option
from gonfalon.engine.view import View
from gonfalon.games.cardgame import kernels
from gonfalon.games.cardgame import state as g
from gonfalon.games.cardgame.play import deployments
from gonfalon.games.cardgame.play.belief import Belief
from gonfalon.games.cardgame.play.search import search
from gonfalon.games.cardgame.ruleset import TYPES, deck
from gonfalon.games.cardgame.screen.explain import explain_action, explain_path
from gonfalon.games.cardgame.screen.hints import hints_of
from gonfalon.games.cardgame.screen.remarks import remarks_of
from gonfalon.games.cardgame.screen.scene import arrange_of, board, choices_of, scene_of
from gonfalon.games.cardgame.sight.candidates import find_candidates
from gonfalon.games.cardgame.sight.encode import FORM
from gonfalon.games.cardgame.sight.keys import list_parts
from gonfalon.games.cardgame.sight.layout import layout_of
from gonfalon.games.cardgame.sight.resample import resample
from gonfalon.games.cardgame.sight.view import events_of, standing_of
from gonfalon.games.cardgame.tables import make_rules
from gonfalon.games.cardgame.text import notation, position, reading


class CardGame(RowGame):
    """One variant under one ruleset."""

    records = g
    kernels = kernels
    form_type = FORM

    def __init__(self, ruleset: Ruleset) -> None:
        rules = make_rules(ruleset)
        # Upper bound: after each card that leaves there may be quiet turns. A turn draws, acts and fills gaps; a trick
        # also deals again.
        turns = 2 * int(rules[0]["deck"].sum()) * int(ruleset.values["max_quiet_turns"])
        longest = 2 * (g.DEALT + g.LINE) + turns * (g.HAND + 1 + g.DEALT + g.LINE)
        super().__init__(ruleset, rules, players=2, chance=True, longest=longest)

    def to_act(self, state: State) -> tuple[int, ...]:
        phase = state["phase"].item()
        if phase == g.OVER:
            return ()
        if phase == g.DRAW:
            return (CHANCE,)
        if phase != g.LAY or state["started"].item():
            return (state["mover"].item(),)
        return tuple(side for side, placed in enumerate(state["placed"][0].tolist()) if placed < g.LINE)

    def is_open(self, state: State, player: int) -> bool:
        row = state[0]
        if row["phase"] != g.LAY or player not in (0, 1) or (row["started"] and player != row["mover"]):
            return False
        return bool(0 < row["placed"][player] < (row["number"][player] == 0).sum())

    # ---- hidden information

    def standing(self, view: View) -> Standing:
        return standing_of(view)

    def _tell(self, after: State, observer: int) -> tuple[Event, ...]:
        return events_of(after, observer)

    def _explain_action(self, view: View, action: int) -> Refusal | None:
        return explain_action(view, action)

    def explain_path(self, view: View, path: Sequence[str]) -> Refusal:
        return explain_path(view, path)

    def candidates(self, view: View) -> dict[str, tuple[str, ...]]:
        found = find_candidates(view, self.rules)
        return {notation.space_name(place): tuple(TYPES[kind] for kind in kinds) for place, kinds in found.items()}

    def resample(self, view: View, rng: np.random.Generator) -> State:
        return resample(view, self.rules, rng)

    # ---- for agents

    def _deploy_randomly(self, view: View, rng: np.random.Generator) -> Actions:
        return deployments.random_deployment(arrange_of(view), rng)

    def _deploy_sensibly(self, view: View, rng: np.random.Generator) -> Actions:
        return deployments.sensible_deployment(view, self.rules, rng)

    def _draw_worlds(
        self, view: View, events: Sequence[Event], mind: Mind, count: int, rng: np.random.Generator
    ) -> State:
        return Belief(view, events, mind, self.rules).draw(count, rng)

    def _find_options(
        self, view: View, events: Sequence[Event], mind: Mind, rng: np.random.Generator
    ) -> tuple[Option, ...]:
        return search(view, events, mind, self.rules, rng)

    def _list_key_parts(self, view: View, exact: bool) -> Iterator[NDArray[np.generic]]:
        return list_parts(view, exact)

    def _describe_layout(self) -> Layout:
        return layout_of(self.rules)

    # ---- for screens

    def board(self) -> Board:
        return board(deck(self.info.ruleset))

    def scene(self, view: View) -> Scene:
        return scene_of(view, self.info.ruleset)

    def remarks(self, view: View, actions: Sequence[int]) -> tuple[Line, ...]:
        return remarks_of(view, actions)

    def choices(self, view: View) -> tuple[Choice, ...]:
        return choices_of(view)

    def hints(self, view: View) -> tuple[Hint, ...]:
        return hints_of(view, self.choices(view))

    # ---- text

    def action_text(self, view: View, action: int) -> str:
        return notation.action_text(view, action)

    def parse_action(self, view: View, text: str) -> int:
        return notation.parse_action(text, view)

    def state_text(self, state: State) -> str:
        return position.state_text(state, self.info.variant)

    def parse_state(self, text: str) -> State:
        return reading.parse_state(text, self.info.variant, self.rules)

    def deployment_text(self, actions: Sequence[int]) -> str:
        if not all(g.ACT_LAY <= action < g.ACT_ATTACK for action in actions):
            raise TextError("a deployment consists of cards to lay")
        return notation.deployment_text(actions)

    def parse_deployment(self, text: str, player: int) -> Actions:
        return notation.parse_deployment(text, self.rules[0]["deck"].tolist())


def make(ruleset: Ruleset) -> CardGame:
    """Return the game of a ruleset of this family."""
    return CardGame(ruleset)
