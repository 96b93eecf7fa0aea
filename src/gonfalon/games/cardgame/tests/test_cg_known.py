"""CG-9 and CG-10: what players know of cards after looks, battles, lays and tricks together, and who knows it."""

from __future__ import annotations

from typing import Any

import pytest

from gonfalon.engine.game import EVERYTHING, PUBLIC
from gonfalon.games.cardgame.tests.diagrams import BLUE, RED, Position, position


def table(red: str = "7 2 B S 4", blue: str = "6 6 3 3 5", **more: Any) -> Position:
    return position(red, blue, **{"red_hand": "M93", "blue_hand": "M32", **more})


def one_of_three() -> Position:
    """Return a position in which red saw Marshal, Miner and Scout in blue's hand; then blue laid the Miner on b1, face
    down.
    """
    return table().play("r4?", "b1xr1", "3")


def one_of_three_with_a_drawn_one(laid: str) -> Position:
    """Return a position in which red saw Marshal and Miner; then blue drew a Colonel and laid one of the three cards on
    b1.
    """
    return table(blue_hand="M3", blue_pile="F85").play("r4?", "draw 8", "b1xr1", laid)


# ---- a card of a group is seen in the line


def test_cg_9_a_scout_that_sees_the_laid_card_tells_what_the_hand_is() -> None:
    at = one_of_three()
    assert at.groups(RED) == ["b1 hand: M32 of 3"]
    after = at.play("r2?b1+b2")
    assert (after.line(BLUE, RED), after.hand(BLUE, RED), after.groups(RED)) == ("3 6 ? ? ?", "M2", [])
    assert (after.line(BLUE, PUBLIC), after.hand(BLUE, PUBLIC)) == ("? ? ? ? ?", "??")


def test_cg_9_if_the_drawn_card_was_laid_the_hand_is_the_one_that_was_seen() -> None:
    after = one_of_three_with_a_drawn_one("8").play("r2?b1+b2")
    assert (after.line(BLUE, RED), after.hand(BLUE, RED), after.groups(RED)) == ("8 6 ? ? ?", "M3", [])


def test_cg_9_if_a_seen_card_was_laid_the_drawn_one_is_in_the_hand() -> None:
    after = one_of_three_with_a_drawn_one("3").play("r2?b1+b2")
    assert (after.line(BLUE, RED), after.hand(BLUE, RED)) == ("3 6 ? ? ?", "??")
    assert after.groups(RED) == ["hand: M of 2"]


def test_cg_9_a_drawn_card_like_a_seen_one_cannot_be_told_from_it() -> None:
    """Marshal and Miner were seen, then a second Miner was drawn: the Miner on b1 may be either Miner."""
    for laid, hand in (("3", "M3"), ("M", "33")):
        at = table(blue_hand="M3", blue_pile="F35").play("r4?", "draw 3", "b1xr1", laid, "r2?b1+b2")
        assert at.hand(BLUE, EVERYTHING) == hand
        assert at.groups(RED) == [f"hand: {'M' if laid == '3' else '3'} of 2"]


def test_cg_9_a_card_of_a_group_that_wins_as_a_defender_is_known_to_all() -> None:
    after = table().play("r4?", "b1xr1", "M", "r5xb1")
    for observer in (RED, PUBLIC):
        assert after.line(BLUE, observer) == "M ? ? ? ?"
    assert (after.marks(BLUE, BLUE), after.hand(BLUE, RED), after.hand(BLUE, PUBLIC)) == ("! - - - -", "32", "??")


def two_gaps(hand: str = "M32", drawn: str = "") -> Position:
    """Return a position in which red saw blue's hand; then blue lost a Captain under attack, and another one by
    attacking.
    """
    at = table(blue_hand=hand).play("r4?", *(f"draw {letter}" for letter in drawn))
    return at.play("b3xr3", "r1xb1", "3", "b2xr1")


def test_cg_9_two_cards_laid_at_once_are_both_of_these() -> None:
    at = two_gaps().play(*"3M")
    assert at.groups(RED) == ["b1 b2 hand: M32 of 3"]
    assert at.marks(BLUE, RED) == at.marks(BLUE, BLUE) == "~ ~ ! - -"
    assert at.groups(PUBLIC) == []


