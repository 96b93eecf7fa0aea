"""Clients of the tests that break the protocol, and the server's side of such a client."""

from __future__ import annotations

import contextlib
import socket

from server.harness import PATIENCE


def flood(plug: socket.socket, piece: bytes, most: int) -> int:
    """Send `piece` again and again, at most `most` bytes, until the server accepts nothing for a second or closes the
    connection. Return the number of bytes accepted.
    """
    plug.settimeout(1)
    block = piece * max(1, 65_536 // len(piece))
    sent = 0
    with contextlib.suppress(OSError):
        while sent < most:
            sent += plug.send(block[sent % len(block) :])
    return sent


def is_closed(plug: socket.socket) -> bool:
    """Return whether the server ends the connection; read everything that it sends before."""
    plug.settimeout(PATIENCE)
    try:
        while plug.recv(65_536):
            pass
    except TimeoutError:
        return False
    except OSError:
        return True
    return True


class Transport:
    """A transport that only records whether the server reads from it."""

    def __init__(self) -> None:
        self.reads = True

    def is_closing(self) -> bool:
        return False

    def is_reading(self) -> bool:
        return self.reads

    def pause_reading(self) -> None:
        self.reads = False

    def resume_reading(self) -> None:
        self.reads = True
