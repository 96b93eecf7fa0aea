"""Batches change rows in place and agree with the game they are of."""

import pytest

from gonfalon.engine.batch import Batch
from gonfalon.engine.game import IllegalActionError
from gonfalon.games import make


def test_a_batch_steps_as_the_game_does() -> None:
    game = make("barrage")
    batch = Batch(game, 2, seed=3)
    state = game.initial_state()
    for action in (batch.legal(0, 0)[0], batch.legal(0, 1)[-1]):
        player = 0 if action == batch.legal(0, 0)[0] else 1
        state = game.apply(state, player, int(action))
        batch.step(0, player, int(action))
    assert batch.state(0).tobytes() == state.tobytes()
    assert batch.state(1).tobytes() == game.initial_state().tobytes()


def test_random_play_ends_and_repeats_with_its_seed() -> None:
    game = make("duel")
    ends = []
    for _ in range(2):
        batch = Batch(game, 3, seed=5)
        assert all(batch.play_randomly(i, game.info.longest) > 0 for i in range(3))
        assert all(game.outcome(batch.state(i)) is not None for i in range(3))
        ends.append(batch.states.tobytes())
    assert ends[0] == ends[1]


def test_an_illegal_step_is_refused_and_changes_nothing() -> None:
    batch = Batch(make("duel"), 1)
    before = batch.states.tobytes()
    with pytest.raises(IllegalActionError):
        batch.step(0, 0, 0)
    assert batch.states.tobytes() == before


def test_an_empty_batch_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one match"):
        Batch(make("duel"), 0)
