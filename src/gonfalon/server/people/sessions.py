"""Sessions: log-ins of accounts, and the cookies of guests. Only hashes of their secrets are stored."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Collection

import msgspec
import sqlalchemy as sa

from gonfalon.server.people.cookies import MAX_AGE
from gonfalon.server.people.devices import name_device
from gonfalon.server.protocol.secrets import hash_secret, new_id, new_secret
from gonfalon.server.storage import tables
from gonfalon.server.storage.kept import Kept
from gonfalon.server.storage.store import Statements, Store

DAY = 86_400
MOST_KEPT, KEPT_BYTES, SIZE = 20_000, 10_000_000, 400
MOST_OF_PERSON = 50
"""Maximum number of sessions of a person. A new one ends the one unused for longest."""
_sessions = tables.sessions.c


class Session(msgspec.Struct, frozen=True):
    """One log-in. Times in Unix seconds."""

    hash: str
    """Hash of the cookie's secret."""
    id: str
    """Public id, for the list of one's own sessions."""
    person: str
    created: int
    seen: int
    """Day of the last use."""
    device: str
    """Browser and system as the browser named them; empty if it did not."""


class Sessions:
    """All sessions. Those used lately are kept in memory."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._kept = Kept[Session](MOST_KEPT, KEPT_BYTES)
        self.on_end: list[Callable[[str], None]] = []
        """Functions called with the hash of a session that has ended here."""

    async def recognise(self, secret: str) -> Session | None:
        """Return the session of a cookie's secret; None if there is no such session or if it has ended."""
        if not secret:
            return None
        name = hash_secret(secret)
        session = self._kept.get(name)
        if session is None:
            since = self._kept.changes
            session = await asyncio.to_thread(self._load, name)
            if session is not None:
                self._kept.put(name, session, SIZE, since)
        return None if session is None else await self._note_use(session)

    def plan_new(self, person: str, agent: str) -> tuple[str, Session, sa.Executable]:
        """Return the secret of a new session, the session, and the statement that stores it. `agent`: the browser's
        `User-Agent`.
        """
        secret, now = new_secret(), int(time.time())
        session = Session(hash_secret(secret), new_id(), person, now, now, name_device(agent))
        return secret, session, sa.insert(tables.sessions).values(**msgspec.structs.asdict(session))

    async def end_beyond(self, person: str) -> None:
        """End the sessions of a person that are too many."""
        for session in (await self.list_of(person))[MOST_OF_PERSON:]:
            await self.end(session)

    async def list_of(self, person: str) -> list[Session]:
        """Return the sessions of a person, those used last first."""
        return await asyncio.to_thread(self._list, person)

    async def end(self, session: Session) -> None:
        """End one session."""
        await self._store.execute([sa.delete(tables.sessions).where(_sessions.hash == session.hash)])
        self.forget(session)

    async def end_all(self, person: str, without: str = "", statements: Statements = ()) -> int:
        """End all sessions of a person but the one with the hash `without`, in one transaction with `statements`.
        Return their number.
        """
        ending = [session for session in await self.list_of(person) if session.hash != without]
        removal = sa.delete(tables.sessions).where(_sessions.person == person, _sessions.hash != without)
        await self._store.execute([removal, *statements])
        for session in ending:
            self.forget(session)
        return len(ending)

    def forget(self, session: Session) -> None:
        """Note that a session has ended."""
        self._kept.drop(session.hash)
        for tell in self.on_end:
            tell(session.hash)

    def drop(self, name: str) -> None:
        """Note that a session has ended, or may have, in another process. `name`: its hash."""
        self._kept.drop(name)

    def drop_all(self) -> None:
        """Note that any session may have ended in another process."""
        self._kept.clear()

    async def list_ended(self, names: Collection[str]) -> list[str]:
        """Return those of some sessions, given by their hashes, that have ended."""
        return sorted(set(names) - await asyncio.to_thread(self._list_open, names))

    def _list_open(self, names: Collection[str]) -> set[str]:
        with self._store.read() as connection:
            return set(connection.scalars(sa.select(_sessions.hash).where(_sessions.hash.in_(names))))

    async def _note_use(self, session: Session) -> Session | None:
        """Store the day of use once a day. A session that nobody used for too long has ended."""
        now = int(time.time())
        if now - session.seen > MAX_AGE:
            await self.end(session)
            return None
        if now - session.seen < DAY:
            return session
        used = msgspec.structs.replace(session, seen=now)
        self._kept.put(session.hash, used, SIZE, self._kept.changes)
        persons = tables.persons
        await self._store.execute(
            [
                sa.update(tables.sessions).where(_sessions.hash == session.hash).values(seen=now),
                sa.update(persons).where(persons.c.id == session.person).values(seen=now),
            ]
        )
        return used

    def _load(self, name: str) -> Session | None:
        with self._store.read() as connection:
            found = connection.execute(sa.select(tables.sessions).where(_sessions.hash == name))
            return next((Session(**row) for row in found.mappings()), None)

    def _list(self, person: str) -> list[Session]:
        wanted = sa.select(tables.sessions).where(_sessions.person == person)
        wanted = wanted.order_by(_sessions.seen.desc(), _sessions.created.desc(), _sessions.hash)
        with self._store.read() as connection:
            return [Session(**row) for row in connection.execute(wanted).mappings()]
