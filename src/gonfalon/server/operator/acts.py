"""Performs the operator's requests: in a running server, or beside the database if no server runs."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from datetime import UTC, datetime

import sqlalchemy as sa

from gonfalon.server.journal import note
from gonfalon.server.match.owning import ElsewhereError
from gonfalon.server.match.registry import Registry
from gonfalon.server.match.state import MatchState
from gonfalon.server.operator.requests import (
    Answer,
    AnyRequest,
    BanPerson,
    DeleteMatches,
    EndMatches,
    ListPeople,
    RenamePerson,
    ResetCode,
    ShowPerson,
    UnbanPerson,
)
from gonfalon.server.people import rows
from gonfalon.server.people.account_names import find_key, read_account_name
from gonfalon.server.people.accounts import write_codes
from gonfalon.server.people.people import People
from gonfalon.server.people.recovery import make_codes
from gonfalon.server.people.rows import Person
from gonfalon.server.protocol.refusals import Declined
from gonfalon.server.storage.retention import find_limit
from gonfalon.server.storage.writer import StoreError

MOST_LISTED = 1_000


class OperatorError(Exception):
    """A request cannot be performed. The message names what is wrong."""


class Operator:
    """Performs requests."""

    def __init__(self, people: People, registry: Registry) -> None:
        self._people = people
        self._registry = registry
        self._store = registry.store

    async def perform(self, request: AnyRequest) -> Answer:
        """Perform a request. If the answer is a problem, nothing has changed."""
        try:
            return Answer(tuple(await self._perform(request)))
        except OperatorError as error:
            return Answer(problem=str(error))
        except Declined as refusal:
            return Answer(problem=_word(refusal))
        except ElsewhereError as error:
            return Answer(problem=f"{error}; ask there")

    async def _perform(self, request: AnyRequest) -> Sequence[str]:
        match request:
            case ListPeople():
                accounts = await asyncio.to_thread(rows.list_accounts, self._store, MOST_LISTED)
                return [f"{each.name}  {_date(each.created)}  {_date(each.seen)}{_banned(each)}" for each in accounts]
            case ShowPerson(name=name):
                return await self._show(await self._find(name))
            case RenamePerson(name=name, new=new):
                return await self._rename(await self._find(name), new)
            case BanPerson(name=name):
                return await self._ban(await self._find(name))
            case UnbanPerson(name=name):
                person = await self._find(name)
                await self._store.execute([rows.change_person(person.id, banned=0)])
                return [f"{person.name} can log in again"]
            case ResetCode(name=name):
                return await self._reset(await self._find(name))
            case EndMatches(ids=ids):
                return await self._end(tuple(dict.fromkeys(ids)))
            case DeleteMatches():
                return await self._delete(request)

    # ---- people -----------------------------------------------------------------------------------------------

    async def _find(self, name: str) -> Person:
        person = await asyncio.to_thread(rows.find_account, self._store, name)
        if person is None:
            raise OperatorError(f"there is no account {name!r}")
        return person

    async def _show(self, person: Person) -> list[str]:
        sessions = await self._people.sessions.list_of(person.id)
        passkeys = await self._people.passkeys.list_of(person.id)
        return [
            f"name      {person.name}{_banned(person)}",
            f"id        {person.id}",
            f"made      {_date(person.created)}",
            f"seen      {_date(person.seen)}",
            f"password  {'yes' if person.password else 'no'}",
            f"passkeys  {len(passkeys)}",
            f"sessions  {len(sessions)}",
        ]

    async def _rename(self, person: Person, new: str) -> list[str]:
        name = read_account_name(new, self._registry.name_rules)
        try:
            await self._store.execute([rows.change_person(person.id, name=name, key=find_key(name))])
        except StoreError as error:
            if isinstance(error.__cause__, sa.exc.IntegrityError):
                raise OperatorError(f"the name {name} is taken") from error
            raise
        self._people.directory.drop(person.id)
        return [f"{person.name} is called {name} now"]

    async def _ban(self, person: Person) -> list[str]:
        banned = rows.change_person(person.id, banned=int(time.time()))
        ended = await self._people.sessions.end_all(person.id, statements=[banned])
        note("account-banned")
        return [f"{person.name} is banned; {ended} sessions have ended"]

    async def _reset(self, person: Person) -> list[str]:
        code = make_codes()[0]
        await self._store.execute(write_codes(person.id, [code]))
        return [f"{person.name} can log in once with the recovery code {code}"]

    # ---- matches ----------------------------------------------------------------------------------------------

    async def _end(self, ids: Sequence[str]) -> list[str]:
        for match in ids:
            if (await self._find_match(match)).outcome is not None:
                raise OperatorError(f"match {match} is over already")
        for match in ids:
            await (await self._registry.find(match)).end_without_result()
        return [f"{match} has ended without a result" for match in ids]

    async def _delete(self, request: DeleteMatches) -> list[str]:
        if bool(request.ids) == (request.older_than is not None):
            raise OperatorError("name the matches to delete, or give --older-than DAYS")
        if request.older_than is not None:
            old = await self._store.list_matches(find_limit(request.older_than))
            chosen = [stored.header.id for stored in old]
        else:
            chosen = list(dict.fromkeys(request.ids))
            for match in chosen:
                await self._find_match(match)
        gone = await self._registry.delete(chosen)
        return [*(f"{match} is deleted" for match in gone), f"{len(gone)} deleted"]

    async def _find_match(self, match: str) -> MatchState:
        try:
            return await self._registry.find_state(match)
        except Declined as refusal:
            raise OperatorError(f"there is no match {match!r}") from refusal


def _banned(person: Person) -> str:
    return f"  banned {_date(person.banned)}" if person.banned else ""


def _date(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).date().isoformat()


def _word(refusal: Declined) -> str:
    """Return a refusal for the terminal."""
    told = ", ".join(f"{name} {value}" for name, value in refusal.line.args.items())
    return f"{refusal.line.code}{f' ({told})' if told else ''}"
