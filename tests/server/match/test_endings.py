"""Claims, presence, rematches, computer players, and routes that answer only after the end."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import reduce
from pathlib import Path
from typing import Any

import pytest

from gonfalon.games import families, ruleset
from server.harness import Client, Match, Server, dead_until, patched, play, running, same_scene


@pytest.fixture(scope="module")
def impatient(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running(tmp_path_factory.mktemp("impatient"), claim_after=0) as started:
        yield started


def resigned(match: Match) -> tuple[Client, Client]:
    red, blue = match.both()
    blue.send("resign")
    for client in (red, blue):
        client.until("ended")
    return red, blue


def leaves(blue: Client, red: Client) -> dict[str, Any]:
    """Close blue's connection; return blue's seat in the message that red then receives."""
    blue.close()
    seat: dict[str, Any] = red.until("presence")["match"]["seats"][1]
    while seat["here"]:
        seat = red.until("presence")["match"]["seats"][1]
    return seat


def test_no_claim_before_the_stated_time(match: Match, rng: random.Random) -> None:
    red, blue = match.both()
    red.deploy(rng)
    assert leaves(blue, red)["claim_in"] > 0
    red.send("claim-win")
    assert red.until("refused")["line"]["code"] == "nobody-away"


def test_claim_when_the_other_stays_away(impatient: Server, rng: random.Random) -> None:
    match = impatient.match()
    red = match.sit("red")
    red.deploy(rng)
    red.send("claim-win")
    assert red.until("refused")["line"]["code"] == "nobody-away", "the link was never opened"
    blue = match.sit("blue")
    assert leaves(blue, red)["claim_in"] == 0
    red.send("claim-win")
    ending = red.until("ended")["ending"]
    assert (ending["reason"], ending["winner"]) == ("claimed", "red")
    assert match.sit("blue").welcome["ending"] == ending
    record = impatient.get(f"/api/matches/{match.id}/record").text
    assert "red: claims" in record
    impatient.let_go()


@pytest.mark.parametrize("variant", ["barrage", "cardgame", "conquest-narrows"])
def test_after_the_end_everybody_is_shown_everything(server: Server, rng: random.Random, variant: str) -> None:
    match = server.match(variant=variant)
    red, blue, watcher = *match.both(), match.sit()
    while not watcher.scene["started"]:
        play((red, blue), rng, 1)
        watcher.quiet()
    there = (red, blue, watcher)
    assert any(not token.get("face") for token in watcher.scene["tokens"]), "something is hidden while they play"
    blue.send("resign")
    for client in there:
        client.until("ended")
    later = match.sit("red"), match.sit("blue", seq=3), match.sit()
    for client in (*there, *later):
        assert all(token.get("face") for token in client.scene["tokens"])
        assert same_scene(client.scene, red.scene), "nobody is shown more than the others"
        assert not client.scene["to_act"]
    server.let_go()


def test_only_a_player_who_has_placed_may_claim(impatient: Server, rng: random.Random) -> None:
    match = impatient.match()
    red, blue = match.both()
    assert leaves(blue, red)["claim_in"] == 0
    red.send("claim-win")
    assert red.until("refused")["line"]["code"] == "act-first"
    red.deploy(rng)
    red.send("claim-win")
    assert red.until("ended")["ending"]["winner"] == "red"
    impatient.let_go()


def test_no_claim_while_the_absent_one_is_not_due(impatient: Server, rng: random.Random) -> None:
    match = impatient.match()
    red, blue = match.both()
    red.deploy(rng)
    blue.deploy(rng)
    while not red.choices:
        red.next()
    assert leaves(blue, red)["claim_in"] is None
    red.send("claim-win")
    assert red.until("refused")["line"]["code"] == "nobody-away"
    impatient.let_go()


def test_presence(match: Match) -> None:
    red = match.sit("red")
    seats = red.welcome["match"]["seats"]
    assert [seat["here"] for seat in seats] == [True, False]
    assert [seat["taken"] for seat in seats] == [True, False]
    blue = match.sit("blue")
    seats = red.until("presence")["match"]["seats"]
    assert [seat["here"] for seat in seats] == [seat["taken"] for seat in seats] == [True, True]
    blue.close()
    seats = red.until("presence")["match"]["seats"]
    assert [(seat["here"], seat["taken"]) for seat in seats] == [(True, True), (False, True)]


def test_rematch_with_sides_swapped(match: Match, rng: random.Random) -> None:
    red, blue = match.both()
    red.send("offer-rematch")
    assert red.until("refused")["line"]["code"] == "not-over"
    blue.send("resign")
    red.until("ended")
    red.send("offer-rematch")
    assert blue.until("rematch-offered")["sides"] == ["red"]
    red.close()
    blue.send("offer-rematch")
    ready = blue.until("rematch-ready")
    back = match.sit("red")
    theirs = back.until("rematch-ready")
    assert theirs["match"] == ready["match"] == match.info()["next"]
    following = Match(match.server, ready["match"], {"red": ready["secret"], "blue": theirs["secret"]})
    one, two = following.both()
    assert (one.welcome["side"], two.welcome["side"]) == ("red", "blue")
    one.deploy(rng)
    two.deploy(rng)
    assert play((one, two), rng, 3) == 3


def test_a_rematch_offer_outlives_a_restart(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        match = server.match()
        red, _ = resigned(match)
        red.send("offer-rematch")
        red.until("rematch-offered")
        server.kill()
        server.start()
        blue = match.sit("blue")
        assert blue.until("rematch-offered")["sides"] == ["red"]
        blue.send("offer-rematch")
        ready = blue.until("rematch-ready")
        assert match.sit("red").until("rematch-ready")["match"] == ready["match"]


def test_replay_and_record_only_after_the_end(match: Match, rng: random.Random) -> None:
    red, blue = match.both()
    red.deploy(rng)
    blue.deploy(rng)
    play((red, blue), rng, 25)
    for what in ("replay", "record"):
        answer = match.server.get(f"/api/matches/{match.id}/{what}")
        assert answer.status_code == 409
        assert answer.json()["line"]["code"] == "not-over"
    red.send("resign")
    red.until("ended")
    blue.until("ended")
    replay = match.server.get(f"/api/matches/{match.id}/replay").json()
    assert replay["ending"]["winner"] == "blue"
    assert len(replay["steps"]) == red.seq
    scenes = dict(replay["first"])
    for step in replay["steps"]:
        scenes = {name: patched(scene, step["patches"][name]) for name, scene in scenes.items()}
    for side, client in (("red", red), ("blue", blue)):
        patches = [update["patch"] for update in client.updates]
        assert same_scene(scenes[side], reduce(patched, patches, client.welcome["now"]["scene"]))
        assert same_scene(scenes["everything"], client.scene)
    assert all(token["face"] for token in scenes["everything"]["tokens"])
    assert [s["events"]["red"] for s in replay["steps"][2:]] == [
        u["events"] for u in red.updates[-len(replay["steps"]) + 2 :]
    ]
    text = match.server.get(f"/api/matches/{match.id}/record").text
    opened = match.server.post("/api/replays", {"text": text})
    assert opened.status_code in (200, 201), opened.text
    steps = [{**step, "seq": 0} for step in replay["steps"]]  # a record has no such number
    assert opened.json() == {**replay, "steps": steps, "record": opened.json()["record"]}


def test_a_bad_record_is_refused_with_its_line(server: Server) -> None:
    answer = server.post("/api/replays", {"text": "Gonfalon record 1\nvariant: barrage\n\nred: e2-e3\n"})
    assert answer.status_code == 400
    assert answer.json()["line"]["code"] == "bad-record"
    assert "line 4" in answer.json()["line"]["args"]["detail"]
    assert answer.json()["line"]["args"]["why"]["args"]["line"] == 4


@pytest.mark.parametrize("variant", [variants[0] for variants in families().values()])
def test_against_the_computer(server: Server, variant: str, rng: random.Random) -> None:
    """Red decides 12 times, unless the match ends before, and also arranges pieces in the middle of the match."""
    others = len(ruleset(variant).facts.sides) - 1
    red = server.match(("me", *["random"] * others), variant).sit("red")
    for _ in range(12):
        while not red.due and not red.over:
            red.next(180)
        if red.over:
            break
        red.decide(rng)
        red.until("update")
        red.quiet()
    assert any(update["by"] == "blue" for update in red.updates)
    server.let_go()


def wait_until(red: Client, *, failed: bool) -> None:
    """Wait until Red's messages say that Blue's computer player has failed, or that it must decide again."""
    while red.until("presence")["match"]["seats"][1]["failed"] != failed:
        pass


def test_a_dead_computer_player_is_shown_and_the_match_can_be_ended(tmp_path: Path) -> None:
    with running(tmp_path, agent_tries=2, agent_command=dead_until(tmp_path / "never")) as server:
        match = server.match(("me", "random"))
        red = match.sit("red")
        wait_until(red, failed=True)
        red.send("end-match")
        ending = red.until("ended")["ending"]
        assert ending == {"reason": "no-result", "returns": [0.0, 0.0], "winner": ""}
        assert "no result" in server.get(f"/api/matches/{match.id}/record").text
        assert server.get(f"/api/matches/{match.id}/replay").status_code == 200


def test_a_dead_computer_player_is_asked_once_more_if_one_wishes(tmp_path: Path) -> None:
    cured = tmp_path / "cured"
    with running(tmp_path, agent_tries=1, agent_command=dead_until(cured)) as server:
        red = server.match(("me", "random")).sit("red")
        wait_until(red, failed=True)
        red.send("wake-agents")
        wait_until(red, failed=False)
        wait_until(red, failed=True)
        cured.touch()
        red.send("wake-agents")
        assert red.until("update")["by"] == "blue"


@pytest.mark.parametrize("message", ["end-match", "wake-agents"])
def test_a_living_computer_player_is_left_alone(server: Server, message: str) -> None:
    match = server.match(("me", "random"))
    red = match.sit("red")
    red.send(message)
    assert red.until("refused")["line"]["code"] == "agent-alive"
    server.let_go()
