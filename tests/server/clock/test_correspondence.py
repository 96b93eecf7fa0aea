"""Matches by correspondence: deadlines that are stored, extended and swept, and matches that go on after a start."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

import gonfalon
from deploying import draw_deployment
from gonfalon.server.clock.control import Bank, Control, Correspondence
from gonfalon.server.clock.deadline import DAY
from gonfalon.server.clock.times import Times
from gonfalon.server.config import Config
from gonfalon.server.match.registry import Registry
from gonfalon.server.match.task import MatchTask
from gonfalon.server.net.connection_counts import ConnectionCounts
from gonfalon.server.protocol import messages as m
from gonfalon.server.protocol.secrets import hash_secret
from gonfalon.server.storage import deadlines
from gonfalon.server.storage.entries import Abandoned, Header, OutOfTime, Played, SeatHeader
from server.harness import find_database
from server.socketless import Clock, Host, Table, run

GAME = gonfalon.make("barrage")
DAYS = Correspondence(2)
RED, BLUE = 0, 1
MINUTE, HOUR = 60_000, 3_600_000


def header(clock: Control, *agents: str) -> Header:
    sides = GAME.info.sides[: 2 - len(agents)]
    seats = [SeatHeader(secret=hash_secret(side), maker=True) for side in sides]
    return Header("slow", "barrage", {}, (*seats, *(SeatHeader(agent=each) for each in agents)), 0, 120, clock)


async def begin(host: Host) -> Table:
    """Return a match in which red is on turn."""
    table = Table(host, header(DAYS), GAME)
    await table.sit()
    for player in (RED, BLUE):
        await table.act(player, *draw_deployment(GAME, player))
    return table


def stored(host: Host) -> int:
    return deadlines.find_due(host.store, "slow")


async def look(table: Table) -> None:
    table.match.check_time()
    await table.settle()


# ---- one match -------------------------------------------------------------------------------------------------------


def test_every_decision_has_its_days(tmp_path: Path) -> None:
    async def script(host: Host) -> None:
        table = await begin(host)
        assert stored(host) == host.clock.system + 2 * DAY
        host.clock.wait(DAY)
        before = stored(host)
        await table.say(RED, m.OfferDraw())
        assert stored(host) == before, "an offer is no decision"
        await table.act(RED, table.last(RED, "update")["choices"][0]["id"])
        assert stored(host) == host.clock.system + 2 * DAY
        assert host.appended[-1][0].took == DAY
        told = table.last(BLUE, "clocks")
        assert told["deadline"] == stored(host)
        assert [(seat["side"], seat["left"]) for seat in told["seats"]] == [("blue", 2 * DAY)]

    run(script, tmp_path, header(DAYS))


def test_one_deadline_is_for_all_who_deploy(tmp_path: Path) -> None:
    async def script(host: Host) -> None:
        table = Table(host, header(DAYS), GAME)
        await table.sit()
        await table.act(RED, *draw_deployment(GAME, RED))
        first = stored(host)
        host.clock.wait(DAY)
        await table.say(BLUE, m.GiveName("Bea"))
        assert stored(host) == first, "red was ready, and blue's deadline stays"
        host.clock.wait(DAY + 1)
        await look(table)
        assert table.state.started, "the server has deployed for blue"
        assert stored(host) == host.clock.system + 2 * DAY

    run(script, tmp_path, header(DAYS))


def test_who_misses_the_deadline_has_lost(tmp_path: Path) -> None:
    async def script(host: Host) -> None:
        table = await begin(host)
        for observer in table.seats:
            table.match.leave(table.seats[observer])
        await table.settle()
        assert table.match.idle, "a match by correspondence leaves memory"
        host.clock.wait(2 * DAY)
        await look(table)
        assert table.state.outcome is None, "the very millisecond is in time"
        host.clock.wait(1)
        await look(table)
        assert host.appended[-1] == [OutOfTime(RED, 2 * DAY)]
        assert stored(host) == 0

    run(script, tmp_path, header(DAYS))


def test_a_late_act_is_refused(tmp_path: Path) -> None:
    async def script(host: Host) -> None:
        table = await begin(host)
        host.clock.wait(2 * DAY + 1)
        await table.act(RED, table.last(RED, "update")["choices"][0]["id"])
        assert table.refusal(RED) == "out-of-time"

    run(script, tmp_path, header(DAYS))


@pytest.mark.parametrize("change", [HOUR, -HOUR])
def test_a_jump_of_the_system_clock_costs_nobody(tmp_path: Path, change: int) -> None:
    async def script(host: Host) -> None:
        await host.deadlines.start()
        table = await begin(host)
        before = stored(host)
        host.clock.system += change
        await host.deadlines.look(lambda _: wrong(), lambda: (table.match,))
        assert stored(host) == before + max(0, change)
        assert table.match.timing.deadline == stored(host)
        table.match.check_time()
        await table.settle()
        assert table.state.outcome is None

    async def wrong() -> MatchTask:
        raise AssertionError("no deadline has passed")

    run(script, tmp_path, header(DAYS))


def test_after_a_jump_back_a_deadline_begins_no_earlier_than_the_last_stored_time(tmp_path: Path) -> None:
    async def script(host: Host) -> None:
        await host.deadlines.start()
        right = host.clock.system
        host.clock.system -= 5 * HOUR
        await begin(host)
        assert stored(host) == right + 2 * DAY

    run(script, tmp_path, header(DAYS))


# ---- a server --------------------------------------------------------------------------------------------------------

Visit = Callable[[Registry], Awaitable[None]]


@contextlib.asynccontextmanager
async def serving(folder: Path, times: Times, keeps: bool = False):  # type: ignore[no-untyped-def]
    """Yield the registry of a server that runs. `keeps`: let it look for deadlines by itself."""
    config = Config(data=folder, database=find_database(folder), back_within=0.05)
    registry = Registry(config, ConnectionCounts(config, 1_000), times=times)
    await registry.start()
    if not keeps:
        registry._clocks.cancel()
    try:
        yield registry
    finally:
        await registry.close()


async def live(registry: Registry) -> list[str]:
    await registry.deadlines.look(registry.find, lambda: tuple(registry._live.values()))
    for match in tuple(registry._live.values()):
        await match.stop()
    return [entry.__class__.__name__ for entry in (await registry.store.load("slow") or (None, []))[1]]


async def make_match(registry: Registry, clock: Clock) -> None:
    """Store a match by correspondence in which red is due, with a deadline in two days."""
    entries = [Played(player, tuple(draw_deployment(GAME, player))) for player in (RED, BLUE)]
    await registry.store.create(header(DAYS))
    await registry.store.append("slow", 0, entries, deadlines.write_due("slow", clock.system + 2 * DAY))


def test_a_deadline_that_passed_while_the_server_was_down_is_extended(tmp_path: Path) -> None:
    clock = Clock()

    async def script() -> None:
        async with serving(tmp_path, clock.times) as registry:
            await make_match(registry, clock)
        clock.wait(30 * DAY)
        async with serving(tmp_path, clock.times) as registry:
            assert await live(registry) == ["Played", "Played"], "nobody pays for time in which no server ran"
            clock.wait(2 * DAY - MINUTE)
            assert await live(registry) == ["Played", "Played"]
        async with serving(tmp_path, clock.times) as registry:
            clock.wait(2 * MINUTE)
            assert await live(registry) == ["Played", "Played", "OutOfTime"]
            clock.wait(9 * DAY)
            assert await live(registry) == ["Played", "Played", "OutOfTime"], "only once"

    asyncio.run(script())


def test_a_deadline_that_passed_before_the_server_went_down_stays_passed(tmp_path: Path) -> None:
    clock = Clock()

    async def script() -> None:
        async with serving(tmp_path, clock.times) as registry:
            await make_match(registry, clock)
            clock.wait(2 * DAY + 1)
            await registry.store.execute(deadlines.write_up(clock.system))
        clock.wait(DAY)
        async with serving(tmp_path, clock.times) as registry:
            assert await live(registry) == ["Played", "Played", "OutOfTime"]

    asyncio.run(script())


def test_a_match_with_a_running_clock_goes_on_after_a_start(tmp_path: Path) -> None:
    clock = Clock()
    bank = Bank(60, deployment=60)

    async def script() -> None:
        async with serving(tmp_path, clock.times) as registry:
            entries = [Played(player, tuple(draw_deployment(GAME, player))) for player in (RED, BLUE)]
            await registry.store.create(header(bank))
            await registry.store.append("slow", 0, entries, deadlines.write_due("slow", 0))
        clock.wait(DAY)
        async with serving(tmp_path, clock.times, keeps=True) as registry:
            async with asyncio.timeout(30):
                while (state := registry.peek("slow")) is None:
                    await asyncio.sleep(0.01)
                clock.wait(60_000)
                await asyncio.sleep(0.1)
                assert state.outcome is None, "the whole bank is left"
                # The clock may have begun to run later than the match was there, so time passes until it is over.
                while deadlines.list_running(registry.store):
                    clock.wait(60_000)
                    (await registry.find("slow")).check_time()
                    await asyncio.sleep(0.01)
            assert state.outcome is not None
            assert state.outcome.reason == "time"

    asyncio.run(script())


def test_a_match_that_was_ended_from_outside_loses_its_deadline(tmp_path: Path) -> None:
    clock = Clock()

    async def script() -> None:
        async with serving(tmp_path, clock.times) as registry:
            await make_match(registry, clock)
            await registry.store.append("slow", 2, [Abandoned(RED)])
            clock.wait(3 * DAY)
            assert await live(registry) == ["Played", "Played", "Abandoned"]
            assert deadlines.find_due(registry.store, "slow") == 0

    asyncio.run(script())


def test_a_deleted_match_leaves_no_deadline(tmp_path: Path) -> None:
    clock = Clock()

    async def script() -> None:
        async with serving(tmp_path, clock.times) as registry:
            await make_match(registry, clock)
            await registry.store.delete(["slow"])
            assert deadlines.find_due(registry.store, "slow") == 0

    asyncio.run(script())
