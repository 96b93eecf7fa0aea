"""CG-4, CG-5, CG-11, CG-12: the three steps of a turn."""

from __future__ import annotations

import numpy as np
import pytest

from gonfalon import make
from gonfalon.engine.game import CHANCE, EVERYTHING, PUBLIC
from gonfalon.games.cardgame import state as g
from gonfalon.games.cardgame.tests.diagrams import BLUE, RED, Position, position


def test_cg_4_first_the_hand_is_filled_to_three() -> None:
    at = position("7 2 B S 4", "6 6 3 3 5", red_hand="9", blue_hand="322", phase="draw red")
    assert (at.actor, at.status) == (CHANCE, "drawing red")
    at = at.play("draw M")
    assert at.actor == CHANCE
    at = at.play("draw 3")
    assert (at.actor, at.hand(RED, RED)) == (RED, "M93")
    assert at.status == "act"


def test_cg_4_the_draw_is_told_to_its_owner_only() -> None:
    at = position("7 2 B S 4", "6 6 3 3 5", red_hand="92", blue_hand="322", phase="draw red").play("draw M")
    assert at.list_events(RED) == at.list_events(EVERYTHING) == ["drew red marshal"]
    assert at.list_events(BLUE) == at.list_events(PUBLIC) == ["drew-hidden red"]
    assert (at.hand(RED, BLUE), at.tray("pile", RED, BLUE)) == ("???", "?" * 15)


def test_cg_4_each_card_of_the_pile_is_drawn_with_the_same_chance() -> None:
    at = position("7 2 B S 4", "6 6 3 3 5", red_hand="-", blue_hand="322", red_pile="FM33322B", phase="draw red")
    chances = {"F": 1, "M": 1, "3": 3, "2": 2, "B": 1}
    assert at.draws() == pytest.approx({letter: count / 8 for letter, count in chances.items()})


def test_cg_4_the_cards_of_the_hand_do_nothing_in_the_second_step() -> None:
    at = position("7 2 B 4 4", "6 6 3 3 5", red_hand="S22", blue_hand="322")
    assert at.legal("r1") == {f"r1xb{k}" for k in range(1, 6)}
    assert not [text for text in at.legal() if text.endswith("?")]  # the Spy is in the hand


def test_cg_4_then_the_gaps_are_filled_from_the_hand() -> None:
    at = position("4 2 B S 7", "6 6 3 3 5", red_hand="M93", blue_hand="322").play("r1xb1")
    assert (at.actor, at.status, at.line(RED, RED)) == (RED, "lay", ". 2 B S 7")
    assert at.legal() == {"M", "9", "3"}
    after = at.play("9")
    assert (after.line(RED, RED), after.hand(RED, RED)) == ("9 2 B S 7", "M3")
    assert (after.line(RED, BLUE), after.hand(RED, BLUE)) == ("? ? ? ? ?", "??")
    assert after.list_events(BLUE) == after.list_events(PUBLIC) == ["laid red 1 ['r1']"]
    assert after.list_events(RED) == ["placed red general r1", "laid red 1 ['r1']"]


def test_cg_4_after_the_third_step_the_other_side_begins_with_its_first() -> None:
    at = position("4 2 B S 7", "6 6 3 3 5", red_hand="M93", blue_hand="32", blue_pile="FM9").play("r1xb1", "9")
    assert (at.status, at.row["turn"]) == ("drawing blue", 61)


@pytest.mark.parametrize("seed", range(6))
def test_cg_4_the_turns_that_are_counted_are_those_that_were_completed(seed: int) -> None:
    """The count grows by one for each second step together with the laying after it."""
    game, rng = make("cardgame"), np.random.default_rng(seed)
    state, acts = game.initial_state(), 0
    while due := game.to_act(state):
        acting = bool(state["started"][0]) and due[0] != CHANCE and state["phase"][0] == g.ACT
        acts += acting
        if due[0] == CHANCE:
            outcomes, chances = game.chance_outcomes(state)
            state = game.apply(state, CHANCE, int(rng.choice(outcomes, p=chances)))
        else:
            state = game.apply(state, due[0], int(rng.choice(game.legal_actions(state, due[0]))))
        row = state[0]
        unfinished = bool(row["started"]) and (row["phase"] == g.LAY or bool(row["anew"]))
        assert row["turn"] == acts - unfinished
    assert acts > 0


def test_cg_4_without_a_gap_there_is_no_third_step() -> None:
    """The gap of the attacked side is filled in that side's own turn."""
    at = position("7 2 B S 4", "6 6 3 3 5", red_hand="M93", blue_hand="322").play("r1xb1")
    assert (at.actor, at.status, at.line(BLUE, PUBLIC)) == (BLUE, "act", ". ? ? ? ?")


def test_cg_4_all_gaps_are_filled_as_far_as_the_hand_reaches() -> None:
    at = position("4 . F . 7", "6 6 3 3 5", red_hand="M9", red_pile="", blue_hand="322").play("r1xb1")
    assert at.legal() == {"M", "9", "."}  # three gaps, two cards
    assert at.play("M").legal() == {"9", "."}
    assert at.play("M", ".").legal() == {"9"}
    assert at.play(".").legal() == {"M", "9"}
    assert at.play("M", ".").refusal(".") == "must-fill"


