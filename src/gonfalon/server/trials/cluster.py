"""`gonfalon bench cluster`: two nodes, nginx and PostgreSQL under load, and everything that can happen to them.

At the end every decision acknowledged as stored must be in the logs exactly once, no player may be charged for more
time than the decision took, and no entry may be stored by a node that did not own the match. Clients connect again as
the page does. The time from the end of a match's sockets to its first stored decision is measured by kind of event.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
import random
import statistics
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Sequence
from json import dumps

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidHandshake, InvalidMessage, WebSocketException

from gonfalon.server.trials.kills import CLOCK, Log, Survivor, compare_all
from gonfalon.server.trials.processes.server import Trial
from gonfalon.server.trials.processes.site import Site, running_site
from gonfalon.server.trials.speed import Heard, play_all, stop

VARIANT = "barrage"
MATCHES = 200
NODES = ("one", "two")
THINK = 0.6, 1.4
"""Limits of the random number of seconds before a decision."""
OPENS, PING, PONG = 20.0, 15.0, 10.0
"""Seconds after which the page gives a connection up that does not open; between its pings; and for their answers."""
SOON_TRIES = 10
CALM = 4.0
"""Seconds of play between two events."""
PAUSE = 15.0
MOST_AFTER = {"kill": 8.0, "drain": 2.0}
"""Maximum of the 99th percentile of the seconds until a match goes on, by kind of event."""
COUNTED = 60.0
"""Seconds for which the CPU time is measured."""
_decoder = msgspec.json.Decoder(Heard)


class Plan(msgspec.Struct, frozen=True):
    """Number of events of each kind."""

    kill: int = 60
    pause: int = 10
    cut: int = 10
    drain: int = 10
    restart: int = 5

    def list_kinds(self) -> list[str]:
        """Return the kind of each event, mixed."""
        kinds = [kind for kind, count in msgspec.structs.asdict(self).items() for _ in range(count)]
        random.Random(0).shuffle(kinds)
        return kinds


SHORT = Plan(kill=2, pause=1, cut=1, drain=2, restart=1)
"""The plan of the tests."""


class Delays:
    """The seconds from the end of a match's sockets to its first stored decision, by kind of event."""

    def __init__(self) -> None:
        self.kind = ""
        """Kind of the event that happens now; empty: none."""
        self.found: dict[str, list[float]] = defaultdict(list)
        self._lost: dict[str, tuple[str, float]] = {}

    def note_lost(self, match: str) -> None:
        """Note that a socket of a match has ended."""
        if self.kind:
            self._lost.setdefault(match, (self.kind, time.monotonic()))

    def note_stored(self, match: str) -> None:
        """Note that a decision of a match is stored."""
        kind, since = self._lost.pop(match, ("", 0.0))
        if kind:
            self.found[kind].append(time.monotonic() - since)

    def forget(self, match: str) -> None:
        """Note that a match is over."""
        self._lost.pop(match, None)

    def find_p99(self, kind: str) -> float:
        """Return the 99th percentile; 0 if no socket ended."""
        found = self.found[kind]
        if not found:
            return 0.0
        return sorted(found)[math.ceil(0.99 * len(found)) - 1]


def find_wait(tries: int) -> float:
    """Return the seconds before the next try, as the page waits (web/src/protocol/socket.ts)."""
    longest = 1.2 if tries < SOON_TRIES else 8.0
    return min(longest, 0.3 * 2.0**tries) * random.uniform(0.75, 1.25)


class Visitor(Survivor):
    """A seat that thinks a while before each decision, and connects again as the page does."""

    def __init__(self, port: int, log: Log, invitation: str, delays: Delays) -> None:
        super().__init__(port, log, invitation)
        self._delays = delays
        self._hasty = True
        """Whether the next decision comes at once: the first one of a connection."""

    async def play(self) -> None:
        """Play until the match is over."""
        tries = 0
        while True:
            with contextlib.suppress(OSError, WebSocketException, InvalidMessage, InvalidHandshake, EOFError):
                async with connect(
                    self._url, compression=None, max_size=None, ping_interval=None, open_timeout=OPENS, close_timeout=1
                ) as ws:
                    await ws.send(dumps(self._hello))
                    self._hasty = True
                    async for data in _listen(ws):
                        tries = 0
                        if await self._hear(ws, _decoder.decode(data)):
                            self._delays.forget(self.log.match)
                            return
            self._delays.note_lost(self.log.match)
            await asyncio.sleep(find_wait(tries))
            tries += 1

    async def _hear(self, ws: ClientConnection, heard: Heard) -> bool:
        if heard.type == "stored":
            self._delays.note_stored(self.log.match)
        return await super()._hear(ws, heard)

    async def _decide(self, ws: ClientConnection) -> None:
        if self._choices and not self._hasty:
            await asyncio.sleep(random.uniform(*THINK))
        self._hasty = False
        await super()._decide(ws)


async def _listen(ws: ClientConnection) -> AsyncIterator[str | bytes]:
    """Yield the messages. Ends if the server is silent, as the page finds out by a ping."""
    while True:
        try:
            async with asyncio.timeout(PING):
                data = await ws.recv()
        except TimeoutError:
            await ws.send('{"type":"ping"}')
            async with asyncio.timeout(PONG):
                data = await ws.recv()
        yield data


