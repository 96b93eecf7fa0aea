"""A node that dies, stands still, drains or loses its database loses no decision, and stores nothing too late."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from server.harness import Match, wait_for
from server.nodes.site import Node, running_site, seen_from, wait_until_dead


def begin(node: Node, rng: random.Random) -> Match:
    """Return a match whose players have deployed at a node."""
    match = node.match()
    for client in match.both():
        client.deploy(rng)
    return match


def make_timed(node: Node) -> Match:
    """Return a match whose players have a minute each."""
    wish = {"variant": "barrage", "seats": [{"kind": "me"}, {"kind": "person"}]}
    made = node.post("/api/matches", wish | {"clock": {"kind": "bank", "bank": 60, "deployment": 60}}).json()
    return Match(node, made["match"], made["secrets"], made["invitations"])


def plays_on(match: Match, rng: random.Random) -> bool:
    """Return whether red can connect and decide now."""
    try:
        match.sit("red").decide(rng)
    except (ConnectionClosed, InvalidStatus, AssertionError):
        return False
    return True


def test_a_killed_node_loses_nothing(tmp_path: Path, rng: random.Random) -> None:
    with running_site(tmp_path, "one", "two") as site:
        one, two = site.nodes
        match = begin(one, rng)
        one.kill()
        wait_until_dead(site, one)
        red = seen_from(two, match).sit("red")
        assert red.seq == 2
        assert red.n == 1
        red.decide(rng)
        assert site.find_owner(match.id) == "two"
        site.wait_for_jobs()
        one.start()
        assert site.ask("SELECT epoch FROM nodes WHERE name = 'one'") == 2


def test_a_node_that_stood_still_stores_nothing_any_more(tmp_path: Path, rng: random.Random) -> None:
    """Its clients sent something while it stood still, and another node has decided otherwise meanwhile."""
    with running_site(tmp_path, "one", "two") as site:
        one, two = site.nodes
        match = begin(one, rng)
        left = match.sit("red")
        one.pause()
        left.send("act", n=2, actions=[left.choices[0]["id"]])
        wait_until_dead(site, one)
        red = seen_from(two, match).sit("red")
        assert red.n == 1
        assert red.act([red.choices[1]["id"]])["type"] == "stored"
        one.resume()
        with pytest.raises(ConnectionClosed) as closed:
            left.until("stored", 30)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1013
        wait_for(lambda: site.ask("SELECT alive AND epoch = 2 FROM nodes WHERE name = 'one'"))
        assert match.sit("red").seq == 3
        again = one.match()
        again.sit("red").deploy(rng)
        assert site.find_owner(again.id) == "one", "it goes on under its new epoch"


def test_a_node_that_comes_back_takes_full_part(tmp_path: Path, rng: random.Random) -> None:
    """Others reach its relay port under a new token, and it takes jobs."""
    with running_site(tmp_path, "one", "two") as site:
        one, two = site.nodes
        begin(one, rng)
        one.pause()
        wait_until_dead(site, one)
        one.resume()
        wait_for(lambda: "node-enters node=one epoch=2" in one.read_log())
        match = begin(one, rng)
        seen_from(two, match).sit("red").decide(rng)
        assert site.find_owner(match.id) == "one", "two passes the socket on"
        two.kill()
        wait_for(lambda: site.ask("SELECT count(*) FROM jobs WHERE node = 'one'") == 2)


def test_a_node_that_loses_its_connections_stays_alive(tmp_path: Path, rng: random.Random) -> None:
    with running_site(tmp_path, "one") as site:
        (one,) = site.nodes
        match = begin(one, rng)
        site.change(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'gonfalon:one:%'"
        )
        one.let_go()
        wait_for(lambda: plays_on(match, rng))
        assert site.ask("SELECT alive AND epoch = 1 FROM nodes WHERE name = 'one'")


def test_a_node_that_stops_hands_its_matches_over(tmp_path: Path, rng: random.Random) -> None:
    with running_site(tmp_path, "one", "two") as site:
        one, two = site.nodes
        match = begin(one, rng)
        red = match.sit("red")
        assert one.process is not None
        one.process.terminate()
        with pytest.raises(ConnectionClosed) as closed:
            red.until("ended", 30)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1013, "go on elsewhere"
        wait_for(lambda: plays_on(seen_from(two, match), rng))
        assert one.process.wait(20) == 0
        assert site.ask("SELECT alive FROM nodes WHERE name = 'one'") is False
        site.wait_for_jobs()


def test_the_operator_drains_a_node(tmp_path: Path, rng: random.Random) -> None:
    with running_site(tmp_path, "one", "two") as site:
        one, _ = site.nodes
        match = begin(one, rng)
        command = [sys.executable, "-m", "gonfalon", "nodes"]

        def look() -> str:
            listing = [*command, "list", "--database", site.url]
            return subprocess.run(listing, capture_output=True, text=True, timeout=60, check=True).stdout

        listed = look()
        assert [line.split()[:2] for line in listed.splitlines()] == [["one", "alive"], ["two", "alive"]]
        assert "1 matches" in listed
        subprocess.run([*command, "drain", "one", "--database", site.url], timeout=60, check=True)
        assert one.process is not None
        assert one.process.wait(30) == 0
        assert not site.find_owner(match.id)
        assert look().split()[:2] == ["one", "ended"]
        site.change("UPDATE nodes SET seen = seen - interval '2 days' WHERE name = 'one'")
        assert look().split()[:2] == ["two", "alive"], "a node that ended long ago is not listed"


def test_a_clock_waits_for_the_player_whose_connection_went_through_a_silent_node(
    tmp_path: Path, rng: random.Random
) -> None:
    with running_site(tmp_path, "one", "two") as site:
        one, two = site.nodes
        match = make_timed(one)
        blue, red = match.sit("blue"), seen_from(two, match).sit("red")
        assert site.find_owner(match.id) == "one"
        red.deploy(rng)
        blue.deploy(rng)
        while [seat["runs"] for seat in blue.until("clocks")["seats"]] != [True, False]:
            pass  # until red is to move
        two.pause()
        try:
            assert [seat["runs"] for seat in blue.until("clocks")["seats"]] == [False, False]
            back = match.sit("red")
            left = next(seat["left"] for seat in blue.until("clocks")["seats"] if seat["runs"])
            assert left > 55_000, "what the player could not know of costs nothing"
            back.decide(rng)
        finally:
            two.resume()


def test_a_clock_waits_for_the_player_whose_node_died(tmp_path: Path, rng: random.Random) -> None:
    with running_site(tmp_path, "one", "two", back_within=5.0) as site:
        one, two = site.nodes
        match = make_timed(one)
        for client in match.both():
            client.deploy(rng)
        one.kill()
        wait_until_dead(site, one)
        site.wait_for_owner(match.id, two)
        watcher = seen_from(two, match).sit()
        told: list[list[bool]] = []
        while [True, False] not in told:  # after `back_within` seconds it runs
            told.append([seat["runs"] for seat in watcher.until("clocks")["seats"]])
        assert told[0] == [False, False], "nobody is back"
