"""One open socket, as a match sees it: who looks, and where frames go."""

from __future__ import annotations

from typing import Protocol


class FrameSink(Protocol):
    """Where frames go: a `socket.Wire`. It never waits, so that no slow client holds up a match."""

    def send(self, text: bytes) -> None: ...

    def close(self, code: int) -> None: ...


class Client:
    """An observer's window on a match."""

    __slots__ = ("_outlet", "closing", "invitation", "observer", "push", "secret", "window")

    def __init__(
        self, outlet: FrameSink, observer: int, secret: str = "", invitation: str = "", window: str = ""
    ) -> None:
        self._outlet = outlet
        self.observer = observer
        self.secret = secret
        self.invitation = invitation
        self.window = window
        self.closing = 0
        """Close code, once the socket is to be closed."""
        self.push = outlet.send
        """Sends a frame."""

    def close(self, code: int) -> None:
        """Closes the socket after what was pushed."""
        self.closing = self.closing or code
        self._outlet.close(code)
