"""GR-11 to GR-17: attacks."""

from __future__ import annotations

from typing import Any

import pytest

from gonfalon.engine.game import PUBLIC
from gonfalon.games.grid.tests.diagrams import BLUE, RED, Position, lost, position, same_board

NAMES = {
    "S": "spy", "2": "scout", "3": "miner", "4": "sergeant", "5": "lieutenant", "6": "captain", "7": "major",
    "8": "colonel", "9": "general", "M": "marshal", "B": "bomb", "F": "flag",
}  # fmt: skip
RANKS = "S23456789M"


def duel(attacker: str, defender: str, turn: int = 0, **switches: Any) -> Position:
    """Two pieces next to one another, e2 and e3; on odd turns blue is the attacker."""
    red, blue = (attacker, defender) if turn % 2 == 0 else (defender, attacker)
    here, there = ("r" + red, "b" + blue) if turn % 2 == 0 else ("b" + blue, "r" + red)
    diagram = f"""
        8 .. .. .. .. .. .. .. b3 b2 {".." if blue == "F" else "bF"}
        3 .. .. .. .. {there}
        2 .. .. .. .. {here}
        1 {".." if red == "F" else "rF"} r2 r3
    """
    return position("classic", diagram, turn=turn, **switches)


def fought(attacker: str, defender: str, **switches: Any) -> str:
    """Return the pieces on e2 and e3 after the attack."""
    cells = duel(attacker, defender, **switches).play("e2xe3").cells()
    return f"{cells['e2']} {cells['e3']}"


def test_gr_11_moving_onto_an_enemy_piece_is_an_attack_and_both_ranks_become_known_to_both() -> None:
    at = duel("7", "5")
    assert at.legal("e2") == {"e2xe3", "e2-e1", "e2-d2", "e2-f2"}
    after = at.play("e2xe3")
    for observer in (RED, BLUE, PUBLIC):
        assert after.list_events(observer) == ["attacked red e2 e3", "battle-won red e2 e3 major lieutenant"]
        assert after.seen("e3", observer) == "major"


def test_gr_11_a_winning_defender_is_known_to_both() -> None:
    after = duel("4", "9").play("e2xe3")
    for observer in (RED, BLUE, PUBLIC):
        assert after.list_events(observer) == ["attacked red e2 e3", "battle-lost red e2 e3 sergeant general"]
        assert after.seen("e3", observer) == "general"


def test_gr_11_until_the_piece_leaves_the_board() -> None:
    after = duel("4", "9").play("e2xe3", "e3-e4", "b1-b2", "e4-e5")
    assert after.seen("e5", RED) == "general"
    assert after.cells()["e5"] == "b9'!"


def test_gr_11_the_defender_keeps_its_place_unmoved() -> None:
    same_board(
        duel("4", "9").play("e2xe3"),
        """
        8 .. .. .. .. .. .. .. b3 b2 bF
        3 .. .. .. .. b9!
        1 rF r2 r3
        """,
    )


@pytest.mark.parametrize(
    ("attacker", "defender", "told", "seen"),
    [
        ("4", "9", "battle-lost-hidden red e2 e3 sergeant", "hidden"),  # it wins: not shown
        ("7", "5", "battle-won red e2 e3 major lieutenant", "major"),  # it loses
        ("5", "5", "battle-both red e2 e3 lieutenant lieutenant", ""),  # it ties
        ("2", "9", "battle-lost red e2 e3 scout general", "general"),  # a Scout attacked
        ("9", "B", "battle-lost-hidden red e2 e3 general", "hidden"),
        ("2", "B", "battle-lost red e2 e3 scout bomb", "bomb"),
        ("3", "B", "battle-won red e2 e3 miner bomb", "miner"),
        ("S", "7", "battle-lost-hidden red e2 e3 spy", "hidden"),
    ],
)
def test_gr_11_switch_silent_defence(attacker: str, defender: str, told: str, seen: str) -> None:
    after = duel(attacker, defender, silent_defence=True).play("e2xe3")
    for observer in (RED, PUBLIC):
        assert after.list_events(observer) == ["attacked red e2 e3", told]
        assert after.seen("e3", observer) == seen
    assert f"{NAMES[attacker]} {NAMES[defender]}" in after.list_events(BLUE)[1]  # its owner saw it all


def test_gr_11_silent_defence_keeps_a_known_defender_known() -> None:
    after = position("classic", "8 b2 bF\n3 b9!\n2 r4\n1 rF r3", silent_defence=True).play("a2xa3")
    assert after.seen("a3", RED) == "general"
    assert after.cells()["a3"] == "b9!"


@pytest.mark.parametrize("attacker", RANKS)
@pytest.mark.parametrize("defender", RANKS)
def test_gr_12_to_15_every_battle_of_movable_pieces(attacker: str, defender: str) -> None:
    mine, theirs = RANKS.index(attacker), RANKS.index(defender)
    if (attacker, defender) == ("S", "M") or mine > theirs:
        wanted = f".. r{attacker}'!"  # the higher rank wins, a winning attacker stands on the attacked square
    elif mine == theirs:
        wanted = ".. .."
    else:
        wanted = f".. b{defender}!"  # a winning defender stays
    assert fought(attacker, defender) == wanted
    assert fought(attacker, defender, turn=1) == wanted.translate(str.maketrans("rb", "br"))


def test_gr_12_the_loser_leaves_the_board() -> None:
    assert (
        lost(duel("7", "5").play("e2xe3"), BLUE)["lieutenant"] == 2
    )  # one of the two was not on the board from the start
    assert lost(duel("4", "9").play("e2xe3"), RED)["sergeant"] == 2


