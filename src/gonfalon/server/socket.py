"""The match socket: one parse into the closed set of messages; whatever is wrong is refused by name and changes nothing."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from typing import Any
from urllib.parse import urlsplit

import msgspec
from litestar.types import Receive, Scope, Send

from gonfalon.engine.game import PUBLIC
from gonfalon.engine.ruleset import RulesetError
from gonfalon.server.config import Config
from gonfalon.server.connection import REFUSED, TRY_AGAIN, Connection
from gonfalon.server.declined import Declined
from gonfalon.server.frames import frame
from gonfalon.server.limits import TokenBucket
from gonfalon.server.lobby import Lobby
from gonfalon.server.match import Match
from gonfalon.server.messages import Act, FromPage, Hello, Ping, Pong, Refused
from gonfalon.server.secret import seat_of

log = logging.getLogger("gonfalon.socket")
MOST_REFUSED = 500
"""A connection that was refused this many messages for sending too fast is closed."""

_decoder = msgspec.json.Decoder(FromPage)
_PONG = frame(Pong())


class Closed(Exception):  # noqa: N818 - how a connection ends, no error
    """The other end has gone."""


class Sockets:
    """The ASGI application of match sockets."""

    def __init__(self, lobby: Lobby, config: Config) -> None:
        self._lobby = lobby
        self._config = config
        self._open = 0

    async def serve(self, match: str, scope: Scope, receive: Receive, send: Send) -> None:
        """One connection from opening to end."""
        await receive()
        if not same_host(scope):
            await send({"type": "websocket.close", "code": 4403, "reason": "foreign origin"})
            return
        await send({"type": "websocket.accept", "subprotocol": None, "headers": []})
        self._open += 1
        try:
            await self._talk(match, receive, send)
        finally:
            self._open -= 1

    async def _talk(self, name: str, receive: Receive, send: Send) -> None:
        reader = _Reader(self._config, receive)
        try:
            if self._open > self._config.most_connections:
                raise Declined("too-many")
            hello = await self._hello(reader, send)
            connection, match = await self._enter(name, hello)
        except Closed:
            return
        except Declined as refusal:
            await _send(send, frame(Refused(refusal.line)))
            await _close(send, REFUSED)
            return
        writer = asyncio.create_task(_write(connection, send))
        try:
            await _listen(reader, connection, match)
        except Closed:
            log.debug("a connection has gone")
        finally:
            match.leave(connection)
            writer.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await writer

    async def _hello(self, reader: _Reader, send: Send) -> Hello:
        try:
            async with asyncio.timeout(self._config.hello_within):
                while True:
                    try:
                        message = await reader.next()
                    except Declined as refusal:
                        await _send(send, frame(Refused(refusal.line)))
                        continue
                    if isinstance(message, Hello):
                        return message
                    await _send(send, frame(Refused(Declined("no-hello").line, _number(message))))
        except TimeoutError:
            raise Declined("no-hello") from None

    async def _enter(self, name: str, hello: Hello) -> tuple[Connection, Match]:
        try:
            match = await self._lobby.find(name)
        except RulesetError as error:
            log.exception("match %s cannot be loaded", name)
            raise Declined("no-match") from error
        header = match.sitting.header
        observer = PUBLIC
        if hello.secret:
            seat = seat_of(hello.secret, [s.secret for s in header.seats])
            if seat is None:
                raise Declined("no-seat")
            observer = seat
        connection = Connection(observer, hello.secret)
        match.join(connection, hello.seq)
        return connection, match


class _Reader:
    """Messages of one connection, parsed and counted."""

    def __init__(self, config: Config, receive: Receive) -> None:
        self._size = config.message_size
        self._bucket = TokenBucket(config.message_rate, config.message_burst)
        self._receive = receive
        self._refused = 0

    async def next(self) -> FromPage:
        """The next message. Raises `Declined` for a bad one, `Closed` at the end."""
        event = await self._receive()
        if event["type"] != "websocket.receive":
            raise Closed
        if not self._bucket.take():
            self._refused += 1
            if self._refused > MOST_REFUSED:
                raise Closed
            raise Declined("too-many")
        data: Any = event.get("text") or event.get("bytes") or b""
        if len(data) > self._size:
            raise Declined("too-large")
        try:
            message: FromPage = _decoder.decode(data)
        except (msgspec.DecodeError, RecursionError, UnicodeError) as error:
            raise Declined("bad-message", detail=str(error)[:200]) from error
        return message


async def _listen(reader: _Reader, connection: Connection, match: Match) -> None:
    while True:
        try:
            message = await reader.next()
        except Declined as refusal:
            connection.push(frame(Refused(refusal.line)))
            continue
        if isinstance(message, Ping):
            connection.push(_PONG)
        elif isinstance(message, Hello):
            connection.push(frame(Refused(Declined("bad-message", detail="a second hello").line)))
        elif match.closed:
            connection.close(TRY_AGAIN)
        else:
            match.submit(connection, message)


async def _write(connection: Connection, send: Send) -> None:
    try:
        while frames := await connection.frames():
            for text in frames:
                await send({"type": "websocket.send", "bytes": None, "text": text})
        await _close(send, connection.closing)
    except OSError:
        log.debug("a connection has gone while sending")


async def _send(send: Send, text: str) -> None:
    try:
        await send({"type": "websocket.send", "bytes": None, "text": text})
    except OSError as error:
        raise Closed from error


async def _close(send: Send, code: int) -> None:
    try:
        await send({"type": "websocket.close", "code": code, "reason": None})
    except (OSError, RuntimeError):
        log.debug("a connection was closed already")


def _number(message: FromPage) -> int:
    return message.n if isinstance(message, Act) else 0


def same_host(scope: Scope) -> bool:
    """Whether a browser opened the socket from a page of this very host; what sends no `Origin` is no browser."""
    headers = dict(scope["headers"])
    origin = headers.get(b"origin")
    if origin is None:
        return True
    host = headers.get(b"host", b"").decode("latin-1").lower()
    return urlsplit(origin.decode("latin-1")).netloc.lower() == host
