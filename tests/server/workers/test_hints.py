"""Hints: what the strongest computer player would choose, knowing only what the match's only person knows."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import gonfalon
from gonfalon.engine.chance import draw_all
from gonfalon.engine.records.record import read_record
from gonfalon.engine.search import Mind, Option
from gonfalon.server.match.bounds import MOST
from gonfalon.server.match.computers.hints import name_steps
from gonfalon.server.protocol import messages as m
from gonfalon.server.storage.entries import Hinted
from gonfalon.server.workers.pool import AgentError, OutdatedError
from gonfalon.server.workers.requests import AgentRequest
from server.against import HEADER, begin, deploy, first, follow, turn
from server.harness import Server
from server.socketless import Host, Table, run, until


def test_a_hint_is_a_choice_and_stands_in_the_record(server: Server, rng: random.Random) -> None:
    match, red = begin(server, rng)
    watcher = match.sit()
    red.send("ask-advice")
    hint = red.until("advice", 180)
    assert hint["path"] in [choice["path"] for choice in red.choices]
    assert 0 <= hint["chance"] <= 1
    red.send("ask-advice")
    assert red.until("advice") == hint, "the same position, the same hint"
    assert match.info()["hints"] == 1
    follow(watcher, red)
    assert not [text for text in watcher.raw if '"advice"' in text], "a hint is its player's alone"
    turn(red)
    if not red.over:  # against `random` the match may already be over
        red.send("resign")
        red.until("ended")
    assert read_record(server.get(f"/api/matches/{match.id}/record").text).aids == {"hints": 1}
    assert server.get(f"/api/matches/{match.id}/replay").json()["hints"] == 1
    server.let_go()


def test_where_there_is_none(server: Server, rng: random.Random) -> None:
    match = server.match()
    red, _ = match.both()
    red.send("ask-advice")
    assert red.until("refused")["line"]["code"] == "not-alone"
    alone = server.match(("me", "random"))
    red, watcher = alone.sit("red"), alone.sit()
    red.send("ask-advice")
    assert red.until("refused")["line"]["code"] == "no-hint", "the pieces are to be placed"
    watcher.send("ask-advice")
    assert watcher.until("refused")["line"]["code"] == "no-seat"
    red.send("resign")
    red.until("ended")
    red.send("ask-advice")
    assert red.until("refused")["line"]["code"] == "over"
    server.let_go()


class Oracle:
    """Computer players that only give hints, when the test lets them."""

    def __init__(self) -> None:
        self.asked = 0
        self.overtaken = 0
        self.fails = False
        self.go = asyncio.Event()

    async def decide(self, *_: Any, **__: Any) -> Any:
        await asyncio.Event().wait()

    async def consider(self, request: AgentRequest, _seconds: float, wanted: Callable[[], bool]) -> list[Option]:
        self.asked += 1
        await self.go.wait()
        if self.fails:
            raise AgentError("died")
        if not wanted():
            self.overtaken += 1
            raise OutdatedError
        return [Option((int(request.view.legal[0]),), 0.5)]


async def sit_down(host: Host) -> tuple[Table, Oracle]:
    oracle = host.pool = Oracle()  # type: ignore[assignment]
    table = Table(host, HEADER, gonfalon.make("barrage"))
    await deploy(table)
    return table, oracle


async def answer(table: Table, oracle: Oracle) -> None:
    oracle.go.set()
    await until(lambda: not table.match._hints.busy)
    await table.settle()


def test_one_at_a_time(tmp_path: Path) -> None:
    async def script(host: Host) -> None:
        table, oracle = await sit_down(host)
        await table.say(0, m.AskAdvice())
        await table.say(0, m.AskAdvice())
        assert table.refusal(0) == "hint-under-way"
        await answer(table, oracle)
        assert [hint["chance"] for hint in table.heard(0, "advice")] == [0.75]
        assert oracle.asked == 1
        await table.match.stop()

    run(script, tmp_path, HEADER)


def test_a_match_has_a_limited_number(tmp_path: Path) -> None:
    async def script(host: Host) -> None:
        table, oracle = await sit_down(host)
        table.state.counts[Hinted] = MOST[Hinted]
        await table.say(0, m.AskAdvice())
        assert table.refusal(0) == "too-often"
        assert oracle.asked == 0
        await table.match.stop()

    run(script, tmp_path, HEADER)


def test_nobody_thinks_about_what_was_decided_meanwhile(tmp_path: Path) -> None:
    async def script(host: Host) -> None:
        table, oracle = await sit_down(host)
        await table.say(0, m.AskAdvice())
        await table.act(0, first(table, 0))
        await answer(table, oracle)
        assert oracle.overtaken == 1, "it was not thought about"
        assert not table.heard(0, "advice")
        assert table.state.hints == 0, "what was not seen does not count"
        await table.match.stop()

    run(script, tmp_path, HEADER)


def test_a_failure_is_told_and_another_may_be_asked(tmp_path: Path) -> None:
    async def script(host: Host) -> None:
        table, oracle = await sit_down(host)
        oracle.fails = True
        await table.say(0, m.AskAdvice())
        await answer(table, oracle)
        assert table.refusal(0) == "hint-failed"
        oracle.fails = False
        await table.say(0, m.AskAdvice())
        await answer(table, oracle)
        assert len(table.heard(0, "advice")) == 1
        await table.match.stop()

    run(script, tmp_path, HEADER)


def test_a_hint_of_a_compound_choice_names_its_parts_too() -> None:
    """The hint is Conquest's Secret Information: first the card, then the two units to look at."""
    game, rng = gonfalon.make("conquest-narrows"), np.random.default_rng(3)
    spaces = {space.id for space in game.board().spaces}
    found: list[tuple[str, ...]] = []
    while not found:
        state = draw_all(game, game.initial_state(), rng)
        while not found and (actors := game.to_act(state)):
            (player, *_) = actors
            view = game.view(state, player)
            if not game.standing(view).started:
                actions = tuple(game.sensible_deployment(view, rng).tolist())
            else:
                options = game.search(view, (), Mind(seconds=0.001, worlds=2), rng)
                found = [name_steps(game, state, player, option.actions) for option in options]
                found = [path for path in found if path[0] not in spaces and len(path) == 3]
                actions = options[0].actions
            for action in actions:
                state = game.apply(state, player, action)
            state = draw_all(game, state, rng)
    card, *units = found[0]
    assert card not in spaces
    assert spaces.issuperset(units)
    assert name_steps(game, game.initial_state(), 0, (10_000,)) == ()
