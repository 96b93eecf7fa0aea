"""A client: one page joined to one match, with its observer and the sink for its frames."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Protocol

from gonfalon.server.protocol.messages import Message


class FrameSink(Protocol):
    """Sends frames: a `WebSocket`. It never waits, so no slow client holds up a match."""

    def send(self, text: bytes) -> None: ...

    def close(self, code: int) -> None: ...

    def pause(self) -> None: ...

    def resume(self) -> None: ...

    def measure(self, note: Callable[[int], None] | None) -> None:
        """Measure the time of a ping again and again, and note it in milliseconds; None: no longer."""


MOST_WAITING = 8
"""Number of messages that wait for a match, beyond which a client is not read."""


class Client:
    """One window of an observer on a match."""

    __slots__ = (
        "_outlet",
        "_waiting",
        "address",
        "arrived",
        "busy",
        "closing",
        "hints",
        "invitation",
        "observer",
        "owns",
        "person",
        "push",
        "secret",
        "window",
    )

    def __init__(
        self,
        outlet: FrameSink,
        observer: int,
        secret: str = "",
        invitation: str = "",
        window: str = "",
        address: str = "",
        hints: bool = False,
        person: str = "",
        owns: bool = False,
    ) -> None:
        """`address`: see `net.addresses.network_of`. `person`: id of the account or guest whose session the browser
        has. `owns`: this session opened the seat, no secret did.
        """
        self._outlet = outlet
        self.observer = observer
        self.secret = secret
        self.invitation = invitation
        self.window = window
        self.address = address
        self.person = person
        self.owns = owns
        self.hints = hints
        """Whether this window shows hints for newcomers."""
        self.closing = 0
        """Close code; 0 until the socket is to be closed."""
        self.push = outlet.send
        """Sends a frame."""
        self.busy = False
        """Whether a message of this client is in the match's queue."""
        self.arrived = 0
        """Time at which the message arrived that is in the queue or handled now; see `Times.monotonic`."""
        self._waiting: deque[tuple[Message, int]] = deque()

    def keep(self, message: Message, arrived: int) -> None:
        """Keep a message until the match has handled the earlier ones."""
        self._waiting.append((message, arrived))
        if len(self._waiting) == MOST_WAITING:
            self._outlet.pause()

    def next(self) -> tuple[Message, int] | None:
        """Return the next message that waits, with its arrival; None if there is none."""
        if not self._waiting:
            return None
        if len(self._waiting) == MOST_WAITING:
            self._outlet.resume()
        return self._waiting.popleft()

    def measure(self, note: Callable[[int], None] | None) -> None:
        """See `FrameSink`."""
        self._outlet.measure(note)

    def close(self, code: int) -> None:
        """Close the socket after all frames pushed so far."""
        self.closing = self.closing or code
        self._outlet.close(code)
