"""One test for each rule of `rules.md`."""

from __future__ import annotations

import pytest

from gonfalon import make
from gonfalon.engine.game import CHANCE, IllegalActionError, State

GAME = make("tiny")


def position(red: str, blue: str, now: str) -> State:
    return GAME.parse_state(f"tiny\nred {red}\nblue {blue}\n{now}")


def after(state: State, text: str) -> str:
    """Return the position after the mover's action as text, without its first line."""
    (player,) = GAME.to_act(state)
    action = GAME.parse_action(GAME.view(state, player), text)
    return GAME.state_text(GAME.apply(state, player, action)).removeprefix("tiny\n").replace("\n", " ")


def test_tn_1_each_side_has_one_piece_of_each_rank() -> None:
    state = GAME.initial_state()
    for action in (0, 5):
        state = GAME.apply(state, CHANCE, action)
    assert GAME.state_text(state) == "tiny\nred 123\nblue 321\nturn red 0"
    assert [token.face for token in GAME.scene(GAME.view(state, 0)).tokens] == ["spy", "miner", "marshal", "", "", ""]


def test_tn_2_every_deal_is_as_likely_as_the_next() -> None:
    state = GAME.initial_state()
    for side in ("red", "blue"):
        actions, odds = GAME.chance_outcomes(state)
        assert odds.tolist() == [1 / 6] * 6
        texts = {GAME.state_text(GAME.apply(state, CHANCE, int(action))) for action in actions}
        assert len(texts) == 6, side
        state = GAME.apply(state, CHANCE, 0)
    assert GAME.to_act(state) == (0,)


def test_tn_3_any_piece_attacks_any_piece_and_must() -> None:
    state = position("12.", "3.1", "turn red 1")
    texts = {GAME.action_text(GAME.view(state, 0), int(action)) for action in GAME.legal_actions(state, 0)}
    assert texts == {"a1xa2", "a1xc2", "b1xa2", "b1xc2"}
    with pytest.raises(IllegalActionError):
        GAME.apply(state, 0, GAME.parse_action(GAME.view(state, 0), "c1xa2"))
    with pytest.raises(IllegalActionError):
        GAME.apply(state, 1, GAME.parse_action(GAME.view(state, 1), "a2xa1"))


@pytest.mark.parametrize(
    ("attack", "wanted"),
    [
        ("b1xb2", "red 12!3 blue 3.2 turn blue 1"),  # the higher rank wins
        ("a1xa2", "red 1!23 blue .12 turn blue 1"),  # a Spy that attacks the Marshal wins
        ("b1xa2", "red 1.3 blue 3!12 turn blue 1"),
        ("a1xc2", "red .23 blue 312! turn blue 1"),
        ("b1xc2", "red 1.3 blue 31. turn blue 1"),  # cards of equal rank both leave
    ],
)
def test_tn_4_the_lower_rank_leaves(attack: str, wanted: str) -> None:
    assert after(position("123", "312", "turn red 0"), attack) == wanted


def test_tn_4_a_spy_that_is_attacked_falls() -> None:
    assert after(position("123", "312", "turn blue 1"), "a2xa1") == "red .23 blue 3!12 turn red 2"


@pytest.mark.parametrize(
    ("red", "blue", "attack", "end"),
    [
        ("..3", "1..", "c1xa2", "red ..3! blue ... over capture red blue 4"),
        ("..1", "2..", "c1xa2", "red ... blue 2!.. over capture blue blue 4"),
        ("..2", "2..", "c1xa2", "red ... blue ... over capture nobody blue 4"),
    ],
)
def test_tn_5_who_takes_the_last_piece_wins(red: str, blue: str, attack: str, end: str) -> None:
    assert after(position(red, blue, "turn red 3"), attack) == end


def test_tn_5_resigning_and_agreeing() -> None:
    dealt = position("123", "312", "turn red 0")
    assert GAME.outcome(GAME.withdraw(dealt, 0)).returns == (-1, 1)  # type: ignore[union-attr] # the match has ended
    assert GAME.outcome(GAME.agree_draw(dealt)).returns == (0, 0)  # type: ignore[union-attr]
    with pytest.raises(ValueError, match="while the match is played"):
        GAME.agree_draw(GAME.initial_state())


@pytest.mark.parametrize(
    "text",
    [
        "tiny\nred 113\nblue 123\nturn red 0",
        "tiny\nred 12\nblue 123\nturn red 0",
        "tiny\nred 12.\nblue ...\nturn red 2",
        "tiny\nred ...\nblue 123\ndeal red 0",
        "tiny\nred 1..\nblue ...\nover capture blue red 5",
        "tiny\nred 1..\nblue ...\nover nothing red red 5",
        "tiny\nred 1..\nblue 2..\nover agreed red red 4",
    ],
)
def test_positions_that_cannot_be_played_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        GAME.parse_state(text)
