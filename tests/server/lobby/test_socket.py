"""The lobby's address of a real server: who may open it, and the limits of its sockets."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from gonfalon.server.lobby.quick_games import QUICK_GAMES
from server.harness import Server, running


@pytest.fixture(scope="module")
def narrow(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running(tmp_path_factory.mktemp("narrow"), most_spectators_of_address=2, hello_within=0.3) as started:
        yield started


def enter(server: Server, **options: Any) -> ClientConnection:
    uri = f"ws://127.0.0.1:{server.port}/api/lobby/socket"
    opened: ClientConnection = connect(uri, compression=None, ping_interval=None, proxy=None, **options)
    return opened


def hear(ws: ClientConnection) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(ws.recv(timeout=60))
    return told


def hello(ws: ClientConnection) -> dict[str, Any]:
    ws.send('{"type": "hello", "window": "w"}')
    return hear(ws)


def test_a_stranger_sees_the_lobby(server: Server) -> None:
    with enter(server) as ws:
        lobby = hello(ws)
        assert [game["name"] for game in lobby["games"]] == [game.name for game in QUICK_GAMES]
        assert hear(ws) == {"type": "you", "known": False, "name": ""}
        ws.send('{"type": "seek", "game": "duel"}')
        assert hear(ws)["line"]["code"] == "no-person"
        ws.send('{"type": "ping"}')
        assert hear(ws)["type"] == "pong"


def test_the_address_is_a_socket(server: Server) -> None:
    assert server.get("/api/lobby/socket").status_code == 426
    assert server.get("/api/lobby/other").status_code == 404
    with pytest.raises(InvalidStatus), connect(f"ws://127.0.0.1:{server.port}/api/lobby/other", proxy=None):
        pass


def test_a_foreign_page_opens_no_socket(server: Server) -> None:
    for options in ({"origin": "http://elsewhere.example"}, {"additional_headers": {"Origin": "null"}}):
        with pytest.raises(InvalidStatus) as refused, enter(server, **options):
            pass
        assert refused.value.response.status_code == 403
    with enter(server, origin=f"http://127.0.0.1:{server.port}") as ws:
        assert hello(ws)["type"] == "lobby"


def test_an_address_has_few_pages(narrow: Server) -> None:
    with enter(narrow) as one, enter(narrow) as two, enter(narrow) as three:
        assert hello(one)["type"] == hello(two)["type"] == "lobby"
        assert hello(three)["line"]["code"] == "too-many"
        with pytest.raises(ConnectionClosed) as closed:
            three.recv(timeout=60)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4000


def test_who_says_nothing_is_turned_away(narrow: Server) -> None:
    with enter(narrow) as ws:
        assert hear(ws)["line"]["code"] == "no-hello"
