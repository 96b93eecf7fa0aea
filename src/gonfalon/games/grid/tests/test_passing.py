"""GR-19 with the switch `no_move_passes`: a side without a legal turn is passed over."""

from __future__ import annotations

import numpy as np
import pytest

from gonfalon.engine.game import PUBLIC, TextError
from gonfalon.games.grid import state as g
from gonfalon.games.grid.tests.diagrams import BLUE, RED, Position, deployed, position
from gonfalon.games.grid.tests.test_endings import CAGE, CELL, FREE

STUCK = """
    8 bF b5 bB .. .. .. .. .. .. bB
    7 bB bB bB
    2 .. .. .. .. .. .. .. .. .. b4
    1 rF r3 .. .. .. .. .. .. .. r5
"""
"""After the capture of j2 blue has only Bombs, its Flag and a shut-in piece."""


def stuck() -> Position:
    return position("classic", STUCK, no_move_passes=True)


def ranks_ruled_out(at: Position, square: str) -> bool:
    """Whether all know that the piece on a square is a Bomb or the Flag."""
    bits = int(at.row["ruled_out"]["abcdefghij".index(square[0]) + 10 * (int(square[1:]) - 1)])
    return bits & ((1 << g.BOMB) - 2) == (1 << g.BOMB) - 2


def test_gr_19_without_the_switch_the_match_is_over() -> None:
    assert position("classic", STUCK).play("j1xj2").ended == "red no-moves"


def test_gr_19_a_side_without_a_legal_turn_is_passed_over() -> None:
    at = stuck().play("j1xj2")
    assert at.ended == ""
    assert (at.row["mover"], at.row["turn"], at.row["quiet"]) == (RED, 2, 1)
    assert at.list_events(PUBLIC)[-1] == at.list_events(BLUE)[-1] == "passed blue"
    assert at.game.to_act(at.state) == (RED,)
    assert at.legal(player=BLUE) == set()
    at = at.play("j2-j3")
    assert (at.row["mover"], at.row["turn"], at.row["quiet"]) == (RED, 4, 3)


def test_gr_19_a_side_that_was_passed_over_moves_again_when_it_can() -> None:
    at = stuck().play("j1xj2", "b1-b2", "b2-b3", "b3-b4", "b4-b5", "b5-b6", "b6xb7")
    # The Miner has taken the Bomb below the shut-in piece, which can attack it now.
    assert (at.row["mover"], at.ended) == (BLUE, "")
    assert at.legal() == {"b8xb7"}
    assert at.play("b8xb7").row["mover"] == RED


def test_gr_19_only_the_flag_ends_the_match_of_a_side_that_cannot_move() -> None:
    at = position("classic", "8 bF .. .. .. .. .. .. .. .. bB\n7 r4\n1 rF", no_move_passes=True)
    assert at.ended == ""
    assert at.play("a7xa8").ended == "red flag"


def test_gr_19_the_last_piece_of_the_side_to_move_may_fall() -> None:
    at = position("classic", "8 bF b5\n2 b9\n1 r4 .. rF", no_move_passes=True).play("a1xa2")
    assert (at.ended, at.row["mover"], at.row["turn"]) == ("", BLUE, 1)
    at = at.play("a2-a1")
    assert (at.list_events(RED)[-1], at.row["mover"], at.row["turn"]) == ("passed red", BLUE, 3)
    assert at.play("a1-b1").play("b1xc1").ended == "blue flag"


def test_gr_19_neither_side_can_move_is_a_draw_with_passing_too() -> None:
    diagram = "8 bF\n2 .. .. .. .. .. .. .. .. .. b4\n1 rF .. .. .. .. .. .. .. .. r4"
    at = position("classic", diagram, no_move_passes=True).play("j1xj2")
    assert at.ended == "draw stalemate"
    assert "passed" not in " ".join(at.list_events(PUBLIC))
    assert deployed("classic", CAGE, CAGE, no_move_passes=True).ended == "draw stalemate"


