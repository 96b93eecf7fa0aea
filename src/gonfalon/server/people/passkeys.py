"""Passkeys (WebAuthn): a key that stays in the device or its password manager; the server stores only the public part.

Browsers allow them where the address is https or `localhost`.
"""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections import OrderedDict
from urllib.parse import urlsplit

import msgspec
import sqlalchemy as sa
import webauthn
from webauthn.helpers import parse_authentication_credential_json
from webauthn.helpers.exceptions import WebAuthnException
from webauthn.helpers.structs import (
    AuthenticatorSelectionCriteria,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from gonfalon.server.people import rows
from gonfalon.server.people.accounts import Accounts, Entered, Entrance
from gonfalon.server.people.devices import name_device
from gonfalon.server.people.sessions import Session
from gonfalon.server.protocol.refusals import Declined
from gonfalon.server.protocol.secrets import new_id
from gonfalon.server.storage import tables
from gonfalon.server.storage.store import Store
from gonfalon.server.storage.writer import StoreError

HOLDS = 300.0
"""Seconds in which a browser may answer a challenge."""
MOST_OPEN = 5_000
"""Maximum number of open challenges; beyond it the oldest ends."""
MOST_OF_PERSON = 20
_passkeys = tables.passkeys.c


class Passkey(msgspec.Struct, frozen=True):
    """A stored passkey. Times in Unix seconds."""

    hash: str
    """SHA-256 (hex) of the credential's id, which may be long."""
    id: str
    """Public id, for the list of one's own passkeys."""
    person: str
    credential: bytes
    key: bytes
    """Public key (COSE)."""
    count: int
    """Number of signatures so far, as the device counts them; 0 if it does not count."""
    created: int
    device: str


class Site(msgspec.Struct, frozen=True):
    """The address under which a browser knows this server."""

    origin: str
    """Scheme, host and port: `https://play.example.org`."""

    @property
    def host(self) -> str:
        """Host name without port."""
        return urlsplit(self.origin).hostname or ""

    @property
    def allows_passkeys(self) -> bool:
        """Whether browsers allow passkeys there."""
        return self.origin.startswith("https://") or self.host == "localhost"


class Challenge(msgspec.Struct, frozen=True):
    """An open challenge."""

    value: bytes
    until: float
    """Time of `time.monotonic` at which it ends."""
    person: str = ""
    """Id of the person for whom a passkey is made; empty for a log-in."""
    name: str = ""
    """Name of the account that is made with the passkey; empty if it exists already."""


class Passkeys:
    """Makes and checks passkeys."""

    def __init__(self, store: Store, accounts: Accounts) -> None:
        self._store = store
        self._accounts = accounts
        self._open: OrderedDict[str, Challenge] = OrderedDict()

    # ---- making -----------------------------------------------------------------------------------------------

    async def begin_account(self, entrance: Entrance, site: Site, name: str) -> tuple[str, str]:
        """Return the id of a challenge, and the options (JSON) with which a browser makes the passkey of a new account.
        Raises `Declined`: `passkey-place`, and as `Accounts.require_new`.
        """
        _require(site)
        await self._accounts.require_new(entrance, name)
        person = entrance.session.person if entrance.session is not None else new_id()
        return self._begin_making(site, person, name, (), name)

    async def finish_account(self, entrance: Entrance, site: Site, challenge: str, credential: str) -> Entered:
        """Make the account of a passkey. Raises `Declined`: `passkey-late`, `passkey-wrong`, and as
        `Accounts.make_account`.
        """
        opened = self._close(challenge)
        if not opened.name or (entrance.session is not None and entrance.session.person != opened.person):
            raise Declined("passkey-late", 409)
        await self._accounts.require_new(entrance, opened.name)
        passkey = self._check_new(site, opened, credential, entrance.agent)
        return await self._accounts.make_account(entrance, opened.name, "", [_write(passkey)], opened.person)

    async def begin_adding(self, session: Session, site: Site) -> tuple[str, str]:
        """Return a challenge and the options for one more passkey of an account. Raises `Declined`: `passkey-place`,
        `no-account`, `passkeys-many`.
        """
        _require(site)
        person = await self._accounts.require_account(session)
        known = await self.list_of(person.id)
        if len(known) >= MOST_OF_PERSON:
            raise Declined("passkeys-many", 409, most=MOST_OF_PERSON)
        return self._begin_making(site, person.id, person.name, known)

    async def finish_adding(
        self, entrance: Entrance, session: Session, site: Site, challenge: str, credential: str
    ) -> None:
        """Store one more passkey. Raises `Declined`: `passkey-late`, `passkey-wrong`."""
        opened = self._close(challenge)
        if opened.name or opened.person != session.person:
            raise Declined("passkey-late", 409)
        passkey = self._check_new(site, opened, credential, entrance.agent)
        try:
            await self._store.execute([_write(passkey)])
        except StoreError as error:
            if isinstance(error.__cause__, sa.exc.IntegrityError):
                raise Declined("passkey-wrong", 403) from error
            raise

    def _begin_making(
        self, site: Site, person: str, name: str, known: tuple[Passkey, ...] | list[Passkey], new: str = ""
    ) -> tuple[str, str]:
        options = webauthn.generate_registration_options(
            rp_id=site.host,
            rp_name="Gonfalon",
            user_name=name,
            user_id=person.encode(),
            authenticator_selection=AuthenticatorSelectionCriteria(
                resident_key=ResidentKeyRequirement.REQUIRED,
                user_verification=UserVerificationRequirement.REQUIRED,
            ),
            exclude_credentials=[PublicKeyCredentialDescriptor(id=passkey.credential) for passkey in known],
        )
        return self._keep(options.challenge, person, new), webauthn.options_to_json(options)

    def _check_new(self, site: Site, opened: Challenge, credential: str, agent: str) -> Passkey:
        try:
            verified = webauthn.verify_registration_response(
                credential=credential,
                expected_challenge=opened.value,
                expected_rp_id=site.host,
                expected_origin=site.origin,
                require_user_verification=True,
            )
        except (WebAuthnException, ValueError, KeyError, TypeError) as error:
            raise Declined("passkey-wrong", 403) from error
        return Passkey(
            hash=_hash(verified.credential_id),
            id=new_id(),
            person=opened.person,
            credential=verified.credential_id,
            key=verified.credential_public_key,
            count=verified.sign_count,
            created=int(time.time()),
            device=name_device(agent),
        )

    # ---- using ------------------------------------------------------------------------------------------------

    def begin_log_in(self, entrance: Entrance, site: Site) -> tuple[str, str]:
        """Return a challenge and the options for a log-in. Raises `Declined`: `passkey-place`, `login-often`."""
        _require(site)
        self._accounts.guessing.count_try(entrance.address)
        options = webauthn.generate_authentication_options(
            rp_id=site.host, user_verification=UserVerificationRequirement.REQUIRED
        )
        return self._keep(options.challenge), webauthn.options_to_json(options)

    async def finish_log_in(self, entrance: Entrance, site: Site, challenge: str, credential: str) -> Entered:
        """Open the account of a passkey. Raises `Declined`: `passkey-late`, `passkey-wrong`, `passkey-unknown`,
        `banned`.
        """
        opened = self._close(challenge)
        if opened.person:
            raise Declined("passkey-late", 409)
        try:
            answer = parse_authentication_credential_json(credential)
            passkey = await asyncio.to_thread(self._find, _hash(answer.raw_id))
            if passkey is None:
                raise Declined("passkey-unknown", 403)
            verified = webauthn.verify_authentication_response(
                credential=answer,
                expected_challenge=opened.value,
                expected_rp_id=site.host,
                expected_origin=site.origin,
                credential_public_key=passkey.key,
                credential_current_sign_count=passkey.count,
                require_user_verification=True,
            )
        except (WebAuthnException, ValueError, KeyError, TypeError) as error:
            raise Declined("passkey-wrong", 403) from error
        person = await asyncio.to_thread(rows.find_person, self._store, passkey.person)
        if person is None:
            raise Declined("passkey-unknown", 403)
        counted = sa.update(tables.passkeys).where(_passkeys.hash == passkey.hash)
        return await self._accounts.enter(entrance, person, [counted.values(count=verified.new_sign_count)])

    # ---- the list ---------------------------------------------------------------------------------------------

    async def list_of(self, person: str) -> list[Passkey]:
        """Return the passkeys of a person, the oldest first."""
        return await asyncio.to_thread(self._list, person)

    async def remove(self, session: Session, passkey: str) -> None:
        """Remove a passkey, but not the last way to log in. Raises `Declined`: `no-account`, `passkey-unknown`,
        `passkey-last`.
        """
        person = await self._accounts.require_account(session)
        known = await self.list_of(person.id)
        if passkey not in {each.id for each in known}:
            raise Declined("passkey-unknown", 404)
        if len(known) == 1 and not person.password:
            raise Declined("passkey-last", 409)
        await self._store.execute(
            [sa.delete(tables.passkeys).where(_passkeys.person == person.id, _passkeys.id == passkey)]
        )

    # ---- challenges -------------------------------------------------------------------------------------------

    def _keep(self, value: bytes, person: str = "", name: str = "") -> str:
        challenge = new_id()
        self._open[challenge] = Challenge(value, time.monotonic() + HOLDS, person, name)
        if len(self._open) > MOST_OPEN:
            self._open.popitem(last=False)
        return challenge

    def _close(self, challenge: str) -> Challenge:
        """Return an open challenge and end it: each may be answered once. Raises `Declined`: `passkey-late`."""
        opened = self._open.pop(challenge, None)
        if opened is None or opened.until < time.monotonic():
            raise Declined("passkey-late", 409)
        return opened

    def _find(self, name: str) -> Passkey | None:
        with self._store.read() as connection:
            found = connection.execute(sa.select(tables.passkeys).where(_passkeys.hash == name))
            return next((Passkey(**row) for row in found.mappings()), None)

    def _list(self, person: str) -> list[Passkey]:
        wanted = (
            sa.select(tables.passkeys).where(_passkeys.person == person).order_by(_passkeys.created, _passkeys.hash)
        )
        with self._store.read() as connection:
            return [Passkey(**row) for row in connection.execute(wanted).mappings()]


def _require(site: Site) -> None:
    if not site.allows_passkeys:
        raise Declined("passkey-place", 409)


def _hash(credential: bytes) -> str:
    return hashlib.sha256(credential).hexdigest()


def _write(passkey: Passkey) -> sa.Executable:
    return sa.insert(tables.passkeys).values(**msgspec.structs.asdict(passkey))
