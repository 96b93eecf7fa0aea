"""The processes that play the matches of an arena. If a process dies or hangs, the entrant that was deciding loses the
match.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from collections.abc import Iterator
from contextlib import nullcontext, suppress
from datetime import UTC, datetime
from functools import partial
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any

import numpy as np

from gonfalon.ai.agent import Agent, rehearse
from gonfalon.ai.arena.entrants import COMMAND, PYTHON
from gonfalon.ai.arena.folder import Row, find_code
from gonfalon.ai.arena.matches import Clock, Pace, Played, Steps, play
from gonfalon.ai.arena.plan import Fixture, Plan
from gonfalon.ai.arena.scores import points_of
from gonfalon.engine.events import WITHDRAW
from gonfalon.engine.game import Game, Outcome
from gonfalon.engine.records.replay import BROKEN_OFF, NOBODY, make_record

READY, ASKS, PLAYED = "ready", "asks", "played"
START = 600.0
"""Seconds that a process gets to start and to compile the game and its agents."""
GROUPS = hasattr(os, "setsid")
"""Whether this system has process groups; Windows has none."""
GRACE = 5.0
"""Seconds beyond an entrant's patience after which its process is killed. A program inside the process is killed
earlier.
"""
Match = tuple[Row, str]
"""The stored parts of a match: its row and its record."""


class StaffError(RuntimeError):
    """A process failed, and no entrant caused this."""


def play_all(plan: Plan, fixtures: Iterator[Fixture], processes: int) -> Iterator[Match]:
    """Play fixtures, `processes` at a time. Yield each match when it is over. Raises `StaffError`.

    When the caller stops, the processes end, and their unfinished matches are lost.
    """
    staff = [Member(plan) for _ in range(processes)]
    try:
        busy = [member for member in staff if member.begin(fixtures)]
        while busy:
            wait([member.line for member in busy], timeout=max(0.0, min(member.left for member in busy)))
            for member in busy:
                if (match := member.hear()) is not None:
                    yield match
                    member.begin(fixtures)
            busy = [member for member in busy if member.fixture is not None]
    finally:
        for member in staff:
            member.end()


class Member:
    """The parent's handle of one process that plays."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self.fixture: Fixture | None = None
        self._start()

    def _start(self) -> None:
        context = multiprocessing.get_context("spawn")
        self.line, there = context.Pipe()
        self._process = context.Process(target=work, args=(there, self._plan), daemon=True)
        self._process.start()
        there.close()
        self._until = time.monotonic() + START
        self._asked = NOBODY
        self._steps: Steps = []

    @property
    def left(self) -> float:
        """Seconds until the process counts as hanging."""
        return self._until - time.monotonic()

    def begin(self, fixtures: Iterator[Fixture]) -> bool:
        """Give the process the next match. Return False if there is none."""
        self.fixture = next(fixtures, None)
        if self.fixture is None:
            return False
        if not self._process.is_alive():  # it died after its last match
            self.end()
            self._start()
        self.line.send(self.fixture)
        self._asked, self._steps = NOBODY, []
        self._until = time.monotonic() + START
        return True

    def hear(self) -> Match | None:
        """Read the messages of the process. Return a match if one is over."""
        try:
            while self.line.poll():
                kind, *told = self.line.recv()
                if kind == PLAYED:
                    return told[0], told[1]
                if kind == ASKS:
                    self._asked, self._until = told[0], time.monotonic() + self._plan.patience + GRACE
                    self._steps += told[1]
        except (EOFError, ConnectionResetError):
            return self._break_off("died: its process ended")
        return self._break_off("silent: its process was ended") if self.left <= 0 else None

    def _break_off(self, fault: str) -> Match:
        """Score the match as a failure of the entrant that was deciding, and start another process."""
        self.end()
        assert self.fixture is not None
        if self._asked == NOBODY:
            raise StaffError(f"a process that was to play match {self.fixture.number} failed before its first decision")
        game = self._plan.make_game()
        match = _score_broken(self._plan, game, self.fixture, self._asked, fault, self._steps)
        self._start()
        return match

    def end(self) -> None:
        """Kill the process and the programs that it has started."""
        if self._process.is_alive():
            _kill(self._process)
        self._process.join()
        self.line.close()


