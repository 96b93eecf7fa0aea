"""The match's side of accounts and guests: their names, and the sessions that open their seats.

`people` implements both protocols; the match knows persons only by their ids.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol


class Persons(Protocol):
    """Names of persons."""

    async def find(self, persons: Iterable[str], /) -> Mapping[str, str | None]:
        """Return names by id: empty for a guest, None for a person who was deleted."""

    def peek(self, person: str, /) -> str | None:
        """Return the name of a person as `find` does, if it is in memory; else an empty one."""


class OpenSession(Protocol):
    """A session as sockets use it."""

    @property
    def hash(self) -> str: ...

    @property
    def person(self) -> str: ...


class Visitors(Protocol):
    """Recognises the browsers that open sockets."""

    async def recognise(self, cookies: Sequence[str], secure: bool, /) -> OpenSession | None:
        """Return the session of the `Cookie` headers of a request. `secure`: whether it came by TLS."""


class NoPersons:
    """A server without accounts and guests, as tests of matches use it."""

    async def find(self, _persons: Iterable[str], /) -> Mapping[str, str | None]:
        return {}

    def peek(self, _person: str, /) -> str | None:
        return ""

    async def recognise(self, _cookies: Sequence[str], _secure: bool, /) -> OpenSession | None:
        return None
