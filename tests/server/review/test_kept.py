"""Answers that the server keeps in memory, within a bound, and drops when they may be out of date."""

from __future__ import annotations

import asyncio
from pathlib import Path

import httpx

from gonfalon.server.config import Config
from gonfalon.server.match.registry import Registry
from gonfalon.server.net.connection_counts import ConnectionCounts
from gonfalon.server.protocol.bodies import NewMatch, SeatWish
from gonfalon.server.storage.kept import Kept
from gonfalon.server.storage.retention import sweep
from gonfalon.server.storage.subjects import Subject
from server.harness import Match, Server, find_database, running


def test_values_are_kept_within_two_bounds() -> None:
    kept = Kept[str](3, 10)
    for key in "abcd":
        kept.put(key, key, 1)
    assert [kept.get(key) for key in "abcd"] == [None, "b", "c", "d"]
    kept.get("b")
    kept.put("e", "e", 9)
    assert [kept.get(key) for key in "bcde"] == ["b", None, None, "e"], "ten bytes together"
    kept.put("f", "f", 11)
    assert (len(kept), kept.get("f")) == (2, None)
    kept.put("e", "E", 1)
    kept.put("g", "g", 8)
    assert [kept.get(key) for key in "beg"] == ["b", "E", "g"], "the old size of e counts no more"


def test_a_value_that_was_dropped_while_it_was_made_is_not_kept() -> None:
    kept = Kept[str](3, 10)
    since = kept.changes
    kept.drop("a")
    kept.put("a", "old", 1, since)
    assert kept.get("a") is None
    kept.put("a", "new", 1, kept.changes)
    assert kept.get("a") == "new"


def finish(server: Server) -> Match:
    match = server.match()
    red = match.sit("red")
    red.send("resign")
    red.until("ended")
    return match


def test_a_record_is_made_once_and_no_more_than_an_address_may(tmp_path: Path) -> None:
    """The address may make two matches and one record."""
    with running(tmp_path, create_rate=1e-9, create_burst=3) as server:
        one, other = finish(server), finish(server)
        first = server.get(f"/api/matches/{one.id}/record")
        assert first.status_code == 200
        for path in (f"/api/matches/{other.id}/record", "/api/matches/none/record"):
            refused = server.get(path)
            assert (refused.status_code, refused.json()["line"]["code"]) == (429, "too-many")
            assert httpx.head(server.url(path), timeout=60).status_code == 429
        again = server.get(f"/api/matches/{one.id}/record")
        assert (again.status_code, again.text) == (200, first.text)


def test_a_deleted_match_is_no_longer_kept(tmp_path: Path) -> None:
    config = Config(data=tmp_path, database=find_database(tmp_path))
    registry = Registry(config, ConnectionCounts(config, 1_000))

    async def script() -> None:
        await registry.start()
        made = await registry.create(NewMatch("barrage", [SeatWish("me"), SeatWish("me")]))
        registry.records.put(made.match, "record", 6)
        registry.subjects.put(made.match, Subject("match", "barrage"), 1)
        assert await sweep(registry.store, -1, registry.leaving) == 1
        assert registry.records.get(made.match) is None
        assert registry.subjects.get(made.match) is None
        await registry.close()

    asyncio.run(script())
