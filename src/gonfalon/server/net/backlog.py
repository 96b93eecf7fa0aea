"""The backlog: bytes that wait in this process because clients do not read them, of all connections together.

Each connection alone has its bounds. But one address may have hundreds of connections, and the memory of all of them
together must not grow with their number.
"""

from __future__ import annotations

import asyncio
import ctypes
import heapq
import logging
from collections import defaultdict
from typing import Protocol

log = logging.getLogger("gonfalon.backlog")
REST = 0.75
"""Share of the bound that is left after connections were cut. Each cut asks all slow connections for their bytes, so it
must not be needed again after the next write.
"""


RELEASE_AFTER = 10.0
"""Seconds from the first cut until freed memory is given back to the system, once for all cuts meanwhile."""


class Writer(Protocol):
    """The sending side of a connection."""

    @property
    def address(self) -> str:
        """The client's address, see `addresses.network_of`."""

    def count_unsent(self) -> int:
        """Return the number of bytes that the system has not taken yet."""

    def cut(self) -> None:
        """Close the connection at once and drop its unsent bytes."""


class Backlog:
    """The connections with unsent bytes. Beyond `most` bytes together, the slowest are cut: of the address with most of
    them, the connection with most.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._sizes: dict[Writer, int] = {}
        self._checking: asyncio.Handle | None = None
        self._releasing: asyncio.TimerHandle | None = None
        self.total = 0
        """Unsent bytes of all connections, at most: each was counted after its latest write."""

    def note(self, writer: Writer, unsent: int) -> None:
        """Note the unsent bytes of a connection after a write. Needed only if there are any, or were the last time."""
        self.total += unsent - self._sizes.get(writer, 0)
        if not unsent:
            self._sizes.pop(writer, None)
            return
        self._sizes[writer] = unsent
        # uvloop gives bytes to the system only after all callbacks of a round, so check in the next round.
        if self.total > self._most and self._checking is None:
            self._checking = asyncio.get_running_loop().call_soon(self._check)

    def forget(self, writer: Writer) -> None:
        """Forget a closed connection."""
        self.total -= self._sizes.pop(writer, 0)

    def _check(self) -> None:
        self._checking = None
        self._count()
        if self.total > self._most:
            self._cut_slowest()

    def _count(self) -> None:
        """Ask all connections what they still have to send."""
        sizes = {writer: writer.count_unsent() for writer in self._sizes}
        self._sizes = {writer: unsent for writer, unsent in sizes.items() if unsent}
        self.total = sum(self._sizes.values())

    def _cut_slowest(self) -> None:
        by_address = defaultdict[str, list[tuple[int, Writer]]](list)
        for writer, unsent in self._sizes.items():
            by_address[writer.address].append((unsent, writer))
        for writers in by_address.values():
            writers.sort(key=lambda each: each[0])
        largest = [(-sum(unsent for unsent, _ in writers), address) for address, writers in by_address.items()]
        heapq.heapify(largest)
        before = len(self._sizes)
        while self.total > self._most * REST:
            total, address = largest[0]
            unsent, writer = by_address[address].pop()
            heapq.heapreplace(largest, (total + unsent, address))
            self.forget(writer)
            writer.cut()
        log.warning("closed %d connections whose clients read too slowly", before - len(self._sizes))
        if self._releasing is None:
            self._releasing = asyncio.get_running_loop().call_later(RELEASE_AFTER, self._release)

    def _release(self) -> None:
        self._releasing = None
        release_memory()


def release_memory() -> None:
    """Give freed memory back to the system. glibc's `free` returns only the end of its heap, so the freed bytes of slow
    clients would stay in the process, in gaps between other objects. Other C libraries have no `malloc_trim`.
    """
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
