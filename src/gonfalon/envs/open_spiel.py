"""Every variant as a game of OpenSpiel, under the name `gonfalon_<variant>`, such as `gonfalon_conquest_two`.

>>> import pyspiel
>>> import gonfalon.envs.open_spiel
>>> game = pyspiel.load_game("gonfalon_barrage(max_turns=200)")
>>> state = game.new_initial_state()

House rules are the parameters. Of several players who may act, such as those who deploy at the same moment, the first
in the order of the seats acts, until that player may act no longer. Before play another player's information state says
of a deployment only that it is complete.

The information state of a player is the list of the player's own actions and events. Its tensor does not exist: a match
has no small number of steps. The observation is the player's view: planes as a tensor, the scene as a string.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any

import msgspec
import numpy as np
import pyspiel

import gonfalon
from gonfalon.ai import Asker, agents
from gonfalon.engine.game import CHANCE, EVERYTHING, PUBLIC, Game

Settings = tuple[tuple[str, bool | int], ...]
"""House rules that differ from the variant's, in alphabetical order."""


@cache
def _make(variant: str, settings: Settings) -> Game:
    return gonfalon.make(variant, **dict(settings))


def name_of(variant: str) -> str:
    """Return the name of a variant in OpenSpiel."""
    return f"gonfalon_{variant.replace('-', '_')}"


class Learned:
    """An immutable list of texts. A longer list shares the texts of the shorter one, so clones of states are cheap."""

    __slots__ = ("earlier", "text")

    def __init__(self, text: str, earlier: Learned | None = None) -> None:
        self.text = text
        self.earlier = earlier

    def add(self, texts: Iterable[str]) -> Learned:
        """Return a list with more texts."""
        longer = self
        for text in texts:
            longer = Learned(text, longer)
        return longer

    def __str__(self) -> str:
        lines: list[str] = []
        part: Learned | None = self
        while part is not None:
            lines.append(part.text)
            part = part.earlier
        return "\n".join(reversed(lines))

    def __deepcopy__(self, _memo: object) -> Learned:
        return self


