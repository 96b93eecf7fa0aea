"""HTTP connections: counted, throttled, and closed when no request comes.

An `HttpConnection` stands between the event loop and uvicorn's HTTP protocol. When a web socket is opened, a
`WebSocket` takes over the connection. `RequestGate`, the outermost ASGI application, sees the beginning and end of each
request and counts requests by address.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, cast

import msgspec
from uvicorn.protocols.http.auto import AutoHTTPProtocol

from gonfalon.server.config import Config
from gonfalon.server.net.addresses import find_client, network_of
from gonfalon.server.net.backlog import Backlog
from gonfalon.server.net.connection_counts import ConnectionCounts, OpenConnection
from gonfalon.server.net.headers import HEADERS
from gonfalon.server.net.rate_limits import RateLimiter, TokenBucket
from gonfalon.server.net.throttling import ThrottledReader
from gonfalon.server.protocol.bodies import Problem
from gonfalon.server.protocol.refusals import Declined

MOST_HEAD = 16_000
"""Maximum number of bytes of a request head."""
_CONNECTION = "gonfalon.connection"
Receive = Callable[[], Awaitable[Any]]
Send = Callable[[dict[str, Any]], Awaitable[None]]
Application = Callable[[Any, Any, Any], Awaitable[None]]
_TOO_LARGE = b"HTTP/1.1 431 Request Header Fields Too Large\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"


class HttpConnection(asyncio.Protocol):
    """One connection until it becomes a web socket. `make_http` makes uvicorn's HTTP parser for it."""

    def __init__(
        self,
        make_http: Callable[[HttpConnection], asyncio.Protocol],
        connection_counts: ConnectionCounts,
        config: Config,
    ) -> None:
        self._http = make_http(self)
        self._connection_counts = connection_counts
        self._config = config
        self._loop = asyncio.get_running_loop()
        self.counted: OpenConnection | None = None
        self._head = 0
        self._asking = False
        self._unsent = 0
        self._timer: asyncio.TimerHandle | None = None

    # ---- what the event loop calls ----------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        peer = self._transport.get_extra_info("peername")
        counted = OpenConnection(str(peer[0]) if isinstance(peer, tuple) else "", self._transport.abort)
        if not self._connection_counts.enter(counted):
            self._transport.abort()
            return
        self.counted = counted
        self._reader = ThrottledReader(
            self._transport, self._parse, TokenBucket(self._config.read_rate, self._config.read_burst)
        )
        self._proxy = TransportProxy(self._transport, counted, self._reader, self, self._connection_counts.backlog)
        self._http.connection_made(cast("asyncio.Transport", self._proxy))
        self._await_request()

    def data_received(self, data: bytes) -> None:
        if self.counted is not None:
            self._reader.receive(data)

    def eof_received(self) -> bool | None:
        return self._http.eof_received() if self.counted is not None else None

    def connection_lost(self, exc: Exception | None) -> None:
        if self.counted is not None:
            self._connection_counts.leave(self.counted)
            self._connection_counts.backlog.forget(self._proxy)
            self.step_aside()
            self._http.connection_lost(exc)

    def pause_writing(self) -> None:
        self._http.pause_writing()

    def resume_writing(self) -> None:
        self._http.resume_writing()

    # ---- what `RequestGate` calls -----------------------------------------------------------------------------

    def note_head(self) -> None:
        """Note that the head of a request is complete."""
        self._asking = True
        self._head = 0

    def note_body(self) -> None:
        """Note that the whole request has arrived and the server works on it."""
        if self.counted is not None:
            self.counted.busy = True

    def note_answer(self) -> None:
        """Note that the request is answered."""
        self._asking = False
        if self.counted is not None and not self._transport.is_closing():
            self.counted.busy = False
            self._await_request()

    # ---- within -----------------------------------------------------------------------------------------------

    def step_aside(self) -> None:
        """Stop handling the connection, because a web socket takes it over or it is closed."""
        self.counted = None
        self._reader.close()
        self._cancel()

    def _parse(self, data: bytes) -> float:
        if not self._asking:
            self._head += len(data)
            if self._head > MOST_HEAD:
                self._transport.write(_TOO_LARGE)
                self._transport.close()
        if not self._transport.is_closing():
            self._http.data_received(data)
        return len(data)

    def _await_request(self) -> None:
        self._cancel()
        self._timer = self._loop.call_later(self._config.request_within, self._give_up)

    def _give_up(self) -> None:
        """Close the connection if its request does not arrive or its client reads nothing of the answer. Keep it while
        the server works on the answer, or while the client reads slowly.
        """
        unsent, before = self._transport.get_write_buffer_size(), self._unsent
        self._unsent = unsent
        working = self.counted is not None and self.counted.busy and not unsent
        if working or (unsent and unsent != before):
            self._await_request()
        else:
            self._transport.abort()

    def _cancel(self) -> None:
        if self._timer is not None:
            self._timer.cancel()


