"""The web application: routes, headers, errors. `create_app` makes it, `serve` runs it."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
from collections import OrderedDict
from collections.abc import AsyncIterator
from http import HTTPStatus
from typing import Any, TypeVar

import msgspec
import uvicorn
from litestar import Litestar, MediaType, Request, get, post
from litestar.exceptions import HTTPException
from litestar.response import Response
from websockets.http11 import Request as Opening

from gonfalon.ai import agents
from gonfalon.engine.game import TextError
from gonfalon.server import library
from gonfalon.server.config import Config
from gonfalon.server.declined import Declined
from gonfalon.server.limits import Buckets
from gonfalon.server.lobby import Lobby
from gonfalon.server.messages import AgentCard, NewMatch, Problem, RecordText
from gonfalon.server.page import Page, add_headers
from gonfalon.server.replay import record_match, replay_match, replay_record
from gonfalon.server.sitting import Sitting
from gonfalon.server.socket import Sockets
from gonfalon.server.wire import Listener, Wire, make_wire_class

log = logging.getLogger("gonfalon")
NEW_MATCH_SIZE = 16_384
MOST_REPLAYS = 16
"""Encoded replays of finished matches kept in memory."""
_CODES = {404: "not-found", 405: "not-found", 413: "too-large", 429: "too-many", 500: "broken"}
_encoder = msgspec.json.Encoder()
_Body = TypeVar("_Body")
_Request = Request[Any, Any, Any]


class Service:
    """What the routes share."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self.lobby = Lobby(config)
        self.sockets = Sockets(self.lobby, config)
        self.page = Page(config.static)
        self.agents = tuple(AgentCard(name) for name in agents())
        self.creating = Buckets(config.create_rate, config.create_burst)
        self.replays: OrderedDict[str, bytes] = OrderedDict()

    def allow(self, request: Request[Any, Any, Any]) -> None:
        """Counts one costly request of an address. Raises `Declined`: `too-many`."""
        if not self.creating.take(request.client.host if request.client else ""):
            raise Declined("too-many", 429)

    async def find_finished(self, match: str) -> Sitting:
        """A match that is over. Raises `Declined`: `no-match`, `not-over`."""
        sitting = await self.lobby.find_sitting(match)
        if sitting.outcome is None:
            raise Declined("not-over", 409)
        return sitting

    async def replay(self, match: str) -> bytes:
        """The encoded replay of a match that is over."""
        if match not in self.replays:
            sitting = await self.find_finished(match)
            self.replays[match] = await asyncio.to_thread(lambda: _encoder.encode(replay_match(sitting)))
            if len(self.replays) > MOST_REPLAYS:
                self.replays.popitem(last=False)
        self.replays.move_to_end(match)
        return self.replays[match]


def _json(body: bytes, status: int = 200, cache: str = "no-store") -> Response[bytes]:
    return Response(body, media_type=MediaType.JSON, status_code=status, headers={"cache-control": cache})


async def _parse(request: _Request, kind: type[_Body]) -> _Body:
    """The body as one of the known kinds. Raises `Declined`: `bad-message`."""
    try:
        return msgspec.json.decode(await request.body(), type=kind)
    except (msgspec.DecodeError, RecursionError, UnicodeError) as error:
        raise Declined("bad-message", 400, detail=str(error)[:200]) from error


def _service(request: _Request) -> Service:
    service: Service = request.app.state.service
    return service


# ---- routes ------------------------------------------------------------------------------------------------------


@get("/healthz", media_type=MediaType.TEXT)
async def healthz() -> str:
    return "ok"


@get("/api/games")
async def games() -> Response[bytes]:
    return _json(_encoder.encode(await asyncio.to_thread(library.list_cards)), cache="no-cache")


@get("/api/games/{variant:str}")
async def game(request: _Request, variant: str) -> Response[bytes]:
    page = await _service(request).lobby.library.page(variant)
    return _json(_encoder.encode(page), cache="no-cache")


@get("/api/agents")
async def agent_cards(request: _Request) -> Response[bytes]:
    return _json(_encoder.encode(_service(request).agents), cache="no-cache")


@get("/api/names")
async def names() -> Response[bytes]:
    return _json(_encoder.encode(await asyncio.to_thread(library.list_names)), cache="no-cache")


