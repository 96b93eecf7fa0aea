"""Broadcast of a match: the view that each observer was shown last, and the frames that bring observers up to date."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence

from gonfalon.engine.events import Event
from gonfalon.engine.game import State
from gonfalon.engine.screens.scene import Choice, Hint
from gonfalon.engine.view import View
from gonfalon.server.match.clients.client import Client
from gonfalon.server.match.clients.frames import compare, encode, ending_of, show, side_of, tell, uncover
from gonfalon.server.match.drafts import Drafts
from gonfalon.server.match.moves import Step
from gonfalon.server.match.state import MatchState
from gonfalon.server.protocol import messages as m
from gonfalon.server.protocol.match_info import Ending, MatchInfo


class Broadcast:
    """Clients by observer, and the view that each observer was shown last."""

    def __init__(self, match_state: MatchState, drafts: Drafts) -> None:
        self.count = 0
        self._match_state = match_state
        self._drafts = drafts
        self._by: dict[int, dict[Client, None]] = {}
        self._shown: dict[int, View] = {}
        self._told: dict[int, dict[int, bytes]] = {}
        """Encoded updates for clients that came late, by observer and step number."""

    def find_clients(self, observer: int) -> tuple[Client, ...]:
        return tuple(self._by.get(observer, ()))

    def everyone(self) -> Iterator[Client]:
        """Yield all clients, from a copy: the original may change meanwhile."""
        return iter([c for clients in self._by.values() for c in clients])

    def tell_all(self, message: m.Message, without: Client | None = None) -> None:
        """Send one message to all clients. It must hold nothing that some observer may not see."""
        text = encode(message)
        for client in self.everyone():
            if client is not without:
                client.push(text)

    def tell_clocks(self, describe: Callable[[int], m.Clocks]) -> None:
        """Send each observer the clocks. `describe`: see `Timing.describe`."""
        for observer in self._by:
            self._send(observer, describe(observer))

    def acknowledge(self, seat: int, n: int) -> None:
        """Tell all windows of a seat that `Act` number `n` is done."""
        if n:
            self._send(seat, m.Stored(n, self._match_state.seq))

    def _send(self, observer: int, message: m.Message) -> None:
        """Send one message to all windows of an observer."""
        text = encode(message)
        for client in self._by.get(observer, ()):
            client.push(text)

    @property
    def offer_sides(self) -> tuple[str, ...]:
        return tuple(self._match_state.game.info.sides[p] for p in self._match_state.offers.open)

    @property
    def ending(self) -> Ending | None:
        return ending_of(self._match_state.game, self._match_state.outcome)

    # ---- coming and going -------------------------------------------------------------------------------------

    async def add(self, client: Client, info: MatchInfo, seq: int, clocks: m.Clocks | None = None) -> None:
        """Welcome a client that has shown the steps before `seq` (-1: none). If it missed more steps than
        `MatchState.past` holds, it gets only those.
        """
        observer, match_state = client.observer, self._match_state
        view = match_state.game.view(self._drafts.find_state(observer), observer)
        if 0 <= seq < match_state.seq:
            first = max(seq, match_state.seq - len(match_state.past))
            past = match_state.game.view(match_state.past[first - match_state.seq], observer)
            frames = await asyncio.to_thread(self._catch_up, observer, first, view, client.hints)
            client.push(self._welcome(observer, info, m.Now(first, show(match_state.game, past), ())))
            for frame in frames:
                client.push(frame)
        else:
            scene = show(match_state.game, view, match_state.outcome is not None)
            hints = self._hints(view, client.hints)
            now = m.Now(match_state.seq, scene, self._choices(view), observer in self._drafts, hints)
            client.push(self._welcome(observer, info, now))
        if clocks is not None:
            client.push(encode(clocks))
        if match_state.outcome is not None:
            client.push(encode(self._ended(view, info)))
        if not self.find_clients(observer):
            self._shown[observer] = view
        self._by.setdefault(observer, {})[client] = None
        self.count += 1

    def remove(self, client: Client) -> bool:
        """Remove a client. Return whether it had been added."""
        mine = self._by.get(client.observer, {})
        if client not in mine:
            return False
        del mine[client]
        self.count -= 1
        if not mine:
            del self._by[client.observer]
            del self._shown[client.observer]
        return True

    def _welcome(self, observer: int, info: MatchInfo, now: m.Now) -> bytes:
        match_state, draft = self._match_state, self._drafts.get(observer)
        return encode(
            m.Welcome(
                match=info,
                side=side_of(match_state.game, observer),
                board=match_state.game.board(),
                now=now,
                n=draft.n if draft else match_state.acts.get(observer, (0, ()))[0],
                latest=match_state.seq,
                offers=self.offer_sides,
                ending=self.ending,
            )
        )

    def _catch_up(self, observer: int, first: int, now: View, wants_hints: bool) -> list[bytes]:
        """Return all steps from `first` on as updates, then the observer's own draft if there is one. `now`: the
        present view, with the draft.

        This runs in a thread while the match task waits for it. Earlier updates are kept, so repeated requests cost
        little.
        """
        match_state = self._match_state
        kept = self._told.get(observer, {})
        frames = {
            number: kept.get(number) or self._recall(observer, number, wants_hints)
            for number in range(first, match_state.seq)
        }
        self._told[observer] = {number: frame for number, frame in frames.items() if number + 1 < match_state.seq}
        if observer in self._drafts:
            patch = compare(match_state.game, match_state.game.view(match_state.position, observer), now)
            hints = self._hints(now, wants_hints)
            draft = m.Update(match_state.seq, (), patch, self._choices(now), draft=True, hints=hints)
            return [*frames.values(), encode(draft)]
        return list(frames.values())

    def _recall(self, observer: int, number: int, wants_hints: bool) -> bytes:
        """Return a past step as an update. Only the newest step offers choices and hints."""
        match_state, step = self._match_state, self._match_state.steps[number]
        before, row = match_state.recall(number)
        shown, view = match_state.game.view(before, observer), match_state.game.view(row[-1], observer)
        last = number + 1 == match_state.seq
        patch = compare(match_state.game, shown, view, last and match_state.outcome is not None)
        events = tell(match_state.game, step, row, observer)
        newest = last and observer not in self._drafts
        choices = self._choices(view) if newest else ()
        hints = self._hints(view, newest and wants_hints)
        by = side_of(match_state.game, step.by)
        return encode(m.Update(number + 1, events, patch, choices, by=by, hints=hints))

    # ---- what happens -----------------------------------------------------------------------------------------

    def show_draft(self, seat: int, count: int) -> None:
        """Show a seat its draft after `count` more actions, or the position without a draft after a take-back."""
        draft = self._drafts.get(seat)
        events: tuple[Event, ...] = ()
        if draft and self.find_clients(seat):
            step = Step(seat, draft.actions)
            events = tell(self._match_state.game, step, draft.states, seat, len(draft.actions) - count)
        self._update(seat, self._match_state.seq, events, "")

    def show_steps(self, first: int, rows: Sequence[Sequence[State]], shown: int = 0) -> None:
        """Show everyone the steps from number `first` on. `rows`: the states after each action of each step. `shown`:
        number of actions of the first step that its player has already seen as a draft.
        """
        match_state = self._match_state
        for number, row in enumerate(rows, start=first):
            step, state = match_state.steps[number], None if number + 1 == match_state.seq else row[-1]
            by = side_of(match_state.game, step.by)
            for observer in tuple(self._by):
                skip = shown if observer == step.by and number == first else 0
                self._update(observer, number + 1, tell(match_state.game, step, row, observer, skip), by, state)

    def show_end(self, info: MatchInfo) -> None:
        """Tell everyone that the match has ended, and show everything hidden."""
        for observer in self._by:
            self._send(observer, self._ended(self._shown[observer], info))

    def _ended(self, shown: View, info: MatchInfo) -> m.Ended:
        ending = self.ending
        assert ending is not None
        return m.Ended(ending, info, uncover(self._match_state.game, shown, self._match_state.position))

    def _update(self, observer: int, seq: int, events: tuple[Event, ...], by: str, state: State | None = None) -> None:
        if observer not in self._by:
            return
        game, now = self._match_state.game, state is None
        view = game.view(self._drafts.find_state(observer) if state is None else state, observer)
        patch = compare(game, self._shown[observer], view, now and self._match_state.outcome is not None)
        self._shown[observer] = view
        choices = self._choices(view) if now else ()
        hints = self._hints(view, now and any(client.hints for client in self._by[observer]))
        self._send(observer, m.Update(seq, events, patch, choices, observer in self._drafts, by, hints))

    def find_hints(self, observer: int) -> tuple[Hint, ...]:
        """Return the hints for an observer with a client, in the present position."""
        return self._hints(self._shown[observer], True)

    def _hints(self, view: View, wanted: bool) -> tuple[Hint, ...]:
        return self._match_state.game.hints(view) if wanted and self._match_state.outcome is None else ()

    def _choices(self, view: View) -> tuple[Choice, ...]:
        return () if self._match_state.outcome is not None else self._match_state.game.choices(view)