class TransportProxy:
    """Transport for uvicorn's HTTP protocol: throttles reading, counts unsent bytes, and lets a new protocol take over
    the connection.
    """

    def __init__(
        self,
        transport: asyncio.Transport,
        counted: OpenConnection,
        reader: ThrottledReader,
        connection: HttpConnection,
        backlog: Backlog,
    ) -> None:
        self.transport = transport
        """The transport of the event loop."""
        self.counted = counted
        self._reader = reader
        self._connection = connection
        self._backlog = backlog
        self._waits = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self.transport, name)

    def pause_reading(self) -> None:
        self._reader.hold()

    def resume_reading(self) -> None:
        self._reader.release()

    def write(self, data: bytes) -> None:
        """Write bytes of an answer. uvicorn writes a whole body at once, so all of it may wait for a slow client."""
        self.transport.write(data)
        unsent = self.transport.get_write_buffer_size()
        if unsent or self._waits:
            self._waits = unsent > 0
            self._backlog.note(self, unsent)

    @property
    def address(self) -> str:
        return self.counted.address

    def count_unsent(self) -> int:
        return self.transport.get_write_buffer_size()

    def cut(self) -> None:
        self.transport.abort()

    def set_protocol(self, protocol: asyncio.BaseProtocol) -> None:
        self._backlog.forget(self)
        self._connection.step_aside()
        self.transport.set_protocol(protocol)
        if not self.transport.is_closing():
            self.transport.resume_reading()


class RequestGate:
    """The outermost ASGI application: reports to connections when requests begin and end, and limits requests by
    address.
    """

    def __init__(self, app: Application, config: Config) -> None:
        self._app = app
        self._trusted = config.trusted_proxies
        self._requests = RateLimiter(config.request_rate, config.request_burst)

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        connection: HttpConnection | None = scope.get("state", {}).pop(_CONNECTION, None)
        if scope["type"] != "http" or connection is None:
            await self._app(scope, receive, send)
            return
        peer, port = scope["client"] or ("", 0)
        forwarded = [v.decode("latin-1") for name, v in scope["headers"] if name == b"x-forwarded-for"]
        scope["client"] = (find_client(peer, forwarded, self._trusted), port)
        if peer in self._trusted:
            scope["scheme"] = find_scheme(scope)
        connection.note_head()
        if not any(name in (b"content-length", b"transfer-encoding") for name, _ in scope["headers"]):
            connection.note_body()

        async def hear() -> Any:
            message = await receive()
            if message["type"] == "http.request" and not message.get("more_body"):
                connection.note_body()
            return message

        try:
            if self._requests.take(network_of(scope["client"][0])):
                await self._app(scope, hear, send)
            else:
                await turn_away(send)
        finally:
            connection.note_answer()


def find_scheme(scope: dict[str, Any]) -> str:
    """Return the scheme of a request through a trusted proxy: that of `X-Forwarded-Proto`, or else the proxy's own."""
    told = {value.decode("latin-1").strip().lower() for name, value in scope["headers"] if name == b"x-forwarded-proto"}
    plain = str(scope["scheme"])
    return told.pop() if len(told) == 1 and told <= {"http", "https"} else plain


async def turn_away(send: Send) -> None:
    """Refuse a request beyond the rate limit, and close its connection."""
    body = msgspec.json.encode(Problem(Declined("too-many").line))
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", b"%d" % len(body)),
        (b"connection", b"close"),
    ]
    await send({"type": "http.response.start", "status": 429, "headers": [*headers, *HEADERS]})
    await send({"type": "http.response.body", "body": body, "more_body": False})


def make_http_class(connection_counts: ConnectionCounts, config: Config) -> type[asyncio.Protocol]:
    """Return uvicorn's class of HTTP connections. uvicorn calls it with keywords for each connection. The connection is
    put into the ASGI state of its requests, where the ASGI specification allows lifespan state.
    """

    def make(**given: Any) -> HttpConnection:
        def make_http(connection: HttpConnection) -> asyncio.Protocol:
            return AutoHTTPProtocol(**{**given, "app_state": {**given["app_state"], _CONNECTION: connection}})

        return HttpConnection(make_http, connection_counts, config)

    return cast("type[asyncio.Protocol]", make)
