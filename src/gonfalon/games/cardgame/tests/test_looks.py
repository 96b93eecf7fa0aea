"""CG-9: the Spy's look, the Scout's look, and what players know of the cards afterwards."""

from __future__ import annotations

from typing import Any

import pytest

from gonfalon.engine.game import CHANCE, EVERYTHING, PUBLIC
from gonfalon.games.cardgame.tests.diagrams import BLUE, RED, Position, position

RED_LINE, BLUE_LINE = "7 2 B S 4", "6 6 3 3 5"
PLAYERS_AND_PUBLIC = (RED, BLUE, PUBLIC)


def table(red: str = RED_LINE, blue: str = BLUE_LINE, **more: Any) -> Position:
    return position(red, blue, **{"red_hand": "M93", "blue_hand": "322", **more})


# ---- the Spy


def test_cg_9_a_spy_of_the_line_looks_at_the_hand() -> None:
    after = table(blue_hand="M32").play("r4?")
    assert after.hand(BLUE, RED) == "M32"
    assert after.list_events(RED) == [
        "revealed red spy r4",
        "looked-hand red r4 3",
        "saw-hand blue marshal",
        "saw-hand blue miner",
        "saw-hand blue scout",
    ]


def test_cg_9_the_spy_sees_the_flag_and_a_bomb_in_the_hand_too() -> None:
    after = table(blue_hand="FB2").play("r4?")
    assert after.hand(BLUE, RED) == "FB2"
    assert after.list_events(RED)[2:] == ["saw-hand blue flag", "saw-hand blue bomb", "saw-hand blue scout"]


def test_cg_9_what_the_spy_sees_is_its_owners_alone() -> None:
    at = table(blue_hand="M32").play("r4?")
    assert at.list_events(PUBLIC) == at.list_events(BLUE) == ["revealed red spy r4", "looked-hand red r4 3"]
    assert at.hand(BLUE, PUBLIC) == "???"
    assert at.groups(PUBLIC) == []
    assert len(at.list_events(EVERYTHING)) == 5


def test_cg_9_the_hand_is_told_as_a_set_whatever_its_order() -> None:
    """Cards drawn in different orders give the same events and views."""
    told = []
    for order in ("M32", "23M", "3M2"):
        at = position(RED_LINE, BLUE_LINE, red_hand="M93", phase="draw blue")
        at = at.play(*(f"draw {letter}" for letter in order), "b1xr3", "2", "r4?")
        told.append((at.list_events(RED), at.hand(BLUE, RED), at.game.view(at.state, RED).tobytes()))
    assert told[0] == told[1] == told[2]


def test_cg_9_the_spy_looks_at_an_empty_hand_too() -> None:
    after = table(blue="6 6 3 3 F", blue_hand="-", blue_pile="").play("r4?")
    assert after.list_events(RED) == ["revealed red spy r4", "looked-hand red r4 0", "saw-empty blue"]
    assert after.list_events(PUBLIC) == ["revealed red spy r4", "looked-hand red r4 0"]


def test_cg_9_only_a_spy_of_the_line_looks_at_the_hand() -> None:
    assert {text for text in table().legal() if text.endswith("?")} == {"r4?"}
    assert table().refusal("r1?") == "not-a-spy"


# ---- the Scout


def test_cg_9_a_scout_of_the_line_looks_at_two_cards_of_the_players_choice() -> None:
    at = table()
    pairs = {f"b{one}+b{other}" for one in range(1, 6) for other in range(one + 1, 6)}
    assert {text for text in at.legal() if "?b" in text} == {f"r2?{pair}" for pair in pairs}
    after = at.play("r2?b1+b5")
    assert after.line(BLUE, RED) == "6 ? ? ? 5"
    assert after.list_events(RED)[2:] == ["saw blue captain b1", "saw blue lieutenant b5"]


def test_cg_9_which_cards_is_public_what_they_are_is_the_lookers() -> None:
    after = table().play("r2?b1+b5")
    public = ["revealed red scout r2", "looked-line red r2 b1 b5"]
    assert after.list_events(PUBLIC) == after.list_events(BLUE) == public
    assert after.list_events(EVERYTHING)[:2] == public
    assert after.line(BLUE, PUBLIC) == "? ? ? ? ?"


