"""What is true of one running match, and the one way to change it: apply, store, then show."""

from __future__ import annotations

import secrets as randomness
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import numpy as np

from gonfalon.engine.game import CHANCE, State
from gonfalon.engine.offers import Offer
from gonfalon.server import messages as m
from gonfalon.server.config import Config
from gonfalon.server.connection import Connection
from gonfalon.server.declined import Declined
from gonfalon.server.drafts import Drafts
from gonfalon.server.entries import AnyEntry, Played
from gonfalon.server.journal import note
from gonfalon.server.presence import Presence
from gonfalon.server.sitting import Sitting
from gonfalon.server.store import Store
from gonfalon.server.visitors import Visitors
from gonfalon.server.watch import Watch


class Authority:
    """To be called from the match's task alone: one change after the other, so nothing here needs a lock."""

    def __init__(self, sitting: Sitting, store: Store, config: Config, visitors: Visitors) -> None:
        self.sitting = sitting
        self.store = store
        self.config = config
        self.presence = Presence(sitting, full_at=lambda: visitors.full_at)
        self.drafts = Drafts(sitting)
        self.watch = Watch(sitting, self.drafts)

    # ---- who may do something ---------------------------------------------------------------------------------

    def require_seat(self, connection: Connection) -> int:
        """The player whose connection it is. Raises `Declined`: `no-seat`."""
        if connection.observer < 0:
            raise Declined("no-seat")
        return connection.observer

    def require_running(self) -> None:
        """Raises `Declined`: `over`."""
        if self.sitting.outcome is not None:
            raise Declined("over")

    def require_player(self, connection: Connection) -> int:
        """The same as `require_seat`, of who still takes part. Raises `Declined`: `no-seat`, `over`, `out`."""
        seat = self.require_seat(connection)
        self.require_running()
        if seat in self.sitting.out:
            raise Declined("out")
        return seat

    # ---- changing ---------------------------------------------------------------------------------------------

    async def commit(self, entry: AnyEntry, states: Sequence[State] = (), shown: int = 0) -> None:
        """Applies and stores an entry, with the draws of chance that follow it, then tells everyone.

        `states`: those after each action of a decision; its player has been shown the first `shown` of them as his
        draft.
        """
        sitting = self.sitting
        first, place, standing = sitting.seq, sitting.size, self._find_standing()
        offers, ended = sitting.offers.offers, sitting.outcome is not None
        entries, rows = [entry], sitting.apply(entry, states)
        self._draw_all(entries, rows)
        await self.store.append(sitting.header.id, place, entries)
        self.presence.note_due()
        if isinstance(entry, Played):
            self.drafts.forget(entry.by)
            self.watch.acknowledge(entry.by, entry.n)
        if rows:
            self.drafts.rebase()
            self.watch.show_steps(first, rows, shown)
        self._tell_rest(offers, standing, ended)

    async def note(self, entry: AnyEntry) -> None:
        """Applies and stores an entry that is no step; what there is to tell is the caller's."""
        place = self.sitting.size
        self.sitting.apply(entry)
        await self.store.append(self.sitting.header.id, place, [entry])

    async def deal(self) -> None:
        """Draws what chance owes where the log ends: in a new match that begins with a deal, so that all who join see
        it done, and after a process that ended between two steps.
        """
        place, entries = self.sitting.size, list[AnyEntry]()
        self._draw_all(entries, [])
        if entries:
            await self.store.append(self.sitting.header.id, place, entries)
            self.presence.note_due()

    def _draw_all(self, entries: list[AnyEntry], rows: list[Sequence[State]]) -> None:
        """Applies draws as long as chance is due; each is an entry of its own and one more row of states."""
        while self.sitting.due == (CHANCE,):
            entry = Played(CHANCE, (self._draw(),))
            entries.append(entry)
            rows += self.sitting.apply(entry)

    def _draw(self) -> int:
        """An action of chance, drawn by its probability from the system's randomness; after something was taken back
        the same again where it is still possible, or else taking back would be a way to draw twice.
        """
        actions, odds = self.sitting.game.chance_outcomes(self.sitting.state)
        possible = set(actions.tolist())
        for action in self.sitting.line.drawn:
            if action in possible:
                return action
        point = randomness.randbits(53) / 2**53 * float(np.sum(odds))
        return int(actions[min(int(np.searchsorted(np.cumsum(odds), point, side="right")), len(actions) - 1)])

    # ---- telling ----------------------------------------------------------------------------------------------

    def tell_presence(self, without: Connection | None = None) -> None:
        self.watch.tell_all(m.Presence(self.presence.describe()), without)

    def _find_standing(self) -> tuple[object, ...]:
        """What of the log alone stands in `MatchInfo` and changes as it is played."""
        sitting = self.sitting
        return sitting.started, len(sitting.acted), sitting.line.cuts, sitting.returnable is not None

    def _tell_rest(self, offers: tuple[Offer, ...], standing: tuple[object, ...], ended: bool) -> None:
        """What a change brought about besides its steps."""
        sitting = self.sitting
        if sitting.offers.offers != offers and sitting.outcome is None:
            self.watch.tell_all(m.DrawOffers(self.watch.offer_sides))
        if sitting.outcome is not None and not ended:
            note("match-ended", match=sitting.header.id, reason=sitting.outcome.reason, entries=sitting.size)
            self.drafts.clear()
            self.watch.show_end(self.presence.describe())
        elif self._find_standing() != standing or self.presence.awaits():
            self.tell_presence()


Handler = Callable[[Authority, Connection, Any], Awaitable[None]]
"""Does what one kind of message asks for. Raises `Declined`; then nothing has changed."""
