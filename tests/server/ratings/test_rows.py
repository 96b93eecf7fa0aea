"""Rows of rated matches: which matches have one, in which order, and only together with the end."""

from __future__ import annotations

import asyncio
from datetime import UTC, date, datetime
from pathlib import Path

import msgspec
import pytest
import sqlalchemy as sa

from gonfalon.server.clock.control import Bank, Correspondence, PerTurn, Untimed
from gonfalon.server.match.public import Ended, Made, PublicSeat
from gonfalon.server.ratings.model import MODEL
from gonfalon.server.ratings.rows import RatedPlayer, make_row, read_row, read_rows, write_row
from gonfalon.server.storage import tables
from gonfalon.server.storage.writer import StoreError
from server.ratings.rated import Desk, ended, work

ADA, BEA, CY = (PublicSeat(person=person) for person in ("ada", "bea", "cy"))
LEVEL = PublicSeat(agent="level-4")
DAY = date(2026, 1, 31)


@pytest.mark.parametrize(
    ("end", "why"),
    [
        (ended("m", ADA, BEA, rated=False), "casual"),
        (ended("m", ADA, BEA, listed=False), "private"),
        (ended("m", ADA, BEA, counts=False), "broken off, or with hints"),
        (ended("m", ADA, BEA, clock=None), "no clock"),
        (ended("m", ADA, BEA, clock=Untimed(0)), "no clock"),
        (ended("m", ADA, PublicSeat("Bea")), "a seat without a person"),
        (ended("m", ADA, ADA), "one person against themselves"),
        (ended("m", ADA, PublicSeat(agent="greedy")), "a computer player without a rating"),
        (ended("m", ADA, LEVEL, variant="chess"), "a game without a ladder"),
        (ended("m", LEVEL, LEVEL), "no person"),
        (ended("m", ADA, BEA, LEVEL, returns=(1, -0.5, -0.5)), "a level among persons"),
        (ended("m", ADA, returns=(1,)), "one side"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_matches_that_change_no_rating(end: Ended, why: str) -> None:
    assert make_row(end, DAY) is None, why


def test_a_row_says_who_took_which_place() -> None:
    row = make_row(ended("m", ADA, BEA, CY, returns=(-0.5, 1, -0.5), variant="conquest-three", clock=PerTurn(60)), DAY)
    assert row is not None
    assert (row.match, row.variant, row.speed, row.day, row.model) == ("m", "conquest-three", "slow", DAY, MODEL)
    assert row.players == (RatedPlayer("ada"), RatedPlayer("bea"), RatedPlayer("cy"))
    assert row.places == (2, 1, 2)
    assert row.pool == "people"
    alone = make_row(ended("m", LEVEL, BEA, clock=Correspondence(3), returns=(0, 0)), DAY)
    assert alone is not None
    assert (alone.speed, alone.pool, alone.places) == ("correspondence", "levels", (1, 1))
    assert alone.players == (RatedPlayer(level="level-4"), RatedPlayer("bea"))


def test_rows_have_running_numbers_and_a_match_has_one(tmp_path: Path) -> None:
    async def script(desk: Desk) -> None:
        ends = [ended(name, ADA, BEA, clock=Bank(900)) for name in ("b", "a", "c")]
        await asyncio.gather(*(desk.tell(end) for end in ends))
        await desk.tell(ends[1], ended("casual", ADA, BEA, rated=False))
        with desk.store.read() as connection:
            rows = read_rows(connection, 0, 10)
            assert [row.number for row in rows] == [1, 2, 3]
            assert {row.match for row in rows} == {"a", "b", "c"}
            assert [row.number for row in read_rows(connection, 1, 1)] == [2]
            assert read_row(connection, rows[2].match) == rows[2]
            assert read_row(connection, "casual") is None
        assert rows[0].day == datetime.fromtimestamp(desk.clock.system / 1000, UTC).date()
        assert desk.counter("rated") == 3, "a repeated end takes no number"

    work(tmp_path, script)


def test_a_statement_that_fails_leaves_no_row_and_takes_no_number(tmp_path: Path) -> None:
    async def script(desk: Desk) -> None:
        row = make_row(ended("m", ADA, BEA), DAY)
        assert row is not None
        with pytest.raises(StoreError):
            await desk.store.execute([*write_row(row), sa.text("INSERT INTO nowhere VALUES (1)")])
        assert (desk.counter("rated"), desk.count(tables.rated)) == (0, 0)
        await desk.store.execute(write_row(msgspec.structs.replace(row, match="n")))
        assert (desk.counter("rated"), desk.count(tables.rated)) == (1, 1)

    work(tmp_path, script)


def test_open_rated_matches_are_noted_until_they_end(tmp_path: Path) -> None:
    async def script(desk: Desk) -> None:
        ends = [
            ended("row", ADA, BEA),
            ended("broken-off", ADA, BEA, counts=False),
            ended("casual", ADA, BEA, rated=False),
        ]
        await desk.tell(*(Made(end.match) for end in ends))
        assert desk.count(tables.rated_open) == 2
        await desk.tell(*ends)
        assert (desk.count(tables.rated_open), desk.count(tables.rated)) == (0, 1)

    work(tmp_path, script)


def test_deleting_a_match_keeps_its_row(tmp_path: Path) -> None:
    async def script(desk: Desk) -> None:
        name = await desk.play("ada", "bea")
        await desk.store.delete([name])
        assert desk.count(tables.rated) == 1

    work(tmp_path, script)