class MatchGame(pyspiel.Game):
    """A variant with its house rules."""

    variant: str
    """Set by the class that is registered for each variant."""
    kind: pyspiel.GameType

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        given = {**self.kind.parameter_specification, **(params or {})}
        usual = _make(self.variant, ()).info.ruleset.values
        changed = {name: type(usual[name])(value) for name, value in given.items() if value != usual[name]}
        self.settings: Settings = tuple(sorted(changed.items()))
        info = _make(self.variant, self.settings).info
        super().__init__(
            self.kind,
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
            _make(self.variant, self.settings), iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
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

    @property
    def game(self) -> Game:
        """The `gonfalon.Game` of this state."""
        return _make(*self._of)

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
        for observer, learned in self.learned.items():
            own = (f"{action}",) if observer in (player, EVERYTHING) else ()
            events = game.events(action, self.position, observer)
            told = (" ".join((event.code, *(f"{k}={v}" for k, v in event.args.items()))) for event in events)
            self.learned[observer] = learned.add((*own, *told))

    def _action_to_string(self, player: int, action: int) -> str:
        observer = EVERYTHING if player == pyspiel.PlayerId.CHANCE else player
        return self.game.action_text(self.game.view(self.position, observer), action)

    def is_terminal(self) -> bool:
        return self.game.outcome(self.position) is not None

    def returns(self) -> list[float]:
        outcome = self.game.outcome(self.position)
        return list(outcome.returns) if outcome else [0.0] * self.game.info.players

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> MatchState:
        """Return a state that the player cannot tell from this one (`Game.resample`). It has no history of its own: the
        other players' information states are replaced by their views, so that nothing of the true match stays in them.
        """
        rng = np.random.default_rng(int(sampler() * 2**53))
        sampled: MatchState = self.clone()
        sampled.position = self.game.resample(self.game.view(self.position, player), rng)
        for observer in sampled.learned.keys() - {player, PUBLIC}:
            seen = msgspec.json.encode(self.game.scene(self.game.view(sampled.position, observer)))
            sampled.learned[observer] = Learned(hashlib.blake2b(seen, digest_size=16).hexdigest())
        return sampled

    def __str__(self) -> str:
        return self.game.state_text(self.position)


class MatchObserver:
    """Observations of states; see `pyspiel.IIGObservationType`. Without private information they are those of a
    spectator, with that of all players those of `EVERYTHING`.
    """

    def __init__(self, game: Game, wanted: pyspiel.IIGObservationType) -> None:
        self._game = game
        self._wanted = wanted
        self.dict: dict[str, np.ndarray[Any, np.dtype[np.float32]]] = {}
        if not wanted.perfect_recall:
            self.dict["planes"] = np.zeros(game.observation_spec.shape, np.float32)
        self.tensor = np.concatenate([part.ravel() for part in self.dict.values()]) if self.dict else None

    def set_from(self, state: MatchState, player: int) -> None:
        """Fill `tensor`, and `dict` by the names of its parts."""
        if self.tensor is not None:
            planes = self._game.encode(self._game.view(state.position, self._find_observer(player))).planes
            self.tensor[:] = planes.ravel()
            self.dict["planes"] = self.tensor.reshape(planes.shape)

    def string_from(self, state: MatchState, player: int) -> str:
        """Return the observation as text: own actions and events, or the scene."""
        observer = self._find_observer(player)
        if self._wanted.perfect_recall:
            return str(state.learned[observer])
        return msgspec.json.encode(self._game.scene(self._game.view(state.position, observer))).decode()

    def _find_observer(self, player: int) -> int:
        match self._wanted.private_info:
            case pyspiel.PrivateInfoType.NONE:
                return PUBLIC
            case pyspiel.PrivateInfoType.ALL_PLAYERS:
                return EVERYTHING
            case _:
                return player


class AgentBot(pyspiel.Bot):
    """A computer player of `gonfalon.ai.agents()` as a bot of OpenSpiel. It uses only what its player may know."""

    def __init__(self, game: MatchGame, player: int, name: str, seconds: float = 0.1, seed: int = 0) -> None:
        """`seconds`: thinking time for one decision. Raises `UnknownAgentError`, a KeyError."""
        super().__init__()
        self._game = _make(game.variant, game.settings)
        self._player = player
        self._make_agent = agents()[name]
        self._seconds = seconds
        self._rng = np.random.default_rng(seed)
        self.restart()

    def restart(self) -> None:
        """Begin a new match."""
        self._asker = Asker(self._game, {self._player: self._make_agent()}, self._seconds)
        self._position = self._game.initial_state()
        self._told = 0
        """Number of actions of the match that the agent has been told."""
        self._planned: list[int] = []
        """Further actions of the agent's decision."""

    def step(self, state: MatchState) -> int:
        """Return the next action of the agent in a state that follows the state of the last step."""
        for action in state.history()[self._told :]:
            actor = self._game.to_act(self._position)[0]
            self._position = self._game.apply(self._position, actor, action)
            self._asker.note(action, self._position)
            self._told += 1
        if not self._planned:
            self._planned = self._asker.ask(self._player, self._position, self._rng)
        return self._planned.pop(0)


def _register(variant: str) -> None:
    game = _make(variant, ())
    kind = pyspiel.GameType(
        short_name=name_of(variant),
        long_name=f"Gonfalon: {variant}",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC
        if game.info.chance
        else pyspiel.GameType.ChanceMode.DETERMINISTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=game.info.players,
        min_num_players=game.info.players,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=True,
        parameter_specification=dict(game.info.ruleset.values),
    )
    pyspiel.register_game(kind, type(f"{variant.title()}Game", (MatchGame,), {"variant": variant, "kind": kind}))


for _variant in (*gonfalon.variants(), "tiny"):
    _register(_variant)
