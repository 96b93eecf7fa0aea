"""CG-10: the Flag trick."""

from __future__ import annotations

from typing import Any

import pytest

from gonfalon.engine.game import CHANCE, EVERYTHING, PUBLIC
from gonfalon.games.cardgame.tests.diagrams import BLUE, RED, Position, position, without

BLUE_LINE = "6 6 3 3 5"


def table(red: str = "7 2 F S 4", **more: Any) -> Position:
    return position(red, BLUE_LINE, **{"red_hand": "M93", "blue_hand": "322", **more})


def small(line: str, hand: str = "-", pile: str = "") -> Position:
    """Return a position in which red has only these cards."""
    return table(line, red_hand=hand, red_pile=pile)


def test_cg_10_the_flag_of_the_line_may_be_shown_instead_of_attacking() -> None:
    at = table()
    assert {text for text in at.legal() if text.endswith("~")} == {"r3~"}
    after = at.play("r3~")
    for observer in (RED, BLUE, PUBLIC, EVERYTHING):
        assert after.list_events(observer) == ["trick red r3"]


def test_cg_10_not_from_the_hand_or_the_pile() -> None:
    for at in (table("7 2 3 S 4", red_hand="F93"), table("7 2 3 S 4")):
        assert not [text for text in at.legal() if text.endswith("~")]
        assert at.refusal("~") == "no-flag-in-line"


def test_cg_10_line_hand_and_pile_are_shuffled_together() -> None:
    after = table().play("r3~")
    assert (after.line(RED, EVERYTHING), after.hand(RED, EVERYTHING)) == (". . . . .", "")
    assert len(after.tray("pile", RED, EVERYTHING)) == 23
    assert after.actor == CHANCE


def test_cg_10_what_left_the_game_does_not_come_back() -> None:
    after = table(red_pile=without("FBBBM98766554433332222S", "72FS4M93", "8B")).play("r3~")
    assert len(after.tray("pile", RED, EVERYTHING)) == 21
    assert after.tray("lost", RED, PUBLIC) == "B8"


def test_cg_10_each_card_is_as_likely_as_any_other() -> None:
    after = small("7 2 F S 4", "M93", "22B").play("r3~")
    chances = dict.fromkeys("7FS4M93B", 1) | {"2": 3}
    assert after.draws() == pytest.approx({letter: count / 11 for letter, count in chances.items()})


def test_cg_10_eight_cards_are_dealt_and_five_of_them_laid() -> None:
    at = table().play("r3~", *(f"draw {letter}" for letter in "BB322225"))
    assert (at.actor, at.status) == (RED, "lay-anew")
    assert at.legal() == {"B", "3", "2", "5"}  # no gap may stay
    after = at.play(*"B2325")
    assert (after.line(RED, RED), after.hand(RED, RED)) == ("B 2 3 2 5", "B22")
    assert len(after.tray("pile", RED, EVERYTHING)) == 15


def test_cg_10_who_draws_what_is_his_own_affair() -> None:
    at = table().play("r3~", "draw B")
    assert (at.list_events(RED), at.list_events(BLUE), at.list_events(PUBLIC)) == (
        ["drew red bomb"],
        ["drew-hidden red"],
        ["drew-hidden red"],
    )


def test_cg_10_the_other_sees_the_new_line_only_when_it_is_laid() -> None:
    at = table().play("r3~", *(f"draw {letter}" for letter in "BB322225"))
    seen = at.game.view(at.state, BLUE).tobytes()
    at = at.play(*"B232")
    assert at.game.view(at.state, BLUE).tobytes() == seen
    at = at.play("5")
    assert at.list_events(BLUE) == at.list_events(PUBLIC) == ["laid red 5 ['r1', 'r2', 'r3', 'r4', 'r5']"]
    assert at.line(RED, BLUE) == "? ? ? ? ?"


def test_cg_10_the_turn_is_over_then_without_a_third_step() -> None:
    at = table().play("r3~", *(f"draw {letter}" for letter in "BB322225"), *"B2325")
    assert (at.actor, at.status, at.row["turn"]) == (BLUE, "act", 3)


def test_cg_10_with_seven_cards_five_are_laid_and_two_kept() -> None:
    at = small("7 2 F S .", "M93", "").play("r3~", *(f"draw {letter}" for letter in "72FSM93"))
    assert at.status == "lay-anew"
    after = at.play(*"72SM9")
    assert (after.line(RED, RED), after.hand(RED, RED), after.tray("pile", RED, RED)) == ("7 2 S M 9", "F3", "")


def test_cg_10_with_five_cards_all_are_laid() -> None:
    at = small("7 2 F S 4").play("r3~", *(f"draw {letter}" for letter in "S472F"))
    assert at.play(*"F472").legal() == {"S"}
    assert at.play(*"F472S").hand(RED, RED) == ""


@pytest.mark.parametrize(("lay", "line"), [("7F...", "7 F . . ."), (".F.7.", ". F . 7 ."), ("...7F", ". . . 7 F")])
def test_cg_10_with_fewer_they_are_laid_on_places_of_ones_choice(lay: str, line: str) -> None:
    at = small("7 . F . .").play("r3~", "draw F", "draw 7")
    assert at.legal() == {"7", "F", "."}
    after = at.play(*lay)
    assert (after.line(RED, RED), after.hand(RED, RED), after.actor) == (line, "", BLUE)


def test_cg_10_all_of_them_must_be_laid() -> None:
    at = small("7 . F . .").play("r3~", "draw F", "draw 7").play(".", ".", ".")
    assert at.legal() == {"7", "F"}
    assert at.refusal(".") == "must-fill"


def test_cg_10_what_was_known_of_the_cards_is_forgotten() -> None:
    at = table().play("r1xb3", "b5xr5", "2")
    assert at.line(RED, BLUE).startswith("7")
    after = at.play("r3~", *(f"draw {letter}" for letter in "7BB32222"), *"7B322")
    assert after.line(RED, BLUE) == after.line(RED, PUBLIC) == "? ? ? ? ?"
    assert after.marks(RED, RED) == "- - - - -"


def test_cg_10_so_is_what_was_known_of_the_hand() -> None:
    at = position("7 2 4 S 4", "6 6 3 F 5", red_hand="M93", blue_hand="M32").play("r4?")
    assert at.hand(BLUE, RED) == "M32"
    after = at.play("b4~")
    assert after.groups(RED) == []
    after = after.play(*(f"draw {letter}" for letter in "M3222FBB"), *"M3222")
    assert (after.hand(BLUE, RED), after.line(BLUE, RED), after.groups(RED)) == ("???", "? ? ? ? ?", [])


def test_cg_10_what_is_known_of_the_others_cards_stays() -> None:
    at = table().play("r2?b1+b5", "b3xr1", "2")
    after = at.play("r3~", *(f"draw {letter}" for letter in "7BB32222"), *"7B322")
    assert after.line(BLUE, RED) == "6 ? ? ? 5"


def test_cg_10_it_may_be_done_any_number_of_times() -> None:
    at = position("7 2 F S 4", "S 6 3 3 5", red_hand="M93", blue_hand="322")
    for _ in range(4):
        at = at.play("r3~", *(f"draw {letter}" for letter in "FBB22227"), *"22F27", "b1?")
    assert (at.line(RED, RED), at.hand(RED, BLUE)) == ("2 2 F 2 7", "BB2")
    assert "r3~" in at.legal()
