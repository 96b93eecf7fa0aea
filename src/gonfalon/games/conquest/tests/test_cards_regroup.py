"""CQ-27: Regroup."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest

from gonfalon.engine.game import EVERYTHING, PUBLIC
from gonfalon.games.conquest.tests.diagrams import BLUE, GREEN, RED, Position, position
from gonfalon.games.conquest.tests.turns import fallen

UNITS = "hi1K hi2F ma15 ma2S lo1X"


def regroup(red: str = UNITS, **more: Any) -> Position:
    """Return a position in which red has drawn the card."""
    blue = fallen("br1F br2K br3S")
    return position("narrows", f"red: {fallen(red)}; blue: {blue}", phase="card", table="g1", **more)


def done(zones: str, order: str, red: str = UNITS, **more: Any) -> Position:
    """Return the position after a Regroup. Zones and order are text, as in `hi1 ma1 lo1`, `5KX`."""
    return regroup(red, **more).play("+regroup", *(f"@{zone}" for zone in zones.split()), *order)


def test_cq_27_any_own_units_anywhere_flag_and_cursed_land_too() -> None:
    at = regroup().play("+regroup")
    assert at.legal() == {"@hi1", "@hi2", "@ma1", "@ma2", "@lo1"}
    assert at.refusal("@br2") == at.refusal("@hi3") == "no-own-unit"


def test_cq_27_exactly_three() -> None:
    at = regroup().play("+regroup", "@ma1", "@hi1")
    assert at.legal() == {"@hi2", "@ma2", "@lo1"}
    assert at.refusal("@ma1") == "already-chosen"
    at = at.play("@lo1")
    assert at.phase == "order red"
    assert at.legal() == {"K", "5", "X"}


def test_cq_27_who_puts_them_back_is_told_where_they_came_from() -> None:
    at = regroup().play("+regroup", "@ma1", "@hi1", "@lo1")
    for at_now in (at, at.play("5")):
        (headline,) = at_now.scene(RED).headlines
        assert headline.code == "regrouping"
        zones = [at.game.names.zones[zone] for zone in sorted(map(at.game.names.zones.index, ("hi1", "ma1", "lo1")))]
        assert headline.args["spaces"] == zones
        named = {"hi1": "king", "ma1": "knight", "lo1": "cursed-land"}
        assert headline.args["faces"] == [named[zone] for zone in zones]
        for other in (BLUE, PUBLIC):
            assert at_now.scene(other).headlines == ()


@pytest.mark.parametrize("red", ["hi1K hi2F ma15", "hi1F lo1X lo2X", "hi1F lo1X"])
def test_cq_27_it_needs_three_on_the_board(red: str) -> None:
    at = regroup(red)
    assert ("+regroup" in at.legal()) is (len(red.split()) == 3)
    if len(red.split()) < 3:
        assert at.refusal("+regroup") == "too-few-units"


@pytest.mark.parametrize("order", ["".join(order) for order in permutations("KF5")])
def test_cq_27_they_are_put_back_on_the_same_zones_in_any_order(order: str) -> None:
    at = done("ma1 hi2 hi1", order)
    assert [at.unit(zone, RED)[:5] for zone in ("hi1", "hi2", "ma1")] == [f"red {letter}" for letter in order]
    assert [at.unit(zone)[:5] for zone in ("ma2", "lo1")] == ["red S", "red X"]


def test_cq_27_which_three_is_shown_until_the_next_act() -> None:
    at = done("ma1 hi2 hi1", "KF5")
    for observer in (RED, BLUE, PUBLIC):
        tints = at.game.scene(at.game.view(at.state, observer)).tints
        assert [tint.place for tint in tints if tint.kind == "to"] == ["hi1", "hi2", "ma1"]


def test_cq_27_unchanged_too() -> None:
    at = done("hi1 hi2 ma1", "KF5")
    assert at.phase == "move red"
    assert "regrouped red ['hi1', 'hi2', 'ma1']" in at.list_events(PUBLIC)


def test_cq_27_all_three_must_be_put_back() -> None:
    at = regroup().play("+regroup", "@hi1", "@hi2", "@ma1", "5")
    assert at.legal() == {"K", "F"}
    assert at.refusal("S") == "not-regrouped"
    assert at.refusal(".") == "must-put-back"


def test_cq_27_equal_units_are_put_back_one_by_one() -> None:
    at = regroup("hi1S hi2F ma1S").play("+regroup", "@hi1", "@hi2", "@ma1", "S")
    assert at.legal() == {"S", "F"}
    assert [at.play("S", "F").unit(zone)[:5] for zone in ("hi1", "hi2", "ma1")] == ["red S", "red S", "red F"]


def test_cq_27_they_may_move_in_the_same_turn() -> None:
    at = done("hi1 hi2 lo1", "FXK")
    assert not at.legal("hi1")
    assert at.legal("lo1") == {"lo1-lo2", "lo1-lo3"}


# ---- what others learn


def test_cq_27_which_three_is_public_the_order_is_not() -> None:
    """Other observers learn the choice only when the Regroup is carried out."""
    texts = ("+regroup", "@ma1", "@hi1", "@hi2", "5", "K")
    at = regroup()
    seen = [at.game.view(at.state, observer).tobytes() for observer in (BLUE, PUBLIC)]
    for text in texts:
        at = at.play(text)
        assert [at.game.view(at.state, observer).tobytes() for observer in (BLUE, PUBLIC)] == seen
        assert at.list_events(BLUE) == at.list_events(PUBLIC) == []
    after = at.play("F")
    for observer in (BLUE, PUBLIC):
        assert after.list_events(observer) == ["card red regroup", "regrouped red ['hi1', 'hi2', 'ma1']"]


@pytest.mark.parametrize("observer", [BLUE, PUBLIC])
def test_cq_27_every_order_looks_the_same(observer: int) -> None:
    """The views of other observers are equal even if they know some of the units."""
    known = {"red": "hi1K! hi2F ma15' ma2S lo1X"}
    afters = [done("hi1 hi2 ma1", "".join(order), **known) for order in permutations("KF5")]
    assert len({after.game.view(after.state, observer).tobytes() for after in afters}) == 1
    assert len({after.game.view(after.state, RED).tobytes() for after in afters}) == 6


def test_cq_27_what_was_known_of_one_is_known_of_the_three_together() -> None:
    after = done("hi1 hi2 ma1", "5FK", red="hi1K! hi2F ma15 ma2S lo1X")
    for observer in (BLUE, PUBLIC):
        assert after.groups(observer) == ["hi1 hi2 ma1: K of 3"]
        assert [after.unit(zone, observer) for zone in ("hi1", "hi2", "ma1")] == ["red ? among"] * 3
    assert after.unit("ma1", RED) == "red K among"


def test_cq_27_what_was_known_of_all_three() -> None:
    after = done("hi1 hi2 ma1", "5FK", red="hi1K! hi2F! ma15! ma2S lo1X")
    assert after.groups(BLUE) == ["hi1 hi2 ma1: K5F of 3"]


def test_cq_27_three_of_a_kind_stay_known() -> None:
    after = done("hi1 ma1 lo1", "SSS", red="hi1S! hi2F ma1S! lo1S!")
    assert [after.unit(zone, BLUE) for zone in ("hi1", "ma1", "lo1")] == ["red S seen"] * 3
    assert after.groups(BLUE) == []


def test_cq_27_what_others_know_privately_too() -> None:
    after = done("hi1 hi2 ma1", "5FK", lines="seen blue ma1")
    assert (after.groups(BLUE), after.groups(PUBLIC)) == (["hi1 hi2 ma1: 5 of 3"], [])
    assert [after.unit(zone, PUBLIC) for zone in ("hi1", "hi2", "ma1")] == ["red ?"] * 3


def test_cq_27_has_moved_marks_too() -> None:
    after = done("hi1 hi2 ma1", "5FK", red="hi1K' hi2F ma15' ma2S' lo1X")
    assert [after.unit(zone, BLUE) for zone in ("hi1", "hi2", "ma1")] == ["red ?"] * 3
    assert after.unit("ma2", BLUE) == "red ? moved"


def test_cq_27_what_is_true_of_all_three_stays_true_of_each() -> None:
    after = done("hi1 ma1 ma2", "S5K", red="hi1K' hi2F ma15' ma2S' lo1X")
    assert [after.unit(zone, BLUE) for zone in ("hi1", "ma1", "ma2")] == ["red ? moved"] * 3


def test_cq_27_it_makes_what_was_seen_uncertain_for_the_owner_too() -> None:
    """The marks on a player's own units show what the public knows."""
    assert done("hi2 ma1 lo1", "5FX", red="hi1K hi2F ma15! ma2S lo1X").unit("hi2", RED) == "red 5 among"


