"""GR-31, GR-32, GR-39, GR-40: the Sword."""

from __future__ import annotations

from typing import Any

import pytest

from gonfalon.engine.game import PUBLIC
from gonfalon.games.grid.tests.diagrams import BLUE, RED, Position, lost, position, same_board


def sword(west: str, east: str, captain: str = "r6", turn: int = 0, **switches: Any) -> Position:
    """A Captain on b2 between two pieces on a2 and c2."""
    flag = ".." if "bF" in (west, east) else "bF"
    diagram = f"8 .. .. .. .. .. .. .. {flag} b8 b8\n2 {west} {captain} {east}\n1 .. .. .. rF r4"
    return position("special", diagram, turn=turn, **switches)


def left(at: Position) -> str:
    """Return the pieces on a2, b2 and c2."""
    cells = at.cells()
    return " ".join(cells[square] for square in ("a2", "b2", "c2"))


STRIKE = "b2*a2+c2"


def test_gr_31_a_captain_may_attack_two_enemy_pieces_next_to_it_in_one_turn() -> None:
    at = sword("b4", "b5")
    assert STRIKE in at.legal()
    at = at.play(STRIKE)
    assert left(at) == ".. r6! .."
    assert (at.actor, at.row["turn"]) == (BLUE, 1)
    assert lost(at, BLUE)["sergeant"] == lost(at, BLUE)["lieutenant"] == 2


def test_gr_31_any_two_of_its_neighbours() -> None:
    diagram = "8 .. .. .. .. .. .. .. bF b8 b8\n3 .. b3\n2 b4 r6 b5\n1 .. b7 .. rF r4"
    texts = {"b2*a2+c2", "b2*a2+b1", "b2*a2+b3", "b2*b1+c2", "b2*b1+b3", "b2*b3+c2"}
    at = position("special", diagram)
    assert {frozenset(text[3:].split("+")) for text in at.legal("b2*")} == {frozenset(t[3:].split("+")) for t in texts}


def test_gr_31_orthogonally_not_diagonally_nor_ones_own() -> None:
    diagram = "8 .. .. .. .. .. .. .. bF b8 b8\n3 b3 r3 b4\n2 .. r6 b5\n1 b7 .. .. rF r4"
    at = position("special", diagram)
    assert at.legal("b2*") == set()
    assert at.refusal("b2*b3+c2") == "no-sword"
    assert at.refusal("b2*a2+c2") == "no-sword"


@pytest.mark.parametrize("letter", "S23457BM")
def test_gr_31_only_a_captain(letter: str) -> None:
    assert sword("b4", "b5", captain=f"r{letter}").legal("b2*") == set()


def test_gr_31_only_in_special() -> None:
    diagram = "8 .. .. .. .. .. .. .. bF b8 b8\n2 b4 r6 b5\n1 .. .. .. rF r4"
    at = position("classic", diagram)
    assert at.legal("b2*") == set()
    assert at.refusal(STRIKE) == "unknown-action"


def test_gr_31_a_captain_next_to_two_may_still_attack_only_one() -> None:
    at = sword("b4", "b5")
    assert at.legal("b2x") == {"b2xa2", "b2xc2"}
    at = at.play("b2xa2")
    assert left(at) == "r6'! .. b5"
    assert at.seen("c2", RED) == "hidden"


def test_gr_31_both_and_the_captain_are_revealed() -> None:
    at = sword("b7", "b9").play(STRIKE)
    for observer in (RED, BLUE, PUBLIC):
        told = at.list_events(observer)
        assert told[0] == "sword red b2 a2 c2"
        assert {t for t in told if t.startswith("revealed")} == {
            "revealed red captain b2",
            "revealed blue major a2",
            "revealed blue general c2",
        }
        assert (at.seen("a2", observer), at.seen("c2", observer)) == ("major", "general")


