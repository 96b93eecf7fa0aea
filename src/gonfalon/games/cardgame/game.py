"""The Card Game behind the interface of `engine/game.py`. Each member only passes on to the file that knows."""

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
    TextError,
)
from gonfalon.engine.patches import ScenePatch, difference
from gonfalon.engine.ruleset import Ruleset
from gonfalon.engine.scene import Board, Choice, Scene
from gonfalon.engine.view import View, copy_rows, zero_rows
from gonfalon.games.cardgame import kernels
from gonfalon.games.cardgame import state as g
from gonfalon.games.cardgame.play import deployments
from gonfalon.games.cardgame.screen.explain import explain_action, explain_path
from gonfalon.games.cardgame.screen.scene import arrange_of, board, choices_of, scene_of
from gonfalon.games.cardgame.sight.encode import encode
from gonfalon.games.cardgame.sight.resample import resample
from gonfalon.games.cardgame.sight.view import events_of, standing_of, view_of
from gonfalon.games.cardgame.tables import rules_record
from gonfalon.games.cardgame.text import notation, position


class CardGame:
    """One variant under one ruleset; see `engine.game.Game` for what each member promises."""

    kernels = kernels

    def __init__(self, ruleset: Ruleset) -> None:
        self.rules = rules_record(ruleset)
        self._scratch = kernels.scratch()
        cards = int(self.rules[0]["deck"].sum())
        # Each card that leaves may be followed by a quiet stretch; a turn draws, acts and fills, a trick deals anew.
        turns = 2 * cards * int(ruleset.values["max_quiet_turns"])
        self.info = GameInfo(
            family=ruleset.family,
            variant=ruleset.variant,
            players=2,
            sides=g.SIDES,
            chance=True,
            actions=g.ACTIONS,
            most_legal=g.MOST_LEGAL,
            longest=2 * (g.DEALT + g.LINE) + turns * (g.HAND + 1 + g.DEALT + g.LINE),
            ruleset=ruleset,
        )

    @cached_property
    def _start(self) -> State:
        state = zero_rows(g.STATE)
        kernels.initial(state, 0, self.rules)
        return state

    def initial_state(self) -> State:
        return copy_rows(self._start)

    def to_act(self, state: State) -> tuple[int, ...]:
        row = state[0]
        phase = row["phase"]
        if phase == g.OVER:
            return ()
        if phase == g.DRAW:
            return (CHANCE,)
        if phase == g.LAY and not row["started"]:
            return tuple(side for side in range(2) if row["placed"][side] < g.LINE)
        return (int(row["mover"]),)

    def legal_actions(self, state: State, player: int) -> Actions:
        out = np.empty(g.MOST_LEGAL, np.int32)
        if player not in (0, 1):
            return out[:0]
        return out[: kernels.legal(state, 0, self.rules, player, out)]

    def chance_outcomes(self, state: State) -> tuple[Actions, Probabilities]:
        out = np.empty(g.MOST_LEGAL, np.int32)
        actions = out[: kernels.legal(state, 0, self.rules, CHANCE, out)]
        cards = state["pile"][0][state["mover"][0]]
        return actions, cards[actions - g.ACT_DRAW] / max(1, int(cards.sum()))

    def apply(self, state: State, player: int, action: int) -> State:
        player, action = index(player), index(action)
        after = zero_rows(g.STATE)
        allowed = player in (0, 1, CHANCE) and 0 <= action < g.ACTIONS
        # A kernel holds the interpreter's lock from first to last, so threads may share what it scribbles on.
        if (
            not allowed
            or kernels.apply(state, 0, after, 0, self.rules, player, action, self._scratch) == kernels.ILLEGAL
        ):
            raise IllegalActionError(self.explain(state, player, action) or Refusal("not-your-turn"))
        return after

    def is_open(self, state: State, player: int) -> bool:
        row = state[0]
        if row["phase"] != g.LAY or player not in (0, 1) or (row["started"] and player != row["mover"]):
            return False
        return bool(0 < row["placed"][player] < (row["number"][player] == 0).sum())

    def withdraw(self, state: State, player: int) -> State:
        if state["phase"][0] == g.OVER:
            raise ValueError("the match is over")
        if player not in (0, 1):
            raise ValueError(f"no player {player}")
        after = copy_rows(state)
        kernels.withdraw(after, 0, player)
        return after

    def agree_draw(self, state: State) -> State:
        if not state["started"][0] or state["phase"][0] == g.OVER:
            raise ValueError("a draw can be agreed while the match is played")
        after = copy_rows(state)
        kernels.agree(after, 0)
        return after

    def outcome(self, state: State) -> Outcome | None:
        row = state[0]
        if row["phase"] != g.OVER:
            return None
        reason = g.OVER_REASONS[row["over"]]
        winner = int(row["winner"])
        return Outcome.of(2, (0, 1) if winner == g.NONE else (winner,), reason)

    # ---- hidden information

    def view(self, state: State, player: int) -> View:
        return view_of(state, self.rules, player)

    def standing(self, view: View) -> Standing:
        return standing_of(view)

    def events(self, action: int, after: State, observer: int) -> tuple[Event, ...]:
        if not 0 <= action < g.ACTIONS and action not in (WITHDRAW, AGREE):
            raise ValueError(f"no action {action}")
        return events_of(after, observer)

    def explain(self, state: State, player: int, action: int) -> Refusal | None:
        if player == CHANCE and action in self.chance_outcomes(state)[0]:
            return None
        if player not in (0, 1):
            return Refusal("not-your-turn")
        return explain_action(self.view(state, player), action)

    def explain_path(self, view: View, path: Sequence[str]) -> Refusal:
        return explain_path(view, path)

    def resample(self, view: View, rng: np.random.Generator) -> State:
        return resample(view, self.rules, rng)

    # ---- for agents

    def random_deployment(self, view: View, rng: np.random.Generator) -> Actions:
        return deployments.random_deployment(arrange_of(view), rng)

    def sensible_deployment(self, view: View, rng: np.random.Generator) -> Actions:
        return deployments.sensible_deployment(view, arrange_of(view), rng)

    def evaluate(self, state: State, player: int) -> float:
        return float(kernels.evaluate(state, 0, self.rules, player))

    def encode(self, view: View) -> Tensors:
        return encode(view)

    # ---- for screens

    def board(self) -> Board:
        return board()

    def scene(self, view: View) -> Scene:
        return scene_of(view, self.info.ruleset)

    def patch(self, before: View, after: View) -> ScenePatch:
        return difference(self.scene(before), self.scene(after))

    def choices(self, view: View) -> tuple[Choice, ...]:
        return choices_of(view)

    # ---- text

    def action_text(self, view: View, action: int) -> str:
        return notation.action_text(view, action)

    def parse_action(self, view: View, text: str) -> int:
        return notation.parse_action(text, view)

    def state_text(self, state: State) -> str:
        return position.state_text(state, self.info.variant)

    def parse_state(self, text: str) -> State:
        return position.parse_state(text, self.info.variant, self.rules)

    def deployment_text(self, actions: Sequence[int]) -> str:
        if not all(g.ACT_LAY <= action < g.ACT_ATTACK for action in actions):
            raise TextError("a deployment consists of cards to lay")
        return notation.deployment_text(actions)

    def parse_deployment(self, text: str, player: int) -> Actions:
        return notation.parse_deployment(text, self.rules[0]["deck"].tolist())


def make(ruleset: Ruleset) -> CardGame:
    """The game of a ruleset of this family."""
    return CardGame(ruleset)
