"""GR-4 to GR-8: turns and moves."""

from __future__ import annotations

import pytest

from gonfalon.engine.game import PUBLIC
from gonfalon.games.grid import state as g
from gonfalon.games.grid.rules.moves import move_end
from gonfalon.games.grid.tests.diagrams import BLUE, RED, position, same_board
from gonfalon.games.grid.text.notation import move_squares

ALL = ("original", "classic", "special", "duel", "duel-10x10", "barrage")
MOVABLE = "S3456789M"

OPEN = """
    8 .. .. .. .. .. .. .. .. b3 bF
    1 rF r3
"""


def test_gr_4_a_turn_is_one_move_or_one_attack_and_turns_alternate() -> None:
    at = position("classic", OPEN)
    assert at.actor == RED
    at = at.play("b1-b2")
    assert (at.actor, at.row["turn"]) == (BLUE, 1)
    assert at.legal(player=RED) == set()
    at = at.play("i8-i7")
    assert (at.actor, at.row["turn"]) == (RED, 2)


@pytest.mark.parametrize("variant", ALL)
def test_gr_4_passing_is_not_possible(variant: str) -> None:
    rows = "10" if variant in ("original", "duel-10x10", "barrage") else "8"
    at = position(
        variant, f"{rows} .. .. .. .. .. .. .. .. b3 bF\n1 rF r3", lines="apple_used 1 1" * (variant == "special")
    )
    assert at.legal() == {"b1-b2", "b1-c1"}
    assert at.refusal("decline") == "not-now"


def test_gr_4_a_move_made_cannot_be_taken_back() -> None:
    at = position("classic", OPEN).play("b1-b2")
    assert at.refusal("b2-b1") == "no-piece"
    assert at.refusal("b1-c1") == "no-piece"


@pytest.mark.parametrize("letter", MOVABLE)
def test_gr_5_one_square_forward_backward_or_sideways_never_diagonally(letter: str) -> None:
    diagram = f"""
        8 .. .. .. .. .. .. .. .. b5 bF
        3 .. .. .. .. .. .. .. .. .. ..
        2 .. .. .. .. r{letter}
        1 rF
    """
    at = position("classic", diagram)
    assert at.legal() == {"e2-e3", "e2-e1", "e2-d2", "e2-f2"}
    assert at.refusal("e2-e4") == "one-square"


def test_gr_5_never_off_the_board_nor_onto_a_piece_of_ones_own() -> None:
    diagram = """
        8 .. .. .. .. .. .. .. .. b5 bF
        2 r4 .. .. .. .. .. .. .. .. r6
        1 r5 rF .. .. .. .. .. .. .. r7
    """
    at = position("classic", diagram)
    assert at.legal("a1") == set()
    assert at.legal("a2") == {"a2-a3", "a2-b2"}
    assert at.legal("j1") == {"j1-i1"}
    assert at.legal("j2") == {"j2-j3", "j2-i2"}
    assert at.refusal("a1-a2") == "own-piece"


@pytest.mark.parametrize(
    ("variant", "square", "diagram", "moves"),
    [
        ("classic", "c3", "3 .. .. r5", {"c3-b3", "c3-d3", "c3-c2"}),
        ("classic", "f4", "4 .. .. ~~ ~~ .. r5", {"f4-e4", "f4-f3", "f4-f5"}),
        ("classic", "h6", "6 .. .. .. .. .. .. .. r5", {"h6-g6", "h6-i6", "h6-h7"}),
        ("original", "e6", "6 .. .. ~~ ~~ r5", {"e6-f6", "e6-e7", "e6-e5"}),
        ("original", "g4", "4 .. .. .. .. .. .. r5", {"g4-f4", "g4-h4", "g4-g3"}),
    ],
)
def test_gr_5_never_onto_a_blocked_square(variant: str, square: str, diagram: str, moves: set[str]) -> None:
    top = 8 if variant == "classic" else 10
    at = position(variant, f"{top} .. .. .. .. .. .. .. .. b5 bF\n{diagram}\n1 rF")
    assert at.legal(square) == moves


def test_gr_5_a_blocked_square_is_named_as_such() -> None:
    at = position("classic", "8 .. .. .. .. .. .. .. .. b5 bF\n3 .. .. r5\n1 rF")
    assert at.refusal("c3-c4") == "blocked"


def test_gr_5_flag_and_bomb_never_move_nor_attack() -> None:
    diagram = """
        8 .. .. .. .. .. .. .. .. b5 bF
        3 .. .. .. .. b4
        2 .. .. .. .. rB
        1 .. r3 .. .. rF b6
    """
    at = position("classic", diagram)
    assert at.legal("e") == set()
    assert at.refusal("e2-d2") == "never-moves"
    assert at.refusal("e2-e3") == "never-moves"
    assert at.refusal("e1-d1") == "never-moves"
    assert at.refusal("e1-f1") == "never-moves"


