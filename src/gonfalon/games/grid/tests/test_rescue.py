"""GR-22: the house rule Rescue."""

from __future__ import annotations

import pytest

from gonfalon.engine.game import PUBLIC
from gonfalon.games.grid.tests.diagrams import BLUE, RED, Position, lost, make, position, same_board

ARRIVING = """
    8 .. .. .. .. .. .. .. .. b5 bF
    7 r7
    2 .. .. .. b4
    1 rF r4
"""
LOST = ["marshal", "general", "colonel", "major", "captain", "lieutenant", "sergeant", "miner", "scout", "spy"]
"""Types of which red has lost at least one in ARRIVING, Bombs apart."""
HALF = {f"{file}{row}" for file in "abcdefghij" for row in (1, 2, 3, 4)} - {"c4", "d4", "g4", "h4"}


def arriving(diagram: str = ARRIVING, variant: str = "classic", turn: int = 0, lines: str = "") -> Position:
    return position(variant, diagram, turn=turn, lines=lines, rescue=True)


def test_gr_22_switch_rescue_is_off_by_default() -> None:
    for variant in ("original", "classic", "special", "duel", "duel-10x10", "barrage"):
        assert make(variant).info.ruleset.values["rescue"] is False
    assert position("classic", ARRIVING).play("a7-a8").actor == BLUE


def test_gr_22_a_piece_that_ends_a_move_on_the_farthest_row_brings_back_a_lost_piece() -> None:
    at = arriving().play("a7-a8")
    assert at.actor == RED  # in the same turn
    assert at.legal() == {"decline", *(f"return {name}" for name in LOST)}
    at = at.play("return marshal")
    assert at.legal() == {f"to {square}" for square in HALF - {"a1", "b1", "d2"}}
    at = at.play("to e3")
    assert at.actor == BLUE
    assert at.row["turn"] == 1
    same_board(
        at,
        """
        8 r7'^ .. .. .. .. .. .. .. b5 bF
        3 .. .. .. .. rM!
        2 .. .. .. b4
        1 rF r4
        """,
    )


def test_gr_22_its_rank_is_known_to_both() -> None:
    at = arriving().play("a7-a8", "return marshal", "to e3")
    for observer in (RED, BLUE, PUBLIC):
        assert at.list_events(observer) == ["rescued red marshal e3"]
        assert at.seen("e3", observer) == "marshal"


def test_gr_22_the_choice_is_unseen_until_it_is_made() -> None:
    at = arriving().play("a7-a8")
    chosen = at.play("return marshal")
    for observer in (BLUE, PUBLIC):
        assert chosen.list_events(observer) == []


def test_gr_22_blues_half_and_blues_farthest_row() -> None:
    diagram = "8 .. .. .. .. .. .. .. .. b6 bF\n2 b5\n1 .. rF r4"
    at = arriving(diagram, turn=1).play("a2-a1", "return spy")
    upper = {f"{file}{row}" for file in "abcdefghij" for row in (5, 6, 7, 8)} - {"c5", "d5", "g5", "h5"}
    assert at.legal() == {f"to {square}" for square in upper - {"i8", "j8"}}


def test_gr_22_half_of_the_10x10_board_is_five_rows() -> None:
    diagram = "10 .. .. .. .. .. .. .. .. b3 bF\n9 r3\n1 rF"
    at = arriving(diagram, "barrage").play("a9-a10", "return marshal")
    lower = {f"{file}{row}" for file in "abcdefghij" for row in (1, 2, 3, 4, 5)} - {"c5", "d5", "g5", "h5"}
    assert at.legal() == {f"to {square}" for square in lower - {"a1"}}


def test_gr_22_a_won_attack_counts() -> None:
    at = arriving(ARRIVING.replace("8 ..", "8 b6")).play("a7xa8")
    assert at.actor == RED
    assert "return marshal" in at.legal()


@pytest.mark.parametrize(("defender", "what"), [("b7", "tie"), ("b9", "lost"), ("bB", "lost")])
def test_gr_22_a_tie_or_a_lost_attack_does_not(defender: str, what: str) -> None:
    at = arriving(ARRIVING.replace("8 ..", f"8 {defender}")).play("a7xa8")
    assert at.actor == BLUE


def test_gr_22_a_won_tie_counts_with_attacker_wins_ties() -> None:
    diagram = ARRIVING.replace("8 ..", "8 b7")
    at = position("classic", diagram, rescue=True, attacker_wins_ties=True).play("a7xa8")
    assert "decline" in at.legal()


def test_gr_22_a_piece_that_only_stands_there_brings_back_nothing() -> None:
    at = arriving("8 r7 b4 .. .. .. .. .. .. b4 bF\n1 rF r4", turn=1).play("b8xa8")
    assert at.cells()["a8"] == "r7!"
    assert at.actor == RED
    assert "decline" not in at.legal()
    assert arriving("8 r7 .. .. .. .. .. .. .. b4 bF\n1 rF r4").play("b1-b2").actor == BLUE


def test_gr_22_a_move_along_the_row_ends_on_it_too() -> None:
    at = arriving("8 r7 .. .. .. .. .. .. .. b4 bF\n1 rF r4").play("a8-b8")
    assert "return marshal" in at.legal()


@pytest.mark.parametrize("begin", ["a7", "a2"])
def test_gr_22_a_scout_brings_back_nothing(begin: str) -> None:
    at = arriving(f"8 .. .. .. .. .. .. .. .. b5 bF\n{begin[1]} r2\n1 rF r4").play(f"{begin}-a8")
    assert at.actor == BLUE


def test_gr_22_but_a_scout_can_be_brought_back() -> None:
    assert arriving().play("a7-a8", "return scout", "to e3").cells()["e3"] == "r2!"


