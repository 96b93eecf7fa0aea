"""CQ-31, CQ-32: Secret Information, the Traitor."""

from __future__ import annotations

from typing import Any

import pytest

from gonfalon.engine.game import EVERYTHING, PUBLIC
from gonfalon.games.conquest.ruleset import TYPES
from gonfalon.games.conquest.tests.diagrams import BLUE, GREEN, RED, Position, position
from gonfalon.games.conquest.tests.turns import fallen, holders

UNITS = ("th1M th2F th35", "al1K so2F", "pe1F kf2S kf3C")
"""Units of three sides: Thorne 2 borders Aldrow 1, and Keyfort 2 borders Keyfort 3."""


def three(card: str, red: str = UNITS[0], blue: str = UNITS[1], green: str = UNITS[2], **more: Any) -> Position:
    """Return a position in which red has drawn the card."""
    units = f"red: {red}; blue: {blue}; green: {green}"
    return position("three", units, phase="card", table=f"{card}1", **more)


# ---- Secret Information


def looked(one: str, other: str, **more: Any) -> Position:
    return three("i", **more).play("+secret-information", f"@{one}", f"@{other}")


def test_cq_31_only_with_the_own_spy_master_on_the_board() -> None:
    assert "+secret-information" in three("i").legal()
    at = three("i", "th1K th2F th35")
    assert "+secret-information" not in at.legal()
    assert at.refusal("+secret-information") == "no-master-on-board"
    at = three("i", "th1K th2F th35", "al1M so2F")
    assert at.refusal("+secret-information") == "no-master-on-board", "another's does not count"


def test_cq_31_two_units_in_bordering_zones_whoever_owns_them() -> None:
    at = three("i").play("+secret-information")
    assert at.legal() == {f"@{zone}" for zone in ("th1", "th2", "th3", "al1", "kf2", "kf3")}
    assert at.play("@th2").legal() == {"@th1", "@th3", "@al1"}
    assert at.play("@kf2").legal() == {"@kf3"}
    assert at.refusal("@so2") == "no-neighbour"
    assert at.refusal("@so1") == "no-unit"
    assert at.play("@th2").refusal("@kf2") == "not-bordering"
    assert at.play("@th2").refusal("@th2") == "already-chosen"


def test_cq_31_the_owner_sees_who_has_looked() -> None:
    """Which two zones were looked at is public; their owner knows the units there and sees the mark."""
    at = looked("al1", "th2")
    marks = {token.place: token.marks for token in at.scene(BLUE).tokens}
    assert marks["al1"] == ("looked.red",)
    assert marks["so2"] == ()
    for observer in (RED, GREEN, PUBLIC):
        assert not [token for token in at.scene(observer).tokens if any("looked" in mark for mark in token.marks)]


def test_cq_31_mountains_are_in_the_way() -> None:
    at = position(
        "narrows",
        "red: hi3M hi2F; blue: ne1K br3F",
        phase="card",
        table="i1",
        lines="red controls hi; blue controls ne br",
    ).play("+secret-information", "@hi3")
    assert at.legal() == {"@hi2", "@br3"}
    assert at.refusal("@ne1") == "ridge-between"


def test_cq_31_with_no_such_pair_it_is_not_playable() -> None:
    at = three("i", "th1M um1F", "al1K so2F", "pe1F kf2S")
    assert at.refusal("+secret-information") == "no-pair"


@pytest.mark.parametrize(("one", "other", "faces"), [("th2", "al1", "FK"), ("kf3", "kf2", "CS"), ("th1", "th3", "M5")])
def test_cq_31_only_the_player_sees_what_they_are(one: str, other: str, faces: str) -> None:
    at = looked(one, other)
    for zone, letter in ((one, faces[0]), (other, faces[1])):
        assert at.unit(zone, RED).split()[1] == letter
    for observer in (BLUE, GREEN, PUBLIC):
        for zone in (one, other):
            side = at.unit(zone).split()[0]
            own = {BLUE: "blue", GREEN: "green"}.get(observer) == side
            assert (at.unit(zone, observer).split()[1] == "?") is not own
        assert not [line for line in at.list_events(observer) if line.startswith("saw")]


