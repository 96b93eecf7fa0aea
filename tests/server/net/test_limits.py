"""Limits of sizes and rates, and the client's address for which they count."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from gonfalon.server.config import Config
from gonfalon.server.net.addresses import find_client, network_of
from gonfalon.server.net.rate_limits import RateLimiter, TokenBucket
from gonfalon.server.net.throttling import SLICE, ThrottledReader
from gonfalon.server.trials.attack import attackers
from server.harness import Server, running
from server.net.raw import Transport, flood, is_closed

# ---- buckets and addresses ---------------------------------------------------------------------------------------


def test_token_bucket() -> None:
    now = 0.0
    bucket = TokenBucket(2, 3, lambda: now)
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]
    now = 0.5
    assert [bucket.take() for _ in range(2)] == [True, False]
    buckets = RateLimiter(0, 1, most=2)
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


def test_a_large_delivery_is_parsed_in_slices_between_which_others_run() -> None:
    heard: list[int] = []

    def parse(data: bytes) -> float:
        heard.append(len(data))
        return 0

    async def script() -> None:
        transport, turns = Transport(), 0
        intake = ThrottledReader(transport, parse, TokenBucket(1, 1))  # type: ignore[arg-type]
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
        intake = ThrottledReader(transport, parse, TokenBucket(100, 3, lambda: now))  # type: ignore[arg-type]
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
    """A server with the default limits of messages."""
    allowed = {name: getattr(Config(), name) for name in ("message_rate", "message_burst")}
    with running(tmp_path_factory.mktemp("strict"), **allowed) as server:
        yield server


@pytest.mark.parametrize("kind", attackers.FLOODS)
@pytest.mark.parametrize("hello", [b"", attackers.say(type="hello")], ids=["before hello", "a spectator"])
def test_a_flood_is_not_read(strict: Server, kind: str, hello: bytes) -> None:
    """The server is sent much more than it reads; the operating system buffers some bytes of its own."""
    most, match = 60_000_000, strict.match()
    with attackers.upgraded(strict.port, match.id, hello) as attacker:
        assert flood(attacker, attackers.FLOODS[kind], most) < most / 2
        assert not match.sit("red").quiet()


@pytest.mark.parametrize("kind", attackers.LOBBY_FLOODS)
def test_a_flood_of_the_lobby_is_not_read(strict: Server, kind: str) -> None:
    most, match = 60_000_000, strict.match()
    cookie = attackers.make_guest(strict.port, attackers.STRANGE)
    path = "/api/lobby/socket"
    with attackers.upgraded_at(strict.port, path, attackers.HELLO, attackers.STRANGE, cookie=cookie) as attacker:
        assert flood(attacker, attackers.LOBBY_FLOODS[kind], most) < most / 2
        assert not match.sit("red").quiet()


@pytest.fixture(scope="module")
def brisk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that closes a flooding client after about a second: its high rate soon reaches `MOST_OWED`."""
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
    """The client's messages are delayed instead of refused."""
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
