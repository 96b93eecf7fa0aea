"""Blocks: two persons are never paired, and cannot challenge each other, if one of them blocks the other."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

import sqlalchemy as sa

from gonfalon.server.protocol.refusals import Declined
from gonfalon.server.storage import tables
from gonfalon.server.storage.store import Store

MOST = 1_000
"""Maximum number of persons that one person blocks."""
_blocks = tables.blocks.c


class Blocks:
    """All blocks, in memory: pairing asks for many of them at once."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._blocked: dict[str, set[str]] = {}
        """Persons that a person blocks."""
        self.on_change: list[Callable[[], None]] = []
        """Functions called when a block has changed here."""

    async def start(self) -> None:
        """Load all blocks, also after one has changed in another process."""
        found: dict[str, set[str]] = {}
        for person, blocked in await asyncio.to_thread(self._load):
            found.setdefault(person, set()).add(blocked)
        self._blocked = found

    def list_of(self, person: str) -> frozenset[str]:
        """Return the persons that a person blocks."""
        return frozenset(self._blocked.get(person, ()))

    def is_blocked(self, one: str, other: str) -> bool:
        """Return whether one of two persons blocks the other."""
        return other in self._blocked.get(one, ()) or one in self._blocked.get(other, ())

    async def block(self, person: str, other: str) -> None:
        """Block a person. Raises `Declined`: `block-self`, `blocks-many`."""
        if other == person:
            raise Declined("block-self", 400)
        mine = self._blocked.setdefault(person, set())
        if other in mine:
            return
        if len(mine) >= MOST:
            raise Declined("blocks-many", 409, most=MOST)
        mine.add(other)
        try:
            await self._store.execute([sa.insert(tables.blocks).values(person=person, blocked=other)])
        except BaseException:
            mine.discard(other)
            raise
        self._tell()

    async def unblock(self, person: str, other: str) -> None:
        """Take a block away."""
        await self._store.execute([sa.delete(tables.blocks).where(_blocks.person == person, _blocks.blocked == other)])
        self._blocked.get(person, set()).discard(other)
        self._tell()

    def forget(self, person: str) -> None:
        """Note that a person was deleted; `rows.drop_person` removes the rows."""
        self._blocked.pop(person, None)
        for mine in self._blocked.values():
            mine.discard(person)

    def _tell(self) -> None:
        for tell in self.on_change:
            tell()

    def _load(self) -> Sequence[tuple[str, str]]:
        with self._store.read() as connection:
            return [(person, other) for person, other in connection.execute(sa.select(_blocks.person, _blocks.blocked))]
