"""The public side of a match: facts without any hidden piece, for packages beside it (people, ratings).

Such a package imports this module and `storage`, and nothing else of `match`. It gives a listener to the `Registry`.
The listener turns facts into statements, which are stored in one transaction with the log's entries; after that the
listener gets the facts again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

import msgspec

from gonfalon.engine.game import Outcome
from gonfalon.server.clock.control import Control
from gonfalon.server.match.state import MatchState
from gonfalon.server.storage.entries import Header
from gonfalon.server.storage.store import Statements

NO_RESULT = "no-result"
"""Reason of an outcome without a result (`engine.records.replay.find_outcome`)."""


class PublicSeat(msgspec.Struct, frozen=True):
    """A seat as everybody may know it."""

    name: str = ""
    """The name that a person gave; empty if none."""
    agent: str = ""
    """Name of the computer player; empty for a person."""
    person: str = ""
    """Id of the account or guest that the seat belongs to; empty for other seats."""


class PublicMatch(msgspec.Struct, frozen=True):
    """A match as everybody may know it."""

    id: str
    variant: str
    changed: dict[str, bool | int]
    """House rules that differ from the variant's."""
    seats: tuple[PublicSeat, ...]
    created: int
    """Unix seconds."""
    clock: Control | None
    listed: bool
    """Whether everybody may find the match and watch it."""
    rated: bool


class Fact(msgspec.Struct, frozen=True):
    """Base of all facts."""

    match: PublicMatch


class Made(Fact, frozen=True):
    """A match was made."""


class Seated(Fact, frozen=True):
    """The seat of `player` has got another owner, or none: see `match.seats`."""

    player: int


class Started(Fact, frozen=True):
    """Deployment is over and play has begun."""

    seq: int
    """Number of steps so far."""


class TurnChanged(Fact, frozen=True):
    """The set of players who may act has changed."""

    seq: int
    due: tuple[int, ...]
    """Players who may act; during deployment, those who are not ready."""


class Ended(Fact, frozen=True):
    """A match is over."""

    seq: int
    outcome: Outcome
    counts: bool
    """Whether the result may count: play was not broken off, and nobody had a hint or took a move back."""
    called_off: int | None = None
    """The player who called the match off; None if nobody did."""


class Listener(Protocol):
    """The part of another package that gets the facts of matches."""

    def prepare(self, fact: Fact) -> Statements:
        """Return statements to store in one transaction with the entries that caused the fact.

        If a statement fails, the whole transaction is undone, and the match is loaded again from its log.
        """

    def publish(self, fact: Fact) -> None:
        """Handle a fact that is now stored."""


Listeners = Sequence[Listener]


class Face(msgspec.Struct, frozen=True):
    """The parts of a match that make facts when they change. `find_facts` compares two moments."""

    persons: tuple[str, ...]
    started: bool
    due: tuple[int, ...]
    outcome: Outcome | None

    @classmethod
    def of(cls, match_state: MatchState) -> Face:
        return cls(tuple(match_state.persons), match_state.started, match_state.due, match_state.outcome)


def find_facts(before: Face, match_state: MatchState) -> Iterator[Fact]:
    """Yield the facts that have come about since `before`."""
    now = Face.of(match_state)
    if now == before:
        return
    match, seq = describe(match_state), match_state.seq
    end = describe_end(match_state)
    for player, (earlier, person) in enumerate(zip(before.persons, now.persons, strict=True)):
        if person != earlier:
            yield Seated(match, player)
    if now.started and not before.started and now.outcome is None:
        yield Started(match, seq)
    if end is not None and before.outcome is None:
        yield end
    elif now.due != before.due:
        yield TurnChanged(match, seq, now.due)


def describe(match_state: MatchState) -> PublicMatch:
    """Return what everybody may know of a match now."""
    return _describe(match_state.header, match_state.names, match_state.persons)


def describe_end(match_state: MatchState) -> Ended | None:
    """Return the fact that a match is over; None if it is not."""
    outcome = match_state.outcome
    if outcome is None:
        return None
    counts = outcome.reason != NO_RESULT and not match_state.aids
    return Ended(describe(match_state), match_state.seq, outcome, counts, match_state.calling_off.by)


def describe_new(header: Header) -> Made:
    """Return the fact that a match was made."""
    return Made(_describe(header, [seat.name for seat in header.seats], [seat.person for seat in header.seats]))


def _describe(header: Header, names: Sequence[str], persons: Sequence[str]) -> PublicMatch:
    return PublicMatch(
        id=header.id,
        variant=header.variant,
        changed=header.changed,
        seats=tuple(
            PublicSeat(name, seat.agent, person)
            for seat, name, person in zip(header.seats, names, persons, strict=True)
        ),
        created=header.created,
        clock=header.clock,
        listed=header.listed,
        rated=header.rated,
    )


def prepare_all(listeners: Listeners, facts: Sequence[Fact]) -> Statements:
    """Return the statements of all listeners for all facts, in the order of the facts."""
    return [statement for fact in facts for listener in listeners for statement in listener.prepare(fact)]


def publish_all(listeners: Listeners, facts: Sequence[Fact]) -> None:
    """Give all facts to all listeners, in the order of the facts."""
    for fact in facts:
        for listener in listeners:
            listener.publish(fact)
