"""Boards with fewer than ten columns: squares beyond the board are not there, for nobody and in no output."""

from __future__ import annotations

import numpy as np
import pytest

import gonfalon
from gonfalon import games
from gonfalon.engine.game import TextError
from gonfalon.engine.learning.counting import perft
from gonfalon.engine.learning.observation import ActionParts
from gonfalon.games.grid import state as g
from gonfalon.games.grid.game import GridGame
from gonfalon.games.grid.play.belief.placement import read_habits, read_styles
from gonfalon.games.grid.play.deployments import load
from gonfalon.games.grid.ruleset import army

SMALL = ("grid-3x3", "grid-6x6")
each_board = pytest.mark.parametrize("variant", SMALL)


def make(variant: str) -> GridGame:
    game = gonfalon.make(variant)
    assert isinstance(game, GridGame)
    return game


def test_the_smallest_game_has_few_histories() -> None:
    """Three pieces a side, a turn limit, and under 5,000 histories, the empty one included."""
    game = gonfalon.make("grid-3x3")
    start = game.initial_state()
    counts = [1]
    while counts[-1]:
        counts.append(perft(game, start, len(counts)))
    assert sum(counts) == 2826
    assert sum(army(game.info.ruleset)) == 3
    assert game.info.ruleset.values["max_turns"] == 4


def test_small_games_are_not_among_the_players_games() -> None:
    assert not set(SMALL) & set(games.variants())
    assert set(SMALL) <= set(games.variants(unlisted=True))


@each_board
def test_the_board_has_only_its_own_squares(variant: str) -> None:
    game = make(variant)
    board = game.board()
    assert len(board.spaces) == board.columns * board.rows
    names = {space.id for space in board.spaces}
    assert all(set(space.near) <= names for space in board.spaces)
    blocked = set(game.info.ruleset.data["board"]["blocked"])
    assert {space.id for space in board.spaces if space.ground == "water"} == blocked
    zones = [space.zone for space in board.spaces]
    own = int(game.rules[0]["own_squares"])
    assert zones[:own] == ["red"] * own
    assert zones[-own:] == ["blue"] * own
    assert not any(zones[own:-own])


@each_board
def test_each_side_sees_the_board_turned_about_its_own_middle(variant: str) -> None:
    game = make(variant)
    columns, rows = game.board().columns, game.board().rows
    red, blue = game.rules[0]["own"][:, : game.rules[0]["own_squares"]].astype(int)
    turned = [(rows - 1 - y) * g.COLUMNS + columns - 1 - x for y, x in zip(red // 10, red % 10, strict=True)]
    assert blue.tolist() == turned


def test_texts_name_no_square_beyond_the_board() -> None:
    game = gonfalon.make("grid-6x6")
    view = game.view(game.initial_state(), 0)
    with pytest.raises(gonfalon.records.TextError, match=r"'g1' is no square of this board \(a1 to f6\)"):
        game.parse_action(view, "f1-g1")
    with pytest.raises(gonfalon.records.TextError, match=r"row 6 has 7 squares, not 6"):
        game.parse_state("grid-6x6\nturn 0 quiet 0\n6 .. .. .. .. .. .. ~~")
    assert game.explain_path(view, ("f1", "g1")).code == "unknown-action"


@each_board
def test_observations_have_the_size_of_the_board(variant: str) -> None:
    game, rng = make(variant), np.random.default_rng(1)
    board = game.board()
    assert game.observation_spec.shape[1:] == (board.rows, board.columns)
    state = game.initial_state()
    tensors = game.encode(game.view(state, 0))
    blocked = tensors.planes[tensors.channels.index("blocked")]
    assert {game.board().spaces[cell].id for cell in np.flatnonzero(blocked)} == {
        space.id for space in board.spaces if space.ground == "water"
    }
    for side in range(2):
        for action in game.random_deployment(game.view(state, side), rng):
            state = game.apply(state, side, int(action))
    tensors = game.encode(game.view(state, 1))
    unknown = tensors.planes[tensors.channels.index("enemy unknown")]
    shown = {token.place for token in game.scene(game.view(state, 1)).tokens if token.side == "red"}
    assert {board.spaces[cell].id for cell in np.flatnonzero(unknown)} == shown


def test_parts_of_actions_are_cells_of_the_board() -> None:
    """On six columns, b1 is cell 1 and a2 is cell 6."""
    game = gonfalon.make("grid-6x6")
    view = game.view(game.initial_state(), 0)
    assert game.action_parts(game.parse_action(view, "b1-b2")) == ActionParts("move", (1, 7))
    assert game.find_action(ActionParts("move", (6, 7))) == game.parse_action(view, "a2-b2")


@pytest.mark.parametrize("columns", range(3, 11))
@pytest.mark.parametrize("rows", range(1, 6))
def test_habits_fit_every_size(rows: int, columns: int) -> None:
    """Tables of people's habits have a row for each own square. Without columns between theirs they stay as they
    are.
    """
    for sparse in (False, True):
        habits = read_habits(sparse, rows, columns)
        assert habits.shape == (rows * columns, g.TYPES)
        assert (habits[:, 1:] > 0).all()
        chosen, shares = read_styles(sparse, rows, columns)
        assert shares.shape == (len(chosen), rows * columns, g.TYPES)
    wide, narrow = read_habits(True, rows, 10)[:10], read_habits(True, rows, columns)[:columns]
    assert np.array_equal(narrow[[0, -1]], wide[[0, -1]])


@each_board
def test_ready_deployments_are_offered(variant: str) -> None:
    game, rng = gonfalon.make(variant), np.random.default_rng(3)
    ready = set(load(game.info.ruleset).values())
    width = game.board().columns
    mirrored = {"".join(text[k : k + width][::-1] for k in range(0, len(text), width)) for text in ready}
    for _ in range(20):
        actions = game.sensible_deployment(game.view(game.initial_state(), 0), rng)
        assert game.deployment_text(actions.tolist()) in ready | mirrored


def test_each_board_reads_a_move_by_its_own_squares() -> None:
    """Games remember the texts of moves; the texts of one board mean nothing on another."""
    large, small = make("grid-6x6"), make("grid-3x3")
    sights = [(game, game.view(game.initial_state(), 0)) for game in (large, small)]
    for _ in range(2):
        actions = [game.parse_action(view, "a1-a3") for game, view in sights]
        assert [game.action_text(view, action) for (game, view), action in zip(sights, actions, strict=True)] == [
            "a1-a3",
            "a1-a3",
        ]
        assert large.action_text(sights[0][1], large.parse_action(sights[0][1], "f1-f6")) == "f1-f6"
        with pytest.raises(TextError, match="'f1' is no square of this board"):
            small.parse_action(sights[1][1], "f1-f6")
