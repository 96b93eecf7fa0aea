"""The search and the Flags: who comes to the own one is stopped in time, and a race is run when it can be won."""

from __future__ import annotations

import numpy as np

from gonfalon.engine.search import Mind
from gonfalon.games.grid.tests.diagrams import BLUE, RED, position

THOROUGH = Mind(seconds=600, depth=3, worlds=8)
"""It ends by depth and worlds, so it gives the same answer again."""


def decide(diagram: str, player: int = RED) -> str:
    """What the search does with a position of Original."""
    place = position("original", diagram, turn=200 + player)
    view = place.game.view(place.state, player)
    options = place.game.search(view, (), THOROUGH, np.random.default_rng(1))
    return place.game.action_text(view, options[0].actions[0])


def test_a_miner_that_comes_to_the_flag_is_stopped_though_there_is_something_to_take() -> None:
    assert decide(
        """
        10 bF bB .. .. .. .. .. .. .. ..
         9 bB .. .. .. .. .. .. .. .. ..
         8 .. .. .. .. .. .. .. .. .. ..
         5 r6'! b5'! ~~ ~~ .. .. ~~ ~~ .. ..
         4 .. .. .. .. .. .. .. r4' .. ..
         3 .. .. .. .. .. .. .. .. .. ..
         2 .. .. .. .. .. .. rB! .. b3'! ..
         1 .. .. .. .. .. rB! rF rB! .. ..
        """
    ).startswith("h4-")


def test_far_from_the_flag_the_same_miner_is_left_alone() -> None:
    assert (
        decide(
            """
        10 bF bB .. .. .. .. .. .. .. ..
         9 bB .. .. .. .. .. .. b3'! .. ..
         8 .. .. .. .. .. .. .. .. .. ..
         5 r6'! b5'! ~~ ~~ .. .. ~~ ~~ .. ..
         4 .. .. .. .. .. .. .. r4' .. ..
         3 .. .. .. .. .. .. .. .. .. ..
         2 .. .. .. .. .. .. rB! .. .. ..
         1 .. .. .. .. .. rB! rF rB! .. ..
        """
        )
        == "a5xb5"
    )


def test_who_is_first_at_a_known_flag_does_not_turn_back() -> None:
    assert (
        decide(
            """
        10 bF! bB! .. .. .. .. .. .. .. ..
         9 bB! .. .. .. .. .. .. .. .. ..
         8 r3'! .. .. .. .. .. .. .. .. ..
         4 .. .. .. .. .. .. .. r4' .. ..
         3 .. .. .. .. .. .. .. .. .. ..
         2 .. .. .. .. .. .. rB! .. b3'! ..
         1 .. .. .. .. .. rB! rF rB! .. ..
        """
        )
        == "a8xa9"
    )


def test_where_all_else_loses_a_flag_is_guessed() -> None:
    assert (
        decide(
            """
        10 bF bB! .. .. .. .. .. .. .. ..
         9 .. .. .. .. .. .. .. .. .. ..
         8 r3'! .. .. .. .. .. .. .. .. ..
         3 .. .. .. .. .. .. .. .. rB! ..
         2 .. rB .. .. .. .. .. rB .. ..
         1 rB! rF rB! b3'! .. .. .. .. .. rB!
        """,
            BLUE,
        )
        == "d1xc1"
    )
