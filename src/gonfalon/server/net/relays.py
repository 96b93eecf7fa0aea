"""Relays of web sockets between nodes: bytes, not messages. So pings measure the way to the client, and a client that
reads slowly is slow for the owner of its match.

A node that gets a socket for another one opens a connection to that one's relay port, repeats the request there with
three more headers, and passes bytes on in both directions. The other node serves the socket as if it had come to
itself.
"""

from __future__ import annotations

import asyncio
import hmac
import logging
from collections.abc import Awaitable, Callable, Mapping
from http import HTTPStatus
from typing import Any, Protocol, cast
from weakref import WeakKeyDictionary

import msgspec
from websockets.http11 import Request
from websockets.server import ServerProtocol

from gonfalon.server.config import Config, split_address
from gonfalon.server.net.connection_counts import ConnectionCounts, OpenConnection
from gonfalon.server.net.web_sockets import Answer, WebSocket

log = logging.getLogger("gonfalon.relays")
TOKEN, PEER, BRINGER = "Gonfalon-Relay", "Gonfalon-Peer", "Gonfalon-Node"
"""Headers of a relayed request: the secret of the relay port, the address at the other end of the connection that came
in, and the node that brings it (`NodeRow.label`).
"""
REACHED = "/reached"
"""Path by which a relay port answers with 204 whoever knows its token."""
MOST_HEAD = 24_000
"""Maximum number of bytes of a request's head: what a public port takes, and the three headers."""
MOST_EARLY = 65_536
"""Maximum number of bytes that a client may send before it is known where its socket belongs."""
WITHIN = 3.0
"""Seconds for a connection to another node, and for the head of a request from one."""
MOST_STRANGERS = 100
"""Maximum number of addresses of strangers that are logged, each once."""
MOST_WAITING = 262_144
"""Bytes that may wait in each direction before the other side is not read any more."""


class Target(msgspec.Struct, frozen=True):
    """The relay port of another node."""

    address: str
    """Such as http://10.0.0.5:8100."""
    token: str
    bringer: str = ""
    """The node that brings sockets there."""


Route = Callable[[str], Awaitable["Target | HTTPStatus | None"]]
"""Returns where the socket of a path belongs: to another node, here (None), or nowhere (a status that refuses it)."""


class Carrier(msgspec.Struct, frozen=True):
    """A connection that a `WebSocket` takes over."""

    transport: Any
    counted: OpenConnection


def parse_head(head: bytes) -> Request | None:
    """Return the request of a head; None if it is none."""
    protocol = ServerProtocol()
    protocol.receive_data(head)
    return next((event for event in protocol.events_received() if isinstance(event, Request)), None)


def write_refusal(status: HTTPStatus) -> bytes:
    """Return an answer without content, after which the connection ends."""
    return f"HTTP/1.1 {status.value} {status.phrase}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n".encode()


async def is_reached(target: Target) -> bool:
    """Return whether a node's relay port answers here, and knows its token."""
    head = f"GET {REACHED} HTTP/1.1\r\nhost: node\r\n{TOKEN}: {target.token}\r\n\r\n"
    try:
        async with asyncio.timeout(WITHIN):
            reader, writer = await asyncio.open_connection(*split_address(target.address))
            writer.write(head.encode())
            line = await reader.readline()
            writer.close()
    except OSError:
        return False
    return line.split()[1:2] == [b"204"]


class Pipe(asyncio.Protocol):
    """One end of a relay: passes what it reads on to the other end."""

    def __init__(self) -> None:
        self.transport: asyncio.Transport = None  # type: ignore[assignment]  # set by connection_made
        self.other: Pipe | None = None
        self._early: list[bytes] = []

    def join(self, other: Pipe) -> None:
        """Connect both ends. What came in before goes out first."""
        for one, another in ((self, other), (other, self)):
            one.other = another
            one.transport.set_write_buffer_limits(MOST_WAITING)
            for data in one._early:  # noqa: SLF001 - of the same class
                another.transport.write(data)
            one._early.clear()  # noqa: SLF001

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        if self.other is None:
            self._early.append(data)
        else:
            self.other.transport.write(data)

    def pause_writing(self) -> None:
        if self.other is not None:
            self.other.transport.pause_reading()

    def resume_writing(self) -> None:
        if self.other is not None and not self.other.transport.is_closing():
            self.other.transport.resume_reading()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - how it went changes nothing
        if self.other is not None:
            self.other.transport.close()


