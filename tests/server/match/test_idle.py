"""Matches in memory without clients: how many there may be, and which requests load one."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from gonfalon.engine.game import PUBLIC
from gonfalon.server.config import Config
from gonfalon.server.match.clients.client import Client
from gonfalon.server.match.registry import Registry
from gonfalon.server.match.standings import list_standings
from gonfalon.server.net.connection_counts import ConnectionCounts
from gonfalon.server.protocol.bodies import NewMatch, SeatKey, SeatWish
from gonfalon.server.protocol.secrets import new_secret
from server.harness import find_database, running
from server.socketless import Outlet, until

WISH = NewMatch("barrage", [SeatWish("me"), SeatWish("person")])


def run(script: Callable[[Registry], Awaitable[None]], folder: Path, **settings: Any) -> None:
    async def whole() -> None:
        config = Config(data=folder, database=find_database(folder), idle_after=600.0, **settings)
        registry = Registry(config, ConnectionCounts(config, 1_000))
        await registry.start()
        try:
            await script(registry)
        finally:
            await registry.close()

    asyncio.run(whole())


async def make(registry: Registry, count: int) -> list[str]:
    return [(await registry.create(WISH)).match for _ in range(count)]


async def settle(registry: Registry) -> None:
    """Let the matches in memory carry out what waits in their queues."""
    await until(lambda: not registry.count_waiting())
    for _ in range(3):
        await asyncio.sleep(0)


def test_the_match_unused_for_longest_leaves_memory(tmp_path: Path) -> None:
    async def script(registry: Registry) -> None:
        names = await make(registry, 5)
        for name in (*names[:3], names[0], *names[3:]):
            await registry.find(name)
            await settle(registry)
        assert registry.in_memory == {names[0], *names[3:]}

    run(script, tmp_path, most_idle=3)


def test_matches_with_clients_stay_and_do_not_count(tmp_path: Path) -> None:
    async def script(registry: Registry) -> None:
        names = await make(registry, 5)
        clients = [Client(Outlet(), PUBLIC) for _ in range(2)]
        for name, client in zip(names, clients, strict=False):
            (await registry.find(name)).join(client, -1)
            await settle(registry)
        for name in names[2:]:
            await registry.find(name)
            await settle(registry)
        assert registry.in_memory == {*names[:2], names[4]}
        (await registry.find(names[0])).leave(clients[0])
        await settle(registry)
        assert registry.in_memory == set(names[:2]), "the one that was left last is the newest without clients"

    run(script, tmp_path, most_idle=1)


def test_a_match_whose_computer_player_thinks_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def script(registry: Registry) -> None:
        names = await make(registry, 4)
        first = await registry.find(names[0])
        thinking = asyncio.create_task(asyncio.sleep(600))
        monkeypatch.setitem(first._computers._tasks, 1, thinking)
        for name in names[1:3]:
            await registry.find(name)
            await settle(registry)
        assert registry.in_memory == {names[0], names[2]}
        monkeypatch.undo()
        thinking.cancel()
        await registry.find(names[3])
        await settle(registry)
        assert registry.in_memory == {names[3]}

    run(script, tmp_path, most_idle=1)


def test_a_client_that_never_joined_leaves_an_idle_match_behind(tmp_path: Path) -> None:
    """The timer of the match ran out while the client was there, so the client's end must start it again."""

    async def script(registry: Registry) -> None:
        (name,) = await make(registry, 1)
        task, outlet = await registry.find(name), Outlet()
        client = Client(outlet, PUBLIC)
        task.join(client, -1)
        await settle(registry)
        assert [message["type"] for message in outlet.messages()] == ["refused", "close"]
        task.leave_memory()
        await settle(registry)
        assert registry.in_memory == {name}
        registry._resting.clear()
        task.leave(client)
        await settle(registry)
        assert list(registry._resting) == [name]

    run(script, tmp_path, most_spectators_of_match=0)


def test_standings_load_no_match_for_a_wrong_secret(tmp_path: Path) -> None:
    async def script(registry: Registry) -> None:
        made = await registry.create(WISH)
        wrong = [SeatKey(made.match, secret) for secret in (new_secret(), "", made.invitations["blue"])]
        assert await list_standings(registry, [*wrong, SeatKey("none", new_secret())]) == ()
        assert not registry.in_memory
        (found,) = await list_standings(registry, [SeatKey(made.match, made.secrets["red"])])
        assert found.side == "red"
        assert registry.in_memory == {made.match}

    run(script, tmp_path)


def test_loading_a_match_counts_as_costly(tmp_path: Path) -> None:
    """The address may make two matches and load one."""
    with running(tmp_path, create_rate=1e-9, create_burst=3) as server:
        one, other = server.match(), server.match()
        for _ in range(3):
            assert server.get(f"/api/matches/{one.id}").status_code == 200
            assert server.get(f"/api/matches/{one.id}/replay").json()["line"]["code"] == "not-over"
            for path in ("", "/replay", "/candidates", "/record"):
                assert server.get(f"/api/matches/{other.id}{path}").status_code == 429
        assert other.sit("red").welcome["side"] == "red"
        assert server.get(f"/api/matches/{other.id}").status_code == 200
