"""GR-33 to GR-40: the Apple."""

from __future__ import annotations

from typing import Any

import pytest

from gonfalon.engine.game import PUBLIC
from gonfalon.games.grid.tests.diagrams import BLUE, RED, Position, lost, position, same_board


def group(
    chosen: str, north: str = "..", east: str = "..", south: str = "..", west: str = "..", **switches: Any
) -> Position:
    """A piece of blue's on e6 and its neighbours, far from red."""
    pieces = (chosen, north, east, south, west)
    flag = ".." if "bF" in pieces else "bF"
    diagram = f"""
        8 b2 .. .. .. .. .. .. .. .. {flag}
        7 .. .. .. .. {north}
        6 .. .. .. {west} {chosen} {east}
        5 .. .. .. .. {south}
        1 rF r3
    """
    return position("special", diagram, **switches)


def after(at: Position) -> dict[str, str]:
    """Return the rest of the group: chosen, north, east, south, west, without empty squares."""
    cells = at.cells()
    names = {"chosen": "e6", "north": "e7", "east": "f6", "south": "e5", "west": "d6"}
    return {name: cells[square] for name, square in names.items() if cells[square] != ".."}


def battles(at: Position) -> list[str]:
    return [text for text in at.list_events(PUBLIC) if text.startswith("battle")]


def test_gr_33_the_apple_is_used_instead_of_moving() -> None:
    at = group("b5")
    assert "apple e6" in at.legal()
    at = at.play("apple e6")
    assert (at.actor, at.row["turn"]) == (BLUE, 1)


def test_gr_33_one_enemy_piece_anywhere_on_the_board_a_known_one_too() -> None:
    at = group("b5!", "bB", "r4", "b7'", "b6")
    assert at.legal("apple") == {"apple a8", "apple j8", "apple e6", "apple e7", "apple e5", "apple d6"}
    assert at.refusal("apple f6") == "no-target"  # one's own
    assert at.refusal("apple g6") == "no-target"  # nothing there


def test_gr_33_the_flag_is_turned_over_known_to_both_and_still_capturable() -> None:
    at = position("special", "8 bF b2\n2 b5\n1 rF r3").play("apple b8")
    for observer in (RED, BLUE, PUBLIC):
        assert at.seen("a1", observer) == "flag"
        assert at.list_events(observer)[0] == "apple red a1 b8"
    assert at.cells()["a1"] == "rF!"
    assert at.play("a2xa1").ended == "blue flag"


def test_gr_33_once_a_game() -> None:
    at = group("b5").play("apple e6", "a8-a7")
    assert list(at.row["apple_used"]) == [1, 0]
    assert at.legal("apple") == set()
    assert at.refusal("apple e6") == "apple-used"
    assert at.play("b1-b2").legal("apple") == {"apple a1", "apple b2"}  # blue has an own one


def test_gr_33_the_flag_may_be_known_already() -> None:
    at = position("special", "8 bF b2\n1 rF! r3")
    assert "apple b8" in at.legal()


@pytest.mark.parametrize("text", ["apple j8", "apple i8"])
def test_gr_33_a_revealed_flag_keeps_its_own_unused_power(text: str) -> None:
    # GR-34: the Flag itself is chosen; GR-37: a neighbour of it.
    at = position("special", "8 .. .. .. .. .. .. .. b2 b5 bF\n1 rF r3").play(text)
    assert at.cells()["j8"] == "bF!"
    assert at.legal("apple") == {"apple a1", "apple b1"}


def test_gr_33_only_in_special() -> None:
    at = position("classic", "8 bF b2\n1 rF r3")
    assert at.legal("apple") == set()
    assert at.refusal("apple b8") == "unknown-action"


@pytest.mark.parametrize(
    ("text", "told"), [("apple e6", "revealed blue bomb e6"), ("apple j8", "revealed blue flag j8")]
)
def test_gr_34_on_a_bomb_or_the_flag_only_that_piece_is_revealed(text: str, told: str) -> None:
    at = group("bB", "b4", "bB").play(text)
    assert told in at.list_events(PUBLIC)
    assert {square for square, cell in at.cells().items() if "!" in cell} == {"a1", text[-2:]}
    assert (at.actor, at.row["turn"]) == (BLUE, 1)
    assert list(at.row["apple_used"]) == [1, 0]


