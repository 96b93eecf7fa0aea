"""The clocks of one match while it runs: what a decision takes, whose time is over, and what the pages are told.

`Clocks` computes the budgets from the log, `Running` measures the present decisions, and this class joins them with the
match: who has come, who is due, who shares a device.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import sqlalchemy as sa

from gonfalon.server.clock.clocks import SECOND
from gonfalon.server.clock.control import Bank, Correspondence
from gonfalon.server.clock.deadline import extend, find_deadline, find_spent, is_past
from gonfalon.server.clock.lag import Lag
from gonfalon.server.clock.running import Running
from gonfalon.server.clock.times import Times
from gonfalon.server.match.state import MatchState
from gonfalon.server.protocol.messages import Clocks, SeatClock
from gonfalon.server.storage.deadlines import write_due
from gonfalon.server.storage.entries import AnyEntry, OutOfTime, Played, Resigned, TookBack

SEATS, CURTAIN, AWAY = "seats", "curtain", "away"
"""Causes for which clocks stand still: somebody has not come yet; the curtain of a shared device is down; a player's
page is not back after a start of the server, or after its connection was lost by a fault of the server.
"""
UNKNOWN = -1


class Timing:
    """When the clocks of a match run. Without a clock it only measures decisions."""

    def __init__(self, match_state: MatchState, times: Times, deadline: int, up: Callable[[], int]) -> None:
        """`deadline`: the stored deadline by correspondence, 0 for none. `up`: returns the latest time that the server
        stored. Both in Unix milliseconds.
        """
        self._match_state = match_state
        self._times = times
        self.deadline = deadline
        self._up = up
        self.lags = lags = {player: Lag() for player in match_state.clocks.persons}
        clocks = match_state.clocks
        self.has_clock = clocks.has_budgets
        """Whether the clocks run while players think, so that the match stays in memory."""
        self.by_days = clocks.control if isinstance(clocks.control, Correspondence) else None
        """The time control of a match by correspondence, else None."""
        self.is_timed = self.has_clock or self.by_days is not None
        """Whether a player can be out of time."""
        self.sharers = match_state.sharers
        self.shared = self.has_clock and len(self.sharers) > 1
        """Whether players with clocks share a device, and a curtain falls between their turns."""
        self.went_on = match_state.counts[Played] > 0
        """Whether the match was played before it was loaded."""
        self.started = not self.has_clock
        """Whether the first clock has started. Before that the match sleeps like any other."""
        # The function must not hold this object: in a cycle, a match that is left would wait for the collector.
        self._running = Running(clocks, lambda player: lags[player].quota, times.monotonic)
        self._due = self._due_persons()
        """The persons who were due at the last change, for the deadline by correspondence."""
        self._stored: int | None = UNKNOWN
        """The stored row of `deadlines`: a deadline, 0 for a row without one, None for no row."""
        if self.has_clock:
            self._running.pause(clocks.persons, SEATS)
        if self.shared:
            self._running.pause(self.sharers, CURTAIN)
        self._note_due()

    # ---- the match --------------------------------------------------------------------------------------------

    def may_start(self, player: int) -> bool:
        """Return whether the first clock starts when `player` comes, because then every seat is taken."""
        match_state = self._match_state
        waits = not self.started or (self.by_days is not None and not self.deadline and bool(self._due_persons()))
        everybody = match_state.taken | {player} >= set(range(match_state.game.info.players))
        return waits and player >= 0 and match_state.outcome is None and everybody

    def start(self, there: Iterable[int]) -> None:
        """Start the first clock. In a match that went on, pages may not have noticed yet that their server is gone:
        only the clocks of the players in `there` run, others wait for `note_back`.
        """
        self.started = True
        persons = self._match_state.clocks.persons
        if self.went_on:
            self._running.pause(persons - set(there), AWAY)
        self._running.resume(persons, SEATS)
        self.set_deadline()

    def wait_for(self, players: Iterable[int], since: int) -> bool:
        """Let the clocks of players stand still, from a moment in the past on, until `note_back`. Return whether this
        changed anything.
        """
        ticking = self._running.ticking
        if self.has_clock and self.started:
            self._running.pause(players, AWAY, since)
        return ticking != self._running.ticking

    def note_back(self, players: Iterable[int]) -> bool:
        """Let the clocks of players run that waited for their pages. Return whether this changed anything."""
        ticking = self._running.ticking
        self._running.resume(players, AWAY)
        return ticking != self._running.ticking

    def note_seats(self) -> bool:
        """Let the clocks stand still while a seat waits for its guest, also for one who is invited anew. Return whether
        this changed anything.
        """
        ticking = self._running.ticking
        if self.has_clock and self.started:
            change = self._running.resume if self.all_taken else self._running.pause
            change(self._match_state.clocks.persons, SEATS)
        return ticking != self._running.ticking

    def note_stored(self, entry: AnyEntry | None = None) -> None:
        """Note who is due after a change that is stored, so that storing costs nobody."""
        match entry:
            case Played() | OutOfTime() | Resigned():
                self._running.close(entry.by)
                self._lower_curtain(entry.by)
            case TookBack():
                self._running.close_all()
        self._note_due()

    def _lower_curtain(self, decided: int) -> None:
        """Stop the clocks of a shared device when its turn passes to another of its players, so that nobody pays until
        the device has changed hands.
        """
        due = set(self._match_state.due)
        if self.shared and decided in self.sharers and decided not in due and not due.isdisjoint(self.sharers):
            self._running.pause(self.sharers, CURTAIN)

    def _note_due(self) -> None:
        match_state = self._match_state
        self._running.note_due(match_state.due, before_play=not match_state.started)

    def set_deadline(self, decided: AnyEntry | None = None) -> None:
        """Set the deadline by correspondence after a change. It stays while the same players are still due."""
        if self.by_days is None:
            return
        if not self.all_taken:
            self.deadline = 0
            return
        due = self._due_persons()
        anew = isinstance(decided, TookBack) or (isinstance(decided, Played) and decided.by in due)
        if not due:
            self.deadline = 0
        elif anew or not self.deadline or not set(due) <= set(self._due):
            self.deadline = find_deadline(self.by_days, self._times.system(), self._up())
        self._due = due

    def extend(self, up: int, down: int) -> None:
        """Add time in which no server ran, or a jump of the system clock, to the deadline; see `deadline.extend`."""
        if self.deadline:
            self.deadline = extend(self.deadline, up, down)

    @property
    def all_taken(self) -> bool:
        return len(self._match_state.taken) == self._match_state.game.info.players

    @property
    def goes_on(self) -> bool:
        """Whether the time of the match goes on when nobody is connected, so that computer players decide too."""
        match_state = self._match_state
        plays = match_state.outcome is None and not match_state.clocks.persons <= match_state.out
        return plays and (self.started if self.has_clock else self.by_days is not None and self.all_taken)

    @property
    def ticks(self) -> bool:
        """Whether the match must stay in memory: a clock runs, or will run when a computer player has decided."""
        waits = (self.shared or not self.all_taken) and not self._running.ticking
        return self.has_clock and self.goes_on and not waits

    def plan_storing(self) -> Sequence[sa.Executable]:
        """Return the statements that bring the stored row of the match up to date; none if it is so already. The caller
        executes them, or loads the match again.
        """
        if not self.is_timed:
            return ()
        row = self.deadline if self.goes_on else None
        if row == self._stored:
            return ()
        self._stored = row
        return write_due(self._match_state.header.id, row)

    # ---- decisions --------------------------------------------------------------------------------------------

    def arrival(self) -> int:
        """Return the present time, as the arrival of something that did not come by a socket."""
        return self._times.monotonic()

    def took(self, player: int, at: int | None = None) -> int:
        """Return the milliseconds that a decision cost its player, for the log. `at`: arrival of its message."""
        if player not in self._match_state.clocks.persons:
            return 0
        if self.by_days is not None and self.deadline:
            return find_spent(self.by_days, self.deadline, self._times.system())
        return self._running.took(player, at)

    def is_late(self, player: int, at: int | None = None) -> bool:
        """Return whether the player's time was over when a message arrived."""
        if self.by_days is not None:
            return bool(self.deadline) and is_past(self.deadline, self._times.system())
        return self._running.is_past(player, at)

    def find_late(self) -> tuple[int, ...]:
        """Return the players whose time is over, in the order in which it ended."""
        if self.by_days is not None:
            return self._due_persons() if self.deadline and is_past(self.deadline, self._times.system()) else ()
        return self._running.find_flags()

    def until_next(self) -> int | None:
        """Return the milliseconds until a player's time is over, for a timer; None if no clock runs."""
        return self._running.until_next_flag()

    def set_curtain(self, down: bool, at: int) -> None:
        """Let the curtain of a shared device fall or lift."""
        change = self._running.pause if down else self._running.resume
        change(self.sharers, CURTAIN, at)

    def _due_persons(self) -> tuple[int, ...]:
        return tuple(p for p in self._match_state.due if p in self._match_state.clocks.persons)

    # ---- telling ----------------------------------------------------------------------------------------------

    def describe(self, observer: int) -> Clocks:
        """Return the clocks as an observer may see them. Before play, others learn only that a player is ready."""
        now = self._times.monotonic()
        seats = (self._describe_seat(player, now) for player in self._shown(observer))
        return Clocks(tuple(seat for seat in seats if seat is not None), self.deadline)

    def _shown(self, observer: int) -> Iterable[int]:
        match_state = self._match_state
        if match_state.started or self.by_days is not None:
            return sorted(match_state.clocks.persons)
        own = {observer} & match_state.clocks.persons
        return sorted(self.sharers if observer in self.sharers else own)

    def _describe_seat(self, player: int, now: int) -> SeatClock | None:
        match_state = self._match_state
        side, before_play = match_state.game.info.sides[player], not match_state.started
        if self.by_days is not None:
            if player not in match_state.due or not self.deadline:
                return None
            rest = max(0, self.deadline - self._times.system())
            return SeatClock(side, rest, runs=True, most=rest)
        clocks = match_state.clocks
        left, most = clocks.left(player, before_play=before_play), clocks.most(player, before_play=before_play)
        if left is None or most is None:
            return None
        spent = self._running.elapsed(player, now)
        delay = clocks.control.delay * SECOND if isinstance(clocks.control, Bank) and not before_play else 0
        runs = player in self._running.ticking
        return SeatClock(
            side,
            max(0, left - max(0, spent - delay)),
            runs=runs,
            free=max(0, delay - spent),
            most=max(0, most - spent) if runs else None,
        )
