"""Whatever a client sends, the server answers with a typed refusal, changes nothing and goes on running."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Iterator
from typing import cast

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from gonfalon.server.config import Config
from gonfalon.server.match.registry import Registry
from gonfalon.server.match.sockets import ClientSocket, MatchSockets
from gonfalon.server.net.openings import Caller
from gonfalon.server.net.web_sockets import REFUSED, WebSocket
from server.harness import Client, Match, Server, running, same_scene
from server.socketless import Outlet

KINDS = ["hello", "act", "take-back", "offer-draw", "answer-draw", "why", "ping", "welcome", "update", "", "Act"]
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
MESSAGES = st.one_of(
    ANYTHING,
    st.builds(
        lambda kind, fields: {**fields, "type": kind},
        st.sampled_from(KINDS),
        st.dictionaries(
            st.sampled_from(["n", "actions", "secret", "seq", "accept", "path", "x"]), ANYTHING, max_size=4
        ),
    ),
).map(lambda value: json.dumps(value).encode())
SENT = st.one_of(MESSAGES, st.binary(max_size=300), st.text(max_size=100).map(lambda t: t.encode("utf-8", "ignore")))


@pytest.fixture(scope="module")
def seat(server: Server) -> Iterator[Client]:
    """A seat in a running match in which both sides have deployed."""
    rng = random.Random(3)
    match = server.match()
    red, blue = match.both()
    red.deploy(rng)
    blue.deploy(rng)
    while not red.choices:
        red.next()
    yield red
    server.let_go()


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(sent=st.lists(SENT, min_size=1, max_size=5))
def test_malformed_messages_change_nothing(seat: Client, sent: list[bytes]) -> None:
    before, seq = seat.scene, seat.seq
    legal = {choice["id"] for choice in seat.choices}
    sent = [data for data in sent if not _plays(data, legal)]
    for data in sent:
        seat.ws.send(data, text=_is_text(data))
    answers = seat.settle()
    assert all(m["type"] in ("refused", "pong", "draw-offers", "stored") for m in answers)
    assert seat.seq == seq
    assert same_scene(before, seat.scene)


def _is_text(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def _plays(data: bytes, legal: set[int]) -> bool:
    """Return whether the data that hypothesis made happen to be a legal move or a resignation."""
    try:
        message = json.loads(data)
    except (ValueError, RecursionError):
        return False
    return (isinstance(message, dict) and message.get("type") == "resign") or (
        isinstance(message, dict)
        and message.get("type") == "act"
        and isinstance(message.get("actions"), list)
        and any(a in legal for a in message["actions"] if isinstance(a, int))
    )


@pytest.mark.parametrize(
    ("data", "code"),
    [
        ("", "bad-message"),
        ("{", "bad-message"),
        ("[" * 60_000, "bad-message"),
        ('{"type": "nothing"}', "bad-message"),
        ('{"type": "act", "n": "1", "actions": [1]}', "bad-message"),
        ('{"type": "act", "n": 0, "actions": [1]}', "bad-message"),
        ('{"type": "act", "n": 99, "actions": []}', "bad-message"),
        ('{"type": "act", "n": 99, "actions": [-1]}', "bad-message"),
        ('{"type": "act", "n": 99, "actions": [1], "extra": 1}', "bad-message"),
        (json.dumps({"type": "act", "n": 99, "actions": [1] * 2001}), "bad-message"),
        ('{"type": "hello"}', "bad-message"),
        ('{"type": "ping", "x": "' + "y" * 70_000 + '"}', "too-large"),
    ],
)
def test_refusals_by_name(seat: Client, data: str, code: str) -> None:
    seat.ws.send(data)
    assert seat.until("refused")["line"]["code"] == code


def test_nothing_before_hello(server: Server, match: Match) -> None:
    client = Client(server, match.id)
    client.send("resign")
    assert client.until("refused")["line"]["code"] == "no-hello"
    client.hello(match.secrets["red"])
    assert client.until("welcome")["side"] == "red"


def test_foreign_origin_is_turned_away(server: Server, match: Match) -> None:
    with pytest.raises(InvalidStatus):
        Client(server, match.id, origin="http://elsewhere.example")
    own = Client(server, match.id, origin=f"http://127.0.0.1:{server.port}")
    own.hello()
    assert own.until("welcome")["side"] == ""


def test_who_says_no_hello_is_turned_away() -> None:
    async def script() -> None:
        outlet = Outlet()
        sockets = MatchSockets(cast("Registry", None), Config(hello_within=0))
        ClientSocket(sockets, cast("WebSocket", outlet), "name", Caller("127.0.0.1", [], secure=False))
        while len(outlet.sent) < 2:
            await asyncio.sleep(0)
        told = [json.loads(text) for text in outlet.sent]
        assert told[0]["line"]["code"] == "no-hello"
        assert told[1] == {"type": "close", "code": REFUSED}

    asyncio.run(script())


def test_a_message_in_parts(server: Server, match: Match) -> None:
    client = Client(server, match.id)
    client.ws.send(['{"type"', ': "hel', 'lo"}'])
    assert client.until("welcome")["side"] == ""


def test_no_socket_but_that_of_a_match(server: Server) -> None:
    with pytest.raises(InvalidStatus), connect(f"ws://127.0.0.1:{server.port}/api/games", proxy=None):
        pass


def test_a_stopping_server_says_so(tmp_path_factory: pytest.TempPathFactory) -> None:
    with running(tmp_path_factory.mktemp("stops")) as server:
        red = server.match().sit("red")
        assert server.process is not None
        server.process.terminate()
        with pytest.raises(ConnectionClosed) as closed:
            red.until("never")
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1001
