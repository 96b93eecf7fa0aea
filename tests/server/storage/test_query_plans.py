"""No list reads a whole table: with 20,000 finished matches every question uses indexes."""

from __future__ import annotations

import asyncio
import datetime
import random
import re
import zlib
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import pytest
import sqlalchemy as sa

from gonfalon.server.match import standings
from gonfalon.server.people.export import export_person
from gonfalon.server.people.profiles import list_played, read_profile
from gonfalon.server.people.rows import Person, find_account, find_names
from gonfalon.server.ratings import reading
from gonfalon.server.storage import deadlines, packing, tables
from gonfalon.server.storage.entries import Header, Named, SeatHeader, pack
from gonfalon.server.storage.store import Store
from server.harness import find_database

MATCHES, PERSONS, ACTIVE = 20_000, 20_000, 1_000
LARGE = {"matches", "log", "packed", "to_pack", "deadlines", "seats", "results"}
LARGE |= {"rated", "rating_changes", "ratings", "persons", "sessions"}
"""Tables that grow with matches or persons."""
VARIANTS = ("barrage", "duel", "original", "conquest-two")
HEADER = pack(Header("m", "duel", {}, (SeatHeader(person="p1"), SeatHeader(person="p2")), 0, 0))
ENTRY = pack(Named(0, "somebody"))
PACKED = zlib.compress(ENTRY)
TODAY = datetime.date(2026, 11, 29)

PERSON = Person("p7", "Person7", "", 0, 0, 0)


def fill(connection: sa.Connection, rng: random.Random) -> None:
    """Store finished rated matches of persons, one in four against a level, and a few that still run."""
    persons = [f"p{number}" for number in range(PERSONS)]
    rows: dict[sa.Table, list[dict[str, Any]]] = {
        table: [] for table in (tables.matches, *tables.metadata.sorted_tables)
    }
    for number, person in enumerate(persons):
        name = f"Person{number}"
        rows[tables.persons].append(
            {"id": person, "name": name, "key": name.lower(), "created": number, "seen": number, "banned": 0}
        )
        session = {"hash": f"h{number}", "id": f"i{number}", "created": 0, "seen": number, "device": ""}
        rows[tables.sessions].append({**session, "person": person})
        for variant in VARIANTS if number < ACTIVE else ():
            key = {"person": person, "variant": variant, "speed": "fast", "pool": "people"}
            rows[tables.ratings].append({**key, "mu": rng.gauss(25, 5), "sigma": 2.0, "matches": 30, "day": TODAY})
    for number in range(MATCHES):
        match, variant, runs = f"m{number}", rng.choice(VARIANTS), number % 100 == 0
        players: list[str | None] = list(rng.sample(persons[:ACTIVE], 2))
        players[1] = None if number % 4 == 0 else players[1]
        rows[tables.matches].append({"id": match, "created": number, "header": HEADER, "moved": number})
        rows[tables.log].append({"match": match, "place": 0, "body": ENTRY})
        rows[tables.packed].append({"match": match, "entries": 1, "body": PACKED})
        rows[tables.to_pack].append({"match": match, "due": number})
        if number % 10 == 0:
            rows[tables.deadlines].append({"match": match, "due": number})
        for player, person in enumerate(players):
            if person:
                rows[tables.seats].append({"match": match, "player": player, "person": person})
            if not runs:
                shown = {"variant": variant, "result": "won", "ended": number, "listed": True, "rated": True}
                agent = "" if person else "level-5"
                rows[tables.results].append(
                    {"match": match, "player": player, "person": person, "agent": agent, **shown}
                )
            if person and not runs:
                key = {"variant": variant, "speed": "fast", "pool": "people", "number": number, "day": TODAY}
                points = {"matches": 3, "mu_before": 25.0, "sigma_before": 2.0, "mu": 25.0, "sigma": 2.0}
                rows[tables.rating_changes].append({"match": match, "person": person, **key, **points})
        if not runs:
            model = {"variant": variant, "speed": "fast", "model": "m", "day": TODAY, "players": b"[]", "places": b"[]"}
            rows[tables.rated].append({"match": match, "number": number, **model})
    for table, content in rows.items():
        if content:
            connection.execute(sa.insert(table), content)


class Question(NamedTuple):
    text: str
    parameters: Any


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Store, sa.Engine]]:
    """A store with all these matches, and an engine that explains its queries."""
    folder = tmp_path_factory.mktemp("full")
    url = find_database(folder) or f"sqlite:///{folder}/matches.db"
    store, engine = Store(url), sa.create_engine(url, poolclass=sa.NullPool)
    asyncio.run(open_and_close(store))
    with engine.begin() as connection:
        fill(connection, random.Random(1))
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(sa.text("ANALYZE"))
    yield store, engine
    asyncio.run(store.close())


async def open_and_close(store: Store) -> None:
    """Make the tables."""
    await store.start()
    await store.close()


QUESTIONS: dict[str, Callable[[Store], object]] = {
    "a profile": lambda store: read_profile(store, PERSON, ""),
    "one's own profile": lambda store: read_profile(store, PERSON, PERSON.id),
    "played matches": lambda store: list_played(store, PERSON, "p8"),
    "the next page of them": lambda store: list_played(store, PERSON, "p8", before="10000.m10000"),
    "those of a game": lambda store: list_played(store, PERSON, PERSON.id, variant="duel"),
    "those against a person": lambda store: list_played(store, PERSON, "", opponent="p9"),
    "running matches": lambda store: standings._list_running(store, PERSON.id),
    "an account": lambda store: find_account(store, PERSON.name),
    "names": lambda store: find_names(store, ["p1", "p2"]),
    "a leaderboard": lambda store: reading.list_leaders(store, "duel", "people", "fast", TODAY),
    "a rating": lambda store: reading.find(store, reading.Key("p7", "duel", "fast", "people")),
    "ratings and curves": lambda store: reading.describe(store, PERSON.id),
    "the changes by a match": lambda store: reading.list_changes(store, "m5"),
    "late matches": lambda store: deadlines.list_past(store, 50, 10),
    "matches to pack": lambda store: packing.list_due(store, 50, 10),
    "an export": lambda store: export_person(store, PERSON),
    "a match": lambda store: store._load("m5"),
}


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_list_reads_no_whole_table(full: tuple[Store, sa.Engine], name: str) -> None:
    store, engine = full
    asked: list[Question] = []

    def note(_: object, __: object, text: str, parameters: Any, *___: object) -> None:
        asked.append(Question(text, parameters))

    sa.event.listen(sa.Engine, "before_cursor_execute", note)
    try:
        QUESTIONS[name](store)
    finally:
        sa.event.remove(sa.Engine, "before_cursor_execute", note)
    assert asked
    for question in asked:
        assert not find_whole(engine, question) & LARGE, question.text


def find_whole(engine: sa.Engine, question: Question) -> set[str]:
    """Return the tables that a query reads from the first row to the last."""
    lite = engine.dialect.name == "sqlite"
    with engine.connect() as connection:
        head = "EXPLAIN QUERY PLAN " if lite else "EXPLAIN "
        plan = [row[-1] for row in connection.exec_driver_sql(head + question.text, question.parameters)]
    aliases = dict(re.findall(r"(\w+) AS (\w+)", question.text))
    known = {alias: table for table, alias in aliases.items()}
    pattern = r"SCAN (\w+)(?! USING INDEX)" if lite else r"Seq Scan on (\w+)"
    found = {name for line in plan for name in re.findall(pattern, line)}
    return {known.get(name, name) for name in found}
