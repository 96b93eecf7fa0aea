"""Conquest behind the interface of `engine/game.py`. Each member only passes on to the file that knows."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from operator import index

import numpy as np

from gonfalon.engine.events import AGREE, WITHDRAW, Event, Refusal
from gonfalon.engine.game import (
    CHANCE,
    Actions,
    GameInfo,
    IllegalActionError,
    Outcome,
    Probabilities,
    Standing,
    State,
    Tensors,
)
from gonfalon.engine.patches import ScenePatch, difference
from gonfalon.engine.ruleset import Ruleset
from gonfalon.engine.scene import Board, Choice, Scene
from gonfalon.engine.view import View, copy_rows, zero_rows
from gonfalon.games.conquest import kernels
from gonfalon.games.conquest import state as g
from gonfalon.games.conquest.play import deployments
from gonfalon.games.conquest.ruleset import map_of
from gonfalon.games.conquest.screen.board import board
from gonfalon.games.conquest.screen.choices import choices_of
from gonfalon.games.conquest.screen.explain import explain_action, explain_path
from gonfalon.games.conquest.screen.scene import FROM_HAND, arrange_of, scene_of
from gonfalon.games.conquest.sight.encode import encode
from gonfalon.games.conquest.sight.resample import resample
from gonfalon.games.conquest.sight.view import events_of, standing_of, view_of
from gonfalon.games.conquest.tables import rules_record
from gonfalon.games.conquest.text import notation, position

MOST_NAMED = 7
"""A card takes no more actions than a Regroup: it is played, three zones are named, three units put back."""


class ConquestGame:
    """One variant under one ruleset; see `engine.game.Game` for what each member promises."""

    kernels = kernels

    def __init__(self, ruleset: Ruleset) -> None:
        self.rules = rules_record(ruleset)
        self.map = map_of(ruleset)
        self.names = notation.names_of(self.map)
        self._scratch = kernels.scratch()
        self.players = int(self.rules[0]["players"])
        self.info = GameInfo(
            family=ruleset.family,
            variant=ruleset.variant,
            players=self.players,
            sides=g.SIDES[: self.players],
            chance=True,
            actions=g.ACTIONS,
            most_legal=g.MOST_LEGAL,
            longest=self._longest(),
            ruleset=ruleset,
        )

    def _longest(self) -> int:
        """Draws for the start, territories, zones; turns of cards drawn, one played, moves with a Flag raised after each."""
        row = self.rules[0]
        territories, cities = int(row["territories"]), int(row["city"].sum())
        moves = 1 + cities + 2
        turn = territories // 2 + MOST_NAMED + 2 * moves + 1
        before = self.players * (g.MOST_TIES + 1) + territories + int(row["zones"])
        return before + self.players * int(row["max_rounds"]) * turn

    @cached_property
    def _start(self) -> State:
        state = zero_rows(g.STATE)
        kernels.initial(state, 0, self.rules)
        return state

    def initial_state(self) -> State:
        return copy_rows(self._start)

    def _is_player(self, player: int) -> bool:
        return 0 <= player < self.players

    def _shares(self, state: State) -> list[int]:
        """How many zones each player has to deal with in his deployment."""
        owner = state["owner"][0]
        return [g.IN_TERRITORY * int((owner == player).sum()) for player in range(self.players)]

    def to_act(self, state: State) -> tuple[int, ...]:
        row = state[0]
        phase = row["phase"]
        if phase == g.OVER:
            return ()
        if phase in (g.STARTING, g.DRAW, g.UNIT):
            return (CHANCE,)
        if phase == g.DEPLOY:
            shares = enumerate(self._shares(state))
            return tuple(p for p, share in shares if not row["out"][p] and row["placed"][p] < share)
        return (int(row["mover"]),)

    def legal_actions(self, state: State, player: int) -> Actions:
        out = np.empty(g.MOST_LEGAL, np.int32)
        if not self._is_player(player):
            return out[:0]
        return out[: kernels.legal(state, 0, self.rules, player, out)]

    def chance_outcomes(self, state: State) -> tuple[Actions, Probabilities]:
        out = np.empty(g.MOST_LEGAL, np.int32)
        actions = out[: kernels.legal(state, 0, self.rules, CHANCE, out)]
        weights = np.zeros(len(actions))
        kernels.weights(state, 0, self.rules, actions, len(actions), weights)
        return actions, weights / max(1.0, weights.sum())

    def apply(self, state: State, player: int, action: int) -> State:
        player, action = index(player), index(action)
        after = zero_rows(g.STATE)
        allowed = (self._is_player(player) or player == CHANCE) and 0 <= action < g.ACTIONS
        # A kernel holds the interpreter's lock from first to last, so threads may share what it scribbles on.
        if (
            not allowed
            or kernels.apply(state, 0, after, 0, self.rules, player, action, self._scratch) == kernels.ILLEGAL
        ):
            raise IllegalActionError(self.explain(state, player, action) or Refusal("not-your-turn"))
        return after

    def is_open(self, state: State, player: int) -> bool:
        row = state[0]
        phase = row["phase"]
        if not self._is_player(player):
            return False
        if phase == g.DEPLOY:
            return bool(0 < row["placed"][player] < self._shares(state)[player])
        aims = phase == g.AIM and row["playing"] not in FROM_HAND
        return bool((aims or phase in (g.ORDER, g.GUESS)) and player == row["mover"])

    def withdraw(self, state: State, player: int) -> State:
        if state["phase"][0] == g.OVER:
            raise ValueError("the match is over")
        if not self._is_player(player):
            raise ValueError(f"no player {player}")
        if state["out"][0][player] == g.RESIGNED:
            raise ValueError(f"player {player} has resigned already")
        after = copy_rows(state)
        kernels.withdraw(after, 0, self.rules, player)
        return after

    def agree_draw(self, state: State) -> State:
        if not state["started"][0] or state["phase"][0] == g.OVER:
            raise ValueError("a draw can be agreed while the match is played")
        after = copy_rows(state)
        kernels.agree(after, 0, self.rules)
        return after

    def outcome(self, state: State) -> Outcome | None:
        """CQ-35: a draw is shared by those who have their Flag on the board."""
        row = state[0]
        if row["phase"] != g.OVER:
            return None
        shared = [player for player in range(self.players) if row["holder"][player] == player]
        best = shared if row["winner"] == g.NONE else [int(row["winner"])]
        return Outcome.of(self.players, best, g.OVER_REASONS[row["over"]])

    # ---- hidden information

    def view(self, state: State, player: int) -> View:
        return view_of(state, self.rules, player)

    def standing(self, view: View) -> Standing:
        return standing_of(view)

    def events(self, action: int, after: State, observer: int) -> tuple[Event, ...]:
        if not 0 <= action < g.ACTIONS and action not in (WITHDRAW, AGREE):
            raise ValueError(f"no action {action}")
        return events_of(after, observer, self.map, self.players)

    def explain(self, state: State, player: int, action: int) -> Refusal | None:
        if player == CHANCE and action in self.chance_outcomes(state)[0]:
            return None
        if not self._is_player(player):
            return Refusal("not-your-turn")
        return explain_action(self.view(state, player), action, self.map, self.rules)

    def explain_path(self, view: View, path: Sequence[str]) -> Refusal:
        return explain_path(view, path, self.map, self.rules)

    def resample(self, view: View, rng: np.random.Generator) -> State:
        return resample(view, self.rules, rng)

    # ---- for agents

    def random_deployment(self, view: View, rng: np.random.Generator) -> Actions:
        return deployments.random_deployment(view, arrange_of(view, self.map, self.rules), rng)

    def sensible_deployment(self, view: View, rng: np.random.Generator) -> Actions:
        return deployments.sensible_deployment(view, arrange_of(view, self.map, self.rules), self.rules, rng)

    def evaluate(self, state: State, player: int) -> float:
        return float(kernels.evaluate(state, 0, self.rules, player))

    def encode(self, view: View) -> Tensors:
        return encode(view, self.rules)

    # ---- for screens

    def board(self) -> Board:
        return board(self.map)

    def scene(self, view: View) -> Scene:
        return scene_of(view, self.info.ruleset, self.map, self.rules)

    def patch(self, before: View, after: View) -> ScenePatch:
        return difference(self.scene(before), self.scene(after))

    def choices(self, view: View) -> tuple[Choice, ...]:
        return choices_of(view, self.map)

    # ---- text

    def action_text(self, view: View, action: int) -> str:
        return notation.action_text(view, action, self.names)

    def parse_action(self, view: View, text: str) -> int:
        return notation.parse_action(text, view, self.names)

    def state_text(self, state: State) -> str:
        return position.state_text(state, self.names, self.info.variant, self.rules)

    def parse_state(self, text: str) -> State:
        return position.parse_state(text, self.names, self.info.variant, self.rules)

    def deployment_text(self, actions: Sequence[int]) -> str:
        return notation.deployment_text(actions)

    def parse_deployment(self, text: str, player: int) -> Actions:
        return notation.parse_deployment(text, self.rules[0]["army"].tolist(), int(self.rules[0]["zones"]))


def make(ruleset: Ruleset) -> ConquestGame:
    """The game of a ruleset of this family."""
    return ConquestGame(ruleset)