def test_gr_19_a_deployment_that_cannot_move_is_passed_over() -> None:
    at = deployed("classic", CAGE, FREE, no_move_passes=True)
    assert (at.ended, at.row["mover"], at.row["turn"]) == ("", BLUE, 1)
    assert at.list_events(PUBLIC)[-1] == "passed red"
    at = deployed("classic", FREE, CAGE, no_move_passes=True)
    assert (at.ended, at.row["mover"], at.row["turn"]) == ("", RED, 0)
    legal = sorted(at.legal())
    assert at.play(legal[0]).list_events(PUBLIC)[-1] == "passed blue"


def test_gr_19_in_special_an_unused_apple_prevents_a_pass() -> None:
    at = deployed("special", CAGE, FREE, no_move_passes=True)
    assert (at.row["mover"], at.row["turn"]) == (RED, 0)
    at = at.play("apple f6")
    assert (at.ended, at.row["mover"]) == ("", BLUE)
    moves = sorted(move for move in at.legal() if not move.startswith("apple"))
    assert at.play(moves[0]).list_events(PUBLIC)[-1] == "passed red"


def test_gr_20_a_pass_counts_as_a_turn_without_an_attack() -> None:
    at = position("classic", "8 bF .. .. bB\n1 rF r3", turn=1996, no_move_passes=True).play("b1-b2")
    assert (at.ended, at.row["turn"]) == ("", 1998)
    at = at.play("b2-b3")
    assert (at.ended, at.row["turn"]) == ("draw max-turns", 2000)
    assert at.list_events(PUBLIC)[-2:] == ["passed blue", "drawn max-turns"]
    at = position("classic", "8 bF .. .. bB\n1 rF r3", turn=500, quiet=196, no_move_passes=True).play("b1-b2", "b2-b3")
    assert at.ended == "draw quiet"


def test_gr_20_the_turn_that_completes_a_count_is_followed_by_no_pass() -> None:
    at = position("classic", "8 bF .. .. bB\n1 rF r3", turn=500, quiet=198, max_quiet_turns=199, no_move_passes=True)
    at = at.play("b1-b2")
    assert (at.ended, at.row["turn"]) == ("draw quiet", 501)
    assert at.list_events(PUBLIC)[-1] == "drawn quiet"


def test_gr_20_a_position_that_is_read_is_passed_on_too() -> None:
    at = position("classic", "8 bF .. .. bB\n1 rF r3", turn=1999, no_move_passes=True)
    assert (at.ended, at.row["turn"]) == ("draw max-turns", 2000)


def test_gr_9_only_the_side_to_move_is_passed_over_for_the_two_square_rule() -> None:
    at = position("classic", CELL, no_move_passes=True)
    at = at.play("b1-c1", "a8-a7", "c1-d1", "a7-a8", "d1-e1", "a8-a7")
    assert at.row["mover"] == RED
    at = at.play("e1-f1")  # blue's only move would be the fourth crossing
    assert (at.ended, at.row["mover"], at.list_events(PUBLIC)[-1]) == ("", RED, "passed blue")
    # The pass was no move of that piece, so the count starts again.
    assert at.play("f1-g1").legal() == {"a7-a8"}


def test_gr_9_a_hidden_piece_that_the_rule_holds_back_can_still_be_of_any_rank() -> None:
    at = position("classic", CELL, no_move_passes=True)
    at = at.play("b1-c1", "a8-a7", "c1-d1", "a7-a8", "d1-e1", "a8-a7", "e1-f1")
    assert not ranks_ruled_out(at, "a7")
    assert ranks_ruled_out(at, "b8")
    assert ranks_ruled_out(at, "j8")


HELD_BACK = """
    10 .. .. bB .. .. .. .. .. .. bF
    9 .. .. rM
    8 .. {piece}' bB
    7 .. bB
    1 rF .. .. .. .. .. .. .. .. r2'!
"""
WENT_ROUND = "chase 0 11\npast b9-a9 j1-j2 a9-a8 j2-j3 a8-b8 j3-j1 b8-a8 j1-j2 a8-b8 j2-j1"
"""The piece on b8 may not go to a8 (GR-9) nor to b9 (GR-10), and no other blue piece can move."""


