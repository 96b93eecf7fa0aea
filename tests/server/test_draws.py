"""Matches with chance: a deal before anyone acts, and draws after each move. The game is a grid game with cards that
decide nothing, since what is tested here is the server alone.
"""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from gonfalon.engine.events import Event
from gonfalon.engine.game import CHANCE, PUBLIC
from gonfalon.games import make
from gonfalon.server import messages as m
from gonfalon.server.agents import Agents
from gonfalon.server.config import Config
from gonfalon.server.connection import Connection
from gonfalon.server.entries import AnyEntry, Header, Offered, Played, SeatHeader, Taken
from gonfalon.server.match import Match
from gonfalon.server.secret import hashed
from gonfalon.server.sitting import Sitting
from gonfalon.server.store import Store

DEALT, DRAWN, CARDS = 5, 3, 4
"""Cards dealt at the start, cards drawn after each move, and kinds of cards."""


class Cards:
    """A grid game with cards. A state: cards that are due, the cards so far, and the grid game's state."""

    def __init__(self) -> None:
        self.inner = make("barrage")
        self.info = msgspec.structs.replace(self.inner.info, chance=True)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    def initial_state(self) -> Any:
        return DEALT, (), self.inner.initial_state()

    def to_act(self, state: Any) -> tuple[int, ...]:
        return (CHANCE,) if state[0] else self.inner.to_act(state[2])

    def chance_outcomes(self, state: Any) -> Any:
        assert state[0], "no chance is due"
        return np.arange(CARDS, dtype=np.int32), np.full(CARDS, 1 / CARDS)

    def apply(self, state: Any, player: int, action: int) -> Any:
        due, cards, inner = state
        if due:
            assert player == CHANCE
            return due - 1, (*cards, action), inner
        deploying = len(self.inner.to_act(inner)) > 1 or self.arranges(inner, player)
        return 0 if deploying else DRAWN, cards, self.inner.apply(inner, player, action)

    def arranges(self, inner: Any, player: int) -> bool:
        return self.inner.scene(self.inner.view(inner, player)).arrange is not None

    def is_open(self, state: Any, player: int) -> bool:
        return self.inner.is_open(state[2], player)

    def outcome(self, state: Any) -> Any:
        return self.inner.outcome(state[2])

    def view(self, state: Any, player: int) -> Any:
        return self.inner.view(state[2], player)

    def events(self, before: Any, player: int, action: int, after: Any, observer: int) -> tuple[Event, ...]:
        if player == CHANCE and action >= 0:
            return (Event("dealt", {"card": action}),)
        return self.inner.events(before[2], player, action, after[2], observer)


class Host:
    """What a match needs of the lobby, with a store that counts."""

    def __init__(self, folder: Path) -> None:
        self.config = Config(data=folder)
        self.store = Store(self.config.url)
        self.agents = Agents(1, 1, 1, 1, ())
        self.appended: list[Sequence[AnyEntry]] = []
        append = self.store.append

        def count(match: str, place: int, entries: Sequence[AnyEntry]) -> asyncio.Future[None]:
            self.appended.append(entries)
            return append(match, place, entries)

        self.store.append = count  # type: ignore[method-assign]

    def forget(self, match: Match) -> None:
        pass

    def rematch_header(self, sitting: Sitting) -> Header:
        raise NotImplementedError


HEADER = Header("cards", "barrage", {}, tuple(SeatHeader(secret=hashed(x)) for x in "rb"), 1, 120)


class Outlet:
    """Keeps what would go to a socket."""

    def __init__(self) -> None:
        self.sent: list[bytes] = []

    def send(self, text: bytes) -> None:
        self.sent.append(text)

    def close(self, code: int) -> None:
        self.sent.append(json.dumps({"type": "close", "code": code}).encode())


class Table:
    """A match with red, blue and a spectator, without sockets."""

    def __init__(self, host: Host, entries: Sequence[AnyEntry] = ()) -> None:
        self.host = host
        self.game = Cards()
        self.match = Match(Sitting(HEADER, self.game, entries), host)  # type: ignore[arg-type]
        self.outlets = {0: Outlet(), 1: Outlet(), PUBLIC: Outlet()}
        self.red, self.blue = Connection(self.outlets[0], 0, "r"), Connection(self.outlets[1], 1, "b")
        self.watcher = Connection(self.outlets[PUBLIC], PUBLIC)
        self.n = [0, 0]

    async def sit(self) -> None:
        for connection in (self.red, self.blue, self.watcher):
            self.match.join(connection, -1)
        await self.settle()

    async def settle(self) -> None:
        """Waits until the match's task has done all that it was told."""
        done = asyncio.Event()

        async def finish() -> None:
            done.set()

        self.match._queue.put_nowait(finish)
        await done.wait()

    async def act(self, player: int, actions: Sequence[int]) -> None:
        self.n[player] += 1
        self.match.submit((self.red, self.blue)[player], m.Act(self.n[player], [int(a) for a in actions]))
        await self.settle()

    async def deploy(self) -> None:
        rng = np.random.default_rng(3)
        for player in (0, 1):
            await self.act(player, self.game.random_deployment(self.game.view(self.match.sitting.state, player), rng))

    async def move(self) -> None:
        """A legal move that does not end the match."""
        state = self.match.sitting.state
        (player,) = self.match.sitting.due
        legal = self.game.legal_actions(state[2], player)
        await self.act(player, [int(random.Random(1).choice(list(legal)))])


