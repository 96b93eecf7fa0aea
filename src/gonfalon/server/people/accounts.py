"""Accounts: made, opened by password or recovery code, changed. `Passkeys` adds the other way to log in."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence

import msgspec
import sqlalchemy as sa

from gonfalon.server.config import Config
from gonfalon.server.journal import note
from gonfalon.server.net.rate_limits import RateLimiter, TokenBucket
from gonfalon.server.people import rows
from gonfalon.server.people.account_names import find_key, read_account_name
from gonfalon.server.people.directory import Directory
from gonfalon.server.people.guessing import Guessing
from gonfalon.server.people.passwords import Passwords, check_password
from gonfalon.server.people.recovery import hash_code, make_codes
from gonfalon.server.people.rows import Person
from gonfalon.server.people.sessions import Session, Sessions
from gonfalon.server.protocol.names import NameRules
from gonfalon.server.protocol.refusals import Declined
from gonfalon.server.protocol.secrets import new_id
from gonfalon.server.storage.store import Statements, Store
from gonfalon.server.storage.writer import StoreError

FRESH = 600
"""Seconds after a log-in in which an account without a password may be changed."""


class Entrance(msgspec.Struct, frozen=True):
    """The place from which somebody logs in."""

    address: str
    """Address as limits count it (`net.addresses.network_of`)."""
    agent: str
    """The browser's `User-Agent`."""
    session: Session | None = None
    """The session of the request's cookie."""


class Entered(msgspec.Struct, frozen=True):
    """A new log-in."""

    secret: str
    """The secret for the cookie."""
    session: Session
    codes: tuple[str, ...] = ()
    """New recovery codes, shown once."""