def test_gr_10_a_hidden_piece_that_both_rules_hold_back_is_no_scout() -> None:
    scout = position("original", HELD_BACK.format(piece="b2"), turn=21, lines=WENT_ROUND, no_move_passes=True)
    assert scout.legal() == {"b8-b10"}
    at = position("original", HELD_BACK.format(piece="b5"), turn=21, lines=WENT_ROUND, no_move_passes=True)
    assert (at.row["mover"], at.row["turn"]) == (RED, 22)
    assert at.row["ruled_out"][71] == (1 << g.SCOUT) | (1 << g.BOMB) | (1 << g.FLAG)


def test_gr_10_a_pass_ends_both_chases() -> None:
    at = position("original", "10 bF .. .. bB\n1 rF r3", lines="chase 2 1", no_move_passes=True).play("b1-b2")
    assert at.row["chase"].tolist() == [0, 0]


# ---- knowledge -----------------------------------------------------------------------------------------------------


def test_gr_19_a_pass_shows_who_cannot_move() -> None:
    """A free square or an enemy beside a hidden piece of the side: it is a Bomb or the Flag. Nothing else is shown."""
    at = stuck().play("j1xj2")
    shown = {square for square, cell in at.cells().items() if cell[0] == "b" and ranks_ruled_out(at, square)}
    assert shown == {"a7", "b7", "c7", "c8", "j8"}
    assert at.seen("a7", RED) == "hidden"
    candidates = at.game.candidates(at.game.view(at.state, RED))
    assert set(candidates["j8"]) == {"bomb", "flag"}
    assert "lieutenant" in candidates["b8"]


def test_gr_19_a_pass_makes_no_known_piece_a_riddle() -> None:
    at = position("classic", "8 bF .. .. bB!\n1 rF r3", no_move_passes=True).play("b1-b2")
    assert not ranks_ruled_out(at, "d8")
    assert ranks_ruled_out(at, "a8")


def test_gr_19_worlds_agree_with_the_pass() -> None:
    at = stuck().play("j1xj2")
    rng = np.random.default_rng(1)
    view = at.game.view(at.state, RED)
    for _ in range(30):
        world = at.game.resample(view, rng)
        assert at.game.view(world, RED).tobytes() == view.tobytes()
        kinds = {world["board"][0, square] & g.TYPE for square in (60, 61, 62, 72, 79)}
        assert kinds <= {g.BOMB, g.FLAG}


def test_gr_19_the_side_to_move_can_move_in_every_world() -> None:
    at = stuck()
    view = at.game.view(at.state, BLUE)
    for seed in range(30):
        world = at.game.resample(view, np.random.default_rng(seed))
        assert at.game.legal_actions(world, RED).size


# ---- text and screen -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("moves", [("j1xj2",), ("j1xj2", "j2-j3")])
def test_a_position_after_a_pass_reads_back(moves: tuple[str, ...]) -> None:
    at = stuck().play(*moves)
    text = at.game.state_text(at.state)
    assert "passed" in text.split("past ")[1].split("\n")[0]
    again = Position(at.game, at.game.parse_state(text))
    assert again.game.state_text(again.state) == text
    for observer in (RED, BLUE, PUBLIC):
        assert again.scene(observer).tints == at.scene(observer).tints
        assert again.scene(observer).turn == at.scene(observer).turn


def test_no_piece_comes_back_in_a_turn_that_was_missed() -> None:
    with pytest.raises(TextError, match="no past turn"):
        position("classic", STUCK, turn=2, lines="past j1-j2 passed*", no_move_passes=True)


def test_the_last_move_stays_marked_when_the_other_side_is_passed_over() -> None:
    at = stuck().play("j1xj2")
    assert {(tint.place, tint.kind) for tint in at.scene(BLUE).tints} == {("j1", "from"), ("j2", "to")}
    tensors = at.game.encode(at.game.view(at.state, RED))
    last = tensors.planes[tensors.channels.index("last to")]
    assert np.argwhere(last).tolist() == [[1, 9]]
    start = deployed("classic", CAGE, FREE, no_move_passes=True)
    assert not start.scene(RED).tints
    assert not start.game.encode(start.game.view(start.state, RED)).planes[tensors.channels.index("last to")].any()
