"""CG-4, CG-13 and CG-14 at every moment of a turn: resigning, agreed draws, and losing without attackers, also for
red.
"""

from __future__ import annotations

import pytest

from gonfalon.engine.game import CHANCE, PUBLIC
from gonfalon.games.cardgame.tests.diagrams import BLUE, RED, Position, position


def moments() -> dict[str, Position]:
    """Return one position for each moment of a match in play."""
    act = position("4 . F S 7", "6 6 3 3 5", red_hand="M93", blue_hand="322")
    trick = act.play("r3~")
    dealt = trick.play(*(f"draw {letter}" for letter in "M9322257"))
    return {
        "step 1": position("4 2 F S 7", "6 6 3 3 5", red_hand="M9", blue_hand="322", phase="draw red"),
        "step 2": act,
        "step 3": act.play("r1xb1"),
        "amid step 3": act.play("r1xb1", "9"),
        "trick, dealing": trick.play("draw M"),
        "trick, laying": dealt,
        "trick, amid laying": dealt.play("M", "9"),
    }


MOMENTS = tuple(moments())


@pytest.mark.parametrize("side", [RED, BLUE])
@pytest.mark.parametrize("moment", MOMENTS)
def test_cg_14_resigning_is_possible_at_every_moment(moment: str, side: int) -> None:
    at = moments()[moment]
    after = Position(at.game, at.game.withdraw(at.state, side))
    assert after.ended == f"{('blue', 'red')[side]} resigned"
    assert after.game.to_act(after.state) == ()


@pytest.mark.parametrize("moment", MOMENTS)
def test_cg_14_agreeing_to_a_draw_is_possible_at_every_moment(moment: str) -> None:
    at = moments()[moment]
    after = Position(at.game, at.game.agree_draw(at.state))
    assert after.ended == "draw agreed"
    assert after.game.to_act(after.state) == ()


@pytest.mark.parametrize("moment", MOMENTS)
def test_cg_14_an_end_in_between_tells_nothing_of_the_cards(moment: str) -> None:
    at = moments()[moment]
    after = Position(at.game, at.game.withdraw(at.state, RED))
    for observer in (BLUE, PUBLIC):
        assert after.line(RED, observer) == at.line(RED, observer)
        assert set(after.hand(RED, observer)) <= {"?"}
        assert set(after.tray("pile", RED, observer)) == {"?"}


@pytest.mark.parametrize("moment", MOMENTS)
def test_cg_4_whoever_is_not_in_turn_has_nothing_to_do(moment: str) -> None:
    at = moments()[moment]
    assert at.game.to_act(at.state) == ((CHANCE,) if moment in ("step 1", "trick, dealing") else (RED,))
    assert not at.legal(player=BLUE)
    assert at.scene(BLUE).to_act == (() if at.actor == CHANCE else ("red",))


def test_cg_4_the_hand_is_filled_only_at_the_start_of_the_next_own_turn() -> None:
    at = position("4 2 F S 7", "6 6 3 3 5", red_hand="M93", blue_hand="322").play("r1xb1", "9")
    assert (at.actor, at.hand(RED, RED)) == (BLUE, "M3")
    at = at.play("b1xr1", "3")  # the Captain falls to the General that red has laid
    assert (at.actor, at.status) == (CHANCE, "drawing red")
    assert at.play("draw 6").hand(RED, RED) == "M63"


@pytest.mark.parametrize("hand", ["-", "M", "M9", "M93"])
def test_cg_4_as_many_cards_are_drawn_as_are_wanting(hand: str) -> None:
    cards = hand.replace("-", "")
    at = position(
        "4 2 F S 7", "6 6 3 3 5", red_hand=hand, blue_hand="322", phase=f"{'draw' if len(cards) < 3 else 'act'} red"
    )
    for letter in "222"[len(cards) :]:
        assert at.actor == CHANCE
        at = at.play(f"draw {letter}")
    assert (at.actor, len(at.hand(RED, RED))) == (RED, 3)


@pytest.mark.parametrize(
    ("line", "hand", "pile"), [("B B B F 4", "M9", "8"), ("B B . F 4", "-", "8"), (". . . . 4", "-", "F8")]
)
def test_cg_13_red_loses_in_the_same_way(line: str, hand: str, pile: str) -> None:
    """Blue captures red's last card that can attack. Red draws and has then lost, whatever the hand contains."""
    at = position(line, "7 6 3 3 5", red_hand=hand, red_pile=pile, blue_hand="322", phase="act blue")
    at = at.play("b1xr5")
    assert (at.ended, at.status) == ("", "drawing red")
    after = at.play(*(f"draw {letter}" for letter in pile))
    assert after.ended == "blue no-attackers"
    assert after.list_events(PUBLIC)[-1] == "won blue no-attackers"


def test_cg_13_the_one_who_fills_his_gap_goes_on_and_the_other_loses() -> None:
    """The last attackers of both lines fall together. Red lays another one; blue has no chance to lay from its hand."""
    at = position("4 B B F B", "B B 4 F B", red_hand="722", blue_hand="M98")
    after = at.play("r1xb3", "7")
    assert after.ended == "red no-attackers"
    assert after.hand(BLUE, BLUE) == "M98"
