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
