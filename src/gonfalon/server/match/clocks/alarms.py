"""The alarms of one match: when a player's time is over, and when clocks no longer wait for a player."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence

from gonfalon.server.match.clocks.deadlines import RunningMatches
from gonfalon.server.match.computers.players import Queue
from gonfalon.server.match.handlers import times
from gonfalon.server.match.match import Match

SOON = 0.02
"""Seconds until the server looks again whether a message that arrived in time has been handled."""


class Alarms:
    """Puts commands into the queue of the match task when time has passed."""

    def __init__(self, match: Match, running: RunningMatches, queue: Queue) -> None:
        self._match = match
        self._timing = match.timing
        self._running = running
        self._queue = queue
        self._flag: asyncio.TimerHandle | None = None
        """Rings when a player's time is over."""
        self._wait: asyncio.TimerHandle | None = None
        """Rings when clocks no longer wait for players whose pages are not back."""

    def stop(self) -> None:
        """Cancel all alarms."""
        self._cancel_flag()
        if self._wait is not None:
            self._wait.cancel()
            self._wait = None
        self._running.release(self._match.state.header.id)

    def follow(self) -> None:
        """Set the alarm for the moment at which a player's time is over, or end the work on clocks that have
        stopped.
        """
        timing = self._timing
        if not timing.has_clock or not timing.started:
            return
        self._cancel_flag()
        if not timing.goes_on:
            self._running.release(self._match.state.header.id)
            self._measure_lags()
        elif (rest := timing.until_next()) is not None:
            self._flag = self._call_later(rest / 1000)

    async def start_clocks(self, there: Sequence[int]) -> None:
        """Start the first clock of the match, and store that it runs. `there`: players who are back, see
        `Timing.start`.
        """
        match, timing = self._match, self._timing
        timing.start(there)
        if timing.has_clock and timing.went_on:
            self._limit_wait()
        await match.store.execute(timing.plan_storing())
        self._measure_lags()
        match.tell_clocks()

    def note_back(self, player: int) -> None:
        """Let the clock of a player go on whose page has come."""
        self._measure_lags()
        self._go_on(self._match.presence.find_sharers(player))

    def wait_for(self, player: int, since: int) -> None:
        """Let the clock of a player stand still whose last connection a fault of the server has broken."""
        players = self._match.presence.find_sharers(player) if player >= 0 else ()
        if any(self._match.broadcast.find_clients(each) for each in players):
            return
        if self._timing.wait_for(players, since):
            self._limit_wait()
            self._match.tell_clocks()

    async def check_time(self) -> None:
        """End the time of the players who are late, or start the clocks of a match that was loaded."""
        match, timing = self._match, self._timing
        if match.state.outcome is None and timing.all_taken and not timing.started:
            self._running.take(match.state.header.id, "")
            await self.start_clocks(())
        while late := timing.find_late():
            if self._hears(late[0]):
                self._call_later(SOON)
                return
            await times.end_time(match, late[0])
        # A match that was ended from outside still has its row.
        if statements := timing.plan_storing():
            await match.store.execute(statements)

    def _limit_wait(self) -> None:
        if self._wait is not None:
            self._wait.cancel()
        within = self._match.config.back_within
        self._wait = asyncio.get_running_loop().call_later(within, self._queue.put_nowait, self._end_wait)

    async def _end_wait(self) -> None:
        self._go_on(self._match.state.clocks.persons)

    def _go_on(self, players: Iterable[int]) -> None:
        """Let clocks run that waited for the pages of their players."""
        if self._timing.note_back(players):
            self._match.tell_clocks()

    def _hears(self, player: int) -> bool:
        """Return whether a message of the player is not handled yet that arrived in time."""
        clients = self._match.broadcast.find_clients(player)
        return any(client.busy and not self._timing.is_late(player, client.arrived) for client in clients)

    def _measure_lags(self) -> None:
        """Measure the lag of all players with clocks while the clocks run."""
        timing, broadcast = self._timing, self._match.broadcast
        runs = timing.has_clock and timing.started and timing.goes_on
        for player, lag in timing.lags.items():
            for client in broadcast.find_clients(player):
                client.measure(lag.measure if runs else None)

    def _call_later(self, seconds: float) -> asyncio.TimerHandle:
        return asyncio.get_running_loop().call_later(seconds, self._queue.put_nowait, self.check_time)

    def _cancel_flag(self) -> None:
        if self._flag is not None:
            self._flag.cancel()
            self._flag = None
