"""Clients of the tests that break the rules, and the server's side of such a client."""

from __future__ import annotations

import contextlib
import socket

from server.harness import PATIENCE


def flood(plug: socket.socket, piece: bytes, most: int) -> int:
    """Sends `piece` again and again, `most` bytes at most, until nothing is taken for a second or the connection is
    closed. Returns how many bytes were taken.
    """
    plug.settimeout(1)
    block = piece * max(1, 65_536 // len(piece))
    sent = 0
    with contextlib.suppress(OSError):
        while sent < most:
            sent += plug.send(block[sent % len(block) :])
    return sent


def is_closed(plug: socket.socket) -> bool:
    """Whether the server ends the connection; reads everything that it sends before."""
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
    """A transport that only records whether it reads."""

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
