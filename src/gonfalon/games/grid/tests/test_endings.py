"""GR-18 to GR-21: how a match ends."""

from __future__ import annotations

from typing import Any

import pytest

from gonfalon.engine.events import AGREE, WITHDRAW
from gonfalon.engine.game import PUBLIC
from gonfalon.engine.offers import DrawOffers, OfferError
from gonfalon.engine.rulesets.ruleset import RulesetError
from gonfalon.games.grid.tests.diagrams import BLUE, RED, Position, deployed, make, position

OPEN = """
    8 bF .. .. .. .. .. .. .. .. b5
    2 .. .. .. .. .. .. .. .. .. b4
    1 rF .. .. .. .. .. .. .. .. r4
"""
CAGE = "87776665544333322222" + "BBMSBB98BF"
"""Bombs and Flag stand in front on the six free columns, so nothing can move."""
FREE = "87776665544333322222" + "MSBBBB98BF"


def test_gr_18_taking_the_flag_wins_at_once() -> None:
    at = position("classic", "8 bF .. b5\n7 r4\n1 rF").play("a7xa8")
    assert at.ended == "red flag"
    assert at.game.to_act(at.state) == ()
    assert at.legal(player=RED) == at.legal(player=BLUE) == set()
    assert at.list_events(PUBLIC)[-1] == "won red flag"


def test_gr_18_a_scout_takes_the_flag_from_afar() -> None:
    assert position("classic", "8 bF .. b5\n1 r2 rF").play("a1xa8").ended == "red flag"


def test_gr_18_not_in_a_rescue_nor_after_the_last_turn() -> None:
    assert position("classic", "8 bF .. b5\n7 r4\n1 rF", rescue=True).play("a7xa8").ended == "red flag"
    assert position("classic", "8 bF .. b5\n2 b4\n1 rF r3", turn=1999, quiet=199).play("a2xa1").ended == "blue flag"


@pytest.mark.parametrize(
    ("red", "blue", "ended"),
    [(CAGE, FREE, "blue no-moves"), (FREE, CAGE, "red no-moves"), (CAGE, CAGE, "draw stalemate"), (FREE, FREE, "")],
)
def test_gr_19_a_deployment_that_cannot_move_is_allowed_and_loses(red: str, blue: str, ended: str) -> None:
    assert deployed("classic", red, blue).ended == ended


def test_gr_19_a_side_that_has_no_legal_turn_loses_though_it_is_not_to_move() -> None:
    # Red attacks with its last movable piece and loses it.
    at = position("classic", OPEN.replace("b4", "b9")).play("j1xj2")
    assert at.ended == "blue no-moves"
    assert at.list_events(PUBLIC)[-1] == "won blue no-moves"


def test_gr_19_a_side_that_has_no_legal_turn_loses_when_it_is_to_move() -> None:
    at = position("classic", "8 bF bB\n7 rM b5\n6 .. rB\n1 rF")
    assert at.ended == ""
    at = position("classic", "8 bF bB\n6 .. b5\n5 .. r9\n1 rF").play("b5xb6")
    assert at.ended == "red no-moves"


def test_gr_19_a_side_shut_in_by_the_enemy_has_no_legal_turn_only_if_it_cannot_attack() -> None:
    at = position("classic", "8 bF .. .. .. .. .. .. .. bB b5\n7 .. .. .. .. .. .. .. .. r3\n1 rF", turn=0)
    at = at.play("i7-j7")
    assert at.ended == ""
    assert at.legal() == {"j8xj7"}


def test_gr_19_neither_side_can_move_is_a_draw() -> None:
    at = position("classic", "8 bF\n2 .. .. .. .. .. .. .. .. .. b4\n1 rF .. .. .. .. .. .. .. .. r4").play("j1xj2")
    assert at.ended == "draw stalemate"
    assert at.list_events(PUBLIC)[-1] == "drawn stalemate"


CELL = """
    8 b4 bB .. .. .. .. .. .. .. bF
    7 .. bB
    6 bB
    1 rF r3 .. .. .. .. .. .. ..
"""


def test_gr_19_the_side_to_move_is_judged_with_gr_9_the_other_without() -> None:
    at = position("classic", CELL).play("b1-c1", "a8-a7", "c1-d1", "a7-a8", "d1-e1", "a8-a7")
    # Blue's last possible move would be the fourth crossing, but blue is not to move.
    assert at.ended == ""
    assert at.play("e1-f1").ended == "red no-moves"