def test_cq_31_which_two_zones_is_public() -> None:
    at = looked("al1", "th2")
    for observer in (RED, BLUE, GREEN, PUBLIC, EVERYTHING):
        assert "looked red ['al1', 'th2']" in at.list_events(observer)
    assert [line for line in at.list_events(RED) if line.startswith("saw")] == [
        "saw red king blue al1",
        "saw red flag red th2",
    ]


def test_cq_31_nothing_is_told_before_both_are_named() -> None:
    at = three("i")
    seen = at.game.view(at.state, BLUE).tobytes()
    for text in ("+secret-information", "@th2"):
        at = at.play(text)
        assert (at.game.view(at.state, BLUE).tobytes(), at.list_events(BLUE)) == (seen, [])
    assert at.play("@al1").list_events(BLUE)[0] == "card red secret-information"


def test_cq_31_what_they_are_changes_nothing_for_others() -> None:
    one = looked("kf2", "kf3")
    other = looked("kf2", "kf3", green="pe1F kf2C kf3S")
    assert one.game.view(one.state, BLUE).tobytes() == other.game.view(other.state, BLUE).tobytes()
    assert one.list_events(BLUE) == other.list_events(BLUE)


def test_cq_31_he_keeps_it_in_mind() -> None:
    at = looked("kf2", "kf3").play("th1-br2")
    assert at.unit("kf2", RED) == "green S seen"
    assert at.unit("kf2", GREEN) == "green S looked.red", "its owner saw who looked"


RESERVE = "th1M th2F th35 so3K so18 um1C um2C um3C kf1S iv1S iv2S mb2S"
"""Red's units on the board: Prince, Knight, Scouts and more. Its reserve: Queen, Duke, Count, Baron, two Cursed
Lands.
"""


@pytest.mark.parametrize("switch", [True, False])
def test_cq_31_the_content_of_the_own_reserve_is_the_proof(switch: bool) -> None:
    at = looked("th1", "th3", red=RESERVE, prove_spy_master=switch)
    for observer in (RED, BLUE, GREEN, PUBLIC):
        told = [line for line in at.list_events(observer) if line.startswith(("proof", "master"))]
        if switch:
            assert told == ["proof red ['cursed-land', 'cursed-land', 'queen', 'duke', 'count', 'baron']"]
            assert sorted(at.tray("reserve", RED, observer)) == sorted("XX9764")
        else:
            assert told == ["master red"]
            if observer != RED:
                assert at.tray("reserve", RED, observer) == "??????"
        assert at.game.view(at.state, observer).master[RED] == 1


def test_cq_31_not_which_unit_the_spy_master_is() -> None:
    at = looked("kf2", "kf3", red=RESERVE)
    assert at.unit("th1", BLUE) == "red ?"


def test_cq_31_until_the_spy_master_falls() -> None:
    at = looked("kf2", "kf3", blue="th29 so2F", red="th1M um1F th35", moves=2).play("th1xth2")
    assert at.game.view(at.state, PUBLIC).master[RED] == 0


# ---- the Traitor


def guessed(zone: str, face: str, **more: Any) -> Position:
    return three("t", **more).play("+traitor", f"@{zone}", f"?{face}")


def test_cq_32_an_opponents_unit_on_the_board_a_known_one_too() -> None:
    at = three("t", blue="al1K! so2F").play("+traitor")
    assert at.legal() == {"@al1", "@so2", "@pe1", "@kf2", "@kf3"}
    assert at.refusal("@th1") == "own-unit"
    assert at.refusal("@so1") == "no-unit"


def test_cq_32_one_of_the_twelve_types_is_guessed() -> None:
    at = three("t").play("+traitor", "@al1")
    assert at.phase == "guess red"
    assert at.legal() == {f"?{name}" for name in TYPES[1:]}


def test_cq_32_zone_guess_and_hit_or_miss_are_public() -> None:
    for face, last in (("king", "hit blue al1 king"), ("queen", "missed red al1")):
        at = guessed("al1", face)
        for observer in (RED, BLUE, GREEN, PUBLIC, EVERYTHING):
            assert at.list_events(observer)[:3] == ["card red traitor", f"guessed red al1 {face} blue", last]


def test_cq_32_nothing_is_told_before_the_guess() -> None:
    at = three("t")
    seen = at.game.view(at.state, BLUE).tobytes()
    for text in ("+traitor", "@al1"):
        at = at.play(text)
        assert (at.game.view(at.state, BLUE).tobytes(), at.list_events(BLUE)) == (seen, [])


