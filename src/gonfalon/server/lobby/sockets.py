"""The lobby's sockets. As with matches, bytes are parsed once, and whatever is no message changes nothing."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Callable
from http import HTTPStatus

import msgspec
from websockets.http11 import Request

from gonfalon.server.config import Config
from gonfalon.server.lobby.lobby import Lobby
from gonfalon.server.lobby.windows import Window, encode
from gonfalon.server.net.openings import Caller, Openings
from gonfalon.server.net.session_sockets import SessionSockets
from gonfalon.server.net.web_sockets import REFUSED, TRY_AGAIN, Listener, WebSocket
from gonfalon.server.protocol.lobby_messages import FromLobby, LobbyHello
from gonfalon.server.protocol.messages import Ping, Pong, Refused
from gonfalon.server.protocol.parsing import parse
from gonfalon.server.protocol.refusals import Declined

log = logging.getLogger("gonfalon.lobby")
_PATH = re.compile(r"/api/lobby/socket(?:\?.*)?")
_decoder = msgspec.json.Decoder(FromLobby)
_PONG = encode(Pong())
MOST_EARLY = 8
"""Maximum number of messages between `LobbyHello` and its answer."""


class LobbySockets:
    """All sockets of the lobby."""

    def __init__(self, find_lobby: Callable[[], Lobby], config: Config) -> None:
        """`find_lobby`: returns the present lobby; a node has a new one each time when people begin to meet there."""
        self.find_lobby = find_lobby
        self.config = config
        self.let_in = SessionSockets()
        self._openings = Openings(config)

    def answer(self, socket: WebSocket, request: Request) -> Listener | HTTPStatus:
        """Return the listener for a socket that a client wants to open, or the HTTP status that refuses it."""
        if not _PATH.fullmatch(request.path):
            return HTTPStatus.NOT_FOUND
        caller = self._openings.check(socket.counted.peer, request)
        return caller if isinstance(caller, HTTPStatus) else LobbySocket(self, socket, caller)


class LobbySocket:
    """The messages of one socket: first `LobbyHello`, then the others."""

    def __init__(self, sockets: LobbySockets, socket: WebSocket, caller: Caller) -> None:
        config = sockets.config
        self._lobby = sockets.find_lobby()
        self._let_in = sockets.let_in
        self._session = ""
        """Hash of the session that let this socket in."""
        self._socket = socket
        self._address = caller.address
        self._caller = caller
        self._size = config.message_size
        self._window: Window | None = None
        self._entering: asyncio.Task[None] | None = None
        self._early: list[FromLobby] = []
        self._patience = asyncio.get_running_loop().call_later(config.hello_within, self.refuse, Declined("no-hello"))

    def receive(self, data: bytes) -> None:
        """Handle one message of the client."""
        try:
            message: FromLobby = parse(_decoder, data, self._size)
            if self._window is not None:
                self._pass_on(message, self._window)
            elif self._entering is not None:
                self._keep_early(message)
            elif isinstance(message, LobbyHello):
                self._patience.cancel()
                self._socket.pause()
                self._entering = asyncio.create_task(self._enter(message))
            else:
                raise Declined("no-hello")
        except Declined as refusal:
            self._socket.send(encode(Refused(refusal.line)))

    def overflow(self) -> None:
        """Refuse a client that sends far more than its rate limit allows."""
        self._socket.send(encode(Refused(Declined("too-many").line)))

    def disconnect(self) -> None:
        """Leave the lobby because the socket is closed."""
        self._patience.cancel()
        self._let_in.drop(self, self._session)
        if self._entering is not None:
            self._entering.cancel()
        if self._window is not None:
            self._lobby.leave(self._window)

    def _pass_on(self, message: FromLobby, window: Window) -> None:
        """Handle a message after `LobbyHello`. Raises `Declined`."""
        if isinstance(message, Ping):
            window.send(_PONG)
        elif isinstance(message, LobbyHello):
            raise Declined("bad-message", detail="a second hello")
        else:
            self._lobby.submit(window, message)

    def _keep_early(self, message: FromLobby) -> None:
        """Keep a message that was read before the person was known. Raises `Declined`: `too-many`."""
        if len(self._early) >= MOST_EARLY:
            raise Declined("too-many")
        self._early.append(message)

    async def _enter(self, hello: LobbyHello) -> None:
        """Find the person of the cookie, and enter the lobby."""
        try:
            visitor = await self._lobby.visitors.recognise(self._caller.cookies, self._caller.secure)
            self._socket.greet(self._address, plays=False)
        except Declined as refusal:
            self.refuse(refusal)
            return
        except Exception:
            log.exception("a visitor of the lobby cannot be recognised")
            self._socket.close(TRY_AGAIN)
            return
        finally:
            self._socket.resume()
        if visitor is not None:
            self._session = visitor.session
            self._let_in.note(self, visitor.session)
        window = self._window = Window(self._socket, hello.window, self._address, visitor)
        self._lobby.enter(window)
        for message in self._early:
            try:
                self._pass_on(message, window)
            except Declined as refusal:
                window.refuse(refusal)
        self._early.clear()

    def end_session(self) -> None:
        """Let the page connect again, without the session that has ended."""
        self._socket.close(TRY_AGAIN)

    def refuse(self, refusal: Declined) -> None:
        """Send the reason of a refusal, and close the socket."""
        self._socket.send(encode(Refused(refusal.line)))
        self._socket.close(REFUSED)