def test_cg_9_which_was_laid_where_does_not_show() -> None:
    lays = ("3M", "M3", "2M", "M2", "23", "32")
    ends = [two_gaps().play(*lay) for lay in lays]
    assert len({at.game.view(at.state, RED).tobytes() for at in ends}) == 1
    assert len({at.game.view(at.state, PUBLIC).tobytes() for at in ends}) == 1


def test_cg_9_of_two_alike_of_which_one_was_seen_either_uses_up_what_was_known() -> None:
    """Marshal and Miner were seen, then a Miner was drawn; blue lays both Miners, and one of them falls."""
    at = two_gaps("M3", "3").play(*"33", "draw 2")
    assert at.groups(RED) == ["b1 b2 hand: M3 of 3"]
    assert at.play("r5xb1").groups(RED) == ["b2 hand: M of 2"]
    assert at.play("r5xb2").groups(RED) == ["b1 hand: M of 2"]


def test_cg_9_what_is_left_of_a_group_is_known_when_it_is_of_one_kind() -> None:
    at = two_gaps("322").play(*"23", "draw 2")
    assert at.groups(RED) == ["b1 b2 hand: 322 of 3"]
    after = at.play("r2?b2+b4")
    assert (after.line(BLUE, RED), after.hand(BLUE, RED), after.groups(RED)) == ("2 3 3 3 ?", "2", [])


def test_cg_9_a_group_of_which_nothing_is_known_any_more_is_none() -> None:
    at = two_gaps("M", "32").play(*"3M", "draw 2")
    assert at.groups(RED) == ["b1 b2 hand: M of 3"]
    after = at.play("r2?b2+b4")
    assert (after.line(BLUE, RED), after.hand(BLUE, RED), after.groups(RED)) == ("? M 3 3 ?", "?", [])


# ---- the hand


def test_cg_9_a_known_hand_of_one_kind_is_blurred_by_a_drawn_card_too() -> None:
    at = table(blue_hand="22", blue_pile="F85").play("r4?", "draw 8")
    assert at.groups(RED) == ["hand: 22 of 3"]
    assert at.play("b1xr1", "8").groups(RED) == at.play("b1xr1", "2").groups(RED) == ["b1 hand: 22 of 3"]


def test_cg_9_a_line_card_of_a_hand_of_one_kind_stays_known_when_the_hand_is_blurred() -> None:
    at = table(blue_hand="222", blue_pile="F85").play("r4?", "b1xr1", "2", "r1xb5")
    after = at.play("draw 8")
    assert after.line(BLUE, RED) == "2 ? ? ? ."
    assert after.groups(RED) == ["hand: 22 of 3"]


def test_cg_9_after_an_empty_hand_was_seen_what_is_drawn_is_unknown() -> None:
    at = table(blue_hand="-", blue_pile="F8").play("r4?", "draw F", "draw 8")
    assert (at.hand(BLUE, RED), at.groups(RED)) == ("??", [])
    assert at.play("b1xr1", "8").groups(RED) == []


def test_cg_9_what_is_laid_from_a_hand_that_nobody_saw_is_unknown() -> None:
    at = table().play("r2?b1+b2", "b1xr1", "3")
    assert (at.line(BLUE, RED), at.groups(RED)) == ("? 6 ? ? ?", [])
    assert at.marks(BLUE, BLUE) == "- ! - - -"


# ---- observers who know it


def test_cg_9_blue_looks_as_red_does() -> None:
    at = position("6 6 3 3 5", "7 2 B S 4", red_hand="M32", blue_hand="M93", phase="act blue")
    at = at.play("b4?", "r1xb1", "3")
    assert at.groups(BLUE) == ["r1 hand: M32 of 3"]
    assert at.marks(RED, BLUE) == at.marks(RED, RED) == "~ - - - -"
    after = at.play("b2?r1+r5")
    assert (after.line(RED, BLUE), after.hand(RED, BLUE), after.groups(BLUE)) == ("3 ? ? ? 5", "M2", [])
    assert after.line(BLUE, RED) == after.line(BLUE, PUBLIC) == "7 2 ? S ?"


def test_cg_9_both_may_know_something_of_each_other() -> None:
    at = table(blue="6 S 3 3 5").play("r4?", "b2?")
    assert (at.hand(BLUE, RED), at.hand(RED, BLUE)) == ("M32", "M93")
    assert at.hand(BLUE, PUBLIC) == at.hand(RED, PUBLIC) == "???"


