"""The work of one stored move, counted: times depend on the machine, counts do not. A new count needs a reason here."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sqlalchemy as sa

from gonfalon.engine.game import PUBLIC, Game
from gonfalon.games import make
from gonfalon.server.match import task
from gonfalon.server.match.clients import broadcast
from gonfalon.server.protocol import messages as m
from gonfalon.server.protocol.secrets import hash_secret
from gonfalon.server.storage.entries import Header, SeatHeader
from gonfalon.server.storage.tables import metadata
from server.socketless import Host, Table, run

COUNTED = ("apply", "view", "scene", "patch", "choices", "hints", "events")
SEATS = tuple(SeatHeader(secret=hash_secret(side), maker=True) for side in ("red", "blue"))
HEADER = Header("m", "original", {}, SEATS, 0, 120)


class CountedGame:
    """A game that counts the calls of its functions; of those for one observer, by observer."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self.calls = Counter[tuple[str, int | None]]()

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._game, name)
        if name not in COUNTED:
            return found

        def call(*given: Any) -> Any:
            self.calls[name, self._find_observer(name, given)] += 1
            return found(*given)

        return call

    @staticmethod
    def _find_observer(name: str, given: tuple[Any, ...]) -> int | None:
        match name:
            case "view":
                return int(given[1])
            case "events":
                return int(given[2])
            case "apply":
                return None
            case _:
                return int(given[0].observer)


@pytest.fixture
def encoded(monkeypatch: pytest.MonkeyPatch) -> list[m.Message]:
    """The messages that are encoded during the test."""
    kept: list[m.Message] = []

    def encode(message: m.Message) -> bytes:
        kept.append(message)
        return real(message)

    real = broadcast.encode
    for module in (broadcast, task):
        monkeypatch.setattr(module, "encode", encode)
    return kept


async def begin(host: Host, game: Any) -> Table:
    """Return a match in which red is on turn, with windows of both players and of a spectator."""
    table = Table(host, HEADER, game)
    await table.sit()
    rng = np.random.default_rng(1)
    for player in range(2):
        view = table.state.game.view(table.state.position, player)
        await table.act(player, *table.state.game.sensible_deployment(view, rng).tolist())
    return table


def list_statements(host: Host) -> list[tuple[str, int]]:
    """Return the list that fills with every statement of the writer, and its number of rows."""
    found: list[tuple[str, int]] = []

    def note(_connection: Any, _cursor: Any, text: str, rows: Any, _context: Any, many: bool) -> None:
        name = next(name for name in metadata.tables if name in text)
        found.append((f"{text.split(maxsplit=1)[0].lower()} {name}", len(rows) if many else 1))

    sa.event.listen(host.store._engine, "before_cursor_execute", note)
    return found


def test_a_stored_move_costs_no_more_than_its_observers_need(tmp_path: Path, encoded: list[m.Message]) -> None:
    game = CountedGame(make("original"))

    async def script(host: Host) -> None:
        table = await begin(host, game)
        move = table.last(0, "update")["choices"][0]["id"]
        sent = {observer: len(outlet.sent) for observer, outlet in table.outlets.items()}
        game.calls.clear()
        encoded.clear()
        statements = list_statements(host)
        await table.act(0, move)
        by_observer = ("view", "events", "patch", "choices")
        once = {("apply", None), *((name, observer) for name in by_observer for observer in (0, 1, PUBLIC))}
        assert game.calls == dict.fromkeys(once, 1), "no scene is made anew, and no hint that nobody wants"
        assert Counter(type(message) for message in encoded) == {m.Stored: 1, m.Update: 3}
        grown = {observer: len(outlet.sent) - sent[observer] for observer, outlet in table.outlets.items()}
        assert grown == {0: 2, 1: 1, PUBLIC: 1}
        assert statements == [("insert log", 1), ("update matches", 1)]

    run(script, tmp_path, HEADER)


def test_hints_are_made_for_the_seats_that_show_them(tmp_path: Path) -> None:
    game = CountedGame(make("original"))

    def count() -> dict[int | None, int]:
        counts = {observer: count for (name, observer), count in game.calls.items() if name == "hints"}
        game.calls.clear()
        return counts

    async def script(host: Host) -> None:
        table = await begin(host, game)
        assert count() == {}
        await table.say(1, m.ShowHints(True))
        assert count() == {1: 1}
        assert table.last(1, "hints")["hints"] == []
        await table.act(0, table.last(0, "update")["choices"][0]["id"])
        assert count() == {1: 1}, "once for the new position"
        assert table.last(1, "update")["hints"][0]["code"] == "move"
        assert table.last(0, "update")["hints"] == []
        await table.say(1, m.ShowHints(False))
        await table.act(1, table.last(1, "update")["choices"][0]["id"])
        assert count() == {}
        await table.say(PUBLIC, m.ShowHints(True))
        assert table.refusal(PUBLIC) == "no-seat"

    run(script, tmp_path, HEADER)


def test_the_times_of_many_steps_are_one_statement(tmp_path: Path) -> None:
    async def script(host: Host) -> None:
        statements = list_statements(host)
        for place in range(20):
            done = host.store.append("m", place, [], moved=100 + place)
        await done
        updates = [rows for name, rows in statements if name == "update matches"]
        assert sum(updates) == len(updates) <= 2
        assert await host.store.find_last_step("m") == 119

    run(script, tmp_path, HEADER)