@pytest.mark.parametrize(
    ("lay", "line"), [("M9.", "M 9 F . 7"), ("9.M", "9 . F M 7"), (".M9", ". M F 9 7"), (".9M", ". 9 F M 7")]
)
def test_cg_4_which_card_goes_where_and_which_gap_stays_is_the_players_choice(lay: str, line: str) -> None:
    at = position("4 . F . 7", "6 6 3 3 5", red_hand="M9", red_pile="", blue_hand="322").play("r1xb1", *lay)
    assert (at.line(RED, RED), at.hand(RED, RED), at.actor) == (line, "", BLUE)


def test_cg_4_cards_that_are_not_needed_stay_in_the_hand() -> None:
    at = position("4 2 B S 7", "6 6 3 3 5", red_hand="M93", blue_hand="322").play("r1xb1", "3")
    assert at.hand(RED, RED) == "M9"


def test_cg_4_the_other_sees_a_lay_only_when_all_gaps_are_dealt_with() -> None:
    at = position("4 . F . 7", "6 6 3 3 5", red_hand="M9", red_pile="", blue_hand="322").play("r1xb1")
    seen = [at.game.view(at.state, observer).tobytes() for observer in (BLUE, PUBLIC)]
    for letter in "9.":
        at = at.play(letter)
        assert [at.game.view(at.state, observer).tobytes() for observer in (BLUE, PUBLIC)] == seen
        assert at.list_events(BLUE) == at.list_events(PUBLIC) == []
    assert at.line(RED, RED) == "9 . F . 7"
    assert at.play("M").list_events(BLUE) == ["laid red 2 ['r1', 'r4']"]


def _lays(hand: str, *, pile: str | None = None) -> Position:
    return position("4 2 F S 7", "6 6 3 3 5", red_hand=hand, red_pile=pile, blue_hand="322").play("r1xb1")


def test_cg_4_filling_is_asked_even_where_there_is_only_one_way() -> None:
    """Otherwise blue would learn that all cards of the hand are of one type."""
    forced, free = _lays("333"), _lays("M93")
    assert forced.legal() == {"3"}
    for observer in (BLUE, PUBLIC):
        assert forced.scene(observer).status == free.scene(observer).status
        assert forced.game.view(forced.state, observer).tobytes() == free.game.view(free.state, observer).tobytes()
        assert forced.play("3").list_events(observer) == free.play("9").list_events(observer)


def test_cg_4_so_it_is_with_one_single_card() -> None:
    at = _lays("9", pile="")
    assert (at.status, at.legal()) == ("lay", {"9"})
    assert at.play("9").line(RED, RED) == "9 2 F S 7"


def test_cg_5_with_an_empty_pile_the_hand_is_filled_as_far_as_possible() -> None:
    at = position("7 2 B S 4", "6 6 3 3 5", red_hand="F", red_pile="3", blue_hand="322", phase="draw red")
    at = at.play("draw 3")
    assert (at.actor, at.status, at.hand(RED, RED)) == (RED, "act", "F3")


def test_cg_5_without_hand_and_pile_gaps_stay() -> None:
    at = position("4 2 F S 7", "6 6 3 3 5", red_pile="", blue_hand="322").play("r1xb1")
    assert (at.actor, at.status, at.line(RED, RED)) == (BLUE, "act", ". 2 F S 7")


def test_cg_5_nothing_is_shuffled_back() -> None:
    at = position("4 2 F S 7", "6 6 3 3 5", red_pile="", blue_hand="322").play("r1xb1")
    assert at.tray("pile", RED, EVERYTHING) == ""
    assert "4" in at.tray("lost", RED, PUBLIC)


def test_cg_11_acting_is_compulsory() -> None:
    """Attacks, looks and the trick are the only possible acts."""
    at = position("7 2 F S .", "6 . 3 . .", red_pile="", blue_pile="F")
    attacks = {f"r{own}x{enemy}" for own in (1, 2, 4) for enemy in ("b1", "b3")}
    assert at.legal() == attacks | {"r2?b1+b3", "r4?", "r3~"}


def test_cg_11_there_is_no_action_of_the_other_side() -> None:
    at = position("7 2 B S 4", "6 6 3 3 5", red_hand="M93", blue_hand="322")
    assert not at.legal(player=BLUE)
    assert at.refusal("b1xr1", player=BLUE) == "not-your-turn"


def test_cg_12_a_defender_starts_his_turn_with_the_gap() -> None:
    at = position("7 2 B S 4", "6 6 3 3 5", red_hand="M93", blue_hand="322").play("r1xb1")
    assert (at.status, at.line(BLUE, BLUE)) == ("act", ". 6 3 3 5")
    assert not at.legal("b1")
    assert at.refusal("b1xr1") == "no-card"


def test_cg_12_and_fills_it_in_his_own_third_step() -> None:
    at = position("7 2 B S 4", "6 6 3 3 5", red_hand="M93", blue_hand="322").play("r1xb1", "b2xr2")
    assert (at.actor, at.status) == (BLUE, "lay")
    at = at.play("3")
    assert (at.line(BLUE, BLUE), at.line(RED, RED)) == ("3 6 3 3 5", "7 . B S 4")


def test_cg_12_nothing_attacks_a_gap_or_looks_at_it() -> None:
    at = position("7 2 B S 4", "6 . 3 3 5", red_hand="M93", blue_pile="F")
    assert at.legal("r1") == {"r1xb1", "r1xb3", "r1xb4", "r1xb5"}
    assert at.refusal("r1xb2") == "no-enemy-card"
    assert at.refusal("r2?b1+b2") == "no-enemy-card"
