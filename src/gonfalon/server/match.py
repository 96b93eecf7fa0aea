"""The authority over one match: one task that takes commands in order, applies, waits until it is stored, publishes."""

from __future__ import annotations

import asyncio
import logging
import secrets as randomness
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Protocol

import numpy as np

from gonfalon.engine.game import CHANCE, IllegalActionError, State
from gonfalon.engine.offers import Offer, OfferError
from gonfalon.server import messages as m
from gonfalon.server.agents import Agents
from gonfalon.server.config import Config
from gonfalon.server.connection import Connection
from gonfalon.server.declined import Declined, declined
from gonfalon.server.entries import (
    Abandoned,
    Answered,
    AnyEntry,
    Claimed,
    Header,
    Offered,
    Played,
    RematchAsked,
    RematchMade,
    Resigned,
    Taken,
)
from gonfalon.server.frames import frame
from gonfalon.server.presence import Presence
from gonfalon.server.secret import derived, hashed, new_id
from gonfalon.server.sitting import Sitting, attempt
from gonfalon.server.store import Store
from gonfalon.server.thinking import Command, Thinkers
from gonfalon.server.watch import Draft, Watch
from gonfalon.server.wire import GONE, REFUSED, TRY_AGAIN

log = logging.getLogger("gonfalon.match")


class Host(Protocol):
    """What a match needs of the lobby."""

    config: Config
    store: Store
    agents: Agents

    def forget(self, match: Match) -> None: ...

    def rematch_header(self, sitting: Sitting) -> Header: ...


