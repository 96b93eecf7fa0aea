"""CQ-14 to CQ-16: where units may go, the Scout's run, and turns without a move."""

from __future__ import annotations

from typing import Any

import pytest

from gonfalon.engine.game import EVERYTHING, PUBLIC
from gonfalon.games.conquest.tests.diagrams import BLUE, RED, Position, position

MOVERS = "MSC456789K"


def table(red: str, blue: str = "br1F br2K", **more: Any) -> Position:
    return position("narrows", f"red: {red}; blue: {blue}", **more)


def goals(at: Position, zone: str) -> set[str]:
    """Return the goals of the unit in a zone: `ma1` for an empty zone, `xma1` for an attack."""
    return {text[len(zone) :].removeprefix("-") for text in at.legal(zone)}


# ---- one zone


def test_cq_14_a_unit_moves_to_a_zone_that_borders_its_own() -> None:
    at = table("hi1K lo1F")
    assert goals(at, "hi1") == {"hi2", "hi3", "ma1", "ma3"} == at.near("hi1")
    assert at.refusal("hi1-ma2") == "not-bordering"
    at = at.play("hi1-ma3")
    for observer in (RED, BLUE, PUBLIC, EVERYTHING):
        assert at.list_events(observer)[0] == "moved red hi1 ma3"
    assert (at.unit("hi1"), at.unit("ma3")) == ("", "red K")


@pytest.mark.parametrize("letter", [letter for letter in MOVERS if letter != "S"])
def test_cq_14_every_movable_unit_one_zone(letter: str) -> None:
    assert goals(table(f"hi3{letter} lo1F"), "hi3") == {"hi1", "hi2", "ma3", "je2", "je3", "br3"}


def test_cq_14_mountains_block_moves_and_combat() -> None:
    at = table("hi3K lo1F", "br1F ne1K")
    assert "ne1" not in at.near("hi3")
    assert "hi3xne1" not in at.legal()
    assert at.refusal("hi3xne1") == "ridge-between"
    assert table("hi3K lo1F").refusal("hi3-ne1") == "ridge-between"


def test_cq_14_and_runs() -> None:
    """Reed 1 lies behind mountains, which a Scout there cannot cross on any way."""
    at = table("re1S re2X re3X hi1K hi2F")
    assert at.legal("re1") == set()
    assert at.refusal("re1-ol1") == "ridge-between"


@pytest.mark.parametrize("letter", "XF")
def test_cq_14_flag_and_cursed_land_never_move(letter: str) -> None:
    at = table("hi1F ma1X ol1K")
    zone = {"X": "ma1", "F": "hi1"}[letter]
    assert at.legal(zone) == set()
    assert at.refusal(f"{zone}-{'hi2' if letter == 'F' else 'ma2'}") == "never-moves"


def test_cq_14_one_unit_a_zone() -> None:
    at = table("hi1K hi2S ma1F")
    assert goals(at, "hi1") == {"hi3", "ma3"}
    assert at.refusal("hi1-hi2") == "own-unit-there"


def test_cq_14_of_different_players_only_for_combat() -> None:
    at = table("hi1K ol1F", "br1F br2K ma1S")
    assert goals(at, "hi1") == {"hi2", "hi3", "ma3", "xma1"}
    at = at.play("hi1xma1")
    assert len([token for token in at.scene(EVERYTHING).tokens if token.place == "ma1"]) == 1


def test_cq_14_only_the_own_units() -> None:
    at = table("hi1K ol1F")
    assert all(text.startswith("hi1") for text in at.legal())
    assert at.refusal("br2-br3") == "no-own-unit"
    assert at.refusal("ma1-ma2") == "no-own-unit"
    assert at.refusal("br2-br3", player=BLUE) == "not-your-turn"


# ---- the run


def test_cq_15_a_scout_runs_along_any_path_of_empty_zones() -> None:
    at = table("hi1S re1F", "br1F br2K")
    empty = set(at.game.names.zones) - {"hi1", "re1", "br1", "br2"}
    assert {goal for goal in goals(at, "hi1") if not goal.startswith("x")} == empty


def test_cq_15_not_through_units() -> None:
    at = table("re1S re2K re3F", "br1F br2K")
    assert goals(at, "re1") == set()
    at = table("re1S re2X co1X hi1F ol3C", "br1F ne2K fa3S co2S")
    assert goals(at, "re1") == {"re3", "xco2", "xne2"}


def test_cq_15_no_other_unit_runs() -> None:
    assert "hi1-ma2" not in table("hi1C re1F").legal()


def test_cq_15_round_a_ridge() -> None:
    at = table("hi3S re1F", "st1F st2K")
    assert "ne1" not in at.near("hi3")
    at = at.play("hi3-ne1")
    assert at.list_events(PUBLIC)[0] == "ran red hi3 ne1"
    assert at.unit("ne1", BLUE) == "red S seen"


