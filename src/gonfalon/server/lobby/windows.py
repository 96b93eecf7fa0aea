"""The pages that are open in the lobby, and the changes that all of them get: encoded once, the same bytes for all."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from typing import Protocol

import msgspec

from gonfalon.server.lobby.outside import Visitor
from gonfalon.server.protocol.lobby_messages import LobbyUpdate, OpenChallenge, RunningMatch, WaitingCount
from gonfalon.server.protocol.messages import Message, Refused
from gonfalon.server.protocol.refusals import Declined

log = logging.getLogger("gonfalon.lobby")
SOON = 0.15
"""Minimum number of seconds between two messages to all. A message to 2,000 pages takes about 40 ms."""
LATER = 1.0
"""Seconds in which changed counts and running matches are gathered, because they change all the time."""
MOST_WAITING = 8
"""Number of messages of one page that wait to be handled. With more, the page is not read."""
_encoder = msgspec.json.Encoder()


def encode(message: Message) -> bytes:
    """Return a message as it is sent."""
    return _encoder.encode(message)


class Outlet(Protocol):
    """The socket of a page."""

    def send(self, text: bytes) -> None: ...

    def close(self, code: int) -> None: ...

    def pause(self) -> None: ...

    def resume(self) -> None: ...


class Window:
    """One page in the lobby. `inbox` holds its messages until they are handled, one after the other."""

    __slots__ = ("_outlet", "address", "busy", "closed", "inbox", "name", "send", "visitor")

    def __init__(self, outlet: Outlet, name: str, address: str, visitor: Visitor | None) -> None:
        self._outlet = outlet
        self.name = name
        self.address = address
        self.visitor = visitor
        self.inbox: deque[Message] = deque()
        self.busy = False
        """Whether a task handles its messages."""
        self.closed = False
        self.send = outlet.send

    @property
    def person(self) -> str:
        """Id of the person; empty without a session."""
        return self.visitor.person if self.visitor is not None else ""

    def tell(self, message: Message) -> None:
        self.send(encode(message))

    def refuse(self, refusal: Declined) -> None:
        self.tell(Refused(refusal.line))

    def keep(self, message: Message) -> None:
        """Keep a message until the earlier ones are handled."""
        self.inbox.append(message)
        if len(self.inbox) == MOST_WAITING:
            self._outlet.pause()

    def next(self) -> Message | None:
        """Return the next message; None if there is none, or if the page has left."""
        if self.closed or not self.inbox:
            return None
        if len(self.inbox) == MOST_WAITING:
            self._outlet.resume()
        return self.inbox.popleft()

    def close(self, code: int) -> None:
        self._outlet.close(code)


class Windows:
    """All pages in the lobby."""

    def __init__(self) -> None:
        self._all: dict[Window, None] = {}
        self._of: dict[str, dict[Window, None]] = {}
        """Pages by id of their person."""

    def __len__(self) -> int:
        return len(self._all)

    def add(self, window: Window) -> None:
        self._all[window] = None
        if window.person:
            self._of.setdefault(window.person, {})[window] = None

    def remove(self, window: Window) -> None:
        window.closed = True
        self._all.pop(window, None)
        mine = self._of.get(window.person, {})
        mine.pop(window, None)
        if not mine:
            self._of.pop(window.person, None)

    def list_all(self) -> tuple[Window, ...]:
        return tuple(self._all)

    def list_of(self, person: str) -> tuple[Window, ...]:
        """Return the pages of a person."""
        return tuple(self._of.get(person, ()))

    def has_page(self, person: str, name: str) -> bool:
        """Return whether a person's page with this name is open."""
        return any(window.name == name for window in self._of.get(person, ()))

    def tell(self, person: str, message: Message, page: str = "") -> bool:
        """Send a message to the person's pages with the name `page`, or to all of the person's pages if there is none.
        Return whether there is any page.
        """
        text, mine = encode(message), self.list_of(person)
        for window in [each for each in mine if each.name == page] or mine:
            window.send(text)
        return bool(mine)

    def tell_all(self, text: bytes) -> None:
        for window in tuple(self._all):
            window.send(text)


class Changes:
    """Changes that the pages do not know yet. They are sent together, as soon as `SOON` allows."""

    def __init__(self, windows: Windows, complete: Callable[[Changes], None]) -> None:
        """`complete`: adds the changes of counts and running matches just before sending."""
        self._windows = windows
        self._complete = complete
        self.added: dict[str, OpenChallenge] = {}
        self.removed: dict[str, None] = {}
        self.waiting: dict[str, WaitingCount] = {}
        self.started: tuple[RunningMatch, ...] = ()
        self.ended: tuple[str, ...] = ()
        self.number = 0
        """Number of changes so far."""
        self._last = -LATER
        self._timer: asyncio.TimerHandle | None = None
        self._due = 0.0

    def add(self, challenge: OpenChallenge) -> None:
        self.removed.pop(challenge.id, None)
        self.added[challenge.id] = challenge
        self.send_within(0.0)

    def remove(self, challenge: str) -> None:
        # A page that came meanwhile knows the challenge, even if no update has told it yet.
        self.added.pop(challenge, None)
        self.removed[challenge] = None
        self.send_within(0.0)

    def note_later(self) -> None:
        """Note that counts or running matches have changed."""
        self.send_within(LATER)

    def send_within(self, seconds: float) -> None:
        """Send the changes after some seconds at the latest, but not too soon after the last ones."""
        self.number += 1
        loop = asyncio.get_running_loop()
        due = max(loop.time() + seconds, self._last + SOON)
        if self._timer is not None:
            if self._due <= due:
                return
            self._timer.cancel()
        self._due = due
        self._timer = loop.call_at(due, self._send)

    def stop(self) -> None:
        """Send nothing more."""
        if self._timer is not None:
            self._timer.cancel()

    def _send(self) -> None:
        self._timer, self._last = None, asyncio.get_running_loop().time()
        self._complete(self)
        update = LobbyUpdate(self.waiting, tuple(self.added.values()), tuple(self.removed), self.started, self.ended)
        self.added, self.removed, self.waiting, self.started, self.ended = {}, {}, {}, (), ()
        if update != LobbyUpdate():
            self._windows.tell_all(encode(update))
