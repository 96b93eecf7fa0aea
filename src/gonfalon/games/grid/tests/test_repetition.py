"""GR-9 and GR-10: going back and forth, and chases."""

from __future__ import annotations

import pytest

from gonfalon.games.grid.tests.diagrams import BLUE, RED, Position, make, position
from texts import messages

WALK = ("j8-i8", "i8-h8", "h8-g8", "g8-f8", "f8-e8", "e8-d8", "d8-c8", "c8-b8")
"""Blue's answers: a walk that crosses no border twice."""

HALL = """
    8 bF .. .. .. .. .. .. .. .. b5
    1 rF r6 .. .. r4
"""


def red_plays(at: Position, *moves: str, answers: tuple[str, ...] = WALK) -> Position:
    """Red's moves, each answered by blue's next."""
    for move, answer in zip(moves, answers, strict=False):
        at = at.play(move, answer)
    return at


def test_gr_9_the_fourth_crossing_of_a_border_on_consecutive_turns_is_illegal() -> None:
    at = red_plays(position("classic", HALL), "e1-e2", "e2-e1", "e1-e2")
    assert at.legal("e2") == {"e2-e3", "e2-d2", "e2-f2"}
    assert at.refusal("e2-e1") == "two-squares"


def test_gr_9_three_crossings_are_allowed() -> None:
    at = red_plays(position("classic", HALL), "e1-e2", "e2-e1")
    assert "e1-e2" in at.legal()


@pytest.mark.parametrize("limit", [3, 5])
def test_gr_9_switch_two_square_limit(limit: int) -> None:
    at = position("classic", HALL, two_square_limit=limit)
    steps = (["e1-e2", "e2-e1"] * 3)[:limit]
    at = red_plays(at, *steps)
    assert at.refusal("e2-e1") == "two-squares"
    assert at.legal("e2") == {"e2-e3", "e2-d2", "e2-f2"}


def test_gr_9_two_square_limit_0_is_off() -> None:
    at = position("classic", HALL, two_square_limit=0)
    assert "e1-e2" in red_plays(at, *["e1-e2", "e2-e1"] * 4).legal()


def test_gr_9_the_limit_is_3_by_default() -> None:
    for variant in ("original", "classic", "special", "duel", "duel-10x10", "barrage"):
        assert make(variant).info.ruleset.values["two_square_limit"] == 3


def test_gr_9_forbids_the_fourth_crossing_as_an_attack_too() -> None:
    at = position("classic", HALL.replace("r4", "r4 b3"))
    at = red_plays(at, "e1-e2", "e2-e1", "e1-e2", answers=("j8-i8", "i8-h8", "f1-e1"))
    assert at.legal("e2") == {"e2-e3", "e2-d2", "e2-f2"}
    assert at.refusal("e2xe1") == "two-squares"


def test_gr_9_a_won_attack_crosses_the_border() -> None:
    diagram = """
        8 bF .. .. .. .. .. .. .. .. b5
        2 .. .. .. .. b3
        1 rF r6 .. .. r4
    """
    at = red_plays(position("classic", diagram), "e1xe2", "e2-e1", "e1-e2")
    assert at.refusal("e2-e1") == "two-squares"


def test_gr_9_an_action_with_another_piece_starts_the_count_again() -> None:
    at = red_plays(position("classic", HALL), "e1-e2", "e2-e1", "b1-b2", "e1-e2")
    assert "e2-e1" in at.legal()
    at = red_plays(position("classic", HALL), "e1-e2", "e2-e1", "b1-b2", "e1-e2", "e2-e1", "e1-e2")
    assert at.refusal("e2-e1") == "two-squares"


def test_gr_9_a_move_over_another_border_starts_the_count_again() -> None:
    at = red_plays(position("classic", HALL), "e1-e2", "e2-e1", "e1-d1", "d1-e1", "e1-e2")
    assert "e2-e1" in at.legal()


def test_gr_9_a_count_is_of_one_piece_and_one_border() -> None:
    at = red_plays(position("classic", HALL), "e1-e2", "e2-e1", "e1-e2", "b1-b2")
    assert at.legal("b2") == {"b2-b1", "b2-b3", "b2-a2", "b2-c2"}
    assert "e2-e1" in at.legal()  # the other action came between