@pytest.mark.parametrize(
    ("zone", "face", "letter", "side"), [("al1", "king", "K", BLUE), ("kf3", "sorceress", "C", GREEN)]
)
def test_cq_32_a_hit_goes_to_its_owners_reserve_and_the_zone_stays_empty(
    zone: str, face: str, letter: str, side: int
) -> None:
    before, at = three("t"), guessed(zone, face)
    assert at.unit(zone) == ""
    assert at.tray("reserve", side).count(letter) == before.tray("reserve", side).count(letter) + 1
    for observer in (RED, BLUE, GREEN, PUBLIC):
        assert letter in at.tray("reserve", side, observer)
    assert at.phase == "move red"


def test_cq_32_a_cursed_land_too() -> None:
    at = guessed("al1", "cursed-land", blue="al1X so2F mb1K")
    assert (at.unit("al1"), "X" in at.tray("reserve", BLUE, GREEN)) == ("", True)


def test_cq_32_a_flag_is_captured() -> None:
    at = guessed("so2", "flag")
    assert (at.unit("so2"), holders(at)) == ("", "red red green")
    assert "captured red blue so2" in at.list_events(PUBLIC)
    assert at.tray("flags", RED, PUBLIC) == "F"
    assert (at.phase, at.tray("reserve", BLUE).count("F")) == ("move red", 0)


def test_cq_32_with_all_that_its_player_held() -> None:
    at = position(
        "conquest",
        "red: th1K th2F; blue: al1K so2F; green: pe1F kf2S; ochre: du1S <F>",
        phase="card",
        table="t1",
        lines="ochre flag blue",
    ).play("+traitor", "@so2", "?flag")
    assert holders(at) == "red red green red"


@pytest.mark.parametrize(("green", "ended"), [("du1S <F>", "red flags"), ("du1S pe1F", "")])
def test_cq_24_the_last_flag_may_be_guessed(green: str, ended: str) -> None:
    assert guessed("so2", "flag", green=green).ended == ended


def test_cq_32_a_miss_shows_it_to_the_player_only() -> None:
    at = guessed("kf3", "scout")
    assert at.unit("kf3", RED) == "green C seen"
    assert "saw red sorceress green kf3" in at.list_events(RED)
    for observer in (BLUE, PUBLIC):
        assert at.unit("kf3", observer) == "green ?"
    for observer in (BLUE, GREEN, PUBLIC):
        assert not [line for line in at.list_events(observer) if line.startswith("saw")]


def test_cq_32_the_others_know_what_it_is_not() -> None:
    at = guessed("kf3", "scout")
    slot = int(at.row["at"][at.game.names.zone("kf3")])
    for observer in (BLUE, GREEN, PUBLIC):
        assert int(at.game.view(at.state, observer).ruled_out[slot]) == 1 << TYPES.index("scout")


def test_cq_32_what_it_is_changes_nothing_for_others() -> None:
    one, other = guessed("kf3", "king"), guessed("kf3", "king", green="pe1F kf2C kf3S")
    assert one.game.view(one.state, BLUE).tobytes() == other.game.view(other.state, BLUE).tobytes()
    assert one.list_events(BLUE) == other.list_events(BLUE)


def test_cq_32_a_unit_that_was_known_may_be_missed_too() -> None:
    at = guessed("al1", "queen", blue="al1K! so2F")
    assert [at.unit("al1", observer) for observer in (RED, GREEN, PUBLIC)] == ["blue K seen"] * 3


def test_cq_32_control_changes_at_the_end_of_the_turn() -> None:
    at = guessed("al1", "king")
    assert "al" in at.controls(BLUE)
    assert "al" not in at.play("th1-br2").controls(BLUE)


def test_cq_32_a_player_without_units_left_that_move_is_skipped() -> None:
    at = guessed("al1", "king", blue="al1K um1X <F>", lines="blue flag green").play("th1-br2")
    assert "skipped blue" in at.list_events(PUBLIC)


def test_cq_32_in_the_reserve_it_is_as_one_that_fell() -> None:
    at = guessed("al1", "king", blue=fallen("al1K so2F"))
    assert "?" not in at.tray("reserve", BLUE, GREEN)
