"""The public face of a match: facts for packages beside it (clocks, people, ratings), without any hidden piece.

Those packages import this module and `storage`, and nothing else of `match`. A listener is given to the `Registry`. It
turns facts into statements for the same transaction as the log's entries, and hears of them again once they are stored.
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
    """The name a person gave; empty if none."""
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
    """Other players than before may act now."""

    match: str
    seq: int
    due: tuple[int, ...]
    """Players who may act; while all deploy, those who are not ready."""


class Ended(msgspec.Struct, frozen=True):
    """A match is over."""

    match: str
    seq: int
    outcome: Outcome


Fact = Made | Started | TurnChanged | Ended


class Listener(Protocol):
    """A package beside the match."""

    def prepare(self, fact: Fact) -> Statements:
        """Return statements that are stored in one transaction with the entries behind the fact.

        If one of them fails, nothing of the transaction is stored, and the match is loaded again from its log.
        """

    def publish(self, fact: Fact) -> None:
        """Take note of a fact that is stored."""


Listeners = Sequence[Listener]


class Face(msgspec.Struct, frozen=True):
    """The public side of a match at one moment; two of them give the facts between."""

    started: bool
    due: tuple[int, ...]
    outcome: Outcome | None

    @classmethod
    def of(cls, match_state: MatchState) -> Face:
        return cls(match_state.started, match_state.due, match_state.outcome)


def find_facts(before: Face, match_state: MatchState) -> Iterator[Fact]:
    """Yield the facts since `before`."""
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
    """Return the statements of all listeners, fact by fact."""
    return [statement for fact in facts for listener in listeners for statement in listener.prepare(fact)]


def publish_all(listeners: Listeners, facts: Sequence[Fact]) -> None:
    """Tell all listeners, fact by fact."""
    for fact in facts:
        for listener in listeners:
            listener.publish(fact)
