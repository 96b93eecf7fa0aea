"""Fills an arrangement as people would, around what is placed already."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import numpy as np

from gonfalon.engine.game import Actions, Game
from gonfalon.engine.scene import Arrange
from gonfalon.engine.search import Mind
from gonfalon.engine.view import View

TRIES = 12
"""At least so many arrangements are drawn where some is placed, so that one agrees well with it."""
HASTY = Mind(seconds=0.0, breadth=1)
"""Draws once and thinks nothing over."""
BREADTH = 5
"""The square of it is drawn where there is time to find out which does best."""


class NotPlacedError(ValueError):
    """What is said to be placed cannot be."""


def suggest(
    game: Game, view: View, given: Mapping[str, str], rng: np.random.Generator, seconds: float = 0.0
) -> dict[str, str]:
    """A face for each place of the viewer's arrangement, "" for one that stays empty; those `given` stay. `seconds`:
    how long it may take to find out which does best, in a game that weighs deployments; without them that is not tried.
    Raises `NotPlacedError` if there is nothing to arrange, or not of these pieces.
    """
    arrange = check_given(game, view, given)
    mind = Mind(seconds=seconds, breadth=BREADTH) if seconds and game.weighs_deployments(view) else HASTY
    count = max(mind.breadth**2, TRIES if given else 1)
    drawn = (_read(arrange, game.plan_deployment(view, HASTY, rng)) for _ in range(count))
    nearest_first = sorted(drawn, key=lambda at: -sum(at[place] == face for place, face in given.items()))
    for at in nearest_first:
        for place, face in given.items():
            _put(at, place, face, given)
    deployments = [_write(arrange, at) for at in nearest_first]
    return _read(arrange, game.choose_deployment(view, deployments, mind, rng))


def suggest_choice(game: Game, view: View, rng: np.random.Generator) -> Actions:
    """What to choose before play where that is no arrangement, such as a territory."""
    return game.plan_deployment(view, Mind(seconds=0.0, breadth=BREADTH), rng)


def check_given(game: Game, view: View, given: Mapping[str, str]) -> Arrange:
    """What the viewer is to arrange. Raises `NotPlacedError` as `suggest` does."""
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
    """Faces by place."""
    faces = {piece.action: piece.face for piece in arrange.pieces}
    return {place: faces[action] for place, action in zip(arrange.places, actions.tolist(), strict=True)}


def _write(arrange: Arrange, at: Mapping[str, str]) -> Actions:
    actions = {piece.face: piece.action for piece in arrange.pieces}
    return np.array([actions[at[place]] for place in arrange.places], np.int32)


def _put(at: dict[str, str], place: str, face: str, given: Mapping[str, str]) -> None:
    """Puts a piece on its place; what stood there goes where the piece would have gone, if that was anywhere."""
    if at[place] == face:
        return
    other = next((each for each, its in at.items() if its == face and given.get(each) != face), "")
    if other:
        at[other] = at[place]
    at[place] = face
