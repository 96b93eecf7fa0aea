"""CQ-26, CQ-35: rounds, draws, and the returns of a match."""

from __future__ import annotations

from typing import Any

import pytest

from gonfalon.engine.game import EVERYTHING, PUBLIC
from gonfalon.games.conquest.tests.diagrams import BLUE, GREEN, RED, Position, position
from gonfalon.games.conquest.tests.test_flags import four, three
from gonfalon.games.conquest.tests.turns import agreed, moved, resigned


def last_seat(red: str = "hi1K hi2F", blue: str = "br1F br2K", **more: Any) -> Position:
    """Return a position in which blue's turn ends the round."""
    return position("narrows", f"red: {red}; blue: {blue}", mover="blue", **more)


# ---- rounds


def test_cq_26_a_round_is_every_seat_once_from_the_starting_seat() -> None:
    at = three("th1K th2F", "kf1F kf2S", "pe1F pe3S", mover="blue", start="green", rounds=5)
    seats, rounds = [], []
    for text in ("kf2-kf3", "pe3-pe2", "th1-th3", "kf3-kf2", "pe2-pe3"):
        seats.append(at.phase.split()[1])
        at = at.play(text)
        at = at.play("stop") if at.row["made"] else at
        rounds.append(int(at.row["rounds"]))
    assert seats == ["blue", "green", "red", "blue", "green"]
    assert rounds == [6, 6, 6, 7, 7]


def test_cq_26_skipped_seats_are_included() -> None:
    at = three("th1K so2F", "pe1F du1S", "th2F um1X", mover="red", rounds=5)
    at = moved(at, "th1xth2", "du1-du2")
    assert (at.row["rounds"], at.phase) == (6, "draw red")
    assert [int(moved(at, text).row["rounds"]) for text in ("th2-th1",)] == [6]
    assert moved(at, "th2-th1", "du2-du1").row["rounds"] == 7


@pytest.mark.parametrize("player", [RED, BLUE, GREEN])
def test_cq_26_resigned_seats_too(player: int) -> None:
    at = three("th1K th2F", "kf1F kf2S", "pe1F pe3S", rounds=5)
    at = resigned(at, player)
    rounds = []
    for _ in range(4):
        rounds.append(int(at.row["rounds"]))
        at = _any_move(at)
    assert rounds == [5, 5, 6, 6]


def _any_move(at: Position) -> Position:
    """Move the King or the Scout within its own territory, and end the turn."""
    at = at.play(min(text for text in at.legal() if "-" in text and text[:2] == text.split("-")[1][:2]))
    return at.play("stop") if at.row["made"] else at


# ---- quiet rounds


def test_cq_26_a_draw_at_the_end_of_the_fiftieth_quiet_round() -> None:
    at = last_seat(quiet=49, rounds=60).play("br2-br3")
    assert (at.phase, at.ended, at.row["quiet"]) == ("over", "draw quiet", 50)
    assert at.list_events(PUBLIC)[-1] == "drawn quiet"


def test_cq_26_the_last_twenty_quiet_rounds_are_foretold() -> None:
    at = last_seat(quiet=29, rounds=60)
    assert at.scene(PUBLIC).headlines == ()
    (headline,) = at.play("br2-br3").scene(PUBLIC).headlines
    assert (headline.code, headline.args) == ("quiet", {"count": 20})
    assert last_seat(quiet=49, rounds=60).play("br2-br3").scene(PUBLIC).headlines == (), "it is over"


def test_cq_26_not_before_its_end() -> None:
    at = position("narrows", "red: hi1K hi2F; blue: br1F br2K", quiet=49, rounds=60).play("hi1-hi3")
    assert (at.phase, at.ended) == ("move blue", "")
    assert last_seat(quiet=48, rounds=60).play("br2-br3").row["quiet"] == 49


def test_cq_26_in_a_row() -> None:
    """After a round in which something changed, the count starts again."""
    at = last_seat(quiet=49, rounds=60).play("br2-st2")
    assert (at.ended, at.row["quiet"], at.row["rounds"]) == ("", 0, 61)
    assert moved(at, "hi1-hi3", "stop", "st2-st3", "stop").row["quiet"] == 1


def test_cq_26_anything_in_the_round_counts() -> None:
    """Red does something that counts; then blue ends the round without doing so."""
    at = position("narrows", "red: hi1K hi2F; blue: br1F br2K", quiet=49, rounds=60)
    assert moved(at, "hi1-ma1", "br2-br3").row["quiet"] == 0


def test_cq_26_a_unit_that_left_the_board() -> None:
    at = last_seat("hi1K hi2F ne1S ne2C", quiet=49, rounds=60, blue="br3K br1F br2C")
    before = at.controls(BLUE)
    at = at.play("br3xne1")
    assert (at.ended, at.row["quiet"]) == ("", 0)
    assert at.controls(BLUE) == before


def test_cq_26_a_unit_that_entered_it() -> None:
    """The unit entered a territory of its own side, so no control has changed."""
    for card, texts in (("m1", ("+new-spy-master",)), ("r1", ("+reinforcements", "unit baron"))):
        at = last_seat(blue="br1F br2K st3X", quiet=49, rounds=60, phase="card", table=card)
        before = at.controls(BLUE)
        at = at.play(*texts, "@br3", "br2-st2")
        assert (at.ended, at.row["quiet"]) == ("", 0)
        assert at.controls(BLUE) == before


def test_cq_26_a_change_of_control_alone() -> None:
    at = last_seat("hi1K hi2F", "br1F br2K br3S", quiet=49, rounds=60).play("br2-st3")
    assert (at.ended, at.row["quiet"]) == ("", 0)


