"""CQ-21 to CQ-25: Flags captured, given and recaptured; players who win by Flags or are skipped."""

from __future__ import annotations

from typing import Any

import pytest

from gonfalon.engine.game import EVERYTHING, PUBLIC
from gonfalon.engine.screens.scene import Line
from gonfalon.games.conquest import state as g
from gonfalon.games.conquest.tests.diagrams import BLUE, GREEN, OCHRE, RED, Position, position
from gonfalon.games.conquest.tests.turns import holders, moved

ALL = (RED, BLUE, GREEN, PUBLIC, EVERYTHING)


def three(red: str, blue: str, green: str, **more: Any) -> Position:
    return position("three", f"red: {red}; blue: {blue}; green: {green}", **more)


def four(red: str, blue: str, green: str, ochre: str, **more: Any) -> Position:
    return position("conquest", f"red: {red}; blue: {blue}; green: {green}; ochre: {ochre}", **more)


# ---- capture


@pytest.mark.parametrize("letter", "MSC456789K")
def test_cq_21_any_movable_unit_captures_a_flag(letter: str) -> None:
    at = three(f"th1{letter} so2F", "th2F um1S", "pe1F du1S").play("th1xth2")
    assert holders(at) == "red red green"
    assert at.unit("th2") == f"red {letter} seen"


def test_cq_21_it_then_lies_before_the_capturer() -> None:
    at = three("th1K so2F", "th2F um1S", "pe1F du1S")
    before = at.tray("reserve", BLUE)
    at = at.play("th1xth2")
    for observer in ALL:
        assert at.tray("flags", RED, observer) == "F"
        assert "captured red blue th2" in at.list_events(observer)
    assert at.tray("reserve", BLUE) == before, "a Flag is never in a reserve"


def test_cq_21_a_player_without_a_flag_draws_no_cards() -> None:
    blue = "um1S al1S wy1S iv1S"
    at = three("th1K so2F", f"th2F {blue}", "pe1F du1S").play("th1xth2")
    assert len(at.controls(BLUE)) == 4
    assert at.phase == "move blue"
    assert "turn blue 0 1" in at.list_events(PUBLIC)
    at = three("th1K so2F", f"th3F {blue}", "pe1F du1S").play("th1-th2")
    assert (at.phase, at.row["due"]) == ("draw blue", 2)


def test_cq_21_he_still_moves_with_city_moves() -> None:
    at = three("th1K so2F", "th2F kf1S cb1S um1S", "pe1F du1S").play("th1xth2")
    assert (at.phase, at.row["moves"]) == ("move blue", 3)
    assert at.legal("kf1")


# ---- recapture


def lost(moves: int = 1, blue: str = "th2F um1S", **more: Any) -> Position:
    """Return a position in which blue holds red's Flag; blue's own Flag stands next to a red unit."""
    return three("th1K so2S al3S <F>", blue, "pe1F du1S", moves=moves, **more)


def test_cq_22_the_flag_of_the_holder_brings_the_own_flag_back() -> None:
    at = lost()
    assert holders(at) == "blue blue green"
    at = at.play("th1xth2")
    assert (at.phase, holders(at)) == ("raise red", "red red green")
    for observer in ALL:
        assert {"captured red blue th2", "recaptured red"} <= set(at.list_events(observer))


def test_cq_22_it_goes_at_once_to_any_empty_zone() -> None:
    at = lost(moves=3).play("th1xth2")
    taken = {token.place for token in at.scene(EVERYTHING).tokens}
    assert at.legal() == {f"@{zone}" for zone in at.game.names.zones if zone not in taken}
    assert at.refusal("@pe1") == at.refusal("@th2") == "occupied"
    assert at.refusal("th2-th1") == at.refusal("stop") == "raise-first"


@pytest.mark.parametrize("zone", ["th1", "kf2", "nh2"])
def test_cq_22_the_zone_just_left_too_and_all_know_it_is_the_flag(zone: str) -> None:
    at = lost().play("th1xth2", f"@{zone}")
    for observer in ALL:
        assert f"raised red {zone}" in at.list_events(observer)
        assert at.unit(zone, observer) == "red F seen"
    assert at.phase == "move blue"


