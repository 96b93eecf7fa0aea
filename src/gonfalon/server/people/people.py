"""Everything about persons in one object, which the routes and the other packages of the server use."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import sqlalchemy as sa

from gonfalon.server.config import Config
from gonfalon.server.journal import note
from gonfalon.server.people.accounts import Accounts
from gonfalon.server.people.blocks import Blocks
from gonfalon.server.people.cookies import MAX_AGE, read_cookie
from gonfalon.server.people.deletion import Forget, delete_person
from gonfalon.server.people.directory import Directory
from gonfalon.server.people.export import export_person
from gonfalon.server.people.passkeys import Passkeys
from gonfalon.server.people.rows import Person, find_person
from gonfalon.server.people.seats import SeatRows
from gonfalon.server.people.sessions import Session, Sessions
from gonfalon.server.protocol.names import NameRules
from gonfalon.server.storage import tables
from gonfalon.server.storage.store import Store

EVERY = 3_600.0
"""Seconds between two searches for guests that nobody uses any more."""
AT_ONCE = 200


class People:
    """Use: first `await start()`, at the end `await close()`."""

    def __init__(self, config: Config, store: Store, names: NameRules) -> None:
        self._store = store
        self.sessions = Sessions(store)
        self.directory = Directory(store)
        self.blocks = Blocks(store)
        self.accounts = Accounts(config, store, self.sessions, self.directory, names)
        self.passkeys = Passkeys(store, self.accounts)
        self.seats = SeatRows()
        self.forget: tuple[Forget, ...] = ()
        """Functions by which the other packages forget a deleted person."""
        self.exports: dict[str, Callable[[str], Awaitable[Any]]] = {}
        """Functions that return what the other packages store about a person, by their names in an export."""
        self.erase: Callable[[str, list[int]], None] = lambda _match, _players: None
        """Erases the names of players in a match that is in memory."""
        self.on_delete: list[Callable[[str], None]] = []
        """Functions called with the id of a person who was deleted here."""
        self._timer: asyncio.Task[None] | None = None

    async def start(self) -> None:
        await self.blocks.start()

    def begin_upkeep(self) -> None:
        """Delete guests that nobody uses any more, again and again. Of nodes only one does."""
        self._timer = asyncio.create_task(self._keep_sweeping())

    async def end_upkeep(self) -> None:
        """Leave that to another node."""
        if self._timer is not None:
            self._timer.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._timer
            self._timer = None

    async def close(self) -> None:
        await self.end_upkeep()
        await asyncio.to_thread(self.accounts.passwords.close)

    async def recognise(self, cookies: Sequence[str], secure: bool) -> Session | None:
        """Return the session of the `Cookie` headers of a request. `secure`: whether it came by TLS."""
        return await self.sessions.recognise(read_cookie("; ".join(cookies), secure))

    async def is_account(self, session: Session | None) -> bool:
        """Return whether a session belongs to an account."""
        return session is not None and bool((await self.directory.find((session.person,)))[session.person])

    def find(self, person: str) -> Person | None:
        """Return a person by id. Blocks."""
        return find_person(self._store, person)

    async def export(self, session: Session) -> dict[str, Any]:
        """Return everything that is stored about the person of a session. Raises `Declined`: `no-session`."""
        person = await self.accounts.require_person(session)
        found = await asyncio.to_thread(export_person, self._store, person)
        for name, export in self.exports.items():
            found[name] = await export(person.id)
        return found

    async def delete(self, person: str, event: str = "person-deleted") -> None:
        """Delete a person: sessions end, seats stay playable by their links."""
        await self.sessions.end_all(person)
        await delete_person(self._store, person, self.forget, self.erase)
        self.blocks.forget(person)
        self.directory.drop(person)
        for tell in self.on_delete:
            tell(person)
        note(event)

    async def sweep(self) -> int:
        """Delete the guests that nobody has used for `MAX_AGE`. Return their number."""
        gone = 0
        while guests := await asyncio.to_thread(self._list_unused, int(time.time()) - MAX_AGE):
            for guest in guests:
                await self.delete(guest, "guest-forgotten")
            gone += len(guests)
        return gone

    def _list_unused(self, before: int) -> list[str]:
        persons = tables.persons.c
        wanted = sa.select(persons.id).where(persons.key.is_(None), persons.seen < before).limit(AT_ONCE)
        with self._store.read() as connection:
            return list(connection.scalars(wanted))

    async def _keep_sweeping(self) -> None:
        while True:
            await self.sweep()
            await asyncio.sleep(EVERY)
