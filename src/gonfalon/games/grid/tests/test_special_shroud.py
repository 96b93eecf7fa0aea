"""GR-30 and GR-38: the Shroud."""

from __future__ import annotations

from typing import Any

from gonfalon.engine.game import PUBLIC
from gonfalon.games.grid.tests.diagrams import BLUE, RED, Position, lost, make, position, same_board

SPY_FALLS = """
    8 .. .. .. .. .. .. .. .. b5 bF
    3 .. .. .. .. b4
    2 .. .. .. .. rS
    1 rF .. .. .. .. .. r4
"""
RANKS = ["marshal", "general", "colonel", "major", "captain", "lieutenant", "sergeant", "miner", "scout"]
ROW_1 = {f"to {file}1" for file in "abcdefghij"}


def falls(diagram: str = SPY_FALLS, turn: int = 1, **switches: Any) -> Position:
    return position("special", diagram, turn=turn, **switches)


def test_gr_30_when_a_spy_leaves_its_player_may_return_a_piece_of_rank_2_to_10() -> None:
    at = falls().play("e3xe2")
    assert at.actor == RED  # in blue's turn
    assert at.row["turn"] == 1
    assert at.legal() == {"decline", *(f"return {name}" for name in RANKS)}
    assert lost(at, RED)["bomb"] == 5
    assert at.refusal("return bomb") == "not-lost"
    assert at.refusal("return spy") == "not-lost"


def test_gr_30_only_in_special() -> None:
    assert position("classic", SPY_FALLS, turn=1).play("e3xe2").row["turn"] == 2


def test_gr_30_the_piece_goes_on_the_row_nearest_to_its_player() -> None:
    at = falls().play("e3xe2", "return marshal")
    assert at.legal() == ROW_1 - {"to a1", "to g1"}
    after = at.play("to j1")
    assert (after.actor, after.row["turn"]) == (RED, 2)
    same_board(
        after,
        """
        8 .. .. .. .. .. .. .. .. b5 bF
        2 .. .. .. .. b4'!
        1 rF .. .. .. .. .. r4 .. .. rM!
        """,
    )


def test_gr_30_its_rank_is_known_to_both() -> None:
    after = falls().play("e3xe2", "return marshal", "to j1")
    for observer in (RED, BLUE, PUBLIC):
        assert after.list_events(observer)[0] == "healed red marshal j1"
        assert after.seen("j1", observer) == "marshal"


def test_gr_30_the_choice_is_unseen_until_it_is_made() -> None:
    after = falls().play("e3xe2", "return marshal")
    assert after.list_events(BLUE) == after.list_events(PUBLIC) == []


def test_gr_30_the_attack_is_finished_first() -> None:
    at = falls().play("e3xe2")
    assert at.list_events(PUBLIC) == ["attacked blue e3 e2", "battle-won blue e3 e2 sergeant spy"]
    assert at.cells()["e2"] == "b4'!"  # the winner stands on its square


def test_gr_30_not_obligatory_and_declined_is_gone() -> None:
    at = falls().play("e3xe2", "decline")
    assert at.list_events(BLUE) == ["declined red"]
    assert (at.actor, at.row["turn"]) == (RED, 2)
    assert list(at.row["heal"]) == [0, 0]
    at = at.play("g1-g2", "i8-i7")
    assert at.actor == RED
    assert not at.legal("return")


def test_gr_30_a_spy_that_attacks_and_falls() -> None:
    at = falls(turn=0).play("e2xe3")
    assert (at.actor, at.row["turn"]) == (RED, 0)
    at = at.play("return colonel", "to b1")
    assert (at.actor, at.row["turn"]) == (BLUE, 1)


def test_gr_30_a_spy_that_falls_to_a_bomb() -> None:
    assert "return colonel" in falls(SPY_FALLS.replace("b4", "bB"), turn=0).play("e2xe3").legal()


def test_gr_30_a_spy_that_wins_brings_back_nothing() -> None:
    assert falls(SPY_FALLS.replace("b4", "bM"), turn=0).play("e2xe3").actor == BLUE


