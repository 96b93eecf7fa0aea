"""Routes about persons: guests, accounts, log-ins, one's own account, profiles."""

from __future__ import annotations

import asyncio
import re

import msgspec
from litestar import MediaType, get
from litestar.params import FromPath, FromQuery, JSONBody
from litestar.response import Response

from gonfalon.server.http.account_routes import ACCOUNT_ROUTES
from gonfalon.server.http.answers import (
    BODY_SIZE,
    FRESH,
    AnyRequest,
    encoded,
    find_network,
    find_service,
    problems,
)
from gonfalon.server.http.compressed import answer_public
from gonfalon.server.http.visitors import (
    find_entrance,
    find_session,
    find_site,
    make_cookie,
    need_session,
    post_by_page,
)
from gonfalon.server.lobby.early_leaving import find_share_left
from gonfalon.server.people.accounts import Entered
from gonfalon.server.people.profiles import list_played, read_profile
from gonfalon.server.people.rows import Person, find_account
from gonfalon.server.protocol.kept_data import KEPT_DATA, KeptData
from gonfalon.server.protocol.people_bodies import (
    ChosenName,
    Codes,
    Login,
    Logout,
    Me,
    NewAccount,
    Nothing,
    PasskeyAnswer,
    PasskeyChallenge,
    PlayedMatches,
    Profile,
    Recovery,
)
from gonfalon.server.protocol.refusals import Declined

_PLAIN = re.compile(r"[\w.-]{0,60}", re.ASCII)
"""Form of a filter's value. A database may not accept other texts."""


async def _describe(request: AnyRequest, person: str) -> Me:
    """Return what the page needs to know of a person; an empty id: nobody."""
    service = find_service(request)
    accounts = service.config.accounts
    found = await asyncio.to_thread(service.people.find, person) if person else None
    if found is None:
        return Me("", False, accounts)
    return Me(found.name, not found.name, accounts, bool(found.password))


async def _enter(request: AnyRequest, entered: Entered) -> Response[Me]:
    me = await _describe(request, entered.session.person)
    return Response(me, headers=make_cookie(request, entered.secret))


def _show_codes(request: AnyRequest, entered: Entered) -> Response[Codes]:
    return Response(Codes(entered.codes), headers=make_cookie(request, entered.secret))


# ---- coming and going --------------------------------------------------------------------------------------------


@get("/api/me", response_headers=FRESH, responses=problems())
async def me(request: AnyRequest) -> Me:
    """Say who the session belongs to."""
    session = await find_session(request)
    return await _describe(request, session.person if session else "")


@post_by_page("/api/guests", Nothing, 413, 415, 429)
async def new_guest(request: AnyRequest, data: JSONBody[Nothing]) -> Response[Me]:  # noqa: ARG001 - empty
    """Make a guest, unless there is a session already."""
    entrance = await find_entrance(request)
    if entrance.session is not None:
        return Response(await _describe(request, entrance.session.person), headers=FRESH)
    people = find_service(request).people
    return await _enter(request, await people.accounts.make_guest(entrance))


@post_by_page("/api/accounts", NewAccount, 409, 413, 415, 429, 503)
async def new_account(request: AnyRequest, data: JSONBody[NewAccount]) -> Response[Codes]:
    people = find_service(request).people
    return _show_codes(request, await people.accounts.sign_up(await find_entrance(request), data.name, data.password))


@post_by_page("/api/accounts/passkey/options", ChosenName, 409, 413, 415, 429, status_code=200, response_headers=FRESH)
async def new_account_options(request: AnyRequest, data: JSONBody[ChosenName]) -> PasskeyChallenge:
    """Return the challenge for the passkey of a new account."""
    passkeys = find_service(request).people.passkeys
    return PasskeyChallenge(*await passkeys.begin_account(await find_entrance(request), find_site(request), data.name))


@post_by_page("/api/accounts/passkey", PasskeyAnswer, 409, 413, 415, 429, 503, request_max_body_size=2 * BODY_SIZE)
async def new_account_by_passkey(request: AnyRequest, data: JSONBody[PasskeyAnswer]) -> Response[Codes]:
    passkeys, entrance = find_service(request).people.passkeys, await find_entrance(request)
    entered = await passkeys.finish_account(entrance, find_site(request), data.challenge, data.credential)
    return _show_codes(request, entered)


@post_by_page("/api/login", Login, 413, 415, 429, 503, status_code=200)
async def log_in(request: AnyRequest, data: JSONBody[Login]) -> Response[Me]:
    people = find_service(request).people
    return await _enter(request, await people.accounts.log_in(await find_entrance(request), data.name, data.password))


