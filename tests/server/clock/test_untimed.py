"""Matches without a clock: live, where the others may claim the win against whoever does nothing, and in the players'
own time, where nobody may.
"""

from __future__ import annotations

import time
from pathlib import Path

import pytest

import gonfalon
from deploying import draw_deployment
from gonfalon.server.clock.control import Untimed
from gonfalon.server.protocol import messages as m
from gonfalon.server.protocol.secrets import hash_secret
from gonfalon.server.storage.entries import Header, SeatHeader, pack, unpack_header
from server.harness import Match, Server
from server.socketless import Host, Table, run

GAME = gonfalon.make("barrage")
LIVE, OWN_TIME = Untimed(300), Untimed(0)


def header(clock: Untimed | None, *agents: str, device: bool = False) -> Header:
    """Return the header of a match between persons, or with computer players in the last seats."""
    sides = GAME.info.sides[: 2 - len(agents)]
    persons = [SeatHeader(secret=hash_secret(side), maker=True, device=device) for side in sides]
    return Header("untimed", "barrage", {}, (*persons, *(SeatHeader(agent=each) for each in agents)), 0, 120, clock)


async def begin(host: Host, clock: Untimed | None, after: float = 0.0) -> Table:
    """Return a match in which red is on turn, `after` seconds later."""
    table = Table(host, header(clock), GAME)
    await table.sit()
    for player in range(2):
        await table.act(player, *draw_deployment(GAME, player))
    wait(table, after)
    return table


def wait(table: Table, seconds: float) -> None:
    now = time.monotonic() + seconds
    table.match.match.presence._clock = lambda: now


def claim_times(table: Table) -> list[int | None]:
    return [seat.claim_in for seat in table.match.match.presence.describe().seats]


@pytest.mark.parametrize("connected", [True, False])
def test_live_the_win_is_claimed_against_whoever_does_nothing(tmp_path: Path, connected: bool) -> None:
    async def script(host: Host) -> None:
        table = await begin(host, LIVE)
        assert claim_times(table) == [300, None]
        if not connected:
            table.match.leave(table.seats[0])
            await table.settle()
        wait(table, 200)
        await table.say(1, m.ClaimWin())
        assert table.refusal(1) == "nobody-away"
        wait(table, 301)
        await table.say(1, m.ClaimWin())
        assert table.last(1, "ended")["ending"]["winner"] == "blue"

    run(script, tmp_path, header(LIVE))


def test_live_a_decision_begins_the_time_anew_and_a_question_does_not(tmp_path: Path) -> None:
    async def script(host: Host) -> None:
        table = await begin(host, LIVE, 250)
        await table.say(0, m.Why(["a1"]))
        assert claim_times(table) == [50, None]
        await table.act(0, table.last(0, "update")["choices"][0]["id"])
        assert claim_times(table) == [None, 300]
        told = table.last(1, "presence")["match"]["seats"][1]["claim_in"]
        assert told == 300, "both pages know it at once"

    run(script, tmp_path, header(LIVE))


def test_live_a_part_of_an_arrangement_begins_the_time_anew(tmp_path: Path) -> None:
    async def script(host: Host) -> None:
        table = Table(host, header(LIVE), GAME)
        await table.sit()
        wait(table, 299)
        await table.act(0, draw_deployment(GAME, 0)[0])
        assert claim_times(table) == [300, 1]
        wait(table, 700)
        await table.say(1, m.ClaimWin())
        assert table.refusal(1) == "act-first", "blue has not placed either"

    run(script, tmp_path, header(LIVE))


def test_live_nobody_claims_against_the_only_person_or_on_one_device(tmp_path: Path) -> None:
    async def script(host: Host) -> None:
        for each in (header(LIVE, "random"), header(LIVE, device=True)):
            table = Table(host, each, GAME)
            table.match._computers.stop()
            wait(table, 1_000)
            assert claim_times(table) == [None, None]

    run(script, tmp_path, header(LIVE))


def test_in_their_own_time_nobody_claims(tmp_path: Path) -> None:
    async def script(host: Host) -> None:
        table = await begin(host, OWN_TIME)
        table.match.leave(table.seats[0])
        await table.settle()
        wait(table, 1_000_000)
        assert claim_times(table) == [None, None]
        await table.say(1, m.ClaimWin())
        assert table.refusal(1) == "nobody-away"

    run(script, tmp_path, header(OWN_TIME))


def test_matches_without_a_time_control_keep_the_rule_of_absence(tmp_path: Path) -> None:
    async def script(host: Host) -> None:
        table = await begin(host, None, 1_000)
        assert claim_times(table) == [None, None], "red is here"

    run(script, tmp_path, header(None))
    earlier = pack(header(None)).replace(b',"clock":null', b"")
    assert unpack_header(earlier) == header(None)
    assert unpack_header(pack(header(LIVE))).clock == LIVE


def test_the_maker_chooses_and_everybody_is_told(server: Server) -> None:
    seats = [{"kind": "me"}, {"kind": "person"}]
    wish = {"variant": "barrage", "seats": seats, "clock": {"kind": "untimed", "claim_after": 600}}
    made = server.post("/api/matches", wish).json()
    assert server.get(f"/api/matches/{made['match']}").json()["clock"] == {"kind": "untimed", "claim_after": 600}
    for bad in (119, -1, 31_536_000):
        answer = server.post("/api/matches", {**wish, "clock": {"kind": "untimed", "claim_after": bad}})
        assert answer.status_code == 400
        assert answer.json()["line"]["code"] == "bad-clock"
    for bad_body in ({"kind": "sandglass"}, {"kind": "untimed", "claim_after": 300.5}, {"claim_after": 300, "more": 1}):
        assert server.post("/api/matches", {**wish, "clock": bad_body}).status_code == 400


def test_a_rematch_keeps_the_time_control(server: Server) -> None:
    seats = [{"kind": "me"}, {"kind": "me"}]
    clock = {"kind": "untimed", "claim_after": 0}
    made = server.post("/api/matches", {"variant": "barrage", "seats": seats, "clock": clock}).json()
    red, blue = Match(server, made["match"], made["secrets"]).both()
    red.send("resign")
    for client in (red, blue):
        client.until("ended")
        client.send("offer-rematch")
    following = blue.until("rematch-ready")["match"]
    assert server.get(f"/api/matches/{following}").json()["clock"] == clock