def _kill(process: BaseProcess) -> None:
    """Kill a process. If it leads a process group, kill the group, which includes its programs."""
    if GROUPS and process.pid is not None and os.getpgid(process.pid) == process.pid:
        os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()


def _score_broken(plan: Plan, game: Game, fixture: Fixture, guilty: int, fault: str, steps: Steps) -> Match:
    """Return a match whose process is gone. In its record the failed entrant resigns. With more than two players a
    resignation would not end the match, so there the record ends without a result.
    """
    others = [player for player in range(game.info.players) if player != guilty]
    outcome = Outcome.of(game.info.players, others, fault.partition(":")[0])
    clocks = tuple(Clock() for _ in range(game.info.players))
    played = Played(outcome.returns, outcome.reason, 0, clocks, {guilty: fault}, steps)
    last = (guilty, WITHDRAW) if game.info.players == 2 else (NOBODY, BROKEN_OFF)
    return make_row(fixture, played), write_record(plan, game, fixture, [*steps, last])


# ---- inside the process --------------------------------------------------------------------------------------------


def work(line: Connection[Any, Any], plan: Plan) -> None:
    """Run the main loop of a process. Its parent may kill it at any time, with all its children."""
    if GROUPS:
        os.setsid()  # so that Ctrl-C reaches only the parent process
    game = plan.make_game()
    for number, entrant in enumerate(plan.entrants):
        if entrant.startswith(COMMAND):
            continue
        with (
            suppress(Exception) if entrant.startswith(PYTHON) else nullcontext()
        ):  # the match itself will report the failure
            rehearse(game, partial(plan.seat, number), np.random.default_rng(0))
    line.send((READY,))
    try:
        while True:
            fixture: Fixture = line.recv()
            line.send((PLAYED, *play_fixture(plan, game, fixture, line)))
    except (EOFError, BrokenPipeError):
        return  # the parent process is gone


def play_fixture(plan: Plan, game: Game, fixture: Fixture, line: Connection[Any, Any] | None = None) -> Match:
    """Play one match. Before each question, `line` gets the player and the steps since the last question."""
    told = 0

    def watch(player: int, steps: Steps) -> None:
        nonlocal told
        if line is not None:
            line.send((ASKS, player, steps[told:]))
        told = len(steps)

    players: dict[int, Agent] = {player: plan.seat(fixture.find_entrant(player)) for player in range(game.info.players)}
    pace = Pace(plan.milliseconds / 1000, plan.processor_time, plan.cores)
    played = play(game, players, pace, (plan.seed, fixture.round), plan.deal, watch)
    return make_row(fixture, played), write_record(plan, game, fixture, played.steps)


def make_row(fixture: Fixture, played: Played) -> Row:
    """Return the row of a match."""
    first = played.clocks[fixture.seat]
    others = [clock for player, clock in enumerate(played.clocks) if player != fixture.seat]
    return Row(
        number=fixture.number,
        round=fixture.round,
        first=fixture.first,
        second=fixture.second,
        seat=fixture.seat,
        points=points_of(played.returns, fixture.seat),
        reason=played.reason,
        turns=played.turns,
        decisions=(first.decisions, max(clock.decisions for clock in others)),
        late=(first.late, max(clock.late for clock in others)),
        slowest=(first.slowest, max(clock.slowest for clock in others)),
        failed={fixture.find_entrant(player): fault for player, fault in played.failed.items()},
        code=find_code(),
    )


def write_record(plan: Plan, game: Game, fixture: Fixture, steps: Steps) -> str:
    """Return the record of a match as text, for `gonfalon replay`."""
    names = {side: plan.labels[fixture.find_entrant(player)] for player, side in enumerate(game.info.sides)}
    return make_record(game, steps, names, datetime.now(tz=UTC).date().isoformat()).write()