def heard(table: Table, observer: int, kind: str) -> list[dict[str, Any]]:
    """What an observer was sent of one kind, in order."""
    messages = [json.loads(text) for text in table.outlets[observer].sent]
    return [message for message in messages if message["type"] == kind]


@pytest.fixture
def play(tmp_path: Path) -> Callable[[Callable[[Host], Awaitable[None]]], None]:
    """Runs a coroutine with a host."""

    def run(script: Callable[[Host], Awaitable[None]]) -> None:
        async def whole() -> None:
            host = Host(tmp_path)
            await host.store.start()
            await host.store.create(HEADER)
            try:
                await script(host)
            finally:
                await host.store.close()

        asyncio.run(whole())

    return run


Play = Callable[[Callable[[Host], Awaitable[None]]], None]


def test_who_joins_sees_the_deal_done(play: Play) -> None:
    async def script(host: Host) -> None:
        table = Table(host)
        await table.sit()
        for observer in (0, 1, PUBLIC):
            (welcome,) = heard(table, observer, "welcome")
            assert welcome["now"]["seq"] == DEALT
            assert not welcome["match"]["started"]
            assert not heard(table, observer, "update")
        loaded = await host.store.load(HEADER.id)
        assert loaded is not None
        deal = loaded[1][:DEALT]
        assert all(isinstance(e, Played) and e.by == CHANCE and len(e.actions) == 1 for e in deal)
        assert len(host.appended[0]) == DEALT, "stored together"
        await table.match.stop()

    play(script)


def test_a_log_that_ends_within_a_deal_goes_on(play: Play) -> None:
    async def script(host: Host) -> None:
        log = [Played(CHANCE, (1,)), Played(CHANCE, (2,))]
        await host.store.append(HEADER.id, 0, log)
        table = Table(host, log)
        await table.sit()
        assert table.match.sitting.seq == DEALT
        assert table.match.sitting.state[1][:2] == (1, 2)
        await table.match.stop()
        loaded = await host.store.load(HEADER.id)
        assert loaded is not None
        again = Sitting(HEADER, Cards(), loaded[1])  # type: ignore[arg-type]
        assert again.state[1] == table.match.sitting.state[1]
        assert loaded[1] == [*log, *loaded[1][2:DEALT], Taken(0), Taken(1)]

    play(script)


def test_draws_are_steps_stored_together(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    def replays(*_: object) -> None:
        raise AssertionError("a move replays the whole match")

    async def script(host: Host) -> None:
        table = Table(host)
        await table.sit()
        await table.deploy()
        monkeypatch.setattr(Sitting, "states_of", replays)
        assert table.match.sitting.started
        first = table.match.sitting.seq
        host.appended.clear()
        await table.move()
        assert [len(entries) for entries in host.appended] == [1 + DRAWN]
        for observer in (0, 1, PUBLIC):
            updates = [u for u in heard(table, observer, "update") if u["seq"] > first]
            assert [u["seq"] for u in updates] == list(range(first + 1, first + 2 + DRAWN))
            assert [u["by"] for u in updates] == ["red", *[""] * DRAWN]
            assert [u["events"][0]["code"] for u in updates[1:]] == ["dealt"] * DRAWN
        assert table.match.sitting.started
        await table.match.stop()

    play(script)


def test_offers_lapse_with_the_turn_of_a_player(play: Play) -> None:
    """The turn begins with draws: it is the turn of the player who acts after them."""

    async def script(host: Host) -> None:
        table = Table(host)
        await table.sit()
        table.match.submit(table.red, m.OfferDraw())
        await table.settle()
        assert heard(table, 0, "refused")[-1]["line"]["code"] == "not-started"
        await table.deploy()
        table.match.submit(table.red, m.OfferDraw())
        await table.move()
        assert table.match.sitting.offers.open == (0,), "stands through the own turn"
        await table.move()
        assert table.match.sitting.offers.open == ()
        await table.match.stop()

    play(script)


def test_arranging_in_the_middle_leaves_a_match_started() -> None:
    game = Cards()
    sitting = Sitting(HEADER, game)  # type: ignore[arg-type]
    for number in range(DEALT):
        assert not sitting.started
        sitting.apply(Played(CHANCE, (number % CARDS,)))
    assert not sitting.started, "pieces are to be arranged"
    rng = np.random.default_rng(3)
    for player in (0, 1):
        actions = game.random_deployment(game.view(sitting.state, player), rng)
        sitting.apply(Played(player, tuple(int(a) for a in actions)))
    assert sitting.started
    sitting.apply(Offered(0))
    sitting.state, sitting.due = game.initial_state(), (CHANCE,)
    sitting.apply(Played(CHANCE, (0,)))
    assert sitting.started
