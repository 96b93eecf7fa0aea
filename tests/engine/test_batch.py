"""Batches change rows in place and agree with their game."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from conformance.cases import VARIANTS
from gonfalon.engine.game import CHANCE, PUBLIC, IllegalActionError, UnknownObserverError
from gonfalon.engine.learning.batch import Batch
from gonfalon.engine.learning.counting import perft
from gonfalon.engine.learning.starts import deploy_all
from gonfalon.games import make
from perft import count_by_interface

ROWS = 6


def choose(batch: Batch, rng: np.random.Generator) -> np.ndarray[Any, np.dtype[np.int32]]:
    """Return a random legal action for each row; any number for a match that is over."""
    legal = batch.legal()
    lists = [legal.actions[first:last] for first, last in zip(legal.offsets[:-1], legal.offsets[1:], strict=True)]
    return np.array([rng.choice(each) if len(each) else -7 for each in lists], np.int32)


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_batch_plays_as_the_game_does(variant: str) -> None:
    """Lists, masks, observations, states, players and returns are those of the game, in each row."""
    game, rng = make(variant), np.random.default_rng(3)
    batch = Batch(game, ROWS, seed=2)
    for _ in range(40):
        legal, masks, planes = batch.legal(), batch.masks(), batch.observe()
        states = [batch.state(i) for i in range(ROWS)]
        for i, state in enumerate(states):
            player, outcome = int(batch.to_act[i]), game.outcome(state)
            assert batch.done[i] == (outcome is not None) == (not batch.due[i])
            assert batch.returns[i].tolist() == pytest.approx(outcome.returns if outcome else [0] * game.info.players)
            assert (outcome is not None) or player == game.to_act(state)[0]
            view = game.view(state, player)
            assert legal.actions[legal.offsets[i] : legal.offsets[i + 1]].tolist() == view.legal.tolist()
            assert np.flatnonzero(masks[i]).tolist() == view.legal.tolist()
            assert planes[i].tobytes() == game.encode(view).planes.tobytes()
        actions = choose(batch, rng)
        over = batch.done.copy()
        batch.step(actions)
        for i in np.flatnonzero(~over).tolist():
            after = game.apply(states[i], game.to_act(states[i])[0], int(actions[i]))
            if game.to_act(after) != (CHANCE,):
                assert batch.state(i).tobytes() == after.tobytes()
        assert not batch.done[over].any()


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_seed_decides_the_matches_on_any_number_of_threads(variant: str) -> None:
    game = make(variant)
    found = []
    for threads in (1, 3):
        rng = np.random.default_rng(5)
        with Batch(game, ROWS, threads=threads, seed=9, deploy="sensible") as batch:
            for _ in range(30):
                batch.step(choose(batch, rng))
            batch.play_randomly(20)
            found.append([array.tobytes() for array in batch.save().values()] + [batch.observe().tobytes()])
    assert found[0] == found[1]


def test_many_threads_play_whole_matches_as_one_does() -> None:
    game = make("barrage")
    found = []
    for threads in (1, 4):
        with Batch(game, 64, threads=threads, seed=1) as batch:
            assert batch.play_randomly(game.info.longest) > 64 * 16
            assert batch.done.all()
            assert not batch.returns.sum(axis=1).any()
            found.append(batch.states.tobytes())
    assert found[0] == found[1]


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("deploy", ["sensible", "uniform"])
def test_matches_can_begin_after_the_deployments(variant: str, deploy: Any) -> None:
    game = make(variant)
    batch = Batch(game, ROWS, seed=4, deploy=deploy)
    for i in range(ROWS):
        assert game.standing(game.view(batch.state(i), PUBLIC)).started
        assert batch.to_act[i] in game.to_act(batch.state(i))
    assert len({batch.state(i).tobytes() for i in range(ROWS)}) > 1


def test_a_form_turns_observations_and_actions() -> None:
    game, rng = make("duel"), np.random.default_rng(1)
    form = game.form(dtype="uint8", canonical=True, compact=True, past=2)
    batch = Batch(game, ROWS, deploy="sensible")
    for _ in range(7):
        planes, masks = batch.observe(form=form), batch.masks(form=form)
        actions = np.zeros(ROWS, np.int64)
        for i in range(ROWS):
            view = game.view(batch.state(i), int(batch.to_act[i]))
            assert planes[i].tobytes() == game.encode(view, form=form).planes.tobytes()
            assert masks[i].tolist() == form.mask(view).tolist()
            actions[i] = rng.choice(np.flatnonzero(masks[i]))
        before = [batch.state(i) for i in range(ROWS)]
        players = batch.to_act.copy()
        batch.step(actions, form)
        for i in range(ROWS):
            after = game.apply(before[i], int(players[i]), int(form.games[players[i], actions[i]]))
            assert batch.state(i).tobytes() == after.tobytes()


def test_any_player_can_be_observed() -> None:
    game = make("barrage")
    batch = Batch(game, 3, deploy="sensible")
    planes = batch.observe(players=np.array([1, 0, 1]))
    for i, player in enumerate((1, 0, 1)):
        assert planes[i].tobytes() == game.encode(game.view(batch.state(i), player)).planes.tobytes()
    with pytest.raises(UnknownObserverError, match="the players 0 to 1"):
        batch.observe(players=np.array([0, 2, 0]))
    with pytest.raises(ValueError, match="one for each of the 3 matches"):
        batch.observe(players=np.array([0]))


def test_an_illegal_action_changes_no_row() -> None:
    batch = Batch(make("barrage"), 3, deploy="sensible")
    legal = batch.legal()
    actions, before = legal.actions[legal.offsets[:-1]].copy(), batch.save()
    for wrong in (0, -1, 10**6):
        actions[1] = wrong
        with pytest.raises(IllegalActionError) as caught:
            batch.step(actions)
        assert (caught.value.player, caught.value.action) == (0, wrong)
        assert caught.value.__notes__ == ["in row 1 of the batch"]
        assert all(array.tobytes() == before[name].tobytes() for name, array in batch.save().items())
    with pytest.raises(TypeError, match="whole numbers, not float64"):
        batch.step(np.zeros(3))
    with pytest.raises(ValueError, match="3 matches needs as many actions"):
        batch.step([1, 2])


def test_a_match_that_is_over_waits_or_begins_anew() -> None:
    game = make("tiny")
    for autoreset in (True, False):
        batch, rng = Batch(game, 4, seed=1, autoreset=autoreset), np.random.default_rng(1)
        while not batch.done.all():
            batch.step(choose(batch, rng))
            over = batch.done.copy()
            if over.any() and autoreset:
                batch.step(choose(batch, rng))
                assert not batch.done[over].any()
                break
        if not autoreset:
            ended = batch.states.tobytes()
            batch.step(np.zeros(4, np.int32))
            assert batch.states.tobytes() == ended
            batch.reset([1])
            assert batch.done.tolist() == [True, False, True, True]


def test_a_batch_can_be_saved_loaded_and_cut(tmp_path: Path) -> None:
    game, rng = make("cardgame"), np.random.default_rng(2)
    batch = Batch(game, 5, seed=3)
    for _ in range(20):
        batch.step(choose(batch, rng))
    np.savez(tmp_path / "batch.npz", **batch.save())
    with np.load(tmp_path / "batch.npz") as saved:
        other = Batch(game, 5, seed=8)
        other.load(dict(saved))
    part = batch[1:3]
    actions = choose(batch, rng)
    for each in (batch, other):
        each.step(actions)
    part.step(actions[1:3])
    assert other.states.tobytes() == batch.states.tobytes()
    assert part.states.tobytes() == batch.states[1:3].tobytes()
    with pytest.raises(ValueError, match="these arrays are of cardgame, not of cardgame-sergeants"):
        Batch(make("cardgame-sergeants"), 5).load(batch.save())
    with pytest.raises(ValueError, match="not from a batch of 4 matches"):
        Batch(game, 4).load(batch.save())


def test_a_batch_can_be_copied_and_pickled() -> None:
    game, rng = make("barrage"), np.random.default_rng(2)
    batch = Batch(game, 5, threads=2, seed=3, deploy="sensible")
    for _ in range(9):
        batch.step(choose(batch, rng))
    copies = [copy.copy(batch), copy.deepcopy(batch), pickle.loads(pickle.dumps(batch))]
    before, actions = batch.states.tobytes(), choose(batch, rng)
    for each in copies:
        each.step(actions)
    assert batch.states.tobytes() == before
    batch.step(actions)
    assert {each.states.tobytes() for each in copies} == {batch.states.tobytes()}
    form = game.form(canonical=True, compact=True, past=3)
    again = pickle.loads(pickle.dumps(form))
    assert again.spec == form.spec
    assert batch.observe(form=again).tobytes() == batch.observe(form=form).tobytes()


def test_a_closed_batch_says_so() -> None:
    for threads in (1, 2):
        with Batch(make("tiny"), 4, threads=threads) as batch:
            batch.legal()
        for use in (batch.reset, batch.observe, batch.masks, lambda batch=batch: batch.play_randomly(1)):
            with pytest.raises(RuntimeError, match="this batch is closed"):
                use()


def test_a_refused_reset_changes_nothing() -> None:
    batch = Batch(make("tiny"), 2)
    with pytest.raises(ValueError, match="actions, sensible, uniform, not foo"):
        batch.reset(deploy="foo")  # type: ignore[arg-type]
    batch.reset()
    with pytest.raises(ValueError, match="at least 0 actions are played, not -5"):
        batch.play_randomly(-5)
    with pytest.raises(ValueError, match="sensible or uniform, not actions"):
        deploy_all(make("tiny"), np.random.default_rng(1), "actions")


def test_arguments_in_the_wrong_place_are_named() -> None:
    batch: Any = Batch(make("tiny"), 2)
    form = batch.game.form()
    with pytest.raises(TypeError, match=r"not a form, which is given as form=\.\.\."):
        batch.observe(form)
    with pytest.raises(TypeError, match=r"not a form, which is given as form=\.\.\."):
        batch.masks(form)
    with pytest.raises(TypeError, match="bool, not of uint8"):
        batch.masks(np.zeros((2, 15), np.uint8))
    with pytest.raises(ValueError, match="masks need a contiguous array of shape"):
        form.mask(batch.game.view(batch.state(0), 0), np.ones(22, np.bool_))
    with pytest.raises(TypeError, match=r"batch\[0 : 1\], or batch.state\(0\)"):
        batch[0]


@pytest.mark.parametrize("i", [-1, 2, 100_000])
def test_a_row_that_is_not_there_is_refused(i: int) -> None:
    batch = Batch(make("barrage"), 2)
    before = batch.states.tobytes()
    for ask in (batch.reset, batch.state):
        with pytest.raises(IndexError, match=f"no match {i}; there are 0 to 1"):
            ask(i)
    assert batch.states.tobytes() == before


def test_counts_are_whole_numbers() -> None:
    game: Any = make("barrage")
    with pytest.raises(TypeError, match="float"):
        Batch(game, 1.5)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="at least one match, not 0"):
        Batch(game, 0)
    with pytest.raises(ValueError, match="at least one thread, not 0"):
        Batch(game, 1, threads=0)
    with pytest.raises(ValueError, match="actions, sensible, uniform, not well"):
        Batch(game, 1, deploy="well")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="the depth is at least 0, not -1"):
        perft(game, game.initial_state(), -1)


@pytest.mark.parametrize("variant", VARIANTS)
def test_sequences_from_the_start_are_those_of_the_interface(variant: str) -> None:
    """Draws of chance at the start are counted too, each possible one once."""
    game = make(variant)
    state = game.initial_state()
    assert [perft(game, state, depth) for depth in (1, 2)] == [count_by_interface(game, state, d) for d in (1, 2)]
