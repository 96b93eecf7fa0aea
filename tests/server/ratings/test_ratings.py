"""Ratings of a server: computed once per match in the order of the rows, whatever stops in between."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import msgspec
import pytest
import sqlalchemy as sa

import gonfalon
from cli.terminal import run as run_command
from gonfalon.server.clock.deadline import DAY
from gonfalon.server.match.public import Ended, Made, describe_end, describe_new
from gonfalon.server.match.state import MatchState
from gonfalon.server.protocol import messages as m
from gonfalon.server.protocol.rating_bodies import MatchRatings
from gonfalon.server.protocol.secrets import hash_secret
from gonfalon.server.ratings import applying
from gonfalon.server.ratings.applying import APPLIED, apply_next, rebuild
from gonfalon.server.ratings.levels import find_rating
from gonfalon.server.ratings.model import NEW, Rating, rate, show
from gonfalon.server.ratings.ratings import Ratings
from gonfalon.server.ratings.rows import RATED, make_row, read_rows, write_row
from gonfalon.server.storage import tables
from gonfalon.server.storage.entries import Header, Resigned, SeatHeader
from gonfalon.server.storage.store import Store
from gonfalon.server.storage.writer import StoreError
from server.against import deploy, first
from server.ratings.rated import FAST, Book, Desk, ended, nothing, seat_of, work
from server.socketless import Host, Table, run, until

PERSONS = ("ada", "bea", "cy", "dee")


async def season(desk: Desk) -> None:
    """Store matches of several games, with draws, levels and four players."""
    for number in range(40):
        one, other = PERSONS[number % 4], PERSONS[(number * 7 + 1) % 4]
        if one != other:
            await desk.play(one, other, returns=((1, -1), (-1, 1), (0, 0))[number % 3])
        await desk.play(one, "level-3", returns=(1, -1), variant="barrage")
        if number % 10 == 0:
            await desk.play(*PERSONS, returns=(-1 / 3, 1, -1 / 3, -1 / 3), variant="conquest")


# ---- computing ----------------------------------------------------------------------------------------------------


def test_ratings_follow_from_the_matches_in_order(tmp_path: Path) -> None:
    async def script(desk: Desk) -> None:
        await desk.play("ada", "bea")
        await desk.play("bea", "cy", returns=(0, 0))
        third = await desk.play("cy", "ada")
        await desk.ratings.catch_up()
        ada, bea = rate((NEW, NEW), (1, 2))
        bea, cy = rate((bea, NEW), (1, 1))
        before = (cy, ada)
        cy, ada = rate(before, (1, 2))
        for person, rating, matches in (("ada", ada, 2), ("bea", bea, 2), ("cy", cy, 2)):
            assert await desk.ratings.find(person, "duel", "fast") == show(rating, matches)
        told = await desk.ratings.changes_of(third)
        assert told.rated
        assert [(seat.player, seat.before, seat.after) for seat in told.seats] == [
            (0, show(before[0], 1), show(cy, 2)),
            (1, show(before[1], 1), show(ada, 2)),
        ]
        assert await desk.ratings.find("ada", "barrage", "fast") is None

    work(tmp_path, script)


def test_four_players_share_places(tmp_path: Path) -> None:
    async def script(desk: Desk) -> None:
        name = await desk.play(*PERSONS, returns=(-1 / 3, 1, -1 / 3, -1 / 3), variant="conquest")
        await desk.ratings.catch_up()
        expected = rate((NEW,) * 4, (2, 1, 2, 2))
        told = await desk.ratings.changes_of(name)
        assert [seat.after for seat in told.seats] == [show(rating, 1) for rating in expected]
        assert [seat.before for seat in told.seats] == [show(NEW, 0)] * 4

    work(tmp_path, script)


def test_play_against_levels_has_a_pool_of_its_own_and_levels_keep_their_rating(tmp_path: Path) -> None:
    async def script(desk: Desk) -> None:
        await desk.play("level-5", "ada", returns=(-1, 1))
        await desk.play("level-5", "ada", returns=(-1, 1))
        await desk.ratings.catch_up()
        level = find_rating("duel", "level-5")
        assert level is not None
        _, once = rate((level, NEW), (2, 1))
        _, twice = rate((level, once), (2, 1))
        assert await desk.ratings.find("ada", "duel", "fast", "levels") == show(twice, 2)
        assert await desk.ratings.find("ada", "duel", "fast", "people") is None
        assert desk.count(tables.ratings) == 1

    work(tmp_path, script)


def test_a_match_between_its_end_and_its_rating_is_rated_once_after_the_next_start(tmp_path: Path) -> None:
    async def first_life(desk: Desk) -> None:
        await desk.play("ada", "bea")
        assert desk.count(tables.ratings) == 0

    async def second_life(desk: Desk) -> None:
        await desk.ratings.start()
        await until(lambda: desk.counter(APPLIED) == 1)
        await desk.ratings.close()
        await desk.ratings.start()
        await asyncio.sleep(0.1)
        shown = await desk.ratings.find("ada", "duel", "fast")
        assert shown == show(rate((NEW, NEW), (1, 2))[0], 1)

    for life in (first_life, second_life, second_life):
        work(tmp_path, life)


def test_a_new_end_wakes_the_task(tmp_path: Path) -> None:
    async def script(desk: Desk) -> None:
        await desk.ratings.start()
        for number in (1, 2):
            end = ended(f"m{number}", seat_of("ada"), seat_of("bea"))
            await desk.tell(end)
            desk.ratings.publish(end)
            await until(lambda number=number: desk.counter(APPLIED) == number)

    work(tmp_path, script)


def test_a_failure_stores_nothing_and_the_task_tries_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gonfalon.server.ratings.ratings.AGAIN", 0.05)
    write, failures = applying._write, []

    def fail_once(*plan: object) -> object:
        statements = write(*plan)  # type: ignore[arg-type]
        if not failures:
            failures.append(plan)
            return (*statements, sa.text("INSERT INTO nowhere VALUES (1)"))
        return statements

    async def script(desk: Desk) -> None:
        await desk.play("ada", "bea")
        monkeypatch.setattr(applying, "_write", fail_once)
        with pytest.raises(StoreError):
            await desk.ratings.catch_up()
        assert (desk.counter(APPLIED), desk.count(tables.ratings), desk.count(tables.rating_changes)) == (0, 0, 0)
        failures.clear()
        await desk.ratings.start()
        await until(lambda: desk.counter(APPLIED) == 1)
        assert len(failures) == 1
        assert desk.count(tables.ratings) == 2

    work(tmp_path, script)


def test_of_two_processes_that_apply_the_same_rows_one_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    both = threading.Barrier(2)
    plan = applying._plan

    def plan_at_once(store: Store) -> object:
        planned = plan(store)
        both.wait()
        return planned

    async def script(desk: Desk) -> None:
        await desk.play("ada", "bea")
        with monkeypatch.context() as patched:
            patched.setattr(applying, "_plan", plan_at_once)
            done = await asyncio.gather(apply_next(desk.store), apply_next(desk.store), return_exceptions=True)
        assert sorted(isinstance(each, StoreError) for each in done) == [False, True]
        assert await apply_next(desk.store) is None
        assert await desk.ratings.find("ada", "duel", "fast") == show(rate((NEW, NEW), (1, 2))[0], 1)

    work(tmp_path, script)


def test_rebuilding_gives_the_same_ratings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(applying, "AT_ONCE", 7)

    async def script(desk: Desk) -> None:
        await season(desk)
        monkeypatch.setattr(applying, "AT_ONCE", 1)
        await desk.ratings.catch_up()
        incremental = await desk.dump()
        monkeypatch.setattr(applying, "AT_ONCE", 7)
        rows, ratings = await rebuild(desk.store)
        assert rows == desk.made == desk.counter(APPLIED)
        assert ratings == desk.count(tables.ratings)
        assert await desk.dump() == incremental

    work(tmp_path, script)


def test_the_command_rebuilds_ratings(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    places: list[str] = []

    async def script(desk: Desk) -> None:
        await desk.play("ada", "bea")
        await desk.play("bea", "level-2")
        await desk.ratings.catch_up()
        await desk.store.execute([sa.update(tables.ratings).values(mu=0.0)])
        places.extend(("--data", str(tmp_path), "--database", desk.config.database))

    async def check(desk: Desk) -> None:
        assert await desk.ratings.find("ada", "duel", "fast") == show(rate((NEW, NEW), (1, 2))[0], 1)

    work(tmp_path, script)
    assert run_command(capsys, "ratings", "rebuild", *places) == (0, "3 ratings from 2 rated matches\n", "")
    work(tmp_path, check)


# ---- answers ------------------------------------------------------------------------------------------------------


def test_a_leaderboard_needs_ten_matches_a_recent_one_and_a_name(tmp_path: Path) -> None:
    async def script(desk: Desk) -> None:
        today = datetime.fromtimestamp(desk.clock.system / 1000, UTC).date()
        for number in range(10):
            await desk.play("ada", "bea" if number else "cy")
            await desk.play("dee", "guest-1", returns=(0, 0))
        await desk.ratings.catch_up()
        board = await desk.ratings.leaderboard("duel", "people", "fast")
        assert [entry.name for entry in board.entries] == ["ADA", "DEE"]
        assert not any(entry.rating.provisional for entry in board.entries)
        assert board.entries[0].day == today.isoformat()
        assert board.levels[0] == 1000
        assert (await desk.ratings.leaderboard("duel", "levels", "fast")).entries == ()
        assert (await desk.ratings.leaderboard("duel", "people", "slow")).entries == ()
        for days, shown in ((30, 2), (31, 0)):
            later = await desk.ratings.leaderboard("duel", "people", "fast", today + timedelta(days=days))
            assert len(later.entries) == shown
        desk.clock.wait(31 * DAY)
        assert (await desk.ratings.leaderboard("duel", "people", "fast")).entries == ()

    work(tmp_path, script)


def test_a_curve_has_one_point_a_day(tmp_path: Path) -> None:
    async def script(desk: Desk) -> None:
        for _ in range(3):
            await desk.play("ada", "bea")
            await desk.play("ada", "bea")
            await desk.play("ada", "level-1", variant="barrage")
            desk.clock.wait(DAY)
        await desk.ratings.catch_up()
        duel, barrage = await desk.ratings.describe("ada")
        assert (duel.variant, duel.speed, duel.pool) == ("duel", "fast", "people")
        assert (barrage.variant, barrage.speed, barrage.pool) == ("barrage", "fast", "levels")
        assert duel.rating.matches == 6
        days = [date.fromisoformat(point.day) for point in duel.curve]
        assert days == [days[0] + timedelta(days=number) for number in range(3)]
        assert duel.curve[-1].rating == duel.rating.rating
        assert [point.rating for point in duel.curve] == sorted(point.rating for point in duel.curve)
        assert await desk.ratings.curve("ada", "duel", "fast") == duel.curve
        assert await desk.ratings.curve("ada", "duel", "slow") == ()
        assert await desk.ratings.describe("nobody") == ()

    work(tmp_path, script)


def test_ratings_for_pairing_are_kept_in_memory_and_renewed(tmp_path: Path) -> None:
    async def script(desk: Desk) -> None:
        ratings = desk.ratings
        await desk.play("ada", "bea")
        await ratings.catch_up()
        once = ratings.peek("ada", "duel", "fast")
        assert once == await ratings.find("ada", "duel", "fast")
        await desk.play("ada", "bea")
        await ratings.catch_up()
        twice = ratings.peek("ada", "duel", "fast")
        assert twice is not None
        assert twice.matches == 2
        other = Ratings(desk.store, nothing, Book())
        assert other.peek("ada", "duel", "fast") is None
        assert await other.find("ada", "duel", "fast") == other.peek("ada", "duel", "fast") == twice

    work(tmp_path, script)


def test_a_deleted_person_leaves_all_answers_and_the_ratings_of_others_stay(tmp_path: Path) -> None:
    async def script(desk: Desk) -> None:
        for _ in range(10):
            last = await desk.play("ada", "bea")
        await desk.ratings.catch_up()
        before = await desk.dump()
        for _ in range(2):
            await desk.store.execute(desk.ratings.forget("ada"))
        assert [seat.player for seat in (await desk.ratings.changes_of(last)).seats] == [1]
        assert await desk.ratings.describe("ada") == ()
        assert await desk.ratings.find("ada", "duel", "fast") is None
        assert [entry.name for entry in (await desk.ratings.leaderboard("duel", "people", "fast")).entries] == ["BEA"]
        await rebuild(desk.store)
        assert await desk.dump() == before
        assert await desk.ratings.describe("ada") == ()

    work(tmp_path, script)


def test_a_match_without_a_row_changes_nothing(tmp_path: Path) -> None:
    async def script(desk: Desk) -> None:
        assert await desk.ratings.changes_of("unknown") == MatchRatings(rated=False, seats=())
        name = await desk.play("ada", "bea")
        told = await desk.ratings.changes_of(name)
        assert told.rated, "the page may ask again"
        assert told.seats == ()

    work(tmp_path, script)


# ---- matches ------------------------------------------------------------------------------------------------------

SEATS = tuple(
    SeatHeader(secret=hash_secret(side), maker=True, person=person)
    for side, person in (("red", "ada"), ("blue", "bea"))
)
HEADER = Header("m", "barrage", {}, SEATS, 0, 120, FAST, listed=True, rated=True)
GAME = gonfalon.make("barrage")


async def find_end(store: Store, match: str) -> Ended | None:
    loaded = await store.load(match)
    return None if loaded is None else describe_end(MatchState(loaded[0], GAME, loaded[1]))


def follow(folder: Path, script: Callable[[Host, Ratings], Awaitable[None]], header: Header = HEADER) -> None:
    async def whole(host: Host) -> None:
        ratings = Ratings(host.store, lambda match: find_end(host.store, match), Book())
        host.listeners = (ratings,)
        await host.store.execute(ratings.prepare(describe_new(header)))
        try:
            await script(host, ratings)
        finally:
            await ratings.close()

    run(whole, folder, header)


async def resign(host: Host) -> None:
    """Play a match until red resigns."""
    table = Table(host, HEADER, GAME)
    await deploy(table)
    await table.act(0, first(table, 0))
    await table.say(0, m.Resign())
    await table.match.stop()


def count(host: Host, table: sa.Table) -> int:
    with host.store.read() as connection:
        return connection.scalar(sa.select(sa.func.count()).select_from(table)) or 0


def test_the_end_of_a_match_is_rated_and_its_places_are_those_of_the_log(tmp_path: Path) -> None:
    async def script(host: Host, ratings: Ratings) -> None:
        await ratings.start()
        assert count(host, tables.rated_open) == 1
        await resign(host)
        await until(lambda: count(host, tables.ratings) == 2)
        assert count(host, tables.rated_open) == 0
        told = await ratings.changes_of("m")
        assert [seat.after.rating > 1500 for seat in told.seats] == [False, True]
        with host.store.read() as connection:
            rows = read_rows(connection, 0, 10)
        assert len(rows) == 1
        for row in rows:
            end = await find_end(host.store, row.match)
            assert end is not None
            again = make_row(end, row.day)
            assert again is not None
            assert again == msgspec.structs.replace(row, number=0)

    follow(tmp_path, script)


def test_an_end_that_cannot_be_stored_leaves_no_row(tmp_path: Path) -> None:
    async def script(host: Host, ratings: Ratings) -> None:
        class Broken:
            def prepare(self, fact: object) -> list[sa.Executable]:
                return [sa.text("INSERT INTO nowhere VALUES (1)")] if isinstance(fact, Ended) else []

            def publish(self, fact: object) -> None:
                pass

        host.listeners = (ratings, Broken())
        table = Table(host, HEADER, GAME)
        await deploy(table)
        table.match.submit(table.seats[0], m.Resign())
        await until(lambda: table.match.closed)
        assert (count(host, tables.rated), count(host, tables.rated_open)) == (0, 1)

    follow(tmp_path, script)


def test_a_start_adds_the_row_of_a_match_that_ended_without_one(tmp_path: Path) -> None:
    async def script(host: Host, ratings: Ratings) -> None:
        host.listeners = ()
        await resign(host)
        assert (count(host, tables.rated), count(host, tables.rated_open)) == (0, 1)
        assert await ratings.sweep() == 1
        assert (count(host, tables.rated), count(host, tables.rated_open)) == (1, 0)
        assert await ratings.sweep() == 0
        await ratings.start()
        await until(lambda: count(host, tables.ratings) == 2)

    follow(tmp_path, script)


def test_a_start_leaves_matches_that_are_not_over_and_drops_deleted_ones(tmp_path: Path) -> None:
    async def script(host: Host, ratings: Ratings) -> None:
        assert await ratings.sweep() == 0
        assert (count(host, tables.rated), count(host, tables.rated_open)) == (0, 1)
        table = Table(host, HEADER, GAME)
        await deploy(table)
        assert count(host, tables.deadlines) == 1, "its clock runs, so the sweep does not read its log"
        await table.match.stop()
        await host.store.append("m", table.state.size, [Resigned(0)])
        assert await ratings.sweep() == 0
        await host.store.delete(["m"])
        assert await ratings.sweep() == 0
        assert (count(host, tables.rated), count(host, tables.rated_open)) == (0, 0)

    follow(tmp_path, script)


def test_a_log_that_cannot_be_read_stops_no_start(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def script(desk: Desk) -> None:
        async def fail(match: str) -> Ended | None:
            if match == "bad":
                raise ValueError(match)
            return end

        end = ended("good", seat_of("ada"), seat_of("bea"))
        for name in ("bad", "good"):
            header = msgspec.structs.replace(HEADER, id=name)
            await desk.store.create(header)
            await desk.tell(Made(describe_new(header).match))
        ratings = Ratings(desk.store, fail, Book())
        assert await ratings.sweep() == 1
        assert "match bad cannot be loaded" in caplog.text
        assert desk.counter(RATED) == 1

    work(tmp_path, script)


def test_a_row_of_an_unknown_level_stops_no_rows_after_it(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def script(desk: Desk) -> None:
        for match, variant in (("m", "chess"), ("n", "barrage")):
            row = make_row(ended(match, seat_of("ada"), seat_of("level-4")), date(2026, 1, 1))
            assert row is not None
            await desk.store.execute(write_row(msgspec.structs.replace(row, variant=variant)))
            changes = await apply_next(desk.store)
            assert [each.match for each in changes or ()] == ([] if variant == "chess" else ["n"])
        assert await apply_next(desk.store) is None
        assert "match m does not count: level-4 has no rating in chess" in caplog.text

    work(tmp_path, script)


def test_ratings_are_stored_exactly(tmp_path: Path) -> None:
    async def script(desk: Desk) -> None:
        await desk.play("ada", "bea")
        (change, _) = await apply_next(desk.store) or ()
        with desk.store.read() as connection:
            mu, sigma = connection.execute(
                sa.select(tables.ratings.c.mu, tables.ratings.c.sigma).where(tables.ratings.c.person == "ada")
            ).one()
        assert Rating(mu, sigma) == change.after.rating

    work(tmp_path, script)