class Accounts:
    """All accounts and guests."""

    def __init__(
        self, config: Config, store: Store, sessions: Sessions, directory: Directory, names: NameRules
    ) -> None:
        self._config = config
        self._store = store
        self._sessions = sessions
        self._directory = directory
        self._names = names
        self.passwords = Passwords()
        self.guessing = Guessing(config)
        self._guests = RateLimiter(config.guest_rate, config.guest_burst)
        self._new = TokenBucket(config.accounts_an_hour / 3600, config.accounts_an_hour)

    # ---- coming -----------------------------------------------------------------------------------------------

    async def make_guest(self, entrance: Entrance) -> Entered:
        """Return the session of a new guest. Raises `Declined`: `too-many`."""
        if not self._guests.take(entrance.address):
            raise Declined("too-many", 429)
        secret, session, statement = self._sessions.plan_new(new_id(), entrance.agent)
        await self._store.execute([rows.write_guest(session.person, session.created), statement])
        return Entered(secret, session)

    async def sign_up(self, entrance: Entrance, name: str, password: str) -> Entered:
        """Make an account with a password. A guest becomes the account, with all matches and results.

        Raises `Declined`: `no-accounts`, `has-account`, `account-name`, `name-of-agent`, `name-taken`,
        `password-short`, `password-common`, `password-name`, `login-often`, `passwords-busy`, `accounts-many`.
        """
        await self.require_new(entrance, name)
        check_password(password, name)
        return await self.make_account(entrance, name, await self.passwords.hash(password))

    async def require_new(self, entrance: Entrance, name: str) -> None:
        """Check that somebody may make an account with a name. Raises `Declined` as `sign_up` does."""
        if not self._config.accounts:
            raise Declined("no-accounts", 403)
        if entrance.session is not None and (await self.require_person(entrance.session)).name:
            raise Declined("has-account", 409)
        read_account_name(name, self._names)
        self.guessing.count_try(entrance.address)
        if await asyncio.to_thread(rows.find_account, self._store, name) is not None:
            raise Declined("name-taken", 409, name=name)

    async def make_account(
        self, entrance: Entrance, name: str, password: str, statements: Statements = (), person: str = ""
    ) -> Entered:
        """Store an account that `require_new` has allowed, in one transaction with `statements`. `password`: its hash,
        or empty; `person`: id of the new account, if it is chosen already. Raises `Declined`: `accounts-many`,
        `name-taken`.
        """
        if not self._new.take():
            raise Declined("accounts-many", 503)
        guest = entrance.session
        person = guest.person if guest is not None else person or new_id()
        secret, session, log_in = self._sessions.plan_new(person, entrance.agent)
        codes = make_codes()
        account = rows.write_account(person, name, password, session.created, new=guest is None)
        try:
            await self._store.execute([account, log_in, *write_codes(person, codes), *statements])
        except StoreError as error:
            if isinstance(error.__cause__, sa.exc.IntegrityError):
                raise Declined("name-taken", 409, name=name) from error
            raise
        self._directory.drop(person)
        if guest is not None:
            await self._sessions.end(guest)
        note("account-made")
        return Entered(secret, session, tuple(codes))

    async def log_in(self, entrance: Entrance, name: str, password: str) -> Entered:
        """Open an account by its password. Unknown names and wrong passwords are refused alike.

        Raises `Declined`: `login-often`, `passwords-tried`, `passwords-busy`, `login-wrong`, `banned`.
        """
        self.guessing.count_try(entrance.address)
        self.guessing.count_password(find_key(name))
        person = await asyncio.to_thread(rows.find_account, self._store, name)
        if not await self.passwords.verify(person.password if person else None, password) or person is None:
            raise Declined("login-wrong", 403)
        return await self.enter(entrance, person)

    async def recover(self, entrance: Entrance, name: str, code: str, password: str) -> Entered:
        """Open an account by a recovery code, which is used up, and set a new password. All other sessions end.

        Raises `Declined`: `login-often`, `code-wrong`, `banned`, `password-short`, `password-common`, `password-name`,
        `passwords-busy`.
        """
        self.guessing.count_try(entrance.address)
        person, hashed = await asyncio.to_thread(rows.find_account, self._store, name), hash_code(code)
        if person is None or not await asyncio.to_thread(rows.has_code, self._store, person.id, hashed):
            raise Declined("code-wrong", 403)
        check_password(password, person.name)
        changed = rows.change_person(person.id, password=await self.passwords.hash(password))
        await self._sessions.end_all(person.id, statements=[rows.drop_code(hashed), changed])
        return await self.enter(entrance, person)

    async def enter(self, entrance: Entrance, person: Person, statements: Statements = ()) -> Entered:
        """Return a new session of an account whose owner has been recognised. The session of the cookie ends. Raises
        `Declined`: `banned`.
        """
        if person.banned:
            raise Declined("banned", 403)
        secret, session, log_in = self._sessions.plan_new(person.id, entrance.agent)
        await self._store.execute([log_in, rows.change_person(person.id, seen=session.created), *statements])
        if entrance.session is not None:
            await self._sessions.end(entrance.session)
        await self._sessions.end_beyond(person.id)
        return Entered(secret, session)

    # ---- one's own account ------------------------------------------------------------------------------------

    async def require_person(self, session: Session) -> Person:
        """Return the person of a session. Raises `Declined`: `no-session`."""
        person = await asyncio.to_thread(rows.find_person, self._store, session.person)
        if person is None:
            raise Declined("no-session", 401)
        return person

    async def require_account(self, session: Session) -> Person:
        """Return the account of a session. Raises `Declined`: `no-session`, `no-account`."""
        person = await self.require_person(session)
        if not person.name:
            raise Declined("no-account", 403)
        return person

    async def change_password(self, entrance: Entrance, session: Session, old: str, new: str) -> None:
        """Set a password; an account with passkeys alone has no old one. All other sessions end.

        Raises `Declined`: `no-account`, `login-often`, `passwords-tried`, `password-wrong`, `password-short`,
        `password-common`, `password-name`, `passwords-busy`.
        """
        person = await self.require_owner(entrance, session, old)
        check_password(new, person.name)
        changed = rows.change_person(person.id, password=await self.passwords.hash(new))
        await self._sessions.end_all(person.id, session.hash, [changed])

    async def renew_codes(self, entrance: Entrance, session: Session, password: str) -> list[str]:
        """Replace the recovery codes and return the new ones. Raises `Declined` as `require_owner` does."""
        person = await self.require_owner(entrance, session, password)
        codes = make_codes()
        await self._store.execute(write_codes(person.id, codes))
        return codes

    async def require_owner(self, entrance: Entrance, session: Session, password: str) -> Person:
        """Return the account of a session if the password is right, so that a device left open is not enough. An
        account without a password needs a log-in of the last ten minutes.

        Raises `Declined`: `no-account`, `login-often`, `passwords-tried`, `password-wrong`, `passwords-busy`,
        `log-in-again`.
        """
        person = await self.require_account(session)
        if not person.password:
            if time.time() - session.created > FRESH:
                raise Declined("log-in-again", 403)
            return person
        self.guessing.count_try(entrance.address)
        self.guessing.count_password(find_key(person.name))
        if not await self.passwords.verify(person.password, password):
            raise Declined("password-wrong", 403)
        return person


def write_codes(person: str, codes: Sequence[str]) -> Statements:
    """Return the statements that replace the recovery codes of a person."""
    return rows.write_codes(person, [hash_code(code) for code in codes])