def test_gr_30_blues_nearest_row() -> None:
    diagram = "8 .. bF\n3 .. .. .. .. r4\n2 .. .. .. .. bS\n1 rF .. .. b4"
    at = falls(diagram, turn=0).play("e3xe2", "return general")
    assert at.actor == BLUE
    assert at.legal() == {f"to {file}8" for file in "acdefghij"}


def test_gr_30_a_square_just_vacated_too() -> None:
    diagram = """
        8 .. .. .. .. .. .. .. .. b5 bF
        2 .. .. .. .. b4
        1 rF rB rB rB rS r2 r2 r3 r3 r4
    """
    assert falls(diagram, turn=0).play("e1xe2", "return captain").legal() == {"to e1"}


def test_gr_30_not_where_the_winner_stands() -> None:
    diagram = """
        8 .. .. .. .. .. .. .. .. b5 bF
        2 .. .. .. .. b4
        1 rF .. rB rB rS r2 r2 r3 r3 r4
    """
    assert falls(diagram).play("e2xe1", "return captain").legal() == {"to b1"}


def test_gr_30_if_that_row_is_full_the_next() -> None:
    diagram = """
        8 .. .. .. .. .. .. .. .. b5 bF
        3 .. .. .. .. b4
        2 r5 .. .. .. rS r6
        1 rF rB rB rB r4 r2 r2 r3 r3 r4
    """
    at = falls(diagram).play("e3xe2", "return captain")
    assert at.legal() == {f"to {file}2" for file in "bcdghij"}


def test_gr_30_and_so_on() -> None:
    diagram = """
        8 .. .. .. .. .. .. .. .. b5 bF
        4 .. .. .. .. b4
        3 .. .. .. .. rS
        2 r5 r6 r6 r7 r7 r8 r8 r9 r5 r2
        1 rF rB rB rB r4 r2 r2 r3 r3 r4
    """
    at = falls(diagram).play("e4xe3", "return captain")
    assert at.legal() == {f"to {file}3" for file in "abcdfghij"}


def test_gr_30_nothing_to_heal_nothing_happens() -> None:
    # All of red's pieces of rank 2 to 10 are on the board.
    diagram = """
        8 .. .. .. .. .. .. .. .. b5 bF
        7 .. .. .. .. .. .. .. .. .. b7
        4 .. .. .. .. b4 .. .. .. .. r2
        3 .. r6 r6 r6 rS r7 r7 r7 r8 r8
        2 r5 r5 r4 r4 r3 r3 r3 r3 r9 rM
        1 rF r2 r2 r2 r2 .. .. .. .. ..
    """
    at = falls(diagram).play("e4xe3")
    assert (at.actor, at.row["turn"]) == (RED, 2)
    # A Scout that falls only now does not return either.
    at = at.play("j4xj7")
    assert (at.actor, at.row["turn"]) == (BLUE, 3)


def test_gr_30_the_piece_must_have_left_earlier() -> None:
    # Only a Scout has left, before the Spy.
    diagram = """
        8 .. .. .. .. .. .. .. .. b5 bF
        4 .. .. .. .. b4
        3 .. r6 r6 r6 rS r7 r7 r7 r8 r8
        2 r5 r5 r4 r4 r3 r3 r3 r3 r9 rM
        1 rF r2 r2 r2 r2 .. .. .. .. ..
    """
    assert falls(diagram).play("e4xe3").legal() == {"decline", "return scout"}


def test_gr_30_two_spies_lost_at_once_the_mover_heals_first() -> None:
    diagram = SPY_FALLS.replace("b4", "bS")
    at = falls(diagram, turn=0).play("e2xe3")
    assert at.actor == RED
    at = at.play("return miner", "to b1")
    assert (at.actor, at.row["turn"]) == (BLUE, 0)
    assert "to a8" in at.play("return marshal").legal()
    at = at.play("decline")
    assert (at.actor, at.row["turn"]) == (BLUE, 1)
    at = falls(diagram).play("e3xe2")
    assert at.actor == BLUE
    at = at.play("decline")
    assert (at.actor, at.row["turn"]) == (RED, 1)


