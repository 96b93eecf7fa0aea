"""CQ-9, CQ-13: control, and how many moves a turn has."""

from __future__ import annotations

from typing import Any

import pytest

from gonfalon.engine.game import CHANCE, PUBLIC
from gonfalon.games.conquest.tests.diagrams import BLUE, RED, Position, position


def next_turn(red: str, blue: str = "br1F br2K", **more: Any) -> Position:
    """Return a position at the start of red's turn: blue has moved its King and stopped."""
    at = position("narrows", f"red: {red}; blue: {blue}", mover="blue", start="blue", **more)
    return at.play("br2-br3")


def moving(red: str) -> Position:
    """Return red's turn after its cards were drawn; no card is played."""
    at = next_turn(red)
    while at.actor == CHANCE:
        at = at.play("draw regroup")
    return at.play("+none") if at.phase == "card red" else at


def alone(*cards: str, red: str = "hi1K ma1S ol1S re1S hi2F", blue: str = "br1F br2K") -> Position:
    """Return red's turn after these cards were drawn."""
    at = next_turn(red, blue)
    return at.play(*(f"draw {card}" for card in cards))


# ---- control


def test_cq_9_who_alone_has_units_in_a_territory_controls_it() -> None:
    at = next_turn("hi1K hi2F ma1S ma2S ma3S ol1C", "br1F br2K ol2S re2S")
    assert (at.controls(RED), at.controls(BLUE)) == ({"hi", "ma"}, {"br", "re"})


@pytest.mark.parametrize("unit", ["lo1X", "lo1F", "lo1M"])
def test_cq_9_flag_and_cursed_land_count(unit: str) -> None:
    at = next_turn(f"hi1K {unit}{' hi2F' if 'F' not in unit else ''}")
    assert "lo" in at.controls(RED)


def test_cq_9_a_territory_without_units_is_contested() -> None:
    at = next_turn("hi1K hi2F")
    assert not {"ma", "ol", "lo"} & (at.controls(RED) | at.controls(BLUE))


def test_cq_9_it_is_looked_at_at_the_end_of_every_players_turn() -> None:
    at = position("narrows", "red: hi1K hi2F lo1S; blue: br1F br2K ma2S", moves=2)
    assert at.controls(RED) == {"hi", "lo"}
    at = at.play("lo1-lo2").play("hi1-ma1")
    assert (at.phase, at.controls(RED), at.controls(BLUE)) == ("move blue", {"hi", "lo"}, {"br"})
    assert "contested ma" in at.list_events(PUBLIC)
    at = at.play("ma2-ol2")
    assert (at.controls(RED), at.controls(BLUE)) == ({"hi", "lo", "ma"}, {"br", "ol"})
    for observer in (RED, BLUE, PUBLIC):
        assert {"control red ma", "control blue ol"} <= set(at.list_events(observer))


def test_cq_9_what_changed_is_told_to_all() -> None:
    at = position("narrows", "red: hi1K hi2F lo2S; blue: br1F br2K").play("lo2-je1")
    for observer in (RED, BLUE, PUBLIC):
        told = at.list_events(observer)
        assert {"contested lo", "control red je"} <= set(told)
        assert "control red hi" not in told


def test_cq_9_a_unit_that_moves_changes_control_only_at_the_end() -> None:
    at = position("narrows", "red: hi1K hi2S ma2F; blue: br1F br2K", moves=3, lines="red controls hi ma")
    for text in ("hi1-hi3", "hi3-je3"):
        at = at.play(text)
        assert at.controls(RED) == {"hi", "ma"}
    assert at.play("hi2-je2").controls(RED) == {"ma", "je"}


def test_cq_9_a_unit_lost_too() -> None:
    at = position("narrows", "red: hi1K hi2F; blue: br1F br2K ma1S", moves=2).play("hi1xma1")
    assert (at.phase, at.controls(BLUE)) == ("move red", {"br", "ma"})
    assert at.play("stop").controls(BLUE) == {"br"}


def test_cq_9_who_loses_his_last_unit_there_controls_it_till_the_end_of_the_turn() -> None:
    at = position("narrows", "red: lo1S hi1K hi2F; blue: br1F br2K st3S lo3C", moves=2, lines="red controls hi")
    at = at.play("lo1-lo2").play("lo2xlo3")
    assert (at.phase, at.controls(RED), at.controls(BLUE)) == ("draw blue", {"hi"}, {"br", "lo", "st"})


def test_cq_9_the_moves_for_cities_are_those_of_the_start_of_the_turn() -> None:
    """The only unit in the city leaves it with the first move, but the extra move for the city remains."""
    at = moving("hi1K ma2F")
    assert (at.phase, at.row["moves"]) == ("move red", 2)
    at = at.play("hi1-ma1")
    assert (at.phase, at.row["moves"]) == ("move red", 1)
    at = at.play("ma1-hi1")
    assert at.phase == "move blue"