def test_cq_22_until_a_regroup() -> None:
    at = three("th1K so2S th2F!", "kf1F um1S", "pe1F du1S", phase="card", table="g1")
    at = at.play("+regroup", "@th1", "@th2", "@so2", *"FKS")
    assert (at.unit("th2", BLUE), at.groups(BLUE)) == ("red ? among", ["th1 so2 th2: F of 3"])


def test_cq_22_the_moves_left_go_on() -> None:
    at = lost(moves=3).play("th1xth2", "@th1")
    assert (at.phase, at.row["moves"], at.row["made"]) == ("move red", 2, 1)
    at = at.play("th2-al2").play("al2-um2")
    assert at.phase.endswith("blue")


def test_cq_22_with_no_moves_left_the_turn_is_over() -> None:
    assert lost(moves=1).play("th1xth2").phase == "raise red"
    assert lost(moves=1).play("th1xth2", "@kf1").phase == "move blue"


def test_cq_22_he_draws_again_from_his_next_turn() -> None:
    at = lost(moves=2).play("th1xth2", "@kf1")
    assert at.phase == "move red"
    at = moved(at.play("stop"), "um1-um2", "du1-du2")
    assert (at.phase, at.row["due"]) == ("draw red", 2)


def test_cq_22_he_takes_all_that_the_other_held() -> None:
    at = four("th1K <F>", "th2F um1S", "<F> so2S", "kf1F kf2S", lines="red flag blue; green flag blue")
    assert holders(at) == "blue blue blue ochre"
    at = at.play("th1xth2")
    assert holders(at) == "red red red ochre"
    assert at.tray("flags", RED) == "FF"
    assert "given green red" in at.list_events(PUBLIC)


def test_cq_22_only_the_flag_of_the_holder_does_it() -> None:
    at = four("th1K <F>", "kf2F um1S", "th2F so2S", "kf1F kf3S").play("th1xth2")
    assert (at.phase, holders(at)) == ("move blue", "blue blue blue ochre")


def test_cq_22_and_only_the_own_capture() -> None:
    """If another player takes the holder's Flag, that player also gets the Flags that the holder held."""
    at = four("th1K mb1F", "th2F um1S", "<F> so2S", "kf1F kf2S", lines="green flag blue").play("th1xth2")
    assert (at.phase.split()[0] != "raise", holders(at)) == (True, "red red red ochre")


# ---- giving


def test_cq_23_without_a_flag_one_captures_for_the_holder_of_the_own() -> None:
    at = four("th1K <F>", "kf2F um1S", "th2F so2S", "kf1F kf3S")
    at = at.play("th1xth2")
    for observer in (RED, BLUE, GREEN, OCHRE, PUBLIC):
        assert {"captured red green th2", "given green blue"} <= set(at.list_events(observer))
        assert at.tray("flags", BLUE, observer) == "FF"
        assert at.tray("flags", RED, observer) == ""
    assert at.unit("th2") == "red K seen"


def test_cq_23_flags_held_pass_on_with_the_flag_that_falls() -> None:
    at = four("th1K mb1F", "kf2F um1S", "th2F so2S", "<F> kf3S", lines="ochre flag green").play("th1xth2")
    assert holders(at) == "red blue red red"
    assert {"captured red green th2", "given ochre red"} <= set(at.list_events(PUBLIC))


def test_cq_23_to_the_holder_of_the_own_too() -> None:
    at = four("th1K <F>", "kf2F um1S", "th2F so2S", "<F> kf3S", lines="red flag blue; ochre flag green")
    at = at.play("th1xth2")
    assert holders(at) == "blue blue blue blue"
    assert at.ended == "blue flags"


# ---- winning


