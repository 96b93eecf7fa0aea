"""The time that a decision took: stored with it, told to nobody during the match, shown in the replay."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec

import gonfalon
from deploying import draw_deployment
from gonfalon.server.clock.control import Bank
from gonfalon.server.match.state import MatchState
from gonfalon.server.protocol import messages as m
from gonfalon.server.protocol.secrets import hash_secret
from gonfalon.server.review.replay import Finished, SceneBuilder, record_match, replay_match
from gonfalon.server.storage.entries import Header, Played, SeatHeader, pack, unpack_entry
from server.socketless import Host, Table, run

GAME = gonfalon.make("barrage")
SEATS = tuple(SeatHeader(secret=hash_secret(side), maker=True) for side in GAME.info.sides)
OFF = {"delay": 0, "longest": 0, "deployment": 300}
HEADER = Header("took", "barrage", {}, SEATS, 0, 120)


def list_times(host: Host) -> list[tuple[int, int]]:
    return [(entry.by, entry.took) for entries in host.appended for entry in entries if isinstance(entry, Played)]


def test_each_decision_is_stored_with_its_own_time(tmp_path: Path) -> None:
    async def script(host: Host) -> None:
        table = Table(host, HEADER, GAME)
        await table.sit()
        host.clock.wait(40_000)
        await table.act(0, *draw_deployment(GAME, 0)[:3])
        host.clock.wait(20_000)
        await table.act(0, *draw_deployment(GAME, 0)[3:])
        host.clock.wait(5_000)
        await table.act(1, *draw_deployment(GAME, 1))
        host.clock.wait(7_250)
        await table.act(0, table.last(0, "update")["choices"][0]["id"])
        host.clock.wait(500)
        await table.act(1, table.last(1, "update")["choices"][0]["id"])
        assert list_times(host) == [(0, 60_000), (1, 65_000), (0, 7_250), (1, 500)], "a draft is a part of a decision"
        running = b"".join(text for outlet in table.outlets.values() for text in outlet.sent)
        assert b'"took":' not in running, "nobody is told during the match"
        await table.say(0, m.Resign())
        again = MatchState(HEADER, GAME, [entry for entries in host.appended for entry in entries])
        assert again.steps == table.state.steps
        replay = replay_match(SceneBuilder(GAME), Finished.of(again))
        for took in (60_000, 65_000, 7_250, 500):
            assert f'"took":{took}'.encode() in replay

    run(script, tmp_path, HEADER)


def test_the_replay_shows_the_clocks_and_the_record_names_them(tmp_path: Path) -> None:
    header = msgspec.structs.replace(HEADER, clock=Bank(300, increment=3))

    async def script(host: Host) -> None:
        table = Table(host, header, GAME)
        await table.sit()
        for player in (0, 1):
            host.clock.wait(1_000)
            await table.act(player, *draw_deployment(GAME, player))
        for player in (0, 1):
            host.clock.wait(10_000)
            await table.act(player, table.last(player, "update")["choices"][0]["id"])
        host.clock.wait(303_000)
        table.match.check_time()
        await table.settle()
        replay = json.loads(replay_match(SceneBuilder(GAME), Finished.of(table.state)))
        assert replay["clock"] == {"kind": "bank", "bank": 300, "increment": 3, **OFF}
        clocks = [step["clocks"] for step in replay["steps"]]
        assert clocks[1:4] == [
            {"red": 300_000, "blue": 300_000},
            {"red": 293_000, "blue": 300_000},
            {"red": 293_000, "blue": 293_000},
        ]
        assert clocks[-1] == {"red": 0, "blue": 293_000}
        record = record_match(table.state)
        assert record.clock == "bank bank=300 increment=3 delay=0 longest=0 deployment=300"
        assert record.times == (1_000, 2_000, 10_000, 10_000, 303_000)
        assert replay["record"] == record.write()

    run(script, tmp_path, header)


def test_entries_of_earlier_versions_have_no_time() -> None:
    assert pack(Played(0, (5,), 1)) == b'{"k":"played","by":0,"actions":[5],"n":1}'
    assert unpack_entry(b'{"k":"played","by":0,"actions":[5],"n":1}') == Played(0, (5,), 1)
