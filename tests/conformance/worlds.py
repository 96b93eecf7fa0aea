"""Interface of a family's rules for the tests of secrecy. See `conformance/families/<family>.py`."""

from __future__ import annotations

import importlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Protocol, cast

import numpy as np
import pytest

from conformance.cases import Step, play
from gonfalon.engine.events import Event
from gonfalon.engine.game import Game, State
from gonfalon.engine.screens.scene import Scene


class Watcher(Protocol):
    """Follows a match by the rules alone, and keeps the knowledge of each piece."""

    def __init__(self, game: Game) -> None: ...

    def see(self, step: Step) -> None:
        """Follow one more step of the match: an action, a draw of chance, or a resignation."""

    def faces(self, state: State, observer: int) -> dict[str, str]:
        """Return, by space, the face of each piece that the observer knows to be there; "" for an unknown face."""

    def mentions(self, state: State, observer: int) -> Counter[str]:
        """Return how often a scene of this observer names each face."""

    def tellable(self, observer: int) -> set[str]:
        """Return the faces that the events of the last step may name to the observer; none for a secret draw."""


class Family(Protocol):
    """The members of a family's module."""

    Watcher: type[Watcher]

    def scramble(
        self, game: Game, state: State, watcher: Watcher, observer: int, rng: np.random.Generator
    ) -> State | None:
        """Return a state that differs in facts the observer cannot know; None if the match would have ended in it."""

    def likewise(self, game: Game, step: Step, world: State, observer: int, rng: np.random.Generator) -> int:
        """Return the action in `world` that the observer cannot tell from the step's action. Usually it is the same
        action.
        """

    def shows(self, game: Game, step: Step, world: State, after: State, observer: int) -> bool:
        """Return whether the step shows the observer something that differs between `world` and the state before the
        step. `after`: `world` after the step.
        """

    def deals(self, game: Game, state: State, watcher: Watcher, observer: int) -> list[bytes] | None:
        """Return the `key` of every world that the observer cannot exclude; None if there are too many to list.

        A world may be listed several times, in proportion to its probability.
        """

    def key(self, state: State) -> bytes:
        """Return a key that differs for different worlds."""

    def small(self, game: Game, rng: np.random.Generator) -> Iterator[tuple[State, int, list[bytes]]]:
        """Yield positions in which an observer's worlds can be listed, with the observer and the `deals`."""

    def rebuild(self, events: Iterable[Event]) -> Any:
        """Return the pieces as an observer can follow them from their own events since the start."""

    def agrees(self, game: Game, scene: Scene, rebuilt: Any) -> bool:
        """Return whether the scene shows the rebuilt pieces."""

    MUTANTS: dict[str, Callable[[pytest.MonkeyPatch], None]]
    """Leaks by name. The scramble test must notice each of them."""


def family_of(game: Game) -> Family:
    return cast("Family", importlib.import_module(f"conformance.families.{game.info.family}"))


# ---- for families in which nothing else is needed ----------------------------------------------------------------


def the_same(game: Game, step: Step, world: State, observer: int, rng: np.random.Generator) -> int:
    """Return the step's own action, for `Family.likewise`."""
    return step.action


def played(game: Game, rng: np.random.Generator) -> Iterator[tuple[State, int, list[bytes]]]:
    """Yield positions of random matches, for `Family.small`."""
    family = family_of(game)
    while True:
        watcher = family.Watcher(game)
        for step in play(game, rng, lively=0.6):
            watcher.see(step)
            for observer in range(game.info.players):
                worlds = family.deals(game, step.after, watcher, observer)
                if worlds is not None:
                    yield step.after, observer, worlds
