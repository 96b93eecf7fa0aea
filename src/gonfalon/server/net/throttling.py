"""Throttled reading: a client that sends too much waits, and nobody else does."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from gonfalon.server.net.rate_limits import TokenBucket

SLICE = 2_048
"""Bytes parsed at a time. The event loop hands over up to 256 kB at once, even of a socket that has just been paused;
42,000 empty frames would hold up everybody for 0.15 s.
"""


class ThrottledReader:
    """Feeds received bytes to a parser, in slices and within an allowance. The rest waits here while the transport is
    paused: at most one delivery of the event loop.

    `parse` takes bytes and returns their cost, in tokens of `bucket`.
    """

    def __init__(self, transport: asyncio.Transport, parse: Callable[[bytes], float], bucket: TokenBucket) -> None:
        self._transport = transport
        self._parse = parse
        self._bucket = bucket
        self._loop = asyncio.get_running_loop()
        self._rest = bytearray()
        self._held = False
        self._next: asyncio.Handle | None = None

    @property
    def owed(self) -> float:
        """Tokens beyond the allowance since the client last kept to it."""
        return self._bucket.owed

    def receive(self, data: bytes) -> None:
        """Take the bytes that the transport has just received."""
        if self._rest or self._held or self._next is not None:
            self._rest += data
        elif len(data) <= SLICE:
            self._feed(data)
        else:
            self._rest += data
            self._go_on()

    def hold(self) -> None:
        """Parse nothing until `release`."""
        self._held = True
        self._read(False)

    def release(self) -> None:
        self._held = False
        if self._next is None:
            self._next = self._loop.call_soon(self._go_on)

    def close(self) -> None:
        """Parse nothing more and drop the bytes that wait."""
        self._held = True
        if self._next is not None:
            self._next.cancel()
        self._rest.clear()

    def _feed(self, data: bytes) -> None:
        """Parse a slice, and schedule the next one for when it may be read."""
        wait = self._bucket.spend(self._parse(data))
        if self._held:
            return  # `release` goes on
        if wait > 0.0:
            self._next = self._loop.call_later(wait, self._go_on)
        elif self._rest:
            self._next = self._loop.call_soon(self._go_on)
        self._read(self._next is None)

    def _go_on(self) -> None:
        self._next = None
        if self._held:
            return
        if not self._rest:
            self._read(True)
            return
        data = bytes(self._rest[:SLICE])
        del self._rest[:SLICE]
        self._feed(data)

    def _read(self, on: bool) -> None:
        if self._transport.is_closing() or self._transport.is_reading() == on:
            return
        if on:
            self._transport.resume_reading()
        else:
            self._transport.pause_reading()
