"""CQ-36: what a careful player would note down, as a view shows it. `test_cq_36_knowledge.py` tests it on states."""

from __future__ import annotations

from typing import Any

import pytest

from gonfalon.engine.game import EVERYTHING, PUBLIC
from gonfalon.games.conquest.ruleset import TYPES
from gonfalon.games.conquest.tests.diagrams import BLUE, GREEN, RED, Position, position
from gonfalon.games.conquest.tests.turns import fallen, moved

RED_UNITS = "hi2F hi1K ma15 ma2S ma39 ol18 ol27 re1C re2C re3C lo1S lo2S"
"""Red's units on the map. In the reserve: Count, Baron, a Scout, the Spy Master, two Cursed Lands."""


def duel(red: str = RED_UNITS, blue: str = "br1F br2K br3S", **more: Any) -> Position:
    return position("narrows", f"red: {fallen(red)}; blue: {fallen(blue)}", **more)


def drawing(*names: str, red: str = RED_UNITS, **more: Any) -> Position:
    """Return a position in which red has drawn these cards, to be played one each turn."""
    letters = {"regroup": "g", "surprise-attack": "s", "reinforcements": "r", "secret-information": "i"}
    cards = " ".join(f"{letters[name]}1" for name in names)
    return duel(red, phase="card", table=cards, **more)


def turn_on(at: Position, own: str, other: str, card: str) -> Position:
    """Let red make one move and blue another; then red draws only cards of this kind."""
    for text in (own, other):
        at = moved(at, text)
        at = at.play("stop") if at.row["made"] else at
    while at.phase == "draw red":
        at = at.play(f"draw {card}")
    assert at.phase == "card red"
    return at


def ruled_out(at: Position, zone: str, observer: int) -> set[str]:
    """Return the types that, as the observer knows, a unit cannot have."""
    bits = int(at.game.view(at.state, observer).ruled_out[int(at.row["at"][at.game.names.zone(zone)])])
    return {name for kind, name in enumerate(TYPES) if kind and bits >> kind & 1}


# ---- what is public


@pytest.mark.parametrize("observer", [RED, BLUE, PUBLIC])
def test_cq_36_public_are_zones_numbers_discard_what_fell_flags(observer: int) -> None:
    at = duel(discard="b3 g2")
    assert {token.place for token in at.scene(observer).tokens} == {t.place for t in at.scene(EVERYTHING).tokens}
    assert sorted(at.tray("reserve", RED, observer)) == sorted("64SMXX")
    assert at.tray("discard", "", observer) == "bbbgg"
    assert len(at.tray("pile", "", observer)) == 37
    assert at.game.view(at.state, observer).traitor_last == 1


@pytest.mark.parametrize("observer", [RED, BLUE, PUBLIC])
def test_cq_36_flags_held_are_public(observer: int) -> None:
    at = position("three", "red: th1K th2F; blue: kf2S <F>; green: pe1F pe2S", lines="blue flag green")
    assert at.tray("flags", GREEN, observer) == "F"


def test_cq_36_what_a_unit_is_is_not() -> None:
    at = duel()
    for observer in (BLUE, PUBLIC):
        assert {token.face for token in at.scene(observer).tokens if token.side == "red"} == {""}


def test_cq_36_a_unit_that_moved_is_no_flag_or_cursed_land() -> None:
    at = duel().play("hi1-hi3")
    for observer in (BLUE, PUBLIC):
        assert ruled_out(at, "hi3", observer) == {"flag", "cursed-land"}
        assert at.unit("hi3", observer) == "red ? moved"
    assert ruled_out(at, "hi2", BLUE) == set()


def test_cq_36_what_is_known_travels_with_the_unit() -> None:
    at = duel(lines="not blue hi1=9 ; seen blue ol1").play("hi1-hi3")
    assert ruled_out(at, "hi3", BLUE) == {"flag", "cursed-land", "queen"}
    assert at.unit("ol1", BLUE) == "red 8 seen"


def test_cq_36_own_knowledge_is_ones_own() -> None:
    at = duel(lines="seen blue ol1")
    assert (at.unit("ol1", BLUE), at.unit("ol1", PUBLIC)) == ("red 8 seen", "red ?")
    assert at.unit("ol1", RED) == "red 8 looked.blue", "its owner saw whom blue looked at"


def test_cq_36_what_all_know_the_owner_is_shown_too() -> None:
    assert duel(RED_UNITS.replace("ol18", "ol18!")).unit("ol1", RED) == "red 8 seen"


@pytest.mark.parametrize("switch", [True, False])
def test_cq_36_the_switch_show_known_leaves_it_to_memory(switch: bool) -> None:
    at = duel(RED_UNITS.replace("ol18", "ol18!"), show_known=switch).play("hi1-hi3")
    assert (at.unit("ol1", BLUE), at.unit("ol1", PUBLIC)) == (("red 8 seen",) * 2 if switch else ("red ?",) * 2)
    assert at.unit("hi3", BLUE) == ("red ? moved" if switch else "red ?")
    assert (at.unit("ol1", RED), at.unit("ol2", RED)) == ("red 8 seen" if switch else "red 8", "red 7")