def test_gr_22_not_a_bomb() -> None:
    at = arriving()
    assert lost(at, RED)["bomb"] == 5
    assert at.play("a7-a8").refusal("return bomb") == "not-lost"


def test_gr_22_not_a_piece_that_is_not_lost() -> None:
    diagram = "8 .. .. .. .. .. .. .. .. b3 bF\n7 r9\n1 rF r3"
    at = arriving(diagram, "duel").play("a7-a8")
    assert at.legal() == {"decline", "return marshal", "return miner", "return scout", "return spy"}
    assert at.refusal("return general") == "not-lost"


def test_gr_22_nothing_lost_nothing_used_up() -> None:
    # Only Bombs are lost.
    diagram = "8 .. .. .. .. .. .. .. .. b3 bF\n7 r9\n1 rF r3 r3 r2 r2 rS rM"
    at = arriving(diagram, "duel").play("a7-a8")
    assert at.actor == BLUE
    assert at.cells()["a8"] == "r9'"
    assert list(at.row["rescues"]) == [0, 0]


def test_gr_22_no_empty_square_nothing_used_up() -> None:
    full = """
        8 .. .. .. .. .. .. .. .. .. bF
        7 r6
        4 b4 b4 .. .. b5 b5 .. .. b6 b6
        3 rF rB rB rB rB rB r2 r2 r2 r2
        2 r3 r3 r3 r3 r4 r4 r5 r5 r6 r7
        1 r7 r7 r8 r8 r9 rM rS b2 b2 b2
    """
    at = arriving(full).play("a7-a8")
    assert at.actor == BLUE
    assert list(at.row["rescues"]) == [0, 0]


def test_gr_22_declined_nothing_used_up() -> None:
    at = arriving().play("a7-a8", "decline")
    assert at.list_events(BLUE) == ["declined red"]
    assert at.actor == BLUE
    assert at.cells()["a8"] == "r7'"
    assert list(at.row["rescues"]) == [0, 0]
    assert "return marshal" in at.play("i8-i7", "a8-b8").legal()  # the same piece, later


def test_gr_22_once_a_piece() -> None:
    at = arriving().play("a7-a8", "return marshal", "to e3", "i8-i7", "a8-b8")
    assert at.actor == BLUE


def test_gr_22_twice_a_side() -> None:
    diagram = ARRIVING.replace("7 r7", "7 r7 r6 r5")
    at = arriving(diagram).play("a7-a8", "return marshal", "to e3", "i8-i7", "b7-b8", "return spy", "to e1", "i7-i6")
    assert list(at.row["rescues"]) == [2, 0]
    assert at.play("c7-c8").actor == BLUE
    # Blue has two rescues of its own.
    low = "8 .. bF\n2 b5\n1 .. rF r4"
    assert "return spy" in arriving(low, turn=1, lines="rescues 2 0").play("a2-a1").legal()


def test_gr_22_a_returned_piece_is_a_new_piece() -> None:
    # The General has caused a rescue, fell, and returned: it may cause another.
    diagram = "8 r9^ .. .. .. .. .. .. .. .. bF\n7 bM r3\n1 rF"
    at = arriving(diagram, "duel", turn=1, lines="rescues 1 0").play("a7xa8", "b7-b8", "return general", "to a4")
    assert at.cells()["a4"] == "r9!"
    assert list(at.row["rescues"]) == [2, 0]
    # A returned piece can cause a rescue like any other: it bears no mark of an earlier one.
    at = arriving("8 .. .. .. .. .. .. .. .. b3 bF\n7 r9!\n1 rF", "duel", lines="rescues 1 0").play("a7-a8")
    assert "return miner" in at.legal()


def test_gr_22_the_match_is_over_when_the_flag_is_taken_there() -> None:
    at = arriving("8 bF .. .. .. .. .. .. .. b5\n7 r7\n1 rF").play("a7xa8")
    assert at.ended == "red flag"


def test_gr_22_the_turn_is_complete_when_the_piece_stands() -> None:
    at = arriving(lines="", turn=10).play("a7-a8")
    assert at.row["turn"] == 10
    assert at.play("return marshal").row["turn"] == 10
    assert at.play("return marshal", "to e3").row["turn"] == 11
    assert at.play("decline").row["turn"] == 11


def test_gr_22_a_rescued_spy_carries_the_shroud_again() -> None:
    diagram = "8 .. .. .. .. .. .. .. .. b5 bF\n7 r7\n4 .. .. .. .. .. b4\n1 rF r4"
    at = arriving(diagram, "special").play("a7-a8", "return spy", "to e4", "f4xe4")
    assert at.actor == RED
    assert at.legal() == {"decline", *(f"return {name}" for name in LOST if name != "spy")}


def test_gr_22_after_the_shroud_where_both_belong_to_one_turn() -> None:
    diagram = "8 bS .. .. .. .. .. .. .. b5 bF\n7 r7\n1 rF r4"
    at = arriving(diagram, "special").play("a7xa8")
    assert at.actor == BLUE  # the attack is finished, then the Spy's owner chooses, and the turn goes on
    at = at.play("return marshal", "to b8")
    assert (at.actor, at.row["turn"]) == (RED, 0)
    at = at.play("return spy", "to e1")
    assert (at.actor, at.row["turn"]) == (BLUE, 1)


def test_gr_22_a_sword_earns_none_since_the_captain_does_not_move() -> None:
    at = arriving("8 b4 r6 b5 .. .. .. .. .. b5 bF\n1 rF r4", "special").play("b8*a8+c8")
    assert (at.actor, at.row["turn"]) == (BLUE, 1)
