"""What may be sent, how fast and by how many; who is turned away for it, and that nobody else is."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from gonfalon.server.addresses import find_client, network_of
from gonfalon.server.config import Config
from gonfalon.server.declined import Declined
from gonfalon.server.doors import Door
from gonfalon.server.intake import SLICE, Intake
from gonfalon.server.limits import Buckets, TokenBucket
from gonfalon.server.trials import attackers
from gonfalon.server.visitors import KEPT_FILES, Role, Visitor, Visitors
from gonfalon.server.wire import REPLACED
from server.harness import Client, Server, running
from server.raw import flood, is_closed

# ---- buckets and addresses ---------------------------------------------------------------------------------------


def test_token_bucket() -> None:
    now = 0.0
    bucket = TokenBucket(2, 3, lambda: now)
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]
    now = 0.5
    assert [bucket.take() for _ in range(2)] == [True, False]
    buckets = Buckets(0, 1, most=2)
    assert [buckets.take(key) for key in "aabca"] == [True, False, True, True, True]


def test_what_is_owed_is_waited_for() -> None:
    now = 0.0
    bucket = TokenBucket(2, 3, lambda: now)
    assert bucket.spend(3) == 0
    assert bucket.spend(4) == 2.0, "seconds until nothing is owed"
    assert bucket.owed == 4
    now = 2.0
    assert bucket.spend(1) == 0.5
    assert bucket.owed == 5, "not forgotten as long as the client does not pause"
    now = 10.0
    assert bucket.spend(1) == 0
    assert bucket.owed == 0


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("203.0.113.7", "203.0.113.7"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::1", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("", ""),
    ],
)
def test_addresses_of_one_household_count_as_one(address: str, network: str) -> None:
    assert network_of(address) == network


@pytest.mark.parametrize(
    ("peer", "forwarded", "found"),
    [
        ("9.9.9.9", ["1.1.1.1"], "9.9.9.9"),
        ("10.0.0.1", [], "10.0.0.1"),
        ("10.0.0.1", ["1.1.1.1"], "1.1.1.1"),
        ("10.0.0.1", ["6.6.6.6, 1.1.1.1"], "1.1.1.1"),
        ("10.0.0.1", ["6.6.6.6", "1.1.1.1, 10.0.0.2"], "1.1.1.1"),
    ],
)
def test_only_a_trusted_proxy_says_whose_request_it_is(peer: str, forwarded: list[str], found: str) -> None:
    assert find_client(peer, forwarded, {"10.0.0.1", "10.0.0.2"}) == found


# ---- reading -----------------------------------------------------------------------------------------------------


class Transport:
    """Only whether it reads."""

    def __init__(self) -> None:
        self.reads = True

    def is_closing(self) -> bool:
        return False

    def is_reading(self) -> bool:
        return self.reads

    def pause_reading(self) -> None:
        self.reads = False

    def resume_reading(self) -> None:
        self.reads = True


def test_a_large_delivery_is_parsed_in_slices_between_which_others_run() -> None:
    heard: list[int] = []

    def parse(data: bytes) -> float:
        heard.append(len(data))
        return 0

    async def script() -> None:
        transport, turns = Transport(), 0
        intake = Intake(transport, parse, TokenBucket(1, 1))  # type: ignore[arg-type]
        intake.receive(b"x" * (5 * SLICE + 1))
        while not transport.reads or len(heard) < 6:
            turns += 1
            assert len(heard) <= turns + 1, "more than one slice in one round of the event loop"
            await asyncio.sleep(0)
        assert heard == [SLICE] * 5 + [1]
        intake.hold()
        intake.receive(b"yy")
        await asyncio.sleep(0.01)
        assert not transport.reads
        assert len(heard) == 6
        intake.release()
        while not transport.reads:
            await asyncio.sleep(0)
        assert heard[-1] == 2

    asyncio.run(script())


def test_who_sends_too_much_is_not_read_until_it_may_send_again() -> None:
    now = 0.0
    heard: list[bytes] = []

    def parse(data: bytes) -> float:
        heard.append(data)
        return 2

    async def script() -> None:
        transport = Transport()
        intake = Intake(transport, parse, TokenBucket(100, 3, lambda: now))  # type: ignore[arg-type]
        intake.receive(b"a")
        assert transport.reads
        intake.receive(b"b")
        assert not transport.reads
        intake.receive(b"c")
        assert heard == [b"a", b"b"], "what comes all the same is kept"
        nonlocal_now(10)
        while len(heard) < 3:
            await asyncio.sleep(0.001)
        assert heard[2] == b"c"
        assert transport.reads
        intake.close()
        intake.receive(b"d")
        assert len(heard) == 3

    def nonlocal_now(value: float) -> None:
        nonlocal now
        now = value

    asyncio.run(script())


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that allows what it allows by default."""
    allowed = {name: getattr(Config(), name) for name in ("message_rate", "message_burst")}
    with running(tmp_path_factory.mktemp("strict"), **allowed) as server:
        yield server