def test_gr_35_the_piece_and_its_owners_neighbours_are_revealed() -> None:
    at = group("b4", "b9", "bM", "b8", "r3").play("apple e6")
    told = [text for text in at.list_events(PUBLIC) if text.startswith("revealed blue")]
    assert sorted(told) == sorted(
        [
            "revealed blue sergeant e6",
            "revealed blue general e7",
            "revealed blue marshal f6",
            "revealed blue colonel e5",
        ]
    )
    assert after(at) == {"north": "b9!", "east": "bM!", "south": "b8!", "west": "r3"}


def test_gr_35_only_orthogonally_next_to_it() -> None:
    diagram = "8 b2 .. .. .. .. .. .. .. .. bF\n7 .. .. .. b3 .. b4\n6 .. .. .. .. b9\n5 .. .. .. .. .. b5\n1 rF r3"
    at = position("special", diagram).play("apple e6")
    assert {square for square, cell in at.cells().items() if "!" in cell} == {"a1", "e6"}


def test_gr_35_it_attacks_them_all() -> None:
    at = group("b9", "b5", "b3", "b8", "b4").play("apple e6")
    assert after(at) == {"chosen": "b9!"}
    assert lost(at, BLUE)["colonel"] == 2
    assert (at.actor, at.row["turn"]) == (BLUE, 1)


@pytest.mark.parametrize(
    ("chosen", "around", "wanted"),
    [
        ("b9", ("b5", "b3", "b8", "b4"), "miner sergeant lieutenant colonel"),
        ("b9", ("bS", "b3", "bM", "b4"), "spy"),  # then the Spy's owner chooses
        ("b3", ("b2", "bB", "b5", "bS"), "bomb spy"),
        ("b8", ("bM", "b7", "b9", "b2"), "scout major general"),  # the piece falls to the General
        ("b9", ("bF", "b7", "b2", ".."), "scout major"),
        ("bM", ("b8", "bB", "..", ".."), "bomb"),
    ],
)
def test_gr_35_bombs_first_then_ascending_rank_the_flag_last(chosen: str, around: tuple[str, ...], wanted: str) -> None:
    at = group(chosen, *around).play("apple e6")
    assert [text.split()[-1] for text in battles(at)] == wanted.split()


def test_gr_35_by_the_ordinary_rules_a_controlled_miner_removes_its_own_sides_bombs() -> None:
    at = group("b3", "bB", "b2").play("apple e6")
    assert after(at) == {"chosen": "b3!"}
    assert lost(at, BLUE)["bomb"] == 5


def test_gr_35_a_controlled_spy_beats_its_own_marshal() -> None:
    at = group("bS", "bM").play("apple e6")
    assert after(at) == {"chosen": "bS!"}
    # The piece before the Marshal in the order fights first.
    at = group("bS", "bM", "b2").play("apple e6", "decline")
    assert after(at) == {"north": "bM!", "east": "b2!"}


def test_gr_35_no_scout_run() -> None:
    diagram = "8 b2 .. .. .. .. .. .. .. .. bF\n7 .. .. .. .. bS\n6 .. .. .. ..\n5 .. .. .. .. b2\n1 rF r3"
    at = position("special", diagram).play("apple e5")
    assert at.actor == BLUE
    assert at.cells()["e7"] == "bS"


def test_gr_35_no_sword() -> None:
    # Two Captains next to a controlled Captain: it ties with the first, the other stays.
    at = group("b6", "b6", "b6").play("apple e6", "target f6")
    assert after(at) == {"north": "b6!"}


def test_gr_35_where_two_are_equal_the_user_chooses_after_all_are_revealed() -> None:
    at = group("b7", "b7", "b3", "b7").play("apple e6")
    assert at.actor == RED
    assert after(at) == {"chosen": "b7!", "north": "b7!", "south": "b7!"}  # the Miner came first
    assert at.legal() == {"target e7", "target e5"}
    assert at.row["turn"] == 0
    at = at.play("target e5")
    assert after(at) == {"north": "b7!"}
    assert (at.actor, at.row["turn"]) == (BLUE, 1)


