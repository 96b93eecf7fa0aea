"""The public interface of a match: listeners receive facts, and their writes go into the same transaction."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import sqlalchemy as sa

import gonfalon
from gonfalon.server.config import Config
from gonfalon.server.match.public import Ended, Fact, Made, PublicSeat, Started, TurnChanged
from gonfalon.server.match.registry import Registry
from gonfalon.server.net.connection_counts import ConnectionCounts
from gonfalon.server.protocol import messages as m
from gonfalon.server.protocol.bodies import NewMatch, SeatWish
from gonfalon.server.protocol.secrets import hash_secret
from gonfalon.server.storage.entries import Header, Resigned, SeatHeader
from gonfalon.server.storage.store import Statements
from server.against import deploy, first
from server.socketless import Host, Table, run, until

SEATS = tuple(SeatHeader(secret=hash_secret(side)) for side in ("red", "blue"))
HEADER = Header("m", "barrage", {}, SEATS, 0, 120)
FACTS = sa.table("facts", sa.column("fact"))
MAKE = sa.text("CREATE TABLE facts (fact TEXT PRIMARY KEY)")


class Bookkeeper:
    """A listener that stores the names of facts in a table of its own. It can be made to fail at one of them."""

    def __init__(self, fails: type[Fact] | None = None) -> None:
        self.heard: list[Fact] = []
        self._fails = fails

    def prepare(self, fact: Fact) -> Statements:
        if self._fails is not None and isinstance(fact, self._fails):
            return [sa.text("INSERT INTO nowhere VALUES (1)")]
        return [sa.insert(FACTS).values(fact=f"{type(fact).__name__} {getattr(fact, 'seq', 0)}")]

    def publish(self, fact: Fact) -> None:
        self.heard.append(fact)


def stored(host: Host) -> list[str]:
    with sa.create_engine(host.config.url).connect() as connection:
        return list(connection.scalars(sa.select(FACTS.c.fact)))


def follow(folder: Path, bookkeeper: Bookkeeper, script: Callable[[Host, Table], Any]) -> None:
    async def whole(host: Host) -> None:
        host.listeners = (bookkeeper,)
        await host.store.execute([MAKE])
        await script(host, Table(host, HEADER, gonfalon.make("barrage")))

    run(whole, folder, HEADER)


def test_facts_of_a_match_come_in_order_and_are_stored_with_it(tmp_path: Path) -> None:
    bookkeeper = Bookkeeper()

    async def script(host: Host, table: Table) -> None:
        await deploy(table)
        await table.act(0, first(table, 0))
        await table.say(0, m.Resign())
        heard = bookkeeper.heard
        assert [type(fact) for fact in heard] == [TurnChanged, Started, TurnChanged, Ended]
        assert [fact.due for fact in heard if isinstance(fact, TurnChanged)] == [(0,), (1,)]
        assert isinstance(heard[-1], Ended)
        assert heard[-1].outcome.returns == (-1, 1)
        assert heard[-1].counts
        assert {fact.match.id for fact in heard} == {HEADER.id}
        assert sorted(stored(host)) == sorted(
            f"{type(fact).__name__} {fact.seq}" for fact in heard if not isinstance(fact, Made)
        )
        await table.match.stop()

    follow(tmp_path, bookkeeper, script)


def test_a_statement_that_fails_leaves_nothing_of_the_step(tmp_path: Path) -> None:
    bookkeeper = Bookkeeper(fails=Ended)

    async def script(host: Host, table: Table) -> None:
        await deploy(table)
        before = len(bookkeeper.heard)
        table.match.submit(table.seats[0], m.Resign())
        await until(lambda: table.match.closed)
        loaded = await host.store.load(HEADER.id)
        assert loaded is not None
        assert not any(isinstance(entry, Resigned) for entry in loaded[1])
        assert len(bookkeeper.heard) == before == len(stored(host))

    follow(tmp_path, bookkeeper, script)


def test_a_new_match_is_a_fact_without_secrets(tmp_path: Path) -> None:
    bookkeeper = Bookkeeper()

    async def script() -> None:
        config = Config(data=tmp_path)
        registry = Registry(config, ConnectionCounts(config, 1_000), (bookkeeper,))
        await registry.start()
        await registry.store.execute([MAKE])
        seats = (SeatWish("me", name="Ada"), SeatWish("agent", agent="random"))
        made = await registry.create(NewMatch("duel", list(seats)))
        await registry.close()
        (fact,) = bookkeeper.heard
        assert isinstance(fact, Made)
        assert fact.match.id == made.match
        assert fact.match.seats == (PublicSeat("Ada"), PublicSeat(agent="random"))
        assert not fact.match.listed
        assert not fact.match.rated
        assert not any(secret in repr(fact) for secret in made.secrets.values())

    asyncio.run(script())