def test_cq_9_a_city_entered_gives_no_move_in_the_same_turn() -> None:
    at = next_turn("ma1K ma2F")
    assert at.row["moves"] == 1
    at = at.play("ma1-hi1")
    assert (at.phase, at.controls(RED)) == ("move blue", {"hi", "ma"})
    assert at.play("br3-br2").row["moves"] == 2


# ---- moves


@pytest.mark.parametrize(
    ("red", "moves"),
    [
        ("ma1K ma2F", 1),
        ("hi1K ma2F", 2),
        ("hi1K hi2F ol1S", 3),
        ("hi1K hi2F ol1X", 3),
        ("hi1K ma1F ol1S fa1S st1S", 5),
        ("hi1K hi2S hi3S ma2F", 2),
    ],
)
def test_cq_13_one_move_and_one_for_each_city_controlled(red: str, moves: int) -> None:
    at = next_turn(red)
    due = len(at.controls(RED)) // 2
    assert at.row["moves"] == moves
    for observer in (RED, BLUE, PUBLIC):
        assert at.list_events(observer)[-1] == f"turn red {due} {moves}"


def test_cq_13_no_move_for_a_contested_city() -> None:
    assert next_turn("hi1K ma2F", "br1F br2K hi3S").row["moves"] == 1


def test_cq_13_the_first_is_compulsory_the_others_are_not() -> None:
    at = next_turn("hi1K hi2F ol1S").play("draw regroup", "+none")
    assert "stop" not in at.legal()
    assert at.refusal("stop") == "must-move"
    at = at.play("hi1-ma1")
    assert "stop" in at.legal()
    at = at.play("stop")
    assert at.phase == "move blue"
    assert "stopped red" in at.list_events(PUBLIC)


def test_cq_13_the_turn_is_over_with_the_last_move() -> None:
    at = moving("hi1K ma2F").play("hi1-hi2")
    assert at.phase == "move red"
    assert at.play("hi2-hi3").phase == "move blue"


def test_cq_13_any_units_the_same_one_again_too() -> None:
    at = next_turn("hi1K hi2F ol1S re1X").play("draw blitz", "+none", "hi1-ma1")
    assert {"ma1-hi1", "ma1-ma2", "ol1-ol2"} <= at.legal()
    at = at.play("ma1-ma2", "ma2-ma3")
    assert at.unit("ma3", RED) == "red K"
    assert at.phase == "move blue"


def test_cq_13_each_move_is_resolved_before_the_next() -> None:
    at = position("narrows", "red: hi1K hi2F; blue: br1F br2K ma1S ma2S", moves=2)
    assert "ma1xma2" not in at.legal()
    at = at.play("hi1xma1")
    assert (at.unit("ma1", BLUE), at.tray("reserve", BLUE).count("S")) == ("red K seen", 3)
    assert "ma1xma2" in at.legal()


def test_cq_13_the_turn_ends_by_itself_when_no_legal_move_is_left() -> None:
    at = position("narrows", "red: hi15 hi2F lo1X; blue: br1F br2K ma19", moves=3)
    at = at.play("hi1xma1")
    assert (at.phase, at.row["turn"]) == ("draw blue", 21)


@pytest.mark.parametrize("moves", [1, 2])
def test_cq_33_blitz_is_two_more_moves(moves: int) -> None:
    at = position("narrows", "red: hi1K hi2F; blue: br1F br2K", phase="card", table="b1", moves=moves)
    at = at.play("+blitz")
    assert (at.phase, at.row["moves"]) == ("move red", moves + 2)
    for observer in (RED, BLUE, PUBLIC):
        assert at.list_events(observer)[0] == "card red blitz"


def test_cq_33_optional() -> None:
    at = position("narrows", "red: hi1K hi2F; blue: br1F br2K", phase="card", table="b1").play("+blitz")
    assert "stop" not in at.legal()
    at = at.play("hi1-ma1")
    assert "stop" in at.legal()
    at = at.play("ma1-ma2")
    assert "stop" in at.legal()
    assert at.play("ma2-ma3").phase == "move blue"


def test_cq_33_only_in_this_turn() -> None:
    at = position("narrows", "red: ma1K ma2F; blue: br1F br2K", phase="card", table="b1").play("+blitz")
    at = at.play("ma1-ma3", "stop", "br2-br3")
    assert (at.phase, at.row["moves"]) == ("move red", 1)


def test_cq_33_together_with_the_cities() -> None:
    at = alone("blitz", "regroup").play("+blitz")
    assert at.row["moves"] == 1 + 2 + 2
