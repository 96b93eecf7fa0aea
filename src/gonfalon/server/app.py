"""The web application. `create_app` makes it, `serve` runs it."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import socket
import sys
from collections.abc import AsyncIterator, Callable
from http import HTTPStatus
from types import FrameType

import uvicorn
from litestar import Litestar, Router
from litestar.middleware import DefineMiddleware
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.openapi.spec import OpenAPI
from websockets.http11 import Request as Opening

import gonfalon
from gonfalon.server.clock import control
from gonfalon.server.config import Config
from gonfalon.server.http.head_requests import HeadRequests
from gonfalon.server.http.page import Page
from gonfalon.server.http.routes import ON_ERROR, ROUTES
from gonfalon.server.journal import note
from gonfalon.server.metrics import serving_metrics
from gonfalon.server.net.connection_counts import ConnectionCounts, raise_file_limit
from gonfalon.server.net.headers import add_headers
from gonfalon.server.net.hosts import HostCheck, Hosts
from gonfalon.server.net.http_connections import RequestGate, make_http_class
from gonfalon.server.net.relays import Target, make_routed_class
from gonfalon.server.net.web_sockets import Listener, WebSocket, make_web_socket_class
from gonfalon.server.operator.acts import Operator
from gonfalon.server.operator.socket import serving_operator
from gonfalon.server.protocol import bodies, lobby_messages, people_bodies
from gonfalon.server.service import Service

FAILED = 3
"""Exit status of a server that could not start."""


def create_app(config: Config | None = None, connection_counts: ConnectionCounts | None = None) -> Litestar:
    """Return the application. When it starts, it makes the data folder and migrates the database."""
    config = config or Config()
    counts = connection_counts or ConnectionCounts(config, raise_file_limit())

    @contextlib.asynccontextmanager
    async def lifespan(app: Litestar) -> AsyncIterator[None]:
        if not config.database:
            config.data.mkdir(parents=True, exist_ok=True)
        app.state.page = Page(config.static, config.source)
        service = app.state.service = Service(config, counts)
        await service.start()
        note("server-starts", version=gonfalon.__version__)
        try:
            operator = Operator(service.people, service.registry)
            async with serving_metrics(config, service), serving_operator(config.data, operator):
                yield
        finally:
            await service.close()
            note("server-stops")

    app = Litestar(
        route_handlers=ROUTES,
        lifespan=[lifespan],
        middleware=[DefineMiddleware(HostCheck, hosts=Hosts(config.hosts))],
        before_send=[add_headers],
        exception_handlers=ON_ERROR,
        request_max_body_size=config.record_size,
        openapi_config=OpenAPIConfig(
            title="Gonfalon",
            version=gonfalon.__version__,
            openapi_router=Router("/api/openapi.json", route_handlers=[], include_in_schema=False),
            render_plugins=[JsonRenderPlugin(path="/")],
        ),
        logging_config=None,
    )
    _forbid_unknown_fields(app.openapi_schema)
    return app


def _forbid_unknown_fields(document: OpenAPI) -> None:
    """Complete Litestar's description of structs: Litestar does not say that they forbid unknown fields."""
    for name, schema in document.components.schemas.items():
        modules = (bodies, people_bodies, lobby_messages, control)
        kind = next((getattr(module, name) for module in modules if hasattr(module, name)), None)
        if kind is not None and kind.__struct_config__.forbid_unknown_fields:
            schema.additional_properties = False


def serve(host: str = "127.0.0.1", port: int = 8000, config: Config | None = None) -> None:
    """Serve until interrupted. Only failed requests are logged; URLs never hold secrets."""
    # Frames are made of many short-lived tuples without cycles. With the default, one collection per 700 new objects,
    # garbage collection takes a tenth of the time.
    gc.set_threshold(20_000, 20, 50)
    config = config or Config()
    files = raise_file_limit()
    connection_counts = ConnectionCounts(config, files)
    note("limits", files=files, connections=connection_counts.most)
    app = create_app(config, connection_counts)

    def answer(socket: WebSocket, request: Opening) -> Listener | HTTPStatus:
        service: Service = app.state.service  # set as soon as the application has started
        return service.answer_socket(socket, request)

    async def route(path: str) -> Target | HTTPStatus | None:
        service: Service = app.state.service
        return await service.find_node(path)

    if config.node:
        sockets = make_routed_class(route, answer, connection_counts, config)
    else:
        sockets = make_web_socket_class(answer, connection_counts, config)
    settings = uvicorn.Config(
        RequestGate(HeadRequests(app), config),
        host=host,
        port=port,
        http=make_http_class(connection_counts, config),
        ws=sockets,
        proxy_headers=False,
        access_log=False,
        log_config=None,
        log_level="warning",
        server_header=False,
        timeout_graceful_shutdown=5,
    )
    server = NodeServer(settings, lambda: app.state.service) if config.node else uvicorn.Server(settings)
    with contextlib.suppress(KeyboardInterrupt):
        server.run()
    if not server.started:
        sys.exit(FAILED)


class NodeServer(uvicorn.Server):
    """A server that hands over what it owns before it stops."""

    def __init__(self, config: uvicorn.Config, find_service: Callable[[], Service]) -> None:
        super().__init__(config)
        self._find_service = find_service
        self._draining: asyncio.Task[None] | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, and end when the operator drains the node."""
        await super().startup(sockets)
        self._loop = asyncio.get_running_loop()
        if self.started and (node := self._find_service().node) is not None:
            node.on_drained = self._end

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """At the first signal hand everything over, then stop; at the second one stop at once."""
        if not self.started or self._draining is not None:
            super().handle_exit(sig, frame)
        else:
            self._loop.call_soon_threadsafe(self._drain)

    def _drain(self) -> None:
        self._draining = self._draining or asyncio.create_task(self._drain_and_end())

    async def _drain_and_end(self) -> None:
        if (node := self._find_service().node) is not None:
            await node.drain()
        self._end()

    def _end(self) -> None:
        self.should_exit = True
