"""Conquest with the interface of `engine/game.py`. Each method calls the module that does the work."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from gonfalon.engine.base import RowGame
from gonfalon.engine.events import Event, Refusal
from gonfalon.engine.game import CHANCE, Actions, Standing, State
from gonfalon.engine.learning.observation import Layout
from gonfalon.engine.rulesets.ruleset import Ruleset
from gonfalon.engine.screens.scene import Board, Choice, Hint, Line, Scene
from gonfalon.engine.search import Clock, Mind, Option
from gonfalon.engine.view import View
from gonfalon.games.conquest import kernels
from gonfalon.games.conquest import state as g
from gonfalon.games.conquest.play import deployments
from gonfalon.games.conquest.play.beliefs import sample_worlds
from gonfalon.games.conquest.ruleset import TYPES, army, map_of
from gonfalon.games.conquest.screen.board import board
from gonfalon.games.conquest.screen.choices import choices_of
from gonfalon.games.conquest.screen.explain import explain_action, explain_path
from gonfalon.games.conquest.screen.hints import codes_of, hints_of
from gonfalon.games.conquest.screen.remarks import remarks_of
from gonfalon.games.conquest.screen.scene import FROM_HAND, arrange_of, scene_of
from gonfalon.games.conquest.sight.candidates import find_candidates
from gonfalon.games.conquest.sight.encode import FORM
from gonfalon.games.conquest.sight.keys import list_parts
from gonfalon.games.conquest.sight.layout import layout_of
from gonfalon.games.conquest.sight.resample import resample
from gonfalon.games.conquest.sight.view import events_of, standing_of
from gonfalon.games.conquest.tables import make_rules
from gonfalon.games.conquest.text import notation, position, reading

MOST_NAMED = 7
"""Maximum number of actions for one card. A Regroup takes seven: play the card, name three zones, put back three
units.
"""

WORLDS_A_SECOND = 700
"""Worlds per second of thinking time. With little time, a search uses fewer worlds than `mind.worlds`."""


class ConquestGame(RowGame):
    """One variant under one ruleset."""

    records = g
    kernels = kernels
    form_type = FORM

    def __init__(self, ruleset: Ruleset) -> None:
        rules = make_rules(ruleset)
        self.map = map_of(ruleset)
        self.names = notation.names_of(self.map)
        super().__init__(ruleset, rules, int(rules[0]["players"]), chance=True, longest=_longest(rules[0]))

    def _shares(self, state: State) -> list[int]:
        """Return the number of zones that each player has to decide in the deployment."""
        owner = state["owner"][0]
        return [g.IN_TERRITORY * int((owner == player).sum()) for player in range(self.info.players)]

    def to_act(self, state: State) -> tuple[int, ...]:
        phase = state["phase"].item()
        if phase == g.OVER:
            return ()
        if phase in (g.STARTING, g.DRAW, g.UNIT):
            return (CHANCE,)
        if phase != g.DEPLOY:
            return (state["mover"].item(),)
        row, shares = state[0], enumerate(self._shares(state))
        return tuple(p for p, share in shares if not row["out"][p] and row["placed"][p] < share)

    def is_open(self, state: State, player: int) -> bool:
        row = state[0]
        phase = row["phase"]
        if not self._is_player(player):
            return False
        if phase == g.DEPLOY:
            return bool(0 < row["placed"][player] < self._shares(state)[player])
        aims = phase == g.AIM and row["playing"] not in FROM_HAND
        return bool((aims or phase in (g.ORDER, g.GUESS)) and player == row["mover"])

    def _has_withdrawn(self, state: State, player: int) -> bool:
        return bool(state["out"][0][player] == g.RESIGNED)

    def _sharers(self, state: State) -> list[int]:
        """CQ-35: return the players whose Flag is on the board."""
        return [player for player in range(self.info.players) if state["holder"][0][player] == player]

    # ---- hidden information

    def standing(self, view: View) -> Standing:
        return standing_of(view)

    def _tell(self, after: State, observer: int) -> tuple[Event, ...]:
        return events_of(after, observer, self.map)

    def _explain_action(self, view: View, action: int) -> Refusal | None:
        return explain_action(view, action, self.map, self.rules)

    def explain_path(self, view: View, path: Sequence[str]) -> Refusal:
        return explain_path(view, path, self.map, self.rules)

    def candidates(self, view: View) -> dict[str, tuple[str, ...]]:
        found = find_candidates(view, self.rules)
        return {self.names.zones[place]: tuple(TYPES[kind] for kind in kinds) for place, kinds in found.items()}

    def resample(self, view: View, rng: np.random.Generator) -> State:
        return resample(view, self.rules, rng)

    # ---- for agents

    def _draw_worlds(
        self, view: View, events: Sequence[Event], mind: Mind, count: int, rng: np.random.Generator
    ) -> State:
        if not self.standing(view).started or view.phase == g.OVER:
            return super()._draw_worlds(view, events, mind, count, rng)
        return sample_worlds(view, events, mind, count, self.rules, self.names, rng)

    def _find_options(
        self, view: View, events: Sequence[Event], mind: Mind, rng: np.random.Generator
    ) -> tuple[Option, ...]:
        from gonfalon.games.conquest.play.search import (
            find_options,
        )  # imported here, so that only users of the search wait for its compilation

        clock = Clock(mind)
        count = max(2, min(mind.worlds, int(WORLDS_A_SECOND * mind.seconds)))
        worlds = self._draw_worlds(view, events, mind, count, rng)
        return find_options(view, worlds, self.rules, mind, clock, rng)

    def _deploy_randomly(self, view: View, rng: np.random.Generator) -> Actions:
        return deployments.random_deployment(view, arrange_of(view, self.map, self.rules), rng)

    def _deploy_sensibly(self, view: View, rng: np.random.Generator) -> Actions:
        return deployments.sensible_deployment(view, arrange_of(view, self.map, self.rules), self.rules, rng)

    def _deploy_to_win(self, view: View, mind: Mind, rng: np.random.Generator) -> Actions:
        if mind.breadth > 1 and view.phase == g.DRAFT and len(view.legal):
            return deployments.choose_territory(view, deployments.TRIED, self.rules, rng)
        if mind.breadth < 2 or not self.weighs_deployments(view):
            return self._deploy_sensibly(view, rng)
        draw = self._draw_of(view)
        return self.choose_deployment(view, [draw(rng) for _ in range(mind.breadth**2)], mind, rng)

    def weighs_deployments(self, view: View) -> bool:
        return bool(view.phase == g.DEPLOY)

    def choose_deployment(
        self, view: View, deployments: Sequence[Actions], mind: Mind, rng: np.random.Generator
    ) -> Actions:
        from gonfalon.games.conquest.play.trials import (
            choose_deployment,
        )  # imported here, so that only users of deployments wait for its compilation

        if mind.breadth < 2 or not self.weighs_deployments(view):
            return deployments[0]
        return choose_deployment(view, deployments, self._draw_of, self.rules, mind, rng)

    def settle_deployment(
        self, view: View, actions: Actions, fixed: Container[int], rng: np.random.Generator
    ) -> Actions:
        arrange = arrange_of(view, self.map, self.rules)
        if arrange is None or view.phase != g.DEPLOY:
            return actions
        return deployments.Placing(view, arrange, self.rules).settle(actions, fixed, rng)

    def _draw_of(self, view: View) -> deployments.Draw:
        """Return a function that draws deployments for a player who still has units to place."""
        arrange = arrange_of(view, self.map, self.rules)
        if arrange is None:
            raise ValueError(f"player {view.observer} has nothing to place")
        return deployments.Placing(view, arrange, self.rules).draw

    def _list_key_parts(self, view: View, exact: bool) -> Iterator[NDArray[np.generic]]:
        return list_parts(view, exact)

    def _describe_layout(self) -> Layout:
        return layout_of(self.rules)

    # ---- for screens

    def board(self) -> Board:
        return board(self.map, army(self.info.ruleset), self._hint_codes)

    def scene(self, view: View) -> Scene:
        return scene_of(view, self.info.ruleset, self.map, self.rules)

    def remarks(self, view: View, actions: Sequence[int]) -> tuple[Line, ...]:
        return remarks_of(view, actions, self.names, self.rules)

    def choices(self, view: View) -> tuple[Choice, ...]:
        return choices_of(view, self.map, bool(self.info.ruleset.values["show_known"]))

    def hints(self, view: View) -> tuple[Hint, ...]:
        return hints_of(view, self.names, self._hint_codes)

    @cached_property
    def _hint_codes(self) -> tuple[str, ...]:
        return codes_of(bool(self.info.ruleset.values["scout_attacks_after_run"]))

    # ---- text

    def action_text(self, view: View, action: int) -> str:
        return notation.action_text(view, action, self.names)

    def parse_action(self, view: View, text: str) -> int:
        return notation.parse_action(text, view, self.names)

    def state_text(self, state: State) -> str:
        return position.state_text(state, self.names, self.info.variant, self.rules)

    def parse_state(self, text: str) -> State:
        return reading.parse_state(text, self.names, self.info.variant, self.rules)

    def deployment_text(self, actions: Sequence[int]) -> str:
        return notation.deployment_text(actions)

    def parse_deployment(self, text: str, player: int) -> Actions:
        return notation.parse_deployment(text, self.rules[0]["army"].tolist(), int(self.rules[0]["zones"]))


def _longest(row: np.void) -> int:
    """Return an upper bound for the actions of a match: draws for the start, territories and zones, then turns. A turn
    has drawn cards, one played card, and moves, each with a Flag raised after it.
    """
    players, territories, cities = int(row["players"]), int(row["territories"]), int(row["city"].sum())
    moves = 1 + cities + 2
    turn = territories // 2 + MOST_NAMED + 2 * moves + 1
    before = players * (g.MOST_TIES + 1) + territories + int(row["zones"])
    return before + players * int(row["max_rounds"]) * turn


def make(ruleset: Ruleset) -> ConquestGame:
    """Return the game of a ruleset of this family."""
    return ConquestGame(ruleset)
