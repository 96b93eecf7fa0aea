"""Matches of the lobby can be called off until every player has decided twice; rematches keep their terms."""

from __future__ import annotations

from pathlib import Path

import msgspec

import gonfalon
from gonfalon.server.clock.control import Bank, Control, Correspondence
from gonfalon.server.match.handlers.rematch import next_header
from gonfalon.server.match.public import Ended, Fact
from gonfalon.server.match.state import MatchState
from gonfalon.server.protocol import messages as m
from gonfalon.server.protocol.secrets import hash_secret
from gonfalon.server.storage.entries import CalledOff, Header, SeatHeader
from gonfalon.server.storage.store import Statements
from server.against import deploy, first
from server.socketless import Host, Script, Table, run

SEATS = tuple(SeatHeader(secret=hash_secret(side), person=side * 2) for side in ("red", "blue"))
HEADER = Header("m", "barrage", {}, SEATS, 0, 120, Bank(300, increment=3), listed=True, rated=True)


class Hearer:
    """A listener that keeps the facts."""

    def __init__(self) -> None:
        self.heard: list[Fact] = []

    def prepare(self, _fact: Fact) -> Statements:
        return ()

    def publish(self, fact: Fact) -> None:
        self.heard.append(fact)


def sit(host: Host, header: Header = HEADER) -> Table:
    return Table(host, header, gonfalon.make("barrage"))


def test_a_player_calls_the_match_off(tmp_path: Path) -> None:
    hearer = Hearer()

    async def script(host: Host) -> None:
        host.listeners = (hearer,)
        table = sit(host)
        await table.sit()
        assert table.last(0, "welcome")["match"]["may_call_off"]
        await table.say(1, m.CallOff())
        ended = table.last(0, "ended")
        assert ended["ending"]["reason"] == "no-result"
        assert ended["match"]["called_off"] == "blue"
        assert not ended["match"]["may_call_off"]
        fact = hearer.heard[-1]
        assert isinstance(fact, Ended)
        assert fact.called_off == 1
        assert not fact.counts
        loaded = await host.store.load("m")
        assert loaded is not None
        assert loaded[1][-1] == CalledOff(1)
        assert MatchState(HEADER, gonfalon.make("barrage"), loaded[1]).calling_off.by == 1
        await table.match.stop()

    run(script, tmp_path, HEADER)


def test_not_after_two_decisions_of_each(tmp_path: Path) -> None:
    async def script(host: Host) -> None:
        table = sit(host)
        await deploy(table)
        await table.sit(1)
        for player in (0, 1, 0):
            await table.act(player, first(table, player))
        assert table.state.may_call_off, "blue has decided once"
        await table.act(1, first(table, 1))
        assert table.state.outcome is None
        assert not table.last(0, "presence")["match"]["may_call_off"]
        await table.say(0, m.CallOff())
        assert table.refusal(0) == "decided-twice"
        assert table.state.outcome is None
        await table.match.stop()

    run(script, tmp_path, HEADER)


def refuse(header: Header) -> Script:
    async def script(host: Host) -> None:
        table = sit(host, header)
        await table.sit()
        await table.say(0, m.CallOff())
        assert table.refusal(0) == "not-live"
        await table.match.stop()

    return script


def test_not_after_a_player_has_left(tmp_path: Path) -> None:
    """With more than two, the others play on; calling off would undo the loss of the player who left."""
    seats = tuple(SeatHeader(secret=hash_secret(side), person=side * 2) for side in ("red", "blue", "green", "ochre"))
    header = Header("m", "conquest", {}, seats, 0, 120, Bank(300, increment=3), listed=True, rated=True)

    async def script(host: Host) -> None:
        table = Table(host, header, gonfalon.make("conquest"))
        await table.sit()
        assert table.state.may_call_off
        await table.say(2, m.Resign())
        assert table.state.outcome is None
        assert not table.state.may_call_off
        await table.say(0, m.CallOff())
        assert table.refusal(0) == "decided-twice"
        await table.match.stop()

    run(script, tmp_path, header)


def test_only_live_matches_of_the_lobby(tmp_path: Path) -> None:
    clocks: tuple[tuple[bool, Control], ...] = ((False, Bank(300)), (True, Correspondence(3)))
    for number, (listed, clock) in enumerate(clocks):
        header = msgspec.structs.replace(HEADER, listed=listed, clock=clock)
        (folder := tmp_path / str(number)).mkdir()
        run(refuse(header), folder, header)


def test_a_clock_starts_though_one_person_has_not_come(tmp_path: Path) -> None:
    """Both wanted the match, so neither can keep it waiting."""

    async def script(host: Host) -> None:
        table = sit(host)
        await table.sit(0)
        assert table.match.timing.started
        await table.match.stop()

    run(script, tmp_path, HEADER)


def test_a_rematch_has_the_same_terms(tmp_path: Path) -> None:
    async def script(host: Host) -> None:
        table = sit(host)
        await table.sit()
        await table.say(0, m.Resign())
        await table.say(0, m.OfferRematch())
        await table.say(1, m.OfferRematch())
        header = next_header(table.state, 120)
        assert (header.listed, header.rated, header.clock) == (True, True, HEADER.clock)
        assert [seat.person for seat in header.seats] == ["blueblue", "redred"]
        loaded = await host.store.load(header.id)
        assert loaded is not None
        assert loaded[0].rated
        await table.match.stop()

    run(script, tmp_path, HEADER)