@post("/api/matches", request_max_body_size=NEW_MATCH_SIZE)
async def new_match(request: _Request) -> Response[bytes]:
    service = _service(request)
    service.allow(request)
    wish = await _parse(request, NewMatch)
    made = await service.lobby.create(wish, frozenset(card.name for card in service.agents))
    return _json(_encoder.encode(made), 201)


@get("/api/matches/{match:str}")
async def match_info(request: _Request, match: str) -> Response[bytes]:
    found = await _service(request).lobby.find(match)
    return _json(_encoder.encode(found.authority.presence.describe()))


@get("/api/matches/{match:str}/replay")
async def match_replay(request: _Request, match: str) -> Response[bytes]:
    return _json(await _service(request).replay(match))


@get("/api/matches/{match:str}/record")
async def match_record(request: _Request, match: str) -> Response[bytes]:
    sitting = await _service(request).find_finished(match)
    text = await asyncio.to_thread(lambda: record_match(sitting).write())
    headers = {"cache-control": "no-store"}
    return Response(text.encode(), media_type="text/plain; charset=utf-8", headers=headers)


@post("/api/replays")
async def open_record(request: _Request) -> Response[bytes]:
    service = _service(request)
    service.allow(request)
    record = await _parse(request, RecordText)
    try:
        return _json(await asyncio.to_thread(lambda: _encoder.encode(replay_record(record.text))))
    except TextError as error:
        raise Declined("bad-record", 400, detail=str(error)[:500]) from error


@get("/api/matches/{match:str}/socket")
async def match_socket(match: str) -> Response[bytes]:  # noqa: ARG001 - sockets are opened by `socket.Sockets`
    return Response(b"This address is a web socket.\n", status_code=426, media_type="text/plain")


@get(["/", "/{path:path}"])
async def page(request: _Request, path: str = "") -> Response[bytes]:
    if path.startswith("/api/"):
        raise Declined("not-found", 404)
    return await asyncio.to_thread(_service(request).page.answer, path)


# ---- errors ------------------------------------------------------------------------------------------------------


def _on_declined(_request: _Request, refusal: Declined) -> Response[bytes]:
    return _json(_encoder.encode(Problem(refusal.line)), refusal.status)


def _on_http(_request: _Request, error: HTTPException) -> Response[bytes]:
    code = _CODES.get(error.status_code, "bad-message")
    return _json(_encoder.encode(Problem(Declined(code).line)), error.status_code)


def _on_error(request: _Request, error: Exception) -> Response[bytes]:
    log.error("%s %s failed", request.method, request.url.path, exc_info=error)
    return _json(_encoder.encode(Problem(Declined("broken").line)), 500)


# ---- starting ----------------------------------------------------------------------------------------------------


def create_app(config: Config | None = None) -> Litestar:
    """The application. Starting it makes the data folder and brings the database up to date."""
    config = config or Config()

    @contextlib.asynccontextmanager
    async def lifespan(app: Litestar) -> AsyncIterator[None]:
        if not config.database:
            config.data.mkdir(parents=True, exist_ok=True)
        service = app.state.service = Service(config)
        await service.lobby.start()
        try:
            yield
        finally:
            await service.lobby.close()

    return Litestar(
        route_handlers=[
            *(healthz, games, game, agent_cards, names, new_match, match_info),
            *(match_replay, match_record, open_record, match_socket, page),
        ],
        lifespan=[lifespan],
        before_send=[add_headers],
        exception_handlers={Declined: _on_declined, HTTPException: _on_http, Exception: _on_error},
        request_max_body_size=config.record_size,
        openapi_config=None,
        logging_config=None,
    )


def serve(host: str = "127.0.0.1", port: int = 8000, config: Config | None = None) -> None:
    """Serves until interrupted. Nothing of requests is logged but failures: addresses never hold secrets anyway."""
    # Frames are made of many short-lived tuples without cycles. With the default, which looks for cycles at every
    # 700th new object, that search takes a tenth of the time.
    gc.set_threshold(20_000, 20, 50)
    app = create_app(config)

    def answer(wire: Wire, request: Opening) -> Listener | HTTPStatus:
        service: Service = app.state.service  # there as soon as the application has started
        return service.sockets.answer(wire, request)

    uvicorn.run(
        app,
        host=host,
        port=port,
        ws=make_wire_class(answer),
        access_log=False,
        log_level="warning",
        server_header=False,
        timeout_graceful_shutdown=5,
    )