def test_cq_15_the_way_round_must_be_free() -> None:
    at = table("hi3S br3X ma3C ma1K je2F je3C hi2X", "st1F st2K")
    assert goals(at, "hi3") == {"hi1"}
    assert at.refusal("hi3-ne1") == "ridge-between"
    at = table("re2S re1F re3K co1X", "st1F st2K")
    assert goals(at, "re2") == set()
    assert at.refusal("re2-co2") == "no-way"


def test_cq_15_it_may_end_in_combat() -> None:
    at = table("hi1S re1F", "br1F ol2M").play("hi1xol2")
    assert at.list_events(PUBLIC)[:2] == ["attacked red hi1 ol2", "battle-won red ol2 scout spy-master blue"]
    assert (at.unit("ol2", BLUE), at.unit("hi1")) == ("red S seen", "")


def test_cq_15_a_run_into_combat_needs_a_way_to_a_neighbour_of_the_enemy() -> None:
    at = table("re1S hi1F", "br1F br2K re2S re3S")
    assert goals(at, "re1") == {"xre2", "xre3"}
    assert at.refusal("re1xbr2") == "no-way"


@pytest.mark.parametrize("switch", [True, False])
def test_cq_15_the_switch_scout_attacks_after_run(switch: bool) -> None:
    at = table("hi1S re1F", "br1F ol2K ma1C", scout_attacks_after_run=switch)
    assert ("hi1xol2" in at.legal()) is switch
    assert "hi1xma1" in at.legal()
    assert "hi1-ol1" in at.legal()
    if not switch:
        assert at.refusal("hi1xol2") == "run-then-attack"


def test_cq_15_with_the_switch_off_one_zone_behind_a_ridge_is_no_neighbour() -> None:
    at = table("hi3S re1F", "st1F ne1K", scout_attacks_after_run=False)
    assert "hi3xne1" not in at.legal()
    assert "hi3xne1" in table("hi3S re1F", "st1F ne1K").legal()


def test_cq_15_it_ends_in_another_zone_than_it_began() -> None:
    at = table("hi1S re1F")
    assert "hi1-hi1" not in at.legal()
    assert at.refusal("hi1-hi1") == "same-zone"


def test_cq_15_a_move_to_a_bordering_zone_is_a_one_zone_move() -> None:
    """The move looks the same for a Scout, although a Scout could have run there by another way."""
    for letter in "SK":
        at = table(f"hi1{letter} re1F").play("hi1-hi2")
        for observer in (BLUE, PUBLIC):
            assert at.list_events(observer)[0] == "moved red hi1 hi2"
            assert at.unit("hi2", observer) == "red ? moved"


def test_cq_15_only_start_and_end_are_public_and_it_reveals_the_scout() -> None:
    at = table("hi1S re1F").play("hi1-st1")
    for observer in (RED, BLUE, PUBLIC):
        assert at.list_events(observer)[0] == "ran red hi1 st1"
        assert at.unit("st1", observer) == "red S seen"


def test_cq_15_so_does_a_run_two_zones_far() -> None:
    assert table("hi1S re1F").play("hi1-ma2").unit("ma2", BLUE) == "red S seen"


# ---- no move


BLOCKED = "re15 re2X re3X co1F"
"""Units of red, of which the only movable one cannot move."""


def begun(red: str, blue: str = "br1F br2K", **more: Any) -> Position:
    """Return a position after blue's move. It is red's turn, unless red's turn ended at once."""
    return table(red, blue, mover="blue", start="blue", **more).play("br2-br3")


def test_cq_16_without_a_legal_move_the_turn_ends_without_penalty() -> None:
    at = begun("re15 re2X re3F")
    assert (at.phase, at.row["turn"], at.ended) == ("move blue", 22, "")
    assert "no-move red" in at.list_events(PUBLIC)
    assert at.row["out"][RED] == 0


def test_cq_16_it_is_looked_at_after_the_card() -> None:
    at = begun(BLOCKED)
    assert at.phase == "draw red"
    at = at.play("draw surprise-attack")
    assert at.phase == "card red"
    at = at.play("+surprise-attack", "unit queen", "@hi1")
    assert at.phase == "move red"
    assert at.legal() == {f"hi1-{zone}" for zone in at.near("hi1")}


def test_cq_16_a_card_that_frees_nobody_ends_the_turn() -> None:
    for text in ("+none", "+blitz"):
        at = begun(BLOCKED).play("draw blitz", text)
        assert at.phase == "move blue"
        assert "no-move red" in at.list_events(PUBLIC)
        assert at.tray("discard", "") == "b"


def test_cq_16_if_only_combats_are_legal_the_first_move_is_one() -> None:
    at = begun("re15 re2X hi1F", "br1F br2K re39")
    assert at.phase == "move red"
    assert at.legal() == {"re1xre3"}
    assert at.refusal("stop") == "must-move"
    assert at.play("re1xre3").unit("re1") == ""


def test_cq_16_without_units_that_move_there_is_no_move() -> None:
    at = begun("hi1F ma1X")
    assert at.phase == "draw red"
    assert at.play("draw blitz", "+none").phase == "move blue"
