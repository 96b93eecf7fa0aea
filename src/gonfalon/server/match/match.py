"""One running match. Every change has the same order: apply, store, broadcast."""

from __future__ import annotations

import secrets as randomness
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Protocol

import numpy as np

from gonfalon.engine.game import CHANCE, State
from gonfalon.engine.offers import Offer
from gonfalon.server.computers import Computers
from gonfalon.server.config import Config
from gonfalon.server.journal import note
from gonfalon.server.match.bounds import require_room
from gonfalon.server.match.clients.broadcast import Broadcast
from gonfalon.server.match.clients.client import Client
from gonfalon.server.match.clocks.deadlines import Deadlines, RunningMatches
from gonfalon.server.match.clocks.timing import Timing
from gonfalon.server.match.drafts import Drafts
from gonfalon.server.match.persons import Persons
from gonfalon.server.match.presence import Presence
from gonfalon.server.match.public import Ended, Face, Listeners, find_facts, prepare_all, publish_all
from gonfalon.server.match.state import MatchState
from gonfalon.server.net.connection_counts import ConnectionCounts
from gonfalon.server.net.rate_limits import RateLimiter
from gonfalon.server.protocol import messages as m
from gonfalon.server.protocol.names import NameRules
from gonfalon.server.protocol.refusals import Declined
from gonfalon.server.storage.entries import AnyEntry, Played
from gonfalon.server.storage.packing import plan_packing
from gonfalon.server.storage.store import Store


class Host(Protocol):
    """The parts of the registry that a match uses."""

    config: Config
    store: Store
    connection_counts: ConnectionCounts
    listeners: Listeners
    name_rules: NameRules
    computers: Computers
    persons: Persons
    deadlines: Deadlines
    running: RunningMatches
    costly: RateLimiter
    """Costly requests by address, new matches among them."""
    made: Counter[str]
    """Matches made, for metrics; see `making.Maker`."""


