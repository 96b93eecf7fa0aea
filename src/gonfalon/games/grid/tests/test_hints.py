"""Hints for newcomers: each one when it is needed, and only to the player who decides."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from gonfalon.engine.game import EVERYTHING, PUBLIC
from gonfalon.games.grid.screen import hints
from gonfalon.games.grid.tests.diagrams import BLUE, RED, Position, make, position
from texts import messages


def told(at: Position, observer: int = RED) -> dict[str, tuple[str, ...]]:
    """The hints by code, with the squares that they are about."""
    return {hint.code: hint.on for hint in at.hints(observer)}


def test_who_places_is_told_where_and_of_flag_and_bombs() -> None:
    game, rng = make("duel"), np.random.default_rng(1)
    at = Position(game, game.initial_state())
    assert list(told(at)) == list(told(at, BLUE)) == ["place", "home", "walls"]
    for action in game.sensible_deployment(game.view(at.state, RED), rng):
        at = Position(game, game.apply(at.state, RED, int(action)))
    assert told(at) == {}
    assert list(told(at, BLUE)) == ["place", "home", "walls"]


QUIET = "8 bF b8\n2 r5\n1 rF"


@pytest.mark.parametrize("observer", [BLUE, PUBLIC, EVERYTHING])
def test_only_who_decides_is_told(observer: int) -> None:
    assert told(position("classic", QUIET), observer) == {}


def test_a_first_move_needs_no_more_than_how_to_move() -> None:
    assert told(position("classic", QUIET)) == {"move": ()}


def test_an_attack_is_explained_where_one_is_possible() -> None:
    assert list(told(position("classic", "8 bF\n3 b8\n2 r5\n1 rF"))) == ["move", "attack"]
    assert list(told(position("classic", "8 bF\n3 .. b8\n2 r5\n1 rF"))) == ["move"]


def test_what_a_piece_can_do_is_told_on_its_squares_if_it_may_go() -> None:
    at = position("classic", "8 bF b8\n4 r2 .. .. .. .. r2 .. .. r3\n2 rS .. rB r3 rB\n1 rF .. .. rB")
    about = {code: set(on) for code, on in told(at).items() if on}
    assert about == {"runs": {"a4", "f4"}, "stabs": {"a2"}, "clears": {"d2", "i4"}}


def test_the_mark_of_a_move_is_explained_once_there_is_one() -> None:
    at = position("classic", QUIET).play("a2-a3", "b8-b7")
    assert "moved" in told(at)
    assert "moved" not in told(position("classic", QUIET, show_known=False).play("a2-a3", "b8-b7"))


def test_the_mark_of_a_move_is_not_explained_where_none_is_drawn() -> None:
    known = position("classic", "8 bF b8 b8\n4 .. b7\n3 r2\n1 rF .. r3").play("a3-a4", "b4xa4", "c1-c2", "a4-a5")
    assert "moved" not in told(known)
    assert "moved" in told(known.play("c2-c1", "b8-b7"))


def test_powers_are_explained_when_they_can_be_used() -> None:
    far, near = "8 .. .. bF b8\n2 r6\n1 rF", "8 .. .. bF b8\n3 b4\n2 r6 b5\n1 rF"
    assert "strike-two" in told(position("special", near))
    assert "strike-two" not in told(position("special", far))
    assert "strike-two" not in told(position("classic", near))
    assert "turn-enemy" in told(position("special", far))
    assert "turn-enemy" not in told(position("classic", far))


def test_a_returning_piece_is_explained_to_who_chooses_it() -> None:
    at = position("special", "8 .. .. bF b8\n3 b8\n2 rS r4\n1 rF .. .. r5", lines="").play("a2xa3")
    assert list(told(at)) == ["bring-back"]
    assert told(at, BLUE) == {}


POWERS = {"strike-two", "turn-enemy", "bring-back"}


def test_a_game_lists_the_hints_that_its_rules_can_give() -> None:
    listed = {variant: set(make(variant).board().hints) for variant in ("duel", "barrage", "original", "special")}
    assert listed["original"] == listed["duel"]
    assert listed["special"] - listed["original"] == POWERS
    assert listed["barrage"] == listed["original"]
    assert POWERS & set(make("original", rescue=True).board().hints) == {"bring-back"}
    assert "moved" not in make("original", show_known=False).board().hints


def test_no_hint_is_about_pieces_that_are_not_there() -> None:
    small = make("grid-3x3")
    faces = {piece.face for piece in small.board().army}
    needs = {"walls": {"bomb"}, "runs": {"scout"}, "stabs": {"spy", "marshal"}, "clears": {"miner", "bomb"}}
    assert {code for code, pieces in needs.items() if pieces <= faces} == set(needs) & set(small.board().hints)
    at = Position(small, small.initial_state())
    assert set(told(at)) <= set(small.board().hints)


def test_every_hint_has_its_words() -> None:
    source = Path(hints.__file__).read_text(encoding="utf-8")
    codes = {*re.findall(r'Hint\("([a-z-]+)"', source), *hints._SKILLS.values()}
    assert codes == set(make("special").board().hints)
    assert {key.removeprefix("hint.") for key in messages("grid") if key.startswith("hint.")} == codes
