"""The web application. `create_app` makes it, `serve` runs it."""

from __future__ import annotations

import contextlib
import gc
from collections.abc import AsyncIterator
from http import HTTPStatus

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
from gonfalon.server.net.web_sockets import Listener, WebSocket, make_web_socket_class
from gonfalon.server.operator.acts import Operator
from gonfalon.server.operator.socket import serving_operator
from gonfalon.server.protocol import bodies, lobby_messages, people_bodies
from gonfalon.server.service import Service


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

    uvicorn.run(
        RequestGate(HeadRequests(app), config),
        host=host,
        port=port,
        http=make_http_class(connection_counts, config),
        ws=make_web_socket_class(answer, connection_counts, config),
        proxy_headers=False,
        access_log=False,
        log_config=None,
        log_level="warning",
        server_header=False,
        timeout_graceful_shutdown=5,
    )
