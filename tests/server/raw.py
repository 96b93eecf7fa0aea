"""Clients that keep to no rule: bytes on a socket, without a library in between."""

from __future__ import annotations

import base64
import contextlib
import os
import socket
import struct
from collections.abc import Iterator

from server.harness import PATIENCE, Server

TEXT, PING, CONTINUATION = 0x1, 0x9, 0x0


def frame(opcode: int, payload: bytes = b"", fin: bool = True) -> bytes:
    """A masked frame (RFC 6455, 5.2); the mask is zero, so that the payload stands in it as it is."""
    head = bytes(((0x80 if fin else 0) | opcode,))
    if len(payload) < 126:
        size = bytes((0x80 | len(payload),))
    elif len(payload) < 65_536:
        size = struct.pack("!BH", 0x80 | 126, len(payload))
    else:
        size = struct.pack("!BQ", 0x80 | 127, len(payload))
    return head + size + b"\0\0\0\0" + payload


@contextlib.contextmanager
def plug(server: Server) -> Iterator[socket.socket]:
    """A connection that says nothing."""
    with socket.create_connection(("127.0.0.1", server.port), PATIENCE) as plugged:
        yield plugged


@contextlib.contextmanager
def upgraded(server: Server, match: str, hello: str | None = None) -> Iterator[socket.socket]:
    """A socket of a match after its handshake, and its `Hello` if one is given."""
    key = base64.b64encode(os.urandom(16)).decode()
    lines = (
        f"GET /api/matches/{match}/socket HTTP/1.1",
        f"Host: 127.0.0.1:{server.port}",
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        f"Sec-WebSocket-Key: {key}",
    )
    with plug(server) as plugged:
        plugged.sendall("\r\n".join((*lines, "", "")).encode())
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            head += plugged.recv(1)
        assert b" 101 " in head, head
        if hello is not None:
            plugged.sendall(frame(TEXT, hello.encode()))
        yield plugged


def flood(plugged: socket.socket, piece: bytes, most: int) -> int:
    """Sends `piece` again and again, `most` bytes at most, until nothing is taken for a second or the connection is
    closed. Returns how many bytes were taken.
    """
    plugged.settimeout(1)
    block = piece * max(1, 65_536 // len(piece))
    sent = 0
    with contextlib.suppress(OSError):
        while sent < most:
            sent += plugged.send(block[sent % len(block) :])
    return sent


def is_closed(plugged: socket.socket) -> bool:
    """Whether the server ends the connection; what it sends before that is read."""
    plugged.settimeout(PATIENCE)
    try:
        while plugged.recv(65_536):
            pass
    except TimeoutError:
        return False
    except OSError:
        return True
    return True