def test_gr_9_counts_each_side_by_itself() -> None:
    at = position("classic", HALL)
    at = red_plays(at, "e1-e2", "e2-e1", "e1-e2", answers=("j8-j7", "j7-j8", "j8-j7"))
    # Red began to go back and forth, so red must stop first; blue, a turn later.
    assert at.refusal("e2-e1") == "two-squares"
    at = at.play("b1-b2")
    assert at.refusal("j7-j8") == "two-squares"
    assert "e2-e1" in at.play("j7-i7").legal()


SCOUT = """
    8 .. bF .. .. .. .. .. .. .. b5
    4 .. b4
    1 r2 rF r6
"""


def test_gr_9_a_scouts_move_counts_for_every_border_it_crosses() -> None:
    at = red_plays(position("classic", SCOUT), "a1-a5", "a5-a2", "a2-a6")
    # Borders 2|3, 3|4, 4|5 were crossed three times; 5|6 once, 1|2 once.
    assert at.legal("a6-a") == {"a6-a5", "a6-a7", "a6-a8"}
    for forbidden in ("a6-a4", "a6-a3", "a6-a2", "a6-a1"):
        assert at.refusal(forbidden) == "two-squares"


def test_gr_9_a_scout_may_still_move_up_to_the_forbidden_border() -> None:
    at = red_plays(position("classic", SCOUT), "a1-a3", "a3-a2", "a2-a6")
    assert at.legal("a6-a") == {"a6-a5", "a6-a4", "a6-a3", "a6-a7", "a6-a8"}


def test_gr_9_a_scouts_run_into_an_attack_crosses_borders_too() -> None:
    at = position("classic", SCOUT)
    at = red_plays(at, "a1-a5", "a5-a2", "a2-a6", answers=("j8-i8", "i8-h8", "b4-a4"))
    assert at.legal("a6") - {"a6-a7", "a6-a8"} == {"a6-a5", *(f"a6-{file}6" for file in "bcdefghij")}
    assert at.refusal("a6xa4") == "two-squares"


def test_gr_9_a_scouts_single_steps_and_long_moves_count_together() -> None:
    at = red_plays(position("classic", SCOUT), "a1-a2", "a2-a1", "a1-a3")
    assert at.legal("a3-a") == {"a3-a2", *(f"a3-a{n}" for n in range(4, 9))}
    assert at.refusal("a3-a1") == "two-squares"


def test_gr_9_a_scout_sideways() -> None:
    diagram = "8 .. bF .. .. .. .. .. .. .. b5\n2 r2\n1 rF r6"
    at = red_plays(position("classic", diagram), "a2-f2", "f2-c2", "c2-j2")
    assert at.legal("j2-") == {*(f"j2-{file}2" for file in "ihgf"), *(f"j2-j{n}" for n in (1, 3, 4, 5, 6, 7, 8))}


# ---- GR-10 ---------------------------------------------------------------------------------------------------------

CHASE = """
    10 bF .. .. .. .. .. .. .. .. b2
    2 r9 .. .. .. .. .. .. .. .. ..
    1 .. b3 .. .. .. .. .. .. rF r2
"""
ROUND = ("a2-a1", "b1-b2", "a1-b1", "b2-a2", "b1-b2", "a2-a1", "b2-a2", "a1-b1")
"""The General follows the Miner round four squares."""


@pytest.mark.parametrize("variant", ["original", "duel-10x10", "barrage"])
def test_gr_10_a_chase_may_not_bring_back_a_position(variant: str) -> None:
    at = position(variant, CHASE).play(*ROUND)
    assert at.refusal("a2-a1") == "chase"
    # The Miner may go away, or straight back to the square that it just left.
    assert at.legal("a2") == {"a2-a3", "a2-b2"}
    assert "j1-j2" in at.legal()  # other pieces may move too


def test_gr_10_the_evading_side_is_free() -> None:
    at = position("barrage", CHASE).play(*ROUND[:-1])
    assert at.legal("a1") == {"a1-b1", "a1xa2"}


SMALL = """
    8 bF .. .. .. .. .. .. .. .. b2
    2 r9
    1 .. b3 .. .. .. .. .. .. rF r2
"""


