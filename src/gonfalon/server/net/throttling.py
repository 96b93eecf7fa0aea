"""Throttled reading: a client that sends too much has to wait, and no other client does."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from gonfalon.server.net.rate_limits import TokenBucket

SLICE = 2_048
"""Bytes parsed at a time. The event loop delivers up to 256 kB at once, even for a socket that was just paused. That
can be 42,000 empty frames, which would block all clients for 0.15 s.
"""


class ThrottledReader:
    """Feed received bytes to a parser in slices, within the rate limit `bucket`. This object keeps the bytes that must
    wait and pauses the transport, so it holds about as much as the event loop delivers at once.

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
        """Tokens spent beyond the rate limit since the bucket was last full."""
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
        """Parse a slice, then schedule the next one for the time at which the rate limit allows it."""
        wait = self._bucket.spend(self._parse(data))
        if self._held:
            return  # `release` continues
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
