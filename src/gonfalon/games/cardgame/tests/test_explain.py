"""Reasons why an action or a path of ids is not possible."""

from __future__ import annotations

import pytest

import gonfalon
from gonfalon.engine.game import Game
from gonfalon.games.cardgame import state as g
from gonfalon.games.cardgame.text.notation import parse_action

ACT = """cardgame; turn 6 quiet 0; phase act red
blue pile FBBBM987654433322S; blue hand -; blue line 2 . 5 6 2
red line F 2 S B .; red hand B33; red pile BM98766544322"""
LAY = ACT.replace("phase act", "phase lay")


@pytest.fixture
def game() -> Game:
    return gonfalon.make("cardgame")


@pytest.mark.parametrize(
    ("player", "text", "code", "args"),
    [
        (1, "b1xr2", "not-your-turn", {}),
        (0, "M", "not-now", {}),
        (0, "draw M", "drawn-by-chance", {}),
        (0, "r5xb1", "no-card", {"space": "r5"}),
        (0, "r4xb1", "never-attacks", {"face": "bomb"}),
        (0, "r1xb1", "never-attacks", {"face": "flag"}),
        (0, "r2xb2", "no-enemy-card", {"space": "b2"}),
        (0, "r2?", "not-a-spy", {"space": "r2"}),
        (0, "r3?b1+b3", "not-a-scout", {"space": "r3"}),
        (0, "r2?b1+b2", "no-enemy-card", {"space": "b2"}),
        (0, "r2?b1", "look-at-two", {}),
        (0, "r5?b1+b3", "no-card", {"space": "r5"}),
    ],
)
def test_acts(game: Game, player: int, text: str, code: str, args: dict[str, str]) -> None:
    refusal = game.explain(game.parse_state(ACT), player, parse_action(text))
    assert refusal is not None
    assert (refusal.code, refusal.args) == (code, args)


def test_the_trick_needs_the_flag(game: Game) -> None:
    text = ACT.replace("line F 2", "line B 2").replace("pile BM98766", "pile FM98766")
    refusal = game.explain(game.parse_state(text), 0, g.ACT_TRICK)
    assert refusal is not None
    assert refusal.code == "no-flag-in-line"


@pytest.mark.parametrize(
    ("text", "code", "args"),
    [
        ("M", "none-left", {"face": "marshal"}),
        (".", "must-fill", {}),
        ("r2xb1", "not-now", {}),
    ],
)
def test_lays(game: Game, text: str, code: str, args: dict[str, str]) -> None:
    refusal = game.explain(game.parse_state(LAY), 0, parse_action(text))
    assert refusal is not None
    assert (refusal.code, refusal.args) == (code, args)


@pytest.mark.parametrize("text", [ACT, LAY])
def test_none_is_for_legal_actions(game: Game, text: str) -> None:
    state = game.parse_state(text)
    for player in range(2):
        legal = set(game.legal_actions(state, player).tolist())
        refused = {action for action in range(-1, g.ACTIONS + 1) if game.explain(state, player, action) is not None}
        assert refused == set(range(-1, g.ACTIONS + 1)) - legal


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ((), "unknown-action"),
        (("nowhere",), "unknown-action"),
        (("b1", "r1"), "no-card"),
        (("r5",), "no-card"),
        (("r4",), "never-attacks"),
        (("r2", "r3"), "no-enemy-card"),
        (("r2", "b2"), "no-enemy-card"),
        (("r2", "do.look-hand"), "not-a-spy"),
        (("r3", "do.look-line"), "not-a-scout"),
        (("r2", "do.look-line"), "look-at-two"),
        (("r2", "do.look-line", "b1"), "look-at-two"),
        (("r2", "do.look-line", "b1", "b1"), "look-at-two"),
        (("r2", "do.look-line", "b1", "b2"), "no-enemy-card"),
        (("r2", "do.look-line", "b1", "r1"), "no-enemy-card"),
        (("r2", "do.look-line", "b1", "x"), "unknown-action"),
        (("r2", "do.trick"), "not-the-flag"),
        (("r2", "b1", "b3"), "unknown-action"),
    ],
)
def test_paths(game: Game, path: tuple[str, ...], code: str) -> None:
    assert game.explain_path(game.view(game.parse_state(ACT), 0), path).code == code
