"""Games with chance: the deal before anyone comes, draws in the middle, and arrangements during play."""

from __future__ import annotations

import json
import random
import sqlite3
from pathlib import Path

import pytest

import gonfalon
from server.harness import Server, play, running, same_scene

VARIANTS = [variant for variant in gonfalon.variants() if gonfalon.make(variant).info.chance]
each_variant = pytest.mark.parametrize("variant", VARIANTS)


@each_variant
def test_the_deal_is_done_before_anyone_is_welcomed(server: Server, variant: str) -> None:
    match = server.match(variant=variant)
    red, blue = match.both()
    assert red.seq == blue.seq > 0
    assert red.scene["arrange"]
    assert blue.scene["arrange"]
    assert not match.info()["started"]
    assert match.sit().scene["arrange"] is None


@each_variant
def test_a_whole_match(server: Server, variant: str, rng: random.Random) -> None:
    """Everyone's patched scene is the scene; nobody hears of the other's draws; the record replays."""
    match = server.match(variant=variant)
    red, blue = match.both()
    watcher = match.sit()

    def compare(made: int) -> None:
        if made % 8:
            return
        for client, side in ((red, "red"), (blue, "blue"), (watcher, "")):
            client.quiet()
            fresh = match.sit(side)
            assert same_scene(client.scene, fresh.scene)
            assert client.choices == fresh.choices
            fresh.close()

    assert play((red, blue), rng, 500, compare) < 500
    assert red.scene["status"]["code"] == "over"
    for client, side in ((red, "red"), (blue, "blue"), (watcher, "")):
        drawn = [e for u in client.updates for e in u["events"] if e["code"] == "drew"]
        assert {event["args"]["side"] for event in drawn} <= {side}
    record = server.get(f"/api/matches/{match.id}/record").text
    replay = server.post("/api/replays", {"text": record})
    assert replay.is_success, replay.text
    assert json.loads(replay.text)["record"] == record


@each_variant
def test_kill_and_restart_loses_nothing(tmp_path: Path, variant: str, rng: random.Random) -> None:
    with running(tmp_path) as server:
        match = server.match(variant=variant)
        red, blue = match.both()
        for _ in range(4):
            play((red, blue), rng, 5)
            red.quiet(), blue.quiet()
            kept, seq = blue.scene, blue.seq
            server.kill()
            server.let_go()
            server.start()
            red = match.sit("red")
            blue = match.sit("blue", seq=seq)
            assert blue.seq == seq
            assert same_scene(blue.scene, kept)


@each_variant
def test_a_log_that_ends_where_chance_is_due_goes_on(tmp_path: Path, variant: str) -> None:
    """As a process leaves it that is killed in the middle of the deal."""
    with running(tmp_path) as server:
        match = server.match(variant=variant)
        dealt = match.sit("red").scene["trays"]
        server.stop()
        with sqlite3.connect(tmp_path / "matches.db") as log:
            log.execute("DELETE FROM log WHERE place >= 3")
        server.start()
        red = match.sit("red")
        assert red.scene["arrange"]
        assert len(dealt) == len(red.scene["trays"])


@each_variant
def test_against_the_computer(server: Server, variant: str, rng: random.Random) -> None:
    """It lays when it must, in the middle of the match too."""
    match = server.match(seats=("me", "random"), variant=variant)
    red = match.sit("red")
    for _ in range(12):
        while not (red.choices or red.scene["arrange"]) and red.scene["status"]["code"] != "over":
            red.next(180)
        if red.scene["status"]["code"] == "over":
            return
        assert (
            red.act(red.placements(rng) if red.scene["arrange"] else [rng.choice(red.choices)["id"]])["type"]
            == "stored"
        )
        red.until("update")
        red.quiet()
    assert any(update.get("by") == "blue" for update in red.updates)
