"""Playing over the socket: storing, resuming, drafts, several windows, spectators, seats of other players."""

from __future__ import annotations

import random
from pathlib import Path

from server.harness import Client, Match, Server, play, running, same_scene


def test_deploy_at_the_same_time_and_move(match: Match, rng: random.Random) -> None:
    red, blue = match.both()
    red.deploy(rng)
    assert not any(t["side"] == "red" and t.get("face") for t in blue.scene["tokens"])
    blue.deploy(rng)
    assert play((red, blue), rng, 20) == 20
    assert red.seq == blue.seq == 22
    assert match.info()["started"]


def test_a_patched_scene_is_the_scene(match: Match, rng: random.Random) -> None:
    red, blue = match.both()
    watcher = match.sit()
    red.deploy(rng)
    blue.deploy(rng)
    for _ in range(6):
        play((red, blue), rng, 10)
        watcher.quiet()
        for client, side in ((red, "red"), (blue, "blue"), (watcher, "")):
            client.quiet()
            fresh = match.sit(side)
            assert same_scene(client.scene, fresh.scene)
            assert client.choices == fresh.choices
            fresh.close()


def test_repeated_number_is_acknowledged_and_not_applied(match: Match, rng: random.Random) -> None:
    red, blue = match.both()
    red.deploy(rng)
    blue.deploy(rng)
    red.until("update")
    red.quiet()
    choice = red.choices[0]["id"]
    first = red.act([choice])
    again = red.act([choice], n=red.n)
    assert first == again
    other = red.act([choice + 1], n=red.n)
    assert other["line"]["code"] == "stale"
    assert red.act([choice], n=1)["type"] == "stored"
    assert match.sit("blue").seq == 3


def test_kill_and_restart_loses_nothing_and_resumes(tmp_path: Path, rng: random.Random) -> None:
    with running(tmp_path) as server:
        match = server.match()
        red, blue = match.both()
        red.deploy(rng)
        blue.deploy(rng)
        for _ in range(2):
            play((red, blue), rng, 7)
            red.quiet(), blue.quiet()
            mover, side = (red, "red") if red.choices else (blue, "blue")
            stored = mover.act([rng.choice(mover.choices)["id"]])
            last, n = mover.scene, mover.n
            seen = mover.seq
            server.kill()
            server.start()
            again = match.sit(side, seq=seen)
            assert again.welcome["n"] == n
            assert again.welcome["now"]["seq"] == seen
            assert same_scene(again.welcome["now"]["scene"], last) or mover.seq > seen
            again.until("update")
            assert again.seq == stored["seq"]
            again.n = n
            assert again.act([0], n=n)["line"]["code"] == "stale"
            red, blue = (again, match.sit("blue")) if side == "red" else (match.sit("red"), again)


def test_resume_replays_what_was_missed(match: Match, rng: random.Random) -> None:
    red, blue = match.both()
    red.deploy(rng)
    blue.deploy(rng)
    play((red, blue), rng, 15)
    for seq in (0, 1, 2, 10, 16):
        again = match.sit("blue", seq=seq)
        again.settle()
        assert [u["seq"] for u in again.updates] == list(range(seq + 1, 18))
        assert [u["events"] for u in again.updates[2 - seq :]] == [u["events"] for u in blue.updates[2:]] or seq > 2
        assert same_scene(again.scene, blue.scene)
        assert again.choices == blue.choices
        again.close()


def test_draft_is_private_and_can_be_taken_back(match: Match, rng: random.Random) -> None:
    red, blue = match.both()
    second = match.sit("red")
    places = red.placements(rng)
    answer = red.act(places[:3])
    assert (answer["type"], answer["seq"]) == ("stored", 0)
    update = red.until("update")
    assert update["draft"]
    assert len(red.scene["arrange"]["places"]) == len(places) - 3
    assert second.until("update")["draft"]
    blue.settle()
    assert not blue.updates
    assert match.sit("red").welcome["now"]["draft"]
    red.send("take-back")
    assert not red.until("update")["draft"]
    assert len(red.scene["arrange"]["places"]) == len(places)
    red.send("take-back")
    assert red.until("refused")["line"]["code"] == "nothing-to-take-back"
    red.act(places[:5])
    assert red.act(places[5:])["seq"] == 1
    assert blue.until("update")["seq"] == 1


