"""Games and states of OpenSpiel."""

from __future__ import annotations

import hashlib
import pathlib
from collections.abc import Callable, Mapping
from typing import Any

import msgspec
import numpy as np
import pyspiel

import gonfalon
from gonfalon.engine.game import CHANCE, EVERYTHING, PUBLIC, Game, State
from gonfalon.engine.rulesets.ruleset import Ruleset, Written
from gonfalon.envs.open_spiel.learned import Learned, write_events
from gonfalon.envs.open_spiel.observers import MatchObserver, has_tensor
from gonfalon.envs.open_spiel.paths import Path, is_retraceable, retrace
from gonfalon.envs.open_spiel.variants import Settings, make_game, name_ruleset

TRIES = 50
"""Number of resampled positions to try. Tiny's view does not hold the ranks of lost pieces, so some positions
contradict the player's events.
"""


class MatchGame(pyspiel.Game):
    """A variant with its house rules."""

    variant: str | Written
    """The name of a shipped variant, or a ruleset of one's own. Set by the class that is registered for each."""
    usual: dict[str, bool | int]
    """The variant's own house rules."""

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        given = {**self.usual, **(params or {})}
        changed = {name: type(self.usual[name])(value) for name, value in given.items() if value != self.usual[name]}
        self.settings: Settings = tuple(sorted(changed.items()))
        game = make_game(self.variant, self.settings)
        info = game.info
        super().__init__(
            describe(game, self.usual),
            pyspiel.GameInfo(
                num_distinct_actions=info.actions,
                max_chance_outcomes=info.actions if info.chance else 0,
                num_players=info.players,
                min_utility=-1.0,
                max_utility=1.0,
                utility_sum=0.0,
                max_game_length=info.longest,
            ),
            dict(params or {}),
        )

    def new_initial_state(self) -> MatchState:
        return MatchState(self)

    def make_py_observer(
        self, iig_obs_type: pyspiel.IIGObservationType | None = None, params: Mapping[str, Any] | None = None
    ) -> MatchObserver:
        if params:
            raise ValueError(f"there are no parameters of observations: {sorted(params)}")
        return MatchObserver(
            make_game(self.variant, self.settings), iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        )


