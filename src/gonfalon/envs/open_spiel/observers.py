"""Observations of states, in the parts that OpenSpiel asks for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np
import pyspiel
from numpy.typing import NDArray

from gonfalon.engine.game import EVERYTHING, PUBLIC, Game
from gonfalon.envs.open_spiel.learned import BITS

if TYPE_CHECKING:
    from gonfalon.envs.open_spiel.matches import MatchState

MOST_TURNS = 100
"""Information states have a tensor only in games with at most this number of turns."""


def has_tensor(game: Game) -> bool:
    """Return whether information states of the game have a tensor."""
    return int(game.info.ruleset.values.get("max_turns", game.info.longest)) <= MOST_TURNS


class MatchObserver:
    """Observations of states; see `pyspiel.IIGObservationType`. Without private information they are those of a
    spectator, with that of all players those of `EVERYTHING`. Without public information they are the rest: what a
    spectator does not know.
    """

    def __init__(self, game: Game, wanted: pyspiel.IIGObservationType) -> None:
        self._game = game
        self._wanted = wanted
        self.dict: dict[str, NDArray[np.float32]] = {}
        self.tensor: NDArray[np.float32] | None = None
        shapes = self._list_shapes()
        if not shapes:
            return
        self.tensor = np.zeros(sum(int(np.prod(shape)) for shape in shapes.values()), np.float32)
        begin = 0
        for name, shape in shapes.items():
            end = begin + int(np.prod(shape))
            self.dict[name] = self.tensor[begin:end].reshape(shape)
            begin = end

    def _list_shapes(self) -> dict[str, tuple[int, ...]]:
        if not self._wanted.public_info or (self._wanted.perfect_recall and not has_tensor(self._game)):
            return {}
        planes = self._game.observation_spec.shape
        steps = {"learned": (self._game.info.longest + 1, BITS)} if self._wanted.perfect_recall else {}
        return {"planes": planes, **steps}

    def set_from(self, state: MatchState, player: int) -> None:
        """Fill `tensor` and the parts of `dict`, which share its memory."""
        observer = self._find_observer(player)
        if "planes" in self.dict:
            self.dict["planes"][:] = self._game.encode(self._game.view(state.position, observer)).planes
        if "learned" in self.dict:
            state.learned[observer].fill(self.dict["learned"])

    def string_from(self, state: MatchState, player: int) -> str:
        """Return the observation as text: own actions and events, or the scene."""
        observer = self._find_observer(player)
        if self._wanted.perfect_recall:
            learned = state.learned[observer]
            return str(learned) if self._wanted.public_info else learned.subtract(state.learned[PUBLIC])
        scene = self._describe(state, observer)
        if not self._wanted.public_info:
            scene = subtract(scene, self._describe(state, PUBLIC))
        return msgspec.json.encode(scene).decode()

    def _describe(self, state: MatchState, observer: int) -> dict[str, Any]:
        scene: dict[str, Any] = msgspec.to_builtins(self._game.scene(self._game.view(state.position, observer)))
        return scene

    def _find_observer(self, player: int) -> int:
        match self._wanted.private_info:
            case pyspiel.PrivateInfoType.NONE:
                return PUBLIC
            case pyspiel.PrivateInfoType.ALL_PLAYERS:
                return EVERYTHING
            case _:
                return player


def subtract(scene: dict[str, Any], public: dict[str, Any]) -> dict[str, Any]:
    """Return the parts of a scene that differ from those of another one; of lists, the items that differ."""
    parts = {name: part for name, part in scene.items() if part != public.get(name)}
    for name, part in parts.items():
        other = public.get(name)
        if isinstance(part, (list, tuple)) and isinstance(other, (list, tuple)):
            parts[name] = [item for item in part if item not in other]
    return parts
