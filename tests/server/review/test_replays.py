"""Replays are made in a process of their own, with limits, and only while a client waits for them."""

from __future__ import annotations

import asyncio
import gzip
import random
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest

import gonfalon
from gonfalon.engine.records.replay import make_record
from gonfalon.server.config import Config
from gonfalon.server.protocol.refusals import Declined
from gonfalon.server.review import replay
from gonfalon.server.review.replay import Unreadable
from gonfalon.server.review.replay_cache import ReplayCache
from gonfalon.server.review.replay_worker import answer
from server.harness import Match, play, running

SLEEPS = (sys.executable, "-c", "import time; time.sleep(600)")
FAILS = (sys.executable, "-c", "raise SystemExit(1)")


def make_text(match: Match, rng: random.Random) -> str:
    """Return the record of a short match."""
    red, blue = match.both()
    red.deploy(rng)
    blue.deploy(rng)
    play((red, blue), rng, 20)
    red.send("resign")
    red.until("ended")
    text: str = match.server.get(f"/api/matches/{match.id}/record").text
    return text


def make_long_text(rng: random.Random) -> str:
    """Return the record of a match played at random to its end. The system checks only a few hundred times a second how
    much time a process has used; a short match could be replayed before the first check.
    """
    game = gonfalon.make("original")
    state, steps = game.initial_state(), []
    while actors := game.to_act(state):
        steps.append((actors[0], int(rng.choice(game.legal_actions(state, actors[0])))))
        state = game.apply(state, *steps[-1])
    return make_record(game, steps).write()


def test_answers_are_compressed_if_the_client_takes_that(match: Match, rng: random.Random) -> None:
    text = make_text(match, rng)
    url = match.server.url(f"/api/matches/{match.id}/replay")
    small = httpx.get(url, headers={"Accept-Encoding": "gzip"}, timeout=120)
    plain = httpx.get(url, headers={"Accept-Encoding": "identity"}, timeout=120)
    assert small.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.headers
    assert small.content == plain.content
    assert int(small.headers["content-length"]) < len(plain.content) / 5
    told = [{**step, "seq": 0} for step in plain.json()["steps"]]  # a record has no moves that were taken back
    assert match.server.post("/api/replays", {"text": text}).json()["steps"] == told
    assert [step["seq"] for step in plain.json()["steps"]] == list(range(1, len(told) + 1))


def applied(made: Any, eye: str) -> list[dict[str, set[str]]]:
    """Return the candidates of each token at each moment, as one observer sees them."""
    known: dict[str, int] = {}
    rows = []
    for news in (made["first"], *made["steps"]):
        known |= news.get(eye, {})
        rows.append(
            {token: {face for k, face in enumerate(made["faces"]) if bits >> k & 1} for token, bits in known.items()}
        )
    return rows


def test_what_could_not_be_ruled_out_at_each_moment(match: Match, rng: random.Random) -> None:
    path = f"/api/matches/{match.id}/candidates"
    assert match.server.get(path).status_code == 409, "while it is played that is for its players to think of"
    text = make_text(match, rng)
    made = match.server.get(path).json()
    assert match.server.post("/api/candidates", {"text": text}).json() == made
    told = match.server.get(f"/api/matches/{match.id}/replay").json()
    assert len(made["steps"]) == len(told["steps"])
    start = next(k for k, step in enumerate(told["steps"]) if (step["patches"]["public"]["rest"] or {}).get("started"))
    first = applied(made, "red")[start + 1]
    army = {"flag", "bomb", "spy", "scout", "miner", "general", "marshal"}
    assert len(first) == 8
    assert all(faces == army for faces in first.values()), "nothing is known at the beginning"
    last, public, all_eyes = (applied(made, eye)[-1] for eye in ("red", "public", "everything"))
    assert any(faces < army for faces in last.values()), "who has moved is neither Bomb nor Flag"
    assert all(public[token] == faces for token, faces in last.items()), "of two, both know what all know"
    assert all_eyes == last | applied(made, "blue")[-1]


def test_one_that_takes_too_long_is_given_up_and_the_next_one_made(tmp_path: Path, rng: random.Random) -> None:
    text = make_long_text(rng)
    with running(tmp_path, replay_budget=1e-6) as server:
        refused = server.post("/api/replays", {"text": text})
        assert (refused.status_code, refused.json()["line"]["code"]) == (422, "replay-too-long")
        server.stop()
        server.settings["replay_budget"] = 60.0
        server.start()
        assert server.post("/api/replays", {"text": text}).is_success