# ---- draws from a reserve


def entered(unit: str = "count", zone: str = "st1") -> Position:
    return drawing("surprise-attack").play("+surprise-attack", f"unit {unit}", f"@{zone}")


def test_cq_36_after_a_draw_a_reserve_is_known_as_what_it_may_hold() -> None:
    at = entered()
    for observer in (BLUE, PUBLIC):
        assert at.groups(observer) == ["st1 reserve.red: 64SMXX of 6"]
        assert at.tray("reserve", RED, observer) == "?????"
        assert at.unit("st1", observer) == "red ? among"
    assert sorted(at.tray("reserve", RED, RED)) == sorted("4MSXX")


def test_cq_36_a_reserve_that_says_nothing_is_no_group() -> None:
    """Only the owner knows the types in this reserve."""
    at = position("narrows", f"red: {RED_UNITS}; blue: br1F br2K", phase="card", table="s1")
    at = at.play("+surprise-attack", "unit count", "@st1")
    assert (at.groups(BLUE), at.unit("st1", BLUE)) == ([], "red ?")


def test_cq_36_that_the_unit_moved_is_known_besides() -> None:
    at = entered().play("st1-st2")
    assert at.unit("st2", BLUE) == "red ? moved among"
    assert ruled_out(at, "st2", BLUE) >= {"flag", "cursed-land"}
    assert at.groups(BLUE) == ["st2 reserve.red: 64SMXX of 6"]


def test_cq_36_if_it_is_shown_the_rest_is_known() -> None:
    at = entered("scout").play("st1-hi3")  # a run
    assert at.unit("hi3", BLUE) == "red S seen"
    assert sorted(at.tray("reserve", RED, BLUE)) == sorted("64MXX")
    assert at.groups(BLUE) == []


def test_cq_36_what_falls_before_a_further_draw_may_be_what_is_drawn_then() -> None:
    """The Knight falls, and all observers see it; the unit of the next draw may be the Knight."""
    red = RED_UNITS.replace("ma15", "ne15")
    at = drawing("surprise-attack", red=red, blue="br1F br2C br3K").play("+surprise-attack", "unit count", "@fa1")
    at = at.play("ne1xbr3")
    assert at.groups(BLUE) == ["fa1 reserve.red: 64SMXX of 6"]
    assert at.tray("reserve", RED, BLUE) == "5?????"
    at = moved(at, "br3-ne1")
    while at.phase == "draw red":
        at = at.play("draw surprise-attack")
    at = at.play("+surprise-attack", "unit knight", "@fa2")
    assert at.groups(BLUE) == ["fa2 fa1 reserve.red: 654SMXX of 7"]
    assert at.tray("reserve", RED, BLUE) == "?" * 5


def test_cq_36_what_falls_after_it_is_known_by_itself() -> None:
    at = entered("count", "fa1")
    at = turn_on(at, "hi1-hi3", "br2-st2", "regroup").play("+none", "hi3xbr3")
    assert at.tray("reserve", BLUE, PUBLIC).count("S") == 4
    assert at.groups(BLUE) == ["fa1 reserve.red: 64SMXX of 6"]


def test_cq_36_two_draws_make_one_group() -> None:
    at = turn_on(entered("count", "fa1"), "hi1-hi3", "br3-lo3", "surprise-attack")
    at = at.play("+surprise-attack", "unit baron", "@fa2")
    for observer in (BLUE, PUBLIC):
        assert at.groups(observer) == ["fa1 fa2 reserve.red: 64SMXX of 6"]
    assert at.tray("reserve", RED, RED).count("X") == 2


def test_cq_36_one_of_them_shown_leaves_the_rest() -> None:
    at = turn_on(entered("count", "fa1"), "hi1-hi3", "br3-lo3", "surprise-attack")
    at = at.play("+surprise-attack", "unit scout", "@fa2", "fa2-ta1")  # a run
    assert at.unit("ta1", BLUE) == "red S seen"
    assert at.groups(BLUE) == ["fa1 reserve.red: 64MXX of 5"]


def test_cq_36_a_proof_clears_it_up() -> None:
    """CQ-31 shows the whole reserve, so all observers also know the type of the unit that was drawn from it."""
    at = turn_on(entered("spy-master", "fa1"), "hi1-hi3", "br2-st2", "secret-information")
    assert at.groups(BLUE) == ["fa1 reserve.red: 64SMXX of 6"]
    at = at.play("+secret-information", "@lo1", "@lo2")
    assert at.unit("fa1", BLUE) == "red M seen"
    assert sorted(at.tray("reserve", RED, BLUE)) == sorted("64SXX")
    assert at.groups(BLUE) == []


# ---- groups of a Regroup


def regrouped(red: str, zones: str, order: str, at: Position | None = None) -> Position:
    at = drawing("regroup", red=red) if at is None else at
    return at.play("+regroup", *(f"@{zone}" for zone in zones.split()), *order)


