"""Only the client that asked for a suggested arrangement receives it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gonfalon
from gonfalon.server.match.computers import suggestions
from gonfalon.server.protocol import messages as m
from gonfalon.server.protocol.secrets import hash_secret
from gonfalon.server.storage.entries import Header, SeatHeader
from gonfalon.server.workers.pool import AgentError
from server.harness import Server
from server.socketless import Host, Table, run, until


def test_a_suggestion_completes_what_is_placed_and_only_its_window_hears_it(server: Server) -> None:
    match = server.match(variant="barrage")
    red, blue = match.sit("red"), match.sit("blue")
    red.quiet(), blue.quiet()
    red.send("suggest", at={"a1": "flag", "b1": "bomb"})
    at = red.until("suggestion")["at"]
    assert (at["a1"], at["b1"]) == ("flag", "bomb")
    assert set(at) == set(red.scene["arrange"]["places"])
    assert blue.quiet() == []
    actions = {piece["face"]: piece["action"] for piece in red.scene["arrange"]["pieces"]}
    assert red.act([actions[at[place]] for place in red.scene["arrange"]["places"]])["type"] == "stored"


def test_what_cannot_be_suggested_is_refused(server: Server) -> None:
    match = server.match(variant="barrage")
    red, spectator = match.sit("red"), match.sit()
    red.send("suggest", at={"z9": "flag"})
    assert red.until("refused")["line"]["code"] == "bad-message"
    spectator.send("suggest", at={})
    assert spectator.until("refused")["line"]["code"] == "no-seat"


def test_a_territory_is_suggested_to_who_is_to_choose_one_and_to_nobody_else(server: Server) -> None:
    match = server.match(variant="conquest-two")
    clients = [match.sit("red"), match.sit("blue")]
    for client in clients:
        client.quiet()
    chooser, other = sorted(clients, key=lambda client: not client.choices)
    seq = chooser.seq
    chooser.send("suggest", at={})
    actions = chooser.until("suggestion")["actions"]
    assert {*actions} <= {choice["id"] for choice in chooser.choices}
    assert other.quiet() == []
    assert chooser.seq == seq
    other.send("suggest", at={})
    assert other.until("refused")["line"]["code"] == "bad-message"
    assert chooser.act(actions)["type"] == "stored"


def test_what_is_unusual_is_told_to_who_asks_before_he_is_ready(server: Server) -> None:
    match = server.match(variant="original")
    red, blue = match.sit("red"), match.sit("blue")
    red.quiet(), blue.quiet()
    arrange = red.scene["arrange"]
    letters = {piece["letter"]: piece["action"] for piece in arrange["pieces"]}
    actions = [letters[letter] for letter in "B4B342323B5B43254B352768S62MB2628592767F"]
    red.send("ask-remarks", actions=actions)
    assert [line["code"] for line in red.until("remarks")["lines"]] == ["prize-in-front"]
    red.send("ask-remarks", actions=actions[:39])
    assert red.until("refused")["line"]["code"] == "bad-message"
    red.send("ask-remarks", actions=[*actions[:39], actions[0]])
    assert red.until("refused")["line"]["code"] != "bad-message"
    assert blue.quiet() == []
    assert red.act(actions)["type"] == "stored"
    blue.quiet()
    red.send("ask-remarks", actions=actions)
    assert red.until("refused")["line"]["code"] == "bad-message"
    assert blue.quiet() == []


# ---- Conquest: what does best is found out in another process ----------------------------------------------------

HEADER = Header(
    "m", "conquest-two", {}, tuple(SeatHeader(secret=hash_secret(side)) for side in ("red", "blue")), 0, 120
)


def test_an_arrangement_that_was_weighed_is_whole_and_legal(server: Server) -> None:
    match = server.match(variant="conquest-two")
    red, blue = match.sit("red"), match.sit("blue")
    while not red.scene["arrange"]:
        red.quiet(), blue.quiet()
        (chooser,) = (client for client in (red, blue) if client.choices)
        chooser.act([chooser.choices[0]["id"]])
        red.quiet()
    for given in ({}, {red.scene["arrange"]["places"][0]: "flag"}):
        red.send("suggest", at=given)
        at = red.until("suggestion", 180)["at"]
        assert set(at) == set(red.scene["arrange"]["places"])
        assert given.items() <= at.items()
    actions = {piece["face"]: piece["action"] for piece in red.scene["arrange"]["pieces"]}
    assert red.act([actions[at[place]] for place in red.scene["arrange"]["places"]])["type"] == "stored"
    server.let_go()


class Slow:
    """A process of computer players that answers when the test lets it, with an arrangement that no random draw
    gives.
    """

    def __init__(self) -> None:
        self.asked = 0
        self.fails = False
        self.go = asyncio.Event()

    async def suggest(self, *_: Any) -> dict[str, str]:
        self.asked += 1
        await self.go.wait()
        if self.fails:
            raise AgentError("died")
        return {"weighed": "yes"}


async def begin(host: Host) -> tuple[Table, Slow]:
    """Return a match for two in which the territories are chosen, and the process of its computer players."""
    slow = host.pool = Slow()  # type: ignore[assignment]
    game = gonfalon.make("conquest-two")
    table = Table(host, HEADER, game)
    await table.sit()
    while game.scene(game.view(table.state.position, 0)).arrange is None:
        (player,) = table.state.due
        await table.act(
            player, *game.sensible_deployment(game.view(table.state.position, player), np.random.default_rng(1))
        )
    return table, slow


def suggested(table: Table) -> list[bool]:
    """Return for each suggestion that the first player received whether it was weighed."""
    return ["weighed" in message["at"] for message in table.heard(0, "suggestion")]


def play(script: Callable[[Table, Slow], Awaitable[None]], folder: Path) -> None:
    async def whole(host: Host) -> None:
        table, slow = await begin(host)
        await script(table, slow)
        await table.match.stop()

    run(whole, folder, HEADER)


def test_who_asks_again_meanwhile_gets_what_takes_no_thought_and_no_more(tmp_path: Path) -> None:
    async def script(table: Table, slow: Slow) -> None:
        await table.say(0, m.Suggest())
        assert suggested(table) == [], "the match goes on meanwhile"
        await table.say(0, m.Suggest())
        await table.say(0, m.Suggest())
        assert suggested(table) == [False, False]
        assert slow.asked == 1
        slow.go.set()
        await until(lambda: not table.match._suggestions._weighing)
        await table.say(0, m.Suggest())
        await until(lambda: len(suggested(table)) == 3)
        assert suggested(table) == [False, False, True], "the first question's answer came too late"
        assert slow.asked == 2

    play(script, tmp_path)


def test_who_waits_too_long_gets_what_takes_no_thought(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(suggestions, "PATIENCE", 0.01)

    async def script(table: Table, slow: Slow) -> None:
        await table.say(0, m.Suggest())
        await until(lambda: suggested(table) == [False])
        slow.fails = True
        slow.go.set()
        await until(lambda: not table.match._suggestions._weighing)
        assert suggested(table) == [False]

    play(script, tmp_path)


def test_a_process_that_fails_leaves_nobody_without_an_answer(tmp_path: Path) -> None:
    async def script(table: Table, slow: Slow) -> None:
        slow.fails = True
        slow.go.set()
        await table.say(0, m.Suggest())
        await until(lambda: suggested(table) == [False])

    play(script, tmp_path)


def test_a_match_that_ends_waits_for_no_arrangement(tmp_path: Path) -> None:
    async def script(table: Table, slow: Slow) -> None:
        await table.say(0, m.Suggest())
        await table.match.stop()
        slow.go.set()
        await until(lambda: not table.match._suggestions._weighing)
        assert suggested(table) == []

    play(script, tmp_path)
