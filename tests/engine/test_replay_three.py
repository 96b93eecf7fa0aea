"""Records of matches of three: one player resigns and the rest play on, and several players share a draw."""

from __future__ import annotations

from typing import cast

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.trio import DRAW, GO, NAME, PICK, STOP, TURNS, Trio
from gonfalon.engine.events import WITHDRAW
from gonfalon.engine.game import CHANCE, Game, Outcome, TextError
from gonfalon.engine.records.record import Record, Step, read_record
from gonfalon.engine.records.replay import CLAIM, OUT_OF_TIME, make_record, perform, play_record, who_is_out

GAME = cast("Game", Trio())
Steps = list[tuple[int, int]]
READY = [(player, kind) for player in range(3) for kind in (0, 1)]
CARD = (CHANCE, DRAW)


def write_and_replay(steps: Steps) -> Record:
    """Make a record of the steps, read it again and replay it; return it."""
    record = read_record(make_record(GAME, steps).write())
    found = [(player, action) for _, player, action, _ in play_record(GAME, record)]
    assert sorted(found) == sorted(steps)
    return record


def lines(steps: Steps) -> list[str]:
    return [f"{step.by}: {step.text}" for step in write_and_replay(steps).steps]


def test_a_match_goes_on_after_somebody_resigned() -> None:
    steps = [
        *READY,
        CARD,
        (0, GO),
        CARD,
        (1, WITHDRAW),
        (0, PICK),
        (0, NAME),
        (0, NAME + 1),
        (0, STOP),
        CARD,
        (2, STOP),
    ]
    assert lines(steps)[3:] == [
        "chance: card 0",
        "red: go",
        "chance: card 0",
        "blue: resigns",
        "red: pick",
        "red: place0",
        "red: place1",
        "red: stop",
        "chance: card 0",
        "green: stop",
    ]
    assert write_and_replay(steps).result == "unfinished"
    assert write_and_replay([*steps, (0, WITHDRAW)]).result == "green wins (resigned)"


def test_placements_around_a_resignation_stay_as_they_are() -> None:
    steps = [(0, 0), (1, WITHDRAW), (0, 1), (2, 1), (2, 0)]
    assert lines(steps) == ["red: a", "blue: resigns", "red: b", "green: deploy ba"]


def test_a_draw_that_some_share() -> None:
    steps = [*READY, CARD, (0, GO), CARD, (0, STOP), CARD, (1, GO), CARD]
    turns = [step for turn in range(1, TURNS) for step in ((turn % 3, STOP), CARD)][:-1]
    record = write_and_replay([*steps, *turns])
    assert record.result == "draw of red, blue (turns)"
    assert read_record(record.write()) == record
    text = record.write().replace("draw of red, blue", "draw of red, green")
    with pytest.raises(TextError, match="the result is stated as 'draw of red, green"):
        list(play_record(GAME, read_record(text)))


@pytest.mark.parametrize("result", ["draw of (turns)", "draw of red (", "draws (turns)", "red win (turns)"])
def test_results_that_are_none(result: str) -> None:
    with pytest.raises(TextError, match="not a result"):
        read_record(f"Gonfalon record 1\nvariant: trio\nresult: {result}\n")


def test_who_is_out_does_nothing_more() -> None:
    state = GAME.initial_state()
    for step in (*READY, CARD, (1, WITHDRAW)):
        state = perform(GAME, state, *step)
    assert who_is_out(GAME, state) == {1}
    for action in (WITHDRAW, CLAIM):
        with pytest.raises(ValueError):  # noqa: PT011 - each function has its own message
            perform(GAME, state, 1, action)
    assert perform(GAME, state, 0, CLAIM) is state


def test_who_is_out_of_time_leaves_as_by_resigning() -> None:
    steps = [*READY, CARD, (1, OUT_OF_TIME), (2, OUT_OF_TIME)]
    record = make_record(GAME, steps, clock="turn turn=60 deployment=300", times=[5, 6])
    assert record.result == "red wins (time)"
    assert record.steps[-1] == Step("green", "out of time")
    assert read_record(record.write()) == record
    assert [action for *_, action, _ in play_record(GAME, record)][-2:] == [OUT_OF_TIME, OUT_OF_TIME]


def test_outcomes() -> None:
    assert Outcome.of(2, (1,), "flag").returns == (-1.0, 1.0)
    assert Outcome.of(2, (0, 1), "quiet").returns == (0.0, 0.0)
    assert Outcome.of(4, (2,), "flags").returns == (-1 / 3, -1 / 3, 1.0, -1 / 3)
    assert Outcome.of(4, (0, 3), "rounds").returns == (1 / 3, -1 / 3, -1 / 3, 1 / 3)
    for players in (2, 3, 4):
        for shares in range(1, players + 1):
            outcome = Outcome.of(players, range(shares), "x")
            assert abs(sum(outcome.returns)) < 1e-12
            assert outcome.best == tuple(range(shares))


@settings(max_examples=100)
@given(seed=st.integers(0, 2**32 - 1), most=st.integers(0, 80), resigning=st.floats(0, 0.1))
def test_any_match(seed: int, most: int, resigning: float) -> None:
    rng = np.random.default_rng(seed)
    state, steps = GAME.initial_state(), []
    while (actors := GAME.to_act(state)) and len(steps) < most:
        player = int(rng.choice(actors))
        able = GAME.chance_outcomes(state)[0] if player == CHANCE else GAME.legal_actions(state, player)
        step = player, int(rng.choice(able))
        playing = sorted({0, 1, 2} - who_is_out(GAME, state))
        if rng.random() < resigning:
            step = int(rng.choice(playing)), WITHDRAW
        steps.append(step)
        state = perform(GAME, state, *step)
    write_and_replay(steps)
