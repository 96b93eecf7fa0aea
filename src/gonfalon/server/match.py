"""One match as its sockets see it: a task that does what they ask for, one thing after the other, in the order in which
it came.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Protocol

from gonfalon.server import admission, deciding, draws, endings, rematch
from gonfalon.server import messages as m
from gonfalon.server.advice import Adviser
from gonfalon.server.agents import Agents
from gonfalon.server.authority import Authority, Handler
from gonfalon.server.config import Config
from gonfalon.server.connection import Connection
from gonfalon.server.declined import Declined
from gonfalon.server.frames import encode
from gonfalon.server.sitting import Sitting
from gonfalon.server.store import Store
from gonfalon.server.suggesting import Suggester
from gonfalon.server.thinking import Queue, Thinkers
from gonfalon.server.visitors import Visitors
from gonfalon.server.wire import GONE, REFUSED, REPLACED, TRY_AGAIN

log = logging.getLogger("gonfalon.match")
HANDLERS = {**admission.HANDLERS, **deciding.HANDLERS, **draws.HANDLERS, **endings.HANDLERS, **rematch.HANDLERS}
"""What is done for each kind of message; `Hello` and `Ping` are the socket's own."""


class Host(Protocol):
    """What a match needs of the lobby."""

    config: Config
    store: Store
    agents: Agents
    visitors: Visitors

    def forget(self, match: Match) -> None: ...


class Match:
    """Commands are coroutine functions in a queue; each runs alone."""

    def __init__(self, sitting: Sitting, host: Host) -> None:
        self.authority = Authority(sitting, host.store, host.config, host.visitors)
        self.closed = False
        self._host = host
        self._queue: Queue = asyncio.Queue()
        self._connections: dict[Connection, None] = {}
        """All whose sockets are open, those that have not joined yet too."""
        self._thinkers = Thinkers(self.authority, host.agents, self._queue)
        self._adviser = Adviser(self.authority, host.agents, self._queue)
        self._suggester = Suggester(self.authority, host.agents)
        self._handlers: dict[type[m.Message], Handler] = {
            **HANDLERS,
            m.AskAdvice: self._adviser.ask,
            m.Suggest: self._suggester.ask,
        }
        self._idle: asyncio.TimerHandle | None = None
        self._task = asyncio.create_task(self._run(), name=f"match {sitting.header.id}")
        self._rest()

    @property
    def sitting(self) -> Sitting:
        return self.authority.sitting

    @property
    def waiting(self) -> int:
        """Commands that have not been begun."""
        return self._queue.qsize()

    # ---- what sockets call ------------------------------------------------------------------------------------

    def join(self, connection: Connection, seq: int) -> None:
        """A new connection; `seq`: what it has shown last, -1 for nothing."""
        if self.closed:
            connection.close(TRY_AGAIN)
            return
        self._connections[connection] = None
        self._queue.put_nowait(lambda: self._join(connection, seq))

    def leave(self, connection: Connection) -> None:
        self._connections.pop(connection, None)
        self._queue.put_nowait(lambda: self._leave(connection))

    def submit(self, connection: Connection, message: m.Message) -> None:
        """A message of a connection that has joined."""
        self._queue.put_nowait(lambda: self._handle(connection, message))

    async def stop(self) -> None:
        """Ends the task after the commands that wait; sockets are closed."""
        self.closed = True
        self._queue.put_nowait(None)
        await self._task

    # ---- the task ---------------------------------------------------------------------------------------------

    async def _run(self) -> None:
        code = GONE
        try:
            await self.authority.deal()
            while (command := await self._queue.get()) is not None:
                await command()
                if self.authority.watch.count:
                    self._thinkers.wake()
        except Exception:
            log.exception("match %s stops and will be loaded again from its log", self.sitting.header.id)
            code = TRY_AGAIN
        finally:
            self._close(code)

    def _close(self, code: int) -> None:
        """Ends everything, and lets go of all that leads back here, so that the match leaves memory at once."""
        self.closed = True
        self._host.forget(self)
        if self._idle is not None:
            self._idle.cancel()
            self._idle = None
        self._thinkers.stop()
        self._adviser.stop()
        self._suggester.stop()
        while not self._queue.empty():
            self._queue.get_nowait()
        for connection in tuple(self._connections):
            connection.close(code)
        self._connections.clear()

    def _rest(self) -> None:
        """Lets the match leave memory when nobody comes for a while."""
        if self._idle is not None:
            self._idle.cancel()
        loop = asyncio.get_running_loop()
        self._idle = loop.call_later(self._host.config.idle_after, self._queue.put_nowait, self._sleep)

    async def _sleep(self) -> None:
        if self._connections:
            return
        if self._queue.empty() and not self._thinkers.busy:
            self.closed = True
            self._host.forget(self)
            self._queue.put_nowait(None)
        else:
            self._rest()

    async def _handle(self, connection: Connection, message: m.Message) -> None:
        try:
            if not connection.closing:
                await self._handlers[type(message)](self.authority, connection, message)
        except Declined as refusal:
            n = message.n if isinstance(message, m.Act) else 0
            connection.push(encode(m.Refused(refusal.line, n)))

    # ---- coming and going -------------------------------------------------------------------------------------

    async def _join(self, connection: Connection, seq: int) -> None:
        match, sitting, player = self.authority, self.sitting, connection.observer
        if connection not in self._connections:
            return  # it has left again
        admission.drop_dead(match.watch, connection)
        windows = match.watch.find_connections(player)
        if player < 0 and len(windows) >= match.config.most_spectators_of_match:
            connection.push(encode(m.Refused(Declined("too-many").line)))
            connection.close(REFUSED)
            return
        try:
            await admission.take_seat(match, connection)
        except Declined as refusal:
            connection.push(encode(m.Refused(refusal.line)))
            connection.close(REFUSED)
            return
        if player >= 0 and len(windows) >= match.config.most_windows:
            windows[0].close(REPLACED)
            match.watch.remove(windows[0])
        match.presence.arrive(player)
        await match.watch.add(connection, match.presence.describe(), seq)
        news = player >= 0 and not windows
        rematch.greet(sitting, connection)
        if news:
            match.tell_presence(connection)
        else:
            admission.tell_windows(match.watch, player)

    async def _leave(self, connection: Connection) -> None:
        match, player = self.authority, connection.observer
        if not match.watch.remove(connection):
            return
        admission.tell_windows(match.watch, player)
        if player >= 0 and not any(match.watch.find_connections(each) for each in match.presence.find_sharers(player)):
            match.presence.depart(player)
            match.tell_presence()
        if not match.watch.count:
            self._rest()
