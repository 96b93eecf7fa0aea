"""The search and the Flags: it stops approaching enemies in time, and runs a race that it can win."""

from __future__ import annotations

from typing import cast

import numpy as np
import pytest
from numpy.typing import NDArray

from gonfalon.engine.search import Clock, Mind
from gonfalon.engine.view import copy_rows, zero_rows
from gonfalon.games.grid import state as g
from gonfalon.games.grid.play.evaluate.context import CONTEXT
from gonfalon.games.grid.play.search.alpha_beta import prepare_context
from gonfalon.games.grid.play.search.flag_guard import choose_worlds, find_doubt, find_exposure, judge_secrecy
from gonfalon.games.grid.play.search.searcher import Searcher
from gonfalon.games.grid.play.tunables import GUARD_SHARE
from gonfalon.games.grid.tests.diagrams import BLUE, RED, position
from gonfalon.games.grid.text.notation import parse_square

THOROUGH = Mind(seconds=600, depth=3, worlds=8)
"""A search that ends by depth and worlds, so its answer is always the same."""
UNGUARDED = Mind(seconds=600, depth=2, worlds=8)
"""A search too shallow to examine moves around the Flag separately."""


def decide(diagram: str, player: int = RED, mind: Mind = THOROUGH) -> str:
    """Search a position of Original."""
    place = position("original", diagram, turn=200 + player)
    view = place.game.view(place.state, player)
    options = place.game.search(view, (), mind, np.random.default_rng(1))
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


FAR_SIDE = """
        10 .. .. .. .. .. .. .. bB bF bB
         9 .. .. .. .. .. .. .. .. bB! b2
         8 .. .. .. .. .. .. b6' .. .. bB!
         7 .. .. .. .. .. .. .. .. .. ..
         6 .. .. ~~ ~~ .. .. ~~ ~~ .. {comes}
         3 .. .. .. .. .. b4'! .. .. .. ..
         2 .. .. .. .. rB r2'! .. .. .. ..
         1 .. .. .. rB rF rB .. .. .. ..
"""


def test_who_can_still_stop_a_miner_from_the_far_side_goes_in_time() -> None:
    """The Sergeant is near the Flag but has to go round Red's own Bombs."""
    assert decide(FAR_SIDE.format(comes="r3'!"), BLUE) == "g8-h8"


def test_no_other_piece_calls_the_guard_away() -> None:
    assert decide(FAR_SIDE.format(comes="r5'!"), BLUE) != "g8-h8"


AFAR = """
        10 bF bB .. .. .. .. .. .. .. ..
         9 bB .. .. .. .. .. .. .. .. ..
         8 .. .. .. .. .. {comes} .. .. .. ..
         5 r4'! .. ~~ ~~ .. .. ~~ ~~ .. ..
         4 .. .. .. .. .. .. .. .. .. {stops}
         3 .. .. .. .. .. .. .. .. .. ..
         2 .. .. .. .. .. .. .. .. .. ..
         1 .. .. .. .. rB! rF rB! .. .. ..
"""


def test_who_comes_on_an_open_way_is_met_by_a_piece_that_equals_it() -> None:
    """Seven steps from the Flag, beyond the search's depth. One turn later no piece would stop the enemy in time."""
    assert decide(AFAR.format(comes="b6'!", stops="r6'!"), mind=UNGUARDED).startswith("j4-")


def test_nobody_goes_to_meet_what_he_cannot_stop() -> None:
    assert not decide(AFAR.format(comes="b7'!", stops="r6'!"), mind=UNGUARDED).startswith("j4-")


def test_each_piece_that_may_come_is_looked_at() -> None:
    """The search examines few worlds: some for each piece that may be nearest, which represent all such worlds."""
    place = position("original", FAR_SIDE.format(comes="r3'"), turn=201)
    view = place.game.view(place.state, BLUE)
    pool = place.game.sample_worlds(view, (), THOROUGH, 200, np.random.default_rng(0))
    context = zero_rows(CONTEXT)
    context["doubt"], context["player"] = 1.0, BLUE
    prepare_context(pool, copy_rows(place.game.rules), context)
    weights = np.ones(len(pool))
    worlds, shares, firsts = choose_worlds(pool, weights, BLUE, context[0]["away"])
    comes = pool["board"][:, parse_square("j6", place.game.rules)] == g.MINER + g.RED
    assert comes[worlds].all(), "nobody else is near"
    assert 1 <= len(worlds) < comes.sum()
    assert not firsts.any(), "all are of one kind"
    assert shares.sum() == pytest.approx(comes.mean())
    weights[comes] = 3
    _, shares, _ = choose_worlds(pool, weights, BLUE, context[0]["away"])
    assert shares.sum() == pytest.approx(weights[comes].sum() / weights.sum())


class ShortClock:
    """A clock with time for a fixed number of searches."""

    seconds = 600.0

    def __init__(self, looks: int) -> None:
        self._step, self._asked = GUARD_SHARE / (looks + 0.5), 0

    @property
    def spent(self) -> float:
        """Each search asks the clock once; one question came before the first."""
        self._asked += 1
        return self._step * (self._asked - 1)


def find_dangers(diagram: str, looks: int) -> NDArray[np.float64]:
    """Return the probability that Blue loses the Flag after each turn in a position of Original, after a fixed number
    of searches.
    """
    place = position("original", diagram, turn=201)
    view, rules = place.game.view(place.state, BLUE), copy_rows(place.game.rules)
    pool = place.game.sample_worlds(view, (), THOROUGH, 200, np.random.default_rng(0))
    context = zero_rows(CONTEXT)
    context["player"] = BLUE
    judge_secrecy(view, rules, context)
    prepare_context(pool, rules, context)
    clock = cast("Clock", ShortClock(looks))
    return find_exposure(pool, np.ones(len(pool)), view.legal.tolist(), context, Searcher(rules), clock).average()


def test_a_world_that_was_not_reached_is_as_others_of_its_kind() -> None:
    comes = """
        10 bF .. .. bB .. bB .. .. .. ..
         9 r5'! .. .. .. .. .. .. .. .. ..
         7 .. .. .. .. .. .. .. .. .. b6'!
         3 .. rB .. .. .. .. .. .. .. ..
         2 rB rF .. .. .. .. .. .. .. ..
         1 .. .. .. .. .. .. .. .. .. r3
    """
    hasty = find_dangers(comes, looks=1)
    assert hasty.min() > 0
    assert hasty == pytest.approx(find_dangers(comes, looks=100))


@pytest.mark.parametrize(
    ("diagram", "doubt"),
    [
        (" 1 .. .. .. rB! rF! rB! .. .. .. ..", (1.0, 1.0)),  # it was seen
        (" 1 .. .. .. rB! rF rB! .. .. .. ..", (1.0, 1.0)),  # nothing else is left
        (" 1 r2 .. .. rB! rF rB! .. .. .. ..", (1.05, 1.5)),  # known Bombs beside a piece make it likelier the Flag
        (" 1 r2 .. .. rB rF rB .. .. .. ..", (3.0, 9.0)),
        (" 1 r2' .. .. rB! rF rB! .. .. .. ..", (1.0, 1.0)),  # a piece that has moved is no Flag
    ],
)
def test_the_enemy_is_surer_of_a_flag_among_known_bombs(diagram: str, doubt: tuple[float, float]) -> None:
    place = position(
        "original", "10 bF .. .. .. .. .. .. .. .. ..\n 9 b3' .. .. .. .. .. .. .. .. ..\n" + diagram, turn=200
    )
    least, most = doubt
    assert least <= find_doubt(place.game.view(place.state, RED), place.game.rules) <= most
