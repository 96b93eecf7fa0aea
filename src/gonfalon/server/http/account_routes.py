"""Routes of one's own account: the cookie's session says whose it is."""

from __future__ import annotations

import asyncio

import msgspec
from litestar import MediaType, get
from litestar.params import JSONBody
from litestar.response import Response

from gonfalon.server.http.answers import BODY_SIZE, FRESH, AnyRequest, encoded, find_network, find_service, problems
from gonfalon.server.http.visitors import find_entrance, find_site, make_cookie, need_session, post_by_page
from gonfalon.server.match.standings import list_owned
from gonfalon.server.people.rows import find_account
from gonfalon.server.protocol.bodies import Standing
from gonfalon.server.protocol.people_bodies import (
    AccountPage,
    Block,
    ChosenId,
    Codes,
    Confirmation,
    Me,
    NewPassword,
    Nothing,
    PasskeyAnswer,
    PasskeyCard,
    PasskeyChallenge,
    SessionCard,
)
from gonfalon.server.protocol.refusals import Declined


@get("/api/account", response_headers=FRESH, responses=problems(401))
async def account(request: AnyRequest) -> AccountPage:
    people, session = find_service(request).people, await need_session(request)
    person = await people.accounts.require_person(session)
    names = await people.directory.find(people.blocks.list_of(person.id))
    return AccountPage(
        name=person.name,
        password=bool(person.password),
        sessions=tuple(
            SessionCard(each.id, each.created, each.seen, each.device, each.hash == session.hash)
            for each in await people.sessions.list_of(person.id)
        ),
        passkeys=tuple(
            PasskeyCard(each.id, each.created, each.device) for each in await people.passkeys.list_of(person.id)
        ),
        blocked=tuple(sorted(filter(None, names.values()))),
    )


@get(
    "/api/account/matches",
    response_headers=FRESH,
    responses=problems(401, 429),
)
async def own_matches(request: AnyRequest) -> tuple[Standing, ...]:
    """Return the running matches in which a seat belongs to the person."""
    service, session = find_service(request), await need_session(request)
    service.count_standings(find_network(request))
    return await list_owned(service.registry, session.person)


@get("/api/account/export", media_type=MediaType.JSON, responses=encoded(dict) | problems(401, 429))
async def export(request: AnyRequest) -> Response[bytes]:
    """Return everything that is stored about the person."""
    service, session = find_service(request), await need_session(request)
    service.count_costly(find_network(request))
    found = await service.people.export(session)
    body = msgspec.json.format(msgspec.json.encode(found), indent=2)
    headers = {**FRESH, "content-disposition": 'attachment; filename="gonfalon.json"'}
    return Response(body, media_type=MediaType.JSON, headers=headers)


@post_by_page("/api/account/password", NewPassword, 401, 413, 415, 429, 503, status_code=204)
async def new_password(request: AnyRequest, data: JSONBody[NewPassword]) -> None:
    """Set a password; all other sessions end."""
    accounts, session = find_service(request).people.accounts, await need_session(request)
    await accounts.change_password(await find_entrance(request), session, data.old, data.new)


@post_by_page("/api/account/codes", Confirmation, 401, 413, 415, 429, 503, status_code=200, response_headers=FRESH)
async def new_codes(request: AnyRequest, data: JSONBody[Confirmation]) -> Codes:
    """Replace the recovery codes."""
    accounts, session = find_service(request).people.accounts, await need_session(request)
    return Codes(tuple(await accounts.renew_codes(await find_entrance(request), session, data.password)))


@post_by_page("/api/account/sessions/end", ChosenId, 401, 404, 413, 415, status_code=204)
async def end_session(request: AnyRequest, data: JSONBody[ChosenId]) -> None:
    """End one session."""
    sessions, session = find_service(request).people.sessions, await need_session(request)
    for each in await sessions.list_of(session.person):
        if each.id == data.id:
            await sessions.end(each)
            return
    raise Declined("not-found", 404)


@post_by_page("/api/account/passkeys/options", Nothing, 401, 409, 413, 415, status_code=200, response_headers=FRESH)
async def passkey_options(request: AnyRequest, data: JSONBody[Nothing]) -> PasskeyChallenge:  # noqa: ARG001 - empty
    """Return the challenge for one more passkey."""
    passkeys, session = find_service(request).people.passkeys, await need_session(request)
    return PasskeyChallenge(*await passkeys.begin_adding(session, find_site(request)))


@post_by_page(
    "/api/account/passkeys", PasskeyAnswer, 401, 409, 413, 415, status_code=204, request_max_body_size=2 * BODY_SIZE
)
async def new_passkey(request: AnyRequest, data: JSONBody[PasskeyAnswer]) -> None:
    passkeys, session = find_service(request).people.passkeys, await need_session(request)
    entrance = await find_entrance(request)
    await passkeys.finish_adding(entrance, session, find_site(request), data.challenge, data.credential)


@post_by_page("/api/account/passkeys/remove", ChosenId, 401, 404, 409, 413, 415, status_code=204)
async def remove_passkey(request: AnyRequest, data: JSONBody[ChosenId]) -> None:
    await find_service(request).people.passkeys.remove(await need_session(request), data.id)


@post_by_page("/api/account/blocks", Block, 401, 404, 409, 413, 415, status_code=204)
async def block(request: AnyRequest, data: JSONBody[Block]) -> None:
    service, session = find_service(request), await need_session(request)
    other = await asyncio.to_thread(find_account, service.registry.store, data.name)
    if other is None:
        raise Declined("no-account-named", 404)
    change = service.people.blocks.block if data.on else service.people.blocks.unblock
    await change(session.person, other.id)


@post_by_page("/api/account/delete", Confirmation, 401, 413, 415, 429, 503, status_code=200)
async def delete(request: AnyRequest, data: JSONBody[Confirmation]) -> Response[Me]:
    """Delete the account, or the guest."""
    service, session = find_service(request), await need_session(request)
    person = await service.people.accounts.require_person(session)
    if person.name:
        await service.people.accounts.require_owner(await find_entrance(request), session, data.password)
    await service.people.delete(person.id)
    return Response(Me("", False, service.config.accounts), headers=make_cookie(request, ""))


ACCOUNT_ROUTES = [
    *(account, own_matches, export, new_password, new_codes, end_session),
    *(passkey_options, new_passkey, remove_passkey, block, delete),
]
