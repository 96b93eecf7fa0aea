"""Clocks of matches: what a decision costs, when a player is out of time, and what the pages learn."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx
import pytest

import gonfalon
from deploying import draw_deployment
from gonfalon.engine.game import PUBLIC
from gonfalon.server.clock.control import Bank, Control, PerTurn
from gonfalon.server.match.clients.client import Client
from gonfalon.server.match.state import MatchState
from gonfalon.server.protocol import messages as m
from gonfalon.server.protocol.refusals import Declined
from gonfalon.server.protocol.secrets import hash_secret
from gonfalon.server.storage import deadlines
from gonfalon.server.storage.entries import Header, OutOfTime, Played, SeatHeader, pack, unpack_entry, unpack_header
from server.harness import Match, Server
from server.socketless import Host, Outlet, Table, run, until

GAME = gonfalon.make("barrage")
BANK = Bank(300, increment=3, deployment=120)
TURN = PerTurn(60, deployment=120)
RED, BLUE = 0, 1


def header(clock: Control, *agents: str, device: bool = False, variant: str = "barrage") -> Header:
    """Return the header of a match between persons, or with computer players in the last seats."""
    sides = gonfalon.make(variant).info.sides
    persons = sides[: len(sides) - len(agents)]
    seats = [SeatHeader(secret=hash_secret(side), maker=True, device=device) for side in persons]
    return Header("timing", variant, {}, (*seats, *(SeatHeader(agent=each) for each in agents)), 0, 120, clock)


async def begin(host: Host, clock: Control, **options: Any) -> Table:
    """Return a match of two persons in which red is on turn and nobody has used any time."""
    table = Table(host, header(clock, **options), GAME)
    await table.sit()
    for player in (RED, BLUE):
        await table.act(player, *draw_deployment(GAME, player))
    return table


async def move(table: Table, player: int) -> None:
    await table.act(player, table.last(player, "update")["choices"][0]["id"])


async def look(table: Table) -> None:
    """Let the match's task look at the clocks, as its alarm does."""
    table.match.check_time()
    await table.settle()


def clocks(table: Table, observer: int) -> dict[str, tuple[int, bool]]:
    """Return the clocks that an observer was told last: time left and whether the clock runs, by side."""
    return {seat["side"]: (seat["left"], seat["runs"]) for seat in table.last(observer, "clocks")["seats"]}


# ---- what a decision costs -------------------------------------------------------------------------------------------


def test_the_player_who_is_due_pays_and_gets_the_increment(tmp_path: Path) -> None:
    async def script(host: Host) -> None:
        table = await begin(host, BANK)
        assert clocks(table, PUBLIC) == {"red": (300_000, True), "blue": (300_000, False)}
        host.clock.wait(10_000)
        await move(table, RED)
        assert clocks(table, BLUE) == {"red": (293_000, False), "blue": (300_000, True)}
        host.clock.wait(500)
        await move(table, BLUE)
        assert clocks(table, RED) == {"red": (293_000, True), "blue": (302_500, False)}

    run(script, tmp_path, header(BANK))


def test_the_budgets_are_equal_after_loading(tmp_path: Path) -> None:
    async def script(host: Host) -> None:
        table = await begin(host, BANK)
        for player in (RED, BLUE, RED):
            host.clock.wait(4_321)
            await move(table, player)
        entries = [entry for entries in host.appended for entry in entries]
        again = Table(host, header(BANK), GAME, entries)
        host.clock.wait(1_000_000)
        await again.sit()
        assert clocks(again, RED) == {"red": (297_358, False), "blue": (298_679, True)}, "nobody paid meanwhile"

    run(script, tmp_path, header(BANK))


def test_the_time_of_a_turn_begins_anew(tmp_path: Path) -> None:
    async def script(host: Host) -> None:
        table = await begin(host, TURN)
        host.clock.wait(59_000)
        await move(table, RED)
        assert clocks(table, RED) == {"red": (60_000, False), "blue": (60_000, True)}

    run(script, tmp_path, header(TURN))


def test_a_message_counts_from_its_arrival(tmp_path: Path) -> None:
    async def script(host: Host) -> None:
        table = await begin(host, BANK)
        host.clock.wait(300_000)
        choice = table.last(RED, "update")["choices"][0]["id"]
        table.match.submit(table.seats[RED], m.Act(2, [choice]))
        host.clock.wait(2_000)
        await look(table)
        assert table.state.outcome is None, "it came in time, in the very millisecond"
        assert host.appended[-1] == [Played(RED, (choice,), 2, 300_000)]

    run(script, tmp_path, header(BANK))


