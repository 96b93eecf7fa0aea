"""Hints for newcomers in the Card Game: each appears when it is needed, and only to the player who decides."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from gonfalon.engine.game import EVERYTHING, PUBLIC
from gonfalon.games.cardgame.screen import hints
from gonfalon.games.cardgame.tests.diagrams import BLUE, RED, Position, dealt, make, position
from texts import messages


def told(at: Position, observer: int = RED) -> list[str]:
    return [hint.code for hint in at.hints(observer)]


def test_who_lays_his_first_line_is_told_what_becomes_of_the_rest() -> None:
    at = dealt()
    assert told(at) == told(at, BLUE) == ["line", "home"]
    at = at.play("7", "S", "B", "4", "2", player=RED)
    assert told(at) == []
    assert told(at, BLUE) == ["line", "home"]


BLUE_LINE = "6 6 3 3 5"


def acting(line: str, **more: Any) -> Position:
    return position(line, BLUE_LINE, red_hand="M93", blue_hand="322", **more)


def test_the_steps_of_a_turn_are_told_before_one_acts() -> None:
    assert told(acting("7 B 8 5 4")) == ["steps", "attack"]
    for observer in (BLUE, PUBLIC, EVERYTHING):
        assert told(acting("7 B 8 5 4"), observer) == []


def test_looks_and_the_trick_are_told_where_they_are_possible() -> None:
    assert told(acting("7 2 8 5 4")) == told(acting("7 S 8 5 4")) == ["steps", "attack", "look"]
    assert told(acting("7 B F 5 4")) == ["steps", "attack", "anew"]


def test_gaps_are_explained_and_after_the_trick_a_new_line() -> None:
    at = acting("7 B 8 5 4").play("r4xb1")
    assert told(at) == ["fill"]
    assert told(at, BLUE) == []
    assert told(acting("7 2 F S 4").play("r3~", *(f"draw {letter}" for letter in "7SB42635"))) == ["line", "home"]


def test_every_hint_has_its_words() -> None:
    codes = set(re.findall(r'Hint\("([a-z-]+)"', Path(hints.__file__).read_text(encoding="utf-8")))
    assert codes == set(make().board().hints)
    assert {key.removeprefix("hint.") for key in messages("cardgame") if key.startswith("hint.")} == codes
