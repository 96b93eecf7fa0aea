"""Joining and leaving: every client that waits gets an answer, and none receives more than it needs."""

from __future__ import annotations

import asyncio
import gc
import weakref
from pathlib import Path
from typing import Any

import pytest

from gonfalon.engine.game import PUBLIC
from gonfalon.games import make
from gonfalon.server.config import Config
from gonfalon.server.match.clients.client import Client
from gonfalon.server.match.registry import Registry
from gonfalon.server.match.sockets import ClientSocket, MatchSockets
from gonfalon.server.match.state import MOST_PAST, MatchState
from gonfalon.server.net.connection_counts import ConnectionCounts
from gonfalon.server.net.openings import Caller
from gonfalon.server.net.web_sockets import REFUSED, TRY_AGAIN
from gonfalon.server.protocol.bodies import NewMatch, SeatWish
from gonfalon.server.protocol.secrets import hash_secret
from gonfalon.server.storage.entries import Header, SeatHeader
from gonfalon.server.storage.writer import StoreError
from server.socketless import Host, Outlet, Table, run

SEATS = tuple(SeatHeader(secret=hash_secret(side)) for side in ("red", "blue"))
HEADER = Header("m", "barrage", {}, SEATS, 1, 120)


def was_closed(outlet: Outlet) -> list[int]:
    return [message["code"] for message in outlet.messages() if message["type"] == "close"]


def test_a_join_that_cannot_be_stored_closes_all_who_wait_for_an_answer(tmp_path: Path) -> None:
    async def script(host: Host) -> None:
        table = Table(host, HEADER, make("barrage"))
        await table.sit(PUBLIC)

        async def fail(*_: object) -> None:
            raise StoreError("the disk is full")

        host.store.append = fail  # type: ignore[assignment,method-assign]
        queued = Outlet()
        table.match.join(table.seats[0], -1)
        table.match.join(table.seats[1], -1)
        table.match.join(Client(queued, PUBLIC), -1)
        await table.match._task
        for outlet in (*table.outlets.values(), queued):
            assert was_closed(outlet) == [TRY_AGAIN]
        late = Outlet()
        table.match.join(Client(late, PUBLIC), -1)
        assert was_closed(late) == [TRY_AGAIN]

    run(script, tmp_path, HEADER)


def test_in_a_full_match_each_address_has_a_share(tmp_path: Path) -> None:
    async def script(host: Host) -> None:
        host.config = Config(data=tmp_path, most_spectators_of_match=4)
        table, outlets = Table(host, HEADER, make("barrage")), dict[str, Outlet]()

        async def come(name: str) -> str:
            """Let a spectator come from the address that is the first letter; return the names of all who watch."""
            outlets[name] = Outlet()
            table.match.join(Client(outlets[name], PUBLIC, address=name[0]), -1)
            await table.settle()
            watching = [client.push for client in table.match.match.broadcast.find_clients(PUBLIC)]
            return " ".join(name for name, outlet in outlets.items() if outlet.send in watching)

        for name in ("a1", "a2", "a3", "a4"):
            await come(name)
        assert await come("b1") == "a1 a2 a3 b1", "the newest of the others' goes"
        assert await come("a5") == "a1 a2 a3 b1"
        assert await come("b2") == "a1 a2 b1 b2"
        assert await come("b3") == "a1 a2 b1 b2"
        assert await come("c1") == "a1 a2 b1 c1"
        assert await come("a3") == "a1 a2 b1 c1"
        for name, outlet in outlets.items():
            refusals = [message["line"]["code"] for message in outlet.messages() if message["type"] == "refused"]
            away = name not in ("a1", "a2", "b1", "c1")
            assert (refusals, was_closed(outlet)) == ((["too-many"], [REFUSED]) if away else ([], []))
        await table.match.stop()

    run(script, tmp_path, HEADER)


class Ended:
    """A match that has stopped."""

    closed = True


def test_no_pong_on_a_match_that_has_stopped() -> None:
    async def script() -> None:
        outlet = Outlet()
        sockets = MatchSockets(None, Config())  # type: ignore[arg-type]
        talk = ClientSocket(sockets, outlet, "name", Caller("", [], secure=False))
        talk._match, talk._client = Ended(), Client(outlet, PUBLIC)  # type: ignore[assignment]
        talk.receive(b'{"type":"ping"}')
        talk.disconnect = lambda: None  # type: ignore[method-assign]
        assert was_closed(outlet) == [TRY_AGAIN]
        assert len(outlet.sent) == 1
        talk._patience.cancel()

    asyncio.run(script())


class LongTable(Table):
    """A match of many moves that counts how many steps are replayed."""

    def __init__(self, host: Host) -> None:
        super().__init__(host, HEADER, make("barrage"))
        self.replayed = 0

    async def play(self, steps: int) -> None:
        game = self.state.game
        while self.state.seq < steps and self.state.outcome is None:
            player = self.state.due[0]
            view = game.view(self.state.position, player)
            scene = game.scene(view)
            if scene.arrange:
                await self.act(player, *(int(a) for a in game.random_deployment(view, self.rng)))
            else:
                await self.act(player, int(self.rng.choice(view.legal)))

    def come(self, observer: int, seq: int) -> Outlet:
        outlet = Outlet()
        self.match.join(Client(outlet, observer, self.seats[observer].secret), seq)
        return outlet


@pytest.mark.parametrize("observer", [0, 1, PUBLIC])
def test_of_a_long_gap_the_end_is_told_and_made_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, observer: int
) -> None:
    async def script(host: Host) -> None:
        import numpy as np

        table = LongTable(host)
        table.rng = np.random.default_rng(3)
        await table.sit(0, 1)
        await table.play(MOST_PAST + 20)
        seq, replayed = table.state.seq, list[int]()
        recall = MatchState.recall

        def count(*given: Any) -> Any:
            replayed.append(1)
            return recall(*given)

        monkeypatch.setattr(MatchState, "recall", count)
        first, again, near = table.come(observer, 0), table.come(observer, 0), table.come(observer, seq - 3)
        await table.settle()
        assert len(replayed) == MOST_PAST + 2, "of all later ones only the last step is made anew"
        told = [message for message in first.messages() if message["type"] in ("welcome", "update")]
        assert told[0]["now"]["seq"] == seq - MOST_PAST
        assert [update["seq"] for update in told[1:]] == list(range(seq - MOST_PAST + 1, seq + 1))
        assert again.messages()[0]["now"] == told[0]["now"]
        assert [again.messages()[1 : len(told)], near.messages()[1:4]] == [told[1:], told[-3:]]
        await table.match.stop()

    run(script, tmp_path, HEADER)


def test_a_match_that_is_left_leaves_memory(tmp_path: Path) -> None:
    """The match leaves memory at once, without waiting for Python's search for cycles."""

    async def script() -> None:
        config = Config(data=tmp_path, idle_after=0.0)
        registry = Registry(config, ConnectionCounts(config, 1_000))
        await registry.start()
        made = await registry.create(NewMatch("barrage", [SeatWish("me"), SeatWish("person")]))
        match = await registry.find(made.match)
        connection = Client(Outlet(), 0, made.secrets["red"])
        match.join(connection, -1)
        gc.collect()
        gc.disable()
        try:
            match.leave(connection)
            await match._task
            gone = weakref.ref(match), weakref.ref(match.state)
            del match, connection
            await asyncio.sleep(0.01)
            assert [reference() for reference in gone] == [None, None]
        finally:
            gc.enable()
            await registry.close()

    asyncio.run(script())