def test_gr_35_equal_bombs_the_user_chooses() -> None:
    at = group("b7", "bB", "b3", "bB").play("apple e6")
    assert at.legal() == {"target e7", "target e5"}
    assert after(at.play("target e7")) == {"east": "b3!", "south": "bB!"}


def test_gr_35_the_order_is_told_to_who_chooses_another() -> None:
    at = group("b7", "bB", "b3", "bB").play("apple e6")
    for action in ("target f6", "f6-g6"):
        refusal = at.game.explain(at.state, RED, at.game.parse_action(at.game.view(at.state, RED), action))
        assert refusal is not None
        assert refusal.code == "target-order"


def test_gr_35_the_user_is_asked_only_where_the_choice_makes_a_difference() -> None:
    assert after(group("b7", "b5", "..", "b5").play("apple e6")) == {"chosen": "b7!"}
    assert after(group("b3", "bB", "..", "bB").play("apple e6")) == {"chosen": "b3!"}
    kept = group("b4", "b5", "..", "b5").play("apple e6")  # the fighter falls to either target, and both stay
    assert after(kept) == {"north": "b5!", "south": "b5!"}
    kept = group("b4", "bB", "..", "bB", apple_bomb_stays=True).play("apple e6")
    assert after(kept) == {"north": "bB!", "south": "bB!"}


def test_gr_36_it_stays_on_its_own_square_after_each_win() -> None:
    at = group("b9", "b5").play("apple e6")
    same_board(
        at,
        """
        8 b2 .. .. .. .. .. .. .. .. bF
        6 .. .. .. .. b9!
        1 rF! r3
        """,
    )


def test_gr_36_it_loses_it_leaves_and_the_rest_stays() -> None:
    at = group("b5", "b4", "b7", "b8").play("apple e6")
    assert after(at) == {"east": "b7!", "south": "b8!"}
    assert battles(at)[-1].startswith("battle-lost")
    assert (at.actor, at.row["turn"]) == (BLUE, 1)


def test_gr_36_tie_both_leave_and_the_turn_ends() -> None:
    at = group("b5", "b5", "b9").play("apple e6")
    assert after(at) == {"east": "b9!"}
    assert (at.actor, at.row["turn"]) == (BLUE, 1)


@pytest.mark.parametrize("chosen", ["bS", "b2", "b4", "b6", "bM"])
def test_gr_36_against_a_bomb_both_leave_and_the_turn_ends(chosen: str) -> None:
    at = group(chosen, "bB", "b3").play("apple e6")
    assert after(at) == {"east": "b3!"}
    assert lost(at, BLUE)["bomb"] == 5


@pytest.mark.parametrize("chosen", ["b2", "b4", "bM"])
def test_gr_36_switch_apple_bomb_stays(chosen: str) -> None:
    at = group(chosen, "bB", "b5", apple_bomb_stays=True).play("apple e6")
    assert after(at) == {"north": "bB!", "east": "b5!"}
    assert after(group("b3", "bB", apple_bomb_stays=True).play("apple e6")) == {"chosen": "b3!"}


def test_gr_37_a_neighbouring_flag_is_revealed_but_not_taken_and_control_ends() -> None:
    at = group("b5", "bF", "b4").play("apple e6")
    assert after(at) == {"chosen": "b5!", "north": "bF!"}
    assert at.ended == ""
    assert (at.actor, at.row["turn"]) == (BLUE, 1)
    at = group("b5", "bF").play("apple e6")
    assert after(at) == {"chosen": "b5!", "north": "bF!"}


def test_gr_37_with_no_such_neighbour_the_chosen_piece_is_revealed() -> None:
    at = group("b5", "r4", "..", "r3").play("apple e6")  # the user's own pieces do not count
    assert "revealed blue lieutenant e6" in at.list_events(PUBLIC)
    assert battles(at) == []
    assert after(at) == {"chosen": "b5!", "north": "r4", "south": "r3"}
    assert list(at.row["apple_used"]) == [1, 0]
    assert (at.actor, at.row["turn"]) == (BLUE, 1)


