"""Fills an arrangement as people would, around what is placed already."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import numpy as np

from gonfalon.engine.game import Game
from gonfalon.engine.scene import Arrange
from gonfalon.engine.search import Mind
from gonfalon.engine.view import View

TRIES = 12
"""So many arrangements are drawn; the one that agrees best with what is placed is completed."""
HASTY = Mind(seconds=0.0, breadth=1)
"""Who asks waits for nothing that takes thought."""


class NotPlacedError(ValueError):
    """What is said to be placed cannot be."""


def suggest(game: Game, view: View, given: Mapping[str, str], rng: np.random.Generator) -> dict[str, str]:
    """A face for each place of the viewer's arrangement, "" for one that stays empty; those `given` stay. Raises
    `NotPlacedError` if there is nothing to arrange, or not of these pieces.
    """
    arrange = game.scene(view).arrange
    if arrange is None:
        raise NotPlacedError("there is nothing to place")
    _check(arrange, given)
    drawn = (_draw(game, view, arrange, rng) for _ in range(TRIES if given else 1))
    found = max(drawn, key=lambda at: sum(at[place] == face for place, face in given.items()))
    for place, face in given.items():
        _put(found, place, face, given)
    return found


def _check(arrange: Arrange, given: Mapping[str, str]) -> None:
    if strange := sorted(set(given) - set(arrange.places)):
        raise NotPlacedError(f"{strange[0]} is no place of this arrangement")
    left = {piece.face: piece.count for piece in arrange.pieces}
    for face, count in Counter(given.values()).items():
        if count > left.get(face, 0):
            raise NotPlacedError(f"there are {left.get(face, 0)} of {face or 'the empty places'} to place, not {count}")


def _draw(game: Game, view: View, arrange: Arrange, rng: np.random.Generator) -> dict[str, str]:
    faces = {piece.action: piece.face for piece in arrange.pieces}
    actions = game.plan_deployment(view, HASTY, rng).tolist()
    return {place: faces[action] for place, action in zip(arrange.places, actions, strict=True)}


def _put(at: dict[str, str], place: str, face: str, given: Mapping[str, str]) -> None:
    """Puts a piece on its place; what stood there goes where the piece would have gone, if that was anywhere."""
    if at[place] == face:
        return
    other = next((each for each, its in at.items() if its == face and given.get(each) != face), "")
    if other:
        at[other] = at[place]
    at[place] = face
