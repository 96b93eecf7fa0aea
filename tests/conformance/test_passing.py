"""Secrets when a side is passed over (GR-19): all that an observer gets is the same in every world that the rules leave
possible. Random matches seldom come so far, so these begin shortly before.
"""

from __future__ import annotations

from typing import cast

import numpy as np
import pytest

from conformance.cases import play
from conformance.families import grid
from conformance.families.grid_watcher import Piece, board, list_passes
from conformance.secrecy import Tally, check_step
from conformance.worlds import Family
from gonfalon.engine.game import Game, State
from gonfalon.games.grid import state as g
from gonfalon.games.grid.tests.diagrams import full_diagram, make
from gonfalon.games.grid.tests.test_oracle import close_fight


def shut_in(game: Game, rng: np.random.Generator) -> State:
    """Return a position in which a10 and b10 are shut in by blue pieces, which only a Miner clears away. Red's pieces
    stand near.
    """
    walls, inside = ["bB", "bB", "bB"], ["b5", str(rng.choice(["b2", "b4", "bF", "bB"]))]
    last = "bF" if "bF" not in inside else "bB"
    a10, b10 = rng.permutation(inside)
    near = rng.permutation(["r3", "r7", "..", "..", "..", ".."])
    rows = f"10 {a10} {b10} {walls[0]} .. .. .. .. .. .. {last}\n9 {walls[1]} {walls[2]}\n8 {' '.join(near)}\n1 rF"
    return game.parse_state(f"{game.info.variant}\nturn 0 quiet 0\n{full_diagram(game, rows)}")


def watch(game: Game, state: State) -> grid.Watcher:
    """Return a watcher that knows nothing of the pieces in a position."""
    watcher = grid.Watcher(game)
    watcher.started = True
    watcher.pieces = {square: Piece() for square, code in enumerate(board(state)) if code}
    return watcher


@pytest.mark.parametrize("switches", [{"two_square_limit": 0}, {"two_square_limit": 3}, {"silent_defence": True}])
def test_gr_19_a_pass_shows_what_it_must_and_nothing_else(switches: dict[str, bool | int]) -> None:
    game = make("original", chase_rule=False, no_move_passes=True, **switches)
    rng, tally, passes, listed = np.random.default_rng(5), Tally(), 0, 0
    while tally.positions < 600:
        state = shut_in(game, rng) if rng.integers(2) else close_fight(game, rng)
        watcher = watch(game, state)
        for step in play(game, rng, 40, state=state):
            tally = tally.plus(check_step(game, cast("Family", grid), watcher, step, rng))
            passes += len(list_passes(step))
            listed += check_worlds(game, step.after, watcher, rng) if list_passes(step) else 0
    assert passes > 50
    assert tally.worlds > tally.positions
    assert tally.steps > tally.positions // 4
    assert listed > 20


def check_worlds(game: Game, state: State, watcher: grid.Watcher, rng: np.random.Generator) -> int:
    """Check that resampled worlds are among those that the rules leave possible, and that the public knowledge excludes
    none of those. Return the number of compared lists.
    """
    lists, ruled_out = 0, state["ruled_out"][0, : g.SQUARES]
    for observer in (0, 1):
        worlds = grid.deals(game, state, watcher, observer)
        if worlds is not None:
            view, lists = game.view(state, observer), lists + 1
            assert {grid.key(game.resample(view, rng)) for _ in range(5)} <= set(worlds)
            for world in worlds:
                kinds = np.frombuffer(world, np.uint8) & g.TYPE
                assert not (ruled_out >> kinds & 1)[kinds > 0].any()
    return lists
