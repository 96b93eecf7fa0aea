"""Records of real matches are made, written, read and replayed under the rules of every variant."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gonfalon
from conformance.cases import arranges, cases_of, is_deploying, possible
from gonfalon.engine.events import AGREE, WITHDRAW
from gonfalon.engine.game import Game, IllegalActionError, TextError
from gonfalon.engine.records.record import DEPLOY, Record, Step, read_record
from gonfalon.engine.records.replay import (
    BROKEN_OFF,
    CLAIM,
    NOBODY,
    OUT_OF_TIME,
    Transition,
    game_of,
    make_record,
    perform,
    play_record,
)

VARIANTS = tuple(gonfalon.variants())
PSEUDO = ("none", "resign", "time", "agree", "claim", "broken off")


def replay(record: Record) -> list[Transition]:
    return list(play_record(game_of(record, make), record))


@cache
def make(variant: str, **switches: bool | int) -> Game:
    return gonfalon.make(variant, **switches)


def random_steps(game: Game, rng: np.random.Generator, most: int) -> list[tuple[int, int]]:
    """Return at most `most` random actions; the deployments of the sides are interleaved."""
    state = game.initial_state()
    steps: list[tuple[int, int]] = []
    while (actors := game.to_act(state)) and len(steps) < most:
        player = int(rng.choice(actors))
        steps.append((player, int(rng.choice(possible(game, state, player)))))
        state = game.apply(state, *steps[-1])
    return steps


@pytest.mark.parametrize("variant", VARIANTS)
@settings(max_examples=8)
@given(seed=st.integers(0, 2**32 - 1), most=st.integers(0, 400), end=st.sampled_from(PSEUDO), house=st.booleans())
def test_round_trip(variant: str, seed: int, most: int, end: str, house: bool) -> None:
    """`house`: with every flag of the ruleset reversed."""
    rng = np.random.default_rng(seed)
    game = make(variant, **dict(cases_of(variant)[-1 if house else 0].switches))
    steps = random_steps(game, rng, most)
    steps += end_match(game, steps, end)
    record = make_record(game, steps, {"red": "Ada", "blue": "Bo"}, "2026-01-02")
    again = read_record(record.write())
    assert again == record
    found = replay(again)
    after = game.initial_state()
    for player, action in steps:
        after = perform(game, after, player, action)
    assert sorted((p, a) for _, p, a, _ in found) == sorted(steps)
    assert in_order([(p, a) for _, p, a, _ in found], game) == in_order(steps, game)
    assert sum(step.text.startswith(DEPLOY) for step in record.steps) == count_completed(game, steps)
    assert game.state_text(found[-1][3] if found else game.initial_state()) == game.state_text(after)


def end_match(game: Game, steps: list[tuple[int, int]], end: str) -> list[tuple[int, int]]:
    """Return the steps that end the match in this way after `steps`."""
    state = game.initial_state()
    for step in steps:
        state = game.apply(state, *step)
    started = not is_deploying(game, state)
    if game.outcome(state) is not None or end == "none" or (end == "agree" and not started):
        return []
    ends = {"resign": (1, WITHDRAW), "time": (1, OUT_OF_TIME), "agree": (NOBODY, AGREE), "claim": (0, CLAIM)}
    return [ends.get(end, (NOBODY, BROKEN_OFF))]


def in_order(steps: list[tuple[int, int]], game: Game) -> dict[int, list[int]]:
    """Return the placements of each player in order and, for `NOBODY`, all other steps in order, chance included."""
    state, found = game.initial_state(), {}
    for player, action in steps:
        placed = arranges(game, state, player)
        found.setdefault(player if placed else NOBODY, []).append(action)
        state = perform(game, state, player, action)
    return found


def count_completed(game: Game, steps: list[tuple[int, int]]) -> int:
    """Return the number of completed arrangements."""
    state, done = game.initial_state(), 0
    for player, action in steps:
        arrange = game.scene(game.view(state, player)).arrange if action >= 0 and player >= 0 else None
        done += arrange is not None and len(arrange.places) == 1
        state = perform(game, state, player, action)
    return done


def a_match(variant: str = "barrage") -> Record:
    game = make(variant)
    return make_record(game, random_steps(game, np.random.default_rng(4), 10_000), {"red": "Ada"})


def read_refusal(record: Record) -> str:
    """Return the error that replaying a written record raises."""
    with pytest.raises(TextError) as caught:
        replay(read_record(record.write()))
    return str(caught.value)


def change(record: Record, **fields: object) -> Record:
    known = {name: getattr(record, name) for name in ("variant", "switches", "names", "date", "result", "steps")}
    return Record(**{**known, **fields})  # type: ignore[arg-type] # each test gives the field's own type


def test_deployments_take_one_line_each() -> None:
    record = a_match()
    assert [step.text.split()[0] for step in record.steps].count("deploy") == 2


def test_deployments_in_any_order() -> None:
    record = a_match()
    swapped = change(record, steps=(record.steps[1], record.steps[0], *record.steps[2:]))
    assert len(replay(swapped)) == len(replay(record))


def test_an_unfinished_deployment_is_kept_step_by_step() -> None:
    game = make("barrage")
    steps = [*random_steps(game, np.random.default_rng(0), 11), (0, WITHDRAW)]
    record = make_record(game, steps)
    assert len(record.steps) == len(steps)
    assert record.result == "blue wins (resigned)"


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"variant": "chess"}, "line 3: no variant 'chess'"),
        ({"switches": {"resque": True}}, "line 4: barrage: no switch 'resque'"),
        ({"switches": {"rescue": 3}}, "line 4: barrage: rescue must be"),
        ({"names": {"green": "Ada"}}, "line 4: barrage has no side 'green'"),
        ({"result": "no result"}, "line 5: the result is stated as 'no result'"),
        ({"steps": (Step("green", "d3-d4"),)}, "line 7: barrage has no side 'green'"),
        ({"steps": (Step("red", "d3-d4"),)}, "line 7: 'd3-d4' is not allowed: "),
        ({"steps": (Step("red", "deploy F"),)}, "line 7: "),
        ({"steps": (Step("red", "hop"),)}, "line 7: "),
        ({"steps": (Step("chance", "d3-d4"),)}, "line 7: "),
        ({"steps": (Step("", "draw agreed"),)}, "line 7: 'draw agreed' is not possible"),
        ({"steps": (Step("", "no result"), Step("red", "resigns"))}, "line 8: nothing follows"),
        ({"steps": (Step("red", "resigns"), Step("blue", "resigns"))}, "line 8: 'resigns' is not possible"),
    ],
)
def test_mistakes_name_their_line(fields: dict[str, object], message: str) -> None:
    assert read_refusal(change(a_match(), **fields)).startswith(message)


def test_an_illegal_move_in_the_middle_names_its_line() -> None:
    record = a_match()
    steps = (*record.steps[:5], record.steps[4], *record.steps[5:])
    assert read_refusal(change(record, steps=steps)).startswith(f"line {7 + 5}: ")


def test_nothing_follows_the_end() -> None:
    record = a_match()
    assert "is not allowed" in read_refusal(change(record, steps=(*record.steps, Step("red", "a1-a2"))))


LINES = st.sampled_from(
    ["red: d3-d4", "blue: d3-d4", "red: deploy F", "red: place bomb", "blue: decline", "red: apple g7", "chance: x",
     "red: resigns", "blue: claims", "draw agreed", "no result", "red: to a1", "red: return spy", "red: a1*a2+b1"]
)  # fmt: skip


@settings(max_examples=60)
@given(st.integers(0, 40), st.lists(LINES, max_size=4), st.integers(0, 2**32 - 1))
def test_hostile_lines_never_crash(place: int, lines: list[str], seed: int) -> None:
    game = make("special")
    text = make_record(game, random_steps(game, np.random.default_rng(seed), 120)).write().splitlines()
    text[place:place] = lines
    message = ""
    try:
        replay(read_record("\n".join(text)))
    except TextError as error:
        message = str(error)
    assert not message or message.startswith("line ")


@pytest.mark.parametrize(
    ("asked", "fault"),
    [
        ({"names": {"green": "A"}}, "duel has no side 'green'"),
        ({"aids": {"foo": 1}}, "not an aid: foo=1"),
        ({"aids": {"hints": -1}}, "not an aid: hints=-1"),
    ],
)
def test_no_record_is_made_that_could_not_be_read(asked: dict[str, dict[str, Any]], fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        make_record(gonfalon.make("duel"), [], **asked)


def test_the_step_that_is_not_possible_is_named() -> None:
    with pytest.raises(IllegalActionError, match="action 7 of player 0 is not possible: ") as refused:
        make_record(gonfalon.make("duel"), [(0, 2000), (0, 7)])
    assert refused.value.__notes__ == ["step 1, counted from 0"]
