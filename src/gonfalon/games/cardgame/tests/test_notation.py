"""Actions and lays as text."""

from __future__ import annotations

import pytest

from gonfalon.engine.game import TextError
from gonfalon.engine.view import View, zero_rows
from gonfalon.games.cardgame import state as g
from gonfalon.games.cardgame.text.notation import (
    SPACE_NAMES,
    action_text,
    deployment_text,
    parse_action,
    parse_deployment,
    parse_space,
    space_name,
)

DECK = (0, 1, 4, 4, 2, 2, 2, 1, 1, 1, 1, 3, 1)


def view_of(side: int) -> View:
    """Return a player's view of a table with the player's Flag on the third place."""
    record = zero_rows(g.VIEW)
    record["kind"][0, side * g.SIDE_PLACES + 2] = g.FLAG
    return View(record, side)


@pytest.mark.parametrize("side", [0, 1])
def test_there_and_back(side: int) -> None:
    view = view_of(side)
    actions = [action for action in range(g.ACTIONS) if action != g.ACT_DRAW]
    texts = [action_text(view, action) for action in actions]
    assert len(set(texts)) == len(texts)
    assert [parse_action(f" {text} ", view) for text in texts] == actions
    assert [parse_action(text) for text in texts] == actions


@pytest.mark.parametrize(
    ("side", "text", "action"),
    [
        (0, "r2xb4", g.ACT_ATTACK + 1 * g.LINE + 3),
        (1, "b2xr4", g.ACT_ATTACK + 1 * g.LINE + 3),
        (0, "r2?", g.ACT_LOOK_HAND + 1),
        (1, "b2?r1+r3", g.ACT_LOOK_LINE + g.LOOKS + 1),
        (0, "r1?b5", g.ACT_LOOK_LINE + 14),
        (0, "r3~", g.ACT_TRICK),
        (1, "b3~", g.ACT_TRICK),
        (0, "M", g.ACT_LAY + g.MARSHAL),
        (0, ".", g.ACT_LAY),
        (0, "draw S", g.ACT_DRAW + g.SPY),
    ],
)
def test_examples(side: int, text: str, action: int) -> None:
    assert action_text(view_of(side), action) == text
    assert parse_action(text) == action


def test_a_look_may_be_written_in_either_order() -> None:
    assert parse_action("r2?b3+b1") == parse_action("r2?b1+b3")


@pytest.mark.parametrize("action", [-1, g.ACT_DRAW, g.ACTIONS])
def test_ids_that_nothing_is_have_no_text(action: int) -> None:
    with pytest.raises(TextError, match=str(action)):
        action_text(view_of(0), action)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "no action"),
        ("r6xb1", "no action"),
        ("r1xr2", "different lines"),
        ("r1x", "one enemy space"),
        ("r1xb1+b2", "one enemy space"),
        ("r1~b1", "one enemy space"),
        ("r1?b1+b1", "two different cards"),
        ("draw .", "no action"),
        ("draw X", "no action"),
        ("b1xr1", "not of your line"),
    ],
)
def test_other_texts_are_refused(text: str, reason: str) -> None:
    with pytest.raises(TextError, match=reason):
        parse_action(text, view_of(0))


def test_spaces() -> None:
    assert " ".join(space_name(place) for place in SPACE_NAMES) == "r1 r2 r3 r4 r5 b1 b2 b3 b4 b5"
    assert [parse_space(name) for name in ("r1", "r5", "b1", "b5")] == [0, 4, 13, 17]
    with pytest.raises(TextError, match="r6"):
        parse_space("r6")


@pytest.mark.parametrize("text", ["M", "FB.32", "2.", "2222B"])
def test_lays(text: str) -> None:
    assert deployment_text(parse_deployment(f" {text}\n", DECK).tolist()) == text


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "1 to 5"),
        ("233455", "1 to 5"),
        ("..", "at least one"),
        ("MM", "2 marshal: the deck has 1"),
        ("3x", "place 2"),
    ],
)
def test_other_lays_are_refused(text: str, reason: str) -> None:
    with pytest.raises(TextError, match=reason):
        parse_deployment(text, DECK)


def test_only_lays_are_a_deployment() -> None:
    with pytest.raises(TextError, match="laying"):
        deployment_text([g.ACT_TRICK])
