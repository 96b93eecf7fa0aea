"""If a match has only one person, that person may take back the last own decision: everything returns to the state
before it, and the log goes on.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gonfalon
from gonfalon.engine.game import CHANCE
from gonfalon.engine.records.record import read_record
from gonfalon.engine.view import View
from gonfalon.server.match.computers.news import NewsFeed
from gonfalon.server.match.state import MatchState
from gonfalon.server.protocol import messages as m
from gonfalon.server.storage.entries import Played, TookBack
from gonfalon.server.workers.agent_worker import AgentWorker
from gonfalon.server.workers.pool import OutdatedError
from gonfalon.server.workers.requests import AgentRequest, News
from server.against import HEADER, begin, deploy, first, follow, sit, turn
from server.harness import Client, Match, Server, running, same_scene
from server.socketless import Host, Table, run, until
from server.workers.test_news import HEARD, all_events, ask, listeners, play


def some(red: Client, rng: random.Random) -> list[int]:
    """Return the actions of a random decision, or of the first part of one."""
    return red.placements(rng) if red.scene["arrange"] else [rng.choice(red.choices)["id"]]


def begin_and_turn(server: Server, rng: random.Random, turns: int) -> tuple[Match, Client]:
    """Return a match in which the person has had this many turns. A Flag may fall at once; if the match was over by
    then, start another match.
    """
    while True:
        match, red = begin(server, rng)
        for _ in range(turns):
            turn(red)
        if not red.over:
            return match, red


def go_back(red: Client, n: int) -> dict[str, Any]:
    red.send("return", n=n)
    while True:
        update = red.until("update")
        if update["events"] and update["events"][0]["code"] == "took-back":
            return update


@pytest.mark.parametrize("variant", ["barrage", "special", "cardgame", "conquest-two"])
def test_everybody_is_back_before_the_last_own_decision(server: Server, rng: random.Random, variant: str) -> None:
    while True:  # A Flag may fall at once; then start another match
        match, red = begin(server, rng, variant)
        watcher = match.sit()
        for _ in range(3):
            turn(red)
        scene, choices = red.scene, red.choices
        follow(watcher, red)
        seen = watcher.scene
        if not red.over:
            turn(red, *some(red, rng))
        red.quiet()
        if not red.over:
            break
    before = red.seq
    update = go_back(red, 1)
    assert update["events"] == [{"code": "took-back", "args": {"side": "red"}}]
    assert update["seq"] == before + 1, "nothing is rewritten: the numbers go on"
    assert update["by"] == "red"
    assert same_scene(red.scene, scene)
    assert red.choices == choices
    follow(watcher, red)
    assert same_scene(watcher.scene, seen)
    for side, known in (("red", scene), ("", seen)):
        fresh = match.sit(side)
        assert same_scene(fresh.scene, known)
        returning = match.sit(side, seq=before - 1)
        returning.quiet()
        assert same_scene(returning.scene, known)
    info = match.info()
    assert (info["alone"], info["returnable"], info["took_back"]) == (True, True, 1)
    turn(red)
    red.quiet()
    follow(watcher, red)
    assert same_scene(match.sit().scene, watcher.scene)
    server.let_go()


def test_all_own_decisions_can_be_taken_back_one_by_one(tmp_path: Path, rng: random.Random) -> None:
    """Decisions can also be taken back after a restart of the server, which knows only the log."""
    with running(tmp_path) as server:
        match, red = begin(server, rng)
        scenes: list[tuple[Any, Any]] = []
        while len(scenes) < 20:
            scenes.append((red.scene, red.choices))
            turn(red, *some(red, rng))
            red.quiet()
            if red.over:  # against `random` the match may already be over
                match, red = begin(server, rng)
                scenes.clear()
        for n, (scene, choices) in enumerate(reversed(scenes), start=1):
            if n == 10:  # in the middle of taking back
                server.let_go()
                server.kill()
                server.start()
                red = match.sit("red")
                red.quiet()
            go_back(red, n)
            assert same_scene(red.scene, scene)
            assert red.choices == choices
        red.send("return", n=21)
        assert red.until("refused")["line"]["code"] == "nothing-to-return"
        assert not match.info()["returnable"]


def test_where_it_is_refused(server: Server, rng: random.Random) -> None:
    match = server.match()
    red, blue = match.both()
    red.deploy(rng)
    blue.deploy(rng)
    red.quiet()
    red.decide(rng)
    red.send("return", n=1)
    assert red.until("refused")["line"]["code"] == "not-alone"
    alone = server.match(("me", "random"))
    red, watcher = alone.sit("red"), alone.sit()
    red.send("return", n=1)
    assert red.until("refused")["line"]["code"] == "nothing-to-return", "the pieces are not placed yet"
    red.deploy(rng)
    red.send("return", n=1)
    assert red.until("refused")["line"]["code"] == "nothing-to-return", "a deployment stands"
    watcher.send("return", n=1)
    assert watcher.until("refused")["line"]["code"] == "no-seat"
    red.send("resign")
    red.until("ended")
    red.send("return", n=1)
    assert red.until("refused")["line"]["code"] == "over"
    server.let_go()


def test_a_repeated_one_is_done_once(server: Server, rng: random.Random) -> None:
    match, red = begin_and_turn(server, rng, 2)
    go_back(red, 1)
    scene = red.scene
    red.send("return", n=1)
    red.settle()
    assert same_scene(red.scene, scene)
    assert match.info()["took_back"] == 1
    server.let_go()


def test_what_was_drawn_is_drawn_again(server: Server, rng: random.Random) -> None:
    """Otherwise players could take back until they like what they draw."""
    _, red = begin(server, rng, "cardgame")
    taken = seen = 0
    while seen < 12:
        if red.over:  # the match may already be over
            _, red = begin(server, rng, "cardgame")
            taken = 0
        first = len(red.updates)
        actions = turn(red, *some(red, rng))
        red.quiet()
        drawn = [update["events"] for update in own_draws(red.updates[first:])]
        for _ in range(3):
            if not drawn or red.over:
                break
            seen, taken = seen + 1, taken + 1
            go_back(red, taken)
            first = len(red.updates)
            turn(red, *actions)
            red.quiet()
            assert [update["events"] for update in own_draws(red.updates[first:])] == drawn
    server.let_go()


def own_draws(updates: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the draws of chance before another side acted."""
    others = [i for i, update in enumerate(updates) if update["by"] not in ("", "red")]
    return [update for update in updates[: others[0] if others else None] if not update["by"] and update["events"]]