class Match:
    """One running match. Only the match task calls it, so changes never overlap and no lock is needed."""

    def __init__(self, match_state: MatchState, host: Host, deadline: int = 0) -> None:
        self.state = match_state
        self.store = host.store
        self.config = host.config
        self.listeners = host.listeners
        self.name_rules = host.name_rules
        self.computers = host.computers
        self.persons = host.persons
        self.costly = host.costly
        self.made = host.made
        self.presence = Presence(match_state, full_at=lambda: host.connection_counts.full_at, persons=host.persons)
        self.timing = Timing(match_state, host.deadlines.times, deadline, lambda: host.deadlines.up)
        self.drafts = Drafts(match_state)
        self.broadcast = Broadcast(match_state, self.drafts)

    # ---- who may do something ---------------------------------------------------------------------------------

    def require_seat(self, client: Client) -> int:
        """Return the player of a client. Raises `Declined`: `no-seat`."""
        if client.observer < 0:
            raise Declined("no-seat")
        return client.observer

    def require_running(self) -> None:
        """Check that the match runs. Raises `Declined`: `over`."""
        if self.state.outcome is not None:
            raise Declined("over")

    def require_player(self, client: Client) -> int:
        """Return the player of a client if the player still takes part. Raises `Declined`: `no-seat`, `over`, `out`."""
        seat = self.require_seat(client)
        self.require_running()
        if seat in self.state.out:
            raise Declined("out")
        return seat

    # ---- changing ---------------------------------------------------------------------------------------------

    async def commit(self, entry: AnyEntry, states: Sequence[State] = (), shown: int = 0) -> None:
        """Apply and store an entry and the draws of chance that follow it, then send the changes to everyone.

        `states`: the states after each action of a decision. `shown`: number of its actions that its player has already
        seen as a draft. Raises `Declined`: `too-often`.
        """
        match_state = self.state
        require_room(type(entry), match_state.counts)
        first, place, standing = match_state.seq, match_state.size, self._find_standing()
        offers, ended = match_state.offers.offers, match_state.outcome is not None
        before = Face.of(match_state)
        entries, rows = [entry], match_state.apply(entry, states)
        self._draw_all(entries, rows)
        self.timing.set_deadline(entry)
        await self._store(place, entries, before, moved=bool(rows))
        self.presence.note_due(entry.by if isinstance(entry, Played) else None)
        self.timing.note_stored(entry)
        if isinstance(entry, Played):
            self.drafts.forget(entry.by)
            self.broadcast.acknowledge(entry.by, entry.n)
        if rows:
            self.drafts.rebase()
            self.broadcast.show_steps(first, rows, shown)
            self.tell_clocks()
        self._tell_rest(offers, standing, ended)

    async def note(self, entry: AnyEntry) -> None:
        """Apply and store an entry that is no step. The caller informs the clients. Raises `Declined`: `too-often`."""
        require_room(type(entry), self.state.counts)
        place, before = self.state.size, Face.of(self.state)
        self.state.apply(entry)
        self.timing.set_deadline()
        await self._store(place, [entry], before)
        if self.timing.note_seats():
            self.tell_clocks()

    async def deal(self) -> None:
        """Make the draws of chance that are due after loading: the deal of a new match, so that nobody joins before it,
        or a draw that the last process did not store before it ended.
        """
        place, before, entries = self.state.size, Face.of(self.state), list[AnyEntry]()
        self._draw_all(entries, [])
        if entries:
            await self._store(place, entries, before)
            self.presence.note_due()
            self.timing.note_stored()

    async def _store(self, place: int, entries: Sequence[AnyEntry], before: Face, moved: bool = False) -> None:
        """Store applied entries, the first at `place`, together with the statements of the listeners. `moved`: the
        entries make a step, so its time is stored too.
        """
        match, facts = self.state.header.id, tuple(find_facts(before, self.state))
        at = int(time.time()) if moved else 0
        statements = [*prepare_all(self.listeners, facts), *self.timing.plan_storing()]
        if any(isinstance(fact, Ended) for fact in facts):
            statements += plan_packing(match, int(time.time()))
        await self.store.append(match, place, entries, statements, at)
        publish_all(self.listeners, facts)

    def _draw_all(self, entries: list[AnyEntry], rows: list[Sequence[State]]) -> None:
        """Apply draws while chance is due. Each draw adds one entry and one row of states."""
        while self.state.due == (CHANCE,):
            entry = Played(CHANCE, (self._draw(),))
            entries.append(entry)
            rows += self.state.apply(entry)

    def _draw(self) -> int:
        """Draw an action of chance by its probability, with the system's randomness.

        After a take-back the earlier action is drawn again if it is still possible, so nobody can get a better draw
        that way.
        """
        actions, odds = self.state.game.chance_outcomes(self.state.position)
        possible = set(actions.tolist())
        for action in self.state.moves.drawn:
            if action in possible:
                return action
        point = randomness.randbits(53) / 2**53 * float(np.sum(odds))
        return int(actions[min(int(np.searchsorted(np.cumsum(odds), point, side="right")), len(actions) - 1)])

    # ---- telling ----------------------------------------------------------------------------------------------

    def tell_presence(self, without: Client | None = None) -> None:
        self.broadcast.tell_all(m.Presence(self.presence.describe()), without)

    def tell_clocks(self) -> None:
        """Show everyone the clocks, if there are any."""
        if self.timing.is_timed:
            self.broadcast.tell_clocks(self.timing.describe)

    def _find_standing(self) -> tuple[object, ...]:
        """Return the parts of `MatchInfo` that come from the log alone and change during play."""
        match_state = self.state
        returnable, may_call_off = match_state.returnable is not None, match_state.may_call_off
        seats = len(match_state.acted), match_state.late
        return match_state.started, seats, match_state.moves.cuts, returnable, may_call_off

    def _tell_rest(self, offers: tuple[Offer, ...], standing: tuple[object, ...], ended: bool) -> None:
        """Send everything else that a change affects: draw offers, the ending, `MatchInfo`."""
        match_state = self.state
        if match_state.offers.offers != offers and match_state.outcome is None:
            self.broadcast.tell_all(m.DrawOffers(self.broadcast.offer_sides))
        if match_state.outcome is not None and not ended:
            note(
                "match-ended", match=match_state.header.id, reason=match_state.outcome.reason, entries=match_state.size
            )
            self.drafts.clear()
            self.broadcast.show_end(self.presence.describe())
        elif self._find_standing() != standing or self.presence.awaits():
            self.tell_presence()


Handler = Callable[[Match, Client, Any], Awaitable[None]]
"""Handles one kind of message. If it raises `Declined`, nothing has changed."""
