"""The web sockets of matches. A message goes to its listener as soon as it is read; writing a frame never waits.

`WebSocket` replaces uvicorn's own socket class (`ws=` in `app.serve`). That class serves ASGI applications: it needs
two tasks and a queue per socket, and several awaits per message (docs/decisions/0007 has the figures). The sans-I/O
part of `websockets` reads and writes the bytes of the protocol. `make_web_socket_class` describes the interface to
uvicorn.
"""

from __future__ import annotations

import asyncio
import secrets as randomness
import struct
import time
from collections.abc import Callable
from http import HTTPStatus
from typing import Any, Protocol, cast

from websockets.exceptions import InvalidState
from websockets.frames import CloseCode, Frame, Opcode
from websockets.http11 import Request
from websockets.protocol import SEND_EOF, State
from websockets.server import ServerProtocol

from gonfalon.server.config import Config
from gonfalon.server.net.connection_counts import ConnectionCounts
from gonfalon.server.net.http_connections import TransportProxy
from gonfalon.server.net.rate_limits import TokenBucket
from gonfalon.server.net.throttling import ThrottledReader

GONE, TRY_AGAIN, REFUSED, REPLACED, LOST = 1001, 1013, 4000, 4001, 1011
"""Close codes. GONE: the server stops. TRY_AGAIN: the match must be opened again. REFUSED: the opening was refused, or
the client sent too much. REPLACED: the seat was opened in too many other windows. LOST: the client is silent.
"""
LARGEST = 131_072
"""Maximum number of bytes of an incoming message: they all may wait in memory for the last one. The listener may set
smaller limits.
"""
MOST_PARTS = 64
"""Maximum number of frames of one message."""
MOST_OWED = 1_000
"""Maximum number of frames beyond the rate limit before the bucket is full again. A client that sends more is closed.
"""
ALIVE = 20.0
"""Seconds between two pings. If a client sends nothing between them, not even the pong, its connection is lost."""
MEASURED = 3.0
"""Seconds between two pings that measure the time of an answer."""
GATHERED = 65_536
"""Bytes of messages after which a socket does not wait for more of the same round before it writes."""
LINGER = 10.0
"""Seconds that the client gets to answer a close frame."""


class Listener(Protocol):
    """Receiver of the messages of one socket."""

    def receive(self, data: bytes) -> None:
        """Handle a whole message, text or binary."""

    def overflow(self) -> None:
        """Handle a client that has sent far too much; its socket will be closed."""

    def disconnect(self) -> None:
        """Handle the end of the socket; nothing follows."""


Answer = Callable[["WebSocket", Request], "Listener | HTTPStatus"]
"""Returns the listener for a socket that a client wants to open, or the HTTP status that refuses it."""