class Match:
    """Commands are coroutine functions in a queue; each runs alone, so nothing here needs a lock."""

    def __init__(self, sitting: Sitting, host: Host) -> None:
        self.sitting = sitting
        self.closed = False
        self.presence = Presence(sitting)
        self.watch = Watch(sitting)
        self._host = host
        self._queue: asyncio.Queue[Command | None] = asyncio.Queue()
        self._thinkers = Thinkers(self.watch.state_for, sitting, self.presence, host.agents, self._queue, self.answered)
        self._idle: asyncio.TimerHandle | None = None
        self._does: dict[type[m.Message], Callable[[Connection, Any], Awaitable[None]]] = {
            m.Act: self._act,
            m.TakeBack: self._take_back,
            m.Resign: self._resign,
            m.OfferDraw: self._offer_draw,
            m.AnswerDraw: self._answer_draw,
            m.ClaimWin: self._claim,
            m.EndMatch: self._end,
            m.OfferRematch: self._offer_rematch,
            m.Why: self._why,
        }
        self._task = asyncio.create_task(self._run(), name=f"match {sitting.header.id}")
        self._rest()

    # ---- what sockets call ------------------------------------------------------------------------------------

    def join(self, connection: Connection, seq: int) -> None:
        """A new connection; `seq`: what it has shown last, -1 for nothing."""
        self._queue.put_nowait(lambda: self._join(connection, seq))

    def leave(self, connection: Connection) -> None:
        self._queue.put_nowait(lambda: self._leave(connection))

    def submit(self, connection: Connection, message: m.Message) -> None:
        """A message of a connection that has joined."""
        self._queue.put_nowait(lambda: self._handle(connection, message))

    async def stop(self) -> None:
        """Ends the task after the commands that wait; sockets are closed."""
        self._queue.put_nowait(None)
        await self._task

    # ---- the task ---------------------------------------------------------------------------------------------

    async def _run(self) -> None:
        code = GONE
        try:
            await self._deal()
            while (command := await self._queue.get()) is not None:
                await command()
        except Exception:
            log.exception("match %s stops and will be loaded again from its log", self.sitting.header.id)
            code = TRY_AGAIN
        finally:
            self._close(code)

    def _close(self, code: int) -> None:
        self.closed = True
        self._host.forget(self)
        if self._idle is not None:
            self._idle.cancel()
        self._thinkers.stop()
        for connection in self.watch.everyone():
            connection.close(code)

    def _rest(self) -> None:
        """Lets the match leave memory when nobody comes for a while."""
        if self._idle is not None:
            self._idle.cancel()
        loop = asyncio.get_running_loop()
        self._idle = loop.call_later(self._host.config.idle_after, self._queue.put_nowait, self._sleep)

    async def _sleep(self) -> None:
        if self.watch.connections:
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
                await self._does[type(message)](connection, message)
        except Declined as refusal:
            n = message.n if isinstance(message, m.Act) else 0
            connection.push(frame(m.Refused(refusal.line, n)))

    # ---- coming and going -------------------------------------------------------------------------------------

    async def _join(self, connection: Connection, seq: int) -> None:
        if self.watch.connections >= self._host.config.most_watchers:
            connection.push(frame(m.Refused(Declined("too-many").line)))
            connection.close(REFUSED)
            return
        player = connection.observer
        news = player >= 0 and not self.watch.of(player)
        self.presence.came(player)
        if player >= 0 and player not in self.sitting.taken:
            await self._store([Taken(player)])
        rebuilt = await asyncio.to_thread(self.sitting.states_of, seq) if 0 <= seq < self.sitting.seq else None
        self.watch.add(connection, self.presence.info(), seq, rebuilt)
        if self.sitting.asked and not self.sitting.next:
            connection.push(frame(self._rematch_offers()))
        self._invite(connection)
        if news:
            self._tell_presence(connection)
        self._wake_agents()

    async def _leave(self, connection: Connection) -> None:
        self.watch.remove(connection)
        player = connection.observer
        if player >= 0 and not any(self.watch.of(each) for each in self.presence.together(player)):
            self.presence.went(player)
            self._tell_presence()
        if not self.watch.connections:
            self._rest()

    def _tell_presence(self, without: Connection | None = None) -> None:
        self.watch.tell(m.Presence(self.presence.info()), without)

    # ---- playing ----------------------------------------------------------------------------------------------

    async def _act(self, connection: Connection, message: m.Act) -> None:
        seat, draft = self._seat(connection), self.watch.drafts.get(connection.observer)
        n, actions = (draft.n, draft.actions) if draft else self.sitting.acts.get(seat, (0, ()))
        if message.n <= n:
            if message.n == n and actions[-len(message.actions) :] != tuple(message.actions):
                raise Declined("stale")
            connection.push(frame(m.Stored(message.n, self.sitting.seq)))
            return
        self._running()
        if seat not in self.sitting.due:
            raise Declined("not-your-turn")
        base = draft.states[-1] if draft else self.sitting.state
        try:
            states = attempt(self.sitting.game, base, seat, message.actions)
        except IllegalActionError as error:
            raise declined(error.refusal) from error
        await self._decided(seat, message.n, tuple(message.actions), states)

    async def _decided(self, seat: int, n: int, actions: tuple[int, ...], states: list[State]) -> None:
        """A decision, or a part of one: kept as a draft, or stored and published."""
        draft = self.watch.drafts.get(seat) or Draft()
        whole = Draft(n, (*draft.actions, *actions), [*draft.states, *states])
        if self.sitting.game.is_open(states[-1], seat):
            self.watch.drafts[seat] = whole
            self.watch.acknowledge(seat, n)
            self.watch.show_draft(seat, len(actions))
            self._wake_agents()
            return
        await self._commit([(Played(seat, whole.actions, n), whole.states)], (seat, len(draft.actions)), (seat, n))

    async def _commit(
        self,
        entries: list[tuple[AnyEntry, list[State]]],
        known: tuple[int, int] = (-1, 0),
        acknowledge: tuple[int, int] = (-1, 0),
    ) -> None:
        """Applies and stores steps with what chance adds, then tells everyone.

        `known`: a player and how many actions of the first step he has seen as his draft.
        """
        sitting = self.sitting
        first, started = sitting.seq, sitting.started
        place, offers, ended = sitting.size, sitting.offers.offers, sitting.outcome is not None
        done = [(entry, sitting.apply(entry, states)) for entry, states in entries]
        done += self._draw_all()
        await self._host.store.append(sitting.header.id, place, [entry for entry, _ in done])
        self.presence.follow()
        self.watch.drafts.pop(acknowledge[0], None)
        self.watch.acknowledge(*acknowledge)
        if sitting.seq > first:
            self.watch.show_steps(first, [row for _, rows in done for row in rows], known)
        self._tell_rest(offers, started, ended)

    def _tell_rest(self, offers: tuple[Offer, ...], started: bool, ended: bool) -> None:
        sitting = self.sitting
        if sitting.offers.offers != offers:
            self.watch.tell(m.DrawOffers(self.watch.offer_sides()))
        if sitting.outcome is not None and not ended:
            self.watch.show_end(self.presence.info())
        elif sitting.started != started or any(True for _ in self.presence.awaited()):
            self._tell_presence()
        self._wake_agents()

    async def _store(self, entries: Sequence[AnyEntry]) -> None:
        """Applies and stores entries that are no steps."""
        place = self.sitting.size
        for entry in entries:
            self.sitting.apply(entry)
        await self._host.store.append(self.sitting.header.id, place, entries)

    async def _deal(self) -> None:
        """Draws what chance owes where the log ends: in a new match that begins with a deal, so that all who join see it
        done, and after a process that ended between two steps.
        """
        place, drawn = self.sitting.size, self._draw_all()
        if drawn:
            await self._host.store.append(self.sitting.header.id, place, [entry for entry, _ in drawn])
            self.presence.follow()

    def _draw_all(self) -> list[tuple[AnyEntry, list[Sequence[State]]]]:
        """Applies draws as long as chance is due; each is a step of its own, with its states."""
        drawn: list[tuple[AnyEntry, list[Sequence[State]]]] = []
        while self.sitting.due == (CHANCE,):
            entry = Played(CHANCE, (self._draw(),))
            drawn.append((entry, self.sitting.apply(entry)))
        return drawn

    def _draw(self) -> int:
        """An action of chance, drawn by its probability from the system's randomness."""
        actions, odds = self.sitting.game.chance_outcomes(self.sitting.state)
        point = randomness.randbits(53) / 2**53 * float(np.sum(odds))
        return int(actions[min(int(np.searchsorted(np.cumsum(odds), point, side="right")), len(actions) - 1)])

    async def _take_back(self, connection: Connection, _message: m.TakeBack) -> None:
        seat = self._seat(connection)
        if self.watch.drafts.pop(seat, None) is None:
            raise Declined("nothing-to-take-back")
        self.watch.show_draft(seat, 0)

    async def _why(self, connection: Connection, message: m.Why) -> None:
        seat = self._seat(connection)
        self._running()
        game = self.sitting.game
        refusal = game.explain_path(game.view(self.watch.state_for(seat), seat), tuple(message.path))
        raise declined(refusal)

    # ---- ending -----------------------------------------------------------------------------------------------

    async def _resign(self, connection: Connection, _message: m.Resign) -> None:
        seat = self._playing(connection)
        await self._commit([(Resigned(seat), [])])

    async def _claim(self, connection: Connection, _message: m.ClaimWin) -> None:
        seat = self._playing(connection)
        absent = tuple(p for p in self.presence.absent() if p != seat)
        if not absent:
            raise Declined("nobody-away")
        await self._commit([(Claimed(seat, absent), [])])

    async def _end(self, connection: Connection, _message: m.EndMatch) -> None:
        seat = self._playing(connection)
        if not self.presence.failed:
            raise Declined("agent-alive")
        await self._commit([(Abandoned(seat), [])])

    async def _offer_draw(self, connection: Connection, _message: m.OfferDraw) -> None:
        seat = self._seat(connection)
        self._running()
        await self._offer(Offered(seat))

    async def _answer_draw(self, connection: Connection, message: m.AnswerDraw) -> None:
        seat = self._seat(connection)
        self._running()
        await self._offer(Answered(seat, message.accept))

    async def _offer(self, entry: Offered | Answered) -> None:
        offers, started = self.sitting.standing, self.sitting.started
        try:
            if isinstance(entry, Offered):
                offers.offer(entry.by, started)
            else:
                offers.answer(entry.by, entry.accept)
        except OfferError as error:
            raise declined(error.refusal) from error
        await self._commit([(entry, [])])

    async def _offer_rematch(self, connection: Connection, _message: m.OfferRematch) -> None:
        seat, sitting = self._seat(connection), self.sitting
        if sitting.outcome is None:
            raise Declined("not-over")
        if seat in sitting.asked:
            return
        name = next((asked.match for asked in sitting.asked.values()), "") or new_id()
        asked = RematchAsked(seat, name, hashed(derived(connection.secret, name)))
        await self._store([asked])
        persons = {p for p, header in enumerate(sitting.header.seats) if not header.agent}
        if persons - set(sitting.asked):
            self.watch.tell(self._rematch_offers())
            return
        place = sitting.size
        sitting.apply(RematchMade(name))
        made = (sitting.header.id, place, [RematchMade(name)])
        await self._host.store.create(self._host.rematch_header(sitting), made)
        self._tell_presence()
        for other in self.watch.everyone():
            self._invite(other)

    def _rematch_offers(self) -> m.RematchOffered:
        return m.RematchOffered(tuple(self.sitting.game.info.sides[p] for p in sorted(self.sitting.asked)))

    def _invite(self, connection: Connection) -> None:
        """Gives a seat's holder the secret of his seat in the rematch."""
        if self.sitting.next and connection.observer >= 0:
            secret = derived(connection.secret, self.sitting.next)
            connection.push(frame(m.RematchReady(self.sitting.next, secret)))

    def _seat(self, connection: Connection) -> int:
        if connection.observer < 0:
            raise Declined("no-seat")
        return connection.observer

    def _running(self) -> None:
        if self.sitting.outcome is not None:
            raise Declined("over")

    def _playing(self, connection: Connection) -> int:
        """The seat of who takes part still."""
        seat = self._seat(connection)
        self._running()
        if seat in self.sitting.out:
            raise Declined("out")
        return seat

    # ---- computer players -------------------------------------------------------------------------------------

    def _wake_agents(self) -> None:
        """Lets computer players who are due think, while anybody is connected."""
        if self.watch.connections:
            self._thinkers.wake()

    async def answered(self, player: int, actions: list[int]) -> None:
        """A computer player's decision, or a part of one; empty: it has failed for good."""
        if player not in self.sitting.due:
            return
        if not actions:
            self.presence.failed.add(player)
            self._tell_presence()
            return
        try:
            states = attempt(self.sitting.game, self.watch.state_for(player), player, actions)
        except (Declined, IllegalActionError):
            self._wake_agents()  # the position has changed meanwhile
            return
        await self._decided(player, 0, tuple(actions), states)
