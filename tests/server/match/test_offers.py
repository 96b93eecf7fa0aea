"""GR-21: draw offers, tested as an immutable value and over the socket."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import gonfalon
from ai.test_offers import BEHIND
from gonfalon.engine.events import AGREE
from gonfalon.engine.offers import DrawOffers, OfferError
from gonfalon.engine.records.replay import NOBODY
from gonfalon.server.match.handlers.draws import STEPS_BETWEEN
from gonfalon.server.protocol import messages as m
from gonfalon.server.workers.agent_worker import AgentWorker
from gonfalon.server.workers.pool import AgentError
from gonfalon.server.workers.requests import AgentRequest, Job
from server.against import HEADER, deploy, first
from server.harness import Client, Match, play
from server.socketless import Host, Table, run, until


def code(call: object, *arguments: object) -> str:
    with pytest.raises(OfferError) as caught:
        call(*arguments)  # type: ignore[operator]
    return caught.value.refusal.code


def test_gr_21_offered_once_play_has_started() -> None:
    assert code(DrawOffers(2).offer, 0, False) == "not-started"
    assert DrawOffers(2).offer(0, True).open == (0,)


def test_gr_21_one_open_offer_a_player() -> None:
    offers = DrawOffers(2).offer(0, True)
    assert code(offers.offer, 0, True) == "offer-stands"
    assert offers.offer(1, True).open == (0, 1)


def test_gr_21_stands_until_accepted_refused_or_the_other_completed_his_turn() -> None:
    offers = DrawOffers(2).offer(0, True)
    assert offers.complete_turn(0).open == (0,)
    assert offers.complete_turn(1).open == ()
    assert offers.answer(1, accept=False).open == ()
    assert not offers.is_agreed
    assert offers.answer(1, accept=True).is_agreed
    assert offers.open == (0,), "the first value has not changed"


def test_gr_21_an_offer_awaits_the_others_who_have_not_accepted() -> None:
    offers = DrawOffers(3).offer(0, True)
    assert [offers.awaits(player) for player in range(3)] == [False, True, True]
    assert [offers.answer(1, accept=True).awaits(player) for player in range(3)] == [False, False, True]
    assert not offers.drop_players(frozenset({2})).awaits(2)
    assert not DrawOffers(3).awaits(0)


def test_gr_21_only_the_other_answers() -> None:
    assert code(DrawOffers(2).answer, 1, True) == "no-offer"
    assert code(DrawOffers(2).offer(0, True).answer, 0, True) == "no-offer"


def test_gr_21_all_others_must_accept() -> None:
    offers = DrawOffers(3).offer(0, True).answer(1, accept=True)
    assert not offers.is_agreed
    assert offers.complete_turn(1).open == (0,)
    assert offers.answer(2, accept=True).is_agreed
    assert offers.complete_turn(2).open == ()


def test_who_is_out_counts_no_more() -> None:
    offers = DrawOffers(3).offer(0, True).offer(2, True).answer(1, accept=True)
    assert not offers.is_agreed
    assert offers.drop_players(frozenset({2})).open == (0,)
    assert offers.drop_players(frozenset({2})).is_agreed, "all who are left have accepted"
    left = DrawOffers(3).drop_players(frozenset({2}))
    assert code(left.offer, 2, True) == "out"
    assert code(left.offer(0, True).answer, 2, True) == "out"
    assert left.offer(0, True).answer(1, accept=True).is_agreed


def refused(client: Client, kind: str, **fields: object) -> str:
    client.send(kind, **fields)
    return str(client.until("refused")["line"]["code"])


def start(match: Match, rng: random.Random) -> tuple[Client, Client]:
    red, blue = match.both()
    red.deploy(rng)
    blue.deploy(rng)
    while not red.choices:
        red.next()
    return red, blue


def test_gr_21_over_the_socket(match: Match, rng: random.Random) -> None:
    red, blue = match.both()
    assert refused(red, "offer-draw") == "not-started"
    red.deploy(rng)
    blue.deploy(rng)
    assert refused(blue, "answer-draw", accept=True) == "no-offer"
    red.send("offer-draw")
    assert blue.until("draw-offers")["sides"] == ["red"]
    assert refused(red, "offer-draw") == "offer-stands"
    watcher = match.sit()
    assert watcher.welcome["offers"] == ["red"]
    watcher.close()
    while not red.choices:
        red.next()
    red.act([red.choices[0]["id"]])
    while not blue.choices:
        blue.next()
    window = match.sit("blue")
    assert window.welcome["offers"] == ["red"], "stands through the own turn"
    window.close()
    blue.act([blue.choices[0]["id"]])
    assert blue.until("draw-offers")["sides"] == []
    blue.send("offer-draw")
    assert blue.until("draw-offers")["sides"] == ["blue"]
    red.send("answer-draw", accept=False)
    assert blue.until("draw-offers")["sides"] == []
    blue.send("offer-draw")
    assert blue.until("refused")["line"] == {"code": "offered-lately", "args": {"count": STEPS_BETWEEN}}
    play((red, blue), rng, STEPS_BETWEEN - 1)
    blue.send("offer-draw")
    assert blue.until("refused")["line"] == {"code": "offered-lately", "args": {"count": 1}}
    play((red, blue), rng, 1)
    blue.send("offer-draw")
    assert blue.until("draw-offers")["sides"] == ["blue"]
    red.send("answer-draw", accept=True)
    ended = blue.until("ended")
    assert ended["ending"] == {"reason": "agreed", "returns": [0.0, 0.0], "winner": ""}
    assert refused(blue, "offer-draw") == "over"


def test_gr_21_resign_at_any_time(server: object, match: Match, rng: random.Random) -> None:
    red, blue = match.both()
    blue.send("resign")
    ended = red.until("ended")
    assert ended["ending"]["reason"] == "resigned"
    assert ended["ending"]["winner"] == "red"
    assert refused(blue, "resign") == "over"
    again = match.sit("red")
    assert again.welcome["ending"]["winner"] == "red"
    assert not again.choices
    other = match.server.match()
    red, blue = start(other, rng)
    blue.send("resign")
    assert red.until("ended")["ending"]["winner"] == "red"


# ---- computer players ------------------------------------------------------------------------------------------------


class Weighing:
    """Computer players that answer draw offers as the test orders, when the test lets them."""

    def __init__(self, accepts: bool = False) -> None:
        self.accepts = accepts
        self.fails = False
        self.asked: list[str] = []
        self.go = asyncio.Event()

    async def decide(self, request: AgentRequest, *_: Any, **__: Any) -> list[int]:
        self.asked.append("decide")
        await self.go.wait()
        return [int(request.view.legal[0])]

    async def answer_offer(self, *_: Any) -> bool:
        self.asked.append("answer")
        if self.fails:
            raise AgentError("died")
        return self.accepts


async def sit_down(host: Host, weighing: Weighing) -> Table:
    """Return a table at which Red, a person, is to move."""
    host.pool = weighing  # type: ignore[assignment]
    table = Table(host, HEADER, gonfalon.make("barrage"))
    await deploy(table)
    weighing.asked.clear()
    return table


def offer_and_move(folder: Path, weighing: Weighing, *, check: Callable[[Table], bool]) -> Table:
    """Let Red offer a draw and move, then let Blue's computer player answer; return the table once `check` holds."""
    tables: list[Table] = []

    async def script(host: Host) -> None:
        table = await sit_down(host, weighing)
        tables.append(table)
        await table.say(0, m.OfferDraw())
        assert weighing.asked == [], "it answers when it is to move"
        await table.act(0, first(table, 0))
        weighing.go.set()
        await until(lambda: check(table))
        await table.match.stop()

    run(script, folder, HEADER)
    return tables[0]


