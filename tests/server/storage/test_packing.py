"""Packed logs: a finished match reads the same before and after, wherever its log is read, and at any moment."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path

import numpy as np
import pytest
import sqlalchemy as sa
from alembic import command
from alembic.config import Config as AlembicConfig

import gonfalon
from gonfalon.server.match.state import MatchState
from gonfalon.server.people.export import export_person
from gonfalon.server.people.rows import Person
from gonfalon.server.protocol import messages as m
from gonfalon.server.protocol.secrets import hash_secret
from gonfalon.server.review.replay import record_match
from gonfalon.server.storage import packing, tables
from gonfalon.server.storage import store as storage
from gonfalon.server.storage.entries import AnyEntry, Header, Named, Played, RematchAsked, Resigned, SeatHeader
from gonfalon.server.storage.erasing import erase_names
from gonfalon.server.storage.logs import pack_log, read_entries
from gonfalon.server.storage.store import Store
from gonfalon.server.storage.writer import StoreError
from server.against import deploy
from server.harness import find_database
from server.socketless import Host, Table, run

SEATS = tuple(SeatHeader("Ada", secret=hash_secret(side)) for side in ("red", "blue"))
HEADER = Header("m", "barrage", {}, SEATS, 0, 120)


def with_store(folder: Path, script: Callable[[Store], Awaitable[None]]) -> None:
    async def whole() -> None:
        store = Store(find_database(folder) or f"sqlite:///{folder / 'x.db'}")
        await store.start()
        try:
            await script(store)
        finally:
            await store.close()

    asyncio.run(whole())


def play_out() -> list[AnyEntry]:
    """Return the log of a match of 40 moves, in which both players chose a name and the first one gave up."""
    game, rng = gonfalon.make(HEADER.rules), np.random.default_rng(6)
    match_state, entries = MatchState(HEADER, game), list[AnyEntry]()
    while len(entries) < 42 and match_state.outcome is None:
        player = match_state.due[0]
        view = game.view(match_state.position, player)
        deploys = game.standing(view).deploys
        actions = game.random_deployment(view, rng) if deploys else rng.choice(view.legal, 1)
        entries.append(Played(player, tuple(actions.tolist()), n=len(entries)))
        match_state.apply(entries[-1])
    return [*entries, Named(0, "Grace"), Named(1, "Linus"), Resigned(0)]


async def fill(store: Store, entries: list[AnyEntry], match: str = "m", due: bool = True) -> None:
    """Store a match that ended long ago."""
    statements = packing.plan_packing(match, 0) if due else ()
    await store.create(Header(match, HEADER.variant, {}, SEATS, 0, 120))
    await store.append(match, 0, entries, statements)


async def load(store: Store) -> list[AnyEntry]:
    loaded = await store.load("m")
    assert loaded is not None
    return loaded[1]


def count(store: Store, table: sa.Table) -> int:
    with store.read() as connection:
        return connection.scalar(sa.select(sa.func.count()).select_from(table)) or 0


async def pack_all(store: Store) -> None:
    """Pack what is due, as the timer does, and see that no row of a log is left."""
    assert await packing.sweep(store)
    assert count(store, tables.log) == 0
    assert count(store, tables.to_pack) == 0


def test_a_packed_match_has_the_same_entries_state_and_record(tmp_path: Path) -> None:
    entries = play_out()
    game = gonfalon.make(HEADER.rules)

    async def script(store: Store) -> None:
        await fill(store, entries)
        assert await load(store) == entries
        await pack_all(store)
        assert await load(store) == entries
        before, after = (MatchState(HEADER, game, each) for each in (entries, await load(store)))
        assert after.outcome == before.outcome
        assert record_match(after).write() == record_match(before).write()
        (listed,) = await store.list_matches()
        assert (listed.header.id, listed.entries) == ("m", len(entries))

    with_store(tmp_path, script)


def test_a_packed_match_takes_more_entries_and_can_be_packed_again(tmp_path: Path) -> None:
    entries, more = play_out(), [RematchAsked(0, "n", "x"), Named(1, "Ken")]

    async def script(store: Store) -> None:
        await fill(store, entries)
        await pack_all(store)
        await store.append("m", len(entries), more)
        assert await load(store) == [*entries, *more]
        assert (await store.list_matches())[0].entries == len(entries) + 2
        await store.execute(packing.plan_packing("m", 0))
        await pack_all(store)
        assert await load(store) == [*entries, *more]

    with_store(tmp_path, script)


def test_the_end_of_a_match_notes_it_for_the_day_after(tmp_path: Path) -> None:
    async def script(host: Host) -> None:
        table = Table(host, HEADER, gonfalon.make(HEADER.rules))
        await deploy(table)
        assert count(host.store, tables.to_pack) == 0
        await table.say(0, m.Resign())
        assert count(host.store, tables.to_pack) == 1
        now = int(time.time())
        assert packing.list_due(host.store, now + packing.AFTER - 60, 9) == []
        assert await packing.sweep(host.store) == 0
        assert packing.list_due(host.store, now + packing.AFTER, 9) == ["m"]
        await table.match.stop()

    run(script, tmp_path, HEADER)


def test_a_match_in_memory_may_be_packed_while_it_goes_on(tmp_path: Path) -> None:
    async def script(host: Host) -> None:
        table = Table(host, HEADER, gonfalon.make(HEADER.rules))
        await deploy(table)
        await host.store.rewrite([partial(pack_log, match="m")])
        assert count(host.store, tables.log) == 0
        await table.act(0, int(table.state.game.view(table.state.position, 0).legal[0]))
        await table.say(0, m.Resign())
        assert table.state.outcome is not None
        assert count(host.store, tables.log) == 2
        again = MatchState(HEADER, table.state.game, await load(host.store))
        assert (again.size, again.outcome) == (table.state.size, table.state.outcome)
        await table.match.stop()

    run(script, tmp_path, HEADER)


@pytest.mark.parametrize("moment", range(3))
def test_a_log_that_is_packed_while_it_is_read_is_whole(tmp_path: Path, moment: int) -> None:
    """Another connection packs the log before the query with the number `moment`."""
    entries = play_out()

    async def script(store: Store) -> None:
        await fill(store, entries)
        other, asked = sa.create_engine(store._engine.url, poolclass=sa.NullPool), 0

        def pack_before(*_: object) -> None:
            nonlocal asked
            if asked == moment:
                with other.begin() as connection:
                    pack_log(connection, "m")
            asked += 1

        sa.event.listen(store._readers, "before_cursor_execute", pack_before)
        assert await load(store) == entries
        assert asked == 3
        assert count(store, tables.log) == 0

    with_store(tmp_path, script)


def test_a_failure_leaves_the_log_as_it_was(tmp_path: Path) -> None:
    """The process may end at any moment: the rows go in the same transaction in which the packed part comes."""
    entries = play_out()

    async def script(store: Store) -> None:
        await fill(store, entries)

        def fail(connection: sa.Connection) -> None:
            assert len(read_entries(connection, "m")) == len(entries)
            assert connection.scalar(sa.select(sa.func.count()).select_from(tables.log)) == 0
            connection.execute(sa.text("INSERT INTO nowhere VALUES (1)"))

        with pytest.raises(StoreError):
            await store.rewrite([partial(pack_log, match="m"), fail])
        assert (count(store, tables.log), count(store, tables.packed)) == (len(entries), 0)
        assert await load(store) == entries

    with_store(tmp_path, script)


def test_a_damaged_log_is_left_for_later_and_others_are_packed(tmp_path: Path) -> None:
    async def script(store: Store) -> None:
        entries = play_out()
        for match in ("m", "other"):
            await fill(store, entries, match)
        await store.execute([sa.insert(tables.packed).values(match="other", entries=3, body=b"damaged")])
        await packing.sweep(store)
        assert (count(store, tables.log), count(store, tables.to_pack)) == (len(entries), 1)
        assert packing.list_due(store, int(time.time()), 9) == []
        assert await load(store) == entries

    with_store(tmp_path, script)


def test_names_are_erased_in_the_packed_part_and_in_the_rows(tmp_path: Path) -> None:
    entries, more = play_out(), [Named(0, "Hopper"), Named(1, "Ken")]

    async def script(store: Store) -> None:
        await fill(store, entries)
        await store.execute([sa.insert(tables.seats).values(match="m", player=0, person="p")])
        await pack_all(store)
        await store.append("m", len(entries), more)
        export = export_person(store, Person("p", "", "", 0, 0, 0))
        assert export["seats"][0]["typed_names"] == ["Ada", "Grace", "Hopper"]
        await store.rewrite([partial(erase_names, match="m", players=[0])])
        loaded = await store.load("m")
        assert loaded is not None
        assert [seat.name for seat in loaded[0].seats] == ["", "Ada"]
        assert [each for each in loaded[1] if isinstance(each, Named)] == [
            Named(0, ""),
            Named(1, "Linus"),
            Named(0, ""),
            Named(1, "Ken"),
        ]
        assert [each for each in loaded[1] if not isinstance(each, Named)] == [
            each for each in entries if not isinstance(each, Named)
        ]

    with_store(tmp_path, script)


def test_a_packed_match_can_be_deleted(tmp_path: Path) -> None:
    async def script(store: Store) -> None:
        for match in ("m", "other"):
            await fill(store, play_out(), match)
        await pack_all(store)
        await store.execute(packing.plan_packing("m", 0))
        await store.delete(["m"])
        assert await store.load("m") is None
        assert (count(store, tables.packed), count(store, tables.to_pack)) == (1, 0)

    with_store(tmp_path, script)


def test_matches_of_an_earlier_version_are_packed_30_days_after_their_last_step(tmp_path: Path) -> None:
    entries, now = play_out(), int(time.time())

    async def script(store: Store) -> None:
        for match, days in (("m", 31), ("young", 29), ("unmoved", 0)):
            await fill(store, entries, match, due=False)
            await store.execute(
                [sa.update(tables.matches).where(tables.matches.c.id == match).values(moved=now - days * 86_400)]
            )
        await store.execute([sa.update(tables.matches).where(tables.matches.c.id == "unmoved").values(moved=0)])
        config = AlembicConfig()
        config.set_main_option("script_location", str(Path(storage.__file__).parent / "migrations"))
        await store.close()
        with sa.create_engine(store._engine.url, poolclass=sa.NullPool).begin() as connection:
            config.attributes["connection"] = connection
            command.downgrade(config, "0007")
        newer = Store(store._engine.url.render_as_string(hide_password=False))
        await newer.start()
        assert sorted(packing.list_due(newer, now, 9)) == ["m", "unmoved"]
        assert await packing.sweep(newer) == 2
        assert await load(newer) == entries
        assert packing.list_due(newer, now + 2 * 86_400, 9) == ["young"]
        await newer.close()

    with_store(tmp_path, script)
