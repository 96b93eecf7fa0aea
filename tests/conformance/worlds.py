"""What a family must say of its own rules so that secrecy can be tested: `conformance/families/<family>.py`."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any, Protocol, cast

import numpy as np
import pytest

from conformance.cases import Step
from gonfalon.engine.events import Event
from gonfalon.engine.game import Game, State
from gonfalon.engine.scene import Scene


class Watcher(Protocol):
    """Follows a match by the rules alone and keeps what all know of each piece."""

    def __init__(self, game: Game) -> None: ...

    def see(self, step: Step) -> None:
        """One more step of the match."""

    def copy(self) -> Watcher: ...

    def faces(self, state: State, observer: int) -> dict[str, str]:
        """Face by space for every piece that stands there as far as the observer knows; "" where he does not know it."""

    def mentions(self, state: State, observer: int) -> dict[str, int]:
        """How often a scene of this observer must name each face."""

    def tellable(self, step: Step, observer: int) -> set[str]:
        """Faces that the events of the last step may name to the observer."""


class Family(Protocol):
    """The module of a family."""

    Watcher: type[Watcher]

    def scramble(
        self, game: Game, state: State, watcher: Watcher, observer: int, rng: np.random.Generator
    ) -> State | None:
        """A state that differs in what the observer cannot know; None where that state would have ended."""

    def deals(self, game: Game, state: State, watcher: Watcher, observer: int) -> list[bytes] | None:
        """Every world that the observer cannot exclude, as `key`; None where they are too many to list."""

    def key(self, state: State) -> bytes:
        """What tells worlds apart."""

    def rebuild(self, scene: Scene, events: list[Event]) -> Any:
        """What a screen shows, from a first scene and the events since."""

    def shown(self, scene: Scene) -> Any:
        """The part of a scene that `rebuild` rebuilds."""

    MUTANTS: dict[str, Callable[[pytest.MonkeyPatch], None]]
    """Leaks, each of which the scramble test must notice."""


def family_of(game: Game) -> Family:
    return cast("Family", importlib.import_module(f"conformance.families.{game.info.family}"))