def test_a_clock_stands_still_from_the_moment_at_which_the_server_lost_the_connection(tmp_path: Path) -> None:
    async def script(host: Host) -> None:
        table = await begin(host, BANK)
        host.clock.wait(3_000)
        lost = host.clock.monotonic
        host.clock.wait(5_000)
        table.match.leave(table.seats[RED], lost)
        await table.settle()
        assert clocks(table, BLUE) == {"red": (297_000, False), "blue": (300_000, False)}
        host.clock.wait(20_000)
        await table.sit(RED)
        assert clocks(table, BLUE) == {"red": (297_000, True), "blue": (300_000, False)}
        host.clock.wait(1_000)
        await move(table, RED)
        assert host.appended[-1][0].took == 4_000

    run(script, tmp_path, header(BANK))


def test_a_clock_runs_on_while_another_window_of_its_player_is_there(tmp_path: Path) -> None:
    async def script(host: Host) -> None:
        table = await begin(host, BANK)
        window = Client(Outlet(), RED, "red")
        table.match.join(window, -1)
        table.match.leave(window, host.clock.monotonic)
        await table.settle()
        assert table.match.timing.until_next() is not None

    run(script, tmp_path, header(BANK))


def test_the_lag_is_free(tmp_path: Path) -> None:
    async def script(host: Host) -> None:
        table = await begin(host, BANK)
        note = table.outlets[BLUE].note
        assert note is not None
        for ping in (80, 90, 40_000):
            note(ping)
        await move(table, RED)
        host.clock.wait(1_090)
        await move(table, BLUE)
        assert host.appended[-1][0].took == 1_000, "the median of the pings"
        note(60_000)
        note(60_000)
        await move(table, RED)
        host.clock.wait(1_000)
        await move(table, BLUE)
        assert host.appended[-1][0].took == 700, "a page that answers late gains 300 ms at most"

    run(script, tmp_path, header(BANK))


def test_a_take_back_restores_the_bank(tmp_path: Path) -> None:
    async def script(host: Host) -> None:
        table = Table(host, header(BANK, "random"), GAME)
        table.match._computers.wake = lambda: None
        await table.sit(RED, PUBLIC)
        await table.act(RED, *draw_deployment(GAME, RED))
        await blue(table, draw_deployment(GAME, BLUE))
        host.clock.wait(100_000)
        await move(table, RED)
        await blue(table, [table.state.game.view(table.state.position, BLUE).legal[0]])
        host.clock.wait(50_000)
        assert clocks(table, RED) == {"red": (203_000, True)}, "computer players have no clock"
        await table.say(RED, m.Return(1))
        assert clocks(table, RED) == {"red": (300_000, True)}

    run(script, tmp_path, header(BANK, "random"))


async def blue(table: Table, actions: list[int]) -> None:
    """Decide for the computer player."""
    await table.match.match.commit(Played(BLUE, tuple(int(action) for action in actions)))


# ---- out of time -----------------------------------------------------------------------------------------------------


def test_with_two_players_the_other_wins(tmp_path: Path) -> None:
    async def script(host: Host) -> None:
        table = await begin(host, BANK)
        host.clock.wait(300_000)
        await look(table)
        assert table.state.outcome is None, "the same millisecond is in time"
        host.clock.wait(1)
        await look(table)
        ending = table.last(BLUE, "ended")["ending"]
        assert (ending["reason"], ending["winner"]) == ("time", "blue")
        events = table.last(RED, "update")["events"]
        assert events[0] == {"code": "out-of-time", "args": {"side": "red"}}
        assert "resigned" not in {event["code"] for event in events}
        assert host.appended[-1] == [OutOfTime(RED, 300_001)]

    run(script, tmp_path, header(BANK))


def test_an_act_that_comes_late_is_refused(tmp_path: Path) -> None:
    async def script(host: Host) -> None:
        table = await begin(host, BANK)
        host.clock.wait(300_001)
        await move(table, RED)
        assert table.refusal(RED) == "out-of-time"
        await look(table)
        assert table.last(RED, "ended")["ending"]["winner"] == "blue"

    run(script, tmp_path, header(BANK))


def test_the_alarm_rings_by_itself_without_any_client(tmp_path: Path) -> None:
    clock = Bank(1, deployment=10)

    async def script(host: Host) -> None:
        table = await begin(host, clock)
        for observer in (RED, BLUE, PUBLIC):
            table.match.leave(table.seats[observer])
        await table.settle()
        assert not table.match.idle, "the match stays in memory"
        host.clock.wait(1_001)
        await table.settle()
        alarm = table.match._alarms._flag
        assert alarm is not None
        assert alarm.when() <= table.match._task.get_loop().time() + 0.01
        await look(table)
        assert host.appended[-1] == [OutOfTime(RED, 1_001)]
        await until(lambda: table.match.idle)

    run(script, tmp_path, header(clock))


