"""Observations of the board games: forbidden squares, past moves, and both sides of a turned board."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from gonfalon.games.grid.ruleset import TYPES
from gonfalon.games.grid.tests.diagrams import BLUE, RED, Position, deployed, make, position
from gonfalon.games.grid.tests.test_repetition import CHASE, HALL, ROUND, red_plays
from gonfalon.games.grid.text.notation import SQUARE_NAMES


def squares(at: Position, name: str, observer: int = RED, past: int = 0) -> set[str]:
    """Return the squares where a plane is not 0."""
    form = at.game.form(past=past)
    tensors = at.game.encode(at.game.view(at.state, observer), form=form)
    plane: NDArray[np.generic] = tensors.planes[tensors.channels.index(name)]
    return {SQUARE_NAMES[k] for k in np.flatnonzero(plane).tolist()}


def test_gr_9_the_forbidden_square_has_a_plane() -> None:
    at = red_plays(position("classic", HALL), "e1-e2", "e2-e1")
    assert squares(at, "forbidden") == set()
    at = red_plays(position("classic", HALL), "e1-e2", "e2-e1", "e1-e2")
    assert squares(at, "forbidden") == {"e1"}
    assert squares(at, "forbidden", BLUE) == set()


@pytest.mark.parametrize("variant", ["original", "barrage"])
def test_gr_10_the_forbidden_square_has_a_plane(variant: str) -> None:
    at = position(variant, CHASE).play(*ROUND)
    assert squares(at, "forbidden") == {"a1"}
    assert squares(position(variant, CHASE, chase_rule=False).play(*ROUND), "forbidden") == set()


def test_past_moves_have_planes_for_both_players() -> None:
    at = position("classic", HALL.replace(".. .. b5", ".. b5 r3"), turn=1).play("i8xj8", "e1-e2")
    for observer in (RED, BLUE):
        assert squares(at, "past from 1", observer, 3) == squares(at, "last from", observer) == {"e1"}
        assert squares(at, "past to 1", observer, 3) == squares(at, "last to", observer) == {"e2"}
        assert squares(at, "past attack 1", observer, 3) == set()
        assert squares(at, "past from 2", observer, 3) == {"i8"}
        assert squares(at, "past to 2", observer, 3) == squares(at, "past attack 2", observer, 3) == {"j8"}
        assert squares(at, "past from 3", observer, 3) == set()


def test_a_turned_board_looks_the_same_from_both_sides() -> None:
    """With equal deployments, blue's first view is red's, except whose turn it is and who looks."""
    text = deployed("duel", *_texts())
    game = text.game
    form = game.form(canonical=True)
    red, blue = (game.encode(game.view(text.state, side), form=form).planes for side in (RED, BLUE))
    differing = {form.channels[k] for k in np.flatnonzero((red != blue).any(axis=(1, 2)))}
    assert differing == {"own turn", "viewer is red"}


def test_turned_moves_are_the_mirrored_ones() -> None:
    at = deployed("duel", *_texts())
    form = at.game.form(canonical=True)
    move = next(iter(at.legal()))
    after = at.play(move)
    mirrored = {
        SQUARE_NAMES[79 - SQUARE_NAMES.index(square)]
        for square in after.game.action_text(after.game.view(after.state, BLUE), _first_legal(after)).split("-")
    }
    turned = int(form.ids[BLUE, _first_legal(after)])
    parts = at.game.action_parts(turned)
    assert parts is not None
    assert {SQUARE_NAMES[cell] for cell in parts.cells} == mirrored


def _first_legal(at: Position) -> int:
    return int(at.game.legal_actions(at.state, BLUE)[0])


def _texts() -> tuple[str, str]:
    """Return the same deployment for both sides."""
    game = make("duel")
    view = game.view(game.initial_state(), RED)
    text = game.deployment_text(game.sensible_deployment(view, np.random.default_rng(4)).tolist())
    return text, text


def test_beliefs_give_each_hidden_piece_its_probabilities() -> None:
    """Of four hidden pieces - Flag, Bomb, 5 and 6 - the one that moved is a 5 or a 6, the others share the rest."""
    at = position("classic", "8 bF b5' b6 bB\n1 rF r6", turn=2)
    view = at.game.view(at.state, RED)
    rng = np.random.default_rng(1)
    worlds = np.concatenate([at.game.resample(view, rng) for _ in range(3000)])
    tensors = at.game.encode_belief(view, worlds)
    planes = dict(zip(tensors.channels, tensors.planes, strict=True))
    types = [name for name in planes if name.startswith("enemy ") and name.split()[1] in TYPES]
    assert sum(planes[name][7, 1] for name in types) == pytest.approx(1)
    assert planes["enemy bomb"][7, 1] == 0
    assert planes["enemy flag"][7, 1] == 0
    assert planes["enemy bomb"][7, [0, 2, 3]] == pytest.approx([1 / 3] * 3, abs=0.05)
    assert not planes["enemy unknown"].any()
    assert planes["own flag"][0, 0] == 1
