"""The contract with a researcher who studies a game in Python."""

from __future__ import annotations

import copy
import inspect
import pickle
from functools import partial
from typing import Any

import numpy as np
import pytest

import gonfalon
from conformance.cases import PLAIN_CASES, VARIANTS, Case, all_observers, cases_of, game_of, plan_deployment, steps_of
from gonfalon.engine.game import Game, UnknownObserverError
from gonfalon.engine.search import Mind

each_plain_case = pytest.mark.parametrize("case", PLAIN_CASES, ids=lambda case: case.name)


@each_plain_case
def test_no_array_but_a_state_gets_to_the_kernels(case: Case) -> None:
    """A wrong array is refused, because kernels would read and write other memory."""
    game, (step, *_) = game_of(case), steps_of(case)
    pair = np.concatenate([step.before, step.after])
    other = game_of(next(other for other in PLAIN_CASES if game_of(other).info.family != game.info.family))
    wrong: Any
    for wrong in (step.before[:0], pair, step.before[0], other.initial_state(), step.before.tobytes()):
        for ask in (
            partial(game.view, wrong, 0),
            partial(game.legal_actions, wrong, 0),
            partial(game.apply, wrong, step.player, step.action),
            partial(game.evaluate, wrong, 0),
        ):
            with pytest.raises(TypeError, match="a state"):
                ask()


@pytest.mark.parametrize("variant", VARIANTS)
def test_games_and_views_can_be_sent_elsewhere(variant: str) -> None:
    """A game keeps its house rules when it is pickled or copied."""
    case = cases_of(variant)[-1]
    game, step = game_of(case), steps_of(case)[0]
    for sent in (pickle.loads(pickle.dumps(game)), copy.deepcopy(game)):
        assert sent.info == game.info
        assert sent.apply(step.before, step.player, step.action).tobytes() == step.after.tobytes()
        assert sent.view(pickle.loads(pickle.dumps(step.after)), 0).tobytes() == game.view(step.after, 0).tobytes()
    assert eval(repr(game), {"gonfalon": gonfalon}).info == game.info
    view = game.view(step.after, 0)
    for same in (pickle.loads(pickle.dumps(view)), copy.deepcopy(view), copy.copy(view)):
        assert (same.observer, same.tobytes()) == (view.observer, view.tobytes())
        assert game.scene(same) == game.scene(view)
    assert repr(view).startswith("<what observer 0 sees: ")


@each_plain_case
def test_every_member_says_what_it_does(case: Case) -> None:
    game = game_of(case)
    members = [name for name, _ in inspect.getmembers(Game, inspect.isfunction) if not name.startswith("_")]
    assert len(members) > 30
    assert [name for name in members if not inspect.getdoc(getattr(game, name))] == []


@each_plain_case
def test_only_who_arranges_is_asked_for_an_arrangement(case: Case) -> None:
    """A player with an arrangement to make gets deployments; a player with another decision gets the result of a
    search.
    """
    game, rng, mind = game_of(case), np.random.default_rng(9), Mind(seconds=0.01, depth=1, worlds=1, breadth=1)
    for step in steps_of(case)[::20]:
        for observer in all_observers(game):
            view = game.view(step.before, observer)
            arranging = game.standing(view).deploys
            if observer < 0 or not arranging:
                for make in (game.random_deployment, game.sensible_deployment, partial(plan_deployment, game)):
                    with pytest.raises(ValueError, match="nothing to arrange"):
                        make(view, rng)
            if observer < 0:
                with pytest.raises(UnknownObserverError):
                    game.sample_worlds(view, (), mind, 1, rng)
            elif not len(view.legal) or arranging:
                with pytest.raises(ValueError, match=r"cannot act|plan_deployment"):
                    game.search(view, (), mind, rng)
            else:
                with pytest.raises(ValueError, match="at least one world"):
                    game.sample_worlds(view, (), mind, 0, rng)