SCOUT = """
    8 .. .. .. .. .. .. .. .. b5 bF
    7 .. .. .. .. b4
    2 .. .. .. .. r2 .. .. r5
    1 rF
"""


def test_gr_6_a_scout_moves_any_number_of_empty_squares_in_a_straight_line() -> None:
    at = position("classic", SCOUT)
    north = {"e2-e3", "e2-e4", "e2-e5", "e2-e6"}
    west = {"e2-d2", "e2-c2", "e2-b2", "e2-a2"}
    assert at.legal("e2-") == north | west | {"e2-e1", "e2-f2", "e2-g2"}


def test_gr_6_a_scout_may_attack_at_the_end_of_its_line_in_the_same_turn() -> None:
    at = position("classic", SCOUT)
    assert at.legal("e2x") == {"e2xe7"}
    after = at.play("e2xe7")
    assert after.list_events(PUBLIC) == ["attacked red e2 e7", "battle-lost red e2 e7 scout sergeant"]
    same_board(
        after,
        """
        8 .. .. .. .. .. .. .. .. b5 bF
        7 .. .. .. .. b4!
        2 .. .. .. .. .. .. .. r5
        1 rF
        """,
    )


def test_gr_6_a_winning_scout_stands_at_the_end_of_its_line() -> None:
    at = position("classic", SCOUT.replace("b4", "bS")).play("e2xe7")
    assert at.cells()["e7"] == "r2'!"
    assert at.cells()["e2"] == ".."


def test_gr_7_a_scout_that_moves_more_than_one_square_is_known_to_be_a_scout() -> None:
    at = position("classic", SCOUT).play("e2-e4")
    assert at.list_events(BLUE) == at.list_events(PUBLIC) == at.list_events(RED) == ["ran red e2 e4 scout"]
    assert at.cells()["e4"] == "r2'!"
    assert at.seen("e4", BLUE) == at.seen("e4", PUBLIC) == "scout"
    assert at.play("i8-i7").seen("e4", BLUE) == "scout"  # from then on


def test_gr_7_a_move_of_one_square_keeps_it_hidden() -> None:
    at = position("classic", SCOUT).play("e2-e3")
    assert at.list_events(BLUE) == at.list_events(PUBLIC) == ["moved red e2 e3"]
    assert at.list_events(RED) == ["moved red e2 e3 scout"]
    assert at.cells()["e3"] == "r2'"
    assert at.seen("e3", BLUE) == "hidden"


@pytest.mark.parametrize("letter", [*MOVABLE, "2"])
def test_gr_7_any_piece_that_has_moved_is_known_not_to_be_a_bomb_or_flag(letter: str) -> None:
    at = position("classic", f"8 .. .. .. .. .. .. .. .. b5 bF\n2 .. .. .. .. r{letter}\n1 rF")
    assert at.row["ruled_out"][14] == 0
    at = at.play("e2-e3")
    assert at.cells()["e3"] == f"r{letter}'"
    bomb_or_flag = 1 << 11 | 1 << 12
    assert at.game.view(at.state, BLUE).ruled_out[24] == bomb_or_flag
    assert at.row["ruled_out"][14] == 0, "nothing is known of the square that it left"
    assert at.play("i8-i7").play("e3-e4").game.view(at.state, BLUE).ruled_out[24] == bomb_or_flag


def test_gr_8_no_piece_passes_through_a_piece_or_a_blocked_square() -> None:
    diagram = """
        8 .. .. .. .. b4 .. .. .. b5 bF
        6 .. .. .. .. b4
        4 r2
        3 .. .. r2 .. r2 r5 ..
        1 rF
    """
    at = position("classic", diagram)
    assert at.legal("c3") == {"c3-b3", "c3-a3", "c3-d3", "c3-c2", "c3-c1"}  # c4 is blocked
    assert at.legal("a4") == {"a4-b4", *(f"a4-a{n}" for n in (2, 3, 5, 6, 7, 8))}
    # e6 can be attacked, squares behind it cannot; f3 has an own piece.
    assert at.legal("e3") == {"e3-d3", "e3-e2", "e3-e1", "e3-e4", "e3-e5", "e3xe6"}
    assert at.refusal("c3-c6") == "way-blocked"
    assert at.refusal("e3xe8") == "way-blocked"
    assert at.refusal("e3-g3") == "way-blocked"


def test_gr_5_a_move_ends_in_the_rules_where_its_text_says() -> None:
    """The rules unpack actions themselves; texts and screens use another function."""
    end = getattr(move_end, "py_func", move_end)
    for begin in range(g.SQUARES):
        for to in range(g.MOVE_TO):
            action = begin * g.MOVE_TO + to
            assert (begin, int(end(action))) == move_squares(action)
