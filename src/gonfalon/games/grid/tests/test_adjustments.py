"""Adjustments of the search: each can be switched off, and a switch changes decisions."""

from __future__ import annotations

import numpy as np
import pytest

import gonfalon
from deploying import deploy_all
from gonfalon.engine.search import Adjustment, Mind
from gonfalon.engine.view import zero_rows
from gonfalon.games.grid.play.adjustments import ADJUSTMENTS, FOLLOW_UP, RACE, STILL, find_switches
from gonfalon.games.grid.play.evaluate.context import CONTEXT
from gonfalon.games.grid.play.search.alpha_beta import prepare_context
from gonfalon.games.grid.tests.test_search import HUNTER_BESIDE, WITHOUT_HURRY

GENERALS_MEET = """
original
turn 330 quiet 33
past f7-g7 g8-h8
10 bF   bB   ..   ..   ..   ..   ..   b8'! b7'! ..
 9 bB   ..   ..   ..   ..   ..   ..   ..   ..   ..
 8 ..   ..   ..   ..   ..   ..   ..   b2'! ..   ..
 7 ..   ..   ..   ..   ..   ..   r9'! b6'! b9'! ..
 6 ..   ..   ~~   ~~   ..   ..   ~~   ~~   ..   ..
 5 ..   ..   ~~   ~~   ..   ..   ~~   ~~   ..   ..
 4 ..   ..   ..   ..   ..   ..   ..   ..   ..   ..
 3 r5'! rB   r2'! r6'! ..   ..   ..   ..   ..   r6'!
 2 rB   r4'! r4'! rB   r5'! ..   r5'! ..   r6'! ..
 1 rF   rB   ..   ..   ..   ..   ..   ..   ..   ..
"""


def test_names_are_unique_and_every_entry_says_what_it_does() -> None:
    names = [adjustment.name for adjustment in ADJUSTMENTS]
    assert len(set(names)) == len(names)
    assert all(adjustment.sentence.endswith(".") and adjustment.figure for adjustment in ADJUSTMENTS)


@pytest.mark.parametrize("adjustment", ADJUSTMENTS, ids=lambda adjustment: adjustment.name)
def test_a_mind_without_one_decides_all_the_same(adjustment: Adjustment) -> None:
    game, rng = gonfalon.make("special"), np.random.default_rng(1)
    state = deploy_all(game, game.initial_state(), rng)
    mind = Mind(seconds=0.05, depth=3, worlds=4, without=(adjustment.name,))
    assert find_switches(mind).sum() == 1
    (best, *_) = game.search(game.view(state, 0), (), mind, rng)
    assert best.actions[0] in game.legal_actions(state, 0)


def test_a_switch_changes_what_compiled_code_finds() -> None:
    """The switches are data: a global would be frozen into the cached code, and no ablation would show anything."""
    game, rng = gonfalon.make("original"), np.random.default_rng(2)
    state = deploy_all(game, game.initial_state(), rng)
    found = []
    for switch in (None, STILL, RACE, FOLLOW_UP):
        context = zero_rows(CONTEXT)
        context["doubt"] = context["aim"] = 1.0
        if switch is not None:
            context["off"][0, switch] = 1
        prepare_context(state, game.rules, context)
        found.append((float(context["still"][0]), float(context["stake"][0, 0])))
    whole, still, race, other = found
    assert still == (0.0, whole[1])
    assert race == (whole[0], 0.0)
    assert other == whole
    assert whole[0] > 0 < whole[1]


@pytest.mark.parametrize("without", [(), ("dares",)])
def test_a_switch_changes_decisions(without: tuple[str, ...]) -> None:
    """The Major on f4 never moved, and a General stands before it, which would not strike at a possible Bomb. Without
    `dares` the Major flees.
    """
    game = gonfalon.make("original")
    view = game.view(game.parse_state(HUNTER_BESIDE), 0)
    mind = Mind(seconds=WITHOUT_HURRY, depth=2, worlds=8, without=without)
    found = [game.search(view, (), mind, np.random.default_rng(seed))[0].actions[0] for seed in range(3)]
    flees = [game.action_text(view, action).startswith("f4") for action in found]
    assert flees == [bool(without)] * 3


@pytest.mark.parametrize(("without", "action"), [((), "g7-g8"), (("unbeaten",), "g7xh7")])
def test_a_general_is_not_exchanged_if_nothing_else_beats_the_colonel(without: tuple[str, ...], action: str) -> None:
    """If Red's General takes the Captain, Blue's General takes it back, and both leave. Blue's Colonel and Major then
    meet no piece that beats them.
    """
    game = gonfalon.make("original")
    view = game.view(game.parse_state(GENERALS_MEET), 0)
    mind = Mind(seconds=WITHOUT_HURRY, depth=3, worlds=8, without=without)
    found = game.search(view, (), mind, np.random.default_rng(1))
    assert game.action_text(view, found[0].actions[0]) == action
