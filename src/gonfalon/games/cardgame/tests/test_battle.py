"""CG-6 to CG-8: attacks."""

from __future__ import annotations

from typing import Any

import pytest

from gonfalon.engine.game import EVERYTHING, PUBLIC
from gonfalon.games.cardgame.tests.diagrams import BLUE, FACES, RED, SIDES, Position, position

RANKS = "S23456789M"
WON, LOST, BOTH = "won", "lost", "both"


def expected(attacker: str, defender: str) -> str:
    """Return the result of an attack according to the text of CG-6 to CG-8 and CG-13."""
    if defender == "F" or (attacker, defender) == ("S", "M"):
        return WON
    if defender == "B":
        return WON if attacker == "3" else LOST
    mine, theirs = RANKS.index(attacker), RANKS.index(defender)
    return BOTH if mine == theirs else WON if mine > theirs else LOST


def duel(attacker: str, defender: str, side: int = RED) -> Position:
    """Return a position with the attacker on the second place of its line and the defender on the fourth place of the
    other. Each has a Captain or a Lieutenant beside it.
    """
    own = f"{'5' if attacker != '5' else '6'} {attacker} . . ."
    enemy = f"{'5' if defender != '5' else '6'} . . {defender} ."
    cards: dict[str, Any] = {
        f"{SIDES[side]}_hand": "F",
        f"{SIDES[side]}_pile": "",
        f"{SIDES[1 - side]}_pile": "" if defender == "F" else "F",
    }
    lines = (own, enemy) if side == RED else (enemy, own)
    return position(*lines, phase=f"act {SIDES[side]}", **cards)


def fought(attacker: str, defender: str, side: int = RED) -> Position:
    """Return the position after the attack."""
    names = ("r2xb4", "b2xr4")
    return duel(attacker, defender, side).play(names[side])


@pytest.mark.parametrize("side", [RED, BLUE])
@pytest.mark.parametrize("defender", RANKS + "BF")
@pytest.mark.parametrize("attacker", RANKS)
def test_cg_6_to_08_every_pair_of_types(attacker: str, defender: str, side: int) -> None:
    after, result = fought(attacker, defender, side), expected(attacker, defender)
    own, enemy = after.line(side, EVERYTHING).split(), after.line(1 - side, EVERYTHING).split()
    assert own[1] == ("." if result in (LOST, BOTH) else attacker)  # a winner stays on its own place
    assert enemy[3] == ("." if result in (WON, BOTH) else defender)
    assert own[2:] == [".", ".", "."]
    assert enemy[1:3] == [".", "."]
    assert after.ended == (f"{SIDES[side]} flag" if defender == "F" else "")


def test_cg_6_any_card_may_attack_any_card_of_the_other_line() -> None:
    at = position("7 2 B S 4", "6 6 3 3 5", red_hand="M93", blue_hand="322")
    assert {text for text in at.legal() if "x" in text} == {f"r{own}xb{k}" for own in (1, 2, 4, 5) for k in range(1, 6)}


@pytest.mark.parametrize(
    ("attacker", "defender", "told"),
    [
        ("7", "5", "battle-won red r2 b4 major lieutenant"),
        ("4", "9", "battle-lost red r2 b4 sergeant general"),
        ("6", "6", "battle-both red r2 b4 captain captain"),
        ("9", "B", "battle-lost red r2 b4 general bomb"),
        ("3", "B", "battle-won red r2 b4 miner bomb"),
    ],
)
def test_cg_6_both_cards_are_turned_up_for_all(attacker: str, defender: str, told: str) -> None:
    after = fought(attacker, defender)
    for observer in (RED, BLUE, PUBLIC, EVERYTHING):
        assert after.list_events(observer)[:2] == ["attacked red r2 b4", told]


def test_cg_6_a_winner_is_known_to_all_until_it_leaves_its_place() -> None:
    after = fought("7", "5")
    assert after.line(RED, BLUE) == after.line(RED, PUBLIC) == "? 7 . . ."
    assert after.marks(RED, RED) == after.marks(RED, BLUE) == after.marks(RED, PUBLIC) == "- ! . . ."
    later = after.play("F", ".", ".", "draw F", "b1xr1")  # a turn that does not touch the winner
    assert later.line(RED, BLUE) == ". 7 ? . ."


