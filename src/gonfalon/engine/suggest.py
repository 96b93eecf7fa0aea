"""Suggests an arrangement as people would make it, which keeps the pieces that are already placed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import numpy as np

from gonfalon.engine.game import Actions, Game
from gonfalon.engine.screens.scene import Arrange
from gonfalon.engine.search import Mind
from gonfalon.engine.view import View

TRIES = 12
"""Minimum number of arrangements drawn when some pieces are placed, so that one of them fits these pieces well."""
HASTY = Mind(seconds=0.0, breadth=1)
"""A mind that draws once, without a search."""
BREADTH = 5
"""`Mind.breadth` if there is time to think. Its square is the number of arrangements to compare."""


class NotPlacedError(ValueError):
    """The given pieces cannot be placed in this way."""


def suggest(
    game: Game,
    view: View,
    given: Mapping[str, str],
    rng: np.random.Generator,
    seconds: float = 0.0,
    *,
    processor_time: bool = False,
) -> dict[str, str]:
    """Return a face for each place of the viewer's arrangement, "" for one that stays empty; those `given` stay.
    `seconds`: time to find out which arrangement does best, in a game that weighs deployments; 0 skips that.
    `processor_time`: see `Mind`. Raises `NotPlacedError` if there is nothing to arrange, or not of these pieces.
    """
    arrange = check_given(game, view, given)
    weighs = seconds and game.weighs_deployments(view)
    mind = Mind(seconds=seconds, breadth=BREADTH, processor_time=processor_time) if weighs else HASTY
    count = max(mind.breadth**2, TRIES if given else 1)
    drawn = (_read(arrange, game.plan_deployment(view, HASTY, rng)) for _ in range(count))
    nearest_first = sorted(drawn, key=lambda at: -sum(at[place] == face for place, face in given.items()))
    for at in nearest_first:
        for place, face in given.items():
            _put(at, place, face, given)
    fixed = {index for index, place in enumerate(arrange.places) if place in given}
    deployments = [game.settle_deployment(view, _write(arrange, at), fixed, rng) for at in nearest_first]
    return _read(arrange, game.choose_deployment(view, deployments, mind, rng))


def suggest_choice(game: Game, view: View, rng: np.random.Generator) -> Actions:
    """Return a choice before play that is not an arrangement, such as a territory."""
    return game.plan_deployment(view, Mind(seconds=0.0, breadth=BREADTH), rng)


def check_given(game: Game, view: View, given: Mapping[str, str]) -> Arrange:
    """Return the viewer's arrangement. Raises `NotPlacedError` like `suggest`."""
    arrange = game.scene(view).arrange
    if arrange is None:
        raise NotPlacedError("there is nothing to place")
    if strange := sorted(set(given) - set(arrange.places)):
        raise NotPlacedError(f"{strange[0]} is no place of this arrangement")
    left = {piece.face: piece.count for piece in arrange.pieces}
    for face, count in Counter(given.values()).items():
        if count > left.get(face, 0):
            raise NotPlacedError(f"there are {left.get(face, 0)} of {face or 'the empty places'} to place, not {count}")
    return arrange


def _read(arrange: Arrange, actions: Actions) -> dict[str, str]:
    """Return the faces by place."""
    faces = {piece.action: piece.face for piece in arrange.pieces}
    return {place: faces[action] for place, action in zip(arrange.places, actions.tolist(), strict=True)}


def _write(arrange: Arrange, at: Mapping[str, str]) -> Actions:
    actions = {piece.face: piece.action for piece in arrange.pieces}
    return np.array([actions[at[place]] for place in arrange.places], np.int32)


def _put(at: dict[str, str], place: str, face: str, given: Mapping[str, str]) -> None:
    """Put a piece on `place`. The piece that stands there goes to the place that the new piece leaves, if there is
    one.
    """
    if at[place] == face:
        return
    other = next((each for each, its in at.items() if its == face and given.get(each) != face), "")
    if other:
        at[other] = at[place]
    at[place] = face