def test_cg_9_at_one_card_where_there_is_only_one() -> None:
    at = table(blue=". . 6 . .", blue_hand="-", blue_pile="F")
    assert {text for text in at.legal() if "?b" in text} == {"r2?b3"}
    after = at.play("r2?b3")
    assert after.list_events(RED) == ["revealed red scout r2", "looked-line-one red r2 b3", "saw blue captain b3"]
    assert after.list_events(PUBLIC) == ["revealed red scout r2", "looked-line-one red r2 b3"]


def test_cg_9_not_at_one_card_where_there_are_two() -> None:
    at = table(blue=". . 6 . 6", blue_hand="-", blue_pile="F")
    assert {text for text in at.legal() if "?b" in text} == {"r2?b3+b5"}
    assert at.refusal("r2?b3") == "look-at-two"


def test_cg_9_only_a_scout_of_the_line_looks_at_the_line() -> None:
    assert table().refusal("r1?b1+b2") == table().refusal("r4?b1+b2") == "not-a-scout"


# ---- the card that looked


@pytest.mark.parametrize(("look", "line"), [("r4?", "? ? ? S ?"), ("r2?b1+b2", "? 2 ? ? ?")])
def test_cg_9_the_card_that_looked_goes_face_down_again_known(look: str, line: str) -> None:
    after = table().play(look)
    assert after.line(RED, BLUE) == after.line(RED, PUBLIC) == line
    assert after.line(RED, RED) == RED_LINE


@pytest.mark.parametrize("look", ["r4?", "r2?b1+b2"])
def test_cg_9_a_look_is_the_whole_second_step(look: str) -> None:
    after = table().play(look)
    assert (after.actor, after.status) == (BLUE, "act")


def test_cg_9_a_look_fills_the_gaps_in_the_third_step() -> None:
    after = table(red=". 2 B S 4").play("r4?")
    assert (after.actor, after.status) == (RED, "lay")


def test_cg_9_the_card_can_look_again_later() -> None:
    at = table().play("r4?", "b1xr3", "2")
    assert "r4?" in at.legal()
    assert at.play("r4?").line(RED, BLUE) == "? ? B S ?"


# ---- what is known of line cards


def test_cg_9_a_card_that_was_seen_stays_known_until_it_leaves() -> None:
    at = table().play("r2?b1+b5")
    assert at.marks(BLUE, RED) == "! - - - !"
    after = at.play("b3xr3", "r5xb4")  # a Miner beats the Bomb, a Sergeant beats a Miner; b1 and b5 keep their places
    assert after.line(BLUE, RED) == "6 ? 3 . 5"


def test_cg_9_a_card_seen_by_one_is_not_known_to_the_public() -> None:
    at = table().play("r2?b1+b5")
    assert at.marks(BLUE, PUBLIC) == "- - - - -"
    assert at.line(BLUE, PUBLIC) == "? ? ? ? ?"


def test_cg_9_the_owner_sees_what_the_other_knows_of_his_line() -> None:
    at = table().play("r2?b1+b5")
    assert at.marks(BLUE, BLUE) == "! - - - !"


def test_cg_9_a_seen_card_that_leaves_is_no_longer_marked() -> None:
    at = table().play("r2?b1+b5", "b1xr1")
    assert at.actor == BLUE
    assert at.marks(BLUE, RED) == at.marks(BLUE, BLUE) == ". - - - !"
    assert at.play("3").marks(BLUE, RED) == "- - - - !"


# ---- what is known of a hand


def seen(hand: str = "M32", **more: Any) -> Position:
    """Return a position in which red has seen blue's hand. Then a card of blue attacks and falls on r1, so blue must
    lay a card of the hand.
    """
    return table(blue_hand=hand, **more).play("r4?", "b1xr1")


def test_cg_9_a_card_laid_from_a_seen_hand_is_one_of_these() -> None:
    at = seen().play("3")
    assert at.groups(RED) == ["b1 hand: M32 of 3"]
    assert (at.line(BLUE, RED), at.hand(BLUE, RED)) == ("? ? ? ? ?", "??")
    assert at.marks(BLUE, RED) == "~ - - - -"


def test_cg_9_which_one_is_not_known() -> None:
    views = {at.game.view(at.state, RED).tobytes() for at in (seen().play(letter) for letter in "M32")}
    assert len(views) == 1


