"""`gonfalon bench kills`: random moves under load, `kill -9`, restart, repeated. At the end every decision acknowledged
as stored must be in the logs exactly once. The matches have clocks: no player may be charged for more than the time
between the question and the answer.

If a decision was not acknowledged, the client sends it again with the same number, as the page does; the server must
not apply it twice. The variant must have no compound choices: their drafts are acknowledged but not stored.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import tempfile
import time
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidMessage, WebSocketException

from gonfalon.server.protocol.secrets import new_secret
from gonfalon.server.storage.entries import AnyEntry, Played
from gonfalon.server.storage.store import Store
from gonfalon.server.trials.processes.server import Trial
from gonfalon.server.trials.speed import Heard, play_all, stop

VARIANT = "barrage"
MATCHES = 40
"""Number of simultaneous matches, with one client per seat."""
SHORT, LONG = 0.1, 0.6
"""Limits of the random number of seconds before a kill. The seconds begin when as many decisions as matches were
made.
"""
CLOCK = {"kind": "bank", "bank": 10_800, "increment": 2, "deployment": 10_800}
TOLERANCE = 2_000
"""Milliseconds that the messages of a decision may need on a busy machine."""
_decoder = msgspec.json.Decoder(Heard)
Decision = tuple[int, ...]


class Log(msgspec.Struct):
    """Acknowledged decisions of one seat, by number."""

    match: str
    player: int
    acknowledged: dict[int, Decision] = {}
    used: dict[int, int] = {}
    """Milliseconds that the seat used for each decision, by number."""


class Result(msgspec.Struct, frozen=True):
    """Results of the trial."""

    kills: int
    acknowledged: int
    lost: int
    doubled: int
    resent: int
    """Number of decisions sent again after a kill."""
    overcharged: int
    """Number of decisions that cost their players more than they used."""


class Survivor:
    """A seat that plays random moves, and connects again whenever the server is back."""

    def __init__(self, port: int, log: Log, invitation: str) -> None:
        self.log = log
        self.resent = 0
        self._url = f"ws://127.0.0.1:{port}/api/matches/{log.match}/socket"
        self._hello = {"type": "hello", "secret": new_secret(), "invitation": invitation}
        self._n = 0
        self._sent: Decision = ()
        """The decision that is not acknowledged yet; empty if there is none."""
        self._choices: list[dict[str, Any]] = []
        self._scene: dict[str, Any] = {}
        self._asked = time.monotonic()
        """Time of the last message that may have asked for a decision."""

    async def play(self) -> None:
        """Play until the match is over."""
        while True:
            with contextlib.suppress(OSError, WebSocketException, InvalidMessage, EOFError):
                async with connect(self._url, compression=None, max_size=None, ping_interval=None) as ws:
                    await ws.send(json.dumps(self._hello))
                    async for data in ws:
                        if await self._hear(ws, _decoder.decode(data)):
                            return
            await asyncio.sleep(0.05)

    async def _hear(self, ws: ClientConnection, heard: Heard) -> bool:
        if heard.type == "welcome":
            self._follow(heard)
            if self._sent:
                self.resent += 1
                await self._send(ws)
        elif heard.type == "update":
            self._follow(heard)
        elif heard.type == "stored" and heard.n == self._n and self._sent:
            self.log.acknowledged[heard.n] = self._sent
            self._sent = ()
        elif heard.type == "refused":
            raise RuntimeError(f"a legal decision was refused: {heard}")
        if heard.type != "ended" and not self._sent:
            await self._decide(ws)
        return heard.type == "ended"

    def _follow(self, heard: Heard) -> None:
        self._asked = time.monotonic()
        self._scene |= heard.now.get("scene") or heard.patch.get("rest") or {}
        self._choices = heard.choices or heard.now.get("choices", [])

    async def _decide(self, ws: ClientConnection) -> None:
        arrange, decision = self._scene["arrange"], list[int]()
        if arrange:
            decision = [piece["action"] for piece in arrange["pieces"] for _ in range(piece["count"])]
            random.shuffle(decision)
            decision = decision[: len(arrange["places"])]
        elif self._choices:
            decision = [random.choice(self._choices)["id"]]
        if decision:
            self._n += 1
            self._sent = tuple(decision)
            self.log.used[self._n] = round((time.monotonic() - self._asked) * 1000)
            await self._send(ws)

    async def _send(self, ws: ClientConnection) -> None:
        """Send the decision. It makes the known choices invalid."""
        self._choices, self._scene["arrange"] = [], None
        await ws.send(json.dumps({"type": "act", "n": self._n, "actions": self._sent}))


class Crowd:
    """All matches of the trial: a number of tasks, each of which plays one match after another."""

    def __init__(self, trial: Trial, players: int, variant: str) -> None:
        self._trial = trial
        self._wish = {"variant": variant, "seats": [{"kind": "person"}] * players, "clock": CLOCK}
        self.logs: list[Log] = []
        self.playing: set[Survivor] = set()
        self.resent = 0

    async def keep_playing(self) -> None:
        """Play one match after another, until cancelled."""
        while True:
            try:
                made = await asyncio.to_thread(self._trial.request, "/api/matches", self._wish)
            except OSError:
                await asyncio.sleep(0.05)  # the server is down or starting
                continue
            seats = [
                Survivor(self._trial.port, Log(made["match"], player), invitation)
                for player, invitation in enumerate(made["invitations"].values())
            ]
            self.logs += [seat.log for seat in seats]
            self.playing |= set(seats)
            await play_all(seats)
            self.playing -= set(seats)
            self.resent += sum(seat.resent for seat in seats)

    @property
    def acknowledged(self) -> int:
        return sum(len(log.acknowledged) for log in self.logs)


async def _kill_often(trial: Trial, crowd: Crowd, kills: int) -> None:
    tasks = [asyncio.create_task(crowd.keep_playing()) for _ in range(MATCHES)]
    for number in range(1, kills + 1):
        before = crowd.acknowledged
        while crowd.acknowledged < before + MATCHES:
            for task in tasks:
                if task.done():
                    task.result()
            await asyncio.sleep(0.01)
        await asyncio.sleep(random.uniform(SHORT, LONG))
        trial.kill()
        await asyncio.to_thread(trial.start)
        if number % 10 == 0:
            print(f"{number} kills, {crowd.acknowledged} decisions acknowledged", flush=True)
    await stop(tasks)


def compare(log: Log, entries: Iterable[AnyEntry]) -> tuple[int, int]:
    """Count the acknowledged decisions of a seat that are missing in the log, and those that are in it twice."""
    played = [(e.n, e.actions) for e in entries if isinstance(e, Played) and e.by == log.player and e.n]
    found = dict(played)
    lost = sum(found.get(n) != actions for n, actions in log.acknowledged.items())
    doubled = sum(count - 1 for count in Counter(n for n, _ in played).values())
    return lost, doubled


def count_overcharged(log: Log, entries: Iterable[AnyEntry]) -> int:
    """Count the decisions of a seat that cost more time than the seat used."""
    played = (e for e in entries if isinstance(e, Played) and e.by == log.player and e.n)
    return sum(e.took > log.used.get(e.n, 0) + TOLERANCE for e in played)


async def compare_all(url: str, logs: list[Log]) -> tuple[int, int, int]:
    """Count the decisions that were lost, doubled and overcharged, in all logs."""
    store = Store(url)
    lost = doubled = overcharged = 0
    for log in logs:
        _, entries = await store.load(log.match) or (None, [])
        found = compare(log, entries)
        lost, doubled = lost + found[0], doubled + found[1]
        overcharged += count_overcharged(log, entries)
    await store.close()
    return lost, doubled, overcharged


def run(kills: int, database: str = "", variant: str = VARIANT) -> Result:
    """Run the trial, print the results and return them."""
    with tempfile.TemporaryDirectory() as folder:
        trial = Trial(Path(folder), database)
        try:
            players = trial.request(f"/api/games/{variant}")["card"]["players"]
            crowd = Crowd(trial, players, variant)
            asyncio.run(_kill_often(trial, crowd, kills))
        finally:
            trial.close()
        url = database or f"sqlite:///{Path(folder) / 'matches.db'}"
        lost, doubled, overcharged = asyncio.run(compare_all(url, crowd.logs))
    resent = crowd.resent + sum(seat.resent for seat in crowd.playing)
    result = Result(kills, crowd.acknowledged, lost, doubled, resent, overcharged)
    where = "SQLite" if url.startswith("sqlite") else "PostgreSQL"
    print(
        f"{where}: {result.kills} kills, {result.acknowledged} decisions acknowledged, {result.resent} sent again:"
        f" {result.lost} lost, {result.doubled} doubled, {result.overcharged} charged more time than they took"
    )
    return result
