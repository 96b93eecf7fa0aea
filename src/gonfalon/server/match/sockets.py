"""The sockets of matches. Bytes are parsed once, into the closed set of messages; anything else is refused with a code
and changes nothing.
"""

from __future__ import annotations

import asyncio
import logging
import re
from http import HTTPStatus

import msgspec
import sqlalchemy as sa
from websockets.http11 import Request

from gonfalon.engine.game import PUBLIC
from gonfalon.engine.rulesets.ruleset import RulesetError
from gonfalon.server.config import Config
from gonfalon.server.match.clients import costs
from gonfalon.server.match.clients.client import Client
from gonfalon.server.match.clients.frames import encode
from gonfalon.server.match.owning import ElsewhereError
from gonfalon.server.match.persons import NoPersons, OpenSession, Visitors
from gonfalon.server.match.registry import Registry
from gonfalon.server.match.state import MatchState
from gonfalon.server.match.task import MatchTask
from gonfalon.server.net.openings import Caller, Openings
from gonfalon.server.net.session_sockets import SessionSockets
from gonfalon.server.net.web_sockets import REFUSED, TRY_AGAIN, Listener, WebSocket
from gonfalon.server.protocol.messages import Act, FromPage, Hello, Ping, Pong, Refused
from gonfalon.server.protocol.parsing import parse
from gonfalon.server.protocol.refusals import Declined
from gonfalon.server.storage.writer import StoreError

log = logging.getLogger("gonfalon.socket")

_PATH = re.compile(r"/api/matches/([^/?]+)/socket(?:\?.*)?")
_decoder = msgspec.json.Decoder(FromPage)
_PONG = encode(Pong())


def find_match(path: str) -> str | None:
    """Return the match to which the path of a socket leads; None if it leads to none."""
    found = _PATH.fullmatch(path)
    return None if found is None else found[1]


class MatchSockets:
    """All sockets of the process."""

    def __init__(self, registry: Registry, config: Config) -> None:
        self.registry = registry
        self.config = config
        self.visitors: Visitors = NoPersons()
        self.let_in = SessionSockets()
        self._openings = Openings(config)

    def answer(self, socket: WebSocket, request: Request) -> Listener | HTTPStatus:
        """Return the listener for a socket that a client wants to open, or the HTTP status that refuses it."""
        match = find_match(request.path)
        if match is None:
            return HTTPStatus.NOT_FOUND
        caller = self._openings.check(socket.counted.peer, request)
        return caller if isinstance(caller, HTTPStatus) else ClientSocket(self, socket, match, caller)


class ClientSocket:
    """The messages of one socket: first `Hello`, then the messages for the match."""

    def __init__(self, sockets: MatchSockets, socket: WebSocket, name: str, caller: Caller) -> None:
        config = sockets.config
        self._sockets = sockets
        self._socket = socket
        self._name = name
        self._address = caller.address
        self._caller = caller
        self._session = ""
        """Hash of the session that let this socket in."""
        self._size = config.message_size
        self._client: Client | None = None
        self._match: MatchTask | None = None
        self._entering: asyncio.Task[None] | None = None
        self._early: list[FromPage] = []
        self._patience = asyncio.get_running_loop().call_later(config.hello_within, self.refuse, Declined("no-hello"))

    def receive(self, data: bytes) -> None:
        """Handle one message of the client."""
        try:
            message: FromPage = parse(_decoder, data, self._size)
            if self._client is not None:
                self._pass_on(message, self._client)
            elif self._entering is not None:
                self._early.append(message)
            else:
                self._greet(message)
        except Declined as refusal:
            self._socket.send(encode(Refused(refusal.line)))

    def overflow(self) -> None:
        """Refuse a client that sends far more than its rate limit allows."""
        self._socket.send(encode(Refused(Declined("too-many").line)))

    def disconnect(self) -> None:
        """Leave the match because the socket is closed."""
        self._patience.cancel()
        self._sockets.let_in.drop(self, self._session)
        if self._entering is not None:
            self._entering.cancel()
        if self._match is not None and self._client is not None:
            self._match.leave(self._client, self._socket.lost_since)

    def _pass_on(self, message: FromPage, client: Client) -> None:
        """Handle a message after `Hello`. Raises `Declined`."""
        assert self._match is not None
        if self._match.closed:
            client.close(TRY_AGAIN)
        elif isinstance(message, Ping):
            client.push(_PONG)
        elif isinstance(message, Hello):
            raise Declined("bad-message", detail="a second hello")
        else:
            self._match.submit(client, message)

    def _greet(self, message: FromPage) -> None:
        """Handle the first message, which must be `Hello`. Reading pauses until the match is found."""
        if isinstance(message, Hello):
            self._patience.cancel()
            self._socket.pause()
            self._entering = asyncio.create_task(self._enter(message))
        else:
            self._socket.send(encode(Refused(Declined("no-hello").line, message.n if isinstance(message, Act) else 0)))

    async def _enter(self, hello: Hello) -> None:
        try:
            await asyncio.sleep(self._sockets.registry.work.spend(self._address, costs.JOIN))
            session = await self._sockets.visitors.recognise(self._caller.cookies, self._caller.secure)
            match = await self._find()
            client = self._make_client(match.state, hello, session)
            self._socket.greet(self._address, client.observer >= 0)
        except Declined as refusal:
            self.refuse(refusal)
            return
        except ElsewhereError:
            self._socket.close(TRY_AGAIN)
            return
        except (StoreError, sa.exc.SQLAlchemyError) as error:
            log.warning("match %s cannot be opened now: %s", self._name, type(error).__name__)
            self._socket.close(TRY_AGAIN)
            return
        except Exception:
            log.exception("match %s cannot be opened", self._name)
            self._socket.close(TRY_AGAIN)
            return
        finally:
            self._socket.resume()
        match.join(client, hello.seq)
        self._match, self._client = match, client
        for message in self._early:
            try:
                self._pass_on(message, client)
            except Declined as refusal:
                client.push(encode(Refused(refusal.line)))
        self._early.clear()

    def _make_client(self, match_state: MatchState, hello: Hello, session: OpenSession | None) -> Client:
        """Return the client of a `Hello`. Raises `Declined` for a secret or invitation that opens nothing."""
        person = session.person if session is not None else ""
        observer = match_state.keys.find_place(hello.secret, hello.invitation).observer
        owned = match_state.find_owned(person, hello.side) if person and observer == PUBLIC else None
        if session is not None and owned is not None:
            observer, self._session = owned, session.hash
            self._sockets.let_in.note(self, session.hash)
        return Client(
            self._socket,
            observer,
            hello.secret,
            hello.invitation,
            hello.window,
            address=self._address,
            hints=hello.hints and observer >= 0,
            person=person,
            owns=owned is not None,
        )

    async def _find(self) -> MatchTask:
        try:
            return await self._sockets.registry.find(self._name)
        except RulesetError as error:
            log.exception("match %s cannot be loaded", self._name)
            raise Declined("no-match") from error

    def end_session(self) -> None:
        """Say that the session has ended, so that the page does not turn into a spectator's."""
        self.refuse(Declined("session-ended"))

    def refuse(self, refusal: Declined) -> None:
        """Send the reason of a refusal, and close the socket."""
        self._socket.send(encode(Refused(refusal.line)))
        self._socket.close(REFUSED)
