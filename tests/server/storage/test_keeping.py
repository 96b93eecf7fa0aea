"""Matches that a server stores: listed, ended, deleted, and refused when the disk is nearly full; and lines of the
server's log.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import random
import re
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
import pytest
import sqlalchemy as sa

from gonfalon.cli import main
from gonfalon.server.config import Config
from gonfalon.server.journal import OneLine, note
from gonfalon.server.match.registry import Registry
from gonfalon.server.net.connection_counts import ConnectionCounts
from gonfalon.server.protocol.refusals import Declined
from gonfalon.server.storage.entries import Header, Played, SeatHeader
from gonfalon.server.storage.retention import DAY, Leaving, keep_sweeping, sweep
from gonfalon.server.storage.store import Store
from gonfalon.server.storage.writer import StoreError
from server.harness import DATABASE, find_database, running, wait_for

ON_FILES = pytest.mark.skipif(bool(DATABASE), reason="the room of a database elsewhere is not known")


def where(data: Path) -> list[str]:
    return ["--database", find_database(data)] if DATABASE else ["--data", str(data)]


def header(name: str, days: float) -> Header:
    seats = (SeatHeader("Ada", secret="x"), SeatHeader(agent="random"))
    return Header(name, "barrage", {}, seats, int(time.time() - days * DAY), 120)


def holding(*held: str) -> Leaving:
    """Return the part of a registry that a sweep needs, with these matches in memory."""

    @contextlib.contextmanager
    def leaving(matches: Sequence[str]) -> Iterator[list[str]]:
        yield [match for match in matches if match not in held]

    return leaving


async def fill(store: Store) -> None:
    """Store matches of three ages; `old` has a log."""
    await store.start()
    for name, days in (("old", 40.5), ("month", 29.5), ("new", 0.0)):
        await store.create(header(name, days))
    await store.append("old", 0, [Played(0, (1,))])


def test_matches_are_listed_shown_ended_and_deleted(
    tmp_path: Path, rng: random.Random, capsys: pytest.CaptureFixture[str]
) -> None:
    with running(tmp_path) as server:
        one, two = server.match(), server.match(("me", "random"))
        red = one.sit("red")
        red.deploy(rng)
        for act in (["list"], ["show", one.id]):
            assert main(["matches", *act, *where(tmp_path)]) == 0, (
                "beside a running server; `people/test_operator.py` has the other acts"
            )
        told = capsys.readouterr().out
        assert one.id in told
        assert "not begun" in told
        server.stop()
        assert main(["matches", "end", one.id, *where(tmp_path)]) == 0
        assert main(["matches", "end", one.id, *where(tmp_path)]) == 2
        assert "is over already" in capsys.readouterr().err
        assert main(["matches", "delete", two.id, *where(tmp_path)]) == 0
        assert main(["matches", "delete", two.id, *where(tmp_path)]) == 2
        assert "no match" in capsys.readouterr().err
        server.start()
        assert one.info()["ended"]
        assert one.sit("red").welcome["ending"]["reason"] == "no-result"
        assert server.get(f"/api/matches/{two.id}").status_code == 404


def test_no_matches_yet(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["matches", "list", *where(tmp_path)]) == 2
    assert "no server has used this database yet" in capsys.readouterr().err


def test_what_is_deleted_must_be_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with running(tmp_path):
        pass
    for wrong in ([], ["some", "--older-than", "3"]):
        assert main(["matches", "delete", *wrong, *where(tmp_path)]) == 2
        assert "--older-than DAYS" in capsys.readouterr().err


def test_old_matches_are_deleted_on_request(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = Store(find_database(tmp_path) or f"sqlite:///{tmp_path / 'matches.db'}")

    async def make() -> None:
        await fill(store)
        await store.close()

    asyncio.run(make())
    assert main(["matches", "delete", "--older-than", "30", *where(tmp_path)]) == 0
    assert capsys.readouterr().out == "old is deleted\n1 deleted\n"
    assert main(["matches", "list", *where(tmp_path)]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == ["new", "month"]


def test_the_timer_deletes_old_matches_that_nobody_holds(tmp_path: Path) -> None:
    store = Store(find_database(tmp_path) or f"sqlite:///{tmp_path / 'x.db'}")

    async def run() -> None:
        await fill(store)
        assert await sweep(store, 30, holding("old")) == 0
        assert await store.load("old") is not None
        assert await sweep(store, 30, holding()) == 1
        assert await store.load("old") is None
        assert [kept.header.id for kept in await store.list_matches()] == ["new", "month"]
        await store.close()

    asyncio.run(run())


def test_a_match_opened_during_a_sweep_is_kept_or_not_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All matches are asked for while the first of them are being deleted."""
    monkeypatch.setattr("gonfalon.server.storage.retention.AT_ONCE", 3)
    config = Config(data=tmp_path, database=find_database(tmp_path))
    registry = Registry(config, ConnectionCounts(config, 1_000))
    delete, names = registry.store.delete, [f"old-{number}" for number in range(7)]
    opened, missed = set[str](), set[str]()

    async def open_all() -> None:
        for name in names:
            try:
                await registry.find(name)
                opened.add(name)
            except Declined:
                missed.add(name)

    async def delete_meanwhile(chosen: Sequence[str]) -> None:
        if chosen:
            await open_all()
        await delete(chosen)

    async def script() -> None:
        await registry.start()
        old = header(names[0], 40.5)  # all of one second, so that their order is that of their names
        for name in names:
            await registry.store.create(msgspec.structs.replace(old, id=name))
        await registry.find(names[2])
        monkeypatch.setattr(registry.store, "delete", delete_meanwhile)
        assert await sweep(registry.store, 30, registry.leaving) == len(missed) == 2
        assert opened == set(names) - missed
        assert {each.header.id for each in await registry.store.list_matches()} == opened == registry.in_memory
        await registry.close()

    asyncio.run(script())