def test_one_that_is_too_large_is_refused(match: Match, rng: random.Random, monkeypatch: pytest.MonkeyPatch) -> None:
    text = make_text(match, rng)
    made = answer((text, "replay", 60.0))
    assert isinstance(made, bytes)
    assert gzip.decompress(made).startswith(b'{"variant":"barrage"')
    monkeypatch.setattr(replay, "MOST_BYTES", 5_000)
    assert "too long to be shown" in str(answer((text, "replay", 60.0)))


def run(script: Any, **settings: Any) -> None:
    async def whole() -> None:
        replays = ReplayCache(Config(**settings))
        try:
            await script(replays)
        finally:
            await replays.close()

    asyncio.run(whole())


async def leave(when: asyncio.Event) -> None:
    await when.wait()


async def never() -> None:
    await asyncio.Event().wait()


def test_who_leaves_ends_the_work_for_him() -> None:
    async def script(replays: ReplayCache) -> None:
        left, stays = asyncio.Event(), asyncio.Event()
        first = asyncio.create_task(replays.find("a", lambda: "text", lambda: leave(left), "a"))
        second = asyncio.create_task(replays.find("a", lambda: "text", lambda: leave(stays), "b"))
        while not replays._worker.running:
            await asyncio.sleep(0.01)
        left.set()
        with pytest.raises(Declined):
            await first
        assert replays.queued == 1, "somebody else waits for the same"
        assert replays._worker.running
        stays.set()
        with pytest.raises(Declined):
            await second
        assert replays.queued == 0
        while replays._worker.running:
            await asyncio.sleep(0.01)

    run(script, replay_command=SLEEPS)


def test_a_short_queue() -> None:
    async def script(replays: ReplayCache) -> None:
        waiting = [asyncio.create_task(replays.find(n, lambda: "text", never, "a")) for n in range(2)]
        await asyncio.sleep(0)
        with pytest.raises(Declined) as refused:
            await replays.find(2, lambda: "text", never, "a")
        assert refused.value.line.code == "replays-busy"
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        assert replays.queued == 0

    run(script, replay_command=SLEEPS, replay_queue=2)


def test_an_address_has_a_share_of_the_queue() -> None:
    async def script(replays: ReplayCache) -> None:
        def ask(name: str, address: str) -> asyncio.Task[bytes]:
            return asyncio.create_task(replays.find(name, lambda: "text", never, address))

        async def refused(name: str, address: str) -> None:
            with pytest.raises(Declined, match="replays-busy"):
                await replays.find(name, lambda: "text", never, address)

        waiting = [ask(name, "a") for name in ("1", "2")]
        await asyncio.sleep(0)
        await refused("3", "a")
        waiting += [ask("3", "b"), ask("3", "a"), ask("4", "b")]
        await asyncio.sleep(0)
        assert replays.queued == 4, "who joins the making of others takes no place"
        await refused("5", "c")
        waiting[2].cancel()
        await asyncio.gather(waiting[2], return_exceptions=True)
        waiting[4].cancel()
        await asyncio.gather(waiting[4], return_exceptions=True)
        await refused("5", "a")
        waiting.append(ask("5", "b"))
        await asyncio.sleep(0)
        assert replays.queued == 4
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        assert replays.queued == 0

    run(script, replay_command=SLEEPS, replay_queue=4)


def test_what_is_kept_takes_no_place(monkeypatch: pytest.MonkeyPatch) -> None:
    async def answers(*_given: object) -> bytes:
        return b"made"

    async def script(replays: ReplayCache) -> None:
        monkeypatch.setattr(replays._worker, "ask", answers)
        assert await replays.find("1", lambda: "text", never, "a") == b"made"
        monkeypatch.undo()
        waiting = [asyncio.create_task(replays.find(name, lambda: "text", never, "a")) for name in ("2", "3")]
        await asyncio.sleep(0)
        assert await replays.find("1", lambda: "text", never, "a") == b"made"
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)

    run(script, replay_command=SLEEPS)


def test_a_process_that_dies_is_an_error_by_name() -> None:
    async def script(replays: ReplayCache) -> None:
        for _ in range(2):
            with pytest.raises(Declined) as refused:
                await replays.find(0, lambda: "text", never, "a")
            assert refused.value.line.code == "replay-too-long"

    run(script, replay_command=FAILS)


def test_the_record_of_a_board_of_ones_own_is_refused(tmp_path: Path) -> None:
    """Its line says so. The page cannot show such boards yet."""
    (tmp_path / "small.toml").write_text('inherits = "grid-6x6"\narmy = "duel"\n')
    refused = answer((make_record(gonfalon.make(tmp_path / "small.toml"), []).write(), "replay", 60.0))
    assert isinstance(refused, Unreadable)
    assert "line 4: small is no game of this server" in refused.reason