def test_cq_26_moves_and_runs_alone_are_quiet() -> None:
    blue = "br1F st2S ta1C lo3X"
    at = last_seat("hi1K hi2F", blue, quiet=49, rounds=60).play("st2-st1")
    assert at.ended == "draw quiet"


@pytest.mark.parametrize("most", [2, 10])
def test_cq_26_the_switch_max_quiet_rounds(most: int) -> None:
    at = last_seat(quiet=most - 1, rounds=60, max_quiet_rounds=most).play("br2-br3")
    assert at.ended == "draw quiet"
    assert last_seat(quiet=most - 2, rounds=60, max_quiet_rounds=most).play("br2-br3").ended == ""


def test_cq_26_so_it_ends_when_nobody_can_move() -> None:
    at = position("narrows", "red: re15 re2X re3F; blue: br1F co14", mover="blue", rounds=10).play("co1xre2")
    assert (at.ended, at.row["rounds"]) == ("draw quiet", 61)
    assert at.list_events(PUBLIC)[-1] == "drawn quiet"


# ---- round 400


def test_cq_26_a_draw_at_the_end_of_round_400() -> None:
    at = last_seat(rounds=399).play("br2-st2")
    assert (at.ended, at.row["rounds"]) == ("draw rounds", 400)
    assert at.list_events(PUBLIC)[-1] == "drawn rounds"
    at = position("narrows", "red: hi1K hi2F; blue: br1F br2K", rounds=399).play("hi1-hi3")
    assert at.ended == ""
    assert last_seat(rounds=398).play("br2-st2").ended == ""


def test_cq_26_the_switch_max_rounds() -> None:
    assert last_seat(rounds=9, max_rounds=10).play("br2-st2").ended == "draw rounds"
    assert last_seat(rounds=8, max_rounds=10).play("br2-st2").ended == ""


def test_cq_26_a_win_comes_first() -> None:
    at = last_seat("br3F hi1K", "br1F br2K", rounds=399, quiet=49).play("br2xbr3")
    assert at.ended == "blue flags"


# ---- what it is worth


def returns(at: Position) -> Any:
    return at.game.outcome(at.state).returns


@pytest.mark.parametrize(
    ("at", "expected"),
    [
        (position("narrows", "red: hi1K hi2F; blue: ma1F br2K").play("hi1xma1"), (1, -1)),
        (three("th1K so2F", "th2F um1S", "du1S <F>").play("th1xth2"), (1, -1 / 2, -1 / 2)),
        (four("th1K so2F", "th2F um1S", "du1S <F>", "ga1S <F>", lines="green flag blue; ochre flag blue"), None),
    ],
)
def test_cq_35_the_winner_wins_all_others_lose_without_places(at: Position, expected: Any) -> None:
    if expected is None:
        at, expected = at.play("th1xth2"), (1, -1 / 3, -1 / 3, -1 / 3)
    assert returns(at) == pytest.approx(expected)


def test_cq_35_a_draw_of_all_is_nothing() -> None:
    assert returns(last_seat(quiet=49, rounds=60).play("br2-br3")) == (0, 0)
    at = three("th1K th2F", "kf1F kf2S", "pe1F pe3S", rounds=5)
    assert returns(agreed(at)) == pytest.approx((0, 0, 0))


def test_cq_35_a_draw_is_shared_by_those_with_a_flag_on_the_board() -> None:
    at = three("th1K th2F", "kf2S <F>", "pe1F pe3S", mover="green", rounds=60, quiet=49).play("pe3-pe2")
    assert at.ended == "draw quiet"
    assert returns(at) == pytest.approx((1 / 4, -1 / 2, 1 / 4))


def test_cq_35_of_four_two_have_flags() -> None:
    at = four("th1K th2F", "kf2S <F>", "pe1F pe3S", "rw1S <F>", mover="ochre", rounds=399).play("rw1-rw2")
    assert at.ended == "draw rounds"
    assert returns(at) == pytest.approx((1 / 3, -1 / 3, 1 / 3, -1 / 3))


def test_cq_35_agreed_in_the_middle_of_a_turn() -> None:
    at = agreed(three("th1K th2F", "kf2S <F>", "pe1F pe3S", moves=2, made=1))
    assert (at.ended, at.phase) == ("draw agreed", "over")
    for observer in (RED, BLUE, GREEN, PUBLIC, EVERYTHING):
        assert at.list_events(observer) == ["agreed", "drawn agreed"]
    assert returns(at) == pytest.approx((1 / 4, -1 / 2, 1 / 4))


def test_cq_35_a_flag_about_to_be_raised_counts() -> None:
    at = three("th1K so2S <F>", "th2F um1S", "pe1F du1S").play("th1xth2")
    assert returns(agreed(at)) == pytest.approx((1 / 4, -1 / 2, 1 / 4))


def test_cq_35_who_resigned_has_lost() -> None:
    at = resigned(three("th1K th2F", "kf1F kf2S", "pe1F pe3S"), BLUE)
    assert returns(agreed(at)) == pytest.approx((1 / 4, -1 / 2, 1 / 4))


def test_cq_35_nothing_is_agreed_before_the_battle_or_after_the_end() -> None:
    at = position("narrows", "red: hi1K hi2F; blue: ma1F br2K").play("hi1xma1")
    with pytest.raises(ValueError, match="draw"):
        at.game.agree_draw(at.state)
    with pytest.raises(ValueError, match="draw"):
        at.game.agree_draw(at.game.initial_state())
