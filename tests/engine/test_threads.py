"""Several threads may use one game; no thread gets the results of another.

Most tests only imitate threads: between a kernel that lists actions and the copy of its list, they do what another
thread could do at that moment.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Thread
from types import SimpleNamespace

import numpy as np
import pytest

import gonfalon
from gonfalon.engine.game import Game, State


def play_some(game: Game) -> State:
    """Return a position in which red has other legal actions than at the beginning."""
    rng = np.random.default_rng(3)
    state = game.initial_state()
    for player in (0, 1):
        for action in game.random_deployment(game.view(state, player), rng):
            state = game.apply(state, player, int(action))
    return state


def list_with(game: Game, state: State, meanwhile: Callable[[], object]) -> list[int]:
    """Return red's legal actions; `meanwhile` is called once between the kernel's listing and the copying of the
    list.
    """
    true, waiting = game.kernels, [meanwhile]

    def legal(*arguments: object) -> int:
        count: int = true.legal(*arguments)  # type: ignore[arg-type]  # passed on
        if waiting:
            waiting.pop()()
        return count

    with pytest.MonkeyPatch.context() as patcher:
        patcher.setattr(game, "kernels", SimpleNamespace(**{**vars(true), "legal": legal}))
        return game.legal_actions(state, 0).tolist()


def test_who_looks_or_acts_meanwhile_does_not_change_a_legal_list() -> None:
    game = gonfalon.make("classic")
    start, later = game.initial_state(), play_some(game)
    wanted = game.legal_actions(later, 0).tolist()
    placing = int(game.legal_actions(start, 0)[0])
    assert list_with(game, later, lambda: game.view(start, 0)) == wanted
    assert list_with(game, later, lambda: game.apply(start, 0, placing)) == wanted


def test_who_lists_meanwhile_waits() -> None:
    game = gonfalon.make("classic")
    start, later = game.initial_state(), play_some(game)
    wanted, found = game.legal_actions(later, 0).tolist(), list[list[int]]()
    other = Thread(target=lambda: found.append(game.legal_actions(start, 0).tolist()))

    def let_the_other_try() -> None:
        other.start()
        other.join(0.2)
        assert other.is_alive()

    assert list_with(game, later, let_the_other_try) == wanted
    other.join()
    assert found == [game.legal_actions(start, 0).tolist()]


def test_four_threads_get_the_answers_of_one() -> None:
    """Threads that look, list and act at once on one game never get the list or the view of another thread."""
    game = gonfalon.make("classic")
    states = [game.initial_state(), play_some(game)]
    for _ in range(4):
        actor = game.to_act(states[-1])[0]
        states.append(game.apply(states[-1], actor, int(game.legal_actions(states[-1], actor)[0])))
    wanted = [answers(game, state) for state in states]
    wrong = list[int]()

    def hammer(first: int) -> None:
        for k in range(300):
            i = (first + k) % len(states)
            if answers(game, states[i]) != wanted[i]:
                wrong.append(i)

    with short_turns_of_threads():
        threads = [Thread(target=hammer, args=(first,)) for first in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert not wrong


def answers(game: Game, state: State) -> list[bytes]:
    """Return views, observations, legal lists and the states after a few actions."""
    found = list[bytes]()
    for player in (0, 1):
        view, legal = game.view(state, player), game.legal_actions(state, player)
        found += [view.tobytes(), game.encode(view).planes.tobytes(), legal.tobytes()]
        found += [game.apply(state, player, int(action)).tobytes() for action in legal[:3]]
    return found


@contextmanager
def short_turns_of_threads() -> Iterator[None]:
    """Let Python change between threads as often as possible."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)