def test_a_match_that_could_not_be_deleted_can_be_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = Config(data=tmp_path, database=find_database(tmp_path))
    registry = Registry(config, ConnectionCounts(config, 1_000))

    async def fail(_chosen: Sequence[str]) -> None:
        with pytest.raises(Declined, match="no-match"):
            await registry.find("old")
        raise StoreError

    async def script() -> None:
        await registry.start()
        await registry.store.create(header("old", 40.5))
        monkeypatch.setattr(registry.store, "delete", fail)
        with pytest.raises(StoreError):
            await sweep(registry.store, 30, registry.leaving)
        assert (await registry.find("old")).state.size == 0
        await registry.close()

    asyncio.run(script())


def test_a_server_sweeps_when_it_starts_only_if_it_is_told_to(tmp_path: Path) -> None:
    store = Store(find_database(tmp_path) or f"sqlite:///{tmp_path / 'matches.db'}")

    async def make() -> None:
        await fill(store)
        await store.delete(["old"])  # its log is made up; no match could load it
        await store.create(header("old", 40.5))
        await store.close()

    asyncio.run(make())
    with running(tmp_path) as server:
        assert server.get("/api/matches/old").status_code == 200
        server.stop()
        server.settings["keep_days"] = 30
        server.start()
        wait_for(lambda: server.get("/api/matches/old").status_code == 404)
        assert server.get("/api/matches/month").status_code == 200


@ON_FILES
def test_a_full_disk_refuses_new_matches_and_lets_others_play_on(tmp_path: Path, rng: random.Random) -> None:
    with running(tmp_path) as server:
        match, over = server.match(), server.match(("me", "me"))
        red = over.sit("red")
        red.send("resign")
        red.until("ended")
        server.stop()
        server.settings["free_disk"] = 10**18
        server.start()
        wish = {"variant": "barrage", "seats": [{"kind": "me"}, {"kind": "me"}]}
        answer = server.post("/api/matches", wish)
        assert (answer.status_code, answer.json()["line"]["code"]) == (507, "disk-full")
        red, blue = match.both()
        red.deploy(rng)
        blue.deploy(rng)
        again = over.sit("red")
        again.send("offer-rematch")
        assert again.until("refused")["line"]["code"] == "disk-full"


def test_the_log_has_one_line_an_event_with_no_secret(tmp_path: Path, rng: random.Random) -> None:
    """Run a whole match with known secrets, names and pieces; the lines of its log contain none of them."""
    with running(tmp_path, log=tmp_path / "log") as server:
        match = server.match(("me", "random"))
        wish = {"variant": "barrage", "seats": [{"kind": "me", "name": "Ada Lovelace"}, {"kind": "person"}]}
        named = server.post("/api/matches", wish).json()
        red = match.sit("red")
        red.deploy(rng)
        red.until("update")
        red.send("resign")
        red.until("ended")
        pieces = {token["face"] for token in red.scene["tokens"] if token["face"]}
        server.stop()
        lines = (tmp_path / "log").read_text().splitlines()
        server.start()
    events = [line.split()[3] for line in lines]
    assert events[:2] == ["limits", "server-starts"]
    assert events[-1] == "server-stops"
    assert {"match-made", "match-opened", "match-ended", "match-left"} <= set(events)
    assert all(re.match(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z (INFO|WARNING) gonfalon", line) for line in lines)
    text = "\n".join(lines)
    for hidden in (*match.secrets.values(), *named["secrets"].values(), "Ada", "127.0.0.1", *pieces):
        assert hidden not in text


def test_a_traceback_stays_in_the_line_of_its_event(caplog: pytest.LogCaptureFixture) -> None:
    try:
        raise ValueError("two\nlines")
    except ValueError:
        logging.getLogger("gonfalon.test").exception("failed")
    text = OneLine("%(levelname)s %(message)s").format(caplog.records[0])
    assert text.startswith("ERROR failed | Traceback")
    assert "\n" not in text


def test_events_are_silent_unless_asked_for(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "gonfalon"):
        note("match-made", match="x")
    assert not caplog.records
    with caplog.at_level(logging.INFO, "gonfalon"):
        note("match-made", match="x", agents=1)
    assert [record.getMessage() for record in caplog.records] == ["match-made match=x agents=1"]


def test_the_timer_goes_on_after_a_database_that_could_not_be_asked(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    asked = 0

    class Broken:
        async def list_matches(self, _before: int) -> None:
            nonlocal asked
            asked += 1
            raise sa.exc.OperationalError("select", {}, OSError("gone"))

    async def run() -> None:
        timer = asyncio.create_task(keep_sweeping(Broken(), 30, holding()))
        while asked < 3:
            await asyncio.sleep(0)
        assert not timer.done()
        timer.cancel()

    monkeypatch.setattr("gonfalon.server.storage.retention.EVERY", 0.0)
    asyncio.run(run())
    assert {record.getMessage() for record in caplog.records} == {"old matches are not deleted this time"}