@pytest.mark.parametrize(
    ("at", "move", "begin", "end"),
    [
        (red_plays(position("classic", HALL), "e1-e2", "e2-e1", "e1-e2"), "e2-e1", "e2", "e1"),
        (position("barrage", CHASE).play(*ROUND), "a2-a1", "a2", "a1"),
    ],
)
def test_the_refusal_says_which_piece_may_not_go_where(at: Position, move: str, begin: str, end: str) -> None:
    assert any(each.startswith(begin) for each in at.legal()), "the same piece may go elsewhere"
    view = at.game.view(at.state, at.actor)
    refusal = at.game.explain(at.state, at.actor, at.game.parse_action(view, move))
    assert refusal is not None
    words = messages("grid")[f"refusal.{refusal.code}"].format(**refusal.args)
    assert f"may not go from {begin} to {end}" in words
    assert "something else" not in words


@pytest.mark.parametrize("variant", ["classic", "special", "duel"])
def test_gr_10_switch_chase_rule_is_off_in_the_10x8_variants(variant: str) -> None:
    assert make(variant).info.ruleset.values["chase_rule"] is False
    assert "a2-a1" in position(variant, SMALL).play(*ROUND).legal()
    assert position(variant, SMALL, chase_rule=True).play(*ROUND).refusal("a2-a1") == "chase"


@pytest.mark.parametrize("variant", ["original", "duel-10x10", "barrage"])
def test_gr_10_switch_chase_rule_is_on_in_the_10x10_variants(variant: str) -> None:
    assert make(variant).info.ruleset.values["chase_rule"] is True
    assert "a2-a1" in position(variant, CHASE, chase_rule=False).play(*ROUND).legal()


def chase(at: Position) -> tuple[int, int]:
    """Both chase lengths."""
    red, blue = at.row["chase"]
    return int(red), int(blue)


def test_gr_10_chase_lengths() -> None:
    at = position("original", CHASE)
    assert chase(at) == (0, 0)
    lengths = []
    for move in ROUND:
        at = at.play(move)
        lengths.append(chase(at))
    # Red's actions: one for each threat, one for each evasion from the square of red's last move.
    assert lengths == [(n, 0) for n in range(1, 9)]


def test_gr_10_a_move_that_is_no_evasion_ends_the_chase() -> None:
    at = position("original", CHASE).play("a2-a1")
    assert chase(at) == (1, 0)
    assert chase(at.play("j10-j9")) == (0, 0)
    assert chase(at.play("b1-b2")) == (2, 0)


def test_gr_10_a_move_that_threatens_nothing_ends_the_chase() -> None:
    at = position("original", CHASE).play("a2-a1", "b1-b2")
    assert chase(at.play("j1-j2")) == (0, 0)
    assert chase(at.play("a1-b1")) == (3, 0)


def test_gr_10_an_evader_that_moves_next_to_another_enemy_threatens_too() -> None:
    at = position("original", CHASE.replace("2 r9 .. ..", "2 r9 .. r5")).play("a2-a1", "b1-b2")
    assert chase(at) == (2, 1)


def test_gr_10_an_attack_ends_the_chase() -> None:
    near_j1 = CHASE.replace("2 r9 .. .. .. .. .. .. .. .. ..", "2 r9 .. .. .. .. .. .. .. .. b3")
    at = position("original", near_j1).play("a2-a1", "b1-b2")
    assert chase(at) == (2, 0)
    assert chase(at.play("j1xj2")) == (0, 0)


def test_gr_10_an_attack_that_ends_next_to_another_enemy_begins_a_new_chase() -> None:
    diagram = "3 b4 b6" + CHASE
    assert chase(position("original", diagram).play("a2xa3")) == (1, 0)
    # The attacked square counts even if the attacker was beaten.
    diagram = "3 bM b6" + CHASE
    assert chase(position("original", diagram).play("a2xa3")) == (1, 0)


def test_gr_10_an_attack_on_the_chaser_ends_both_chases() -> None:
    at = position("original", CHASE).play("a2-a1", "b1-b2", "a1-b1", "b2xb1")
    assert chase(at) == (0, 0)