def test_cq_27_the_others_learn_nothing_of_units_not_among_the_three() -> None:
    after = done("hi1 hi2 lo1", "XFK", red="hi1K hi2F ma15! ma2S lo1X")
    assert after.unit("ma1", BLUE) == "red 5 seen"


def test_cq_27_one_of_the_three_that_is_seen_again_splits_the_group() -> None:
    at = done("hi1 hi2 ma2", "SFK", red="hi1K! hi2F ma15 ma2S lo1X")
    assert at.groups(BLUE) == ["hi1 hi2 ma2: K of 3"]
    at = at.play("hi1-st1")  # a run, so it is a Scout
    assert at.unit("st1", BLUE) == "red S seen"
    assert at.groups(BLUE) == ["hi2 ma2: K of 2"]


def test_cq_27_a_group_travels_with_its_units() -> None:
    at = done("hi1 hi2 ma2", "KFS", red="hi1K! hi2F ma15 ma2S lo1X").play("hi1-ma3")
    assert at.groups(BLUE) == ["hi2 ma2 ma3: K of 3"] or at.groups(BLUE) == ["ma3 hi2 ma2: K of 3"]


def test_cq_27_a_third_player_learns_as_little() -> None:
    at = position("three", "red: th1K th2F al1S; blue: kf1F kf2S; green: pe1F pe2S", phase="card", table="g1")
    at = at.play("+regroup", "@th1", "@th2", "@al1", *"FSK")
    assert at.list_events(GREEN) == ["card red regroup", "regrouped red ['th1', 'th2', 'al1']"]
    assert at.unit("th1", GREEN) == "red ?"
    assert at.unit("th1", EVERYTHING) == "red F"


def test_cq_20_until_here_a_survivor_was_known() -> None:
    assert done("hi1 hi2 ma1", "5FK", red="hi1K! hi2F ma15").unit("ma1", BLUE) == "red ? among"
