"""The HTTP calls about ratings."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from gonfalon.server.app import create_app
from gonfalon.server.config import Config
from gonfalon.server.match.public import PublicSeat
from gonfalon.server.service import Service
from server.harness import find_database
from server.ratings.rated import Book, ended

Client = httpx.AsyncClient


def serve(folder: Path, script: Callable[[Client, Service], Awaitable[None]]) -> None:
    """Run a coroutine with an application."""

    async def whole() -> None:
        app = create_app(Config(data=folder, database=find_database(folder), hosts=("server.test",)))
        transport = httpx.ASGITransport(app)
        async with app.lifespan(), Client(transport=transport, base_url="http://server.test") as client:
            await script(client, app.state.service)

    asyncio.run(whole())


async def play(client: Client, service: Service, count: int) -> Any:
    """Store matches of two persons. Return the answer about the last one when it is rated."""
    for number in range(count):
        end = ended(f"m{number}", PublicSeat(person="ada"), PublicSeat(person="bea"))
        await service.registry.store.execute(service.ratings.prepare(end))
        service.ratings.publish(end)
    async with asyncio.timeout(30):
        while not (told := (await client.get(f"/api/matches/m{count - 1}/ratings")).json())["seats"]:
            await asyncio.sleep(0.01)
    return told


def test_a_leaderboard_has_names_and_the_ratings_of_levels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def script(client: Client, service: Service) -> None:
        await play(client, service, 10)
        assert (await client.get("/api/leaderboards/duel?speed=fast")).json()["entries"] == []
        monkeypatch.setattr(service.ratings, "_names", Book())
        board = (await client.get("/api/leaderboards/duel?speed=fast&pool=people")).json()
        assert (board["variant"], board["pool"], board["speed"]) == ("duel", "people", "fast")
        assert [entry["name"] for entry in board["entries"]] == ["ADA", "BEA"]
        first, second = (entry["rating"] for entry in board["entries"])
        assert first["rating"] > 1500 > second["rating"]
        assert first["matches"] == 10
        assert board["levels"][0] == 1000
        assert (await client.get("/api/leaderboards/duel?speed=fast&pool=levels")).json()["entries"] == []

    serve(tmp_path, script)


def test_questions_without_an_answer(tmp_path: Path) -> None:
    async def script(client: Client, _service: Service) -> None:
        for path, status, code in (
            ("chess?speed=fast", 404, "no-variant"),
            ("duel", 400, "bad-message"),
            ("duel?speed=faster", 400, "bad-message"),
            ("duel?speed=fast&pool=everybody", 400, "bad-message"),
        ):
            answer = await client.get(f"/api/leaderboards/{path}")
            assert (answer.status_code, answer.json()["line"]["code"]) == (status, code), path

    serve(tmp_path, script)


def test_a_match_tells_how_ratings_changed_and_no_id_of_a_person(tmp_path: Path) -> None:
    async def script(client: Client, service: Service) -> None:
        assert (await client.get("/api/matches/m0/ratings")).json() == {"rated": False, "seats": []}
        told = await play(client, service, 1)
        assert told["rated"]
        assert [(seat["player"], seat["before"]["rating"]) for seat in told["seats"]] == [(0, 1500), (1, 1500)]
        assert told["seats"][0]["after"]["rating"] > 1500 > told["seats"][1]["after"]["rating"]
        assert "ada" not in str(told)

    serve(tmp_path, script)


def test_the_registry_tells_the_ratings_of_its_matches(tmp_path: Path) -> None:
    async def script(_client: Client, service: Service) -> None:
        assert service.meeting in service.registry.listeners
        assert await service.find_end("unknown") is None

    serve(tmp_path, script)