@pytest.mark.parametrize("kind", attackers.FLOODS)
@pytest.mark.parametrize("hello", [b"", attackers.say(type="hello")], ids=["before hello", "a spectator"])
def test_a_flood_is_not_read(strict: Server, kind: str, hello: bytes) -> None:
    """What is taken is what the system buffers on its own."""
    most, match = 60_000_000, strict.match()
    with attackers.upgraded(strict.port, match.id, hello) as attacker:
        assert flood(attacker, attackers.FLOODS[kind], most) < most / 2
        assert not match.sit("red").quiet()


@pytest.fixture(scope="module")
def brisk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that is soon at the end of its patience."""
    with running(tmp_path_factory.mktemp("brisk"), message_rate=1_000, message_burst=10) as server:
        yield server


@pytest.mark.parametrize("kind", attackers.FLOODS)
def test_who_goes_on_sending_too_much_is_closed(brisk: Server, kind: str) -> None:
    match = brisk.match()
    with attackers.upgraded(brisk.port, match.id) as attacker:
        flood(attacker, attackers.FLOODS[kind], 1_000_000)
        assert is_closed(attacker)
    assert not match.sit("red").quiet()


def test_a_client_within_its_allowance_loses_nothing(tmp_path: Path) -> None:
    """It waits instead of being refused."""
    with running(tmp_path, message_rate=200, message_burst=10) as server:
        red = server.match().sit("red")
        for _ in range(60):
            red.send("ping")
        assert [red.next()["type"] for _ in range(60)] == ["pong"] * 60


def test_a_message_has_a_bounded_number_of_parts(server: Server) -> None:
    with attackers.upgraded(server.port, server.match().id) as attacker:
        attacker.sendall(
            attackers.frame(attackers.TEXT, b"{", fin=False) + attackers.frame(attackers.CONTINUATION, fin=False) * 100
        )
        assert is_closed(attacker)


# ---- who is let in -----------------------------------------------------------------------------------------------


def make_visitors(files: int = 1_000, **settings: Any) -> tuple[Visitors, list[str], Callable[[str], Visitor]]:
    """Visitors, the names of those who were dismissed, and a function that lets one in by its address."""
    visitors, gone = Visitors(Config(**settings), files), list[str]()

    def enter(name: str) -> Visitor:
        visitor = Visitor(name.partition("/")[0], lambda: gone.append(name))
        visitor.peer = visitor.address
        assert visitors.enter(visitor)
        return visitor

    return visitors, gone, enter


def test_for_a_newcomer_the_idlest_stranger_of_his_address_goes() -> None:
    visitors, gone, enter = make_visitors(most_strangers_of_address=2)
    enter("a/1").busy = True
    enter("b/1")
    for number in range(2, 5):
        enter(f"a/{number}")
    assert gone == ["a/2", "a/3"], "not the one that is being answered, nor those of others"
    assert visitors.count(Role.STRANGER) == 3


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
    visitors, gone, enter = make_visitors(most_spectators=3, most_spectators_of_address=2, most_strangers_of_address=2)
    for address in ("a", "a", "b"):
        visitors.greet(enter(address), address, plays=False)
    for address in ("a", "c"):
        with pytest.raises(Declined):
            visitors.greet(enter(address), address, plays=False)
    for _ in range(10):
        visitors.greet(enter("a"), "a", plays=True)
    assert not gone
    assert (visitors.count(Role.SPECTATOR), visitors.count(Role.PLAYER)) == (3, 10)


def test_where_no_file_can_be_opened_players_stay_and_strangers_go() -> None:
    visitors, gone, enter = make_visitors(files=KEPT_FILES + 3)
    enter("a/1")
    players = [enter(name) for name in ("b/1", "b/2")]
    for player in players:
        visitors.greet(player, "b", plays=True)
    last = enter("c/1")
    assert gone == ["a/1"]
    visitors.greet(last, "c", plays=True)
    assert not visitors.enter(Visitor("d", lambda: None))
    assert time.monotonic() - visitors.full_at < 60
    visitors.leave(players[0])
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


# ---- requests ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "half",
    [
        b"",
        b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ",
        b"POST /api/matches HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{",
    ],
    ids=["nothing", "half a head", "half a body"],
)
def test_half_a_request_is_ended(tmp_path: Path, half: bytes) -> None:
    with running(tmp_path, request_within=1.0) as server, attackers.plugged(server.port) as plugged:
        plugged.sendall(half)
        assert is_closed(plugged)


class HalfTaken(Transport):
    """A transport that keeps what is written."""

    def __init__(self) -> None:
        super().__init__()
        self.unsent = 0
        self.aborted = False

    def get_extra_info(self, _name: str) -> tuple[str, int]:
        return ("127.0.0.1", 1)

    def get_write_buffer_size(self) -> int:
        return self.unsent

    def abort(self) -> None:
        self.aborted = True


@pytest.mark.parametrize("busy", [True, False], ids=["while it is made", "when it is made"])
def test_an_answer_may_be_taken_slowly_but_must_be_taken(busy: bool) -> None:
    async def script() -> None:
        config = Config(request_within=0.3)
        transport = HalfTaken()
        door = Door(lambda _: asyncio.Protocol(), Visitors(config, 1_000), config)
        door.connection_made(transport)  # type: ignore[arg-type]
        door.note_head()
        door.note_body()
        await asyncio.sleep(0.7)
        assert not transport.aborted, "the server may take its time"
        transport.unsent = 1_000
        if not busy:
            door.note_answer()
        for _ in range(70):
            transport.unsent -= 10
            await asyncio.sleep(0.01)
        assert not transport.aborted
        while not transport.aborted:
            await asyncio.sleep(0.01)

    asyncio.run(script())


def test_a_request_that_takes_long_to_answer_is_not_ended(tmp_path: Path) -> None:
    with running(tmp_path, request_within=0.2) as server:
        assert server.get("/api/games/special").status_code == 200


def test_a_head_is_bounded(server: Server) -> None:
    with attackers.plugged(server.port) as plugged:
        plugged.sendall(b"GET / HTTP/1.1\r\n")
        assert flood(plugged, b"X-Long: " + b"y" * 1_000 + b"\r\n", 60_000_000) < 30_000_000
        with contextlib.suppress(ConnectionResetError):  # what it still sent was not read
            assert plugged.recv(100).startswith(b"HTTP/1.1 431 ")
        assert is_closed(plugged)


def test_requests_of_an_address_are_limited(tmp_path: Path) -> None:
    with running(tmp_path, request_rate=0.01, request_burst=3) as server:
        codes = [server.get("/healthz").status_code for _ in range(5)]
        assert codes == [200, 200, 200, 429, 429]
        problem = server.get("/healthz")
        assert problem.json()["line"]["code"] == "too-many"
        assert "content-security-policy" in problem.headers


def test_a_foreign_header_hides_no_address(tmp_path: Path) -> None:
    def ask(server: Server, number: int) -> int:
        return httpx.get(server.url("/healthz"), headers={"X-Forwarded-For": f"203.0.113.{number}"}).status_code

    with running(tmp_path / "open", request_rate=0.01, request_burst=2) as server:
        assert [ask(server, n) for n in range(4)] == [200, 200, 429, 429]
    with running(tmp_path / "proxy", request_rate=0.01, request_burst=2, trusted_proxies=["127.0.0.1"]) as server:
        assert [ask(server, n) for n in range(4)] == [200] * 4
        assert [ask(server, 1) for _ in range(2)] == [200, 429]


def test_an_origin_that_is_no_address_is_turned_away(server: Server) -> None:
    with pytest.raises(InvalidStatus) as refused:
        Client(server, server.match().id, origin="http://[")
    assert refused.value.response.status_code == 403
