"""Standings: what the holders of seats learn for the list of their own matches."""

from __future__ import annotations

import random
import time
from pathlib import Path
from typing import Any

import pytest

from gonfalon.server.protocol.bodies import MOST_SEATS
from gonfalon.server.protocol.secrets import new_secret
from server.harness import Match, Server, running


def ask(server: Server, *seats: tuple[str, str]) -> list[dict[str, Any]]:
    answer = server.post("/api/standings", {"seats": [{"match": match, "secret": key} for match, key in seats]})
    assert answer.status_code == 200, answer.text
    found: list[dict[str, Any]] = answer.json()
    return found


def standing(match: Match, side: str) -> dict[str, Any]:
    (found,) = ask(match.server, (match.id, match.secrets[side]))
    return found


def test_the_holder_of_a_seat_learns_whose_turn_it_is_and_against_whom(server: Server) -> None:
    match = server.match()
    red, blue = match.both()
    blue.send("give-name", name="Ada")
    blue.until("presence")
    found = standing(match, "red")
    assert (found["side"], found["due"], found["moved"], found["ending"]) == ("red", ["red", "blue"], 0, None)
    assert [seat["name"] for seat in found["match"]["seats"]] == ["", "Ada"]
    before = int(time.time())
    for client, lane in ((red, 0), (blue, 1)):
        client.deploy(random.Random(lane))
    found = standing(match, "blue")
    assert (found["side"], found["due"]) == ("blue", ["red"])
    assert before <= found["moved"] <= time.time()
    red.send("resign")
    red.until("ended")
    assert standing(match, "red")["ending"]["winner"] == "blue"
    assert standing(match, "red")["due"] == []


def test_computers_are_named_by_their_level(server: Server) -> None:
    match = server.match(("me", "level-3"))
    seats = standing(match, "red")["match"]["seats"]
    assert [(seat["kind"], seat["name"]) for seat in seats] == [("person", ""), ("agent", "level-3")]


def test_a_wrong_secret_and_an_unknown_match_are_answered_alike(server: Server) -> None:
    match, other = server.match(), server.match()
    for seat in (
        (match.id, new_secret()),
        (match.id, ""),
        (match.id, match.invitations["blue"]),
        (match.id, other.secrets["red"]),
        ("none", match.secrets["red"]),
        ("\0'; --", match.secrets["red"]),
        ("", ""),
    ):
        assert ask(server, seat) == []
    both = ask(server, (other.id, "x"), (match.id, match.secrets["red"]), ("none", "x"))
    assert [each["match"]["id"] for each in both] == [match.id]


def test_the_time_of_the_last_step_outlives_the_process(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        match = server.match(("me", "me"))
        red = match.sit("red")
        red.deploy(random.Random(1))
        moved = standing(match, "red")["moved"]
        assert moved > 0
        server.let_go()
        server.kill()
        server.start()
        assert standing(match, "red")["moved"] == moved


@pytest.mark.parametrize("seats", [[{"match": "x"}], [{"match": "x", "secret": "y" * 201}], "x", [{}]])
def test_other_bodies_are_refused(server: Server, seats: object) -> None:
    assert server.post("/api/standings", {"seats": seats}).status_code == 400


def test_questions_are_bounded(tmp_path: Path) -> None:
    with running(tmp_path, standings_rate=0.001, standings_burst=2) as server:
        many = [{"match": "x", "secret": "y"}] * (MOST_SEATS + 1)
        assert server.post("/api/standings", {"seats": many}).status_code == 400
        assert server.post("/api/standings", {"seats": many[1:]}).json() == []
        assert server.post("/api/standings", {"seats": []}).status_code == 429
