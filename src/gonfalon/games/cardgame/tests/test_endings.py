"""CG-13 and CG-14: how a match ends."""

from __future__ import annotations

from typing import Any

import pytest

from gonfalon.engine.game import EVERYTHING, PUBLIC
from gonfalon.games.cardgame.tests.diagrams import BLUE, DECKS, RED, Position, dealt, make, position

RANKS = "S23456789M"


# ---- CG-13: the Flag


@pytest.mark.parametrize("side", [RED, BLUE])
@pytest.mark.parametrize("attacker", RANKS)
def test_cg_13_every_attacking_card_takes_the_flag_and_wins(attacker: str, side: int) -> None:
    own, enemy = f"{attacker} . . . .", "2 3 F 5 4"
    lines = (own, enemy) if side == RED else (enemy, own)
    hands = ("F", "B33") if side == RED else ("B33", "F")
    names = ("red", "blue")
    cards: dict[str, Any] = {"red_hand": hands[0], "blue_hand": hands[1], f"{names[side]}_pile": ""}
    after = position(*lines, phase=f"act {names[side]}", **cards).play(("r1xb3", "b1xr3")[side])
    assert after.ended == ("red flag", "blue flag")[side]
    assert after.list_events(PUBLIC)[-1] == f"won {('red', 'blue')[side]} flag"
    assert after.line(1 - side, PUBLIC).split()[2] == "."
    assert "F" in after.tray("lost", 1 - side, PUBLIC)


def test_cg_13_it_wins_at_once() -> None:
    """The match ends without the third step, and the winner's own line does not matter."""
    at = position("7 B F . B", "2 3 F 5 4", red_hand="M93", blue_hand="B33", quiet=2)
    after = at.play("r1xb3")
    assert after.game.to_act(after.state) == ()
    assert after.hand(RED, RED) == "M93"


# ---- CG-13: nothing that attacks


def before_blue(blue: str, **more: Any) -> Position:
    """Return a position in which blue has this line and red has just made a harmless attack."""
    return position("4 7 2 2 3", blue, **{"red_hand": "M93", **more}).play("r1xb1", "9")


@pytest.mark.parametrize("line", ["B B . . .", "B B B F .", "B B B . ."])
def test_cg_13_who_has_only_bombs_and_the_flag_in_his_line_loses(line: str) -> None:
    after = before_blue(line, blue_pile="" if "F" in line else "F")
    after = after if after.ended else after.play("draw F")
    assert after.ended == "red no-attackers"
    assert after.list_events(PUBLIC)[-1] == "won red no-attackers"


def test_cg_13_whatever_is_in_the_hand() -> None:
    at = position("4 7 2 2 3", "B B B F 5", red_hand="M93", blue_hand="M98")
    after = at.play("r2xb5")
    assert after.ended == "red no-attackers"
    assert after.hand(BLUE, EVERYTHING) == "M98"


def test_cg_13_and_in_the_pile() -> None:
    after = position("4 7 2 2 3", "B B B F 5", red_hand="M93", blue_hand="98", blue_pile="M").play("r2xb5", "draw M")
    assert after.ended == "red no-attackers"


def test_cg_13_it_is_looked_at_after_the_first_step() -> None:
    """Blue draws first, and only then is the match over."""
    at = position("4 7 2 2 3", "B B B F 5", red_hand="M93", blue_hand="9").play("r2xb5")
    assert (at.ended, at.status) == ("", "drawing blue")
    assert at.play("draw 6").ended == ""
    assert at.play("draw 6", "draw 6").ended == "red no-attackers"


def test_cg_13_an_empty_line_has_lost_too() -> None:
    after = position("4 7 2 2 3", ". . . . 5", red_hand="M93", blue_pile="F").play("r2xb5", "draw F")
    assert after.ended == "red no-attackers"
    assert after.line(BLUE, PUBLIC) == ". . . . ."


def test_cg_13_the_flag_trick_does_not_save_him() -> None:
    after = position("4 7 2 2 3", "B . . F 5", red_hand="M93", blue_pile="M").play("r2xb5", "draw M")
    assert after.ended == "red no-attackers"
    assert not after.legal(player=BLUE)


def test_cg_13_one_card_that_attacks_is_enough() -> None:
    after = position("4 7 2 2 3", "S B B F 5", red_hand="M93", blue_hand="M98").play("r2xb5")
    assert (after.ended, after.actor) == ("", BLUE)


def test_cg_13_the_mover_is_not_looked_at_before_his_own_turn() -> None:
    """Red's last card that can attack falls; red fills the gap, and the match goes on."""
    at = position("4 B B F B", "6 3 2 5 4", red_hand="M93", blue_hand="222").play("r1xb1")
    assert at.status == "lay"
    assert at.play("M").ended == ""


@pytest.mark.parametrize("variant", DECKS)
def test_cg_13_a_full_line_of_the_decks_always_has_one(variant: str) -> None:
    assert DECKS[variant].count("B") + DECKS[variant].count("F") < 5


def test_cg_13_so_it_can_come_in_the_first_turn_of_blue_at_the_earliest() -> None:
    at = dealt(red="BBBF2356", blue="BBBF2356").play(*"BBBF2", player=RED).play(*"BBBF2", player=BLUE)
    assert at.ended == ""
    assert at.play("r5xb5", "5").ended == "red no-attackers"  # both Scouts leave, and only red fills its gap