def test_a_part_of_a_choice_is_refused_without_the_parts_before_it(match: Match, rng: random.Random) -> None:
    red = match.sit("red")
    places = red.placements(rng)
    red.act(places[:3], after=0)
    match.server.kill()
    match.server.start()
    red = match.sit("red")
    refused = red.act(places[3:], after=3)
    assert refused["line"]["code"] == "draft-lost"
    assert red.act(places, after=0)["seq"] == 1


def test_a_draft_outlives_the_other_sides_step(match: Match, rng: random.Random) -> None:
    red, blue = match.both()
    places = red.placements(rng)
    red.act(places[:4])
    blue.deploy(rng)
    update = red.until("update")
    while update["seq"] == 0:
        update = red.until("update")
    assert update["draft"]
    assert len(red.scene["arrange"]["places"]) == len(places) - 4
    assert red.act(places[4:])["seq"] == 2


def test_two_windows_of_one_seat(match: Match, rng: random.Random) -> None:
    one, blue = match.both()
    two = match.sit("red")
    one.deploy(rng)
    blue.deploy(rng)
    while two.seq < 2:
        two.next()
    assert two.choices
    two.n = 1
    assert two.act([two.choices[0]["id"]])["seq"] == 3
    while one.seq < 3:
        one.next()
    two.quiet()
    assert same_scene(one.scene, two.scene)


def test_spectator_sees_the_public_view_and_cannot_act(match: Match, rng: random.Random) -> None:
    red, blue = match.both()
    watcher = match.sit()
    assert watcher.welcome["side"] == ""
    red.deploy(rng)
    blue.deploy(rng)
    while watcher.seq < 2:
        watcher.next()
    assert watcher.scene["tokens"]
    assert not any(t.get("face") for t in watcher.scene["tokens"])
    assert not watcher.choices
    for message in (
        {"type": "act", "n": 1, "actions": [(red.choices and red.choices[0]["id"]) or 0]},
        {"type": "resign"},
    ):
        watcher.send(message.pop("type"), **message)
        assert watcher.until("refused")["line"]["code"] == "no-seat"


def test_foreign_secret_opens_nothing(server: Server, match: Match) -> None:
    other = server.match()
    for secret in (other.secrets["red"], "x", match.secrets["red"][:-1], match.id):
        client = Client(server, match.id)
        client.hello(secret)
        assert client.until("refused")["line"]["code"] == "no-seat"
    client = Client(server, "nowhere")
    client.hello()
    assert client.until("refused")["line"]["code"] == "no-match"


def test_out_of_turn_and_illegal_actions_change_nothing(match: Match, rng: random.Random) -> None:
    red, blue = match.both()
    assert red.act([0])["type"] == "refused"
    red.deploy(rng)
    blue.deploy(rng)
    while not red.choices:
        red.next()
    assert blue.act([red.choices[0]["id"]])["line"]["code"] == "not-your-turn"
    legal = {c["id"] for c in red.choices}
    for action in (0, 5, 10**9, 2**31 - 1):
        if action not in legal:
            assert red.act([action])["type"] == "refused"
    assert red.act([red.choices[0]["id"]] * 2)["type"] == "refused"
    red.quiet()
    assert red.seq == 2
    assert same_scene(red.scene, match.sit("red").scene)


def test_why_not(match: Match, rng: random.Random) -> None:
    red, blue = match.both()
    red.deploy(rng)
    blue.deploy(rng)
    while red.seq < 2:
        red.next()
    own = next(t["place"] for t in red.scene["tokens"] if t["side"] == "red")
    red.send("why", path=[own, "e5"])
    assert red.until("refused")["line"]["code"]
    red.send("why", path=["nowhere"])
    assert red.until("refused")["line"]["code"]
