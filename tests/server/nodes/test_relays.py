"""Any node accepts any socket, and relays those that belong to another one."""

from __future__ import annotations

import random
import socket

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from gonfalon.server.net.relays import PEER, TOKEN
from server.harness import play, wait_for
from server.nodes.site import Node, Site, seen_from
from server.worlds import hear_world


def test_two_players_play_a_match_through_different_nodes(site: Site, one: Node, two: Node) -> None:
    match = one.match()
    red, blue = match.sit("red"), seen_from(two, match).sit("blue")
    rng = random.Random(3)
    red.deploy(rng)
    blue.deploy(rng)
    play((red, blue), rng, 60)
    assert red.seq == blue.seq > 2
    assert site.find_owner(match.id) == "one"


def test_the_same_frames_come_directly_and_through_a_relay(one: Node, two: Node) -> None:
    match = one.match()
    red, blue = match.both()
    direct, relayed = match.sit(), seen_from(two, match).sit()
    for client in (direct, relayed):
        client.raw.clear()
    rng = random.Random(4)
    red.deploy(rng)
    blue.deploy(rng)
    play((red, blue), rng, 20)
    for client in (direct, relayed):
        while client.seq < red.seq:
            client.next()
    assert direct.raw == relayed.raw


def test_the_other_deployment_is_in_no_byte_of_a_relay(one: Node, two: Node) -> None:
    """Blue receives the same bytes in two matches that differ only in what blue cannot know."""
    assert hear_world(one, two, 1) == hear_world(one, two, 2)


def test_a_match_that_nobody_owns_belongs_to_the_node_where_somebody_comes(site: Site, one: Node, two: Node) -> None:
    match = one.match()
    assert not site.find_owner(match.id)
    seen_from(two, match).sit("red")
    assert site.find_owner(match.id) == "two"


def test_what_is_asked_of_a_match_of_another_node_is_read_from_its_log(one: Node, two: Node) -> None:
    match = one.match()
    red, blue = match.both()
    rng = random.Random(5)
    red.deploy(rng)
    blue.deploy(rng)
    there, here = seen_from(two, match).info(), match.info()
    for info in (there, here):
        for seat in info["seats"]:
            del seat["here"], seat["claim_in"]
    assert there == here
    assert there["started"]


def test_a_stranger_is_turned_away_from_the_relay_port(one: Node) -> None:
    for given in ([], [(TOKEN, "guessed")], [(TOKEN, "guessed"), (TOKEN, "again")], [(PEER, "127.0.0.1")]):
        with pytest.raises(InvalidStatus) as caught:
            connect(f"ws://127.0.0.1:{one.relay_port}/api/matches/none/socket", additional_headers=given)
        assert caught.value.response.status_code == 503
    assert one.read_log().count("a stranger came to the relay port") == 1


def test_who_sends_no_request_to_the_relay_port_is_cut_off(one: Node) -> None:
    with socket.create_connection(("127.0.0.1", one.relay_port), 10) as stranger:
        stranger.sendall(b"GET / HTTP/1.1\r\n")
        assert stranger.recv(100) == b""


def test_a_client_cannot_pretend_to_be_a_relay(site: Site, one: Node, two: Node) -> None:
    """The headers of a relay mean nothing at the public port, and none of a client's passes on."""
    token = site.ask("SELECT token FROM nodes WHERE name = 'one'")
    match = one.match()
    match.sit("red")
    with connect(
        f"ws://127.0.0.1:{two.port}/api/matches/{match.id}/socket",
        additional_headers=[(TOKEN, token), (PEER, "10.1.1.1"), (PEER, "10.1.1.2")],
    ) as ws:
        ws.send('{"type":"hello"}')
        assert '"welcome"' in str(ws.recv(30))


def test_a_node_that_is_not_reached_gets_no_sockets(site: Site, one: Node, two: Node) -> None:
    match = one.match()
    match.sit("red")
    known = site.ask("SELECT advertised FROM nodes WHERE name = 'one'")
    site.change("UPDATE nodes SET advertised = 'http://127.0.0.1:9' WHERE name = 'one'")
    try:
        with pytest.raises(InvalidStatus) as caught:
            connect(f"ws://127.0.0.1:{two.port}/api/matches/{match.id}/socket")
        assert caught.value.response.status_code == 503
    finally:
        site.change("UPDATE nodes SET advertised = :known WHERE name = 'one'", known=known)


def test_a_match_of_a_newer_version_is_left_to_newer_nodes(site: Site, one: Node) -> None:
    match = one.match()
    match.sit("red")
    one.let_go()
    site.change("UPDATE claims SET node = '', version = version + 1 WHERE match = :match", match=match.id)
    other = one.match()
    site.change(
        "INSERT INTO claims (match, node, epoch, version) SELECT :match, '', 0, max(version) FROM claims",
        match=other.id,
    )
    with pytest.raises(InvalidStatus) as caught:
        connect(f"ws://127.0.0.1:{one.port}/api/matches/{other.id}/socket")
    assert caught.value.response.status_code == 503


def test_relays_end_with_their_clients(one: Node, two: Node) -> None:
    match = one.match()
    red, blue = match.sit("red"), seen_from(two, match).sit("blue")
    wait_for(lambda: all(seat["here"] for seat in match.info()["seats"]))
    blue.close()
    two.clients.remove(blue)
    wait_for(lambda: not match.info()["seats"][1]["here"])
    assert red.quiet() is not None
