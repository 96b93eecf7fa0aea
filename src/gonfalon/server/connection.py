"""One open socket, as a match sees it: who looks, and what is still to be sent."""

from __future__ import annotations

import asyncio
from collections import deque

MOST_WAITING = 8_000_000
"""Characters that may wait for a slow client; beyond that its socket is closed (it can come back and resume)."""
GONE, TRY_AGAIN, REFUSED = 1001, 1013, 4000
"""Close codes: the server stops, the match must be opened again, the opening was refused."""


class Connection:
    """Frames are pushed at any time and sent by the socket's own task, so that no slow client holds up a match."""

    __slots__ = ("_waiting", "_wake", "closing", "observer", "outbox", "secret")

    def __init__(self, observer: int, secret: str = "") -> None:
        self.observer = observer
        self.secret = secret
        self.outbox: deque[str] = deque()
        self.closing = 0
        """Close code, once the socket is to be closed."""
        self._waiting = 0
        self._wake: asyncio.Future[None] | None = None

    def push(self, text: str) -> None:
        """Queues a frame; a client that does not read is closed."""
        self._waiting += len(text)
        if self._waiting > MOST_WAITING:
            self.close(TRY_AGAIN)
            return
        self.outbox.append(text)
        self._stir()

    def close(self, code: int) -> None:
        """Asks for the socket to be closed after what is queued."""
        self.closing = self.closing or code
        self._stir()

    async def frames(self) -> list[str]:
        """What is to be sent next; empty: close."""
        if not self.outbox and not self.closing:
            self._wake = asyncio.get_running_loop().create_future()
            await self._wake
            self._wake = None
        ready = list(self.outbox)
        self.outbox.clear()
        self._waiting = 0
        return ready

    def _stir(self) -> None:
        if self._wake is not None and not self._wake.done():
            self._wake.set_result(None)
