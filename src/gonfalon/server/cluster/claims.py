"""The matches that a node owns, as rows of the database."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence

import msgspec
import sqlalchemy as sa

from gonfalon.server.cluster import rows
from gonfalon.server.cluster.membership import Membership
from gonfalon.server.cluster.rows import NodeRow, Owner
from gonfalon.server.match.owning import ElsewhereError
from gonfalon.server.storage import tables
from gonfalon.server.storage.store import Store
from gonfalon.server.storage.writer import StoreError


class Place(msgspec.Struct, frozen=True):
    """Place to which the sockets of a match, or of the lobby, belong."""

    here: bool = False
    node: NodeRow | None = None
    """The other node; None and not `here`: nowhere for now."""


HERE, NOWHERE = Place(here=True), Place()


class Claims:
    """The `Owners` of a node. Statements go through the writer, so each one is fenced, and a release follows the last
    write of its match.
    """

    shared = True

    def __init__(self, membership: Membership) -> None:
        self._membership = membership
        self.store: Store = None  # type: ignore[assignment]  # set by the service, whose store has this membership
        self.draining = False
        """Whether this node takes no more matches."""

    async def take(self, match: str) -> bool:
        """Own a match. Return False if there is no such match. Raises `ElsewhereError`, `StoreError`."""
        if not self.draining and match in await self.take_free([match]):
            return True
        owner = (await asyncio.to_thread(self._find_owners, [match])).get(match)
        if owner is None and await asyncio.to_thread(self._is_unknown, match):
            return False
        raise ElsewhereError(match, "" if owner is None else owner.node)

    async def take_free(self, matches: Sequence[str]) -> list[str]:
        """Own those matches that nobody else owns. Return them. Raises `StoreError`."""
        name, epoch = self._membership.name, self._membership.epoch
        await self.store.execute([rows.take_matches(matches, name, epoch)])
        found = await asyncio.to_thread(self._find_owners, matches)
        return [match for match, owner in found.items() if owner.node == name and owner.epoch == epoch]

    def release(self, match: str) -> None:
        """Give a match up. If the node dies before that is stored, whoever declares it dead does it."""
        done = self.store.execute([rows.release_match(match, self._membership.name, self._membership.epoch)])
        done.add_done_callback(_ignore_failure)

    async def find_place(self, match: str) -> Place:
        """Return where a match that is not in memory belongs: with its owner; else here, if this node may take it."""
        return await asyncio.to_thread(self._find_place, match)

    async def find_job(self, job: str) -> Place:
        """Return the node that does a job."""
        return await asyncio.to_thread(self._find_job, job)

    # ---- threads ----------------------------------------------------------------------------------------------

    def _find_owners(self, matches: Sequence[str]) -> dict[str, Owner]:
        with self.store.read() as connection:
            return rows.find_owners(connection, matches)

    def _is_unknown(self, match: str) -> bool:
        with self.store.read() as connection:
            wanted = sa.select(tables.matches.c.id).where(tables.matches.c.id == match)
            return connection.scalar(wanted) is None

    def _find_place(self, match: str) -> Place:
        with self.store.read() as connection:
            owner = rows.find_owners(connection, [match]).get(match, Owner("", 0))
            if owner.node:
                return self._find_node(connection, owner)
            if owner.version <= rows.VERSION and not self.draining:
                return HERE
            able = (row for row in rows.list_nodes(connection) if row.present and not row.draining)
            other = next((row for row in able if row.version >= owner.version and not self._is_own(row)), None)
            return NOWHERE if other is None else Place(node=other)

    def _find_job(self, job: str) -> Place:
        with self.store.read() as connection:
            owner = rows.list_jobs(connection).get(job, Owner("", 0))
            return self._find_node(connection, owner) if owner.node else NOWHERE

    def _find_node(self, connection: sa.Connection, owner: Owner) -> Place:
        found = rows.find_node(connection, owner.node)
        if found is None or found.epoch != owner.epoch or not found.alive:
            return NOWHERE
        return HERE if self._is_own(found) else Place(node=found)

    def _is_own(self, row: NodeRow) -> bool:
        return row.name == self._membership.name


def _ignore_failure(done: asyncio.Future[None]) -> None:
    with contextlib.suppress(StoreError, asyncio.CancelledError):
        done.result()
