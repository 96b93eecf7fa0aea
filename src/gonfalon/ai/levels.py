"""The levels: one computer player for every game, in eight strengths that differ in their `Mind`.

`level-8:without=NAME,...` is a level with adjustments of its search (`Game.adjustments`) switched off, for arenas.
"""

from __future__ import annotations

from functools import partial

import msgspec
import numpy as np

from gonfalon.ai.agent import Question
from gonfalon.engine.events import Event
from gonfalon.engine.game import Game
from gonfalon.engine.search import Mind, Option, search_together

MOST_SECONDS = 1.0
"""Maximum number of seconds that a level thinks, even if it gets more."""
MOST_CORES = 16
"""Maximum number of cores that a level uses, even if it gets more."""
LEVELS: tuple[Mind, ...] = (
    Mind(seconds=0.05, depth=1, worlds=1, memory=0.0, insight=0.0, breadth=1, bluffs=False),
    Mind(seconds=0.05, depth=1, worlds=3, memory=0.4, insight=0.0, breadth=1, bluffs=False),
    Mind(seconds=0.05, depth=1, worlds=8, memory=0.75, insight=0.0, breadth=1, bluffs=False),
    Mind(seconds=0.05, depth=2, worlds=6, insight=0.0, breadth=1, bluffs=False),
    Mind(seconds=0.05, depth=3, worlds=4, insight=0.2, breadth=2, bluffs=False),
    Mind(seconds=0.06, depth=5, worlds=5, insight=0.3, breadth=3, bluffs=False),
    Mind(seconds=0.2, worlds=6, insight=0.45, breadth=5),
    Mind(seconds=MOST_SECONDS, worlds=48, cores=MOST_CORES),
)
"""Levels 1 to 8. `seconds` and `cores` are the maximum of each level."""


WITHOUT = ":without="


class Level:
    """A computer player that searches. It remembers its player's events."""

    def __init__(self, number: int, without: tuple[str, ...] = ()) -> None:
        """`number`: 1 to 8. `without`: names of adjustments to switch off. Raises ValueError for another number."""
        if not 1 <= number <= len(LEVELS):
            raise ValueError(f"the levels are 1 to {len(LEVELS)}, not {number}")
        self.name = f"level-{number}" + (f"{WITHOUT}{','.join(without)}" if without else "")
        self._mind = msgspec.structs.replace(LEVELS[number - 1], without=without)
        self._told: list[Event] = []

    def act(self, game: Game, question: Question, rng: np.random.Generator) -> list[int]:
        """See `Agent.act`."""
        self._told.extend(question.events)
        view = question.view
        if game.standing(view).deploys:
            return [int(action) for action in game.plan_deployment(view, self._find_mind(question), rng)]
        return list(self._search(game, question, rng)[0].actions)

    def consider(self, game: Game, question: Question, rng: np.random.Generator) -> tuple[Option, ...]:
        """Return the best decisions of a view, the best first, each with the expected result. Hints and analyses use
        this. The view must not ask for a deployment or another arrangement.
        """
        self._told.extend(question.events)
        return self._search(game, question, rng)

    def plays(self, game: Game) -> bool:
        """Return whether the game has the adjustments that this level switches off; see `Specialist`."""
        without = self._mind.without
        return not without or {each.name for each in game.adjustments()}.issuperset(without)

    def _search(self, game: Game, question: Question, rng: np.random.Generator) -> tuple[Option, ...]:
        mind = self._find_mind(question)
        return search_together(partial(game.search, question.view, self._told, mind), mind.cores, rng)

    def _find_mind(self, question: Question) -> Mind:
        return msgspec.structs.replace(
            self._mind,
            seconds=min(self._mind.seconds, question.seconds),
            processor_time=question.processor_time,
            cores=min(self._mind.cores, question.cores),
        )


def find_without(name: str) -> tuple[str, ...]:
    """Return the names of the adjustments that the name of a level switches off; empty for other names."""
    _, found, names = name.partition(WITHOUT)
    return tuple(names.split(",")) if found else ()


def make_level(name: str) -> Level:
    """Return the level of a name such as `level-8:without=ambush`. Raises ValueError."""
    level, _, _ = name.partition(WITHOUT)
    number = level.removeprefix("level-")
    if not number.isdecimal() or level == number:
        raise ValueError(f"no level {level!r}")
    return Level(int(number), find_without(name))


STRONGEST = f"level-{len(LEVELS)}"
AGENTS = tuple(partial(Level, number) for number in range(1, len(LEVELS) + 1))
