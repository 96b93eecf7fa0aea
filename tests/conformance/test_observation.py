"""Observations in every variant: layouts without a state, forms, parts of actions, keys, and refused arguments."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from conformance.cases import CASES, PLAIN_CASES, Case, Step, game_of, observers, steps_of
from gonfalon.engine.game import CHANCE, Game, State
from gonfalon.engine.learning.batch import Batch
from gonfalon.engine.learning.observation import ActionParts, Form
from gonfalon.engine.view import View

each_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
each_variant = pytest.mark.parametrize("case", PLAIN_CASES, ids=lambda case: case.name)


@cache
def form_of(case: Case, **wanted: Any) -> Form:
    return game_of(case).form(**wanted)


def views_of(case: Case, every: int = 7) -> Iterator[View]:
    """Yield views of all observers from whom something is kept secret, of some of the shared steps."""
    game = game_of(case)
    for step in steps_of(case)[::every]:
        yield from (game.view(step.after, observer) for observer in observers(game))


def decisions_of(case: Case) -> Iterator[Step]:
    yield from (step for step in steps_of(case) if step.player >= 0 and step.action >= 0)


# ---- layouts


@each_variant
def test_the_layout_is_known_without_a_state(case: Case) -> None:
    game = game_of(case)
    spec = game.observation_spec
    assert (spec.dtype, spec.low, spec.high) == ("float32", 0, 1)
    assert len(spec.planes) == spec.shape[0]
    assert all(plane.name and plane.meaning for plane in spec.planes)
    for view in views_of(case, 50):
        tensors = game.encode(view)
        assert (tensors.planes.shape, tensors.planes.dtype, tensors.channels) == (spec.shape, spec.dtype, spec.channels)


@each_variant
def test_a_buffer_is_overwritten_and_returned(case: Case) -> None:
    game, form = game_of(case), form_of(case)
    buffer = form.make_buffer()
    for view in views_of(case):
        buffer[:] = 0.5
        assert game.encode(view, out=buffer).planes is buffer
        assert buffer.tobytes() == game.encode(view).planes.tobytes()


@each_case
def test_bytes_are_floats_times_255(case: Case) -> None:
    game, form = game_of(case), form_of(case, dtype="uint8")
    for view in views_of(case, 20):
        floats = game.encode(view).planes.astype(np.float64)
        assert np.abs(game.encode(view, form=form).planes - 255 * floats).max() <= 0.501


def test_an_unsuitable_buffer_is_refused() -> None:
    game = game_of(Case("barrage"))
    view, shape = game.view(game.initial_state(), 0), game.observation_spec.shape
    with pytest.raises(TypeError, match="an array of float32, not of float64"):
        game.encode(view, out=np.zeros(shape))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="of shape"):
        game.encode(view, out=np.zeros((3, 10, 10), np.float32))
    with pytest.raises(ValueError, match="contiguous"):
        game.encode(view, out=np.zeros(shape[::-1], np.float32).T)
    with pytest.raises(ValueError, match="float32 or uint8, not float16"):
        game.form(dtype="float16")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="0 to 64 past moves, not 65"):
        game.form(past=65)


# ---- beliefs


@each_variant
def test_beliefs_are_means_over_worlds(case: Case) -> None:
    """Planes of facts that the viewer knows stay as they are. With one world, all types are as in that world."""
    game, rng = game_of(case), np.random.default_rng(2)
    started = [step.after for step in steps_of(case) if game.standing(game.view(step.after, 0)).started]
    for state in started[::40]:
        view = game.view(state, 0)
        worlds = [game.resample(view, rng) for _ in range(3)]
        each = [game.encode_belief(view, world).planes for world in worlds]
        mean = game.encode_belief(view, np.concatenate(worlds)).planes
        assert np.allclose(mean, np.mean(each, axis=0), atol=1e-6)
        known, hidden = game.encode(view), [k for k, name in enumerate(game.observation_spec.channels) if "hid" in name]
        assert not mean[hidden].any()
        turn = known.channels.index("own turn")
        assert mean[turn].tobytes() == known.planes[turn].tobytes()
    with pytest.raises(TypeError, match="at least one"):
        game.encode_belief(view, worlds[0][:0])


# ---- actions


@each_variant
def test_parts_name_each_action_once(case: Case) -> None:
    game, named = game_of(case), 0
    cells = np.prod(game.observation_spec.shape[1:])
    for action in range(game.info.actions):
        parts = game.action_parts(action)
        if parts is not None:
            named += 1
            assert game.find_action(parts) == action
            assert all(0 <= cell < cells for cell in parts.cells)
    assert named > len(steps_of(case)[0].before)
    with pytest.raises(ValueError, match="no action has the parts fly"):
        game.find_action(ActionParts("fly", (1, 2)))
    with pytest.raises(ValueError, match=f"there are 0 to {game.info.actions - 1}"):
        game.action_parts(game.info.actions)


@each_case
def test_what_is_left_out_is_never_used(case: Case) -> None:
    """The planes that the compact form leaves out stay empty, and its ids cover all legal actions."""
    game, form = game_of(case), form_of(case, compact=True)
    left_out = [k for k, name in enumerate(game.observation_spec.channels) if name not in form.channels]
    for step in steps_of(case):
        for observer in observers(game):
            view = game.view(step.after, observer)
            assert not game.encode(view).planes[left_out].any()
            if observer >= 0:
                assert (form.ids[observer, view.legal] >= 0).all()
                assert form.mask(view).sum() == len(view.legal)
    kept = [k for k in range(game.observation_spec.shape[0]) if k not in left_out]
    for view in views_of(case, 60):
        assert game.encode(view, form=form).planes.tobytes() == game.encode(view).planes[kept].tobytes()


@each_variant
def test_draws_of_chance_have_parts_and_no_compact_id(case: Case) -> None:
    game, form = game_of(case), form_of(case, compact=True)
    for step in steps_of(case):
        if step.action >= 0:
            parts = game.action_parts(step.action)
            assert parts is not None
            assert parts.by_chance == (step.player == CHANCE) == (form.ids[0, step.action] < 0)


def list_turned_cells(form: Form, player: int) -> NDArray[np.int16]:
    """Return where the form writes each cell of the board; places of the records that are no cells have none."""
    cells: NDArray[np.int16] = form.records["cell"][player]
    return cells[cells >= 0]


@each_variant
def test_turning_is_exact_both_ways(case: Case) -> None:
    """The first player plays upwards already. For each player, cells and ids change places in the same way."""
    game, form = game_of(case), form_of(case, canonical=True)
    everything = np.arange(game.info.actions)
    assert form.games[0].tolist() == everything.tolist()
    for player in range(game.info.players):
        assert form.games[player][form.ids[player]].tolist() == everything.tolist()
        assert form.ids[player][form.ids[player]].tolist() == everything.tolist()
    cells = np.prod(form.spec.shape[1:])
    for view in views_of(case):
        turned = game.encode(view, form=form).planes.reshape(-1, cells)
        places = list_turned_cells(form, max(view.observer, 0))
        assert turned[:, places].tobytes() == game.encode(view).planes.tobytes()
        if view.observer >= 0:
            assert np.flatnonzero(form.mask(view)).tolist() == sorted(form.ids[view.observer, view.legal])


@each_variant
def test_turned_actions_name_turned_cells(case: Case) -> None:
    game, form = game_of(case), form_of(case, canonical=True)
    for step in decisions_of(case):
        parts = game.action_parts(step.action)
        turned = game.action_parts(int(form.ids[step.player, step.action]))
        assert parts is not None
        assert turned is not None
        places = list_turned_cells(form, step.player)
        assert (turned.verb, turned.name) == (parts.verb, parts.name)
        assert sorted(turned.cells) == sorted(places[list(parts.cells)].tolist())
        assert turned.cells[:1] == tuple(places[list(parts.cells[:1])].tolist())


# ---- keys


@each_case
def test_equal_exact_keys_have_equal_legal_lists(case: Case) -> None:
    game, lists = game_of(case), dict[bytes, list[int]]()
    for view in views_of(case, 3):
        assert lists.setdefault(game.key(view), view.legal.tolist()) == view.legal.tolist()


@each_case
def test_keys_do_not_depend_on_numbers_of_pieces(case: Case) -> None:
    """The text of a position does not say which of several equal pieces is which. The position read from it has the
    same keys.
    """
    game = game_of(case)
    for step in steps_of(case)[::9]:
        read = game.parse_state(game.state_text(step.after))
        for observer in observers(game):
            one, other = game.view(step.after, observer), game.view(read, observer)
            assert game.key(one) == game.key(other)
            assert game.key(one, exact=False) == game.key(other, exact=False)


@each_variant
def test_keys_tell_positions_apart(case: Case) -> None:
    game = game_of(case)
    views = [game.view(step.after, 0) for step in steps_of(case)]
    texts = {game.scene(view).__repr__() for view in views}
    assert len({game.key(view) for view in views}) >= len(texts) * 0.9


# ---- refused arguments


def list_uses(game: Game, state: State, view: View) -> dict[str, Callable[[], object]]:
    """Return a call of each member that takes a state or a view, by its name."""
    rng = np.random.default_rng(1)
    return {
        "to_act": partial(game.to_act, state),
        "legal_actions": partial(game.legal_actions, state, 0),
        "chance_outcomes": partial(game.chance_outcomes, state),
        "apply": partial(game.apply, state, 0, 0),
        "deploy": partial(game.deploy, state, 0, []),
        "is_open": partial(game.is_open, state, 0),
        "withdraw": partial(game.withdraw, state, 0),
        "agree_draw": partial(game.agree_draw, state),
        "outcome": partial(game.outcome, state),
        "view": partial(game.view, state, 0),
        "events": partial(game.events, 0, state, 0),
        "state_text": partial(game.state_text, state),
        "evaluate": partial(game.evaluate, state, 0),
        "standing": partial(game.standing, view),
        "candidates": partial(game.candidates, view),
        "resample": partial(game.resample, view, rng),
        "encode": partial(game.encode, view),
        "key": partial(game.key, view),
        "scene": partial(game.scene, view),
        "patch": partial(game.patch, view, view),
        "choices": partial(game.choices, view),
        "hints": partial(game.hints, view),
        "explain_path": partial(game.explain_path, view, ("a1",)),
        "remarks": partial(game.remarks, view, ()),
        "action_text": partial(game.action_text, view, 0),
        "parse_action": partial(game.parse_action, view, "a1"),
        "random_deployment": partial(game.random_deployment, view, rng),
        "sensible_deployment": partial(game.sensible_deployment, view, rng),
    }


OF_VIEWS = frozenset((
    "standing", "candidates", "resample", "encode", "key", "scene", "patch", "choices", "hints", "explain_path",
    "remarks", "action_text", "parse_action", "random_deployment", "sensible_deployment",
))  # fmt: skip


@each_variant
def test_several_rows_are_refused(case: Case) -> None:
    game = game_of(case)
    batch = Batch(game, 2)
    uses = list_uses(game, batch.states, game.view(batch.state(0), 0))
    for name in uses.keys() - OF_VIEWS - ({"chance_outcomes"} if not game.info.chance else set()):
        with pytest.raises(TypeError, match="shape"):
            print(name, uses[name]())


@each_variant
def test_the_view_of_another_ruleset_is_refused(case: Case) -> None:
    game = game_of(case)
    ruleset = next((other for other in CASES if other.variant == case.variant and other.switches), Case("duel"))
    other = game_of(ruleset)
    view = other.view(other.initial_state(), 0)
    uses = list_uses(game, game.initial_state(), view)
    for name in sorted(OF_VIEWS):
        with pytest.raises(ValueError, match=f"a view of {ruleset.variant}.*, not of {case.variant}"):
            print(name, uses[name]())


@each_variant
def test_the_form_of_another_ruleset_is_refused(case: Case) -> None:
    game, other = game_of(case), game_of(Case("barrage" if case.variant != "barrage" else "duel"))
    form, view = other.form(), game.view(game.initial_state(), 0)
    batch = Batch(game, 2)
    uses: list[Callable[[], object]] = [
        partial(game.encode, view, form=form),
        partial(game.encode_belief, view, game.initial_state(), form=form),
        partial(batch.observe, form=form),
        partial(batch.masks, form=form),
        partial(batch.step, [0, 0], form),
    ]
    for use in uses:
        with pytest.raises(ValueError, match=f"a form of {other.info.variant}, not of {case.variant}"):
            print(use())
