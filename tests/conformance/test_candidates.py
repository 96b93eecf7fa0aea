"""Types that a viewer cannot rule out include the true ones, and those of all worlds with the same view."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from conformance.cases import Case, each_case, game_of, observers, samples
from gonfalon.engine.game import EVERYTHING, Game, State

STEPS, WORLDS, EVERY = 250, 6, 25


def looked_at(case: Case) -> Iterator[tuple[Game, State, int]]:
    game = game_of(case)
    for match in samples(case, 5, STEPS):
        for step in match[::EVERY]:
            for observer in observers(game):
                yield game, step.after, observer


def others(game: Game, state: State, observer: int) -> dict[str, str]:
    """Return the true types of other players' pieces by space."""
    own = game.info.sides[observer] if observer >= 0 else ""
    tokens = game.scene(game.view(state, EVERYTHING)).tokens
    return {token.place: token.face for token in tokens if token.side != own}


@each_case
def test_the_truth_and_what_cannot_be_told_from_it_are_candidates(case: Case) -> None:
    rng = np.random.default_rng(7)
    for game, state, observer in looked_at(case):
        view = game.view(state, observer)
        found = game.candidates(view)
        if not game.standing(view).started:
            assert not found
            continue
        truth = others(game, state, observer)
        own = game.info.sides[observer] if observer >= 0 else ""
        assert set(found) == {token.place for token in game.scene(view).tokens if token.side != own}
        for world in (truth, *(others(game, game.resample(view, rng), observer) for _ in range(WORLDS))):
            assert all(world[place] in faces for place, faces in found.items())


@each_case
def test_what_is_shown_has_one_candidate_and_a_view_without_secrets_only_such(case: Case) -> None:
    for game, state, observer in looked_at(case):
        found = game.candidates(game.view(state, observer))
        shown = {token.place: token.face for token in game.scene(game.view(state, observer)).tokens if token.face}
        assert all(found[place] == (face,) for place, face in shown.items() if place in found)
        assert all(len(faces) == 1 for faces in game.candidates(game.view(state, EVERYTHING)).values())
