"""An arrangement is suggested to who asks, and to nobody else."""

from __future__ import annotations

from server.harness import Server


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
