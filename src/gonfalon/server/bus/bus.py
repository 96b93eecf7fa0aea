"""Notices by topic between the processes that share a database. They are hints: what must not be lost is in tables,
and who may have missed notices reads those again (`on_gap`).
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any, Protocol

import msgspec

log = logging.getLogger("gonfalon.bus")
CHANNEL = "gonfalon"
GAP = "gap"
"""Topic of a notice that says no more than that something was missed."""


class Notice(msgspec.Struct, frozen=True):
    """One notice. `sender`: name of a node."""

    sender: str
    topic: str
    body: Any = None


Hear = Callable[[Any], None]
_decoder = msgspec.json.Decoder(Notice)


class Bus(Protocol):
    """Tells the other processes what has changed here."""

    def on(self, topic: str, hear: Hear) -> None:
        """Call a function with the body of each notice of the other processes on a topic."""

    def on_gap(self, hear: Callable[[], None]) -> None:
        """Call a function whenever notices may have been missed."""

    def tell(self, topic: str, body: Any = None) -> None:
        """Send a notice to all other processes. `body`: anything that msgspec writes as JSON."""


class NoBus:
    """The bus of a single process, which has nobody to tell."""

    def on(self, topic: str, hear: Hear) -> None: ...

    def on_gap(self, hear: Callable[[], None]) -> None: ...

    def tell(self, topic: str, body: Any = None) -> None: ...


class DatabaseBus:
    """The bus of a node, by LISTEN and NOTIFY. Use: `await start()`, at the end `await close()`."""

    def __init__(self, url: str, node: str) -> None:
        from gonfalon.server.bus.channel import Channel

        self._node = node
        self._channel = Channel(url, CHANNEL, self._hear, self._miss)
        self._topics: dict[str, list[Hear]] = {}
        self._gaps: list[Callable[[], None]] = []

    def on(self, topic: str, hear: Hear) -> None:
        """Call a function with the body of each notice of the other nodes on a topic."""
        self._topics.setdefault(topic, []).append(hear)

    def on_gap(self, hear: Callable[[], None]) -> None:
        """Call a function whenever notices may have been missed."""
        self._gaps.append(hear)

    async def start(self) -> None:
        await self._channel.start()

    async def close(self) -> None:
        await self._channel.close()

    def tell(self, topic: str, body: Any = None) -> None:
        """Send a notice to all other nodes. A large one becomes a gap, so that they read the tables."""
        notice = msgspec.json.encode(Notice(self._node, topic, body)).decode()
        try:
            self._channel.send(notice)
        except ValueError:
            self._channel.send(msgspec.json.encode(Notice(self._node, GAP)).decode())

    def _hear(self, text: str) -> None:
        try:
            notice = _decoder.decode(text)
            if notice.sender == self._node:
                return
            if notice.topic == GAP:
                self._miss()
            for hear in self._topics.get(notice.topic, ()):
                hear(notice.body)
        except Exception:
            log.exception("a notice of another node is not understood")

    def _miss(self) -> None:
        for hear in self._gaps:
            hear()