def test_a_draw_that_is_not_possible_any_more_is_drawn_anew() -> None:
    """The state remembers everything that the draw has brought, the first result first, as long as it is taken back."""
    match_state = find_draw()
    number, due = match_state.returnable, len(match_state.moves.steps)
    assert number is not None
    possible = match_state.game.chance_outcomes(match_state.position)[0].tolist()
    decisions = match_state.moves.steps[number:due]
    for action in (*possible, possible[0]):
        match_state.apply(Played(CHANCE, (action,)))
        match_state.apply(TookBack(0, number))
        for step in decisions:
            match_state.apply(Played(step.by, step.actions))
    assert match_state.moves.drawn == tuple(possible)
    match_state.apply(Played(CHANCE, (possible[0],)))
    assert not match_state.moves.drawn, "nothing is known of the next draw"


def find_draw() -> MatchState:
    """Return a match of cards in which chance is due after a decision of the person."""
    for seed in range(100):
        match_state, rng = sit("cardgame", "random"), np.random.default_rng(seed)
        while match_state.due:
            if match_state.due == (CHANCE,) and match_state.returnable is not None:
                return match_state
            play(match_state, rng)
    raise AssertionError("no match came so far")


def test_record_and_replay_have_the_line_that_counted(server: Server, rng: random.Random) -> None:
    while True:
        match, red = begin_and_turn(server, rng, 2)
        go_back(red, 1)
        turn(red, red.choices[-1]["id"])
        if not red.over:
            break
    red.send("resign")
    red.until("ended")
    record = read_record(server.get(f"/api/matches/{match.id}/record").text)
    assert record.aids == {"take-backs": 1}
    assert [step.by for step in record.steps].count("red") == 4, "a deployment, two decisions, the resignation"
    replay = server.get(f"/api/matches/{match.id}/replay").json()
    assert replay["took_back"] == 1
    assert len(replay["steps"]) == 2 + 2 * 2 + 1
    opened = server.post("/api/replays", {"text": replay["record"]}).json()
    assert opened["took_back"] == 1
    assert opened["steps"] == [{**step, "seq": 0} for step in replay["steps"]]
    played = [step["seq"] for step in replay["steps"]]
    assert played == sorted(set(played))
    assert played[-1] == len(played) + 3, "two steps that were taken back and the taking back have numbers too"
    server.let_go()


