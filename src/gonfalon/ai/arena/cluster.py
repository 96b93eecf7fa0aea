"""An arena on several machines that Ray joins to a cluster (Moritz et al., Ray: A Distributed Framework for Emerging AI
Applications, 2018). Only this module imports Ray, which is an extra (`pip install gonfalon[cluster]`).

Each actor runs on one of the machines and has its own process, as in an arena on one machine. So an entrant that dies
or hangs is reported and scored in the same way. If a machine is lost, another one plays its match again.
"""

from __future__ import annotations

import socket
from collections import deque
from collections.abc import Iterator
from multiprocessing.connection import wait
from typing import Any

from gonfalon.ai.arena.plan import Fixture, Plan
from gonfalon.ai.arena.staff import Match, Member, StaffError

REACHED = 10.0
"""Seconds within which a cluster must answer."""


def play_on_cluster(plan: Plan, fixtures: Iterator[Fixture], address: str, most: int | None) -> Iterator[Match]:
    """Play fixtures on the cluster at `address`, at most `most` at a time; None: one per processor of the cluster.
    Yield each match when it is over. Raises `StaffError`; ModuleNotFoundError without Ray.

    When the caller stops, the actors end, and their unfinished matches are lost.
    """
    import ray

    _check(address)
    try:
        cluster = ray.init(address=address, log_to_driver=False, logging_level="error")
    except (ConnectionError, RuntimeError, ValueError) as error:
        raise StaffError(f"no cluster at {address!r}: {error}") from error
    with cluster:
        places = most or max(1, int(ray.cluster_resources().get("CPU", 1)))
        yield from _Crew(ray, plan, places).play(fixtures)


def _check(address: str) -> None:
    """Check that a cluster answers, because Ray itself would try for minutes. Raises `StaffError`."""
    if address == "auto":
        return
    host, _, port = address.rpartition(":")
    try:
        socket.create_connection((host, int(port)), timeout=REACHED).close()
    except (OSError, ValueError, OverflowError) as error:
        raise StaffError(f"no cluster at {address!r}: {error}") from error


class _Crew:
    """The actors and the matches that they are playing."""

    def __init__(self, ray: Any, plan: Plan, count: int) -> None:
        self._ray = ray
        seat = ray.remote(num_cpus=1)(_Seat)
        self._idle = [seat.remote(plan) for _ in range(count)]
        self._busy: dict[Any, tuple[Any, Fixture]] = {}
        self._again: deque[Fixture] = deque()
        """Matches to play again, because their machines were lost."""

    def play(self, fixtures: Iterator[Fixture]) -> Iterator[Match]:
        self._begin(fixtures)
        while self._busy:
            (done,), _ = self._ray.wait(list(self._busy), num_returns=1)
            if (match := self._hear(done)) is not None:
                yield match
            self._begin(fixtures)
        if self._again:
            raise StaffError(f"the last machine of the cluster was lost; it played match {self._again[0].number}")

    def _begin(self, fixtures: Iterator[Fixture]) -> None:
        """Give every idle actor a match, lost ones first."""
        while self._idle:
            fixture = self._again.popleft() if self._again else next(fixtures, None)
            if fixture is None:
                return
            seat = self._idle.pop()
            self._busy[seat.play.remote(fixture)] = (seat, fixture)

    def _hear(self, done: Any) -> Match | None:
        """Return the finished match; None if its machine was lost."""
        seat, fixture = self._busy.pop(done)
        try:
            match: Match = self._ray.get(done)
        except self._ray.exceptions.RayActorError:
            self._again.append(fixture)
            return None
        except self._ray.exceptions.RayTaskError as error:
            raise StaffError(str(error.cause)) from error
        self._idle.append(seat)
        return match


class _Seat:
    """A process on a machine of the cluster; it plays one match at a time."""

    def __init__(self, plan: Plan) -> None:
        self._member = Member(plan)

    def play(self, fixture: Fixture) -> Match:
        """Play a match to its end. Raises `StaffError`."""
        self._member.begin(iter([fixture]))
        while True:
            wait([self._member.line], timeout=max(0.0, self._member.left))
            if (match := self._member.hear()) is not None:
                return match