# ---- GR-39 and GR-40 -----------------------------------------------------------------------------------------------

WALK = "8 bF .. .. .. .. .. .. .. .. b5\n2 .. .. r4\n1 rF"


def test_gr_39_the_apple_starts_the_users_own_count_again_not_the_other_sides() -> None:
    at = position("special", WALK)
    at = at.play("c2-c3", "j8-j7", "c3-c2", "j7-j8", "c2-c3", "j8-j7")
    assert at.refusal("c3-c2") == "two-squares"
    at = at.play("apple a8")
    assert at.refusal("j7-j8") == "two-squares"
    assert "c3-c2" in at.play("j7-j6").legal()


def test_gr_39_for_gr_20_the_apple_is_an_attack() -> None:
    at = position("special", WALK, turn=300, quiet=199).play("apple a8")
    assert (at.ended, at.row["quiet"]) == ("", 0)


def test_gr_39_the_apple_ends_both_chases_and_leaves_no_last_move() -> None:
    diagram = "8 bF .. .. .. .. .. .. .. .. b5\n2 r9\n1 .. b3 .. .. .. .. .. .. rF r4"
    at = position("special", diagram, chase_rule=True).play("a2-a1", "b1-b2", "a1-b1", "b2-a2")
    assert list(at.row["chase"]) == [4, 0]
    at = at.play("apple a8")
    assert list(at.row["chase"]) == [0, 0]
    # Blue evades from beside red's General, but red's last turn was no move to a square.
    at = at.play("a2-a3")
    assert list(at.row["chase"]) == [0, 0]


def test_gr_39_after_the_apple_a_step_back_is_no_exact_undo() -> None:
    # As in the chase of several pieces, but red uses the Apple between its two steps: a new chase begins.
    diagram = "8 bF .. .. .. .. .. .. .. .. b5\n2 r9\n1 .. b3 .. .. .. .. .. .. rF r4"
    at = position("special", diagram, chase_rule=True).play("a2-a1", "b1-b2", "a1-b1", "b2-a2", "apple a8", "j8-j7")
    assert "b1-a1" in at.legal()


def test_gr_40_attacker_wins_ties_a_controlled_piece_goes_on() -> None:
    at = group("b5", "b5", "b7", attacker_wins_ties=True).play("apple e6")
    assert [text.split()[0] for text in battles(at)] == ["battle-won", "battle-lost"]
    assert after(at) == {"east": "b7!"}
    assert after(group("b5", "b5", "b4", attacker_wins_ties=True).play("apple e6")) == {"chosen": "b5!"}


@pytest.mark.parametrize("stays", [False, True])
def test_gr_40_one_time_bombs_whatever_apple_bomb_stays_says(stays: bool) -> None:
    at = group("b5", "bB", "b3", one_time_bombs=True, apple_bomb_stays=stays).play("apple e6")
    assert after(at) == {"east": "b3!"}


def test_gr_40_silent_defence_the_apple_reveals_all_the_same() -> None:
    at = group("b5", "b7", "b9", silent_defence=True).play("apple e6")
    assert after(at) == {"north": "b7!", "east": "b9!"}
    assert at.seen("f6", RED) == "general"


def test_gr_39_blues_apple() -> None:
    at = position("special", "8 bF b5\n2 r4 r7\n1 rF rB", turn=1).play("apple b2")
    # The Major meets the Bomb first: both leave, the Sergeant stays.
    assert at.cells()["a2"] == "r4!"
    assert at.cells()["b2"] == at.cells()["b1"] == ".."
    assert at.cells()["a8"] == "bF!"
    assert at.actor == RED


def test_what_a_turned_piece_fells_is_its_own_sides_loss() -> None:
    at = group("b5", "b3", "r4")
    view = at.game.view(at.state, RED)
    action = at.game.parse_action(view, "apple e6")
    told = at.game.events(action, at.game.apply(at.state, RED, action), PUBLIC)
    assert [event.fell for event in told if event.code.startswith("battle")] == [{"blue": 3}]