def test_gr_30_the_attacking_spy_wins_the_tie_with_attacker_wins_ties() -> None:
    at = falls(SPY_FALLS.replace("b4", "bS"), turn=0, attacker_wins_ties=True).play("e2xe3")
    assert at.actor == BLUE
    assert "return marshal" in at.legal()
    assert at.play("decline").row["turn"] == 1


UNDER_APPLE = """
    8 .. .. .. .. .. .. .. .. b5 bF
    2 .. .. .. .. rS r4
    1 rF
"""


def test_gr_30_a_controlled_spy_that_falls() -> None:
    at = falls(UNDER_APPLE).play("apple e2")
    assert at.actor == RED
    assert at.cells()["e2"] == ".."
    assert at.cells()["f2"] == "r4!"
    assert "return marshal" in at.legal()
    after = at.play("return marshal", "to b1")
    assert after.cells()["b1"] == "rM!"
    assert (after.actor, after.row["turn"]) == (RED, 2)


def test_gr_30_a_spy_that_a_controlled_piece_of_its_own_side_beats() -> None:
    at = falls(UNDER_APPLE).play("apple f2")
    assert at.actor == RED
    assert at.cells()["e2"] == ".."
    assert at.cells()["f2"] == "r4!"
    assert "return marshal" in at.legal()


def test_gr_30_after_the_flag_is_taken_nothing_is_healed() -> None:
    diagram = "8 .. b5\n3 .. .. .. .. bF\n2 .. .. .. .. rS\n1 rF"
    assert falls(diagram, turn=0).play("e2xe3").ended == "red flag"


HEAL_BEFORE_NEXT = """
    8 .. .. b2 .. bS bF b2 b2 b2 b2
    7 .. .. .. b4 r6 .. .. .. .. ..
    1 rF
"""


def test_gr_38_healing_happens_before_the_next_attack() -> None:
    at = falls(HEAL_BEFORE_NEXT, turn=0).play("e7*d7+e8")
    assert at.actor == BLUE
    assert at.cells()["e8"] == ".."
    assert at.cells()["d7"] == "b4!"  # shown, not fought yet
    at = at.play("return marshal", "to e8")
    assert at.list_events(PUBLIC) == ["healed blue marshal e8", "battle-won red e7 d7 captain sergeant"]
    assert (at.actor, at.row["turn"]) == (BLUE, 1)


def test_gr_38_a_healed_piece_is_not_attacked_on_a_targets_old_square_either() -> None:
    at = falls(HEAL_BEFORE_NEXT, turn=0).play("e7*d7+e8", "return marshal", "to e8")
    same_board(
        at,
        """
        8 .. .. b2 .. bM! bF b2 b2 b2 b2
        7 .. .. .. .. r6! .. .. .. .. ..
        1 rF
        """,
    )


def test_gr_38_nor_in_an_apples_run() -> None:
    diagram = """
        8 .. .. .. .. bS bF b2 b2 b2 b2
        7 .. .. .. b4 b6 .. .. .. .. ..
        1 rF r3
    """
    at = falls(diagram, turn=0).play("apple e7")
    assert at.actor == BLUE
    at = at.play("return general", "to e8")
    same_board(
        at,
        """
        8 .. .. .. .. b9! bF b2 b2 b2 b2
        7 .. .. .. .. b6! .. .. .. .. ..
        1 rF! r3
        """,
    )


def test_gr_38_a_healed_piece_beside_the_fighter_does_not_join_the_targets() -> None:
    diagram = """
        8 .. .. .. bS b6 .. b2 b2 b2 bF
        7 .. .. .. .. b4 .. .. .. .. ..
        1 rF r3
    """
    at = falls(diagram, turn=0).play("apple e8", "return scout", "to f8")
    assert at.cells()["f8"] == "b2!"
    assert at.cells()["e7"] == ".."


def test_gr_38_declined_the_fight_goes_on() -> None:
    at = falls(HEAL_BEFORE_NEXT, turn=0).play("e7*d7+e8", "decline")
    assert at.cells()["d7"] == ".."
    assert at.list_events(RED) == ["declined blue", "battle-won red e7 d7 captain sergeant"]


def test_gr_30_variants_with_powers() -> None:
    assert [v for v in ("classic", "special", "duel") if make(v).info.ruleset.data["powers"]] == ["special"]
