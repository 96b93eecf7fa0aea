"""Clients that break every rule at full speed, for `gonfalon bench server --attack` and the tests. They write bytes to
a socket, without a library.
"""

from __future__ import annotations

import base64
import contextlib
import json
import os
import random
import selectors
import socket
import struct
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from functools import partial
from http.client import HTTPConnection, HTTPException
from itertools import count

TEXT, BINARY, CLOSE, PING, PONG, CONTINUATION = 0x1, 0x2, 0x8, 0x9, 0xA, 0x0
STRANGE = "127.0.0.9"
"""Address of the attackers, different from the player's, so that limits by address do not affect the player."""
GUESS = {"name": "somebody", "password": "a wrong password"}
SOCKETS = 4
"""Number of simultaneous connections of an attacker."""


def frame(opcode: int, payload: bytes = b"", fin: bool = True) -> bytes:
    """Return a masked frame (RFC 6455, 5.2). The mask is zero, so the payload stays unchanged."""
    head = bytes(((0x80 if fin else 0) | opcode,))
    if len(payload) < 126:
        size = bytes((0x80 | len(payload),))
    elif len(payload) < 65_536:
        size = struct.pack("!BH", 0x80 | 126, len(payload))
    else:
        size = struct.pack("!BQ", 0x80 | 127, len(payload))
    return head + size + b"\0\0\0\0" + payload


def say(**message: object) -> bytes:
    """Return a message as a frame."""
    return frame(TEXT, json.dumps(message).encode())


HELLO = say(type="hello")
"""`Hello` of a spectator, and of a page of the lobby."""
FLOODS = {
    "pings": frame(PING),
    "empty parts": frame(CONTINUATION, fin=False),
    "tiny messages": frame(TEXT, b"1"),
    "second hellos": HELLO,
}


@contextlib.contextmanager
def plugged(port: int, source: str = "127.0.0.1", unread: int = 0) -> Iterator[socket.socket]:
    """Open a connection and send nothing. `unread`: number of bytes that the system keeps until they are read, if it is
    not the usual one.
    """
    with socket.socket() as plug:
        if unread:
            plug.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, unread)
        plug.settimeout(60)
        plug.bind((source, 0))
        plug.connect(("127.0.0.1", port))
        yield plug


LOBBY_FLOODS = {
    "messages to the lobby": frame(TEXT, b"1"),
    "waits in the lobby": say(type="seek", game="duel") + say(type="stop-seeking"),
    "challenges in the lobby": say(type="post-challenge", terms={"variant": "barrage"}),
}


def upgraded(
    port: int, match: str, hello: bytes = b"", source: str = "127.0.0.1", unread: int = 0
) -> AbstractContextManager[socket.socket]:
    """Open a match socket with its handshake, and send `hello` if given. Raises OSError."""
    return upgraded_at(port, f"/api/matches/{match}/socket", hello, source, unread)


@contextlib.contextmanager
def upgraded_at(
    port: int, path: str, hello: bytes, source: str, unread: int = 0, cookie: str = ""
) -> Iterator[socket.socket]:
    """Open the socket at `path` with its handshake, and send `hello` if it is not empty. Raises OSError."""
    lines = (
        f"GET {path} HTTP/1.1",
        f"Host: 127.0.0.1:{port}",
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}",
        *((f"Cookie: {cookie}",) if cookie else ()),
    )
    with plugged(port, source, unread) as plug:
        plug.sendall("\r\n".join((*lines, "", "")).encode())
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            if not (byte := plug.recv(1)):
                raise ConnectionError("the server has closed the connection")
            head += byte
        if b" 101 " not in head:
            raise ConnectionError(head.decode().partition("\r\n")[0])
        plug.sendall(hello)
        yield plug


def flood(port: int, match: str, piece: bytes, hello: bytes = b"") -> None:
    """Send `piece` again and again on several sockets of a match."""
    _flood(partial(upgraded, port, match, hello, STRANGE), piece)


def flood_lobby(port: int, _match: str, piece: bytes) -> None:
    """Send `piece` again and again on several sockets of the lobby, as a guest."""
    cookie = make_guest(port, STRANGE)
    _flood(partial(upgraded_at, port, "/api/lobby/socket", HELLO, STRANGE, cookie=cookie), piece)


