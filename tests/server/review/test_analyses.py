"""Analyses of finished matches: one at a time, only when nothing else needs the process, stopped when no client
waits.
"""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import msgspec
import numpy as np
import pytest

from gonfalon.engine.search import Option
from gonfalon.server.config import Config
from gonfalon.server.match.state import MatchState
from gonfalon.server.protocol.bodies import AnalysisNews
from gonfalon.server.protocol.refusals import Declined
from gonfalon.server.review.analysis import Analyses, spread
from gonfalon.server.storage.entries import Header, Resigned, SeatHeader
from gonfalon.server.storage.store import Store
from gonfalon.server.workers.pool import AgentError
from gonfalon.server.workers.requests import AgentRequest
from server.against import analyse, begin, finished, path_to, sit
from server.harness import Server, running, wait_for
from server.workers.test_news import play


def test_own_decisions_are_judged_and_the_judgement_is_kept(server: Server, rng: random.Random) -> None:
    match = finished(server, rng)
    *progress, last = analyse(match)
    assert progress, "how far it is is told"
    assert all(news["analysis"] is None and news["done"] <= 6 for news in progress)
    analysis = last["analysis"]
    steps = server.get(f"/api/matches/{match.id}/replay").json()["steps"]
    assert (analysis["side"], analysis["left_out"]) == ("red", 0)
    assert 0 < len(analysis["judged"]) <= 6
    for judged in analysis["judged"]:
        assert steps[judged["step"]]["by"] == "red"
        assert steps[judged["step"]]["text"].replace("x", "-") == "-".join(judged["path"])
        assert 0 <= judged["chance"] <= judged["best"] <= 1
        assert len(judged["better"]) == 2
        assert judged["face"]
        assert judged["face"] == judged["better_face"] or judged["path"][0] != judged["better"][0]
    assert analyse(match) == [last], "made once"


def test_where_there_is_none(server: Server, rng: random.Random) -> None:
    running_match, _ = begin(server, rng)
    refused = httpx.post(path_to(running_match))
    assert (refused.status_code, refused.json()["line"]["code"]) == (409, "not-over")
    match = finished(server, rng, 0)
    assert httpx.post(path_to(match, "green")).json()["line"]["code"] == "no-seat"
    assert analyse(match)[-1]["analysis"]["judged"] == []


def test_whoever_leaves_makes_room(tmp_path: Path, rng: random.Random) -> None:
    """The queue has one place, which is free again when the waiting client has gone."""
    with running(tmp_path, analysis_queue=1, analysis_seconds=5.0, agent_seconds=5.0) as server:
        first, second = finished(server, rng), finished(server, rng)
        with httpx.stream("POST", path_to(first), timeout=60) as answer:
            lines = answer.iter_lines()  # kept, since garbage collection would close the answer
            assert json.loads(next(lines))["analysis"] is None
            busy = httpx.post(path_to(second))
            assert (busy.status_code, busy.json()["line"]["code"]) == (503, "analysis-busy")

        def begins() -> bool:
            with httpx.stream("POST", path_to(second), timeout=60) as answer:
                return answer.status_code == 200

        wait_for(begins)


# ---- without processes -------------------------------------------------------------------------------------------


class Oracle:
    """A computer player that gives one answer for each one that the test allows by `let`."""

    def __init__(self) -> None:
        self.asked = 0
        self.fails = False
        self._answers = asyncio.Semaphore(0)

    def let(self, count: int) -> None:
        for _ in range(count):
            self._answers.release()

    async def consider(self, request: AgentRequest, _seconds: float, *, patient: bool) -> list[Option]:
        assert patient, "play goes first"
        self.asked += 1
        await self._answers.acquire()
        if self.fails:
            raise AgentError("died")
        return [Option((int(action),), 0.5 - 0.1 * k) for k, action in enumerate(request.view.legal)]


class Room:
    """The analyses of a server with an oracle and a store."""

    def __init__(self, folder: Path, **settings: Any) -> None:
        self.config = Config(data=folder, **settings)
        self.store, self.oracle = Store(self.config.url), Oracle()
        self.analyses = Analyses(self.config, self.oracle, self.store)  # type: ignore[arg-type]

    async def add(self, name: str) -> MatchState:
        """Return a match of 40 steps that ended by resignation."""
        match_state, rng = sit("barrage", "random"), np.random.default_rng(3)
        while match_state.seq < 40:
            play(match_state, rng)
        match_state.apply(Resigned(0))
        match_state.header = msgspec.structs.replace(match_state.header, id=name)
        await self.store.create(Header(name, "barrage", {}, (SeatHeader(), SeatHeader()), 0, 0))
        return match_state


