"""Hints for newcomers in Conquest: each appears when it is needed, and only to the player who decides."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from gonfalon.engine.game import EVERYTHING, PUBLIC
from gonfalon.games.conquest.screen import hints
from gonfalon.games.conquest.tests.diagrams import BLUE, RED, Position, begin, position
from texts import messages


def told(at: Position, observer: int = RED) -> dict[str, tuple[str, ...]]:
    """Return the hints by code, with the zones that they refer to."""
    return {hint.code: hint.on for hint in at.hints(observer)}


def test_the_draft_is_explained_to_who_chooses_and_placing_to_all() -> None:
    at = begin("narrows").play("start king", "start baron")
    assert list(told(at)) == ["draft"]
    assert told(at, BLUE) == {}
    while at.phase.startswith("draft"):
        at = at.play(next(name for name in at.game.names.territories if name in at.legal()))
    assert list(told(at)) == list(told(at, BLUE)) == ["place", "home", "walls"]
    assert told(at, PUBLIC) == {}


def test_cards_are_explained_while_one_may_be_played() -> None:
    at = position("narrows", "red: hi1K hi2F; blue: ma1F ma2S", phase="card", table="b2")
    assert list(told(at)) == ["cards"]
    assert told(at, BLUE) == {}


FAR = "red: hi1K hi2F"


def test_moves_control_and_flags_are_explained_to_who_moves() -> None:
    assert list(told(position("narrows", FAR))) == ["moves", "control", "flags"]


@pytest.mark.parametrize("observer", [BLUE, PUBLIC, EVERYTHING])
def test_only_who_decides_is_told(observer: int) -> None:
    assert told(position("narrows", FAR), observer) == {}


def test_an_attack_is_explained_where_one_is_possible() -> None:
    assert "attack" in told(position("three", "red: th1K so2F; blue: th2F um1S; green: pe1F du1S"))
    assert "attack" not in told(position("narrows", FAR))


def test_who_holds_a_flag_is_told_what_that_is_worth() -> None:
    at = position("three", "red: th1K so2F; blue: um14 um2S <F>; green: pe1F du1S", lines="red flag red; blue flag red")
    assert next(iter(told(at))) == "captive"


def test_what_a_unit_can_do_is_told_in_its_zone_if_it_may_go() -> None:
    found = told(position("narrows", "red: hi1S hi2F hi3C"))
    assert (found["runs"], found["clears"], "stabs" in found) == (("hi1",), ("hi3",), False)


def test_a_run_that_ends_without_an_attack_is_not_explained_as_one_with() -> None:
    at = position("narrows", "red: hi1S hi2F hi3C", scout_attacks_after_run=False)
    assert set(begin("narrows").game.board().hints) - set(at.game.board().hints) == {"runs"}
    assert "clears" in told(at)
    assert "runs" not in told(at)


def test_every_hint_has_its_words() -> None:
    source = Path(hints.__file__).read_text(encoding="utf-8")
    codes = {*re.findall(r'Hint\("([a-z-]+)"', source), *hints._SKILLS.values()}
    assert codes == set(begin("narrows").game.board().hints)
    assert {key.removeprefix("hint.") for key in messages("conquest") if key.startswith("hint.")} == codes
