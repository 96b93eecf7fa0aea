"""Positions as text: matches are written and read back, and faulty texts are refused with the reason."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import gonfalon
from gonfalon.engine.game import CHANCE, EVERYTHING, PUBLIC, Game, State, TextError
from gonfalon.games.cardgame import state as g

VARIANT = "cardgame"
PLAY = """cardgame
turn 12 quiet 0
phase act red
last b2xr2
blue pile BBM96554433222
blue hand B63
blue line 3   7!  F   S?  2
red  line 3   .   6   9!  4
red  hand B32
red  pile FBBM8765433222S
red among r1 r3 3
blue among b1 b5 hand 63
blue only b5=B2
"""
"""Position in which red's General has captured a Colonel; a Lieutenant of red has just fallen on r2."""


@cache
def game() -> Game:
    return gonfalon.make(VARIANT)


def seen(state: State, observer: int) -> bytes:
    """Return everything that an observer sees, except the tokens' numbers."""
    record = game().view(state, observer).record.copy()
    record["number"] = record["number"] != 0
    record["next_number"] = 0
    return record.tobytes()


def check_reads_back(state: State) -> None:
    text = game().state_text(state)
    read = game().parse_state(text)
    assert game().state_text(read) == text
    assert game().parse_state(text.replace("\n", " ; ")).tobytes() == read.tobytes()
    for observer in (0, 1, PUBLIC, EVERYTHING):
        assert seen(read, observer) == seen(state, observer), text


@pytest.mark.parametrize("seed", range(6))
def test_matches_read_back(seed: int) -> None:
    """Every position of a match reads back, also after a resignation. In these matches attacks are rare and looks
    frequent.
    """
    rng = np.random.default_rng(seed)
    state = game().initial_state()
    while game().outcome(state) is None:
        check_reads_back(state)
        check_reads_back(game().withdraw(state, int(rng.integers(2))))
        state = step(state, rng)
    check_reads_back(state)


def step(state: State, rng: np.random.Generator) -> State:
    player = int(rng.choice(game().to_act(state)))
    if player == CHANCE:
        return game().apply(state, CHANCE, int(rng.choice(game().chance_outcomes(state)[0])))
    actions = rng.permutation(game().legal_actions(state, player)).tolist()
    attacks = [action for action in actions if g.ACT_ATTACK <= action < g.ACT_LOOK_HAND]
    others = [action for action in actions if action not in attacks]
    return game().apply(state, player, (others if others and rng.random() < 0.7 else actions)[0])


def test_an_example() -> None:
    state = game().parse_state(PLAY)
    assert game().state_text(state) == PLAY
    check_reads_back(state)
    assert game().to_act(state) == (0,)
    assert state[0]["lost"].sum(axis=1).tolist() == [1, 1]


