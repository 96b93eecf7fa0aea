"""Bounds of what the players of a match can store, make and ask for, however often they try."""

from __future__ import annotations

import hmac
import time
from pathlib import Path
from typing import get_args

import numpy as np
import pytest

import gonfalon
from gonfalon.server.match.bounds import DECISIONS, MOST
from gonfalon.server.match.clients.client import Client
from gonfalon.server.match.handlers.endings import MOST_WOKEN
from gonfalon.server.match.keys import SeatKeys
from gonfalon.server.protocol import messages as m
from gonfalon.server.protocol.refusals import Declined
from gonfalon.server.protocol.secrets import hash_secret, new_secret
from gonfalon.server.storage import entries
from gonfalon.server.storage.entries import Header, Invited, Named, SeatHeader
from server.harness import Match, running
from server.socketless import Host, Outlet, Table, run

INVITATION, OWN = new_secret(), new_secret()
RED = SeatHeader(secret=hash_secret("red"), maker=True)
HEADER = Header("bounds", "barrage", {}, (RED, SeatHeader(invitation=hash_secret(INVITATION))), 1, 120)
GAME = gonfalon.make("barrage")


# ---- the log -----------------------------------------------------------------------------------------------------


def test_every_kind_of_entry_is_a_decision_or_has_a_bound() -> None:
    assert set(get_args(entries.AnyEntry)) == DECISIONS | set(MOST)
    assert not DECISIONS & set(MOST)


def test_a_maker_invites_a_limited_number_of_times(tmp_path: Path) -> None:
    async def script(host: Host) -> None:
        table = Table(host, HEADER, GAME, [Invited(0, 1, "x")] * (MOST[Invited] - 1))
        await table.sit(0)
        await table.say(0, m.Invite("blue"))
        assert table.heard(0, "invitation")
        size = table.state.size
        for _ in range(3):
            await table.say(0, m.Invite("blue"))
            assert table.refusal(0) == "too-often"
        assert table.state.size == size, "nothing more is stored"
        guest = Outlet()
        secret = table.last(0, "invitation")["secret"]
        table.match.join(Client(guest, 1, OWN, secret), -1)
        await table.settle()
        assert guest.messages()[0]["type"] == "welcome", "the last invitation can still be opened"
        await table.match.stop()

    run(script, tmp_path, HEADER)


def test_names_are_bounded_over_all_guests(tmp_path: Path) -> None:
    async def script(host: Host) -> None:
        table = Table(host, HEADER, GAME, [*[Named(0, "x")] * MOST[Named], Invited(0, 1, "x")])
        table.state.renamed[0] = 0
        await table.sit(0)
        await table.say(0, m.GiveName("y"))
        assert table.refusal(0) == "too-often"
        await table.match.stop()

    run(script, tmp_path, HEADER)


def test_failed_computer_players_try_again_a_limited_number_of_times(tmp_path: Path) -> None:
    async def script(host: Host) -> None:
        table = Table(host, HEADER, GAME)
        await table.sit(0)
        for _ in range(MOST_WOKEN):
            table.match.match.presence.failed.add(1)
            await table.say(0, m.WakeAgents())
            assert not table.heard(0, "refused")
        table.match.match.presence.failed.add(1)
        await table.say(0, m.WakeAgents())
        assert table.refusal(0) == "too-often"
        await table.match.stop()

    run(script, tmp_path, HEADER)


def test_ended_keys_are_not_searched_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    keys = SeatKeys(HEADER.seats)
    ended = [new_secret() for _ in range(MOST[Invited])]
    for each in ended:
        keys.invite(1, hash_secret(each))
    keys.invite(1, hash_secret(INVITATION))
    compared: list[str] = []
    real = hmac.compare_digest
    monkeypatch.setattr(hmac, "compare_digest", lambda one, other: compared.append(one) or real(one, other))
    with pytest.raises(Declined, match="no-seat"):
        keys.find_place(new_secret(), new_secret())
    assert len(compared) == 4, "once for each seat's secret and invitation"
    for each in ended:
        with pytest.raises(Declined, match="invitation-ended"):
            keys.find_place(OWN, each)


# ---- new matches -------------------------------------------------------------------------------------------------


def test_a_rematch_counts_as_a_new_match_of_its_address(tmp_path: Path) -> None:
    with running(tmp_path, create_rate=0.001, create_burst=2) as server:
        match = server.match()
        red, blue = match.both()
        blue.send("resign")
        for client in (red, blue):
            client.until("ended")
            client.send("offer-rematch")
        ready = {"red": blue.until("rematch-ready"), "blue": red.until("rematch-ready")}
        following = Match(server, ready["red"]["match"], {side: each["secret"] for side, each in ready.items()})
        red, blue = following.both()
        red.send("resign")
        for client in (red, blue):
            client.until("ended")
        red.send("offer-rematch")
        assert blue.until("rematch-offered")["sides"] == ["red"]
        blue.send("offer-rematch")
        assert blue.until("refused")["line"]["code"] == "too-many"
        assert following.info()["next"] == ""


# ---- claims ------------------------------------------------------------------------------------------------------


def test_nobody_claims_the_win_against_a_player_who_waits_in_the_queue(tmp_path: Path) -> None:
    async def script(host: Host) -> None:
        table = Table(host, HEADER, GAME)
        presence, began = table.match.match.presence, time.monotonic()
        await table.sit(0)
        guest = Client(Outlet(), 1, OWN, INVITATION)
        table.match.join(guest, -1)
        await table.settle()
        table.match.leave(guest)
        await table.settle()
        view = GAME.view(GAME.initial_state(), 0)
        await table.act(0, *GAME.sensible_deployment(view, np.random.default_rng(1)).tolist())
        presence._clock = lambda: began + 500
        assert presence.find_absent() == (1,)
        table.match.submit(table.seats[0], m.ClaimWin())
        table.match.join(Client(Outlet(), 1, OWN, INVITATION), -1)
        await table.settle()
        assert table.refusal(0) == "nobody-away"
        assert table.state.outcome is None
        await table.match.stop()

    run(script, tmp_path, HEADER)
