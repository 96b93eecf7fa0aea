"""Challenges at the socket: open and direct ones, accepted once, answered by other terms, kept or taken back."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import msgspec
import pytest
import sqlalchemy as sa

from gonfalon.server.clock.control import Correspondence, PerTurn, Untimed
from gonfalon.server.protocol import lobby_messages as m
from gonfalon.server.protocol.refusals import Declined
from gonfalon.server.storage import tables
from server.lobby.lobbying import DUEL, Hall, Page, opened

SLOW = m.Terms("duel", clock=Correspondence(3))
RATED = msgspec.structs.replace(DUEL, rated=True)


async def post(page: Page, terms: m.Terms = DUEL, to: str = "") -> str:
    """Make a challenge; return its id."""
    told = await page.ask(m.PostChallenge(terms, to), "your-challenge")
    assert told["mine"]
    return str(told["challenge"]["id"])


def stored(hall: Hall) -> int:
    with hall.matches.store.read() as connection:
        return connection.scalar(sa.select(sa.func.count()).select_from(tables.challenges)) or 0


def test_an_open_challenge_is_shown_to_all_and_accepted(tmp_path: Path) -> None:
    async def script() -> None:
        async with opened(tmp_path) as hall:
            hall.ratings.all["id-ada"], hall.ratings.provisional = 1712, {"id-ada"}
            ada, bob, watcher = await hall.enter("ada"), await hall.enter("bob"), await hall.enter()
            challenge = await post(ada, msgspec.structs.replace(RATED, side="blue"))
            (added,) = (await watcher.until("lobby-update"))["added"]
            assert (added["id"], added["by"], added["rating"]) == (challenge, "Ada", 1712)
            assert added["provisional"]
            assert added["terms"] == {
                "variant": "duel",
                "clock": {"kind": "bank", "bank": 300, "increment": 3, "delay": 0, "longest": 0, "deployment": 300},
                "rated": True,
                "side": "blue",
            }
            assert b"id-ada" not in b"".join(watcher.outlet.sent), "nobody learns the id of a person"
            later = await hall.enter()
            assert [each["id"] for each in later.heard("lobby")[0]["challenges"]] == [challenge]
            bob.say(m.AcceptChallenge(challenge))
            assert (await bob.until("paired"))["side"] == "red"
            assert (await ada.until("paired"))["side"] == "blue"
            assert (await ada.until("challenge-over"))["reason"] == "accepted"
            assert hall.made[0].seats == ("id-bob", "id-ada")
            assert hall.made[0].rated
            assert await watcher.challenges() == set()
            assert await later.challenges() == set()

    asyncio.run(script())


def test_of_two_who_accept_at_once_one_plays(tmp_path: Path) -> None:
    async def script() -> None:
        async with opened(tmp_path) as hall:
            ada, bob, eve = [await hall.enter(each) for each in ("ada", "bob", "eve")]
            challenge = await post(ada)
            hall.matches.gate.clear()
            bob.say(m.AcceptChallenge(challenge))
            eve.say(m.AcceptChallenge(challenge))
            assert (await eve.until("refused"))["line"]["code"] == "challenge-gone"
            hall.matches.gate.set()
            await bob.until("paired")
            assert len(hall.made) == 1
            assert await bob.refusal(m.AcceptChallenge(challenge)) == "challenge-gone"

    asyncio.run(script())


def test_a_challenge_whose_maker_has_left_is_gone(tmp_path: Path) -> None:
    async def script() -> None:
        async with opened(tmp_path, challenge_lingers=0.2) as hall:
            ada, bob = await hall.enter("ada"), await hall.enter("bob")
            challenge = await post(ada)
            ada.leave()
            assert await bob.refusal(m.AcceptChallenge(challenge)) == "challenge-gone"
            assert await bob.refusal(m.CounterChallenge(challenge, DUEL)) == "challenge-gone"
            assert await bob.challenges() == set(), "it was taken back after a while"

    asyncio.run(script())


def test_a_page_that_comes_back_in_time_keeps_its_challenges(tmp_path: Path) -> None:
    async def script() -> None:
        async with opened(tmp_path, challenge_lingers=0.4) as hall:
            ada = await hall.enter("ada")
            challenge = await post(ada)
            ada.leave()
            ada = await hall.enter("ada")
            assert ada.heard("your-challenge")[0]["challenge"]["id"] == challenge
            bob = await hall.enter("bob")
            assert await bob.challenges() == {challenge}
            ada.leave()
            await hall.enter("ada", "another window")
            await asyncio.sleep(0.4)
            assert await bob.challenges() == set(), "another page is not the one that made it"

    asyncio.run(script())


def test_challenges_by_correspondence_outlive_page_and_server(tmp_path: Path) -> None:
    async def script() -> None:
        async with opened(tmp_path) as hall:
            ada = await hall.enter("ada")
            challenge, direct = await post(ada, SLOW), await post(ada, SLOW, "Bob")
            await post(ada)
            ada.leave()
            watcher = await hall.enter()
            assert await watcher.challenges() == {challenge}
            assert stored(hall) == 2
        async with opened(tmp_path) as hall:
            bob = await hall.enter("bob")
            assert await bob.challenges() == {challenge}
            assert [each["challenge"]["id"] for each in bob.heard("your-challenge")] == [direct]
            bob.say(m.AcceptChallenge(direct))
            await bob.until("paired")
            assert hall.made[0].clock == Correspondence(3)
            assert stored(hall) == 1, "the row goes in the transaction of the match"
            ada = await hall.enter("ada")
            assert (await ada.until("paired"))["match"] == "match-1"
            assert (await ada.ask(m.WithdrawChallenge(challenge), "challenge-over"))["reason"] == "taken-back"
            assert await bob.challenges() == set()
        async with opened(tmp_path) as hall:
            assert stored(hall) == 0

    asyncio.run(script())


def test_old_challenges_end(tmp_path: Path) -> None:
    async def script() -> None:
        async with opened(tmp_path) as hall:
            await post(await hall.enter("ada"), SLOW)
        async with opened(tmp_path, challenge_days=-1) as hall:
            assert stored(hall) == len(hall.lobby.challenging.all) == 0

    asyncio.run(script())


def test_a_direct_challenge_concerns_only_two(tmp_path: Path) -> None:
    async def script() -> None:
        async with opened(tmp_path) as hall:
            ada, bob, eve = [await hall.enter(each) for each in ("ada", "bob", "eve")]
            challenge = await post(ada, to="Bob")
            told = await bob.until("your-challenge")
            assert not told["mine"]
            assert (told["challenge"]["by"], told["challenge"]["to"]) == ("Ada", "Bob")
            assert await eve.challenges() == set()
            for message in (
                m.AcceptChallenge(challenge),
                m.DeclineChallenge(challenge),
                m.WithdrawChallenge(challenge),
                m.CounterChallenge(challenge, DUEL),
            ):
                assert await eve.refusal(message) == "challenge-closed", message
            assert await ada.refusal(m.AcceptChallenge(challenge)) == "challenge-own"
            bob.say(m.DeclineChallenge(challenge))
            for page in (ada, bob):
                assert (await page.until("challenge-over"))["reason"] == "declined"
            assert await bob.refusal(m.AcceptChallenge(challenge)) == "challenge-gone"

    asyncio.run(script())


def test_other_terms_are_a_challenge_to_the_maker(tmp_path: Path) -> None:
    async def script() -> None:
        async with opened(tmp_path) as hall:
            ada, bob = await hall.enter("ada"), await hall.enter("bob")
            challenge = await post(ada, to="Bob")
            other = m.Terms("barrage", clock=PerTurn(60))
            bob.say(m.CounterChallenge(challenge, other))
            assert (await ada.until("challenge-over"))["reason"] == "countered"
            told = await ada.until("your-challenge", 2)
            assert not told["mine"]
            assert told["challenge"]["counters"] == challenge
            ada.say(m.AcceptChallenge(told["challenge"]["id"]))
            await bob.until("paired")
            assert hall.made[0].variant == "barrage"
            stands = await post(ada)
            bob.say(m.CounterChallenge(stands, other))
            await ada.until("your-challenge", 4)
            assert stands in await bob.challenges(), "an open challenge still stands for others"

    asyncio.run(script())


def test_blocked_people_cannot_challenge_or_accept(tmp_path: Path) -> None:
    async def script() -> None:
        async with opened(tmp_path) as hall:
            hall.people.block("ada", "bob")
            ada, bob = await hall.enter("ada"), await hall.enter("bob")
            assert await bob.refusal(m.PostChallenge(DUEL, "Ada")) == "cannot-challenge"
            challenge = await post(ada)
            assert await bob.refusal(m.AcceptChallenge(challenge)) == "challenge-closed"
            assert await bob.refusal(m.CounterChallenge(challenge, DUEL)) == "challenge-closed"

    asyncio.run(script())


@pytest.mark.parametrize(
    ("terms", "code"),
    [
        (m.Terms("chess"), "no-variant"),
        (m.Terms("conquest"), "challenge-for-two"),
        (m.Terms("duel", side="green"), "bad-message"),
        (m.Terms("duel", lowest=1600, highest=1500), "bad-message"),
        (m.Terms("duel", rated=True), "rated-needs-clock"),
        (m.Terms("duel", clock=Untimed(), rated=True), "rated-needs-clock"),
    ],
)
def test_impossible_terms_are_refused(tmp_path: Path, terms: m.Terms, code: str) -> None:
    async def script() -> None:
        async with opened(tmp_path) as hall:
            ada = await hall.enter("ada")
            assert await ada.refusal(m.PostChallenge(terms)) == code
            assert len(hall.lobby.challenging.all) == 0

    asyncio.run(script())


def test_rated_challenges_are_for_accounts(tmp_path: Path) -> None:
    async def script() -> None:
        async with opened(tmp_path) as hall:
            ada, guest = await hall.enter("ada"), await hall.enter("guest-1")
            assert await guest.refusal(m.PostChallenge(RATED)) == "rated-needs-account"
            assert await guest.refusal(m.AcceptChallenge(await post(ada, RATED))) == "rated-needs-account"
            await guest.ask(m.AcceptChallenge(await post(ada)), "paired")

    asyncio.run(script())


def test_a_range_of_ratings(tmp_path: Path) -> None:
    async def script() -> None:
        async with opened(tmp_path) as hall:
            hall.ratings.all = {"id-bob": 1399, "id-eve": 1400}
            ada, bob, eve, unrated = [await hall.enter(each) for each in ("ada", "bob", "eve", "dan")]
            challenge = await post(ada, msgspec.structs.replace(DUEL, lowest=1400, highest=1600))
            for page in (bob, unrated):
                assert await page.refusal(m.AcceptChallenge(challenge)) == "challenge-range"
            await eve.ask(m.AcceptChallenge(challenge), "paired")

    asyncio.run(script())


def test_a_person_has_few_challenges(tmp_path: Path) -> None:
    async def script() -> None:
        async with opened(tmp_path, open_challenges=2, direct_challenges=3, most_challenges=6) as hall:
            ada, bob, eve = [await hall.enter(each) for each in ("ada", "bob", "eve")]
            mine = [await post(ada) for _ in range(2)]
            assert await ada.refusal(m.PostChallenge(DUEL)) == "too-many-challenges"
            for _ in range(3):
                await post(ada, to="Bob")
            assert await ada.refusal(m.PostChallenge(DUEL, "Eve")) == "too-many-challenges"
            await post(bob)
            assert await eve.refusal(m.PostChallenge(DUEL)) == "too-many", "all together"
            await ada.ask(m.WithdrawChallenge(mine[0]), "challenge-over")
            await post(eve)

    asyncio.run(script())


def test_whom_a_challenge_can_be_for(tmp_path: Path) -> None:
    async def script() -> None:
        async with opened(tmp_path) as hall:
            ada = await hall.enter("ada")
            assert await ada.refusal(m.PostChallenge(DUEL, "Nobody")) == "no-player"
            assert await ada.refusal(m.PostChallenge(DUEL, "Ada")) == "challenge-own"

    asyncio.run(script())


def test_a_challenge_stands_again_if_its_match_cannot_be_made(tmp_path: Path) -> None:
    async def script() -> None:
        async with opened(tmp_path) as hall:
            ada, bob = await hall.enter("ada"), await hall.enter("bob")
            challenge = await post(ada)
            hall.matches.refusal = Declined("disk-full", 507)
            assert await bob.refusal(m.AcceptChallenge(challenge)) == "disk-full"
            assert await bob.challenges() == {challenge}
            hall.matches.refusal = None
            await bob.ask(m.AcceptChallenge(challenge), "paired")

    asyncio.run(script())


def test_who_begins_a_live_match_waits_no_longer(tmp_path: Path) -> None:
    async def script() -> None:
        async with opened(tmp_path) as hall:
            ada, bob, eve = [await hall.enter(each) for each in ("ada", "bob", "eve")]
            await ada.ask(m.Seek("duel"), "waits")
            await bob.ask(m.AcceptChallenge(await post(ada)), "paired")
            await ada.until("waits", 2)
            await eve.ask(m.Seek("duel"), "waits")
            assert not eve.heard("paired")

    asyncio.run(script())


def test_a_deleted_account_leaves_no_challenge(tmp_path: Path) -> None:
    async def script() -> None:
        async with opened(tmp_path) as hall:
            ada, bob = await hall.enter("ada"), await hall.enter("bob")
            await post(ada, SLOW)
            await post(bob, SLOW, "Ada")
            kept = await post(bob, SLOW)
            await hall.matches.store.execute(hall.lobby.forget("id-ada"))
            assert await bob.challenges() == {kept}
            assert stored(hall) == len(hall.lobby.challenging.all) == 1

    asyncio.run(script())


def test_many_changes_are_told_together(tmp_path: Path) -> None:
    async def script() -> None:
        async with opened(tmp_path, open_challenges=100) as hall:
            ada, watcher = await hall.enter("ada"), await hall.enter()
            posted = {await post(ada) for _ in range(40)}
            assert await watcher.challenges() == posted
            updates: list[dict[str, Any]] = watcher.heard("lobby-update")
            assert len(updates) < 20

    asyncio.run(script())