def in_room(script: Any, folder: Path, **settings: Any) -> None:
    async def whole() -> None:
        room = Room(folder, **settings)
        await room.store.start()
        try:
            await script(room)
        finally:
            await room.analyses.close()
            await room.store.close()

    asyncio.run(whole())


async def tick() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


async def finish(news: AsyncIterator[AnalysisNews]) -> AnalysisNews:
    """Read all news of an analysis; return the last one."""
    return [each async for each in news][-1]


def test_who_stops_it_stops_the_thinking(tmp_path: Path) -> None:
    async def script(room: Room) -> None:
        news = await room.analyses.follow(await room.add("m"), "red", "a")
        await anext(news)
        room.oracle.let(3)
        await tick()
        asked = room.oracle.asked
        assert asked == 4
        await news.aclose()  # type: ignore[attr-defined]
        assert room.analyses.queued == 0
        room.oracle.let(100)
        await tick()
        assert room.oracle.asked == asked, "the one under way was the last"
        assert await room.store.load_analysis("m", "red") is None

    in_room(script, tmp_path)


def test_one_after_the_other_and_no_more_than_so_many(tmp_path: Path) -> None:
    async def script(room: Room) -> None:
        sittings = [await room.add(name) for name in ("a", "b", "c")]
        first, second = [await room.analyses.follow(match_state, "red", "a") for match_state in sittings[:2]]
        await anext(first)
        await anext(second)
        await tick()
        assert room.oracle.asked == 1
        with pytest.raises(Declined, match="analysis-busy"):
            await room.analyses.follow(sittings[2], "red", "a")
        again = await room.analyses.follow(sittings[0], "red", "a")  # joins the analysis that is being made
        await anext(again)
        await second.aclose()  # type: ignore[attr-defined]
        third = await room.analyses.follow(sittings[2], "red", "a")
        room.oracle.let(1_000)
        assert (await finish(first)).analysis == (await finish(again)).analysis
        assert (await finish(third)).analysis is not None
        assert room.analyses.queued == 0

    in_room(script, tmp_path, analysis_queue=2)


def test_an_address_has_a_share_of_the_queue(tmp_path: Path) -> None:
    async def script(room: Room) -> None:
        states = [await room.add(name) for name in ("a", "b", "c", "d")]
        of_one = [await room.analyses.follow(match_state, "red", "one") for match_state in states[:3]]
        for news in of_one[:2]:
            await anext(news)
        late = await anext(of_one[2])
        assert late.line is not None
        assert late.line.code == "analysis-busy", "all three were asked for before the first was begun"
        with pytest.raises(Declined, match="analysis-busy"):
            await room.analyses.follow(states[2], "red", "one")
        of_other = await room.analyses.follow(states[2], "red", "other")
        await anext(of_other)
        shared = await room.analyses.follow(states[2], "red", "one")
        await anext(shared)
        with pytest.raises(Declined, match="analysis-busy"):
            await room.analyses.follow(states[3], "red", "third")
        for news in (*of_one, of_other, shared):
            await news.aclose()  # type: ignore[attr-defined]
        assert room.analyses.queued == 0

    in_room(script, tmp_path, analysis_queue=3)


def test_a_process_that_dies_is_told(tmp_path: Path) -> None:
    async def script(room: Room) -> None:
        match_state = await room.add("m")
        room.oracle.fails = True
        room.oracle.let(1_000)
        last = await finish(await room.analyses.follow(match_state, "red", "a"))
        assert last.line is not None
        assert last.line.code == "analysis-failed"
        room.oracle.fails = False
        assert (await finish(await room.analyses.follow(match_state, "red", "a"))).analysis is not None

    in_room(script, tmp_path)


def test_what_there_is_no_time_for_is_left_out(tmp_path: Path) -> None:
    async def script(room: Room) -> None:
        match_state = await room.add("m")
        room.oracle.let(1_000)
        made = (await finish(await room.analyses.follow(match_state, "red", "a"))).analysis
        assert made is not None
        own = match_state.own_decisions(0)
        assert made.left_out == len(own) - 5
        assert [judged.step for judged in made.judged] == spread(own, 5)

    in_room(script, tmp_path, analysis_decisions=5)

    async def late(room: Room) -> None:
        match_state = await room.add("late")
        made = (await finish(await room.analyses.follow(match_state, "red", "a"))).analysis
        assert made is not None
        assert (made.judged, made.left_out) == ((), len(match_state.own_decisions(0)))

    in_room(late, tmp_path, analysis_budget=-1.0)


def test_it_goes_with_its_match(tmp_path: Path) -> None:
    async def script(room: Room) -> None:
        await room.add("m")
        await room.store.keep_analysis("m", "red", b"{}")
        assert await room.store.load_analysis("m", "red") == b"{}"
        await room.store.delete(["m"])
        assert await room.store.load_analysis("m", "red") is None

    in_room(script, tmp_path)
