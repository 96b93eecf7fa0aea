"""Matches with chance: a deal before anyone acts, and draws after each move. The game is a grid game with cards that
have no effect on play, since the tests are about the server alone.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from gonfalon.engine.events import Event
from gonfalon.engine.game import CHANCE, PUBLIC
from gonfalon.games import make
from gonfalon.server.match.state import MatchState
from gonfalon.server.protocol import messages as m
from gonfalon.server.protocol.secrets import hash_secret
from gonfalon.server.storage.entries import AnyEntry, Header, Offered, Played, SeatHeader, Taken
from server.socketless import Host, Table, run

DEALT, DRAWN, CARDS = 5, 3, 4
"""Number of cards dealt at the start, of cards drawn after each move, and of kinds of cards."""


class Cards:
    """A grid game with cards. A state consists of the number of cards still to draw, the cards drawn so far, the grid
    game's state, and whether the last action drew a card.
    """

    def __init__(self) -> None:
        self.inner = make("barrage")
        self.info = msgspec.structs.replace(self.inner.info, chance=True)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    def initial_state(self) -> Any:
        return DEALT, (), self.inner.initial_state(), False

    def to_act(self, state: Any) -> tuple[int, ...]:
        return (CHANCE,) if state[0] else self.inner.to_act(state[2])

    def chance_outcomes(self, state: Any) -> Any:
        assert state[0], "no chance is due"
        return np.arange(CARDS, dtype=np.int32), np.full(CARDS, 1 / CARDS)

    def apply(self, state: Any, player: int, action: int) -> Any:
        due, cards, inner, _ = state
        if due:
            assert player == CHANCE
            return due - 1, (*cards, action), inner, True
        deploying = len(self.inner.to_act(inner)) > 1 or self.arranges(inner, player)
        return 0 if deploying else DRAWN, cards, self.inner.apply(inner, player, action), False

    def arranges(self, inner: Any, player: int) -> bool:
        return self.inner.standing(self.inner.view(inner, player)).arranges

    def is_open(self, state: Any, player: int) -> bool:
        return self.inner.is_open(state[2], player)

    def outcome(self, state: Any) -> Any:
        return self.inner.outcome(state[2])

    def view(self, state: Any, player: int) -> Any:
        return self.inner.view(state[2], player)

    def events(self, action: int, after: Any, observer: int) -> tuple[Event, ...]:
        if after[3] and action >= 0:
            return (Event("dealt", {"card": action}),)
        return self.inner.events(action, after[2], observer)


HEADER = Header("cards", "barrage", {}, tuple(SeatHeader(secret=hash_secret(x)) for x in ("red", "blue")), 1, 120)


class CardTable(Table):
    """A table with red, blue and a spectator."""

    def __init__(self, host: Host, entries: Sequence[AnyEntry] = ()) -> None:
        self.game = Cards()
        super().__init__(host, HEADER, self.game, entries)

    async def deploy(self) -> None:
        rng = np.random.default_rng(3)
        for player in (0, 1):
            await self.act(player, *self.game.random_deployment(self.game.view(self.state.position, player), rng))

    async def move(self) -> None:
        """Make a legal move that does not end the match."""
        state = self.state.position
        (player,) = self.state.due
        legal = self.game.legal_actions(state[2], player)
        await self.act(player, random.Random(1).choice(list(legal)))


def test_who_joins_sees_the_deal_done(tmp_path: Path) -> None:
    async def script(host: Host) -> None:
        table = CardTable(host)
        await table.sit()
        for observer in (0, 1, PUBLIC):
            (welcome,) = table.heard(observer, "welcome")
            assert welcome["now"]["seq"] == DEALT
            assert not welcome["match"]["started"]
            assert not table.heard(observer, "update")
        loaded = await host.store.load(HEADER.id)
        assert loaded is not None
        deal = loaded[1][:DEALT]
        assert all(isinstance(e, Played) and e.by == CHANCE and len(e.actions) == 1 for e in deal)
        assert len(host.appended[0]) == DEALT, "stored together"
        await table.match.stop()

    run(script, tmp_path, HEADER)


def test_a_log_that_ends_within_a_deal_goes_on(tmp_path: Path) -> None:
    async def script(host: Host) -> None:
        log = [Played(CHANCE, (1,)), Played(CHANCE, (2,))]
        await host.store.append(HEADER.id, 0, log)
        table = CardTable(host, log)
        await table.sit()
        assert table.state.seq == DEALT
        assert table.state.position[1][:2] == (1, 2)
        await table.match.stop()
        loaded = await host.store.load(HEADER.id)
        assert loaded is not None
        again = MatchState(HEADER, Cards(), loaded[1])  # type: ignore[arg-type]
        assert again.position[1] == table.state.position[1]
        assert loaded[1] == [*log, *loaded[1][2:DEALT], Taken(0), Taken(1)]

    run(script, tmp_path, HEADER)


def test_draws_are_steps_stored_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def replays(*_: object) -> None:
        raise AssertionError("a move replays the whole match")

    async def script(host: Host) -> None:
        table = CardTable(host)
        await table.sit()
        await table.deploy()
        monkeypatch.setattr(MatchState, "recall", replays)
        monkeypatch.setattr(table.state.game, "initial_state", replays)
        assert table.state.started
        first = table.state.seq
        host.appended.clear()
        await table.move()
        assert [len(entries) for entries in host.appended] == [1 + DRAWN]
        for observer in (0, 1, PUBLIC):
            updates = [u for u in table.heard(observer, "update") if u["seq"] > first]
            assert [u["seq"] for u in updates] == list(range(first + 1, first + 2 + DRAWN))
            assert [u["by"] for u in updates] == ["red", *[""] * DRAWN]
            assert [u["events"][0]["code"] for u in updates[1:]] == ["dealt"] * DRAWN
        assert table.state.started
        await table.match.stop()

    run(script, tmp_path, HEADER)


def test_offers_lapse_with_the_turn_of_a_player(tmp_path: Path) -> None:
    """Cards that chance draws after a move belong to the next player's turn. A draw offer lapses when that turn ends,
    not when the cards are drawn.
    """

    async def script(host: Host) -> None:
        table = CardTable(host)
        await table.sit()
        await table.say(0, m.OfferDraw())
        assert table.refusal(0) == "not-started"
        await table.deploy()
        await table.say(0, m.OfferDraw())
        await table.move()
        assert table.state.offers.open == (0,), "stands through the own turn"
        await table.move()
        assert table.state.offers.open == ()
        await table.match.stop()

    run(script, tmp_path, HEADER)


def test_arranging_in_the_middle_leaves_a_match_started() -> None:
    game = Cards()
    match_state = MatchState(HEADER, game)  # type: ignore[arg-type]
    for number in range(DEALT):
        assert not match_state.started
        match_state.apply(Played(CHANCE, (number % CARDS,)))
    assert not match_state.started, "pieces are to be arranged"
    rng = np.random.default_rng(3)
    for player in (0, 1):
        actions = game.random_deployment(game.view(match_state.position, player), rng)
        match_state.apply(Played(player, tuple(int(a) for a in actions)))
    assert match_state.started
    match_state.apply(Offered(0))
    match_state.position, match_state.due = game.initial_state(), (CHANCE,)
    match_state.apply(Played(CHANCE, (0,)))
    assert match_state.started
