"""Records of a game with chance and arrangements at any time are exact; where possible, an arrangement is one line."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.fake import DRAW, LAY, ROLL, TWICE, FakeGame
from gonfalon.engine.events import WITHDRAW
from gonfalon.engine.game import CHANCE, Game, TextError
from gonfalon.engine.records.record import Record, read_record
from gonfalon.engine.records.replay import BROKEN_OFF, CLAIM, NOBODY, OUT_OF_TIME, make_record, play_record

Steps = list[tuple[int, int]]
DEAL = (CHANCE, DRAW + 2)
RED = [(0, 0), (0, 1), (0, 2)]
BLUE = [(1, 3), (1, 3), (1, 0)]


def game_of(*, hasty: bool = False) -> Game:
    return cast("Game", FakeGame(hasty=hasty))


def lines(steps: Steps, *, hasty: bool = False) -> list[str]:
    """Return the lines of the record's steps. Check that they replay to the same match."""
    game = game_of(hasty=hasty)
    record = read_record(make_record(game, steps).write())
    found = list(play_record(game, record))
    told: Any = found[-1][3] if found else game.initial_state()
    assert sorted((p, a) for _, p, a, _ in found) == sorted(steps)
    assert in_order(list(told.told)) == in_order([step for step in steps if step[1] >= 0])
    return [f"{step.by}: {step.text}" for step in record.steps]


def in_order(steps: Steps) -> list[Steps]:
    """Return each player's placements before play, then all other steps in order, chance included."""
    first = [[step for step in steps if step[0] == player][:3] for player in (0, 1)]
    left = [list(placed) for placed in first]
    rest = []
    for step in steps:
        if step[0] >= 0 and left[step[0]]:
            left[step[0]].pop(0)
        else:
            rest.append(step)
    return [*first, rest]


def test_chance_has_its_lines() -> None:
    roll = [(CHANCE, DRAW), (0, ROLL), (CHANCE, DRAW + 3)]
    assert lines([DEAL, *RED, *BLUE, *roll]) == [
        "chance: deal 2",
        "red: deploy abc",
        "blue: deploy dda",
        "chance: deal 0",
        "red: roll",
        "chance: deal 3",
    ]


def test_two_who_place_at_the_same_time() -> None:
    """Each player's line stands where that player's last placement stood; what follows from the placement then comes
    after it in the record too.
    """
    mixed = [BLUE[0], RED[0], RED[1], BLUE[1], BLUE[2], RED[2]]
    assert lines([DEAL, *mixed, (CHANCE, DRAW)])[1:] == ["blue: deploy dda", "red: deploy abc", "chance: deal 0"]


def test_arrangements_in_the_middle_of_a_match() -> None:
    played = [(CHANCE, DRAW), (0, LAY), (0, 1), (0, 1), (1, LAY), (1, 0), (1, 2)]
    assert lines([DEAL, *RED, *BLUE, *played])[4:] == ["red: lay", "red: deploy bb", "blue: lay", "blue: deploy ac"]


def test_one_arrangement_right_after_another_is_a_line_of_its_own() -> None:
    played = [(CHANCE, DRAW), (0, TWICE), (0, 1), (0, 1), (0, 0), (0, 2), (1, ROLL)]
    assert lines([DEAL, *RED, *BLUE, *played])[4:] == ["red: twice", "red: deploy bb", "red: deploy ac", "blue: roll"]


@pytest.mark.parametrize(
    ("player", "action", "text"),
    [(0, WITHDRAW, "resigns"), (1, CLAIM, "claims"), (1, OUT_OF_TIME, "out of time")],
)
def test_an_end_in_the_middle_of_an_arrangement(player: int, action: int, text: str) -> None:
    played = [(CHANCE, DRAW), (0, LAY), (0, 1), (player, action)]
    end = f"{('red', 'blue')[player]}: {text}"
    assert lines([DEAL, *RED, *BLUE, *played])[4:] == ["red: lay", "red: b", end]


def test_an_end_while_both_place() -> None:
    begun = [DEAL, RED[0], BLUE[0], RED[1]]
    assert lines([*begun, (1, WITHDRAW)]) == ["chance: deal 2", "red: a", "blue: d", "red: b", "blue: resigns"]
    assert lines([*begun, RED[2], (NOBODY, BROKEN_OFF)])[1:] == ["blue: d", "red: deploy abc", ": no result"]
    assert lines([DEAL, *RED]) == ["chance: deal 2", "red: deploy abc"]


def test_chance_while_one_still_places() -> None:
    """Blue's placements keep their own lines at their own times."""
    steps = [DEAL, BLUE[0], *RED, (CHANCE, DRAW + 1), *BLUE[1:], (CHANCE, DRAW)]
    assert lines(steps, hasty=True) == [
        "chance: deal 2",
        "blue: d",
        "red: deploy abc",
        "chance: deal 1",
        "blue: d",
        "blue: a",
        "chance: deal 0",
    ]


@settings(max_examples=200)
@given(seed=st.integers(0, 2**32 - 1), most=st.integers(0, 60), hasty=st.booleans(), resigns=st.booleans())
def test_any_match(seed: int, most: int, hasty: bool, resigns: bool) -> None:
    rng, game = np.random.default_rng(seed), game_of(hasty=hasty)
    state, steps = game.initial_state(), []
    for _ in range(most):
        player = int(rng.choice(game.to_act(state)))
        able = game.chance_outcomes(state)[0] if player == CHANCE else game.legal_actions(state, player)
        steps.append((player, int(rng.choice(able))))
        state = game.apply(state, *steps[-1])
    lines([*steps, (0, WITHDRAW)] if resigns else steps, hasty=hasty)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("chance: deal 9", "'deal 9' is no action"),
        ("chance: lay", "'lay' is not allowed: not-now"),
        ("chance: deploy abc", "'deploy abc' is no action"),
        ("red: deal 1", "'deal 1' is not allowed: not-now"),
        ("red: deploy abc", "'deploy abc' is not allowed: not-now"),
        ("red: deploy abcd", "'abcd' is no deployment"),
    ],
)
def test_wrong_lines_are_named(line: str, told: str) -> None:
    game = game_of()
    text = Record("fake", steps=()).write() + f"{line}\n"
    with pytest.raises(TextError) as caught:
        list(play_record(game, read_record(text)))
    assert str(caught.value) == f"line 5: {told}"