@pytest.mark.parametrize("rank", RANKS)
def test_gr_13_equal_ranks_both_leave(rank: str) -> None:
    after = duel(rank, rank).play("e2xe3")
    assert after.list_events(PUBLIC)[1] == f"battle-both red e2 e3 {NAMES[rank]} {NAMES[rank]}"
    assert (after.cells()["e2"], after.cells()["e3"]) == ("..", "..")


@pytest.mark.parametrize("rank", RANKS)
def test_gr_13_switch_attacker_wins_ties(rank: str) -> None:
    assert fought(rank, rank, attacker_wins_ties=True) == f".. r{rank}'!"
    assert fought(rank, rank, attacker_wins_ties=True, turn=1) == f".. b{rank}'!"


@pytest.mark.parametrize("attacker", [rank for rank in RANKS if rank != "3"])
def test_gr_14_a_bomb_beats_every_attacker_but_the_miner_and_stays(attacker: str) -> None:
    assert fought(attacker, "B") == ".. bB!"
    assert fought(attacker, "B", attacker_wins_ties=True) == ".. bB!"


def test_gr_14_a_miner_removes_the_bomb_and_stands_on_its_square() -> None:
    assert fought("3", "B") == ".. r3'!"
    assert fought("3", "B", one_time_bombs=True) == ".. r3'!"


@pytest.mark.parametrize("attacker", [rank for rank in RANKS if rank != "3"])
def test_gr_14_switch_one_time_bombs(attacker: str) -> None:
    after = duel(attacker, "B", one_time_bombs=True).play("e2xe3")
    assert (after.cells()["e2"], after.cells()["e3"]) == ("..", "..")
    assert lost(after, BLUE)["bomb"] == 5
    assert NAMES[attacker] in lost(after, RED)


def test_gr_14_a_one_time_bomb_leaves_in_the_open_also_under_silent_defence() -> None:
    after = duel("9", "B", one_time_bombs=True, silent_defence=True).play("e2xe3")
    # The defender is among the lost pieces, which are public (GR-17).
    assert lost(after, BLUE)["bomb"] == 5
    assert after.cells()["e3"] == ".."


def test_gr_15_a_spy_that_attacks_the_marshal_wins() -> None:
    assert fought("S", "M") == ".. rS'!"


@pytest.mark.parametrize("attacker", "23456789M")
def test_gr_15_a_spy_that_is_attacked_loses_to_every_other_movable_piece(attacker: str) -> None:
    assert fought(attacker, "S") == f".. r{attacker}'!"


def test_gr_15_spy_against_spy_is_a_tie() -> None:
    assert fought("S", "S") == ".. .."
    assert fought("S", "S", attacker_wins_ties=True) == ".. rS'!"


@pytest.mark.parametrize("attacker", RANKS)
def test_gr_16_any_movable_piece_takes_the_flag(attacker: str) -> None:
    after = duel(attacker, "F").play("e2xe3")
    assert after.ended == "red flag"
    assert after.cells()["e3"] == f"r{attacker}'!"
    assert duel(attacker, "F", turn=1).play("e2xe3").ended == "blue flag"


def test_gr_16_attacking_is_not_compulsory() -> None:
    assert duel("7", "5").legal("e2-") == {"e2-e1", "e2-d2", "e2-f2"}


def test_gr_16_if_attacks_are_the_only_legal_turns_one_must_be_made() -> None:
    diagram = """
        8 .. .. .. .. .. .. .. .. b4 bF
        2 b9
        1 r4 rF
    """
    assert position("classic", diagram).legal() == {"a1xa2"}


def test_gr_16_also_where_a_move_would_be_the_fourth_crossing() -> None:
    diagram = """
        8 .. .. .. .. .. .. .. .. b4 bF
        2 b9 ..
        1 r4 rF
    """
    walled = diagram.replace("2 b9 ..", "2 rB b7").replace("1 r4 rF", "1 .. r4 rF")
    at = position("classic", walled)
    assert at.legal() == {"b1-a1", "b1xb2"}
    at = at.play("b1-a1", "i8-i7", "a1-b1", "i7-i6", "b1-a1", "i6-i5")
    # Only a1-b1 is left to red, and it is the fourth crossing: red has lost.
    assert at.ended == "blue no-moves"
    at = position("classic", walled.replace("2 rB b7", "2 b7 b7"))
    at = at.play("b1-a1", "i8-i7", "a1-b1", "i7-i6", "b1-a1", "i6-i5")
    assert at.legal() == {"a1xa2"}


def test_gr_17_pieces_that_left_the_board_are_public() -> None:
    after = duel("5", "5").play("e2xe3")
    for observer in (RED, BLUE, PUBLIC):
        view = after.game.view(after.state, observer)
        assert [int(view.lost[side][5]) for side in (RED, BLUE)] == [2, 2]
        trays = {tray.side: {item.face: item.count for item in tray.items} for tray in after.game.scene(view).trays}
        assert trays["red"]["lieutenant"] == trays["blue"]["lieutenant"] == 2
        assert "flag" not in trays["red"]


def test_gr_17_a_piece_that_returns_is_no_longer_among_them() -> None:
    at = position("classic", "8 b5 bF\n7 .. .. r7\n1 rF", rescue=True)
    assert lost(at, RED)["miner"] == 4
    at = at.play("c7-c8", "return miner", "to a2")
    assert lost(at, RED)["miner"] == 3
    assert at.game.view(at.state, BLUE).lost[RED][3] == 3
