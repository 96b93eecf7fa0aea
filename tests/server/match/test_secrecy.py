"""No byte sent to another seat reveals a hidden rank, not even in errors."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from server.harness import Client, Match, Server, play
from server.worlds import hear_world

VARIANTS = ("barrage", "special")
SHOWN = {"apple": {"flag"}, "sword": {"captain"}}
"""Faces that an event shows without naming them, by the event's code."""


def faces(frame: str) -> set[tuple[str, str]]:
    """Return all (token id, face) of red tokens anywhere in a frame."""
    found: set[tuple[str, str]] = set()

    def walk(value: Any) -> None:
        if isinstance(value, dict):
            if value.get("side") == "red" and value.get("face") and "place" in value:
                found.add((value["id"], value["face"]))
            for inner in value.values():
                walk(inner)
        elif isinstance(value, list):
            for inner in value:
                walk(inner)

    walk(json.loads(frame))
    return found


@pytest.mark.parametrize("variant", VARIANTS)
def test_no_frame_shows_a_red_piece_that_no_event_revealed(server: Server, variant: str) -> None:
    rng = random.Random(11)
    match = server.match(variant=variant)
    red, blue = match.both()
    watcher = match.sit()
    red.deploy(rng)
    blue.deploy(rng)
    for client in (blue, watcher):
        while client.seq < 2:
            client.next()
    for client in (blue, watcher):
        assert not any(faces(frame) for frame in client.raw), "a rank was told before play"
        events = [e for u in client.updates for e in u["events"] if e["args"].get("side", "red") == "red"]
        assert not any("face" in e["args"] for e in events)
    play((red, blue), rng, 120)
    for client in (blue, watcher):
        client.quiet()
        check_resumed(match, "blue" if client is blue else "", check(client))
    server.let_go()


def check(client: Client, known: frozenset[str] = frozenset()) -> set[str]:
    """Check that each red face in a frame was shown by an event before or in that frame; return the faces shown. Frames
    from the end of the match on may show everything.
    """
    told = set(known)
    for frame in client.raw:
        message = json.loads(frame)
        if message["type"] == "ended":
            break
        for event in message.get("events", ()):
            told |= {str(v) for k, v in event["args"].items() if k.endswith("face")}
            told |= SHOWN.get(event["code"], set())
        for _, face in faces(frame):
            assert face in told, f"{face} was never told: {frame}"
    return told


def check_resumed(match: Match, side: str, told: set[str]) -> None:
    """Check that a client that returns after a long time gets the last steps again, and no secret."""
    again = match.sit(side, seq=0)
    again.quiet()
    assert again.welcome["latest"] == again.seq, "what has happened before is told apart"
    assert check(again, frozenset(told)) == told


def test_the_other_deployment_is_in_no_byte(server: Server) -> None:
    """Blue receives the same bytes in two matches that differ only in what blue cannot know."""
    assert hear_world(server, server, 1) == hear_world(server, server, 2)
    server.let_go()


def test_refusals_tell_only_what_the_sender_knows(match: Match, rng: random.Random) -> None:
    red, blue = match.both()
    red.deploy(rng)
    blue.deploy(rng)
    for target in ("a1", "e2", "j3", "e5"):
        blue.send("why", path=[target, "e6"])
        line = blue.until("refused")["line"]
        hidden = {p["face"] for p in red.welcome["now"]["scene"]["arrange"]["pieces"]}
        own = {t["face"] for t in blue.scene["tokens"] if t["side"] == "blue"}
        assert line["args"].get("face", "") in {"", *own}
        assert hidden