class WebSocket(asyncio.Protocol):
    """One web socket, from its handshake to its end."""

    def __init__(
        self, answer: Answer, open_sockets: set[Any], connection_counts: ConnectionCounts, config: Config
    ) -> None:
        self._answer = answer
        self._open_sockets = open_sockets
        self._connection_counts = connection_counts
        self._config = config
        self._most_waiting = config.most_waiting
        self._most_gathered = min(GATHERED, config.most_waiting)
        self._backlog = connection_counts.backlog
        self._ws = ServerProtocol(max_size=LARGEST)
        self._transport: asyncio.Transport = None  # type: ignore[assignment]  # set by connection_made
        self._listener: Listener | None = None
        self._loop = asyncio.get_running_loop()
        self._parts: list[bytes] = []
        self._out: list[bytes] = []
        self._unwritten = 0
        self._cut = False
        self._waits = False
        self._silent = False
        self._note: Callable[[int], None] | None = None
        self._measured = b""
        self._sent_at = 0.0
        self._measuring: asyncio.TimerHandle | None = None
        self._ending = False
        self._timer: asyncio.TimerHandle | None = None
        self.lost_since: int | None = None
        """Moment (`monotonic_ms`) since which a fault of the server may have kept the client's messages away."""

    # ---- what a listener calls --------------------------------------------------------------------------------

    def send(self, text: bytes) -> None:
        """Send a UTF-8 message. All messages of one round of the event loop go out in one write, because the system
        call is most of the cost.

        A closing socket sends nothing. A client that does not read is closed.
        """
        if self._ws.state is State.OPEN and not self._cut:
            if not self._out:
                self._loop.call_soon(self._write)
            self._out += (_header(len(text)), text)
            self._unwritten += len(text)
            if self._unwritten > self._most_gathered:
                self._write()

    def close(self, code: int) -> None:
        """Close the socket after the messages sent so far."""
        try:
            self._ws.send_close(code)
        except InvalidState:
            return  # the socket is already closing
        self._flush()

    def pause(self) -> None:
        """Stop reading for now. A few messages that were already read may still reach the listener."""
        self._reader.hold()

    def resume(self) -> None:
        if not self._transport.is_closing():
            self._reader.release()

    def measure(self, note: Callable[[int], None] | None) -> None:
        """Send a ping every few seconds, and note the milliseconds until its answer. None: no longer."""
        self._note = note
        if note is not None and self._measuring is None:
            self._send_measured()

    def greet(self, address: str, plays: bool) -> None:
        """Give the connection its role, once the client has sent its `Hello`. Raises `Declined`: `too-many`, for a
        spectator.
        """
        self._connection_counts.greet(self.counted, address, plays)

    # ---- what the backlog calls -------------------------------------------------------------------------------

    @property
    def address(self) -> str:
        return self.counted.address

    def count_unsent(self) -> int:
        return self._transport.get_write_buffer_size()

    def cut(self) -> None:
        """Disconnect a client that reads too slowly; it can come back and resume."""
        self._cut = True
        self._transport.abort()

    # ---- what uvicorn and the event loop call -----------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        proxy = cast("TransportProxy", transport)
        self._transport, self.counted = proxy.transport, proxy.counted
        config = self._config
        bucket = TokenBucket(config.message_rate, config.message_burst)
        self._reader = ThrottledReader(self._transport, self._parse, bucket)
        self._open_sockets.add(self)

    def data_received(self, data: bytes) -> None:
        self._reader.receive(data)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - how it went changes nothing
        self._open_sockets.discard(self)
        self._connection_counts.leave(self.counted)
        self._backlog.forget(self)
        self._note = None
        self._reader.close()
        self._out.clear()
        self._ws.receive_eof()
        if self._timer is not None:
            self._timer.cancel()
        listener, self._listener = self._listener, None
        if listener is not None:
            listener.disconnect()

    def lose(self, since: int) -> None:
        """End the socket because nothing comes through any more, and the client cannot help it."""
        self.lost_since = since
        self._transport.abort()

    def shutdown(self) -> None:
        """Close the socket because the server stops."""
        self.close(GONE)
        self._transport.close()

    # ---- within -----------------------------------------------------------------------------------------------

    def _parse(self, data: bytes) -> float:
        """Handle the complete frames in `data`. Return their cost: one per frame, and one per kB."""
        if self._transport.is_closing():
            return 0
        self._silent = False
        self._ws.receive_data(data)
        events = self._ws.events_received()
        for event in events:
            if isinstance(event, Frame):
                self._hear(event)
            elif isinstance(event, Request):
                self._shake_hands(event)
        self._flush()
        if self._reader.owed > MOST_OWED and self._ws.state is State.OPEN:
            if self._listener is not None:
                self._listener.overflow()
            self.close(REFUSED)
            self._transport.close()  # a client that is still sending would not react to the close frame
        return len(events) + len(data) / 1024

    def _shake_hands(self, request: Request) -> None:
        response = self._ws.accept(request)
        if response.status_code == HTTPStatus.SWITCHING_PROTOCOLS:
            answer = self._answer(self, request)
            if isinstance(answer, HTTPStatus):
                response = self._ws.reject(answer, answer.phrase + "\n")
            else:
                self._listener = answer
                self._timer = self._loop.call_later(ALIVE, self._ping)
        self._ws.send_response(response)

    def _hear(self, event: Frame) -> None:
        """Join the frames of a message. `ServerProtocol` itself answers pings and closes."""
        if event.opcode is Opcode.PONG and self._note is not None and bytes(event.data) == self._measured != b"":
            self._measured = b""
            self._note(round((time.monotonic() - self._sent_at) * 1000))
            return
        if event.opcode not in (Opcode.TEXT, Opcode.BINARY, Opcode.CONT):
            return
        data = bytes(event.data)
        if not event.fin or self._parts:
            self._parts.append(data)
            if len(self._parts) > MOST_PARTS:
                self._parts.clear()
                self._ws.fail(CloseCode.MESSAGE_TOO_BIG)
                return
            if not event.fin:
                return
            data = b"".join(self._parts)
            self._parts.clear()
        if self._listener is not None and self._ws.state is State.OPEN:
            self._listener.receive(data)

    def _write(self) -> None:
        if self._out:
            self._put(b"".join(self._out))
            self._out.clear()
            self._unwritten = 0

    def _put(self, data: bytes) -> None:
        """Write bytes to the system. A client that does not read them is disconnected."""
        if self._cut:
            return
        self._transport.write(data)
        unsent = self._transport.get_write_buffer_size()
        if unsent > self._most_waiting:
            self.cut()
        elif unsent or self._waits:
            self._waits = unsent > 0
            self._backlog.note(self, unsent)

    def _flush(self) -> None:
        """Write the frames that the protocol wants to send. If the closing handshake is done, end the socket."""
        if out := self._ws.data_to_send():
            self._write()
            self._put(b"".join(out))
            if SEND_EOF in out:
                self._transport.close()
            elif self._ws.close_expected() and not self._ending:
                self._await_end()

    def _await_end(self) -> None:
        self._ending = True
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._loop.call_later(LINGER, self._transport.abort)

    def _send_measured(self) -> None:
        """Send a ping with random content, so that its answer cannot be sent before it."""
        self._measuring = None
        if self._note is None or self._ws.state is not State.OPEN or self._cut:
            return
        self._measured, self._sent_at = randomness.token_bytes(4), time.monotonic()
        self._ws.send_ping(self._measured)
        self._flush()
        self._measuring = self._loop.call_later(MEASURED, self._send_measured)

    def _ping(self) -> None:
        if self._silent:
            self._ws.fail(LOST)
            self._flush()
            self._await_end()
            return
        self._silent = True
        self._ws.send_ping(b"")
        self._flush()
        self._timer = self._loop.call_later(ALIVE, self._ping)


def make_web_socket_class(
    answer: Answer, connection_counts: ConnectionCounts, config: Config
) -> type[asyncio.Protocol]:
    """Return uvicorn's class of web sockets.

    uvicorn calls it with keywords for each upgraded request. Then it hands over the transport (a `TransportProxy`) by
    `connection_made` and the bytes of the request by `data_received`. When uvicorn stops, it calls `shutdown` of every
    object in `server_state.connections` and waits until that set is empty.
    """

    def make(server_state: Any, **_given: object) -> WebSocket:
        return WebSocket(answer, server_state.connections, connection_counts, config)

    return cast("type[asyncio.Protocol]", make)


def _header(size: int) -> bytes:
    """Return the head of an unmasked text frame that is a whole message (RFC 6455, 5.2)."""
    if size < 126:
        return bytes((0x81, size))
    if size < 65_536:
        return struct.pack("!BBH", 0x81, 126, size)
    return struct.pack("!BBQ", 0x81, 127, size)
