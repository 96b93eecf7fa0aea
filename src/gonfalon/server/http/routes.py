"""The HTTP routes. Their types make the OpenAPI document at /api/openapi.json."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import zlib
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime, timedelta

import msgspec
from litestar import MediaType, get, post
from litestar.exceptions import HTTPException
from litestar.handlers.base import BaseRouteHandler
from litestar.params import FromPath, JSONBody
from litestar.response import Response, Stream
from litestar.types import ExceptionHandlersMap

from gonfalon.games.words import list_names
from gonfalon.server.http.answers import (
    BODY_SIZE,
    FRESH,
    UNREADY,
    AnyRequest,
    Connection,
    encoded,
    find_address,
    find_network,
    find_service,
    problems,
)
from gonfalon.server.http.compressed import answer_public, takes
from gonfalon.server.http.page import Page
from gonfalon.server.http.people_routes import PEOPLE_ROUTES
from gonfalon.server.http.preview import find_subject
from gonfalon.server.http.rating_routes import RATING_ROUTES
from gonfalon.server.http.request_bodies import Body, need_json
from gonfalon.server.http.visitors import find_session, need_own_origin
from gonfalon.server.match.making.maker import allow_match
from gonfalon.server.match.standings import list_standings
from gonfalon.server.protocol.bodies import (
    AgentCard,
    AllNames,
    AnalysisNews,
    Candidates,
    GivenName,
    MatchMade,
    NewMatch,
    Problem,
    RecordText,
    Replay,
    SeatQuery,
    Standing,
    VariantCard,
    VariantPage,
)
from gonfalon.server.protocol.match_info import MatchInfo
from gonfalon.server.protocol.refusals import Declined
from gonfalon.server.review.replay import Finished
from gonfalon.server.storage.holding import FencedError
from gonfalon.server.storage.writer import StoreError

log = logging.getLogger("gonfalon")
CONTACT_HOLDS = timedelta(days=90)
"""Time for which a reader of `security.txt` may rely on it."""
UNHELD = {**FRESH, "x-accel-buffering": "no"}
"""Headers of a streamed answer: without `x-accel-buffering` a proxy would hold it back until it is complete."""
_CODES = {404: "not-found", 405: "not-found", 413: "too-large", 429: "too-many", 500: "broken"}


def count_match(connection: Connection, _handler: BaseRouteHandler) -> None:
    """Guard: count one new match of the client's address. Raises `Declined`: `too-many`, `disk-full`."""
    allow_match(find_service(connection).registry, find_network(connection))


def count_costly(connection: Connection, _handler: BaseRouteHandler) -> None:
    """Guard: count one costly request of the client's address. Raises `Declined`: `too-many`."""
    find_service(connection).count_costly(find_address(connection))


def count_standings(connection: Connection, _handler: BaseRouteHandler) -> None:
    """Guard: count one question for standings of the client's address. Raises `Declined`: `too-many`."""
    find_service(connection).count_standings(find_address(connection))