# ---- CG-14


def quiet_turns(quiet: int, **switches: Any) -> Position:
    return position(
        "2 7 S F 5", "2 5 S 4 6", red_hand="M93", blue_hand="333", turn=quiet, quiet=quiet, phase="act red", **switches
    )


def test_cg_14_sixty_turns_without_a_card_leaving_are_a_draw() -> None:
    at = quiet_turns(58).play("r3?")
    assert at.ended == ""
    after = at.play("b3?")
    assert after.ended == "draw quiet"
    assert after.list_events(PUBLIC)[-1] == "drawn quiet"


def test_cg_14_the_last_twenty_quiet_turns_are_foretold() -> None:
    assert quiet_turns(38).scene(PUBLIC).headlines == ()
    (headline,) = quiet_turns(40).scene(PUBLIC).headlines
    assert (headline.code, headline.args) == ("quiet", {"count": 20})
    assert quiet_turns(58).play("r3?", "b3?").scene(PUBLIC).headlines == (), "it is over"


def test_cg_14_the_turns_of_both_players_count() -> None:
    assert quiet_turns(20).play("r3?", "b3?", "r1?b1+b2", "b1?r1+r2").row["quiet"] == 24


@pytest.mark.parametrize("attack", ["r2xb2", "r1xb2", "r5xb2"])
def test_cg_14_every_card_that_leaves_starts_the_count_again(attack: str) -> None:
    """An enemy card leaves, an own card leaves, or both do."""
    at = quiet_turns(58).play(attack)
    at = at.play("3") if at.status == "lay" else at
    assert (at.ended, at.row["quiet"]) == ("", 0)


def test_cg_14_looks_and_the_trick_do_not() -> None:
    at = quiet_turns(20)
    assert at.play("r3?").row["quiet"] == at.play("r1?b1+b2").row["quiet"] == 21
    assert at.play("r4~", *(f"draw {letter}" for letter in "M9322257"), *"M9322").row["quiet"] == 21


def test_cg_14_the_turn_is_played_out_first() -> None:
    """The sixtieth turn is a trick: the match is drawn only when the new line is laid."""
    at = position("2 7 S 4 5", "2 5 S F 6", red_hand="M93", blue_hand="333", turn=59, quiet=59, phase="act blue").play(
        "b4~"
    )
    assert at.ended == ""
    at = at.play(*(f"draw {letter}" for letter in "F3333222"))
    assert at.ended == ""
    assert at.play(*"F3332").ended == "draw quiet"


def test_cg_14_an_attack_in_the_last_turn_wins_or_goes_on() -> None:
    at = position("2 F S 4 5", "2 5 S 7 6", red_hand="M93", blue_hand="333", turn=59, quiet=59, phase="act blue")
    assert at.play("b1xr2").ended == "blue flag"
    assert at.play("b2xr1").ended == ""


def test_cg_14_it_is_looked_at_before_the_other_side_draws() -> None:
    """Blue has no card that can attack and would lose by CG-13, but the match is drawn before that."""
    at = position(
        "2 7 S 4 5", "B B B F .", red_hand="M93", blue_hand="-", blue_pile="M9", turn=80, quiet=59, phase="act red"
    )
    assert at.play("r3?").ended == "draw quiet"


@pytest.mark.parametrize("turns", [2, 5, 500])
def test_cg_14_switch_max_quiet_turns(turns: int) -> None:
    at = quiet_turns(turns - turns % 2 - 2, max_quiet_turns=turns)
    done = 0
    while not at.ended:
        at = at.play(("r3?", "b3?")[at.actor])
        done += 1
    assert (at.ended, at.row["quiet"]) == ("draw quiet", turns)


def test_cg_14_a_player_may_resign_at_any_time() -> None:
    game = make()
    at = Position(game, game.initial_state())
    path = ["draw 7", *(f"draw {letter}" for letter in "SB42635M9B33225"), *"7SB42"]
    for text in (None, *path):
        at = at.play(text) if text else at
        for side in (RED, BLUE):
            after = Position(game, game.withdraw(at.state, side))
            assert after.ended == f"{('blue', 'red')[side]} resigned"
    later = position("7 2 B S 4", "6 6 3 3 5", red_hand="M93", blue_hand="322", phase="act blue")
    assert Position(game, game.withdraw(later.state, RED)).ended == "blue resigned"


def test_cg_14_a_draw_may_be_agreed_once_play_has_started() -> None:
    game = make()
    with pytest.raises(ValueError, match=r".+"):
        game.agree_draw(game.initial_state())
    with pytest.raises(ValueError, match=r".+"):
        game.agree_draw(dealt().state)
    at = position("4 2 B S 7", "6 6 3 3 5", red_hand="M93", blue_hand="322")
    for now in (at, at.play("r1xb1"), at.play("r1xb1", "9", "b1xr2")):
        assert Position(game, game.agree_draw(now.state)).ended == "draw agreed"


def test_cg_14_nothing_is_told_of_the_cards_when_it_ends() -> None:
    at = position("4 2 B S 7", "6 6 3 3 5", red_hand="M93", blue_hand="322")
    after = Position(at.game, at.game.withdraw(at.state, BLUE))
    assert (after.line(BLUE, RED), after.hand(BLUE, RED)) == ("? ? ? ? ?", "???")
