"""Quick games at the socket: waiting, pairing, tables of four, and what all pages see of it."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gonfalon.engine.game import Outcome
from gonfalon.server.config import Config
from gonfalon.server.lobby.early_leaving import PATIENCE, PAUSE, EarlyLeaving, find_share_left
from gonfalon.server.lobby.quick_games import QUICK_GAMES
from gonfalon.server.match.public import Ended, PublicMatch, PublicSeat
from gonfalon.server.protocol import lobby_messages as m
from gonfalon.server.protocol.messages import Ping
from gonfalon.server.protocol.refusals import Declined
from gonfalon.server.storage.store import Store
from server.harness import find_database
from server.lobby.lobbying import Hall, Page, opened
from server.match.test_messages import ANYTHING


async def sought(hall: Hall, *people: str, game: str = "duel") -> list[Page]:
    """Open a page for each person, and let them wait for a game in this order."""
    pages = [await hall.enter(person) for person in people]
    for page in pages:
        await page.ask(m.Seek(game), "waits")
    return pages


def test_two_accounts_are_paired_and_rated(tmp_path: Path) -> None:
    async def script() -> None:
        async with opened(tmp_path) as hall:
            ada, bob = await sought(hall, "ada", "bob")
            told = [await ada.until("paired"), await bob.until("paired")]
            (made,) = hall.made
            assert set(made.seats) == {"id-ada", "id-bob"}
            assert made.rated
            assert (made.variant, made.clock) == ("duel", QUICK_GAMES[0].clock)
            assert {each["match"] for each in told} == {"match-1"}
            sides = dict(zip(made.seats, ("red", "blue"), strict=True))
            for person, each in zip(("id-ada", "id-bob"), told, strict=True):
                assert (each["side"], each["secret"]) == (sides[person], f"key-{sides[person]}")
            assert ada.heard("waits")[-1]["game"] == ""
            assert hall.matches.counted == ["127.0.0.1"] * 2
            assert hall.lobby.seeking.waiting == 0

    asyncio.run(script())


def test_sides_are_drawn(tmp_path: Path) -> None:
    async def script() -> None:
        async with opened(tmp_path) as hall:
            for number in range(20):
                await sought(hall, f"a{number}", f"b{number}")
            while len(hall.made) < 20:
                await asyncio.sleep(0.01)
            assert len({made.seats[0][:4] for made in hall.made}) == 2

    asyncio.run(script())


def test_guests_play_casually(tmp_path: Path) -> None:
    async def script() -> None:
        async with opened(tmp_path) as hall:
            ada, _ = await sought(hall, "ada", "guest-1")
            await ada.until("paired")
            assert not hall.made[0].rated

    asyncio.run(script())


def test_ratings_decide(tmp_path: Path) -> None:
    async def script() -> None:
        async with opened(tmp_path) as hall:
            hall.ratings.all = {"id-ada": 1500, "id-eve": 1900, "id-bob": 1880}
            ada, eve, bob = await sought(hall, "ada", "eve", "bob")
            await asyncio.gather(eve.until("paired"), bob.until("paired"))
            assert not ada.heard("paired")
            hall.clock.now += 60
            cat = (await sought(hall, "cat"))[0]
            await asyncio.gather(ada.until("paired"), cat.until("paired"))

    asyncio.run(script())


def test_the_lobby_pairs_again_when_windows_have_widened(tmp_path: Path) -> None:
    async def script() -> None:
        async with opened(tmp_path) as hall:
            hall.ratings.all = {"id-ada": 1500, "id-eve": 1900}
            ada, _ = await sought(hall, "ada", "eve")
            hall.clock.now += 31
            await ada.until("paired")

    asyncio.run(script())


def test_who_closes_the_page_waits_no_longer(tmp_path: Path) -> None:
    async def script() -> None:
        async with opened(tmp_path) as hall:
            (ada,) = await sought(hall, "ada")
            other = await hall.enter("ada", "another")
            other.leave()
            assert hall.lobby.seeking.waiting == 1, "another page of the same person did not wait"
            ada.leave()
            assert hall.lobby.seeking.waiting == 0
            (bob,) = await sought(hall, "bob")
            assert not bob.heard("paired")
            await bob.ask(m.StopSeeking(), "waits")
            assert hall.lobby.seeking.waiting == 0

    asyncio.run(script())


def test_a_person_waits_once(tmp_path: Path) -> None:
    async def script() -> None:
        async with opened(tmp_path) as hall:
            (ada,) = await sought(hall, "ada")
            other = await hall.enter("ada", "another")
            await other.ask(m.Seek("barrage"), "waits")
            assert ada.heard("waits")[-1]["game"] == ""
            assert hall.lobby.seeking.waiting == 1
            await sought(hall, "bob", game="barrage")
            await other.until("paired")
            assert not ada.heard("paired"), "the page that waited goes to the match"

    asyncio.run(script())


def test_blocked_people_wait_for_others(tmp_path: Path) -> None:
    async def script() -> None:
        async with opened(tmp_path) as hall:
            hall.people.block("ada", "bob")
            ada, bob = await sought(hall, "ada", "bob")
            hall.clock.now += 1_000
            hall.lobby.seeking.pair_all()
            assert not hall.made
            await sought(hall, "eve")
            await ada.until("paired")
            assert not bob.heard("paired")

    asyncio.run(script())


def test_strangers_only_watch(tmp_path: Path) -> None:
    async def script() -> None:
        async with opened(tmp_path) as hall:
            page = await hall.enter()
            assert not page.heard("you")[0]["known"]
            assert len(page.heard("lobby")[0]["games"]) == len(QUICK_GAMES)
            for message in (
                m.Seek("duel"),
                m.StopSeeking(),
                m.FillTable("random"),
                m.PostChallenge(m.Terms("duel")),
                m.AcceptChallenge("x"),
                m.DeclineChallenge("x"),
                m.WithdrawChallenge("x"),
                m.CounterChallenge("x", m.Terms("duel")),
            ):
                assert await page.refusal(message) == "no-person", message

    asyncio.run(script())


def test_counts_go_to_everybody_as_the_same_bytes(tmp_path: Path) -> None:
    async def script() -> None:
        async with opened(tmp_path) as hall:
            watchers = [await hall.enter() for _ in range(3)]
            await sought(hall, "ada")
            for each in watchers:
                await each.until("lobby-update")
            frames = {text for each in watchers for text in each.outlet.sent if b"lobby-update" in text}
            assert len(frames) == 1
            update = watchers[0].heard("lobby-update")[0]
            assert update["waiting"] == {"duel": {"waiting": 1}}
            hall.clock.now += 7
            await sought(hall, "bob")
            update = await watchers[0].until("lobby-update", 2)
            assert update["waiting"] == {"duel": {"waiting": 0, "usual": 4}}
            later = await hall.enter()
            assert later.heard("lobby")[0]["waiting"]["duel"] == {"waiting": 0, "usual": 4}

    asyncio.run(script())


def test_a_table_of_four_fills_and_its_host_adds_levels(tmp_path: Path) -> None:
    async def script() -> None:
        async with opened(tmp_path) as hall:
            watcher = await hall.enter()
            ada, bob, guest = await sought(hall, "ada", "bob", "guest-1", game="conquest")
            assert ada.heard("waits")[-1] == {"type": "waits", "game": "conquest", "host": True}
            assert not bob.heard("waits")[-1]["host"]
            update = await watcher.until("lobby-update")
            assert update["waiting"]["conquest"] == {"waiting": 3, "tables": [["Ada", "Bob", ""]]}
            assert await bob.refusal(m.FillTable("random")) == "no-table"
            assert await ada.refusal(m.FillTable("nobody")) == "no-agent"
            ada.say(m.FillTable("random"))
            for page in (ada, bob, guest):
                await page.until("paired")
            (made,) = hall.made
            assert sorted(made.seats) == ["id-ada", "id-bob", "id-guest-1", "random"]
            assert not made.rated

    asyncio.run(script())


def test_the_next_one_becomes_host(tmp_path: Path) -> None:
    async def script() -> None:
        async with opened(tmp_path) as hall:
            ada, bob = await sought(hall, "ada", "bob", game="conquest")
            ada.leave()
            assert (await bob.until("waits", 2))["host"]
            await sought(hall, "c", "d", "e", game="conquest")
            await bob.until("paired")
            assert hall.made[0].rated, "four accounts"

    asyncio.run(script())


def test_a_match_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    async def script() -> None:
        async with opened(tmp_path) as hall:
            hall.matches.refusal = Declined("disk-full", 507)
            ada, bob = await sought(hall, "ada", "bob")
            for page in (ada, bob):
                assert (await page.until("refused"))["line"]["code"] == "disk-full"
            assert hall.lobby.seeking.waiting == 0

    asyncio.run(script())


def test_who_lost_the_connection_learns_of_the_match_later(tmp_path: Path) -> None:
    async def script() -> None:
        async with opened(tmp_path) as hall:
            hall.matches.gate.clear()
            ada, bob = await sought(hall, "ada", "bob")
            ada.leave()
            hall.matches.gate.set()
            await bob.until("paired")
            again = await hall.enter("ada")
            assert (await again.until("paired"))["match"] == "match-1"
            assert not (await hall.enter("ada")).heard("paired"), "only once"

    asyncio.run(script())


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"{", "bad-message"),
        (b'{"type": "seek"}', "bad-message"),
        (b'{"type": "seek", "game": "duel", "x": 1}', "bad-message"),
        (b'{"type": "act", "n": 1, "actions": [1]}', "bad-message"),
        (b'{"type": "hello"}', "bad-message"),
        (b'{"type": "seek", "game": "chess"}', "no-quick-game"),
        (b'{"type": "ping", "x": "' + b"y" * 70_000 + b'"}', "too-large"),
    ],
)
def test_refusals_by_name(tmp_path: Path, data: bytes, code: str) -> None:
    async def script() -> None:
        async with opened(tmp_path) as hall:
            page = await hall.enter("ada")
            page.socket.receive(data)
            assert (await page.until("refused"))["line"]["code"] == code
            await page.ask(Ping(), "pong")

    asyncio.run(script())


KINDS = ["hello", "seek", "stop-seeking", "fill-table", "post-challenge", "accept-challenge", "ping", "lobby", ""]
FIELDS = st.dictionaries(st.sampled_from(["game", "agent", "terms", "to", "id", "x"]), ANYTHING, max_size=3)
MESSAGES = st.builds(lambda kind, fields: {**fields, "type": kind}, st.sampled_from(KINDS), FIELDS) | ANYTHING
SENT = MESSAGES.map(lambda value: json.dumps(value).encode()) | st.binary(max_size=200)


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(sent=st.lists(SENT, min_size=1, max_size=20))
def test_malformed_messages_change_nothing(tmp_path_factory: pytest.TempPathFactory, sent: list[bytes]) -> None:
    async def script() -> None:
        async with opened(tmp_path_factory.mktemp("lobby")) as hall:
            page, known = await hall.enter("ada"), len((await hall.enter("ada", "b")).outlet.sent)
            for data in sent:
                page.socket.receive(data)
            await page.ask(m.Seek("duel"), "waits")  # it follows all the others
            answers = {message["type"] for message in page.outlet.messages()[known:]}
            assert answers <= {"refused", "pong", "waits"}
            assert len(hall.lobby.challenging.all) == len(hall.made) == 0

    asyncio.run(script())


def test_nothing_before_hello(tmp_path: Path) -> None:
    async def script() -> None:
        async with opened(tmp_path, hello_within=0.05) as hall:
            page = Page(hall, "ada", "")
            assert await page.refusal(m.Seek("duel")) == "no-hello"
            assert (await page.until("close"))["code"] == 4000

    asyncio.run(script())


def test_acts_of_an_address_are_limited(tmp_path: Path) -> None:
    async def script() -> None:
        async with opened(tmp_path, lobby_rate=0.001, lobby_burst=2) as hall:
            ada, eve = await hall.enter("ada"), await hall.enter("eve", address="10.0.0.1")
            await ada.ask(m.Seek("duel"), "waits")
            await ada.ask(m.StopSeeking(), "waits")
            assert await ada.refusal(m.Seek("duel")) == "too-many"
            await eve.ask(m.Seek("duel"), "waits")

    asyncio.run(script())


def test_a_session_that_ends_closes_its_pages(tmp_path: Path) -> None:
    async def script() -> None:
        async with opened(tmp_path) as hall:
            ada, eve = await hall.enter("ada"), await hall.enter("eve")
            hall.sockets.let_in.end("session-ada")
            assert (await ada.until("close"))["code"] == 1013
            assert not eve.heard("close")

    asyncio.run(script())


# ---- leaving early ---------------------------------------------------------------------------------------------------


def called_off(match: str, by: int | None, rated: bool = True) -> Ended:
    seats = (PublicSeat(person="id-ada"), PublicSeat(person="id-bob"))
    public = PublicMatch(match, "duel", {}, seats, 0, None, listed=True, rated=rated)
    return Ended(public, 3, Outcome((0.0, 0.0), "no-result"), counts=False, called_off=by)


async def leave_early(hall: Hall, match: str, by: int | None = 0, rated: bool = True) -> None:
    """Let a person call a match off, as the match does: store first, then publish."""
    fact = called_off(match, by, rated)
    await hall.matches.store.execute([each for one in hall.lobby.listeners for each in one.prepare(fact)])
    for listener in hall.lobby.listeners:
        listener.publish(fact)


def test_from_the_third_match_left_early_on_the_next_pairing_waits(tmp_path: Path) -> None:
    async def script() -> None:
        async with opened(tmp_path) as hall:
            ada, bob = await hall.enter("ada"), await hall.enter("bob")
            for number in range(PATIENCE):
                await leave_early(hall, str(number))
            await leave_early(hall, "no", by=None)
            await ada.ask(m.Seek("duel"), "waits")
            await ada.ask(m.StopSeeking(), "waits")
            await leave_early(hall, "third", rated=False)
            refused = await ada.ask(m.Seek("duel"), "refused")
            assert refused["line"]["code"] == "wait-to-seek"
            assert 0 < refused["line"]["args"]["may_seek_in"] <= PAUSE
            await bob.ask(m.Seek("duel"), "waits")
            assert await find_share_left(hall.matches.store, "id-ada", 6) == 0.25, "two of eight rated ones"
            assert await find_share_left(hall.matches.store, "id-bob", 6) == 0
        async with opened(tmp_path) as hall:
            ada = await hall.enter("ada")
            assert await ada.refusal(m.Seek("duel")) == "wait-to-seek", "a restart forgets nothing"

    asyncio.run(script())


def test_a_new_day_forgives(tmp_path: Path) -> None:
    now = 86_400.0 * 20_000 + 86_000

    async def script() -> None:
        nonlocal now
        store = Store(Config(data=tmp_path, database=find_database(tmp_path)).url)
        await store.start()
        early = EarlyLeaving(lambda: now)
        await early.start(store)
        for number in range(PATIENCE + 1):
            await store.execute(early.prepare(called_off(str(number), 0)))
            early.publish(called_off(str(number), 0))
        with pytest.raises(Declined):
            early.require_patience("id-ada")
        early.require_patience("id-bob")
        now += PAUSE
        early.require_patience("id-ada")
        now += 400
        early.publish(called_off("tomorrow", 0))
        early.require_patience("id-ada")
        await store.close()

    asyncio.run(script())
