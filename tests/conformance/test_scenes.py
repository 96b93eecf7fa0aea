"""Scenes and choices, as a screen, a screen reader or a terminal uses them."""

from __future__ import annotations

import math
from collections import Counter, defaultdict

import msgspec
import numpy as np

from conformance.cases import Case, all_observers, each_case, game_of, samples
from gonfalon.engine.game import PUBLIC
from gonfalon.engine.screens.patches import compare_scenes
from gonfalon.engine.screens.scene import Board, Choice, Scene
from gonfalon.engine.view import View, copy_rows


def views_of(case: Case, seed: int, count: int = 240) -> list[View]:
    """Return views of every observer, along random matches."""
    game = game_of(case)
    states = [step.after for match in samples(case, seed, count, lively=0.5) for step in match]
    return [game.view(state, observer) for state in states[::2] for observer in all_observers(game)]


@each_case
def test_choices(case: Case) -> None:
    """No path is the beginning of another one. Paths use elements of the scene and lead to exactly the legal
    actions.
    """
    game = game_of(case)
    spaces = {space.id for space in game.board().spaces}
    regions = {space.id: space.zone for space in game.board().spaces} if game.board().regions else {}
    for view in views_of(case, 41):
        scene, choices = game.scene(view), game.choices(view)
        if scene.arrange is not None:
            assert choices == ()
            _check_arrange(scene, view, spaces)
            continue
        assert {choice.id for choice in choices} == set(view.legal.tolist())
        _check_paths(choices, regions)
        items = {item.id for tray in scene.trays for item in tray.items}
        buttons = {button.id for button in scene.buttons}
        used = {element for choice in choices for element in choice.path}
        assert used <= spaces | items | buttons
        assert buttons <= used, "a button that leads nowhere"
        assert not spaces & items
        assert not (spaces | items) & buttons
        for hint in game.hints(view):
            begins = {choice.path[0] for choice in choices if not hint.verbs or choice.verb in hint.verbs}
            assert choices, "a hint for a viewer who has nothing to decide"
            assert set(hint.on) <= begins, hint


@each_case
def test_standing_is_what_the_scene_shows(case: Case) -> None:
    """Code without a screen, and agents, get the same facts as a screen."""
    game = game_of(case)
    for view in views_of(case, 43):
        scene, standing = game.scene(view), game.standing(view)
        out = tuple(game.info.sides[player] for player in standing.out)
        shown = (scene.started, scene.turn, scene.out, scene.arrange is not None)
        assert (standing.started, standing.turn, out, standing.arranges) == shown


@each_case
def test_patches(case: Case) -> None:
    """Patches lead from any view of an observer to any later one: over steps, over drafts that are taken back, and over
    missed steps.
    """
    game = game_of(case)
    for observer in all_observers(game):
        for match in samples(case, 47, 120, lively=0.5):
            views = [game.view(step.after, observer) for step in match]
            for number, before in enumerate(views):
                for after in (*views[number + 1 : number + 8 : 3], views[max(0, number - 3)]):
                    assert game.patch(before, after) == compare_scenes(game.scene(before), game.scene(after))


def _check_paths(choices: tuple[Choice, ...], regions: dict[str, str]) -> None:
    """Check paths. Several paths may lead to one action only if they have the same elements, or are spaces of one
    region that is chosen as a whole.
    """
    paths = {choice.path for choice in choices}
    assert len(paths) == len(choices)
    assert () not in paths
    assert not any(path[:length] in paths for path in paths for length in range(1, len(path)))
    by_action = defaultdict(list)
    for choice in choices:
        by_action[choice.id].append(choice)
    for same in by_action.values():
        assert len({choice.verb for choice in same}) == 1
        if len({frozenset(choice.path) for choice in same}) > 1:
            (region,) = {regions.get(element) for choice in same for element in choice.path}
            assert sorted(choice.path for choice in same) == sorted((s,) for s, r in regions.items() if r == region)


def _check_arrange(scene: Scene, view: View, spaces: set[str]) -> None:
    """Check that there are at least as many pieces (or empty ones) as places, and that exactly the legal ones can be
    placed.
    """
    arrange = scene.arrange
    assert arrange is not None
    assert len(set(arrange.places)) == len(arrange.places) > 0
    assert set(arrange.places) <= spaces
    assert sum(piece.count for piece in arrange.pieces) >= len(arrange.places)
    assert all(piece.count > 0 for piece in arrange.pieces)
    assert sorted(piece.action for piece in arrange.pieces) == view.legal.tolist()
    assert len({piece.letter for piece in arrange.pieces}) == len(arrange.pieces)
    taken = {token.place for token in scene.tokens}
    assert not taken & set(arrange.places)