@post_by_page("/api/login/recovery", Recovery, 413, 415, 429, 503, status_code=200)
async def recover(request: AnyRequest, data: JSONBody[Recovery]) -> Response[Me]:
    """Log in by a recovery code, and set a new password."""
    accounts, entrance = find_service(request).people.accounts, await find_entrance(request)
    return await _enter(request, await accounts.recover(entrance, data.name, data.code, data.password))


@post_by_page("/api/login/passkey/options", Nothing, 409, 413, 415, 429, status_code=200, response_headers=FRESH)
async def log_in_options(request: AnyRequest, data: JSONBody[Nothing]) -> PasskeyChallenge:  # noqa: ARG001 - empty
    """Return the challenge for a log-in by passkey."""
    passkeys = find_service(request).people.passkeys
    return PasskeyChallenge(*passkeys.begin_log_in(await find_entrance(request), find_site(request)))


@post_by_page(
    "/api/login/passkey", PasskeyAnswer, 409, 413, 415, 429, status_code=200, request_max_body_size=2 * BODY_SIZE
)
async def log_in_by_passkey(request: AnyRequest, data: JSONBody[PasskeyAnswer]) -> Response[Me]:
    passkeys, entrance = find_service(request).people.passkeys, await find_entrance(request)
    entered = await passkeys.finish_log_in(entrance, find_site(request), data.challenge, data.credential)
    return await _enter(request, entered)


@post_by_page("/api/logout", Logout, 401, 413, 415, status_code=200)
async def log_out(request: AnyRequest, data: JSONBody[Logout]) -> Response[Me]:
    """End the session, or all sessions of the person."""
    session, sessions = await need_session(request), find_service(request).people.sessions
    await (sessions.end_all(session.person) if data.everywhere else sessions.end(session))
    return Response(await _describe(request, ""), headers=make_cookie(request, ""))


@get("/api/privacy", media_type=MediaType.JSON, responses=encoded(tuple[KeptData, ...]))
async def privacy(request: AnyRequest) -> Response[bytes]:
    """List everything that is kept about people."""
    return answer_public(request, KEPT_DATA)


# ---- profiles ----------------------------------------------------------------------------------------------------


async def _find_account(request: AnyRequest, name: str) -> Person:
    found = await asyncio.to_thread(find_account, find_service(request).registry.store, name)
    if found is None:
        raise Declined("no-account-named", 404)
    return found


@get("/api/people/{name:str}", response_headers=FRESH, responses=problems(404, 429))
async def profile(request: AnyRequest, name: FromPath[str]) -> Profile:
    service = find_service(request)
    service.count_lookup(find_network(request))
    person, session = await _find_account(request, name), await find_session(request)
    reader = session.person if session else ""
    found = await asyncio.to_thread(read_profile, service.registry.store, person, reader)
    ratings = await service.ratings.describe(person.id)
    finished = sum(each.rating.matches for each in ratings)
    return msgspec.structs.replace(
        found,
        blocked=person.id in service.people.blocks.list_of(reader),
        ratings=ratings,
        left_early=await find_share_left(service.registry.store, person.id, finished),
    )


@get("/api/people/{name:str}/matches", media_type=MediaType.JSON, response_headers=FRESH, responses=problems(404, 429))
async def profile_matches(
    request: AnyRequest,
    name: FromPath[str],
    variant: FromQuery[str] = "",
    opponent: FromQuery[str] = "",
    agent: FromQuery[str] = "",
    before: FromQuery[str] = "",
) -> PlayedMatches:
    """Return finished matches. `opponent`: name of an account; `agent`: name of a computer player."""
    service = find_service(request)
    service.count_lookup(find_network(request))
    person, session = await _find_account(request, name), await find_session(request)
    against = (await _find_account(request, opponent)).id if opponent else agent
    reader = session.person if session else ""
    if not all(map(_PLAIN.fullmatch, (variant, against, before))):
        raise Declined("bad-message", 400, detail="a filter has letters, digits, dots and dashes only")
    return await asyncio.to_thread(list_played, service.registry.store, person, reader, variant, against, before)


PEOPLE_ROUTES = [
    *(me, new_guest, new_account, new_account_options, new_account_by_passkey),
    *(log_in, recover, log_in_options, log_in_by_passkey, log_out, privacy, profile, profile_matches),
    *ACCOUNT_ROUTES,
]
