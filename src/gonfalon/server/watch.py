"""What the observers of one match have been shown, and the frames that bring them up to date."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence

from gonfalon.engine.events import Event
from gonfalon.engine.game import State
from gonfalon.engine.scene import Choice
from gonfalon.engine.view import View
from gonfalon.server import messages as m
from gonfalon.server.connection import Connection
from gonfalon.server.drafts import Drafts
from gonfalon.server.frames import compare, encode, ending_of, show, side_of, tell, uncover
from gonfalon.server.line import Step
from gonfalon.server.sitting import Sitting


class Watch:
    """Connections by observer, and the view that each observer was shown last."""

    def __init__(self, sitting: Sitting, drafts: Drafts) -> None:
        self.count = 0
        self._sitting = sitting
        self._drafts = drafts
        self._by: dict[int, dict[Connection, None]] = {}
        self._shown: dict[int, View] = {}
        self._told: dict[int, dict[int, bytes]] = {}
        """By observer and number of the step: updates that were made for somebody who came late."""

    def find_connections(self, observer: int) -> tuple[Connection, ...]:
        return tuple(self._by.get(observer, ()))

    def everyone(self) -> Iterator[Connection]:
        """All connections, as they are now."""
        return iter([c for connections in self._by.values() for c in connections])

    def tell_all(self, message: m.Message, without: Connection | None = None) -> None:
        """The same message, fit for all, to all."""
        text = encode(message)
        for connection in self.everyone():
            if connection is not without:
                connection.push(text)

    def acknowledge(self, seat: int, n: int) -> None:
        """Tells all windows of a seat that `n` is done."""
        if n:
            self._send(seat, m.Stored(n, self._sitting.seq))

    def _send(self, observer: int, message: m.Message) -> None:
        """The same message to all windows of an observer."""
        text = encode(message)
        for connection in self._by.get(observer, ()):
            connection.push(text)

    @property
    def offer_sides(self) -> tuple[str, ...]:
        return tuple(self._sitting.game.info.sides[p] for p in self._sitting.offers.open)

    @property
    def ending(self) -> m.Ending | None:
        return ending_of(self._sitting.game, self._sitting.outcome)

    # ---- coming and going -------------------------------------------------------------------------------------

    async def add(self, connection: Connection, info: m.MatchInfo, seq: int) -> None:
        """Welcomes a connection that has shown the steps before `seq`, -1 for none. Of a long gap it is told the end,
        as far back as `Sitting.past` goes.
        """
        observer, sitting = connection.observer, self._sitting
        view = sitting.game.view(self._drafts.find_state(observer), observer)
        if 0 <= seq < sitting.seq:
            first = max(seq, sitting.seq - len(sitting.past))
            past = sitting.game.view(sitting.past[first - sitting.seq], observer)
            frames = await asyncio.to_thread(self._catch_up, observer, first, view)
            connection.push(self._welcome(observer, info, m.Now(first, show(sitting.game, past), ())))
            for frame in frames:
                connection.push(frame)
        else:
            scene = show(sitting.game, view, sitting.outcome is not None)
            now = m.Now(sitting.seq, scene, self._choices(view), observer in self._drafts)
            connection.push(self._welcome(observer, info, now))
        if sitting.outcome is not None:
            connection.push(encode(self._ended(view, info)))
        if not self.find_connections(observer):
            self._shown[observer] = view
        self._by.setdefault(observer, {})[connection] = None
        self.count += 1

    def remove(self, connection: Connection) -> bool:
        """Whether the connection was shown anything until now."""
        mine = self._by.get(connection.observer, {})
        if connection not in mine:
            return False
        del mine[connection]
        self.count -= 1
        if not mine:
            del self._by[connection.observer]
            del self._shown[connection.observer]
        return True

    def _welcome(self, observer: int, info: m.MatchInfo, now: m.Now) -> bytes:
        sitting, draft = self._sitting, self._drafts.get(observer)
        return encode(
            m.Welcome(
                match=info,
                side=side_of(sitting.game, observer),
                board=sitting.game.board(),
                now=now,
                n=draft.n if draft else sitting.acts.get(observer, (0, ()))[0],
                latest=sitting.seq,
                offers=self.offer_sides,
                ending=self.ending,
            )
        )

    def _catch_up(self, observer: int, first: int, now: View) -> list[bytes]:
        """All steps from `first` on as updates, and the own draft, seen in `now`, after them. This runs in a thread
        while the match's task waits for it. What was made before is not made again, however often somebody asks.
        """
        sitting = self._sitting
        kept = self._told.get(observer, {})
        frames = {number: kept.get(number) or self._recall(observer, number) for number in range(first, sitting.seq)}
        self._told[observer] = {number: frame for number, frame in frames.items() if number + 1 < sitting.seq}
        if observer in self._drafts:
            patch = compare(sitting.game, sitting.game.view(sitting.state, observer), now)
            draft = m.Update(sitting.seq, (), patch, self._choices(now), draft=True)
            return [*frames.values(), encode(draft)]
        return list(frames.values())

    def _recall(self, observer: int, number: int) -> bytes:
        """A past step as an update. Only after the last one something can be done."""
        sitting, step = self._sitting, self._sitting.steps[number]
        before, row = sitting.recall(number)
        shown, view = sitting.game.view(before, observer), sitting.game.view(row[-1], observer)
        last = number + 1 == sitting.seq
        patch = compare(sitting.game, shown, view, last and sitting.outcome is not None)
        events = tell(sitting.game, step, row, observer)
        choices = self._choices(view) if last and observer not in self._drafts else ()
        return encode(m.Update(number + 1, events, patch, choices, by=side_of(sitting.game, step.by)))

    # ---- what happens -----------------------------------------------------------------------------------------

    def show_draft(self, seat: int, count: int) -> None:
        """Shows a seat its draft after `count` more actions, or without one after it was taken back."""
        draft = self._drafts.get(seat)
        events: tuple[Event, ...] = ()
        if draft and self.find_connections(seat):
            step = Step(seat, draft.actions)
            events = tell(self._sitting.game, step, draft.states, seat, len(draft.actions) - count)
        self._update(seat, self._sitting.seq, events, "")

    def show_steps(self, first: int, rows: Sequence[Sequence[State]], shown: int = 0) -> None:
        """Shows everyone the steps from number `first` on. `rows`: the states after each action of each of them; who
        made the first of them has been shown `shown` of its actions as his draft.
        """
        sitting = self._sitting
        for number, row in enumerate(rows, start=first):
            step, state = sitting.steps[number], None if number + 1 == sitting.seq else row[-1]
            by = side_of(sitting.game, step.by)
            for observer in tuple(self._by):
                skip = shown if observer == step.by and number == first else 0
                self._update(observer, number + 1, tell(sitting.game, step, row, observer, skip), by, state)

    def show_end(self, info: m.MatchInfo) -> None:
        """Tells everyone that the match has ended, and shows what was hidden."""
        for observer in self._by:
            self._send(observer, self._ended(self._shown[observer], info))

    def _ended(self, shown: View, info: m.MatchInfo) -> m.Ended:
        ending = self.ending
        assert ending is not None
        return m.Ended(ending, info, uncover(self._sitting.game, shown, self._sitting.state))

    def _update(self, observer: int, seq: int, events: tuple[Event, ...], by: str, state: State | None = None) -> None:
        if observer not in self._by:
            return
        game, now = self._sitting.game, state is None
        view = game.view(self._drafts.find_state(observer) if state is None else state, observer)
        patch = compare(game, self._shown[observer], view, now and self._sitting.outcome is not None)
        self._shown[observer] = view
        choices = self._choices(view) if now else ()
        self._send(observer, m.Update(seq, events, patch, choices, observer in self._drafts, by))

    def _choices(self, view: View) -> tuple[Choice, ...]:
        return () if self._sitting.outcome is not None else self._sitting.game.choices(view)