def test_with_more_players_the_player_is_out(tmp_path: Path) -> None:
    game = gonfalon.make("conquest")
    clock = PerTurn(60, deployment=600)

    async def script(host: Host) -> None:
        table = Table(host, header(clock, variant="conquest"), game)
        await table.sit()
        while not table.state.started:
            host.clock.wait(600_001)
            await look(table)
        out = []
        while table.state.outcome is None:
            out += table.state.due
            host.clock.wait(60_001)
            await look(table)
        assert len(set(out)) == 3, "one after the other"
        assert table.last(PUBLIC, "ended")["ending"]["reason"] == "time"
        again = MatchState(header(clock, variant="conquest"), game, [e for es in host.appended for e in es])
        assert again.outcome == table.state.outcome

    run(script, tmp_path, header(clock, variant="conquest"))


def test_four_players_run_out_of_time_in_the_same_millisecond(tmp_path: Path) -> None:
    game = gonfalon.make("conquest")
    clock = PerTurn(60, deployment=600)

    async def script(host: Host) -> None:
        table = Table(host, header(clock, variant="conquest"), game)
        await table.sit()
        while len(table.state.due) == 1:
            player = table.state.due[0]
            await table.act(player, game.view(table.state.position, player).legal[0])
        assert table.state.due == (0, 1, 2, 3), "all of them place their units"
        host.clock.wait(600_001)
        await look(table)
        assert table.state.started
        assert [entries[0].by for entries in host.appended[-4:]] == [0, 1, 2, 3]

    run(script, tmp_path, header(clock, variant="conquest"))


@pytest.mark.parametrize("placed", [0, 3])
def test_a_deployment_is_completed_when_its_time_is_over(tmp_path: Path, placed: int) -> None:
    async def script(host: Host) -> None:
        table = Table(host, header(BANK), GAME)
        await table.sit()
        assert clocks(table, RED) == {"red": (120_000, True)}, "of others it is only told that they are ready"
        assert clocks(table, PUBLIC) == {}
        await table.act(BLUE, *draw_deployment(GAME, BLUE))
        if placed:
            await table.act(RED, *draw_deployment(GAME, RED)[:placed])
        host.clock.wait(120_001)
        await look(table)
        assert table.state.started
        played = host.appended[-1][0]
        assert isinstance(played, Played)
        assert list(played.actions[:placed]) == draw_deployment(GAME, RED)[:placed]
        assert clocks(table, RED) == {"red": (300_000, True), "blue": (300_000, False)}

    run(script, tmp_path, header(BANK))


# ---- when clocks run -------------------------------------------------------------------------------------------------


WAITING = Header(
    "timing",
    "barrage",
    {},
    (SeatHeader(secret=hash_secret("red"), maker=True), SeatHeader(invitation=hash_secret("invitation"))),
    0,
    120,
    BANK,
)


def await_guest(host: Host) -> Table:
    """Return a match whose second seat waits for its guest."""
    table = Table(host, WAITING, GAME)
    table.seats[BLUE].secret, table.seats[BLUE].invitation = "blue" * 8, "invitation"
    return table


def test_no_clock_runs_before_every_seat_was_taken(tmp_path: Path) -> None:
    async def script(host: Host) -> None:
        table = await_guest(host)
        await table.sit(RED)
        host.clock.wait(10_000_000)
        await look(table)
        assert clocks(table, RED) == {"red": (120_000, False)}
        assert deadlines.list_running(host.store) == []
        await table.sit(BLUE)
        assert clocks(table, RED) == {"red": (120_000, True)}
        assert deadlines.list_running(host.store) == ["timing"], "a start of the server loads the match"
        await table.say(BLUE, m.Resign())
        assert deadlines.list_running(host.store) == []

    run(script, tmp_path, WAITING)


def test_the_clocks_stand_still_while_a_guest_is_invited_anew(tmp_path: Path) -> None:
    async def script(host: Host) -> None:
        table = await_guest(host)
        await table.sit()
        host.clock.wait(1_000)
        await table.say(RED, m.Invite("blue"))
        host.clock.wait(1_000_000)
        assert clocks(table, RED) == {"red": (119_000, False)}
        await look(table)
        assert table.state.due == (RED, BLUE), "nobody has deployed for the guest who is still to come"

    run(script, tmp_path, WAITING)


def test_the_clocks_of_one_device_stand_still_while_the_curtain_is_down(tmp_path: Path) -> None:
    async def script(host: Host) -> None:
        table = Table(host, header(BANK, device=True), GAME)
        await table.sit()
        host.clock.wait(5_000)
        assert clocks(table, RED) == {"red": (120_000, False), "blue": (120_000, False)}, "down at first"
        await table.say(RED, m.Curtain(False))
        host.clock.wait(7_000)
        await table.say(BLUE, m.Curtain(True))
        host.clock.wait(7_000)
        assert clocks(table, BLUE) == {"red": (113_000, False), "blue": (113_000, False)}

    run(script, tmp_path, header(BANK, device=True))


