"""CQ-17 to CQ-20: combat."""

from __future__ import annotations

from typing import Any

import pytest

from gonfalon.engine.game import EVERYTHING, PUBLIC
from gonfalon.games.conquest.ruleset import TYPES
from gonfalon.games.conquest.state import SIDES
from gonfalon.games.conquest.tests.diagrams import BLUE, GREEN, RED, Position, position
from gonfalon.games.conquest.text.notation import LETTERS

RANKS = "MSC456789K"
"""Letters by rank, 1 to 10."""
WON, LOST, BOTH = "won", "lost", "both"
ZONES = ("hi1", "ma1")
FACE = dict(zip(LETTERS, TYPES, strict=True))


def expected(attacker: str, defender: str) -> str:
    """Return the result of a combat according to the text of CQ-17 to CQ-19 and CQ-21."""
    if defender == "F" or (attacker, defender) in (("M", "K"), ("C", "X")):
        return WON
    if defender == "X":
        return LOST
    mine, theirs = RANKS.index(attacker), RANKS.index(defender)
    return BOTH if mine == theirs else WON if mine > theirs else LOST


def duel(attacker: str, defender: str, side: int = RED, **more: Any) -> Position:
    """Return a position with the attacker on Highgate 1 and the defender on Marl 1. Two Flags and two Scouts are far
    away.
    """
    flag = "" if defender == "F" else " st1F"
    own, other = f"hi1{attacker} re1F re2S", f"ma1{defender}{flag} st2S"
    red, blue = (own, other) if side == RED else (other, own)
    return position("narrows", f"red: {red}; blue: {blue}", mover=SIDES[side], **{"moves": 2, **more})


def fought(attacker: str, defender: str, side: int = RED) -> Position:
    return duel(attacker, defender, side).play("hi1xma1")


def plain(at: Position, zone: str, observer: int = EVERYTHING) -> str:
    """Return side and letter of a unit, without its marks."""
    return " ".join(at.unit(zone, observer).split()[:2])


@pytest.mark.parametrize("side", [RED, BLUE])
@pytest.mark.parametrize("defender", RANKS + "XF")
@pytest.mark.parametrize("attacker", RANKS)
def test_cq_17_to_19_every_pair_of_types(attacker: str, defender: str, side: int) -> None:
    at, result = fought(attacker, defender, side), expected(attacker, defender)
    own, other = SIDES[side], SIDES[1 - side]
    assert at.unit("hi1") == ""
    assert plain(at, "ma1") == {WON: f"{own} {attacker}", LOST: f"{other} {defender}", BOTH: ""}[result]
    before = duel(attacker, defender, side)
    lost = {side: result != WON, 1 - side: result != LOST and defender != "F"}
    for player, letter in ((side, attacker), (1 - side, defender)):
        gone = at.tray("reserve", player).count(letter) - before.tray("reserve", player).count(letter)
        assert gone == lost[player]
    assert at.ended == (f"{own} flags" if defender == "F" else "")


@pytest.mark.parametrize(
    ("attacker", "defender", "told"),
    [
        ("7", "5", "battle-won red ma1 duke knight blue"),
        ("4", "9", "battle-lost red ma1 baron queen blue"),
        ("6", "6", "battle-both red ma1 count count blue"),
        ("K", "X", "battle-lost red ma1 king cursed-land blue"),
        ("C", "X", "battle-won red ma1 sorceress cursed-land blue"),
        ("M", "K", "battle-won red ma1 spy-master king blue"),
        ("K", "M", "battle-won red ma1 king spy-master blue"),
        ("9", "F", "battle-won red ma1 queen flag blue"),
    ],
)
def test_cq_17_both_units_are_shown_to_all(attacker: str, defender: str, told: str) -> None:
    at = fought(attacker, defender)
    for observer in (RED, BLUE, PUBLIC, EVERYTHING):
        assert at.list_events(observer)[:2] == ["attacked red hi1 ma1", told]


def test_cq_17_to_a_third_player_too() -> None:
    at = position("three", "red: th1K so2F; blue: th2S um1F; green: pe1F du1S", moves=2).play("th1xth2")
    assert at.list_events(GREEN)[1] == "battle-won red th2 king scout blue"
    assert at.unit("th2", GREEN) == "red K seen"


def test_cq_17_moving_into_the_zone_of_an_enemy_is_combat_always() -> None:
    at = duel("4", "9")
    assert at.legal("hi1") == {"hi1xma1", "hi1-hi2", "hi1-hi3", "hi1-ma3"}