def test_gr_10_only_positions_of_this_chase_count() -> None:
    at = position("original", CHASE).play(*ROUND[:6])
    # Both turn to other pieces and come back: the same position, but a new chase.
    at = at.play("j1-j2", "j10-j9", "j2-j1", "j9-j10", *ROUND[6:])
    assert chase(at) == (2, 0)
    assert "a2-a1" in at.legal()


def test_gr_10_the_position_before_the_first_threat_is_not_of_the_chase() -> None:
    # At the start red's Scout stands next to a Bomb; its run back to a3 brings that position back.
    diagram = """
        10 bF .. .. .. .. .. .. .. .. b2
        4 bB ..
        3 r2 ..
        2 .. b3
        1 .. .. .. .. .. .. .. .. rF r2
    """
    at = position("original", diagram).play("a3-a2", "b2-b1", "a2-a1", "b1-b2")
    assert chase(at) == (4, 0)
    assert "a1-a3" in at.legal()


UNDO = """
    10 bF .. .. .. .. .. .. .. .. b5
    2 .. b3
    1 .. .. r9 .. .. .. .. .. rF r4
"""


def test_gr_10_stepping_straight_back_is_always_allowed_within_gr_9() -> None:
    at = position("original", UNDO).play("c1-b1", "b2-a2", "b1-a1", "a2-b2")
    assert chase(at) == (4, 0)
    assert "a1-b1" in at.legal()  # the position after the first move comes back
    at = at.play("a1-b1", "b2-a2")
    assert "b1-a1" in at.legal()
    at = at.play("b1-a1", "a2-a3")
    assert at.refusal("a1-b1") == "two-squares"


def test_gr_10_straight_back_with_gr_9_off() -> None:
    at = position("original", UNDO, two_square_limit=0).play("c1-b1")
    at = at.play(*["b2-a2", "b1-a1", "a2-b2", "a1-b1"] * 4, "b2-a2")
    assert "b1-a1" in at.legal()


def test_gr_10_several_pieces_may_not_chase_in_turns_either() -> None:
    diagram = """
        10 bF .. .. .. .. .. .. .. .. b5
        3 .. r3
        2 b9 ..
        1 .. r7 .. .. .. .. .. .. rF r4
    """
    at = position("original", diagram).play("b1-b2", "a2-a1", "b2-b1", "a1-a2", "b3-b2", "a2-a3", "b2-b3", "a3-a2")
    # The Major stepped back from b2 in an earlier turn: this is not the exact undo of red's last move.
    assert at.refusal("b1-b2") == "chase"
    assert "b3-b2" in at.legal()


def test_gr_10_equal_pieces_that_changed_places_make_another_position() -> None:
    diagram = """
        10 bF .. .. .. .. .. .. .. .. b5
        3 .. r3 ..
        2 .. r3 ..
        1 b9 .. .. .. .. .. .. .. rF r4
    """
    turns = """
        b2-a2 a1-b1 b3-b2 b1-c1 b2-b1 c1-c2 a2-b2 c2-c3
        b2-c2 c3-b3 c2-c3 b3-a3 c3-b3 a3-a2 b1-b2 a2-a1
    """
    at = position("original", diagram).play(*turns.split())
    # b2-a2 makes the picture of the first turn, but the Miners have changed places.
    assert "b2-a2" in at.legal()
    assert chase(at)[RED] > 15
    same = position("original", diagram).play("b2-a2").cells()
    assert {k: v[:2] for k, v in at.play("b2-a2").cells().items()} == {k: v[:2] for k, v in same.items()}


def test_gr_10_reads_back_from_the_text_of_a_position() -> None:
    at = position("original", CHASE).play(*ROUND)
    again = Position(at.game, at.game.parse_state(at.game.state_text(at.state)))
    assert again.legal() == at.legal()
    assert again.refusal("a2-a1") == "chase"


def test_gr_10_blue_may_not_chase_in_circles_either() -> None:
    diagram = """
        10 rF .. .. .. .. .. .. .. bF ..
        2 b9 .. .. .. .. .. .. .. .. b5
        1 .. r3 .. .. .. .. .. .. r4 ..
    """
    at = position("original", diagram, turn=1)
    assert at.actor == BLUE
    assert at.play(*ROUND).refusal("a2-a1") == "chase"