class MatchState(pyspiel.State):
    """A state of a match, with what each observer has learned on the way to it."""

    def __init__(self, game: MatchGame) -> None:
        super().__init__(game)
        self._of = game.variant, game.settings  # no reference to the game, because clones copy all attributes
        self.position = self.game.initial_state()
        """The state of `gonfalon.Game`."""
        observers = (*range(self.game.info.players), PUBLIC, EVERYTHING)
        self.learned = {observer: Learned(f"observer {observer}") for observer in observers}
        """Own actions and events so far, by observer."""
        self._path: Path | None = Path(self._of, self.position)
        """The positions so far; None for a state without a history."""

    @classmethod
    def imagine(cls, game: MatchGame, position: State, learned: Mapping[int, Learned]) -> MatchState:
        """Return a state without a history: a position that a player considers possible. `learned`: by observer; the
        information state of any other observer is a hash of the view.
        """
        imagined = cls(game)
        imagined.position, imagined._path = position, None
        for observer in imagined.learned:
            seen = msgspec.json.encode(imagined.game.scene(imagined.game.view(position, observer)))
            unknown = Learned(f"observer {observer} sees {hashlib.blake2b(seen, digest_size=16).hexdigest()}")
            imagined.learned[observer] = learned.get(observer, unknown)
        return imagined

    @property
    def game(self) -> Game:
        """The `gonfalon.Game` of this state."""
        return make_game(*self._of)

    def current_player(self) -> int:
        actors = self.game.to_act(self.position)
        if not actors:
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if actors[0] == CHANCE else actors[0]

    def _legal_actions(self, player: int) -> list[int]:
        actions: list[int] = self.game.legal_actions(self.position, player).tolist()
        return actions

    def chance_outcomes(self) -> list[tuple[int, float]]:
        actions, odds = self.game.chance_outcomes(self.position)
        return list(zip(actions.tolist(), odds.tolist(), strict=True))

    def _apply_action(self, action: int) -> None:
        game, player = self.game, self.game.to_act(self.position)[0]
        self.position = game.apply(self.position, player, action)
        if self._path is not None:
            self._path = Path(self._of, self.position, player, action, self._path)
        for observer, learned in self.learned.items():
            own = [f"{action}"] if observer in (player, EVERYTHING) else []
            told = write_events(game.events(action, self.position, observer))
            self.learned[observer] = learned.add([*own, *told])

    def _action_to_string(self, player: int, action: int) -> str:
        observer = EVERYTHING if player == pyspiel.PlayerId.CHANCE else player
        return self.game.action_text(self.game.view(self.position, observer), action)

    def is_terminal(self) -> bool:
        return self.game.outcome(self.position) is not None

    def returns(self) -> list[float]:
        outcome = self.game.outcome(self.position)
        return list(outcome.returns) if outcome else [0.0] * self.game.info.players

    def information_state_hash(self, player: int) -> str:
        """Return a hash of the player's information state. It takes the same time in a match of any length."""
        return self.learned[player].digest.hex()

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> MatchState:
        """Return a state that the player cannot tell from this one (`Game.resample`).

        In tiny and the board games it has a history that leads to it, as long as no opponent has made a choice in play
        that the player could not see (such as which piece a Rescue returns). Otherwise `history()` is empty, and the
        other players' information states are hashes of their views, so nothing of the true match stays in them.
        """
        rng = np.random.default_rng(int(sampler() * 2**53))
        ours, view = self.get_game(), self.game.view(self.position, player)
        if self._path is not None and is_retraceable(self._path, player):
            for _ in range(TRIES):
                fresh: MatchState = ours.new_initial_state()
                if retrace(fresh, self._path, player, self.game.resample(view, rng)):
                    return fresh
        known = {observer: self.learned[observer] for observer in (player, PUBLIC)}
        return MatchState.imagine(ours, self.game.resample(view, rng), known)

    def __str__(self) -> str:
        return self.game.state_text(self.position)


def describe(game: Game, usual: Mapping[str, bool | int]) -> pyspiel.GameType:
    """Return OpenSpiel's facts of a game. `usual`: the variant's own house rules."""
    info = game.info
    modes = pyspiel.GameType.ChanceMode
    return pyspiel.GameType(
        short_name=name_ruleset(info.ruleset),
        long_name=f"Gonfalon: {info.variant}",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=modes.EXPLICIT_STOCHASTIC if info.chance else modes.DETERMINISTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=info.players,
        min_num_players=info.players,
        provides_information_state_string=True,
        provides_information_state_tensor=has_tensor(game),
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=True,
        parameter_specification=dict(usual),
    )


def register_variants() -> None:
    """Register all variants in OpenSpiel."""
    for variant in gonfalon.variants(unlisted=True):
        _register(make_game(variant).info.ruleset)


def register_variant(variant: str | pathlib.Path | Written) -> str:
    """Register a variant of one's own, the path of its file or its text, unless it is registered. Return its name in
    OpenSpiel. Raises `RulesetError`.
    """
    return register_ruleset(gonfalon.games.ruleset(variant))


def register_ruleset(rules: Ruleset) -> str:
    """Register the variant of a ruleset unless it is registered. Return its name in OpenSpiel."""
    name = name_ruleset(rules)
    if name not in pyspiel.registered_names():
        _register(rules)
    return name


def _register(rules: Ruleset) -> None:
    source = rules.source
    usual = {switch.name: switch.default for switch in rules.switches}
    class_name = f"{name_ruleset(rules).title().replace('_', '')}Game"
    kind = type(class_name, (MatchGame,), {"variant": source, "usual": usual, "__module__": __name__})
    globals()[class_name] = kind  # pickle finds a class by its name in the module
    pyspiel.register_game(describe(make_game(source), usual), kind)