class Made(Protocol):
    """A connection as uvicorn hands it over (`TransportProxy`)."""

    transport: asyncio.Transport
    counted: OpenConnection


class RoutedSocket(Pipe):
    """A socket whose request has come, until it is known where it belongs. Then a `WebSocket` takes the connection
    over, or it is one end of a relay.
    """

    def __init__(
        self, route: Route, make_local: Callable[[], WebSocket], open_sockets: set[Any], counts: ConnectionCounts
    ) -> None:
        super().__init__()
        self._route = route
        self._make_local = make_local
        self._open_sockets = open_sockets
        self._counts = counts
        self._made: Made = None  # type: ignore[assignment]  # set by connection_made
        self._task: asyncio.Task[None] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._made = cast("Made", transport)
        super().connection_made(self._made.transport)
        self._open_sockets.add(self)

    def data_received(self, data: bytes) -> None:
        """Read the head, which comes as a whole, and then what a client sends too early."""
        if self._task is None:
            self._task = asyncio.create_task(self._find(data))
            return
        super().data_received(data)
        if self.other is None and sum(map(len, self._early)) > MOST_EARLY:
            self.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self._open_sockets.discard(self)
        self._counts.leave(self._made.counted)
        if self.other is not None:
            self._counts.relayed -= 1
        elif self._task is not None:
            self._task.cancel()
        super().connection_lost(exc)

    def shutdown(self) -> None:
        """End the relay because the server stops."""
        self.transport.close()

    async def _find(self, head: bytes) -> None:
        request = parse_head(head)
        if request is None:
            self._serve(head)  # which refuses it with the reason
            return
        try:
            place = await self._route(request.path)
            if isinstance(place, Target):
                await self._try_relay(request, place)
            elif place is None:
                self._serve(head)
            else:
                self._refuse(place)
        except Exception:
            log.exception("a socket finds no node")
            self._refuse(HTTPStatus.SERVICE_UNAVAILABLE)

    def _serve(self, head: bytes) -> None:
        self._open_sockets.discard(self)
        socket = self._make_local()
        socket.connection_made(cast("asyncio.BaseTransport", self._made))
        self.transport.set_protocol(socket)
        for data in (head, *self._early):
            socket.data_received(data)

    async def _try_relay(self, request: Request, target: Target) -> None:
        try:
            await self._relay(request, target)
        except OSError as error:
            log.warning("the node at %s is not reached: %s", target.address, type(error).__name__)
            self._refuse(HTTPStatus.SERVICE_UNAVAILABLE)

    async def _relay(self, request: Request, target: Target) -> None:
        async with asyncio.timeout(WITHIN):
            _, end = await asyncio.get_running_loop().create_connection(Pipe, *split_address(target.address))
        headers = {TOKEN: target.token, PEER: self._made.counted.peer, BRINGER: target.bringer}
        for name, value in headers.items():
            if name in request.headers:
                del request.headers[name]
            request.headers[name] = value
        end.transport.write(request.serialize())
        # The owner of the match knows who plays, and closes the connections of strangers when there are too many.
        self._counts.greet(self._made.counted, self._made.counted.address, plays=True)
        self.join(end)
        self._counts.relayed += 1
        if self.transport.is_closing():
            end.transport.close()

    def _refuse(self, status: HTTPStatus) -> None:
        self.transport.write(write_refusal(status))
        self.transport.close()


