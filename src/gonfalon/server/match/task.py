"""The task of one match: it carries out the commands of sockets and computer players, in the order of arrival."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from functools import partial
from typing import Protocol

from gonfalon.engine.records.replay import NOBODY
from gonfalon.server.match.clients.client import Client
from gonfalon.server.match.clients.costs import cost_of
from gonfalon.server.match.clients.frames import encode
from gonfalon.server.match.clocks.alarms import Alarms
from gonfalon.server.match.clocks.timing import Timing
from gonfalon.server.match.computers.hints import Hints
from gonfalon.server.match.computers.players import ComputerPlayers, Queue
from gonfalon.server.match.computers.suggestions import Suggestions
from gonfalon.server.match.handlers import decisions, draws, endings, rematch, seats, times
from gonfalon.server.match.match import Handler, Host, Match
from gonfalon.server.match.state import MatchState
from gonfalon.server.net.rate_limits import RateLimiter
from gonfalon.server.net.web_sockets import GONE, REFUSED, REPLACED, TRY_AGAIN
from gonfalon.server.protocol import messages as m
from gonfalon.server.protocol.refusals import Declined
from gonfalon.server.storage.entries import Abandoned
from gonfalon.server.storage.writer import StoreError
from gonfalon.server.workers.pool import AgentPool

log = logging.getLogger("gonfalon.match")
HANDLERS = {
    **seats.HANDLERS,
    **decisions.HANDLERS,
    **draws.HANDLERS,
    **endings.HANDLERS,
    **rematch.HANDLERS,
    **times.HANDLERS,
}
"""Handlers by type of message; the socket itself handles `Hello` and `Ping`."""


class TaskHost(Host, Protocol):
    """The parts of the registry that a match task uses."""

    pool: AgentPool
    work: RateLimiter
    """Seconds of work on messages, by address."""

    def forget(self, match: MatchTask) -> None: ...

    def rest(self, match: MatchTask) -> None: ...


class MatchTask:
    """Runs the commands of one match. A command is a coroutine function in a queue; each one finishes before the next
    begins.
    """

    def __init__(self, match_state: MatchState, host: TaskHost, deadline: int = 0) -> None:
        """`deadline`: see `Timing`."""
        self.match = Match(match_state, host, deadline)
        self.closed = False
        self.abandoned = False
        """Whether another node may own the match, so that nothing of it may be stored any more."""
        self._code = GONE
        """Close code of the sockets at the end."""
        self._host = host
        self._queue: Queue = asyncio.Queue()
        self._clients: dict[Client, None] = {}
        """Clients with an open socket, including those that have not joined yet."""
        self._computers = ComputerPlayers(self.match, host.pool, self._queue)
        self._hints = Hints(self.match, host.pool, self._queue)
        self._suggestions = Suggestions(self.match, host.pool)
        self._handlers: dict[type[m.Message], Handler] = {
            **HANDLERS,
            m.AskAdvice: self._hints.ask,
            m.Suggest: self._suggestions.ask,
        }
        self._idle: asyncio.TimerHandle | None = None
        self._alarms = Alarms(self.match, host.running, self._queue)
        self._task = asyncio.create_task(self._run(), name=f"match {match_state.header.id}")
        self._rest()

    @property
    def state(self) -> MatchState:
        return self.match.state

    @property
    def timing(self) -> Timing:
        return self.match.timing

    @property
    def waiting(self) -> int:
        """Number of commands not begun yet."""
        return self._queue.qsize()

    # ---- what sockets call ------------------------------------------------------------------------------------

    def join(self, client: Client, seq: int) -> None:
        """Add a client. `seq`: number of steps that its page shows, -1 for none."""
        if self.closed:
            client.close(TRY_AGAIN)
            return
        self._clients[client] = None
        self.match.presence.expect(client.observer)
        self._queue.put_nowait(lambda: self._admit(client, seq))

    def leave(self, client: Client, lost_since: int | None = None) -> None:
        """Let a client go. `lost_since`: see `WebSocket`."""
        self._clients.pop(client, None)
        self._queue.put_nowait(lambda: self._leave(client, lost_since))

    def submit(self, client: Client, message: m.Message) -> None:
        """Queue a message of a client that has joined. Only one message of each client is in the queue, so that nobody
        waits longer because another one sends much.
        """
        arrived = self.timing.arrival()
        if client.busy:
            client.keep(message, arrived)
        else:
            self._enqueue(client, message, arrived)

    def _enqueue(self, client: Client, message: m.Message, arrived: int) -> None:
        """Put a message into the queue, as soon as its address has paid for it."""
        client.busy, client.arrived = True, arrived
        command = partial(self._serve, client, message)
        if wait := self._host.work.spend(client.address, cost_of(message)):
            asyncio.get_running_loop().call_later(wait, self._queue.put_nowait, command)
        else:
            self._queue.put_nowait(command)

    @property
    def inhabited(self) -> bool:
        """Whether a client has an open socket."""
        return bool(self._clients)

    @property
    def idle(self) -> bool:
        """Whether there is nothing to do and nobody to do it for: no computer player thinks, and no clock runs."""
        busy = self._computers.busy or self.timing.ticks
        return not self._clients and self._queue.empty() and not busy

    def leave_memory(self) -> None:
        """Leave memory after the commands that wait, if the match is idle then."""
        self._queue.put_nowait(self._sleep)

    def erase_names(self, players: Sequence[int]) -> None:
        """Forget the names that players gave, after the commands that wait."""
        self._queue.put_nowait(partial(self._erase_names, players))

    def refresh_names(self) -> None:
        """Look up the names of accounts again, after the commands that wait."""
        self._queue.put_nowait(self._refresh_names)

    async def end_without_result(self) -> None:
        """End the match for the operator, after the commands that wait. Raises `Declined`: `over`."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._queue.put_nowait(partial(self._end_without_result, done))
        await done

    def check_time(self) -> None:
        """End the time of the players who are late, and let computer players go on, after the commands that wait."""
        self._queue.put_nowait(self._alarms.check_time)

    async def abandon(self) -> None:
        """End the task at once, without storing anything; the pages come again."""
        self.closed = self.abandoned = True
        self._code = TRY_AGAIN
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    async def stop(self, code: int = GONE) -> None:
        """Carry out the commands that wait, then end the task and close the sockets."""
        self.closed = True
        self._code = code
        self._queue.put_nowait(None)
        await self._task

    # ---- the task ---------------------------------------------------------------------------------------------

    async def _run(self) -> None:
        try:
            await self.match.deal()
            while (command := await self._queue.get()) is not None:
                await command()
                if not self._queue.empty():
                    await asyncio.sleep(0)  # let other matches and all sockets have their turn
                if self.match.broadcast.count or self.timing.goes_on:
                    self._computers.wake()
                self._alarms.follow()
        except StoreError as error:
            name = self.state.header.id
            log.error("match %s stops and will be loaded again from its log: %s", name, error)  # noqa: TRY400
            self._load_again()
        except Exception:
            log.exception("match %s stops and will be loaded again from its log", self.state.header.id)
            self._load_again()
        finally:
            self._close()

    def _load_again(self) -> None:
        self._code = TRY_AGAIN
        self._host.deadlines.load_again(self.state.header.id)

    def _close(self) -> None:
        """Stop everything and drop all references to the task, so that the match leaves memory at once."""
        self.closed = True
        self._host.forget(self)
        if self._idle is not None:
            self._idle.cancel()
            self._idle = None
        self._alarms.stop()
        self._computers.stop()
        self._hints.stop()
        self._suggestions.stop()
        while not self._queue.empty():
            self._queue.get_nowait()
        for client in tuple(self._clients):
            client.close(self._code)
        self._clients.clear()

    def _rest(self) -> None:
        """Unload the match if no client comes for a while."""
        if self._idle is not None:
            self._idle.cancel()
        loop = asyncio.get_running_loop()
        self._idle = loop.call_later(self._host.config.idle_after, self._queue.put_nowait, self._sleep)
        if not self.timing.ticks:
            self._host.rest(self)

    async def _sleep(self) -> None:
        if self._clients:
            return
        if self.idle:
            self.closed = True
            self._host.forget(self)
            self._queue.put_nowait(None)
        else:
            self._rest()

    async def _erase_names(self, players: Sequence[int]) -> None:
        self.state.erase_names(players)
        self.match.tell_presence()

    async def _end_without_result(self, done: asyncio.Future[None]) -> None:
        try:
            self.match.require_running()
            await self.match.commit(Abandoned(NOBODY))
        except Declined as refusal:
            done.set_exception(refusal)
        else:
            done.set_result(None)

    async def _refresh_names(self) -> None:
        await self.match.persons.find(self.state.persons)
        self.match.tell_presence()

    # ---- clocks -----------------------------------------------------------------------------------------------

    def _describe_clocks(self, observer: int) -> m.Clocks | None:
        return self.timing.describe(observer) if self.timing.is_timed else None

    # ---- messages ---------------------------------------------------------------------------------------------

    async def _serve(self, client: Client, message: m.Message) -> None:
        """Handle a message of a client, then queue the next one."""
        await self._handle(client, message)
        if (following := client.next()) is not None:
            self._enqueue(client, *following)
        else:
            client.busy = False

    async def _handle(self, client: Client, message: m.Message) -> None:
        try:
            if not client.closing:
                await self._handlers[type(message)](self.match, client, message)
        except Declined as refusal:
            n = message.n if isinstance(message, m.Act) else 0
            client.push(encode(m.Refused(refusal.line, n)))

    # ---- coming and going -------------------------------------------------------------------------------------

    async def _admit(self, client: Client, seq: int) -> None:
        try:
            await self._join(client, seq)
        finally:
            self.match.presence.expect_no_more(client.observer)

    async def _join(self, client: Client, seq: int) -> None:
        match, match_state, player = self.match, self.state, client.observer
        if client not in self._clients:
            return  # the client has already left again
        seats.drop_dead(match.broadcast, client)
        windows = match.broadcast.find_clients(player)
        if player < 0 and len(windows) >= match.config.most_spectators_of_match:
            leaving = seats.choose_leaving(windows, client)
            match.broadcast.remove(leaving)
            leaving.push(encode(m.Refused(Declined("too-many").line)))
            leaving.close(REFUSED)
            if leaving is client:
                return
        starts = self.timing.may_start(player)
        try:
            if starts and self.timing.has_clock:
                self._host.running.take(match_state.header.id, client.address)
            await seats.take_seat(match, client)
        except Declined as refusal:
            if starts:
                self._host.running.release(match_state.header.id)
            client.push(encode(m.Refused(refusal.line)))
            client.close(REFUSED)
            return
        if player >= 0 and len(windows) >= match.config.most_windows:
            windows[0].close(REPLACED)
            match.broadcast.remove(windows[0])
        match.presence.arrive(player)
        await match.broadcast.add(client, match.presence.describe(), seq, self._describe_clocks(player))
        if starts:
            await self._alarms.start_clocks(self.match.presence.find_sharers(player))
        elif player >= 0:
            self._alarms.note_back(player)
        news = player >= 0 and not windows
        rematch.greet(match_state, client)
        if news:
            match.tell_presence(client)
        else:
            seats.tell_windows(match.broadcast, player)

    async def _leave(self, client: Client, lost_since: int | None) -> None:
        if self.match.broadcast.remove(client):
            self._tell_leaving(client.observer)
            if lost_since is not None:
                self._alarms.wait_for(client.observer, lost_since)
        if not self._clients:
            self._rest()

    def _tell_leaving(self, player: int) -> None:
        match = self.match
        seats.tell_windows(match.broadcast, player)
        if player >= 0 and not any(match.broadcast.find_clients(each) for each in match.presence.find_sharers(player)):
            match.presence.depart(player)
            match.tell_presence()
