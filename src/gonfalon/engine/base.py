"""The part that the games of all families share: a state is a row of the family's record, and its rules are kernels.

A family's `game.py` has one class that extends `RowGame`. It implements the rest of `engine.game.Game` by calls to the
other modules of the family.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Container, Sequence
from functools import cached_property
from operator import index
from threading import Lock
from typing import Self

import numpy as np
from numpy.typing import NDArray

from gonfalon.engine.compiled.kernels import Kernels, Rows
from gonfalon.engine.events import AGREE, WITHDRAW, Event, Refusal
from gonfalon.engine.game import (
    CHANCE,
    EVERYTHING,
    PUBLIC,
    Actions,
    Game,
    GameInfo,
    IllegalActionError,
    Outcome,
    Probabilities,
    State,
    UnknownObserverError,
)
from gonfalon.engine.learning.observing import Observing, StateModule
from gonfalon.engine.rulesets.ruleset import Ruleset
from gonfalon.engine.screens.patches import ScenePatch, compare_scenes
from gonfalon.engine.screens.scene import Hint, Line
from gonfalon.engine.search import Adjustment, Mind, Option, look_once
from gonfalon.engine.view import View, copy_rows, zero_rows

NO_ACTIONS: Actions = np.zeros(0, np.int32)
NO_CHANCE: Probabilities = np.zeros(0)


def check_observer(observer: int, players: int) -> None:
    """Check an observer. Raises `UnknownObserverError` unless it is a player, PUBLIC or EVERYTHING."""
    if observer == CHANCE:
        raise UnknownObserverError("chance sees nothing; `chance_outcomes` has what it may draw")
    if not 0 <= observer < players and observer not in (PUBLIC, EVERYTHING):
        raise UnknownObserverError(f"no observer {observer}; there are 0 to {players - 1}, PUBLIC and EVERYTHING")


def view_of(
    records: StateModule,
    kernels: Kernels,
    state: State,
    rules: Rows,
    observer: int,
    ruleset: str = "",
    game: Game | None = None,
) -> View:
    """Return the filtered view of a state. `observer` must be valid. `ruleset`: `Ruleset.name`."""
    views = zero_rows(records.VIEW)
    kernels.view(state, 0, rules, observer, views, 0)
    return View(views, observer, ruleset, game)


class RowGame(Observing, ABC):
    """One variant under one ruleset. A family adds `records`, `kernels`, `form_type` and the rest of `Game`."""

    def __init__(self, ruleset: Ruleset, rules: Rows, players: int, chance: bool, longest: int) -> None:
        records = self.records
        self.rules = rules
        self.info = GameInfo(
            family=ruleset.family,
            variant=ruleset.variant,
            players=players,
            sides=records.SIDES[:players],
            chance=chance,
            actions=records.ACTIONS,
            most_legal=records.MOST_LEGAL,
            longest=longest,
            ruleset=ruleset,
        )
        self._players, self._actions = players, records.ACTIONS
        self._name = ruleset.name
        self._listing = copy_rows(rules)
        """A copy of the rules whose list of actions only `_list` uses, so that no kernel in another thread overwrites
        it.
        """
        self._ids: NDArray[np.int32] = self._listing["ids"][0]
        self._lock = Lock()
        """Held from listing the actions until they are copied. A single kernel call needs no lock, because it keeps the
        GIL.
        """

    def __repr__(self) -> str:
        if self.info.ruleset.own:
            return f"<gonfalon game {self._name}>"
        changed = "".join(f", {name}={value}" for name, value in self.info.ruleset.changed.items())
        return f"gonfalon.make({self.info.variant!r}{changed})"

    def __reduce__(self) -> tuple[type[Self], tuple[Ruleset]]:
        """Pickle a game as its ruleset, so that games can be copied and sent to other processes."""
        return type(self), (self.info.ruleset,)

    @cached_property
    def _start(self) -> State:
        state = zero_rows(self.records.STATE)
        self.kernels.initial(state, 0, self.rules)
        return state

    def initial_state(self) -> State:
        return copy_rows(self._start)

    # ---- acting

    def _is_player(self, player: int) -> bool:
        """Return whether `player` is the number of a player of this game."""
        return 0 <= player < self.info.players

    def _is_over(self, state: State) -> bool:
        """Return whether the match has ended."""
        return bool(state["phase"][0] == self.records.OVER)

    def legal_actions(self, state: State, player: int) -> Actions:
        player = index(player)
        return self._list(state, player) if 0 <= player < self._players else NO_ACTIONS

    def _list(self, state: State, player: int) -> Actions:
        with self._lock:
            return self._ids[: self.kernels.legal(state, 0, self._listing, player)].copy()

    def chance_outcomes(self, state: State) -> tuple[Actions, Probabilities]:
        if not self.info.chance:
            return NO_ACTIONS, NO_CHANCE
        actions = self._list(state, CHANCE)
        weights = np.zeros(len(actions))
        self.kernels.weights(state, 0, self.rules, actions, len(actions), weights)
        return actions, weights / max(1.0, weights.sum())

    def apply(self, state: State, player: int, action: int) -> State:
        player, action = index(player), index(action)
        after = copy_rows(state)
        self._act(after, player, action)
        return after

    def deploy(self, state: State, player: int, deployment: Sequence[int] | Actions) -> State:
        player = index(player)
        self._check_player(player)
        after = copy_rows(state)
        for action in map(index, deployment):
            self._act(after, player, action)
        return after

    def _act(self, state: State, player: int, action: int) -> None:
        """Apply an action in place. Raises `IllegalActionError`; then `state` has not changed."""
        known = 0 <= action < self._actions and (0 <= player < self._players or (player == CHANCE and self.info.chance))
        if not known or not self.kernels.step(state, 0, self.rules, player, action):
            refusal = self.explain(state, player, action) or Refusal("not-your-turn")
            raise IllegalActionError(refusal, player, action)

    def explain(self, state: State, player: int, action: int) -> Refusal | None:
        if player == CHANCE and action in self.chance_outcomes(state)[0]:
            return None
        if not self._is_player(player):
            return Refusal("not-your-turn")
        return self._explain_action(self.view(state, player), action)

    @abstractmethod
    def _explain_action(self, view: View, action: int) -> Refusal | None:
        """Return why the viewer may not do an action; see `explain`."""

    # ---- ending

    def withdraw(self, state: State, player: int) -> State:
        if self._is_over(state):
            raise ValueError("the match is over")
        self._check_player(player)
        if self._has_withdrawn(state, player):
            raise ValueError(f"player {player} has resigned already")
        after = copy_rows(state)
        self.kernels.withdraw(after, 0, self.rules, player)
        return after

    def _has_withdrawn(self, _state: State, _player: int) -> bool:
        """Return whether the player has resigned while the match goes on. Never true with two players."""
        return False

    def agree_draw(self, state: State) -> State:
        if self._is_over(state) or not self.standing(self.view(state, PUBLIC)).started:
            raise ValueError("a draw can be agreed while the match is played")
        after = copy_rows(state)
        self.kernels.agree(after, 0, self.rules)
        return after

    def outcome(self, state: State) -> Outcome | None:
        records = self.records
        if not self._is_over(state):
            return None
        winner = int(state["winner"][0])
        best = self._sharers(state) if winner == records.NONE else (winner,)
        return Outcome.of(self.info.players, best, records.OVER_REASONS[state["over"][0]])

    def _sharers(self, _state: State) -> Sequence[int]:
        """Return the players who share the draw."""
        return range(self.info.players)

    # ---- hidden information

    def view(self, state: State, player: int) -> View:
        player = index(player)
        check_observer(player, self.info.players)
        return view_of(self.records, self.kernels, state, self.rules, player, self._name, self)

    def events(self, action: int, after: State, observer: int) -> tuple[Event, ...]:
        if not 0 <= action < self.info.actions and action not in (WITHDRAW, AGREE):
            raise ValueError(f"no action {action}")
        check_observer(observer, self.info.players)
        self._check_state(after)
        return self._tell(after, observer)

    @abstractmethod
    def _tell(self, after: State, observer: int) -> tuple[Event, ...]:
        """Return the events of the last step for `observer`."""

    # ---- for agents and screens

    def evaluate(self, state: State, player: int) -> float:
        self._check_player(index(player))
        return float(self.kernels.evaluate(state, 0, self.rules, player))

    def sample_worlds(
        self, view: View, events: Sequence[Event], mind: Mind, count: int, rng: np.random.Generator
    ) -> State:
        self._check_player(view.observer)
        if count < 1:
            raise ValueError(f"at least one world is sampled, not {count}")
        return self._draw_worlds(view, events, mind, count, rng)

    def _draw_worlds(
        self, view: View, _events: Sequence[Event], _mind: Mind, count: int, rng: np.random.Generator
    ) -> State:
        """Draw worlds for a player's view; see `sample_worlds`."""
        return np.concatenate([self.resample(view, rng) for _ in range(count)])

    def search(self, view: View, events: Sequence[Event], mind: Mind, rng: np.random.Generator) -> tuple[Option, ...]:
        if not len(view.legal):
            raise ValueError(f"player {view.observer} cannot act")
        if self.standing(view).deploys:
            raise ValueError("an arrangement or a choice before play is not searched: `plan_deployment` makes it")
        return self._find_options(view, events, mind, rng)

    def adjustments(self) -> tuple[Adjustment, ...]:
        return ()

    def _find_options(
        self, view: View, events: Sequence[Event], mind: Mind, rng: np.random.Generator
    ) -> tuple[Option, ...]:
        """Search a decision that is not an arrangement; see `search`."""
        worlds = self._draw_worlds(view, events, mind, mind.worlds, rng)
        return look_once(self.kernels, self.rules, view, worlds, rng)

    def random_deployment(self, view: View, rng: np.random.Generator) -> Actions:
        self._check_deploys(view)
        return self._deploy_randomly(view, rng)

    @abstractmethod
    def _deploy_randomly(self, view: View, rng: np.random.Generator) -> Actions:
        """Complete an arrangement at random; see `random_deployment`."""

    def sensible_deployment(self, view: View, rng: np.random.Generator) -> Actions:
        self._check_deploys(view)
        return self._deploy_sensibly(view, rng)

    @abstractmethod
    def _deploy_sensibly(self, view: View, rng: np.random.Generator) -> Actions:
        """Complete an arrangement sensibly; see `sensible_deployment`."""

    def plan_deployment(self, view: View, mind: Mind, rng: np.random.Generator) -> Actions:
        self._check_deploys(view)
        return self._deploy_to_win(view, mind, rng)

    def _deploy_to_win(self, view: View, _mind: Mind, rng: np.random.Generator) -> Actions:
        """Complete an arrangement with thought; see `plan_deployment`."""
        return self._deploy_sensibly(view, rng)

    def weighs_deployments(self, _view: View) -> bool:
        return False

    def choose_deployment(
        self, _view: View, deployments: Sequence[Actions], _mind: Mind, _rng: np.random.Generator
    ) -> Actions:
        return deployments[0]

    def settle_deployment(
        self, _view: View, actions: Actions, _fixed: Container[int], _rng: np.random.Generator
    ) -> Actions:
        return actions

    def _check_deploys(self, view: View) -> None:
        """Check that the viewer has an arrangement or a choice before play to decide. Raises ValueError."""
        if not self._is_player(view.observer) or not self.standing(view).deploys:
            raise ValueError("the viewer has nothing to arrange or to choose before play")

    def _check_player(self, player: int) -> None:
        if not self._is_player(player):
            raise UnknownObserverError(f"no player {player}; there are 0 to {self._players - 1}")

    def remarks(self, _view: View, _actions: Sequence[int]) -> tuple[Line, ...]:
        return ()

    def hints(self, _view: View) -> tuple[Hint, ...]:
        return ()

    def patch(self, before: View, after: View) -> ScenePatch:
        return compare_scenes(self.scene(before), self.scene(after))
