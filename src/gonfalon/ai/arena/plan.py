"""Plans of arenas: the entrants, the pairs that meet, the seats, and the number of matches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

import msgspec

from gonfalon.ai.agent import Agent
from gonfalon.ai.arena.entrants import check_entrant, make_entrant, name_entrant
from gonfalon.engine.rulesets.ruleset import find_source
from gonfalon.engine.spelling import list_known
from gonfalon.games import make

if TYPE_CHECKING:
    from gonfalon.engine.game import Game

DEALS = ("own", "sensible", "random")
"""Source of deployments: each agent itself, or the arena with sensible or with random deployments."""


class PlanError(ValueError):
    """A plan that cannot be played. The message says why."""


class Plan(msgspec.Struct, frozen=True):
    """Everything that affects how matches go. An arena with an equal plan continues in the same folder."""

    variant: str
    changed: dict[str, bool | int]
    entrants: tuple[str, ...]
    """In the form that `entrants.check_entrant` accepts."""
    milliseconds: int
    """Thinking time per decision."""
    seed: int
    deal: str
    patience: float
    """Seconds per decision after which an entrant has failed (silent)."""
    pairs: tuple[tuple[int, int], ...] = ()
    """Pairs of entrants that meet, by number; empty: all pairs."""
    processor_time: bool = False
    """Whether only the processor time of our own agents counts, so that other work on the machine does not matter.
    Programs run in separate processes, so for them the clock always counts.
    """
    cores: int = 1
    """Number of cores that each of our own agents may use at once."""
    files: dict[str, str] = {}
    """Hash of the Python file of each `py:` entrant. If a file changes, the plan is another one."""
    ruleset: str = ""
    """The whole ruleset of a variant of one's own (`Written.text`), so that a changed file is another plan; empty for a
    shipped variant.
    """

    def make_game(self) -> Game:
        """Return the game. Raises `RulesetError`."""
        return make(find_source(self.variant, self.ruleset), **self.changed)

    def check(self) -> None:
        """Check the plan. Raises `PlanError`, `EntrantError`."""
        for entrant in self.entrants:
            check_entrant(entrant)
        if len(self.entrants) < 2:
            raise PlanError("an arena needs two agents")
        if self.deal not in DEALS:
            raise PlanError(f"no deployments of kind {self.deal!r}; {list_known(self.deal, DEALS)}")
        if self.milliseconds < 1 or self.patience * 1000 < self.milliseconds:
            raise PlanError("a decision has at least 1 ms, and patience lasts at least as long")
        if self.cores < 1:
            raise PlanError("an agent thinks on 1 core at least")
        if self.cores > 1 and self.processor_time:
            raise PlanError("processor time works with one core only; with more cores the clock counts")

    @property
    def meetings(self) -> tuple[tuple[int, int], ...]:
        """Return the pairs of entrants that meet, by number."""
        return self.pairs or tuple(combinations(range(len(self.entrants)), 2))

    @property
    def labels(self) -> tuple[str, ...]:
        """A short, unique name of each entrant."""
        found: list[str] = []
        for entrant in self.entrants:
            label = name_entrant(entrant)
            same = sum(each.partition("#")[0] == label for each in found)
            found.append(f"{label}#{same + 1}" if same else label)
        return tuple(found)

    def seat(self, entrant: int) -> Agent:
        """Return a new agent of an entrant, for one match."""
        return make_entrant(self.entrants[entrant], self.patience, self.labels[entrant])


class Fixture(msgspec.Struct, frozen=True):
    """A match to play: `first` has one seat, `second` all other seats. All matches of a round have the same deal; they
    differ only in the seat of `first`.
    """

    number: int
    round: int
    first: int
    second: int
    seat: int

    def find_entrant(self, player: int) -> int:
        return self.first if player == self.seat else self.second


def list_fixtures(pairs: Sequence[tuple[int, int]], players: int, matches: int) -> Iterator[Fixture]:
    """Yield at least `matches` fixtures for each pair of entrants, in whole rounds. In a round the first entrant has
    each seat once. The pairs take turns after each round. If more matches are asked for, the first fixtures keep their
    numbers.
    """
    number = 0
    for round_ in range(-(-matches // players)):
        for first, second in pairs:
            for seat in range(players):
                yield Fixture(number, round_, first, second, seat)
                number += 1
