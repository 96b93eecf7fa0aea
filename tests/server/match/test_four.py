"""A real match of four over sockets: people and computer players mixed, a draft, chance within turns, and a player who
resigns and then watches.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any

from server.harness import Client, Server, patched, running, same_scene

VARIANT = "conquest"
PATIENCE = 240
"""Maximum number of seconds to wait; long, because computer players may have to compile the game first."""


def decide(client: Client, rng: random.Random) -> bool:
    """Take one random action of a client, if the client is due. Return whether it was due."""
    if not client.due:
        return False
    client.decide(rng)
    client.until("update")
    return True


class EndedError(Exception):
    """A match that chance has ended before the moment that the test needs."""


def play(clients: list[Client], rng: random.Random, decisions: int) -> None:
    """Let the clients make this many decisions together. The number should be small, so that the match is rarely over
    by then. Raise `EndedError` if it is.
    """
    made, end = 0, time.monotonic() + PATIENCE
    while made < decisions:
        assert time.monotonic() < end, "nobody is due"
        for client in clients:
            client.quiet()
            if client.over:
                raise EndedError
            made += decide(client, rng)
        time.sleep(0.02)


def await_turn(*clients: Client) -> None:
    """Wait until one of the clients is due; then chance cannot end the match. Raise `EndedError` if it is over before
    that.
    """
    while not any(client.due for client in clients):
        for client in clients:
            client.quiet()
            if client.over:
                raise EndedError
        time.sleep(0.02)


def follow(story: Callable[[Server], None], data: Path) -> None:
    """Run a story of a match on its own server. A Flag may fall at once; if chance has ended the match too early, start
    again.
    """
    for attempt in count():
        folder = data / str(attempt)
        folder.mkdir()
        with suppress(EndedError), running(folder) as server:
            story(server)
            return


def test_a_match_of_four(tmp_path: Path, rng: random.Random) -> None:
    """One player resigns, the server is killed and started again, the match goes on, and another player resigns."""

    def story(server: Server) -> None:
        match = server.match(("me", "random", "person", "random"), VARIANT, max_rounds=20)
        assert sorted(match.secrets) == ["green", "red"]
        red, green = match.sit("red"), match.sit("green")
        kinds = [seat["kind"] for seat in green.welcome["match"]["seats"]]
        assert kinds == ["person", "agent", "person", "agent"]
        play([red, green], rng, 16)
        assert red.scene["started"]
        await_turn(red, green)
        green.send("resign")
        while "green" not in red.scene["out"]:
            red.next(60)
        play([red], rng, 2)
        server.kill()
        server.start()
        again = match.sit("red", red.seq)
        late = match.sit("green")
        assert again.seq >= red.seq
        await_turn(again)
        late.quiet()
        assert late.scene["out"] == ["green"]
        assert not late.choices
        late.send("resign")
        assert late.until("refused")["line"]["code"] == "out"
        play([again], rng, 2)
        await_turn(again)
        again.send("resign")
        told = again.until("ended", 240)["ending"]
        assert late.until("ended", 60)["ending"] == told
        assert abs(sum(told["returns"])) < 1e-12
        assert told["returns"][0] == told["returns"][2] == min(told["returns"])
        check_replay(server.get(f"/api/matches/{match.id}/replay").json(), again)
        text = server.get(f"/api/matches/{match.id}/record").text
        assert "\ngreen: resigns\n" in text
        assert "\nred: resigns\n" in text
        opened = server.post("/api/replays", {"text": text}).json()
        assert opened["ending"] == told
        assert opened["record"] == text

    follow(story, tmp_path)


def check_replay(replay: dict[str, Any], client: Client) -> None:
    """Check that the patches lead to the scenes that the client received, and at the end to the scene that shows
    everything.
    """
    scenes = dict(replay["first"])
    for step in replay["steps"]:
        scenes = {name: patched(scene, step["patches"][name]) for name, scene in scenes.items()}
    assert same_scene(scenes["everything"], client.scene)
    assert replay["ending"]["returns"]


def test_seats_of_one_device_and_computer_players(tmp_path: Path, rng: random.Random) -> None:
    def story(server: Server) -> None:
        match = server.match(("me", "me", "random"), "conquest-three")
        assert sorted(match.secrets) == ["blue", "red"]
        red = match.sit("red")
        assert [seat["here"] for seat in red.welcome["match"]["seats"]] == [True, True, True]
        blue = match.sit("blue")
        play([red, blue], rng, 20)
        blue.close()
        assert [seat["here"] for seat in match.info()["seats"]] == [True, True, True]

    follow(story, tmp_path)
