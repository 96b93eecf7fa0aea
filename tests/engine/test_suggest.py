"""Suggested arrangements are complete and legal, and keep the pieces that are already placed."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

import gonfalon
from gonfalon.engine.chance import draw_all
from gonfalon.engine.search import Mind
from gonfalon.engine.suggest import NotPlacedError, suggest

VARIANTS = ("classic", "barrage", "cardgame", "conquest-two")


def arranging(variant: str, rng: np.random.Generator) -> tuple[Any, Any]:
    """Return a game and a state in which the game's first player places pieces."""
    game = gonfalon.make(variant)
    state = draw_all(game, game.initial_state(), rng)
    while game.scene(game.view(state, 0)).arrange is None:
        (player, *_) = game.to_act(state)
        (action,) = game.sensible_deployment(game.view(state, player), rng)
        state = draw_all(game, game.apply(state, player, int(action)), rng)
    return game, state


@pytest.mark.parametrize("seconds", [0.0, 0.02])
@pytest.mark.parametrize("variant", VARIANTS)
def test_what_is_placed_stays_and_the_whole_is_legal(variant: str, seconds: float) -> None:
    rng = np.random.default_rng(5)
    game, state = arranging(variant, rng)
    view = game.view(state, 0)
    arrange = game.scene(view).arrange
    faces = [piece.face for piece in arrange.pieces for _ in range(piece.count)]
    actions = {piece.face: piece.action for piece in arrange.pieces}
    for count in (0, 1, 3, len(arrange.places) // 2):
        for _ in range(5):
            places, pieces = rng.permutation(arrange.places)[:count], rng.permutation(faces)[:count]
            given = {str(place): str(face) for place, face in zip(places, pieces, strict=True) if face}
            found = suggest(game, view, given, rng, seconds)
            assert given.items() <= found.items()
            assert tuple(found) == arrange.places
            after = state
            for place in arrange.places:
                after = game.apply(after, 0, actions[found[place]])
            assert game.scene(game.view(after, 0)).arrange is None


def test_suggestions_differ_and_keep_the_flag_from_the_front_row() -> None:
    rng = np.random.default_rng(6)
    game, state = arranging("classic", rng)
    found = [suggest(game, game.view(state, 0), {}, rng) for _ in range(40)]
    assert len({tuple(at.items()) for at in found}) > 30
    flags = Counter(place[1:] for at in found for place, face in at.items() if face == "flag")
    assert flags["3"] == 0


@pytest.mark.parametrize("variant", ["classic", "barrage", "duel", "special"])
def test_a_placed_piece_does_not_drive_the_flag_to_the_front_row(variant: str) -> None:
    """The player's own piece stands where the suggestion would have put the Flag."""
    rng = np.random.default_rng(9)
    game, state = arranging(variant, rng)
    view = game.view(state, 0)
    *behind, front = sorted({place[1:] for place in game.scene(view).arrange.places}, key=int)
    given = {place: "scout" for place in game.scene(view).arrange.places if place[1:] in behind}
    scouts = next(piece.count for piece in game.scene(view).arrange.pieces if piece.face == "scout")
    for _ in range(40):
        places = rng.permutation(list(given))[:scouts].tolist()
        found = suggest(game, view, dict.fromkeys(places, "scout"), rng)
        assert all(place[1:] != front for place, face in found.items() if face == "flag")


@pytest.mark.parametrize("variant", ["conquest", "conquest-three", "conquest-two", "conquest-narrows"])
@pytest.mark.parametrize("seconds", [0.0, 0.02])
def test_a_placed_unit_does_not_drive_the_king_beside_an_enemy(variant: str, seconds: float) -> None:
    """The player fills inner zones; the King takes one that is left, as the Flag does."""
    rng = np.random.default_rng(10)
    game, state = arranging(variant, rng)
    view = game.view(state, 0)
    places = game.scene(view).arrange.places
    inner = [space.id for space in game.board().spaces if {space.id, *space.near} <= set(places)]
    assert len(inner) > 2
    for _ in range(4):
        given = dict.fromkeys(rng.permutation(inner)[2:4].tolist(), "scout")
        at = suggest(game, view, given, rng, seconds)
        assert given.items() <= at.items()
        assert {place for place, face in at.items() if face in ("king", "flag")} <= set(inner) - set(given)


def test_with_time_the_better_ones_are_suggested() -> None:
    """In Conquest the first placements matter most: suggestions made with time win a longer comparison."""
    rng = np.random.default_rng(8)
    game, state = arranging("conquest-two", rng)
    view = game.view(state, 0)
    actions = {piece.face: piece.action for piece in game.scene(view).arrange.pieces}
    given = {game.scene(view).arrange.places[0]: "flag"}
    long_look, won = Mind(seconds=0.6, processor_time=True), 0
    for _ in range(14):
        found = [suggest(game, view, given, rng, seconds, processor_time=True) for seconds in (0.0, 0.2)]
        pair = [np.array([actions[face] for face in at.values()], np.int32) for at in found]
        won += game.choose_deployment(view, pair, long_look, rng) is pair[1]
    # Of 96 such pairs 91 were won.
    assert won >= 9


def test_what_cannot_be_placed_is_named() -> None:
    rng = np.random.default_rng(7)
    game, state = arranging("barrage", rng)
    view = game.view(state, 0)
    for given, words in (({"a9": "flag"}, "a9 is no place"), ({"a1": "flag", "b1": "flag"}, "there are 1 of flag")):
        with pytest.raises(NotPlacedError, match=words):
            suggest(game, view, given, rng)
    for action in game.sensible_deployment(view, rng):
        state = game.apply(state, 0, int(action))
    with pytest.raises(NotPlacedError, match="nothing to place"):
        suggest(game, game.view(state, 0), {}, rng)