def test_cq_17_a_lost_unit_goes_to_its_owners_reserve() -> None:
    at = fought("7", "5")
    for observer in (RED, BLUE, PUBLIC):
        before = duel("7", "5").tray("reserve", BLUE, observer)
        assert sorted(at.tray("reserve", BLUE, observer)) == sorted([*before, "5"])
    at = fought("6", "6")
    assert (at.tray("reserve", RED).count("6"), at.tray("reserve", BLUE).count("6")) == (1, 1)


def test_cq_17_a_winning_attacker_stays_in_the_zone() -> None:
    at = fought("7", "5")
    assert (at.unit("hi1"), at.unit("ma1")) == ("", "red 7 seen")


def test_cq_17_a_winning_defender_too() -> None:
    at = fought("5", "7")
    assert (at.unit("hi1"), at.unit("ma1")) == ("", "blue 7 seen")


def test_cq_17_where_both_are_lost_the_zones_are_empty() -> None:
    at = fought("6", "6")
    assert (at.unit("hi1"), at.unit("ma1")) == ("", "")


def test_cq_17_a_flag_taken_is_shown_with_its_captor_in_its_zone() -> None:
    at = position("three", "red: th1K so2F; blue: th2F um1S; green: pe1F du1S", moves=2).play("th1xth2")
    for observer in (RED, BLUE, GREEN, PUBLIC):
        told = ["attacked red th1 th2", "battle-won red th2 king flag blue", "captured red blue th2"]
        assert at.list_events(observer)[:3] == told
        assert at.unit("th2", observer) == "red K seen"


@pytest.mark.parametrize("attacker", RANKS.replace("C", ""))
def test_cq_18_a_cursed_land_defeats_every_attacker_and_stays(attacker: str) -> None:
    at = fought(attacker, "X")
    assert (at.unit("ma1"), at.tray("reserve", RED).count(attacker) > 0) == ("blue X seen", True)
    assert at.list_events(PUBLIC)[1] == f"battle-lost red ma1 {FACE[attacker]} cursed-land blue"


def test_cq_18_but_the_sorceress_who_defeats_it_and_stands_in_its_zone() -> None:
    at = fought("C", "X")
    assert (at.unit("ma1"), at.unit("hi1")) == ("red C seen", "")
    assert at.tray("reserve", BLUE).count("X") == 2


def test_cq_19_the_spy_master_defeats_the_king_when_it_attacks() -> None:
    at = fought("M", "K")
    assert (at.unit("ma1"), at.tray("reserve", BLUE).count("K")) == ("red M seen", 1)


def test_cq_19_attacked_by_the_king_it_loses() -> None:
    at = fought("K", "M")
    assert (at.unit("ma1"), at.tray("reserve", BLUE).count("M")) == ("red K seen", 1)


@pytest.mark.parametrize("defender", RANKS[1:-1] + "X")
def test_cq_19_attacking_it_defeats_no_other_rank(defender: str) -> None:
    assert fought("M", defender).unit("hi1") == ""
    assert fought("M", defender).unit("ma1") == f"blue {defender} seen"


def test_cq_19_spy_masters_both_lose() -> None:
    assert fought("M", "M").unit("ma1") == ""


@pytest.mark.parametrize(
    ("attacker", "defender", "left"), [("7", "5", "red 7"), ("5", "7", "blue 7"), ("4", "X", "blue X")]
)
def test_cq_20_the_survivor_is_hidden_again_but_known(attacker: str, defender: str, left: str) -> None:
    at = fought(attacker, defender)
    for observer in (RED, BLUE, PUBLIC, EVERYTHING):
        assert at.unit("ma1", observer) == f"{left} seen"


def test_cq_20_until_a_regroup_blurs_it() -> None:
    red = "re1F re2S ma17!"
    at = position("narrows", f"red: {red}; blue: st1F st2S", phase="card", table="g1")
    assert at.unit("ma1", BLUE) == "red 7 seen"
    at = at.play("+regroup", "@ma1", "@re1", "@re2", *"7FS")
    assert at.unit("ma1", BLUE) == "red ? among"
    assert at.groups(BLUE) == ["re1 re2 ma1: 7 of 3"]


def test_cq_20_it_travels_with_the_unit() -> None:
    at = fought("7", "5").play("ma1-ma2")
    assert at.unit("ma2", BLUE) == "red 7 seen"