def test_gr_19_judged_without_the_two_square_rule_where_that_is_off() -> None:
    at = position("classic", CELL, two_square_limit=0)
    at = at.play("b1-c1", "a8-a7", "c1-d1", "a7-a8", "d1-e1", "a8-a7", "e1-f1")
    assert at.legal() == {"a7-a8"}


def test_gr_19_in_special_an_unused_apple_counts_as_a_possible_turn() -> None:
    at = deployed("special", CAGE, FREE)
    assert at.ended == ""
    assert at.legal() == {f"apple {file}{row}" for file in "abcdefghij" for row in (6, 7, 8)}
    assert deployed("special", CAGE, CAGE).ended == ""
    # The Apple, used on a Bomb, was red's only turn.
    assert at.play("apple f6").ended == "blue no-moves"


def test_gr_19_in_special_a_used_apple_does_not_count() -> None:
    diagram = "8 bF b5\n1 rF rB"
    assert position("special", diagram).ended == ""
    assert position("special", diagram, lines="apple_used 1 0").ended == "blue no-moves"
    assert position("special", "8 bF\n1 rF", lines="apple_used 1 1").ended == "draw stalemate"
    assert position("special", "8 bF\n1 rF", lines="apple_used 1 0").ended == "blue no-moves"


def test_gr_19_looks_when_all_that_belongs_to_the_turn_is_done() -> None:
    # Red's last movable piece, the Spy, falls; the piece that the Shroud returns can move.
    diagram = "8 bF b5\n3 .. .. .. b4\n2 .. .. .. rS\n1 rF"
    at = position("special", diagram, turn=1, lines="apple_used 1 1").play("d3xd2")
    assert at.ended == ""
    assert at.play("decline").ended == "blue no-moves"
    assert at.play("return miner", "to b1").ended == ""


def test_gr_20_draw_after_turn_2000() -> None:
    at = position("classic", OPEN, turn=1998).play("j1-i1")
    assert at.ended == ""
    at = at.play("j8-j7")
    assert at.ended == "draw max-turns"
    assert at.list_events(PUBLIC)[-1] == "drawn max-turns"


def test_gr_20_draw_after_the_200th_turn_in_a_row_without_an_attack() -> None:
    at = position("classic", OPEN, turn=500, quiet=198).play("j1-i1")
    assert at.ended == ""
    assert at.play("j8-j7").ended == "draw quiet"
    assert at.play("j8-j7").list_events(PUBLIC)[-1] == "drawn quiet"


def test_gr_20_an_attack_starts_the_count_again() -> None:
    at = position("classic", OPEN.replace("rF ..", "rF r3"), turn=500, quiet=199).play("j1xj2")
    assert (at.ended, at.row["quiet"]) == ("", 0)
    assert at.play("j8-j7").row["quiet"] == 1


def foretold(at: Position) -> list[tuple[str, dict[str, Any]]]:
    return [(line.code, line.args) for line in at.scene(PUBLIC).headlines]


def test_gr_20_the_last_twenty_quiet_turns_are_foretold() -> None:
    at = position("classic", OPEN, turn=500, quiet=179)
    assert foretold(at) == []
    assert foretold(at.play("j1-i1")) == [("quiet", {"count": 20})]
    at = position("classic", OPEN.replace("rF ..", "rF r3"), turn=500, quiet=198)
    assert foretold(at) == [("quiet", {"count": 2})]
    assert foretold(at.play("j1-i1")) == [("quiet", {"count": 1})]
    assert foretold(at.play("j1xj2")) == []
    assert foretold(at.play("j1-i1", "j8-j7")) == [], "it is over"
    assert foretold(position("classic", OPEN, turn=4, quiet=4, max_quiet_turns=10)) == []
    assert foretold(position("classic", OPEN, turn=6, quiet=5, max_quiet_turns=10)) == [("quiet", {"count": 5})]


def test_gr_20_turns_of_both_sides_are_counted() -> None:
    at = position("classic", OPEN).play("j1-i1", "j8-j7", "i1-i2")
    assert (at.row["turn"], at.row["quiet"]) == (3, 3)


