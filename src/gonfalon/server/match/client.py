"""A client: one page joined to one match, with its observer and the sink for its frames."""

from __future__ import annotations

from typing import Protocol


class FrameSink(Protocol):
    """Sends frames: a `WebSocket`. It never waits, so no slow client holds up a match."""

    def send(self, text: bytes) -> None: ...

    def close(self, code: int) -> None: ...


class Client:
    """One window of an observer on a match."""

    __slots__ = ("_outlet", "address", "closing", "hints", "invitation", "observer", "push", "secret", "window")

    def __init__(
        self,
        outlet: FrameSink,
        observer: int,
        secret: str = "",
        invitation: str = "",
        window: str = "",
        address: str = "",
        hints: bool = False,
    ) -> None:
        """`address`: see `net.addresses.network_of`."""
        self._outlet = outlet
        self.observer = observer
        self.secret = secret
        self.invitation = invitation
        self.window = window
        self.address = address
        self.hints = hints
        """Whether this window shows hints for newcomers."""
        self.closing = 0
        """Close code; 0 until the socket is to be closed."""
        self.push = outlet.send
        """Sends a frame."""

    def close(self, code: int) -> None:
        """Close the socket after all frames pushed so far."""
        self.closing = self.closing or code
        self._outlet.close(code)