async def await_leaving(request: AnyRequest) -> None:
    """Return when the client has closed its connection."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


def answer_compressed(request: AnyRequest, made: bytes) -> Response[bytes] | Stream:
    """Answer with compressed JSON. If the client does not accept gzip, stream it uncompressed."""
    headers = {**FRESH, "vary": "accept-encoding"}
    if takes(request.headers.get("accept-encoding", ""), "gzip"):
        return Response(made, media_type=MediaType.JSON, headers={**headers, "content-encoding": "gzip"})
    return Stream(_uncompress(made), media_type=MediaType.JSON, headers=headers)


def _uncompress(made: bytes) -> Iterator[bytes]:
    reader = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
    rest = made
    while rest:
        yield reader.decompress(rest, 65_536)
        rest = reader.unconsumed_tail


# ---- routes ------------------------------------------------------------------------------------------------------


@get("/healthz", media_type=MediaType.TEXT)
async def healthz() -> str:
    """Say that the process answers."""
    return "ok"


@get("/readyz", media_type=MediaType.TEXT, response_headers=FRESH, responses=UNREADY)
async def readyz(request: AnyRequest) -> Response[str]:
    """Say whether a new match can be stored, and will be played here."""
    service = find_service(request)
    if service.node is not None and service.node.claims.draining:
        return Response("This node takes no more matches.", status_code=503)
    ready = await service.registry.store.is_ready()
    return Response("ok") if ready else Response("No match can be stored.", status_code=503)


@get("/.well-known/security.txt", include_in_schema=False)
async def security(request: AnyRequest) -> Response[bytes]:
    """Return the contact for reports of security problems (RFC 9116)."""
    contact = find_service(request).config.contact
    if not contact:
        raise Declined("not-found", 404)
    expires = datetime.now(UTC).replace(microsecond=0) + CONTACT_HOLDS
    text = f"Contact: {contact}\nExpires: {expires.isoformat()}\n"
    return Response(text.encode(), media_type="text/plain; charset=utf-8", headers=FRESH)


@get("/api/games", media_type=MediaType.JSON, responses=encoded(tuple[VariantCard, ...]))
async def games(request: AnyRequest) -> Response[bytes]:
    return answer_public(request, await asyncio.to_thread(find_service(request).registry.library.list_cards))


@get("/api/games/{variant:str}", media_type=MediaType.JSON, responses=encoded(VariantPage) | problems(404))
async def game(request: AnyRequest, variant: FromPath[str]) -> Response[bytes]:
    return answer_public(request, await find_service(request).registry.library.page(variant))


@get("/api/agents", media_type=MediaType.JSON, responses=encoded(tuple[AgentCard, ...]))
async def agent_cards(request: AnyRequest) -> Response[bytes]:
    return answer_public(request, find_service(request).registry.computers.list_cards())


@get("/api/names", media_type=MediaType.JSON, responses=encoded(AllNames))
async def names(request: AnyRequest) -> Response[bytes]:
    return answer_public(request, await asyncio.to_thread(list_names))


@post(
    "/api/matches",
    dto=Body[NewMatch],
    guards=[need_json, need_own_origin, count_match],
    request_max_body_size=BODY_SIZE,
    response_headers=FRESH,
    responses=problems(413, 415, 429, 507),
)
async def new_match(request: AnyRequest, data: JSONBody[NewMatch]) -> MatchMade:
    service = find_service(request)
    session = await find_session(request)
    if data.rated and not await service.people.is_account(session):
        raise Declined("rated-needs-account", 403)
    return await service.registry.create(data, session.person if session is not None else "")


@post(
    "/api/names/check",
    dto=Body[GivenName],
    return_dto=None,
    guards=[need_json],
    status_code=200,
    request_max_body_size=BODY_SIZE,
    response_headers=FRESH,
    responses=problems(413, 415),
)
async def check_name(request: AnyRequest, data: JSONBody[GivenName]) -> GivenName:
    """Return a name as a match would store it; refuse one that no match accepts."""
    return GivenName(find_service(request).registry.name_rules.read(data.name))


@post(
    "/api/standings",
    dto=Body[SeatQuery],
    guards=[need_json, count_standings],
    status_code=200,
    request_max_body_size=BODY_SIZE,
    response_headers=FRESH,
    responses=problems(413, 415, 429),
)
async def standings(request: AnyRequest, data: JSONBody[SeatQuery]) -> tuple[Standing, ...]:
    return await list_standings(find_service(request).registry, data.seats)


@get("/api/matches/{match:str}", response_headers=FRESH, responses=problems(404, 429))
async def match_info(request: AnyRequest, match: FromPath[str]) -> MatchInfo:
    service = find_service(request)
    service.count_load(match, find_address(request))
    return (await service.registry.look(match)).presence.describe()


@get(
    "/api/matches/{match:str}/replay",
    media_type=MediaType.JSON,
    response_headers=FRESH,
    responses=encoded(Replay) | problems(404, 409, 422, 429, 503),
)
async def match_replay(request: AnyRequest, match: FromPath[str]) -> Response[bytes] | Stream:
    return await _show_match(request, match, "replay")


async def _show_match(request: AnyRequest, match: str, wanted: str) -> Response[bytes] | Stream:
    service = find_service(request)
    service.count_load(match, find_address(request))
    match_state = await service.find_finished(match)
    made = await service.replays.find(
        match, lambda: Finished.of(match_state), lambda: await_leaving(request), find_network(request), wanted
    )
    return answer_compressed(request, made)


@get(
    "/api/matches/{match:str}/candidates",
    media_type=MediaType.JSON,
    response_headers=FRESH,
    responses=encoded(Candidates) | problems(404, 409, 422, 429, 503),
)
async def match_candidates(request: AnyRequest, match: FromPath[str]) -> Response[bytes] | Stream:
    return await _show_match(request, match, "candidates")


@get(
    "/api/matches/{match:str}/record",
    media_type=MediaType.TEXT,
    response_headers=FRESH,
    responses=problems(404, 409, 429),
)
async def match_record(request: AnyRequest, match: FromPath[str]) -> str:
    return await find_service(request).find_record(match, find_address(request))


@post(
    "/api/matches/{match:str}/analyses/{side:str}",
    guards=[count_costly],
    status_code=200,
    media_type="application/x-ndjson",
    responses=encoded(AnalysisNews) | problems(404, 409, 429, 503),
)
async def analyse(request: AnyRequest, match: FromPath[str], side: FromPath[str]) -> Stream:
    """Stream reports of an analysis, one JSON object per line. The analysis stops when no client follows it any
    more.
    """
    service = find_service(request)
    news = await service.analyses.follow(await service.find_finished(match), side, find_network(request))
    return Stream(_lines(news), media_type="application/x-ndjson", headers=UNHELD)


async def _lines(news: AsyncIterator[AnalysisNews]) -> AsyncIterator[bytes]:
    async for each in news:
        yield msgspec.json.encode(each) + b"\n"


@post(
    "/api/replays",
    dto=Body[RecordText],
    guards=[need_json, count_costly],
    status_code=200,
    media_type=MediaType.JSON,
    response_headers=FRESH,
    responses=encoded(Replay) | problems(413, 415, 422, 429, 503),
)
async def open_record(request: AnyRequest, data: JSONBody[RecordText]) -> Response[bytes] | Stream:
    return await _show_record(request, data.text, "replay")


@post(
    "/api/candidates",
    dto=Body[RecordText],
    guards=[need_json, count_costly],
    status_code=200,
    media_type=MediaType.JSON,
    response_headers=FRESH,
    responses=encoded(Candidates) | problems(413, 415, 422, 429, 503),
)
async def record_candidates(request: AnyRequest, data: JSONBody[RecordText]) -> Response[bytes] | Stream:
    return await _show_record(request, data.text, "candidates")


async def _show_record(request: AnyRequest, text: str, wanted: str) -> Response[bytes] | Stream:
    name = hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
    made = await find_service(request).replays.find(
        name, lambda: text, lambda: await_leaving(request), find_network(request), wanted
    )
    return answer_compressed(request, made)


@get("/api/matches/{match:str}/socket", include_in_schema=False)
async def match_socket(match: FromPath[str]) -> Response[bytes]:  # noqa: ARG001 - `socket.Sockets` opens it
    return Response(b"This address is a web socket.\n", status_code=426, media_type="text/plain")


@get("/api/lobby/socket", include_in_schema=False)
async def lobby_socket() -> Response[bytes]:  # `lobby.sockets` opens it
    return Response(b"This address is a web socket.\n", status_code=426, media_type="text/plain")


@get(["/", "/{path:path}"], include_in_schema=False)
async def page(request: AnyRequest, path: FromPath[str] = "") -> Response[bytes]:
    if path.startswith("/api/"):
        raise Declined("not-found", 404)
    service = find_service(request)
    files: Page = request.app.state.page
    subject = await find_subject(path, service.registry, lambda: service.count_costly(find_address(request)))
    return await asyncio.to_thread(files.answer, request, path, subject)


ROUTES = [
    *(healthz, readyz, security, games, game, agent_cards, names),
    *(check_name, new_match, standings, match_info),
    *(match_replay, match_candidates, match_record, analyse, open_record, record_candidates, match_socket),
    *(lobby_socket, page),
    *PEOPLE_ROUTES,
    *RATING_ROUTES,
]

# ---- errors ------------------------------------------------------------------------------------------------------


def _answer(problem: Declined, status: int, headers: dict[str, str] | None = None) -> Response[Problem]:
    return Response(Problem(problem.line), status_code=status, headers={**FRESH, **(headers or {})})


def _on_declined(_request: AnyRequest, refusal: Declined) -> Response[Problem]:
    return _answer(refusal, refusal.status)


def _on_http(_request: AnyRequest, error: HTTPException) -> Response[Problem]:
    return _answer(Declined(_CODES.get(error.status_code, "bad-message")), error.status_code, error.headers)


def _on_error(request: AnyRequest, error: Exception) -> Response[Problem]:
    log.error("%s %s failed", request.method, request.url.path, exc_info=error)
    return _answer(Declined("broken"), 500)


def _on_store_error(request: AnyRequest, error: StoreError) -> Response[Problem]:
    if not isinstance(error.__cause__, FencedError):
        return _on_error(request, error)
    log.warning("%s %s: %s", request.method, request.url.path, error)
    return _answer(Declined("broken"), 503)


ON_ERROR: ExceptionHandlersMap = {
    Declined: _on_declined,
    HTTPException: _on_http,
    StoreError: _on_store_error,
    Exception: _on_error,
}