def test_cq_24_the_only_one_with_a_flag_wins_at_once() -> None:
    at = position("narrows", "red: hi1K hi2F; blue: ma1F br2K", moves=3).play("hi1xma1")
    assert (at.phase, at.ended) == ("over", "red flags")
    for observer in (RED, BLUE, PUBLIC, EVERYTHING):
        assert at.list_events(observer)[-1] == "won red flags"
    assert at.game.to_act(at.state) == ()
    assert not at.game.legal_actions(at.state, RED).size


def test_cq_24_not_before() -> None:
    assert three("th1K so2F", "th2F um1S", "pe1F du1S", moves=2).play("th1xth2").ended == ""
    assert three("th1K so2F", "th2F um1S", "du1S <F>", moves=2).play("th1xth2").ended == "red flags"


def test_cq_24_a_flagless_players_capture_can_make_another_win() -> None:
    """The capture happens in the middle of the player's turn, with moves left."""
    at = three("th1K <F>", "kf1F um1S", "th2F du1S", moves=3).play("th1xth2")
    assert (at.phase, at.ended, holders(at)) == ("over", "blue flags", "blue blue blue")
    assert at.list_events(PUBLIC)[-3:] == ["captured red green th2", "given green blue", "won blue flags"]
    assert at.game.outcome(at.state).returns == pytest.approx((-0.5, 1, -0.5))


def test_cq_24_a_guess_of_the_traitor_wins_too() -> None:
    at = position("narrows", "red: hi1K hi2F; blue: ma1F br2K", phase="card", table="t1 b1", moves=3)
    at = at.play("+traitor", "@ma1", "?flag")
    assert (at.phase, at.ended, at.unit("ma1")) == ("over", "red flags", "")


def test_cq_24_a_recaptured_flag_counts_at_once() -> None:
    """Blue's Flag is gone and red's is not placed yet; still red and green both count as having one."""
    at = lost().play("th1xth2")
    assert (at.phase, at.ended) == ("raise red", "")
    assert at.game.outcome(at.state) is None


# ---- skipped


def test_cq_25_without_a_flag_and_a_movable_unit_one_is_skipped_for_good() -> None:
    at = three("th1K so2F", "th2F um1X um2X", "pe1F du1S").play("th1xth2")
    assert (at.phase, at.row["out"].tolist()) == ("draw green", [g.IN, g.SKIPPED, g.IN, g.IN])
    assert "skipped blue" in at.list_events(PUBLIC)
    at = moved(at, "du1-du2", "th2-th1")
    assert at.phase == "draw green"
    assert not at.legal(player=BLUE)
    assert at.scene(PUBLIC).out == ("blue",)
    assert at.scene(PUBLIC).left == (Line("skipped", {"side": "blue"}),)


def test_cq_25_his_cursed_lands_stay() -> None:
    at = three("th1K so2F", "th2F um1X um2X", "pe1F du1S").play("th1xth2")
    for observer in ALL:
        assert [at.unit(zone, observer) for zone in ("um1", "um2")] == ["blue X seen"] * 2
    assert "um" in at.controls(BLUE)


def test_cq_25_they_still_fight() -> None:
    at = three("th1K so2F", "th2F al1X", "pe1F du1S")
    at = moved(at, "th1xth2", "du1-du2", "th2xal1")
    assert at.unit("al1") == "blue X seen"
    assert at.tray("reserve", RED).count("K") == 1


def test_cq_25_one_who_loses_the_last_movable_unit_in_his_own_turn() -> None:
    at = moved(three("th1S so2X <F>", "kf1F um1S", "pe1F th29", moves=2), "th1xth2", "um1-um2", "stop", "th2-th1")
    assert (at.phase, at.row["out"][RED]) == ("draw blue", g.SKIPPED)


def test_cq_25_with_a_flag_but_no_movable_unit_he_takes_his_turn_cards_first() -> None:
    at = three("th1F so2X", "kf1F um1S", "pe1F du1S", mover="green", start="red").play("du1-du2")
    assert (at.phase, at.row["out"][RED]) == ("draw red", g.IN)
    at = at.play("draw surprise-attack", "+surprise-attack", "unit queen", "@th2")
    assert at.phase == "move red"
    assert at.legal("th2")