@each_case
def test_scenes(case: Case) -> None:
    """A space has at most one token, and only if pieces can enter it. Ids are unique. JSON reads back equal."""
    game = game_of(case)
    ground = {space.id: space.ground for space in game.board().spaces}
    places_of_tints = {*ground, *(region.id for region in game.board().regions)}
    for view in views_of(case, 42, 160):
        scene = game.scene(view)
        places = [token.place for token in scene.tokens]
        assert len(set(places)) == len(places)
        assert all(ground[place] == "land" for place in places)
        assert max(Counter(token.id for token in scene.tokens).values(), default=1) == 1
        assert {token.side for token in scene.tokens} <= set(game.info.sides)
        assert set(scene.to_act) <= set(game.info.sides)
        assert all(tint.place in places_of_tints for tint in scene.tints)
        assert set(scene.out) <= set(game.info.sides) - set(scene.to_act)
        assert tuple(line.args["side"] for line in scene.left) == scene.out
        _check_groups(scene)
        assert msgspec.json.decode(msgspec.json.encode(scene), type=Scene) == scene
        choices = game.choices(view)
        assert msgspec.json.decode(msgspec.json.encode(choices), type=tuple[Choice, ...]) == choices


def _check_groups(scene: Scene) -> None:
    """Check that groups are disjoint on the board, and that their pieces are where the group says. A group has at least
    as many pieces as known types.
    """
    sides = {token.place: token.side for token in scene.tokens}
    trays = {f"{tray.kind}.{tray.side}": sum(item.count for item in tray.items) for tray in scene.trays}
    spaces = [place for group in scene.groups for place in group.places if place in sides]
    assert len(set(spaces)) == len(spaces)
    for group in scene.groups:
        here = [place for place in group.places if place in sides]
        beside = [place for place in group.places if place not in sides]
        assert all(sides[space] == group.side for space in here)
        assert all(place.endswith(f".{group.side}") for place in beside)
        assert 0 < len(group.faces) <= group.count
        assert len(here) + len(beside) <= group.count <= len(here) + sum(trays[place] for place in beside)


@each_case
def test_everything_shown_is_a_function_of_the_view_alone(case: Case) -> None:
    """Another game object and another view object with equal bytes give equal scenes, choices, tensors and texts."""
    game = game_of(case)
    for view in views_of(case, 43, 60):
        twin = View(copy_rows(view.record), view.observer, view.ruleset)
        assert twin.tobytes() == view.tobytes()
        assert msgspec.json.encode(game.scene(twin)) == msgspec.json.encode(game.scene(view))
        assert game.choices(twin) == game.choices(view)
        assert game.hints(twin) == game.hints(view)
        assert game.encode(twin).planes.tobytes() == game.encode(view).planes.tobytes()


@each_case
def test_tensors(case: Case) -> None:
    game = game_of(case)
    board = game.board()
    on_grid = (board.rows, board.columns) if board.layout != "map" else None
    for view in views_of(case, 44, 40):
        tensors = game.encode(view)
        shape = on_grid or tensors.planes.shape[1:]
        assert math.prod(shape) >= len(board.spaces)
        assert tensors.planes.dtype == np.float32
        assert tensors.planes.shape == (len(tensors.channels), *shape)
        assert len(set(tensors.channels)) == len(tensors.channels)
        assert np.isfinite(tensors.planes).all()
        assert 0 <= tensors.planes.min() <= tensors.planes.max() <= 1


@each_case
def test_board(case: Case) -> None:
    """Ids are unique, neighbours are mutual, and JSON reads back equal."""
    game = game_of(case)
    board = game.board()
    near = {space.id: set(space.near) for space in board.spaces}
    assert len(near) == len(board.spaces)
    assert all(one in near[other] for one, others in near.items() for other in others)
    assert {space.zone for space in board.spaces} <= {"", *game.info.sides, *(region.id for region in board.regions)}
    assert msgspec.json.decode(msgspec.json.encode(board), type=Board) == board
    assert game.scene(game.view(game.initial_state(), PUBLIC)).arrange is None