def make_routed_class(route: Route, answer: Answer, counts: ConnectionCounts, config: Config) -> type[asyncio.Protocol]:
    """Return uvicorn's class of web sockets for a node; see `make_web_socket_class`."""

    def make(server_state: Any, **_given: object) -> RoutedSocket:
        sockets = server_state.connections
        return RoutedSocket(route, lambda: WebSocket(answer, sockets, counts, config), sockets, counts)

    return cast("type[asyncio.Protocol]", make)


class Inlet(asyncio.Protocol):
    """A connection to the relay port: reads the head, checks the token, and hands over to a `WebSocket`."""

    def __init__(self, port: RelayPort) -> None:
        self._port = port
        self._data = b""
        self._timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        self._timer = asyncio.get_running_loop().call_later(WITHIN, self._transport.abort)

    def data_received(self, data: bytes) -> None:
        self._data += data
        head, end, rest = self._data.partition(b"\r\n\r\n")
        if end:
            self._port.admit(self._transport, head + end, rest)
        elif len(self._data) > MOST_HEAD:
            self._transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - nothing depends on it
        self.calm()

    def calm(self) -> None:
        """Stop waiting for the head."""
        if self._timer is not None:
            self._timer.cancel()


class RelayPort:
    """The port at which other nodes bring sockets. Use: `await open(...)`, at the end `await close()`."""

    def __init__(self, answer: Answer, counts: ConnectionCounts, config: Config) -> None:
        self._answer = answer
        self._counts = counts
        self._config = config
        self._open_sockets: set[Any] = set()
        self._bringers: WeakKeyDictionary[WebSocket, str] = WeakKeyDictionary()
        self._strangers: set[str] = set()
        self._server: asyncio.Server | None = None
        self.token = ""

    async def open(self, advertised: str) -> None:
        """Listen at the address that other nodes know. Raises OSError."""
        self._server = await asyncio.get_running_loop().create_server(lambda: Inlet(self), *split_address(advertised))

    async def close(self) -> None:
        """Close the port and all its sockets."""
        if self._server is not None:
            self._server.close()
        for socket in tuple(self._open_sockets):
            socket.shutdown()

    def lose(self, nodes: Mapping[str, int]) -> None:
        """End the sockets that nodes brought which have fallen silent. `nodes`: the time of each one's last sign."""
        for socket, node in tuple(self._bringers.items()):
            if node in nodes:
                socket.lose(nodes[node])

    def admit(self, transport: asyncio.Transport, head: bytes, rest: bytes) -> None:
        """Serve a relayed request, or refuse a stranger."""
        cast("Inlet", transport.get_protocol()).calm()
        request = parse_head(head)
        given = request.headers.get_all(TOKEN) if request is not None else []
        known = len(given) == 1 and bool(self.token) and hmac.compare_digest(given[0].encode(), self.token.encode())
        if request is None or not known:
            self._turn_away(transport)
            return
        if request.path == REACHED:
            transport.write(write_refusal(HTTPStatus.NO_CONTENT))
            transport.close()
            return
        counted = OpenConnection("".join(request.headers.get_all(PEER)), transport.abort)
        if not self._counts.enter(counted):
            transport.abort()
            return
        socket = WebSocket(self._answer, self._open_sockets, self._counts, self._config)
        self._bringers[socket] = "".join(request.headers.get_all(BRINGER))
        socket.connection_made(cast("asyncio.BaseTransport", Carrier(transport, counted)))
        transport.set_protocol(socket)
        for data in filter(None, (head, rest)):
            socket.data_received(data)

    def _turn_away(self, transport: asyncio.Transport) -> None:
        address = str((transport.get_extra_info("peername") or ("",))[0])
        if address not in self._strangers and len(self._strangers) < MOST_STRANGERS:
            self._strangers.add(address)
            log.warning("a stranger came to the relay port")
        # A node with a token of yesterday passes this answer on, and its proxy then tries another node.
        transport.write(write_refusal(HTTPStatus.SERVICE_UNAVAILABLE))
        transport.close()
