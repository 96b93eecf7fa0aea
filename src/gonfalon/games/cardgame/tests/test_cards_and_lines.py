"""CG-1 to CG-3: the deck, the deal, the first line, and what all observers can see."""

from __future__ import annotations

from collections import Counter

import pytest

from gonfalon.engine.game import CHANCE, EVERYTHING, PUBLIC
from gonfalon.games.cardgame.tests.diagrams import BLUE, DECKS, RED, Position, dealt, make

TABLES = {
    "cardgame": {"F": 1, "M": 1, "9": 1, "8": 1, "7": 1, "6": 2, "5": 2, "4": 2, "3": 4, "2": 4, "S": 1, "B": 3},
    "cardgame-sergeants": {
        "F": 1, "M": 1, "9": 1, "8": 1, "7": 1, "6": 2, "5": 2, "4": 3, "3": 3, "2": 4, "S": 1, "B": 3,
    },
}  # fmt: skip


@pytest.mark.parametrize("variant", TABLES)
@pytest.mark.parametrize("side", [RED, BLUE])
def test_cg_1_each_deck_has_its_23_cards(variant: str, side: int) -> None:
    game = make(variant)
    at = Position(game, game.initial_state())
    assert Counter(at.tray("pile", side, EVERYTHING)) == TABLES[variant] == Counter(DECKS[variant])
    assert sum(TABLES[variant].values()) == 23


@pytest.mark.parametrize("variant", TABLES)
def test_cg_2_each_card_of_the_deck_is_as_likely_as_any_other(variant: str) -> None:
    game = make(variant)
    at = Position(game, game.initial_state())
    assert at.draws() == pytest.approx({letter: count / 23 for letter, count in TABLES[variant].items()})
    after = at.play("draw M", "draw 3")
    left = {**TABLES[variant], "3": TABLES[variant]["3"] - 1}
    del left["M"]
    assert after.draws() == pytest.approx({letter: count / 21 for letter, count in left.items()})


def test_cg_2_eight_cards_are_dealt_to_red_and_then_to_blue() -> None:
    game = make()
    at = Position(game, game.initial_state())
    for number in range(16):
        assert game.to_act(at.state) == (CHANCE,)
        assert [at.hand(RED, PUBLIC), at.hand(BLUE, PUBLIC)] == ["?" * min(number, 8), "?" * max(number - 8, 0)]
        at = at.play(f"draw {'3322SBB93322SBB9'[number]}")
    assert game.to_act(at.state) == (RED, BLUE)
    assert at.tray("pile", RED, PUBLIC) == "?" * 15


def test_cg_2_the_deal_is_told_to_its_owner_only() -> None:
    game = make()
    at = Position(game, game.initial_state()).play("draw M")
    assert at.list_events(RED) == at.list_events(EVERYTHING) == ["drew red marshal"]
    assert at.list_events(BLUE) == at.list_events(PUBLIC) == ["drew-hidden red"]


def test_cg_2_five_of_the_eight_are_laid_and_three_stay_in_the_hand() -> None:
    at = dealt(red="7SB42635").play(*"7SB42", player=RED)
    assert at.hand(RED, RED) == "653"
    after = at.play(*"M9B33", player=BLUE)
    assert after.line(RED, RED) == "7 S B 4 2"
    assert [after.hand(RED, RED), after.tray("pile", RED, PUBLIC)] == ["653", "?" * 15]


def test_cg_2_only_cards_of_the_own_eight_can_be_laid() -> None:
    at = dealt(red="7SB42635")
    assert at.legal(player=RED) == set("7SB42635")
    assert at.refusal("9", player=RED) == "none-left"
    assert at.refusal(".", player=RED) == "must-fill"
    assert at.play("7", player=RED).refusal("7", player=RED) == "none-left"


def test_cg_2_both_lay_at_the_same_time_in_any_order() -> None:
    at = dealt(red="7SB42635", blue="M9B33225")
    mixed = at.play("7", player=RED).play(*"M9", player=BLUE).play(*"SB4", player=RED).play(*"B33", player=BLUE)
    after = mixed.play("2", player=RED)
    assert (after.line(RED, EVERYTHING), after.line(BLUE, EVERYTHING)) == ("7 S B 4 2", "M 9 B 3 3")


def test_cg_2_the_other_sees_nothing_of_a_line_that_is_being_laid() -> None:
    at = dealt()
    seen = [at.game.view(at.state, observer).tobytes() for observer in (BLUE, PUBLIC)]
    for letter in "7SB4":
        at = at.play(letter, player=RED)
        assert [at.game.view(at.state, observer).tobytes() for observer in (BLUE, PUBLIC)] == seen
        assert at.list_events(BLUE) == at.list_events(PUBLIC) == []
        assert at.game.is_open(at.state, RED)
    assert at.list_events(RED) == ["placed red sergeant r4"]
    assert at.line(RED, RED) == "7 S B 4 ."


def test_cg_2_then_it_sees_that_the_other_is_ready_and_no_more() -> None:
    at = dealt().play(*"7SB42", player=RED)
    assert at.list_events(BLUE) == at.list_events(PUBLIC) == ["ready red"]
    assert (at.line(RED, BLUE), at.hand(RED, BLUE)) == (". . . . .", "????????")
    assert at.scene(BLUE).to_act == ("blue",)
    assert [at.scene(observer).status.code for observer in (RED, BLUE, PUBLIC)] == [
        "wait-deploy",
        "deploy",
        "deploying",
    ]


def test_cg_2_a_line_that_was_sent_is_final() -> None:
    at = dealt().play(*"7SB42", player=RED)
    assert at.game.to_act(at.state) == (BLUE,)
    assert not at.legal(player=RED)
    assert at.refusal("6", player=RED) == "already-laid"


def test_cg_2_red_starts_once_both_are_ready() -> None:
    after = dealt().play(*"7SB42", player=RED).play(*"M9B33", player=BLUE)
    assert after.list_events(RED)[-1].startswith("start red")
    assert (after.actor, after.status) == (RED, "act")
    assert (after.line(RED, BLUE), after.line(BLUE, BLUE)) == ("? ? ? ? ?", "M 9 B 3 3")


def test_cg_2_so_does_it_when_blue_was_ready_first() -> None:
    after = dealt().play(*"M9B33", player=BLUE).play(*"7SB42", player=RED)
    assert (after.actor, after.status) == (RED, "act")


def test_cg_3_a_player_sees_his_line_and_his_hand_at_any_time() -> None:
    at = dealt().play(*"7SB42", player=RED).play(*"M9B33", player=BLUE)
    for observer, line, hand in ((RED, "7 S B 4 2", "653"), (BLUE, "M 9 B 3 3", "522")):
        assert (at.line(observer, observer), at.hand(observer, observer)) == (line, hand)
        assert (at.line(1 - observer, observer), at.hand(1 - observer, observer)) == ("? ? ? ? ?", "???")


def test_cg_3_the_piles_are_secret_and_their_numbers_public() -> None:
    at = dealt()
    for observer in (RED, BLUE, PUBLIC):
        assert at.tray("pile", RED, observer) == at.tray("pile", BLUE, observer) == "?" * 15


def test_cg_3_no_order_of_a_pile_is_kept_anywhere() -> None:
    """Two deals of the same cards in different orders lead to the same state."""
    one, other = dealt(red="7SB42635", blue="M9B33225"), dealt(red="53624BS7", blue="M9B33225")
    assert one.row["pile"].tolist() == other.row["pile"].tolist()
    assert one.game.view(one.state, RED).tobytes() == other.game.view(other.state, RED).tobytes()