def test_cg_6_a_card_that_follows_on_the_place_is_unknown() -> None:
    at = position("7 2 B S 4", "M 6 3 3 5", red_hand="M93", blue_hand="322").play("r1xb2", "b1xr1", "3")
    assert at.line(RED, BLUE) == ". ? ? ? ?"
    after = at.play("r5xb3", "9")
    assert after.line(RED, BLUE).split()[0] == "?"
    assert after.marks(RED, BLUE).split()[0] == "-"


def test_cg_6_a_defender_that_wins_is_known_too() -> None:
    after = fought("4", "9")
    for observer in (RED, BLUE, PUBLIC):
        assert after.line(BLUE, observer).split()[3] == "9"
        assert after.marks(BLUE, observer) == "- . . ! ."


@pytest.mark.parametrize(
    ("attacker", "defender", "red", "blue"), [("7", "5", "", "5"), ("4", "9", "4", ""), ("6", "6", "6", "6")]
)
def test_cg_6_cards_that_left_are_public(attacker: str, defender: str, red: str, blue: str) -> None:
    before, after = duel(attacker, defender), fought(attacker, defender)
    for observer in (RED, BLUE, PUBLIC):
        for side, gone in ((RED, red), (BLUE, blue)):
            lost = before.tray("lost", side, observer) + gone
            assert sorted(after.tray("lost", side, observer)) == sorted(lost)


@pytest.mark.parametrize("rank", RANKS)
def test_cg_6_equal_ranks_leave_together(rank: str) -> None:
    after = fought(rank, rank)
    assert after.list_events(PUBLIC)[1] == f"battle-both red r2 b4 {FACES[rank]} {FACES[rank]}"
    assert after.line(RED, EVERYTHING).split()[1] == after.line(BLUE, EVERYTHING).split()[3] == "."


def test_cg_7_a_spy_that_attacks_the_marshal_wins() -> None:
    assert fought("S", "M").list_events(PUBLIC)[1] == "battle-won red r2 b4 spy marshal"


@pytest.mark.parametrize("attacker", RANKS[1:])
def test_cg_7_an_attacked_spy_loses_to_every_other_rank(attacker: str) -> None:
    assert fought(attacker, "S").list_events(PUBLIC)[1] == f"battle-won red r2 b4 {FACES[attacker]} spy"


@pytest.mark.parametrize("defender", RANKS[1:-1])
def test_cg_7_an_attacking_spy_beats_no_other_rank(defender: str) -> None:
    assert fought("S", defender).list_events(PUBLIC)[1] == f"battle-lost red r2 b4 spy {FACES[defender]}"


def test_cg_7_spy_against_spy_both_leave() -> None:
    assert fought("S", "S").list_events(PUBLIC)[1] == "battle-both red r2 b4 spy spy"


@pytest.mark.parametrize("attacker", RANKS.replace("3", ""))
def test_cg_8_a_bomb_beats_every_attacker_and_stays_face_down_and_known(attacker: str) -> None:
    after = fought(attacker, "B")
    assert after.line(RED, RED).split()[1] == "."
    for observer in (RED, BLUE, PUBLIC):
        assert (after.line(BLUE, observer).split()[3], after.marks(BLUE, observer).split()[3]) == ("B", "!")


def test_cg_8_but_the_miner_who_removes_it_and_returns_to_its_place() -> None:
    after = fought("3", "B")
    assert (after.line(RED, BLUE), after.line(BLUE, BLUE)) == ("? 3 . . .", "5 . . . .")
    assert after.tray("lost", BLUE, PUBLIC).count("B") == 3  # two of the Bombs were lost before the test's attack


def test_cg_8_bombs_and_the_flag_never_attack() -> None:
    at = position("7 2 B F 4", "6 6 3 3 5", red_hand="M93", blue_hand="322")
    assert not {text for text in at.legal() if text.startswith(("r3x", "r4x"))}
    assert at.refusal("r3xb1") == at.refusal("r4xb1") == "never-attacks"