def test_gr_21_a_computer_player_accepts(tmp_path: Path) -> None:
    weighing = Weighing(accepts=True)
    table = offer_and_move(tmp_path, weighing, check=lambda table: table.state.outcome is not None)
    assert table.state.outcome is not None
    assert table.state.outcome.reason == "agreed"
    assert weighing.asked == ["answer"]


@pytest.mark.parametrize("fails", [False, True])
def test_gr_21_a_computer_player_refuses_and_moves(tmp_path: Path, fails: bool) -> None:
    weighing = Weighing()
    weighing.fails = fails
    table = offer_and_move(tmp_path, weighing, check=lambda table: table.state.due == (0,))
    assert weighing.asked == ["answer", "decide"]
    assert table.last(0, "draw-offers")["sides"] == []
    assert not table.match.match.presence.failed


def test_gr_21_an_offer_is_heard_while_a_computer_player_thinks(tmp_path: Path) -> None:
    weighing = Weighing(accepts=True)

    async def script(host: Host) -> None:
        table = await sit_down(host, weighing)
        await table.act(0, first(table, 0))
        await table.say(0, m.OfferDraw())
        assert weighing.asked == ["decide"]
        weighing.go.set()
        await until(lambda: table.state.outcome is not None)
        assert weighing.asked == ["decide", "answer"]
        assert [entry.by for entry in table.state.moves.steps if entry.actions == (AGREE,)] == [NOBODY]
        await table.match.stop()

    run(script, tmp_path, HEADER)


@pytest.mark.parametrize(("agent", "accepts"), [("level-8", True), ("random", False)])
def test_gr_21_a_process_answers_for_a_player(agent: str, accepts: bool) -> None:
    game, thinking = gonfalon.make("barrage"), AgentWorker()
    state = game.parse_state(BEHIND)
    request = AgentRequest("m", "barrage", {}, agent, game.view(state, 0))
    assert thinking.answer(Job("load", request)) == []
    assert thinking.answer(Job("answer", request, 0.2)) == [accepts]