class People:
    """All matches of the trial: a number of tasks, each of which plays one match after another."""

    def __init__(self, site: Site, players: int, delays: Delays) -> None:
        self._site = site
        self._delays = delays
        self._wish = {"variant": VARIANT, "seats": [{"kind": "person"}] * players, "clock": CLOCK}
        self.logs: list[Log] = []
        self.resent = 0

    async def keep_playing(self) -> None:
        """Play one match after another, until cancelled."""
        while True:
            try:
                made = await asyncio.to_thread(self._site.request, "/api/matches", self._wish)
            except OSError:
                await asyncio.sleep(0.5)
                continue
            seats = [
                Visitor(self._site.port, Log(made["match"], player), invitation, self._delays)
                for player, invitation in enumerate(made["invitations"].values())
            ]
            self.logs += [seat.log for seat in seats]
            try:
                await play_all(seats)
            finally:
                self.resent += sum(seat.resent for seat in seats)

    @property
    def acknowledged(self) -> int:
        return sum(len(log.acknowledged) for log in self.logs)


@contextlib.asynccontextmanager
async def playing(people: People, matches: int) -> AsyncIterator[list[asyncio.Task[None]]]:
    """Let people play while the block runs."""
    tasks = [asyncio.create_task(people.keep_playing()) for _ in range(matches)]
    try:
        yield tasks
    finally:
        await stop(tasks)


async def _let_happen(site: Site, people: People, plan: Plan, matches: int, delays: Delays, pause: float) -> None:
    acts: dict[str, Callable[[Trial], None]] = {
        "kill": site.kill,
        "pause": lambda node: site.pause(node, pause),
        "cut": site.cut,
        "drain": site.drain,
        "restart": lambda _node: site.restart_database(),
    }
    async with playing(people, matches) as tasks:
        await _wait_for_decisions(people, tasks, 2 * matches)
        for number, kind in enumerate(plan.list_kinds(), 1):
            delays.kind = kind
            await asyncio.to_thread(acts[kind], site.nodes[number % len(site.nodes)])
            await asyncio.to_thread(site.wait_until_whole)
            await _wait_for_decisions(people, tasks, matches)
            await asyncio.sleep(CALM)
            delays.kind = ""
            if number % 10 == 0:
                print(f"{number} events, {people.acknowledged} decisions acknowledged", flush=True)


async def _wait_for_decisions(people: People, tasks: Sequence[asyncio.Task[None]], more: int) -> None:
    """Wait until so many more decisions are acknowledged. Raises what ended a match, and `TimeoutError`."""
    wanted = people.acknowledged + more
    async with asyncio.timeout(120):
        while people.acknowledged < wanted:
            for task in tasks:
                if task.done():
                    task.result()
            await asyncio.sleep(0.05)


class Result(msgspec.Struct, frozen=True):
    """Results of the trial."""

    acknowledged: int
    lost: int
    doubled: int
    overcharged: int
    """Number of decisions that cost their players more than they used."""
    strange: int
    """Number of entries that another node than the owner of their match has stored."""
    late: tuple[str, ...]
    """Kinds of event after which matches stood still for too long."""

    @property
    def passed(self) -> bool:
        return not (self.lost or self.doubled or self.overcharged or self.strange or self.late)


def run(plan: Plan | None = None, matches: int = MATCHES, pause: float = PAUSE) -> Result:
    """Run the trial, print the results and return them. `pause`: seconds for which a node stands still. Raises
    `MissingProgramError`.
    """
    plan, delays = plan or Plan(), Delays()
    with running_site(NODES) as site:
        players = site.request(f"/api/games/{VARIANT}")["card"]["players"]
        people = People(site, players, delays)
        asyncio.run(_let_happen(site, people, plan, matches, delays, pause))
        lost, doubled, overcharged = asyncio.run(compare_all(site.url, people.logs))
        strange = site.count_strange_writes()
    late = tuple(kind for kind, most in MOST_AFTER.items() if delays.find_p99(kind) > most)
    events = ", ".join(f"{count} {kind}" for kind, count in msgspec.structs.asdict(plan).items())
    print(
        f"{events}; {people.acknowledged} decisions of {len(people.logs) // players} matches acknowledged,"
        f" {people.resent} sent again: {lost} lost, {doubled} doubled, {overcharged} charged more time than they took,"
        f" {strange} stored by another node than the owner"
    )
    for kind, found in sorted(delays.found.items()):
        most = f" (at most {MOST_AFTER[kind]:g})" if kind in MOST_AFTER else ""
        print(
            f"{kind:<8} {len(found):>6} matches went on after a median of {statistics.median(found):.2f} s,"
            f" 99 % within {delays.find_p99(kind):.2f} s{most}"
        )
    return Result(people.acknowledged, lost, doubled, overcharged, strange, late)


# ---- what a move costs -------------------------------------------------------------------------------------------


def measure(matches: int = MATCHES) -> list[str]:
    """Measure the CPU time of a move by kind of process, with one and with two nodes. Return the lines of a table.

    Raises `MissingProgramError`.
    """
    lines = []
    for nodes in (NODES[:1], NODES):
        with running_site(nodes) as site:
            moves, used = asyncio.run(_measure(site, matches))
        costs = ", ".join(f"{kind} {1e6 * seconds / moves:.0f}" for kind, seconds in used.items())
        lines.append(f"{len(nodes)} nodes: {moves} decisions, CPU microseconds for each: {costs}")
    return lines


async def _measure(site: Site, matches: int) -> tuple[int, dict[str, float]]:
    players = (await asyncio.to_thread(site.request, f"/api/games/{VARIANT}"))["card"]["players"]
    people = People(site, players, Delays())
    async with playing(people, matches) as tasks:
        await _wait_for_decisions(people, tasks, 4 * matches)
        moves, used = people.acknowledged, site.read_cpu()
        await asyncio.sleep(COUNTED)
        now = site.read_cpu()
        return people.acknowledged - moves, {kind: now[kind] - used[kind] for kind in used}