def test_cq_36_overlapping_regroups_make_one_group_of_five() -> None:
    red = RED_UNITS.replace("hi1K", "hi1K!").replace("re1C", "re1C!")
    at = regrouped(red, "hi1 hi2 ma1", "5FK")
    assert at.groups(BLUE) == ["hi2 hi1 ma1: K of 3"]
    at = turn_on(at, "lo2-lo3", "br3-st2", "regroup")
    at = regrouped("", "ma1 re1 re2", "CCK", at)
    assert at.groups(BLUE) == ["hi2 hi1 ma1 re1 re2: KC of 5"]
    assert at.unit("lo3", BLUE) == "red ? moved"


def test_cq_36_a_reveal_splits_one_off() -> None:
    red = RED_UNITS.replace("hi1K", "hi1K!").replace("lo1S", "lo1S!")
    at = regrouped(red, "hi1 lo1 ma1", "S5K")
    assert at.groups(BLUE) == ["hi1 ma1 lo1: KS of 3"]
    at = moved(at, "hi1-fa1")  # a run, so it is the Scout
    assert at.unit("fa1", BLUE) == "red S seen"
    assert at.groups(BLUE) == ["ma1 lo1: K of 2"]


def test_cq_36_the_last_but_one_reveal_tells_the_last_of_a_known_group() -> None:
    red = RED_UNITS.replace("hi1K", "hi1K!").replace("lo1S", "lo1S!").replace("ma15", "ma15!")
    at = regrouped(red, "hi1 lo1 ma1", "S5K")
    assert at.groups(BLUE) == ["hi1 ma1 lo1: K5S of 3"]
    assert moved(at, "hi1-fa1").groups(BLUE) == ["ma1 lo1: K5 of 2"]


def test_cq_36_regrouping_a_unit_that_came_from_the_reserve_widens_the_group() -> None:
    at = turn_on(entered("count", "fa1"), "lo2-lo3", "br3-st2", "regroup")
    at = regrouped("", "fa1 hi1 hi2", "FK6", at)
    (group,) = at.groups(BLUE)
    assert group.endswith("reserve.red: 64SMXX of 8")
    assert {"fa1", "hi1", "hi2"} <= set(group.split())


def test_cq_36_private_knowledge_of_a_group_is_ones_own() -> None:
    at = drawing("regroup", lines="seen blue ma1; not public ma1=9")
    at = at.play("+regroup", "@hi1", "@hi2", "@ma1", *"5FK")
    assert (at.groups(BLUE), at.groups(PUBLIC)) == (["hi2 hi1 ma1: 5 of 3"], [])
    assert ruled_out(at, "ma1", PUBLIC) == set()


# ---- looks and guesses


def table3(card: str, **more: Any) -> Position:
    units = "red: th1M th2F th35; blue: al1K so2F; green: pe1F kf2S kf3C"
    return position("three", units, phase="card", table=f"{card}1", **more)


def test_cq_36_a_look_is_the_lookers_until_the_unit_is_mixed() -> None:
    at = table3("i").play("+secret-information", "@kf2", "@kf3", "th1-br2")
    assert [at.unit(zone, RED) for zone in ("kf2", "kf3")] == ["green S seen", "green C seen"]
    assert [at.unit(zone, BLUE) for zone in ("kf2", "kf3")] == ["green ?"] * 2
    at = moved(at, "al1-al3", "kf2-kf1")
    assert at.unit("kf1", RED) == "green S seen"


def test_cq_36_a_guess_adds_to_what_it_is_not() -> None:
    at = table3("t", lines="not all kf3=XF").play("+traitor", "@kf3", "?king")
    for observer in (BLUE, PUBLIC):
        assert ruled_out(at, "kf3", observer) == {"king", "cursed-land", "flag"}
    assert at.unit("kf3", RED) == "green C seen"
    assert ruled_out(at, "kf3", RED) == set()


def test_cq_36_of_one_of_a_group_what_it_is_not_is_kept_by_unit() -> None:
    at = position(
        "three",
        "red: th1M th2F th35; blue: al1K so2F; green: pe1F kf2S kf3C",
        phase="card",
        table="t1",
        lines="among all kf2! kf3!",
    ).play("+traitor", "@kf3", "?scout")
    assert ruled_out(at, "kf3", BLUE) >= {"scout"}
    assert (at.unit("kf3", RED), at.unit("kf2", RED)) == ("green C seen", "green S seen")


def test_cq_36_finer_deductions_are_the_players_own() -> None:
    """If a view said that one of two units is no Scout, it would reveal which is which. So the view does not draw that
    conclusion.
    """
    at = position(
        "three",
        "red: th1M th2F th35; blue: al1K so2F; green: pe1F kf2S kf3C",
        phase="card",
        table="t1",
        lines="among all kf2! kf3!",
    ).play("+traitor", "@kf3", "?scout")
    assert at.groups(BLUE) == ["kf2 kf3: CS of 2"]
    assert at.unit("kf2", BLUE) == "green ? among"
