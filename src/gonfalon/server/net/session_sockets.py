"""Sockets by the session that let them in, so that they close when it ends."""

from __future__ import annotations

from typing import Protocol


class LetIn(Protocol):
    """A socket that a session let in."""

    def end_session(self) -> None:
        """Close the socket, because its session has ended."""


class SessionSockets:
    """All such sockets of one kind."""

    def __init__(self) -> None:
        self._by_session: dict[str, set[LetIn]] = {}

    def note(self, socket: LetIn, session: str) -> None:
        """Note that a session let a socket in. `session`: its hash."""
        self._by_session.setdefault(session, set()).add(socket)

    def drop(self, socket: LetIn, session: str) -> None:
        """Note that such a socket is closed; others are ignored."""
        sockets = self._by_session.get(session, set())
        sockets.discard(socket)
        if not sockets:
            self._by_session.pop(session, None)

    def list_sessions(self) -> frozenset[str]:
        """Return the hashes of all sessions that let in an open socket."""
        return frozenset(self._by_session)

    def end(self, session: str) -> None:
        """Close all sockets that a session let in, because it has ended."""
        for socket in tuple(self._by_session.get(session, ())):
            socket.end_session()