@pytest.mark.parametrize(
    ("west", "east", "battles"),
    [
        ("b5", "b4", ["battle-won red b2 c2 captain sergeant", "battle-won red b2 a2 captain lieutenant"]),
        ("b2", "b3", ["battle-won red b2 a2 captain scout", "battle-won red b2 c2 captain miner"]),
        ("b9", "bB", ["battle-lost red b2 c2 captain bomb"]),
        ("b2", "bB", ["battle-lost red b2 c2 captain bomb"]),
        ("bF", "b5", ["battle-won red b2 c2 captain lieutenant", "battle-won red b2 a2 captain flag"]),
        ("bF", "bM", ["battle-lost red b2 c2 captain marshal"]),
        ("b9", "b7", ["battle-lost red b2 c2 captain major"]),
        ("b6", "b5", ["battle-won red b2 c2 captain lieutenant", "battle-both red b2 a2 captain captain"]),
        ("b6", "b7", ["battle-both red b2 a2 captain captain"]),
    ],
)
def test_gr_31_bombs_come_first_then_ascending_rank_the_flag_last(west: str, east: str, battles: list[str]) -> None:
    at = sword(west, east).play(STRIKE)
    assert [text for text in at.list_events(PUBLIC) if text.startswith("battle")] == battles


@pytest.mark.parametrize(
    ("west", "east", "after"),
    [
        # The first is a Bomb: the Captain is lost, the Bomb and the other piece stay.
        ("bB", "b2", "bB! .. b2!"),
        ("bB", "bB", "bB! .. bB!"),
        ("bB", "bM", "bB! .. bM!"),
        # Both are Captains: all three leave.
        ("b6", "b6", ".. .. .."),
        # The fights go in order; once the Captain is gone, the rest does not happen.
        ("b4", "b7", ".. .. b7!"),
        ("b7", "b9", "b7! .. b9!"),
        ("b4", "b6", ".. .. .."),
        ("b6", "b7", ".. .. b7!"),
        # A surviving Captain is on its old square.
        ("b2", "b3", ".. r6! .."),
    ],
)
def test_gr_32_what_is_left(west: str, east: str, after: str) -> None:
    at = sword(west, east).play(STRIKE)
    assert left(at) == after
    assert (at.actor, at.row["turn"]) == (BLUE, 1)


def test_gr_32_bomb_and_flag_the_captain_is_lost_and_the_flag_known() -> None:
    at = sword("bB", "bF").play(STRIKE)
    assert left(at) == "bB! .. bF!"
    assert at.ended == ""


def test_gr_32_the_flag_after_a_won_battle() -> None:
    at = sword("b5", "bF").play(STRIKE)
    assert at.ended == "red flag"
    assert left(at)[:6] == ".. r6!"


def test_gr_32_two_captains_need_no_order() -> None:
    at = sword("b6", "b6").play(STRIKE)
    assert lost(at, BLUE)["captain"] == 3
    assert lost(at, RED)["captain"] == 3


def test_gr_32_spy_first_and_healed_before_the_flag_falls() -> None:
    at = sword("bS", "bF").play(STRIKE)
    assert at.actor == BLUE
    assert at.ended == ""
    assert at.play("decline").ended == "red flag"
    assert at.play("return marshal", "to a8").ended == "red flag"


def test_gr_32_a_marshal_beats_the_captain() -> None:
    at = sword("bM", "b5").play(STRIKE)
    assert left(at) == "bM! .. .."


def test_gr_31_blue_has_a_sword_too() -> None:
    diagram = "8 .. .. .. .. .. .. .. bF b8 b8\n2 r4 b6 r5\n1 .. .. .. rF r3"
    at = position("special", diagram, turn=1).play(STRIKE)
    assert left(at) == ".. b6! .."


# ---- GR-39 and GR-40 -----------------------------------------------------------------------------------------------

SHUTTLE = """
    8 .. .. .. .. .. .. .. .. b5 bF
    4 b3
    3 .. .. .. b4
    2 .. r6
    1 .. .. .. .. .. rF r3
"""


