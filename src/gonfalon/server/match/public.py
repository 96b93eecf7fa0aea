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
from gonfalon.server.match.state import MatchState
from gonfalon.server.storage.entries import Header
from gonfalon.server.storage.store import Statements


class PublicSeat(msgspec.Struct, frozen=True):
    """A seat as everybody may know it."""

    name: str = ""
    """The name that a person gave; empty if none."""
    agent: str = ""
    """Name of the computer player; empty for a person."""


class Made(msgspec.Struct, frozen=True):
    """A match was made."""

    match: str
    variant: str
    changed: dict[str, bool | int]
    """House rules that differ from the variant's."""
    seats: tuple[PublicSeat, ...]
    created: int
    """Unix seconds."""


class Started(msgspec.Struct, frozen=True):
    """Deployment is over and play has begun."""

    match: str
    seq: int
    """Number of steps so far."""


class TurnChanged(msgspec.Struct, frozen=True):
    """The set of players who may act has changed."""

    match: str
    seq: int
    due: tuple[int, ...]
    """Players who may act; during deployment, those who are not ready."""


class Ended(msgspec.Struct, frozen=True):
    """A match is over."""

    match: str
    seq: int
    outcome: Outcome


Fact = Made | Started | TurnChanged | Ended


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
    """The public side of a match at one moment. `find_facts` compares two moments."""

    started: bool
    due: tuple[int, ...]
    outcome: Outcome | None

    @classmethod
    def of(cls, match_state: MatchState) -> Face:
        return cls(match_state.started, match_state.due, match_state.outcome)


def find_facts(before: Face, match_state: MatchState) -> Iterator[Fact]:
    """Yield the facts that have come about since `before`."""
    now, match, seq = Face.of(match_state), match_state.header.id, match_state.seq
    if now.started and not before.started and now.outcome is None:
        yield Started(match, seq)
    if now.outcome is not None and before.outcome is None:
        yield Ended(match, seq, now.outcome)
    elif now.due != before.due:
        yield TurnChanged(match, seq, now.due)


def describe_new(header: Header) -> Made:
    """Return the fact that a match was made."""
    seats = tuple(PublicSeat(seat.name, seat.agent) for seat in header.seats)
    return Made(header.id, header.variant, header.changed, seats, header.created)


def prepare_all(listeners: Listeners, facts: Sequence[Fact]) -> Statements:
    """Return the statements of all listeners for all facts, in the order of the facts."""
    return [statement for fact in facts for listener in listeners for statement in listener.prepare(fact)]


def publish_all(listeners: Listeners, facts: Sequence[Fact]) -> None:
    """Give all facts to all listeners, in the order of the facts."""
    for fact in facts:
        for listener in listeners:
            listener.publish(fact)