def _flood(opening: Callable[[], AbstractContextManager[socket.socket]], piece: bytes) -> None:
    """Write to several sockets as fast as possible. Replace each socket that is closed."""
    block = piece * max(1, 65_536 // len(piece))
    with contextlib.ExitStack() as open_ones, selectors.DefaultSelector() as ready:
        while True:
            while len(ready.get_map()) < SOCKETS:
                try:
                    plug = open_ones.enter_context(opening())
                except OSError:
                    time.sleep(0.01)
                    continue
                plug.setblocking(False)
                ready.register(plug, selectors.EVENT_WRITE, [0])
            for key, _ in ready.select(1):
                attacker, sent = key.fileobj, key.data
                assert isinstance(attacker, socket.socket)
                try:
                    sent[0] += attacker.send(block[sent[0] % len(block) :])
                except BlockingIOError:
                    continue
                except OSError:
                    ready.unregister(attacker)
                    attacker.close()


def ask_for_all(port: int, match: str) -> None:
    """Join again and again as a spectator who asks for all steps."""
    while True:
        with contextlib.suppress(OSError), upgraded(port, match, say(type="hello", seq=0), STRANGE) as plug:
            plug.recv(1)


def connect_often(port: int, match: str) -> None:
    """Open sockets and leave at once."""
    while True:
        with contextlib.suppress(OSError), upgraded(port, match, source=STRANGE):
            pass


def ask_for_replays(port: int, match: str) -> None:
    """Ask for replays of a record, six at a time. Each text differs, so that none is in the cache."""
    text = call(port, f"/api/matches/{match}/record").decode()

    def keep_asking(name: int) -> None:
        for number in count():
            named = text.replace("\n\n", f"\nplayer red: {name} {number}\n\n", 1)
            with contextlib.suppress(OSError, HTTPException):
                call(port, "/api/replays", json.dumps({"text": named}))

    with ThreadPoolExecutor(6) as threads:
        list(threads.map(keep_asking, range(6)))


def ask_often(port: int, match: str, path: str) -> None:
    """Ask for the same again and again, six at a time. `path`: with `{}` for the match."""

    def keep_asking(_number: int) -> None:
        while True:
            with contextlib.suppress(OSError, HTTPException):
                call(port, path.format(match))

    with ThreadPoolExecutor(6) as threads:
        list(threads.map(keep_asking, range(6)))


def post_often(port: int, _match: str, path: str, body: str) -> None:
    """Send the same body again and again, six at a time."""

    def keep_posting(_number: int) -> None:
        while True:
            with contextlib.suppress(OSError, HTTPException):
                call(port, path, body)

    with ThreadPoolExecutor(6) as threads:
        list(threads.map(keep_posting, range(6)))


def make_guest(port: int, address: str) -> str:
    """Make a guest on the server; return the cookie of the guest's session. Raises RuntimeError."""
    connection = HTTPConnection("127.0.0.1", port, timeout=60, source_address=(address, 0))
    try:
        connection.request("POST", "/api/guests", "{}", {"Content-Type": "application/json"})
        answer = connection.getresponse()
        answer.read()
        cookies = [value.partition(";")[0] for value in answer.headers.get_all("Set-Cookie") or ()]
    finally:
        connection.close()
    if answer.status >= 400 or not cookies:
        raise RuntimeError(f"no guest was made: {answer.status}")
    return "; ".join(cookies)


def call(port: int, path: str, body: str = "", source: str = STRANGE) -> bytes:
    """Return the body of the answer to a request, not decompressed. Raises OSError, HTTPException."""
    connection = HTTPConnection("127.0.0.1", port, timeout=600, source_address=(source, 0))
    headers = {"Content-Type": "application/json", "Accept-Encoding": "gzip"}
    try:
        connection.request("POST" if body else "GET", path, body or None, headers)
        return connection.getresponse().read()
    finally:
        connection.close()


KINDS: dict[str, Callable[[int, str], None]] = {
    **{name: partial(flood, piece=piece) for name, piece in FLOODS.items()},
    **{f"{name} of a spectator": partial(flood, piece=piece, hello=HELLO) for name, piece in FLOODS.items()},
    "spectators from the start": ask_for_all,
    "handshakes": connect_often,
    "replays": ask_for_replays,
    "records": partial(ask_often, path="/api/matches/{}/record"),
    "pages of a match": partial(ask_often, path="/match/{}"),
    "wrong passwords": partial(post_often, path="/api/login", body=json.dumps(GUESS)),
    **{name: partial(flood_lobby, piece=piece) for name, piece in LOBBY_FLOODS.items()},
    "guests": partial(post_often, path="/api/guests", body="{}"),
}


def make_hostile(rng: random.Random) -> bytes:
    """Return a random hostile frame: binary data, text that is no message, forbidden messages, fragments, control
    frames.
    """
    kinds = ("act", "take-back", "answer-draw", "claim-win", "end-match", "why", "invite", "offer-rematch", "nothing")
    values: tuple[object, ...] = (-1, 0, 1, 2**31, 1e300, "", "x" * 300, [], [[]], {}, None, True, "\ud800")
    match rng.randrange(8):
        case 0:
            return frame(BINARY, rng.randbytes(rng.randrange(60)))
        case 1:
            return frame(TEXT, b"[" * rng.randrange(200))
        case 2:
            return frame(TEXT, json.dumps(rng.choice(values)).encode())
        case 3:
            return frame(PING, rng.randbytes(rng.randrange(125)))
        case 4:
            return frame(PONG, rng.randbytes(rng.randrange(125)))
        case 5:
            whole = json.dumps({"type": rng.choice(kinds)}).encode()
            return frame(TEXT, whole[:5], fin=False) + frame(CONTINUATION, whole[5:])
        case _:
            names = rng.sample(("n", "actions", "path", "accept", "side", "secret", "seq", "extra"), rng.randrange(4))
            return say(type=rng.choice(kinds), **{name: rng.choice(values) for name in names})
