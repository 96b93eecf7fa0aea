"""What an arena plays: who meets whom, from which seats, how often."""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Iterator, Sequence
from itertools import combinations
from pathlib import Path

import msgspec

from gonfalon.ai import agents
from gonfalon.ai.agent import Agent
from gonfalon.ai.protocol.program import Program

COMMAND = "cmd:"
"""What an entrant begins with that is a program and no agent of ours."""
DEALS = ("own", "sensible", "random")
"""Who deploys: the agents themselves; or the arena, with deployments that a person might choose, or with any."""


class PlanError(ValueError):
    """What cannot be played; the message says why."""


class Plan(msgspec.Struct, frozen=True):
    """What decides how a match goes. The same plan goes on in the same folder."""

    variant: str
    changed: dict[str, bool | int]
    entrants: tuple[str, ...]
    """Names of agents, or `cmd:COMMAND`."""
    milliseconds: int
    """For a decision."""
    seed: int
    deal: str
    patience: float
    """Seconds for a decision, after which an entrant counts as silent."""
    pairs: tuple[tuple[int, int], ...] = ()
    """Who meets whom, by number; empty: everybody meets everybody."""
    processor_time: bool = False
    """Whether the decisions of our own agents are timed by the processor time that they take: other work on the machine
    takes nothing away. Programs think in processes of their own, whose decisions are timed by the clock in any case.
    """
    cores: int = 1
    """On how many each of our own agents may think at once."""

    def check(self) -> None:
        """Raises `PlanError`."""
        for entrant in self.entrants:
            if entrant.startswith(COMMAND):
                _check_program(entrant.removeprefix(COMMAND))
            elif entrant not in agents():
                raise PlanError(f"no agent {entrant!r}; there are {', '.join(agents())}, and cmd:COMMAND for a program")
        if len(self.entrants) < 2:
            raise PlanError("an arena needs two agents")
        if self.deal not in DEALS:
            raise PlanError(f"nobody deploys {self.deal!r}; there are {', '.join(DEALS)}")
        if self.milliseconds < 1 or self.patience * 1000 < self.milliseconds:
            raise PlanError("a decision has at least 1 ms, and patience lasts at least as long")
        if self.cores < 1:
            raise PlanError("an agent thinks on 1 core at least")
        if self.cores > 1 and self.processor_time:
            raise PlanError("processor time is that of one core; with more of them decisions are timed by the clock")

    @property
    def meetings(self) -> tuple[tuple[int, int], ...]:
        """Who meets whom, by number."""
        return self.pairs or tuple(combinations(range(len(self.entrants)), 2))

    @property
    def labels(self) -> tuple[str, ...]:
        """A short name of each entrant, no two the same."""
        found: list[str] = []
        for entrant in self.entrants:
            label = entrant
            if entrant.startswith(COMMAND):
                label = _find_program(entrant.removeprefix(COMMAND)).name
            same = sum(each.partition("#")[0] == label for each in found)
            found.append(f"{label}#{same + 1}" if same else label)
        return tuple(found)

    def seat(self, entrant: int) -> Agent:
        """A new agent of an entrant, for one match."""
        named = self.entrants[entrant]
        if named.startswith(COMMAND):
            return Program(named.removeprefix(COMMAND), self.patience, self.labels[entrant])
        return agents()[named]()


def _find_program(command: str) -> Path:
    """The file that says which program a command runs: `bot.py` of `python bot.py`, else its first word. Raises
    `PlanError`.
    """
    try:
        words = [Path(word) for word in shlex.split(command)]
    except ValueError as error:
        raise PlanError(f"{COMMAND}{command} is no command: {error}") from None
    if not words:
        raise PlanError(f"no program is named after {COMMAND!r}")
    return next((word for word in words[1:] if word.suffix and word.is_file()), words[0])


def _check_program(command: str) -> None:
    """Raises `PlanError` for a command that cannot be started here."""
    _find_program(command)
    program = shlex.split(command)[0]
    if shutil.which(program) is None:
        raise PlanError(f"{COMMAND}{command}: there is no program {program!r} that can be started")


class Fixture(msgspec.Struct, frozen=True):
    """A match to play: `first` has one seat, `second` all others. Matches of a round have the same deal: they differ
    in the first one's seat only.
    """

    number: int
    round: int
    first: int
    second: int
    seat: int

    def find_entrant(self, player: int) -> int:
        return self.first if player == self.seat else self.second


def list_fixtures(pairs: Sequence[tuple[int, int]], players: int, matches: int) -> Iterator[Fixture]:
    """At least `matches` for each pair of entrants, in whole rounds, in which the first has each seat once. Round by
    round, so that all pairs get on together; numbers do not change when more matches are asked for.
    """
    number = 0
    for round_ in range(-(-matches // players)):
        for first, second in pairs:
            for seat in range(players):
                yield Fixture(number, round_, first, second, seat)
                number += 1
