"""A game may be asked from several threads: what one is told is never another's."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import gonfalon
from gonfalon.engine.game import Game, State

CALLS = 5_000


@pytest.fixture
def hasty() -> Iterator[None]:
    """Threads take turns as often as they can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def play_some(game: Game) -> State:
    """A position in which red can do other things than at the beginning."""
    rng = np.random.default_rng(3)
    state = game.initial_state()
    for player in (0, 1):
        for action in game.random_deployment(game.view(state, player), rng):
            state = game.apply(state, player, int(action))
    return state


@pytest.mark.usefixtures("hasty")
def test_legal_lists_are_those_of_the_state_that_was_asked_for() -> None:
    game = gonfalon.make("classic")
    start, later = game.initial_state(), play_some(game)
    wanted = [game.legal_actions(state, 0).tolist() for state in (start, later)]

    def list_often(which: int) -> bool:
        state = (start, later)[which]
        return all(game.legal_actions(state, 0).tolist() == wanted[which] for _ in range(CALLS))

    def look_often(_: int) -> bool:
        return all(game.view(state, 1).observer == 1 for _ in range(CALLS // 2) for state in (start, later))

    with ThreadPoolExecutor(4) as pool:
        found = [pool.submit(list_often, 0), pool.submit(list_often, 1), pool.submit(look_often, 0)]
        assert all(each.result() for each in found)