def test_gr_39_a_sword_on_two_starts_the_users_own_count_again() -> None:
    at = position("special", SHUTTLE)
    at = at.play("b2-b3", "i8-i7", "b3-b2", "a4-a3", "b2-b3", "d3-c3")
    assert at.refusal("b3-b2") == "two-squares"
    at = at.play("b3*a3+c3", "i7-i6")
    assert "b3-b2" in at.legal()


def test_gr_39_gr_9_never_forbids_a_sword_and_it_leaves_the_other_sides_count_alone() -> None:
    diagram = SHUTTLE.replace("1 .. ..", "1 b4 ..")
    at = position("special", diagram)
    # Red's Captain crossed b2|b3 three times; a blue piece has come to b2.
    at = at.play("b2-b3", "a1-a2", "b3-b2", "d3-c3", "b2-b3", "a2-b2")
    assert at.refusal("b3xb2") == "two-squares"
    at = at.play("b3*c3+b2")
    assert [at.cells()[square] for square in ("b2", "b3", "c3")] == ["..", "r6'!", ".."]


def test_gr_39_a_sword_does_not_start_the_other_sides_count_again() -> None:
    diagram = "8 .. .. .. .. .. .. .. .. b5 bF\n3 .. b4\n2 .. r6 b3\n1 .. .. .. .. .. rF r3"
    at = position("special", diagram).play("g1-g2", "i8-i7", "g2-g3", "i7-i8", "g3-f3", "i8-i7")
    at = at.play("b2*c2+b3")
    assert at.refusal("i7-i8") == "two-squares"


def test_gr_39_no_quiet_turn_and_no_chase() -> None:
    diagram = "8 .. .. .. .. .. .. .. bF b8 b8\n2 b4 r6 b5\n1 .. b3 .. rF r4"
    at = position("special", diagram, turn=10, quiet=7, lines="chase 3 2", chase_rule=True).play(STRIKE)
    assert at.row["quiet"] == 0
    # Another enemy piece still stands next to the Captain, but the Sword moved the Captain to no square.
    assert list(at.row["chase"]) == [0, 0]


@pytest.mark.parametrize(
    ("west", "east", "after"),
    [("b6", "b6", ".. r6! .."), ("b6", "b7", ".. .. b7!"), ("b5", "b6", ".. r6! .."), ("b6", "b4", ".. r6! ..")],
)
def test_gr_40_attacker_wins_ties_the_captain_goes_on(west: str, east: str, after: str) -> None:
    assert left(sword(west, east, attacker_wins_ties=True).play(STRIKE)) == after


@pytest.mark.parametrize(("other", "after"), [("b4", ".. .. b4!"), ("bM", ".. .. bM!"), ("b6", ".. .. b6!")])
def test_gr_40_one_time_bombs_a_bomb_that_beats_a_captain_leaves_too(other: str, after: str) -> None:
    at = sword("bB", other, one_time_bombs=True).play(STRIKE)
    assert left(at) == after


def test_gr_40_one_time_bombs_of_two_bombs_the_user_chooses_the_one_that_leaves() -> None:
    at = sword("bB", "bB", one_time_bombs=True).play(STRIKE)
    assert at.actor == RED
    assert at.legal() == {"target a2", "target c2"}
    assert left(at.play("target c2")) == "bB! .. .."


def test_gr_40_silent_defence_sword_reveals_all_the_same() -> None:
    at = sword("b7", "b9", silent_defence=True).play(STRIKE)
    assert left(at) == "b7! .. b9!"
    assert at.seen("c2", RED) == "general"


def test_gr_40_silent_defence_in_an_ordinary_attack_of_a_captain() -> None:
    same_board(
        sword("b7", "b9", silent_defence=True).play("b2xa2"),
        "8 .. .. .. .. .. .. .. bF b8 b8\n2 b7 .. b9\n1 .. .. .. rF r4",
    )
