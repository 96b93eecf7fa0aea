"""Matches of three: a player who resigns is out while the rest play on; claims, draw offers, drafts and rematches of
three.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from engine.trio import GO, NAME, PICK, SIDES, STOP, Trio
from gonfalon.engine.game import CHANCE, PUBLIC
from gonfalon.engine.records.record import read_record
from gonfalon.engine.records.replay import play_record
from gonfalon.server.clock.control import Bank
from gonfalon.server.match.clients.client import Client
from gonfalon.server.match.handlers.rematch import next_header
from gonfalon.server.match.state import MatchState
from gonfalon.server.protocol import messages as m
from gonfalon.server.protocol.bodies import Replay
from gonfalon.server.protocol.secrets import hash_secret
from gonfalon.server.review.replay import Finished, SceneBuilder, record_match, replay_match
from gonfalon.server.storage.entries import AnyEntry, Claimed, Header, RematchAsked, SeatHeader
from gonfalon.server.workers.pool import AgentError
from gonfalon.server.workers.requests import AgentRequest
from server.socketless import Host, Outlet, Table, run

OBSERVERS = (0, 1, 2, PUBLIC)


def header(*agents: int, claim_after: int = 120) -> Header:
    seats = tuple(
        SeatHeader(agent="fake") if p in agents else SeatHeader(secret=hash_secret(SIDES[p])) for p in range(3)
    )
    return Header("trio", "trio", {}, seats, 1, claim_after)


class TrioTable(Table):
    """A table with three seats and a spectator."""

    def __init__(self, host: Host, head: Header, entries: Sequence[AnyEntry] = ()) -> None:
        super().__init__(host, head, Trio(), entries)

    async def deploy(self) -> None:
        for player in range(3):
            await self.act(player, 0, 1)


def test_who_resigns_is_out_and_watches(tmp_path: Path) -> None:
    async def script(host: Host) -> None:
        table = TrioTable(host, header())
        await table.sit()
        await table.deploy()
        await table.act(0, GO)
        await table.say(0, m.Resign())
        assert table.state.outcome is None
        assert table.state.due == (1,), "the turn of the side that left goes to the next, after a draw of chance"
        assert table.last(1, "update")["by"] == ""
        for message in (m.Resign(), m.ClaimWin(), m.EndMatch(), m.OfferDraw(), m.AnswerDraw(accept=True)):
            await table.say(0, message)
            assert table.refusal(0) == "out"
        await table.act(0, GO)
        assert table.refusal(0) == "not-your-turn"
        await table.act(1, STOP)
        await table.act(2, STOP)
        assert table.state.due == (1,), "the side that left is not asked any more"
        assert table.last(0, "update")["seq"] == table.state.seq, "but goes on looking on"
        late = TrioTable(host, header())
        late.match.join(late.seats[1], -1)
        await table.say(2, m.Resign())
        for observer in OBSERVERS:
            ending = table.last(observer, "ended")["ending"]
            assert ending == {"reason": "resigned", "returns": [-0.5, 1.0, -0.5], "winner": "blue"}
        await late.match.stop()
        await table.match.stop()

    run(script, tmp_path, header())


def test_scenes_name_who_is_out(tmp_path: Path) -> None:
    async def script(host: Host) -> None:
        table = TrioTable(host, header())
        await table.sit()
        await table.say(1, m.Resign())
        assert not table.state.started, "the others place their pieces still"
        await table.act(0, 0, 1)
        await table.act(2, 0, 1)
        assert table.state.started
        again = Outlet()
        table.match.join(Client(again, PUBLIC), -1)
        await table.settle()
        rest = [u["patch"]["rest"] for u in table.heard(PUBLIC, "update") if "out" in (u["patch"].get("rest") or {})]
        assert [r["out"] for r in rest] == [["blue"]]
        assert b'"out":["blue"]' in again.sent[0]
        await table.match.stop()

    run(script, tmp_path, header())


def test_seats_say_whose_time_was_over(tmp_path: Path) -> None:
    """Those who come later are told the same."""

    def late(info: dict[str, Any]) -> list[bool]:
        return [seat["late"] for seat in info["seats"]]

    async def script(host: Host) -> None:
        table = TrioTable(host, timed)
        await table.sit()
        await table.deploy()
        host.clock.wait(300_001)
        table.match.check_time()
        await table.settle()
        assert table.state.out == {0}
        assert late(table.last(1, "presence")["match"]) == [True, False, False]
        again = Outlet()
        table.match.join(Client(again, PUBLIC), -1)
        await table.settle()
        assert late(msgspec.json.decode(again.sent[0])["match"]) == [True, False, False]
        await table.match.stop()

    timed = msgspec.structs.replace(header(), clock=Bank(300))
    run(script, tmp_path, timed)


def test_drafts_of_others_are_kept_when_somebody_resigns(tmp_path: Path) -> None:
    async def script(host: Host) -> None:
        table = TrioTable(host, header())
        await table.sit()
        await table.deploy()
        await table.act(0, PICK, NAME + 1)
        assert table.draft(0) == (PICK, NAME + 1)
        await table.say(2, m.Resign())
        assert table.last(0, "update")["draft"]
        assert [t["id"] for t in table.last(0, "update")["patch"].get("tokens", ())] == []
        await table.act(0, NAME + 2)
        assert table.state.steps[-1].actions == (PICK, NAME + 1, NAME + 2)
        await table.act(0, PICK, NAME)
        await table.say(0, m.Resign())
        assert not table.draft(0), "the draft of the side that left is gone"
        assert table.state.outcome is not None
        await table.match.stop()

    run(script, tmp_path, header())


def test_who_places_still_goes_on_placing(tmp_path: Path) -> None:
    async def script(host: Host) -> None:
        table = TrioTable(host, header())
        await table.sit()
        await table.act(0, 1)
        await table.say(1, m.Resign())
        assert table.draft(0) == (1,)
        await table.act(0, 0)
        await table.act(2, 0, 0)
        assert table.state.started
        assert table.state.due == (0,)
        await table.match.stop()

    run(script, tmp_path, header())


# ---- draws --------------------------------------------------------------------------------------------------------


def test_a_draw_takes_all_who_are_not_out(tmp_path: Path) -> None:
    async def script(host: Host) -> None:
        table = TrioTable(host, header())
        await table.sit()
        await table.deploy()
        await table.say(2, m.Resign())
        await table.say(0, m.OfferDraw())
        await table.act(0, GO)
        await table.act(0, GO)
        assert table.state.offers.open == (0,), "a turn of several actions is one turn"
        await table.say(1, m.AnswerDraw(accept=True))
        ending = table.last(2, "ended")["ending"]
        assert ending == {"reason": "agreed", "returns": [0.25, 0.25, -0.5], "winner": ""}
        await table.match.stop()

    run(script, tmp_path, header())


def test_an_offer_is_agreed_when_the_last_who_had_not_answered_is_out(tmp_path: Path) -> None:
    async def script(host: Host) -> None:
        table = TrioTable(host, header())
        await table.sit()
        await table.deploy()
        await table.say(0, m.OfferDraw())
        await table.say(1, m.AnswerDraw(accept=True))
        assert table.state.outcome is None
        await table.say(2, m.Resign())
        assert table.state.outcome is not None
        assert table.state.outcome.reason == "agreed"
        assert [u["events"][0]["code"] for u in table.heard(PUBLIC, "update")[-2:]] == ["resigned", "agreed"]
        loaded = await host.store.load("trio")
        assert loaded is not None
        again = MatchState(loaded[0], Trio(), loaded[1])
        assert again.steps == table.state.steps
        assert again.outcome == table.state.outcome
        await table.match.stop()

    run(script, tmp_path, header())


def test_the_offer_of_who_goes_out_is_gone(tmp_path: Path) -> None:
    async def script(host: Host) -> None:
        table = TrioTable(host, header())
        await table.sit()
        await table.deploy()
        await table.say(2, m.OfferDraw())
        await table.say(0, m.AnswerDraw(accept=True))
        await table.say(2, m.Resign())
        assert table.last(1, "draw-offers")["sides"] == []
        assert table.state.outcome is None
        await table.match.stop()

    run(script, tmp_path, header())


# ---- claims -------------------------------------------------------------------------------------------------------


def test_a_claim_withdraws_who_is_absent(tmp_path: Path) -> None:
    head = header(claim_after=0)

    async def script(host: Host) -> None:
        table = TrioTable(host, head)
        await table.sit()
        await table.act(0, 0, 1)
        table.match.leave(table.seats[1])
        await table.settle()
        await table.say(0, m.ClaimWin())
        assert table.state.outcome is None, "green is there"
        assert table.state.out == {1}
        await table.act(2, 0, 1)
        assert table.state.due == (0,)
        await table.act(0, STOP)
        table.match.leave(table.seats[2])
        await table.settle()
        await table.say(0, m.ClaimWin())
        assert table.last(0, "ended")["ending"] == {"reason": "claimed", "returns": [1.0, -0.5, -0.5], "winner": "red"}
        loaded = await host.store.load("trio")
        assert loaded is not None
        assert [e for e in loaded[1] if isinstance(e, Claimed)] == [Claimed(0, (1,)), Claimed(0, (2,))]
        record = record_match(table.state)
        assert [f"{s.by}: {s.text}" for s in record.steps if s.text in ("resigns", "claims")] == [
            "blue: resigns",
            "red: claims",
        ]
        await table.match.stop()

    run(script, tmp_path, head)


def test_a_claim_against_all_others_wins(tmp_path: Path) -> None:
    head = header(claim_after=0)

    async def script(host: Host) -> None:
        table = TrioTable(host, head)
        await table.sit()
        await table.act(2, 0, 1)
        for absent in (0, 1):
            table.match.leave(table.seats[absent])
        await table.say(2, m.ClaimWin())
        assert table.state.outcome is not None
        assert table.state.outcome.best == (2,)
        assert table.state.outcome.reason == "claimed"
        await table.match.stop()

    run(script, tmp_path, head)


def test_who_shares_a_device_is_there_with_the_others(tmp_path: Path) -> None:
    shares = {"maker": True, "device": True}
    seats = tuple(SeatHeader(secret=hash_secret(side), **(shares if side != SIDES[2] else {})) for side in SIDES)
    head = Header("trio", "trio", {}, seats, 1, 0)

    async def script(host: Host) -> None:
        table = TrioTable(host, head)
        await table.sit(0, 2)
        await table.say(2, m.ClaimWin())
        assert table.refusal(2) == "nobody-away", "blue sits beside red"
        table.match.join(table.seats[1], -1)
        table.match.leave(table.seats[0])
        await table.say(2, m.ClaimWin())
        assert table.refusal(2) == "nobody-away"
        assert [seat.here for seat in table.match.match.presence.describe().seats] == [True, True, True]
        table.match.leave(table.seats[1])
        await table.settle()
        assert table.match.match.presence.find_absent() == (0, 1)
        await table.act(2, 0, 1)
        await table.say(2, m.ClaimWin())
        assert table.last(2, "ended")["ending"]["winner"] == "green"
        await table.match.stop()

    run(script, tmp_path, head)


# ---- rematches ----------------------------------------------------------------------------------------------------


def test_everyone_moves_on_by_one_seat() -> None:
    head = header(1)
    match_state = MatchState(head, Trio())
    match_state.next = "next"
    for player in (0, 2):
        match_state.apply(RematchAsked(player, "next", f"secret {player}"))
    following = next_header(match_state, 7)
    assert following.claim_after == 7
    assert [(s.secret, s.agent) for s in following.seats] == [("secret 2", ""), ("secret 0", ""), ("", "fake")]


# ---- computer players ---------------------------------------------------------------------------------------------


class Thinker:
    """Computer players that answer with one action at a time; player 2 does not answer."""

    async def decide(self, request: AgentRequest, *_: Any, **__: Any) -> list[int]:
        view: Any = request.view
        if view.observer == 2 and view.state.turn > 1:
            raise AgentError("has died")
        legal = [int(a) for a in view.legal]
        return [random.Random(view.state.turn + len(view.state.cards)).choice(legal)]

    async def close(self) -> None:
        pass


def test_a_computer_player_may_answer_action_by_action(tmp_path: Path) -> None:
    """Two computer players place pieces, pick places and end turns; then one fails, and the match can be ended."""

    async def script(host: Host) -> None:
        host.pool = Thinker()
        table = TrioTable(host, header(1, 2))
        await table.sit(0, PUBLIC)
        await table.act(0, 0, 1)
        while not table.match.match.presence.failed:
            if 0 in table.state.due:
                await table.act(0, STOP)
            await asyncio.sleep(0)
            await table.settle()
        compound = {len(s.actions) for s in table.state.steps if s.by > 0}
        assert compound >= {2}, "placements were kept until they were complete"
        assert table.match.match.presence.failed == {2}
        await table.say(0, m.EndMatch())
        assert table.last(0, "ended")["ending"]["reason"] == "no-result"
        await table.match.stop()

    run(script, tmp_path, header(1, 2))


# ---- records ------------------------------------------------------------------------------------------------------


def test_a_match_in_which_somebody_resigned_replays(tmp_path: Path) -> None:
    async def script(host: Host) -> None:
        table = TrioTable(host, header())
        await table.sit()
        await table.act(2, 0)
        await table.deploy()
        await table.act(2, 1)
        for action in (GO, GO, STOP):
            await table.act(0, action)
        await table.act(1, PICK, NAME, NAME + 1)
        await table.say(1, m.Resign())
        while table.state.outcome is None:
            (player,) = table.state.due
            await table.act(player, GO if table.state.position.turn < 4 and not table.state.position.turn % 2 else STOP)
            if table.state.position.turn < 4 and table.state.due == (player,):
                await table.act(player, STOP)
        record = record_match(table.state)
        text = record.write()
        assert "blue: resigns" in text
        assert record.result == f"{SIDES[table.state.outcome.best[0]]} wins (turns)"
        again = list(play_record(Trio(), read_record(text)))
        assert [(p, a) for _, p, a, _ in again if p != CHANCE and a >= GO] == [
            (s.by, a) for s in table.state.steps if s.by >= 0 for a in s.actions if a >= GO
        ]
        told = msgspec.json.decode(replay_match(SceneBuilder(Trio()), Finished.of(table.state)), type=Replay)
        assert len(told.steps) == table.state.seq
        assert told.ending is not None
        await table.match.stop()

    run(script, tmp_path, header())