# ---- computer players --------------------------------------------------------------------------------------------


def line_events(match_state: MatchState, observer: int) -> list[Any]:
    """Return an observer's events of the moves, computed in a match without take-backs."""
    straight = sit(match_state.header.variant, "listener")
    for step in match_state.moves.steps:
        straight.apply(Played(step.by, step.actions))
    return all_events(straight, observer)


def test_a_new_agent_is_told_the_line_alone() -> None:
    HEARD.clear()
    match_state, rng = sit("barrage", "listener"), np.random.default_rng(5)
    thinking, news_feed = AgentWorker(listeners), NewsFeed(match_state, 1)
    while match_state.seq < 12:
        if 1 in match_state.due:
            ask(thinking, match_state, 1, collect_line(news_feed, match_state))
        play(match_state, rng)
    number = match_state.returnable
    assert number is not None
    match_state.apply(TookBack(0, number))
    while match_state.seq < 18 or 1 not in match_state.due:  # until the log is longer than before
        play(match_state, rng)
    ask(thinking, match_state, 1, collect_line(news_feed, match_state))
    assert len(HEARD) == 2
    assert HEARD[1] == line_events(match_state, 1)
    assert HEARD[1][: len(HEARD[0])] != HEARD[0]


def collect_line(news_feed: NewsFeed, match_state: MatchState) -> News:
    return asyncio.run(news_feed.collect(len(match_state.moves.steps)))


class SlowAgents:
    """Computer players that answer when the test lets them."""

    def __init__(self) -> None:
        self.asked: list[View] = []
        self.go = asyncio.Event()

    async def decide(self, request: AgentRequest, wanted: Callable[[], bool], **_: Any) -> list[int]:
        view = request.view
        self.asked.append(view)
        await self.go.wait()
        if not wanted():
            raise OutdatedError
        return [int(view.legal[0])]


def test_an_answer_to_what_is_no_more_is_forgotten(tmp_path: Path) -> None:
    async def script(host: Host) -> None:
        agents = host.pool = SlowAgents()  # type: ignore[assignment]
        table = Table(host, HEADER, gonfalon.make("barrage"))
        await deploy(table)
        await table.act(0, first(table, 0))
        await until(lambda: bool(agents.asked))
        seq = table.state.seq
        await table.say(0, m.Return(1))
        assert table.state.seq == seq + 1
        await table.act(0, first(table, 0))
        agents.go.set()
        await until(lambda: len(agents.asked) >= 2 and 1 not in table.state.due)
        assert len(agents.asked) == 2, "asked again, about what is now"
        assert table.state.seq == seq + 3
        assert not table.match.match.presence.failed
        await table.match.stop()

    run(script, tmp_path, HEADER)


def test_news_of_what_is_no_more_are_not_given() -> None:
    match_state, rng = sit("barrage", "listener"), np.random.default_rng(7)
    while match_state.seq < 60:
        play(match_state, rng)
    news_feed, number = NewsFeed(match_state, 1), match_state.returnable
    assert number is not None

    async def both() -> None:
        asked = asyncio.create_task(news_feed.collect(match_state.seq, again=False))
        await asyncio.sleep(0)
        match_state.apply(TookBack(0, number))
        with pytest.raises(OutdatedError):
            await asked

    asyncio.run(both())
