"""The contract of `engine.game.Game`, on every variant under every house rule."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import numpy as np
import pytest

from conformance.cases import (
    PLAIN_CASES,
    Case,
    all_observers,
    assert_worded,
    catalogue,
    each_case,
    game_of,
    is_deploying,
    play,
    possible,
    steps_of,
)
from gonfalon.engine.events import Event
from gonfalon.engine.game import (
    CHANCE,
    EVERYTHING,
    PUBLIC,
    Game,
    IllegalActionError,
    State,
    UnknownObserverError,
)


def strange_actions(game: Game) -> tuple[int, ...]:
    return (-1, -2, -3, -1000, game.info.actions, game.info.actions + 1, 2**31 - 1, 2**40, -(2**40))


@each_case
def test_fact_sheet(case: Case) -> None:
    info = game_of(case).info
    assert info.variant == case.variant
    assert info.players == len(info.sides) >= 2
    assert dict(info.ruleset.changed) == dict(case.switches)
    assert len(set(info.sides)) == len(info.sides)
    assert info.most_legal > 0
    assert info.actions > 0
    assert info.longest > 0


@each_case
def test_legal_lists(case: Case) -> None:
    """Lists are ascending, unique and within bounds. They are empty exactly for chance and for players who may not
    act.
    """
    game = game_of(case)
    for step in steps_of(case):
        able = game.to_act(step.before)
        assert step.player in able
        for player in (*range(game.info.players), CHANCE, PUBLIC, game.info.players):
            legal = game.legal_actions(step.before, player)
            assert legal.dtype == np.int32
            assert (len(legal) > 0) == (player in able and player != CHANCE)
            assert len(legal) <= game.info.most_legal
            assert (np.diff(legal) > 0).all()
            assert not len(legal) or (legal[0] >= 0 and legal[-1] < game.info.actions)


@each_case
def test_views_carry_the_legal_list(case: Case) -> None:
    game = game_of(case)
    for step in steps_of(case)[::3]:
        for player in range(game.info.players):
            assert game.view(step.before, player).legal.tolist() == game.legal_actions(step.before, player).tolist()
        assert not len(game.view(step.before, PUBLIC).legal)


@each_case
def test_nothing_changes_its_input(case: Case) -> None:
    game, rng = game_of(case), np.random.default_rng(2)
    for step in steps_of(case)[::5]:
        bytes_before = step.before.tobytes()
        for observer in all_observers(game):
            view = game.view(step.before, observer)
            seen = view.tobytes()
            game.scene(view), game.choices(view), game.hints(view), game.encode(view), game.resample(view, rng)
            assert view.tobytes() == seen
        game.apply(step.before, step.player, step.action)
        game.withdraw(step.before, 0)
        game.evaluate(step.before, 0)
        game.state_text(step.before)
        assert step.before.tobytes() == bytes_before


@each_case
def test_apply_is_a_function(case: Case) -> None:
    game = game_of(case)
    for step in steps_of(case)[::5]:
        assert game.apply(step.before, step.player, step.action).tobytes() == step.after.tobytes()


@pytest.mark.parametrize("case", PLAIN_CASES, ids=lambda case: case.name)
def test_whole_numbers_of_any_kind_are_actions(case: Case) -> None:
    game = game_of(case)
    for step in steps_of(case)[:8]:
        after = game.apply(step.before, np.int8(step.player), np.int32(step.action))
        assert after.tobytes() == step.after.tobytes()
        wrong: Any
        for wrong in (float(step.action), str(step.action), None):
            with pytest.raises(TypeError):
                game.apply(step.before, step.player, wrong)


@each_case
def test_illegal_actions_are_refused_with_a_worded_reason(case: Case) -> None:
    game, rng = game_of(case), np.random.default_rng(3)
    words = catalogue(game.info.family)
    last = steps_of(case)[-1].after
    for state in (*(step.before for step in steps_of(case)[::4]), last):
        for player in (*range(game.info.players), CHANCE, PUBLIC, game.info.players, 99):
            legal = set(possible(game, state, player).tolist())
            for action in (*rng.integers(game.info.actions, size=12).tolist(), *strange_actions(game)):
                if action in legal:
                    continue
                before = state.tobytes()
                with pytest.raises(IllegalActionError) as caught:
                    game.apply(state, player, action)
                assert state.tobytes() == before
                assert_worded(words, "refusal", caught.value.refusal)
                assert caught.value.refusal == game.explain(state, player, action)


@pytest.mark.parametrize("case", PLAIN_CASES, ids=lambda case: case.name)
def test_every_action_at_some_positions(case: Case) -> None:
    """`explain` is None exactly for legal actions; tested for all action ids and all players."""
    game = game_of(case)
    words = catalogue(game.info.family)
    steps = steps_of(case)
    for state in (steps[0].before, steps[len(steps) // 2].before, steps[-1].after):
        for player in range(game.info.players):
            legal = set(game.legal_actions(state, player).tolist())
            for action in range(game.info.actions):
                refusal = game.explain(state, player, action)
                assert (refusal is None) == (action in legal)
                if refusal is not None:
                    assert_worded(words, "refusal", refusal)


@each_case
def test_events_statuses_and_buttons_have_their_words(case: Case) -> None:
    game = game_of(case)
    words = catalogue(game.info.family)
    for step in steps_of(case):
        for observer in all_observers(game):
            for event in game.events(step.action, step.after, observer):
                assert_worded(words, "event", event)
                assert "reason" not in event.args or f"end.{event.args['reason']}" in words
                assert msgspec.json.decode(msgspec.json.encode(event), type=Event) == event
    for state in _sample(case):
        for observer in all_observers(game):
            scene = game.scene(game.view(state, observer))
            assert_worded(words, "status", Event(scene.status.code, scene.status.args))
            assert all(f"button.{button.id}" in words for button in scene.buttons)


def _sample(case: Case) -> Iterator[State]:
    yield from (step.after for step in steps_of(case)[::2])


@each_case
def test_paths_that_lead_nowhere_are_explained(case: Case) -> None:
    """Every list of ids that is not a choice has a refusal with a text."""
    game, rng = game_of(case), np.random.default_rng(4)
    words = catalogue(game.info.family)
    spaces = [space.id for space in game.board().spaces]
    for step in steps_of(case)[::6]:
        for player in range(game.info.players):
            view = game.view(step.before, player)
            paths = {choice.path for choice in game.choices(view)}
            scene = game.scene(view)
            items = [item.id for tray in scene.trays for item in tray.items]
            ids = [*spaces, *items, *(button.id for button in scene.buttons), "do.sword", "decline", "nowhere", ""]
            for length in (0, 1, 1, 2, 2, 2, 3, 4, 5):
                path = tuple(str(name) for name in rng.choice(ids, length))
                if path not in paths:
                    assert_worded(words, "refusal", game.explain_path(view, path))


@each_case
def test_unknown_observers(case: Case) -> None:
    game = game_of(case)
    step = steps_of(case)[0]
    for observer in (-4, -1, game.info.players, 99):
        with pytest.raises(UnknownObserverError):
            game.view(step.before, observer)
        with pytest.raises(UnknownObserverError):
            game.events(step.action, step.after, observer)
    for observer in (PUBLIC, EVERYTHING, -1, game.info.players):
        with pytest.raises(UnknownObserverError):
            game.evaluate(step.before, observer)


@each_case
def test_chance(case: Case) -> None:
    """Chance acts alone when a draw is due, and only then. Its draws are ascending, within bounds and possible, and
    each has a probability above 0.
    """
    game = game_of(case)
    seen = False
    for step in steps_of(case):
        actions, probabilities = game.chance_outcomes(step.before)
        assert actions.dtype == np.int32
        assert len(actions) == len(probabilities)
        if CHANCE not in game.to_act(step.before):
            assert not len(actions)
            continue
        seen = True
        assert game.to_act(step.before) == (CHANCE,)
        assert 0 < len(actions) <= game.info.most_legal
        assert probabilities.sum() == pytest.approx(1)
        assert (probabilities > 0).all()
        assert (np.diff(actions) > 0).all()
        assert actions[0] >= 0
        assert actions[-1] < game.info.actions
    assert not seen or game.info.chance


@each_case
def test_each_draw_can_be_applied(case: Case) -> None:
    """Each draw can be applied, and only chance can draw it."""
    game = game_of(case)
    for step in [step for step in steps_of(case) if step.player == CHANCE][::5]:
        for action in game.chance_outcomes(step.before)[0].tolist():
            game.apply(step.before, CHANCE, action)
            for player in range(game.info.players):
                with pytest.raises(IllegalActionError):
                    game.apply(step.before, player, action)


@each_case
def test_all_see_that_play_has_not_begun(case: Case) -> None:
    """Play has not begun until all have placed their pieces, including draws and choices; after that it has begun for
    ever. This is equal for all observers.
    """
    game, rng = game_of(case), np.random.default_rng(7)
    match = list(play(game, rng, 200))
    before = [is_deploying(game, step.before) for step in match]
    for observer in all_observers(game):
        assert [not game.scene(game.view(step.before, observer)).started for step in match] == before
    begun = before.index(False)
    assert begun > 0
    assert not any(before[begun:])