def test_the_clocks_of_one_device_stand_still_when_the_turn_passes_on(tmp_path: Path) -> None:
    async def script(host: Host) -> None:
        table = Table(host, header(BANK, device=True), GAME)
        await table.sit()
        for player in (RED, BLUE, RED):
            await table.say(player, m.Curtain(False))
            host.clock.wait(1_000)
            await (move(table, RED) if table.state.started else table.act(player, *draw_deployment(GAME, player)))
            host.clock.wait(1_000_000)
        assert clocks(table, RED) == {"red": (302_000, False), "blue": (300_000, False)}
        await table.say(BLUE, m.Curtain(False))
        host.clock.wait(1_000)
        await look(table)
        assert table.state.outcome is None

    run(script, tmp_path, header(BANK, device=True))


def test_only_players_of_one_device_move_the_curtain(tmp_path: Path) -> None:
    async def script(host: Host) -> None:
        table = await begin(host, BANK)
        await table.say(RED, m.Curtain(True))
        assert table.refusal(RED) == "not-shared"
        await table.say(PUBLIC, m.Curtain(True))
        assert table.refusal(PUBLIC) == "no-seat"

    run(script, tmp_path, header(BANK))


def test_one_address_has_a_bound_of_running_matches(tmp_path: Path) -> None:
    async def script(host: Host) -> None:
        for number in range(host.config.most_running_of_address):
            host.running.take(str(number), "here")
        with pytest.raises(Declined, match="busy"):
            host.running.take("one more", "here")
        host.running.take("one more", "elsewhere")
        host.running.release("0")
        host.running.take("one more here", "here")
        host.running.take("of the start", "")

    run(script, tmp_path, header(BANK))


def test_a_client_beyond_the_bound_is_told_so(tmp_path: Path) -> None:
    async def script(host: Host) -> None:
        for number in range(host.config.most_running_of_address):
            host.running.take(str(number), "here")
        table = Table(host, header(BANK), GAME)
        table.seats[RED].address = "here"
        await table.sit(RED)
        assert table.refusal(RED) == "busy"
        assert not table.match.timing.started

    run(script, tmp_path, header(BANK))


# ---- bad input -------------------------------------------------------------------------------------------------------


def test_entries_and_headers_of_earlier_versions_read_as_before() -> None:
    assert unpack_entry(pack(OutOfTime(1, 5))) == OutOfTime(1, 5)
    assert unpack_entry(b'{"k":"played","by":0,"actions":[5]}') == Played(0, (5,))
    old = b'{"id":"a","variant":"duel","changed":{},"seats":[],"created":1,"claim_after":120}'
    assert unpack_header(old).clock is None
    assert unpack_header(pack(header(BANK))).clock == BANK


@pytest.mark.parametrize(
    ("clock", "code"),
    [
        ('{"kind":"bank","bank":0}', "bad-clock"),
        ('{"kind":"bank","bank":-5}', "bad-clock"),
        ('{"kind":"bank","bank":31536000}', "bad-clock"),
        ('{"kind":"turn","turn":1000000000}', "bad-clock"),
        ('{"kind":"correspondence","days":365}', "bad-clock"),
        ('{"kind":"bank","bank":NaN}', "bad-message"),
        ('{"kind":"bank","bank":1.5}', "bad-message"),
        ('{"kind":"bank","bank":60,"more":1}', "bad-message"),
        ('{"kind":"sand"}', "bad-message"),
    ],
)
def test_an_impossible_clock_makes_no_match(server: Server, clock: str, code: str) -> None:
    body = f'{{"variant":"barrage","seats":[{{"kind":"me"}},{{"kind":"person"}}],"clock":{clock}}}'
    answer = httpx.post(server.url("/api/matches"), content=body, headers={"content-type": "application/json"})
    assert answer.status_code == 400
    assert answer.json()["line"]["code"] == code


def test_no_client_changes_the_clock(server: Server) -> None:
    body = {"variant": "barrage", "seats": [{"kind": "me"}] * 2, "clock": {"kind": "bank", "bank": 60}}
    made = server.post("/api/matches", body).json()
    match = Match(server, made["match"], made["secrets"], made["invitations"])
    red, blue = match.both()
    before = red.welcome["match"]["clock"]
    for message in ("clocks", "clock", "set-clock"):
        blue.send(message, clock={"kind": "bank", "bank": 9_999}, seats=[], deadline=0)
        assert blue.until("refused")["line"]["code"] == "bad-message"
    assert match.sit("red").welcome["match"]["clock"] == before
