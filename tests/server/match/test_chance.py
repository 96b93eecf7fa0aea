"""Games with chance: the deal before anyone joins, draws during play, and arrangements during play."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
import sqlalchemy as sa

import gonfalon
from gonfalon.games import ruleset
from server.harness import Match, Server, find_database, play, running, same_scene

VARIANTS = [variants[0] for variants in gonfalon.families().values() if gonfalon.make(variants[0]).info.chance]
each_variant = pytest.mark.parametrize("variant", VARIANTS)
SECRET_DRAWS = {"cardgame": "drew", "conquest": "unit"}
"""By family, the event of a draw that only the owner receives."""


def begin(server: Server, variant: str) -> Match:
    """Create a match of persons; if the game has a limit of rounds, set it low."""
    rules = ruleset(variant)
    short = {"max_rounds": 10} if "max_rounds" in rules.values else {}
    return server.match(("me", *["person"] * (len(rules.facts.sides) - 1)), variant, **short)


@each_variant
def test_the_deal_is_done_before_anyone_is_welcomed(server: Server, variant: str) -> None:
    match = begin(server, variant)
    clients = match.persons()
    assert len({client.seq for client in clients}) == 1
    assert clients[0].seq > 0
    assert any(client.scene["arrange"] or client.choices for client in clients)
    assert not match.info()["started"]
    watcher = match.sit()
    assert watcher.scene["arrange"] is None
    assert not watcher.choices


@each_variant
def test_a_whole_match(server: Server, variant: str, rng: random.Random) -> None:
    """Every client's patched scene equals a fresh scene; no player gets another player's secret draws; the record
    replays.
    """
    match = begin(server, variant)
    sides = {client.welcome["side"]: client for client in (match.sit(), *match.persons())}

    def compare(made: int) -> None:
        if made % 8:
            return
        for side, client in sides.items():
            client.quiet()
            fresh = match.sit(side)
            assert same_scene(client.scene, fresh.scene)
            assert client.choices == fresh.choices
            fresh.close()

    assert play(tuple(sides.values())[1:], rng, 1000, compare) < 1000
    secret = SECRET_DRAWS[gonfalon.make(variant).info.family]
    for side, client in sides.items():
        client.quiet()
        assert client.scene["status"]["code"] == "over"
        drawn = [e for u in client.updates for e in u["events"] if e["code"] == secret]
        assert {event["args"]["side"] for event in drawn} <= {side}
    record = server.get(f"/api/matches/{match.id}/record").text
    replay = server.post("/api/replays", {"text": record})
    assert replay.is_success, replay.text
    assert json.loads(replay.text)["record"] == record


@each_variant
def test_kill_and_restart_loses_nothing(tmp_path: Path, variant: str, rng: random.Random) -> None:
    with running(tmp_path) as server:
        match = begin(server, variant)
        clients = match.persons()
        for _ in range(2):
            play(clients, rng, 5)
            for client in clients:
                client.quiet()
            kept, seq = clients[1].scene, clients[1].seq
            server.kill()
            server.let_go()
            server.start()
            clients = match.persons()
            again = match.sit("blue", seq=seq)
            assert again.seq == seq
            assert same_scene(again.scene, kept)


@each_variant
def test_a_log_that_ends_where_chance_is_due_goes_on(tmp_path: Path, variant: str) -> None:
    """A process that is killed in the middle of the deal leaves such a log."""
    with running(tmp_path) as server:
        match = begin(server, variant)
        dealt = match.sit("red").scene["trays"]
        server.stop()
        database = sa.create_engine(find_database(tmp_path) or f"sqlite:///{tmp_path / 'matches.db'}")
        with database.begin() as log:
            assert log.execute(sa.text("DELETE FROM log WHERE place > 0")).rowcount > 0
        database.dispose()
        server.start()
        clients = match.persons()
        assert any(client.scene["arrange"] or client.choices for client in clients)
        assert len(dealt) == len(clients[0].scene["trays"])