def test_gr_20_a_side_that_cannot_move_loses_also_in_the_last_turn() -> None:
    at = position("classic", CELL, turn=1994, quiet=194)
    at = at.play("b1-c1", "a8-a7", "c1-d1", "a7-a8", "d1-e1")
    assert at.ended == ""
    assert at.play("a8-a7").ended == "draw max-turns"
    at = position("classic", CELL, turn=1992, quiet=193)
    at = at.play("b1-c1", "a8-a7", "c1-d1", "a7-a8", "d1-e1", "a8-a7", "e1-f1")
    assert at.ended == "red no-moves"  # the 200th quiet turn ends the match


def test_gr_20_switches() -> None:
    at = position("classic", OPEN, max_turns=2).play("j1-i1")
    assert at.ended == ""
    assert at.play("j8-j7").ended == "draw max-turns"
    assert position("classic", OPEN, max_quiet_turns=2).play("j1-i1", "j8-j7").ended == "draw quiet"


def test_gr_20_quiet_turns_are_at_most_255_with_the_chase_rule() -> None:
    for variant in ("original", "barrage", "duel-10x10"):
        with pytest.raises(RulesetError):
            make(variant, max_quiet_turns=256)
        assert make(variant, max_quiet_turns=255).info.ruleset.values["max_quiet_turns"] == 255
        assert make(variant, max_quiet_turns=256, chase_rule=False).info.ruleset.values["max_quiet_turns"] == 256
    assert make("classic", max_quiet_turns=2000).info.ruleset.values["max_quiet_turns"] == 2000


@pytest.mark.parametrize("side", [RED, BLUE])
def test_gr_21_a_player_may_resign_at_any_time(side: int) -> None:
    game = make("classic")
    on_turn = position("classic", OPEN).state
    for state in (game.initial_state(), on_turn):
        after = game.withdraw(state, side)
        assert Position(game, after).ended == ("blue resigned", "red resigned")[side]
        codes = [event.code for event in game.events(WITHDRAW, after, PUBLIC)]
        assert codes == ["resigned", "won"]


def test_gr_21_also_within_a_turn() -> None:
    at = position("classic", "8 .. bF b5\n7 r4\n1 rF", rescue=True).play("a7-a8", "return miner")
    for side in (RED, BLUE):
        assert Position(at.game, at.game.withdraw(at.state, side)).ended.endswith("resigned")


def test_gr_21_not_after_the_end() -> None:
    at = position("classic", "8 bF .. b5\n7 r4\n1 rF").play("a7xa8")
    with pytest.raises(ValueError, match="over"):
        at.game.withdraw(at.state, BLUE)
    with pytest.raises(ValueError, match="draw"):
        at.game.agree_draw(at.state)


def test_gr_21_an_agreed_draw() -> None:
    at = position("classic", OPEN)
    after = at.game.agree_draw(at.state)
    assert Position(at.game, after).ended == "draw agreed"
    codes = [event.code for event in at.game.events(AGREE, after, PUBLIC)]
    assert codes == ["agreed", "drawn"]


def test_gr_21_no_draw_before_play_has_started() -> None:
    game = make("classic")
    with pytest.raises(ValueError, match="draw"):
        game.agree_draw(game.initial_state())
    with pytest.raises(OfferError):
        DrawOffers(2).offer(RED, started=False)


def test_gr_21_an_offer_stands_until_the_other_accepts() -> None:
    offers = DrawOffers(2).offer(RED, started=True)
    assert (offers.open, offers.is_agreed) == ((RED,), False)
    assert offers.answer(BLUE, accept=True).is_agreed


def test_gr_21_an_offer_stands_until_the_other_refuses() -> None:
    assert DrawOffers(2).offer(RED, started=True).answer(BLUE, accept=False) == DrawOffers(2)


def test_gr_21_an_offer_stands_until_the_other_completes_his_next_turn() -> None:
    offers = DrawOffers(2).offer(RED, started=True)
    assert offers.complete_turn(RED).open == (RED,)
    assert offers.complete_turn(RED).complete_turn(BLUE).open == ()


def test_gr_21_one_open_offer_a_player() -> None:
    offers = DrawOffers(2).offer(RED, started=True)
    with pytest.raises(OfferError):
        offers.offer(RED, started=True)
    assert offers.offer(BLUE, started=True).open == (RED, BLUE)
    assert offers.complete_turn(BLUE).offer(RED, started=True).open == (RED,)
    with pytest.raises(OfferError):
        offers.answer(RED, accept=True)  # one's own