def test_lines_may_be_read_in_any_order() -> None:
    first, *others = PLAY.splitlines()
    shuffled = game().parse_state("\n".join([first, *reversed(others)]))
    assert shuffled.tobytes() == game().parse_state(PLAY).tobytes()


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("cardgame", "classic", "begins with the line 'cardgame'"),
        ("turn 12 quiet 0\n", "", "the line 'turn' is missing"),
        ("turn 12", "turn 13", "it is blue's turn"),
        ("turn 12", "turn 70000", "up to 65535"),
        ("turn 12", "turn 3000", "too many without a card that left"),
        ("turn 12 quiet 0", "turn 62 quiet 60", "this many end the match"),
        ("phase act red", "phase sleep red", "a phase and a side are meant"),
        ("phase act red", "phase draw red", "no card is to be drawn"),
        ("phase act red", "phase act red anew", "a phase and a side are meant"),
        ("phase act red", "phase lay both", "before play"),
        ("phase act red\n", "", "'phase' or 'over' is missing"),
        ("last b2xr2", "last M", "an attack, a look or the trick is meant"),
        ("red  hand B32", "red  hand B3", "cards are to be drawn first"),
        ("red  hand B32", "red  hand B322", "5 scout in line, hand and pile|more than 3 cards"),
        ("red  hand B32", "red  hand", "cards in one word"),
        ("red  hand B32\n", "", "'red hand' is missing"),
        ("pile FBBM8", "pile BBM8", "red has no Flag"),
        ("line 3   .   6   9!  4", "line 3   .   6   9!", "a line has 5 places"),
        ("line 3   .   6   9!  4", "line 3   .   6   9!  X", "r5: 'X' is no card"),
        ("line 3   .   6   9!  4", "line 3   (B) 6   9!  4", "nobody is laying"),
        ("S?  2\n", "S?  .\n", "gaps, though there are cards in hand|no card of blue"),
        ("among b1 b5 hand 63", "among b1 b5 hand 9", "so many general are not among these"),
        ("among b1 b5 hand 63", "among b1 b2 hand 63", "a card of these is known"),
        ("among b1 b5 hand 63", "among r1 b5 hand 63", "r1: no card of blue"),
        ("among b1 b5 hand 63", "among b1 6", "so many captain|nothing is hidden"),
        ("among b1 b5 hand 63", "among b1 3", "nothing is hidden here"),
        ("among r1 r3 3", "among r1 r2 3", "r2: no card of red"),
        ("only b5=B2", "only b5=B3", "the card is of one of these types"),
        ("only b5=B2", "only b2=7", "this card is known"),
        ("only b5=B2", "only b9=B2", "no space"),
        ("red among", "red beside", "no line of a position begins so"),
        ("red among r1 r3 3", "red hand B32", "a second line"),
    ],
)
def test_what_cannot_be_is_refused(old: str, new: str, reason: str) -> None:
    assert old in PLAY
    with pytest.raises(TextError, match=reason):
        game().parse_state(PLAY.replace(old, new))


def laying(line: str, hand: str = "B32") -> str:
    """Return the text of red's third step with this line and hand."""
    text = PLAY.replace("phase act red", "phase lay red").replace("last b2xr2", "last r1xb2")
    return text.replace("line 3   .   6   9!  4", f"line {line}").replace("hand B32", f"hand {hand}")


BLUE_LAYS = laying("3   .   6   9!  4").partition("red among")[0].replace("?  2", "?  (2)").replace("B63", "B62")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (laying("3   (B) 6   9!  4"), "no gap is left is closed"),
        (laying("3   (9) 6   9!  4"), "cannot be laid"),
        (laying("3   (.) 6   9!  4"), "cannot be laid"),
        (laying("3   2   6   9!  4", hand="B3S").replace("222S", "222"), "there is no gap"),
        (BLUE_LAYS, "it is not blue who lays"),
    ],
)
def test_lays_that_cannot_be_are_refused(text: str, reason: str) -> None:
    with pytest.raises(TextError, match=reason):
        game().parse_state(text)


def test_open_choices_read_back() -> None:
    """A card that is laid face down in an open choice is still in the hand; only its owner knows it."""
    text = laying("3   (B) 6   9!  .").replace("FBBM87654", "FBBM876544")
    state = game().parse_state(text)
    assert game().state_text(state) == text
    assert game().is_open(state, 0)
    check_reads_back(state)
    check_reads_back(game().agree_draw(state))


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("turn 0", "turn 2", "no turns before play"),
        ("pile FBBB", "pile FBB", "some are missing"),
        ("phase deal red", "phase deal blue", "it is red's turn"),
        ("phase deal red", "phase lay both", "once all are dealt"),
        ("hand -", "hand 9", "general in line, hand and pile"),
    ],
)
def test_before_play(old: str, new: str, reason: str) -> None:
    text = game().state_text(game().initial_state())
    assert old in text
    with pytest.raises(TextError, match=reason):
        game().parse_state(text.replace(old, new))
