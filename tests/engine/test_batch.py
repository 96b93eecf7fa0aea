"""Batches change rows in place and agree with their game."""

from typing import Any

import numpy as np
import pytest

from conformance.cases import VARIANTS, pick
from gonfalon.engine.batch import Batch, perft
from gonfalon.engine.game import CHANCE, EVERYTHING, PUBLIC, IllegalActionError
from gonfalon.games import make
from perft import count_by_interface


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


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_batch_gives_the_lists_of_the_game(variant: str) -> None:
    """For CHANCE the batch lists the possible draws; for a number that belongs to no player it lists nothing."""
    game, rng = make(variant), np.random.default_rng(3)
    batch = Batch(game, 1)
    for _ in range(120):
        state = batch.state(0)
        able = game.to_act(state)
        if not able:
            break
        assert batch.legal(0, CHANCE).tolist() == game.chance_outcomes(state)[0].tolist()
        for player in (*range(game.info.players), game.info.players, PUBLIC, EVERYTHING):
            assert batch.legal(0, player).tolist() == game.legal_actions(state, player).tolist()
        player = int(rng.choice(able))
        action = pick(game, state, player, rng)
        batch.step(0, player, action)
        assert batch.state(0).tobytes() == game.apply(state, player, action).tobytes()


@pytest.mark.parametrize("i", [-1, 2, 100_000])
def test_a_row_that_is_not_there_is_refused(i: int) -> None:
    batch = Batch(make("barrage"), 2)
    before = batch.states.tobytes()
    for ask in (batch.reset, batch.state, lambda i: batch.legal(i, 0), lambda i: batch.step(i, 0, 2000)):
        with pytest.raises(IndexError, match=f"no match {i}; there are 0 to 1"):
            ask(i)
    with pytest.raises(IndexError, match="no match"):
        batch.play_randomly(i, 5)
    assert batch.states.tobytes() == before


def test_counts_are_whole_numbers() -> None:
    game: Any = make("barrage")
    with pytest.raises(TypeError, match="float"):
        Batch(game, 1.5)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="the depth is at least 0, not -1"):
        perft(game, game.initial_state(), -1)


@pytest.mark.parametrize("variant", VARIANTS)
def test_sequences_from_the_start_are_those_of_the_interface(variant: str) -> None:
    """Draws of chance at the start are counted too, each possible one once."""
    game = make(variant)
    state = game.initial_state()
    assert [perft(game, state, depth) for depth in (1, 2)] == [count_by_interface(game, state, d) for d in (1, 2)]


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