def test_cg_9_what_one_has_seen_the_public_learns_in_battle() -> None:
    at = table().play("r2?b1+b5")
    assert (at.line(BLUE, RED), at.line(BLUE, PUBLIC)) == ("6 ? ? ? 5", "? ? ? ? ?")
    after = at.play("b1xr5")  # the Captain captures a Sergeant
    assert after.line(BLUE, RED) == "6 ? ? ? 5"
    assert after.line(BLUE, PUBLIC) == "6 ? ? ? ?"


def test_cg_9_looking_again_at_a_known_card_changes_nothing_for_others() -> None:
    at = table().play("r2?b1+b5", "b3xr3", "r2?b1+b5")
    assert (at.line(BLUE, RED), at.line(BLUE, PUBLIC)) == ("6 ? 3 ? 5", "? ? 3 ? ?")


def test_show_known_off_leaves_it_to_memory() -> None:
    at = position("7 2 B S 4", "6 6 3 3 5", red_hand="M93", blue_hand="M32", show_known=False).play("r4?")
    assert at.list_events(RED)[2:] == ["saw-hand blue marshal", "saw-hand blue miner", "saw-hand blue scout"]
    at = at.play("b1xr1", "3")
    for observer in (RED, BLUE, PUBLIC):
        assert at.groups(observer) == []
        assert at.marks(BLUE, observer) == "- - - - -"
    assert at.play("r2?b1+b2").line(BLUE, RED) == "? ? ? ? ?"
    assert at.line(BLUE, BLUE) == "3 6 3 3 5"


# ---- the trick


def red_knows_much() -> Position:
    """Return a position in which red saw blue's hand, one card of which was then laid on b1, and two cards of the line;
    last, blue drew.
    """
    return table(blue="6 2 3 F 5", blue_pile="85").play("r4?", "b1xr1", "3", "r2?b4+b5", "draw 8")


def test_cg_10_every_kind_of_knowledge_is_forgotten() -> None:
    at = red_knows_much()
    assert (at.line(BLUE, RED), at.groups(RED)) == ("? ? ? F 5", ["b1 hand: M32 of 4"])
    assert at.game.view(at.state, RED).ruled_out.any()
    after = at.play("b4~", *(f"draw {letter}" for letter in "M32852F3"), *"M3285")
    view = after.game.view(after.state, RED)
    assert not view.ruled_out.any()
    assert not view.among[13:].any()
    assert (after.line(BLUE, RED), after.groups(RED)) == ("? ? ? ? ?", [])
    assert after.hand(BLUE, RED) == after.hand(BLUE, PUBLIC) == "???"
    assert after.marks(BLUE, BLUE) == "- - - - -"


def test_cg_10_while_the_trick_is_carried_out_nothing_is_known_either() -> None:
    at = red_knows_much().play("b4~", "draw M", "draw 3")
    assert (at.line(BLUE, RED), at.hand(BLUE, RED), at.groups(RED)) == (". . . . .", "??", [])
    assert not at.game.view(at.state, RED).ruled_out.any()
    assert " only " not in at.game.state_text(at.state)


@pytest.mark.parametrize("number", [2, 3, 4, 5, 6, 7])
def test_cg_10_each_number_of_cards_below_eight(number: int) -> None:
    cards = "7F22433"[:number]
    line = " ".join(cards[:5].ljust(5, "."))
    at = position(line, "6 6 3 3 5", red_hand=cards[5:] or "-", red_pile="", blue_hand="322")
    at = at.play("r2~", *(f"draw {letter}" for letter in cards))
    assert at.status == "lay-anew"
    after = at.play(*cards[:5], *"....."[number:])
    assert (after.line(RED, RED), len(after.hand(RED, RED))) == (line, max(number - 5, 0))
    assert (after.tray("pile", RED, RED), after.actor) == ("", BLUE)


def test_cg_10_what_is_drawn_and_laid_anew_does_not_show() -> None:
    told, views = set(), set()
    for order in ("7F223", "322F7"):
        at = position("7 F 2 2 3", "6 6 3 3 5", red_pile="", blue_hand="322")
        at = at.play("r2~", *(f"draw {letter}" for letter in order), *order)
        told.add(tuple(at.list_events(BLUE)))
        views.add(at.game.view(at.state, BLUE).tobytes())
    assert len(told) == len(views) == 1
