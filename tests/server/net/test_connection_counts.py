"""Limits of the number of connections, and which connections are closed to make room for new ones."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from gonfalon.server.config import Config
from gonfalon.server.net.connection_counts import KEPT_FILES, ConnectionCounts, OpenConnection, Role
from gonfalon.server.net.web_sockets import REPLACED
from gonfalon.server.protocol.refusals import Declined
from gonfalon.server.trials.attack import attackers
from server.harness import Client, running
from server.net.raw import is_closed


def make_visitors(
    files: int = 1_000, **settings: Any
) -> tuple[ConnectionCounts, list[str], Callable[[str], OpenConnection]]:
    """Return the ConnectionCounts, a list of the names of closed connections, and a function that admits a connection.
    A name is an address, or an address and a number: `address/number`.
    """
    connection_counts, gone = ConnectionCounts(Config(**settings), files), list[str]()

    def enter(name: str) -> OpenConnection:
        visitor = OpenConnection(name.partition("/")[0], lambda: gone.append(name))
        visitor.peer = visitor.address
        assert connection_counts.enter(visitor)
        return visitor

    return connection_counts, gone, enter


def test_for_a_newcomer_the_idlest_stranger_of_his_address_goes() -> None:
    connection_counts, gone, enter = make_visitors(most_strangers_of_address=2)
    enter("a/1").busy = True
    enter("b/1")
    for number in range(2, 5):
        enter(f"a/{number}")
    assert gone == ["a/2", "a/3"], "not the one that is being answered, nor those of others"
    assert connection_counts.count(Role.STRANGER) == 3


def test_where_there_are_too_many_strangers_the_busiest_address_pays() -> None:
    _, gone, enter = make_visitors(most_strangers=4)
    for name in ("a/1", "b/1", "b/2", "c/1", "d/1"):
        enter(name)
    assert gone == ["b/1"]


def test_a_trusted_proxy_has_many_strangers() -> None:
    _, gone, enter = make_visitors(most_strangers_of_address=2, trusted_proxies=frozenset({"10.0.0.1"}))
    for number in range(5):
        enter(f"10.0.0.1/{number}")
    assert not gone


def test_spectators_have_bounds_and_players_have_none() -> None:
    connection_counts, gone, enter = make_visitors(
        most_spectators=3, most_spectators_of_address=2, most_strangers_of_address=2
    )
    for address in ("a", "a", "b"):
        connection_counts.greet(enter(address), address, plays=False)
    for address in ("a", "c"):
        with pytest.raises(Declined):
            connection_counts.greet(enter(address), address, plays=False)
    for _ in range(10):
        connection_counts.greet(enter("a"), "a", plays=True)
    assert not gone
    assert (connection_counts.count(Role.SPECTATOR), connection_counts.count(Role.PLAYER)) == (3, 10)


def test_where_no_file_can_be_opened_players_stay_and_strangers_go() -> None:
    connection_counts, gone, enter = make_visitors(files=KEPT_FILES + 3)
    enter("a/1")
    players = [enter(name) for name in ("b/1", "b/2")]
    for player in players:
        connection_counts.greet(player, "b", plays=True)
    last = enter("c/1")
    assert gone == ["a/1"]
    connection_counts.greet(last, "c", plays=True)
    assert not connection_counts.enter(OpenConnection("d", lambda: None))
    assert time.monotonic() - connection_counts.full_at < 60
    connection_counts.leave(players[0])
    enter("d/1")


def test_spectators_do_not_keep_a_player_out(tmp_path: Path) -> None:
    with running(tmp_path, most_spectators_of_match=3, most_windows=2) as server:
        match = server.match()
        for _ in range(3):
            match.sit()
        refused = Client(server, match.id)
        refused.hello()
        assert refused.until("refused")["line"]["code"] == "too-many"
        first = match.sit("red")
        others = [match.sit("red") for _ in range(2)]
        with pytest.raises(ConnectionClosed) as closed:
            first.until("never")
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == REPLACED
        for window in others:
            assert {message["type"] for message in window.quiet()} <= {"windows"}
        assert match.info()["seats"][0]["here"], "the seat has windows still"


def test_silent_connections_do_not_keep_a_player_out(tmp_path: Path) -> None:
    with running(tmp_path, most_strangers_of_address=10) as server:
        match = server.match()
        with attackers.plugged(server.port) as first:
            plugs = [attackers.plugged(server.port) for _ in range(20)]
            for each in plugs:
                each.__enter__()
            assert not match.sit("red").quiet()
            assert is_closed(first)
            for each in plugs:
                each.__exit__(None, None, None)


def test_beyond_the_files_that_can_be_opened_those_inside_play_on(tmp_path: Path) -> None:
    files = str(KEPT_FILES + 6)
    with running(tmp_path, prefix=("prlimit", f"--nofile={files}:{files}")) as server:
        match = server.match()
        red, blue = match.both()
        players = [match.sit("red") for _ in range(4)]
        with attackers.plugged(server.port) as late:
            assert is_closed(late)
        for client in (red, blue, *players):
            client.quiet()
        blue.close()
        server.clients.remove(blue)
        assert match.sit("blue").welcome["side"] == "blue"