def test_cg_9_the_owner_sees_that_it_is_known_as_one_of_these() -> None:
    at = seen().play("3")
    assert at.marks(BLUE, BLUE) == "~ - - - -"
    assert at.line(BLUE, BLUE).split()[0] == "3"


def test_cg_9_the_public_knows_nothing_of_it() -> None:
    at = seen().play("3")
    assert (at.groups(PUBLIC), at.marks(BLUE, PUBLIC), at.hand(BLUE, PUBLIC)) == ([], "- - - - -", "??")


def test_cg_9_a_group_shrinks_when_one_of_it_is_shown() -> None:
    at = seen().play("3", "r5xb1")  # the Sergeant captures the Miner
    assert at.groups(RED) == []
    assert at.hand(BLUE, RED) == "M2"


def test_cg_9_the_last_of_a_group_is_known_wherever_it_is_laid() -> None:
    at = table(blue="6 6 3 F 5", blue_hand="M3", blue_pile="").play("r4?", "b1xr1", "3")
    assert at.groups(RED) == ["b1 hand: M3 of 2"]
    at = at.play("r5xb1")  # the Miner falls, so the Marshal must be the one left
    assert (at.hand(BLUE, RED), at.groups(RED)) == ("M", [])
    after = at.play("b2xr1", ".", "M")
    assert after.line(BLUE, RED) == ". M ? ? ?"
    assert after.line(BLUE, PUBLIC) == ". ? ? ? ?"


def test_cg_9_a_uniform_hand_is_known_card_by_card() -> None:
    at = seen("222").play("2")
    assert at.line(BLUE, RED).split()[0] == "2"
    assert at.marks(BLUE, RED).split()[0] == "!"
    assert (at.hand(BLUE, RED), at.groups(RED)) == ("22", [])


def test_cg_9_a_drawn_card_blurs_the_hand() -> None:
    at = table(blue_hand="M3", blue_pile="F85", red_hand="M93").play("r4?")
    assert (at.actor, at.hand(BLUE, RED)) == (CHANCE, "M3")
    after = at.play("draw 8")
    assert after.hand(BLUE, RED) == "???"
    assert after.groups(RED) == ["hand: M3 of 3"]


def test_cg_9_which_card_was_drawn_does_not_show_later() -> None:
    """Blue lays one of three cards: the drawn one or one of the two that red has seen."""
    views = set()
    for letter in "M38":
        at = table(blue_hand="M3", blue_pile="F85").play("r4?", "draw 8", "b1xr1", letter)
        assert at.groups(RED) == ["b1 hand: M3 of 3"]
        views.add(at.game.view(at.state, RED).tobytes())
    assert len(views) == 1


def test_cg_9_a_card_that_was_laid_before_the_draw_is_not_the_drawn_one() -> None:
    at = table(blue_hand="M32", blue_pile="F85").play("r4?", "b1xr1", "3", "r1xb5")
    assert at.groups(RED) == ["b1 hand: M32 of 3"]
    after = at.play("draw 8")
    assert after.groups(RED) == ["b1 hand: M32 of 4"]
    ruled_out = int(after.game.view(after.state, RED).ruled_out[13])
    for letter in "M32":
        assert not ruled_out >> "?S23456789MBF".index(letter) & 1, "it is one of these"
    for letter in "S456789BF":
        assert ruled_out >> "?S23456789MBF".index(letter) & 1, "and none of all others"


def test_cg_9_a_hand_seen_again_is_known_again() -> None:
    at = table(blue_hand="M3", blue_pile="F85").play("r4?", "draw 8", "b3xr3", "r4?")
    assert at.hand(BLUE, RED) == "M83"
    assert at.groups(RED) == []


def test_cg_9_what_lies_in_the_line_of_a_group_follows_from_the_hand() -> None:
    """Marshal, Miner and Scout were seen. Later Marshal and Scout are seen in the hand, so the card that was laid is
    the Miner.
    """
    at = seen().play("3", "r4?")
    assert at.hand(BLUE, RED) == "M2"
    assert at.line(BLUE, RED).split()[0] == "3"
    assert at.marks(BLUE, BLUE).split()[0] == "!"
