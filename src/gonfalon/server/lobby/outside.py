"""Protocols of the packages that the lobby needs: visitors, ratings, and the making of matches.

The lobby imports none of these packages. Each gives an object that fits one of these protocols.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

import msgspec

from gonfalon.server.clock.control import Control
from gonfalon.server.computers import Computers
from gonfalon.server.match.public import PublicSeat
from gonfalon.server.protocol.bodies import MatchMade
from gonfalon.server.protocol.rating_bodies import ShownRating
from gonfalon.server.storage.store import Statements, Store


class Visitor(msgspec.Struct, frozen=True):
    """A person with a session."""

    person: str
    """Id of the account or guest."""
    name: str = ""
    """Name of the account; empty for a guest."""
    account: bool = False
    session: str = ""
    """Hash of the session."""


class Visitors(Protocol):
    """The people of the server."""

    async def recognise(self, cookies: Sequence[str], secure: bool) -> Visitor | None:
        """Return the visitor of the `Cookie` headers of a request; None without a session. `secure`: whether it came
        by TLS.
        """

    async def find_person(self, name: str) -> str | None:
        """Return the id of an account by its name; None if there is none."""

    async def list_names(self, persons: Collection[str]) -> Mapping[str, str]:
        """Return the account names of persons; guests and unknown ids are missing."""

    def is_blocked(self, one: str, other: str) -> bool:
        """Return whether either of two persons has blocked the other."""


class Ratings(Protocol):
    """The ratings of accounts."""

    async def find(self, person: str, variant: str, clock: Control) -> ShownRating | None:
        """Return the rating that is shown for a person in a variant at the speed of a clock; None if there is none."""


class Matches(Protocol):
    """The part of the registry that the lobby uses."""

    store: Store
    computers: Computers

    def count_match(self, address: str) -> None:
        """Count one new match of an address. Raises `Declined`: `too-many`, `disk-full`."""

    async def check_wish(
        self, variant: str, switches: Mapping[str, bool | int], clock: Control | None
    ) -> tuple[str, ...]:
        """Return the sides of a match. Raises `Declined` for an impossible variant, rules or clock."""

    async def create_for(
        self,
        seats: Sequence[PublicSeat],
        variant: str,
        switches: Mapping[str, bool | int],
        clock: Control | None,
        *,
        rated: bool,
        statements: Statements = (),
    ) -> MatchMade:
        """Make a listed match for persons and computer players, and store it in one transaction with `statements`.
        `secrets` of the answer are by side.
        """
