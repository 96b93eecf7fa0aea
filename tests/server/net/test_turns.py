"""Turns between clients and between matches, and a share of work for each address: a client that sends much waits for
it, and no other does.
"""

from __future__ import annotations

import asyncio
from itertools import pairwise
from pathlib import Path
from typing import get_args

from gonfalon.games import make
from gonfalon.server.match.clients.client import MOST_WAITING
from gonfalon.server.match.clients.costs import COSTS, cost_of
from gonfalon.server.net.rate_limits import RateLimiter
from gonfalon.server.protocol import messages as m
from gonfalon.server.protocol.secrets import hash_secret
from gonfalon.server.storage.entries import Header, SeatHeader
from server.socketless import Host, Table, run

SEATS = tuple(SeatHeader(secret=hash_secret(side), maker=True) for side in ("red", "blue"))
HEADER = Header("m", "barrage", {}, SEATS, 0, 120)
WHY = m.Why(["a1"])
GAME = make("barrage")


class Work(RateLimiter):
    """Keeps what each address spends, and lets it wait for a set time."""

    def __init__(self, wait: float = 0.0) -> None:
        super().__init__(1, 1)
        self.wait = wait
        self.spent: list[tuple[str, float]] = []

    def spend(self, key: str, cost: float) -> float:
        self.spent.append((key, cost))
        return self.wait


def watch(table: Table, order: list[str], observer: int, name: str) -> None:
    """Let a client's answers add its name to `order`."""
    client = table.seats[observer]
    client.push = lambda _text: order.append(name)  # type: ignore[method-assign, misc]


def test_a_client_that_sends_much_keeps_nobody_waiting_in_its_match(tmp_path: Path) -> None:
    async def script(host: Host) -> None:
        table, order = Table(host, HEADER, GAME), list[str]()
        await table.sit()
        watch(table, order, 0, "red")
        watch(table, order, 1, "blue")
        for _ in range(50):
            table.match.submit(table.seats[0], WHY)
        table.match.submit(table.seats[1], WHY)
        while len(order) < 51:
            await table.settle()
        assert order.index("blue") <= 1
        assert order.count("red") == 50, "nothing is lost"

    run(script, tmp_path, HEADER)


def test_a_client_with_many_messages_is_not_read_until_they_are_done(tmp_path: Path) -> None:
    async def script(host: Host) -> None:
        table = Table(host, HEADER, GAME)
        await table.sit()
        outlet = table.outlets[0]
        for _ in range(MOST_WAITING):
            table.match.submit(table.seats[0], WHY)
        assert outlet.reads, "one is in the queue of the match"
        table.match.submit(table.seats[0], WHY)
        assert not outlet.reads
        while not outlet.reads:
            await table.settle()
        while len(table.heard(0, "refused")) < MOST_WAITING + 1:
            await table.settle()

    run(script, tmp_path, HEADER)


def test_matches_take_turns(tmp_path: Path) -> None:
    async def script(host: Host) -> None:
        order: list[str] = []
        tables = {name: Table(host, HEADER, GAME) for name in ("one", "two")}
        for name, table in tables.items():
            await table.sit()
            for observer in table.seats:
                watch(table, order, observer, name)
            for client in table.seats.values():
                for _ in range(5):
                    table.match.submit(client, WHY)
        while len(order) < 2 * 3 * 5:
            await asyncio.sleep(0)
        changes = sum(one != other for one, other in pairwise(order))
        assert changes > 1, "neither match did all its work before the other"

    run(script, tmp_path, HEADER)


def test_an_address_pays_for_its_messages_and_waits_for_its_share(tmp_path: Path) -> None:
    async def script(host: Host) -> None:
        table = Table(host, HEADER, GAME)
        await table.sit()
        work = host.work = Work()
        table.seats[0].address, table.seats[1].address = "9.9.9.9", "8.8.8.8"
        await table.say(0, WHY)
        await table.say(1, m.TakeBack())
        assert work.spent == [("9.9.9.9", cost_of(WHY)), ("8.8.8.8", cost_of(m.TakeBack()))]
        work.wait = 0.05
        await table.say(0, WHY)
        work.wait = 0.0
        await table.say(1, WHY)
        assert [len(table.heard(player, "refused")) for player in range(2)] == [1, 2], "only the one who owes waits"
        async with asyncio.timeout(30):
            while len(table.heard(0, "refused")) < 2:
                await asyncio.sleep(0.01)

    run(script, tmp_path, HEADER)


def test_every_message_has_a_cost() -> None:
    assert set(COSTS) == set(get_args(m.FromPage)) - {m.Hello, m.Ping}
    assert cost_of(m.AskRemarks([1] * 2_000)) > 10 * cost_of(m.AskRemarks([1]))
