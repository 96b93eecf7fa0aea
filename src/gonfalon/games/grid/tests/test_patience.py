"""Patience: powers, pieces and moves that a player holds back."""

from __future__ import annotations

import numpy as np
import pytest

from gonfalon.engine.search import Mind, Option
from gonfalon.games.grid import state as g
from gonfalon.games.grid.play.adjust.patience import find_luck, find_price, judge_habits, keep_apple
from gonfalon.games.grid.play.tunables import BACK, BACK_QUIET, MOST_ROUND, PRICE, ROUND
from gonfalon.games.grid.tests.diagrams import RED, Position, deployed, position
from gonfalon.games.grid.tests.test_endings import FREE

CARELESS = Mind(seconds=0.05, depth=1)


def is_apple(action: int) -> bool:
    return g.ACT_APPLE <= action < g.ACT_SWORD


def test_an_apple_on_a_known_piece_is_weighed_with_the_rest() -> None:
    at = position("special", "8 bF .. b9 b8\n4 .. .. .. .. b7\n3 .. .. .. .. r2 r5\n2 rS\n1 rF").play("e3xe4", "d8-d7")
    view = at.game.view(at.state, RED)
    options = [Option((int(action),), 0.0) for action in view.legal]
    text = at.game.action_text
    kept = {text(view, option.actions[0]) for option in keep_apple(options, view, CARELESS)}
    assert {action for action in kept if action.startswith("apple")} == {"apple e4"}
    assert kept >= {action for action in at.legal() if not action.startswith("apple")}
    assert keep_apple(options, view, Mind(seconds=1.0)) == tuple(options)
    only = [option for option in options if is_apple(option.actions[0])][:1]
    assert keep_apple(only, view, CARELESS) == tuple(only)


def test_an_apple_that_did_well_in_few_worlds_may_have_been_lucky() -> None:
    """Three Apples have the same mean gain. The second has the same gain in every world; the third was tried in more
    worlds.
    """
    few, steady = np.array([0.4, 0.0, 0.0, 0.0]), np.full(4, 0.1)
    lucky, sure = find_luck(np.stack([few, steady], axis=1))
    (less_lucky,) = find_luck(np.tile(few, 4)[:, None])
    assert lucky > less_lucky > sure == 0


def test_an_apple_is_the_dearer_the_more_enemies_may_use_what_it_shows() -> None:
    """Each side has 30 pieces in Special. Three are left in the first position and six in the second."""
    few, more = (position("special", f"8 bF b9 {row}\n4 .. r5\n1 rF") for row in ("b8", "b8 b7 b6 b5"))
    prices = [find_price(at.game.view(at.state, RED), at.game.rules) for at in (few, more)]
    assert prices == pytest.approx([PRICE * 0.01, PRICE * 0.04])


# ---- going back and round


# If both deploy as FREE, the Marshal and the Spy alone can move, Red's from a3 and b3, Blue's from j6 and i6.
ROUND_TRIP = ("a4-b4", "b4-b5", "b5-a5", "a5-a4")
TO_AND_FRO = ("j6-j5", "j5-j6")
SCALE = 600.0
"""Points that decide a match with a whole army."""


def costs(at: Position) -> dict[str, float]:
    """Return the cost of habits for each of Red's moves, without those of 0."""
    view = at.game.view(at.state, RED)
    found = zip(view.legal.tolist(), judge_habits(view, at.game.rules, SCALE), strict=True)
    return {at.game.action_text(view, action): -cost for action, cost in found if cost}


def test_going_back_costs_and_going_on_does_not() -> None:
    at = deployed("classic", FREE, FREE).play("a3-a4", "j6-j5", "a4-a5", "j5-j4")
    assert costs(at) == {"a5-a4": pytest.approx(ROUND / SCALE + BACK + BACK_QUIET * 4)}


def test_going_round_costs_the_more_the_more_often_within_what_is_remembered() -> None:
    at = deployed("classic", FREE, FREE, two_square_limit=0, chase_rule=False).play("a3-a4", "j6-j5")
    found = []
    for k in range(20):
        found.append(costs(at).get(ROUND_TRIP[k % 4], 0.0))
        at = at.play(ROUND_TRIP[k % 4], TO_AND_FRO[(k + 1) % 2])
    steps = [0.0] * 3 + [ROUND] * 4 + [2 * ROUND] * 4 + [min(3 * ROUND, MOST_ROUND)] * 9
    assert found == pytest.approx([points / SCALE for points in steps])


def test_with_few_pieces_left_going_round_costs_little() -> None:
    """The cost of going round is 2/30 with two of 30 pieces left, and 0 in a small army. Going straight back costs as
    before.
    """
    for variant, left in (("classic", 2 / 30), ("barrage", 0.0)):
        at = position(variant, "8 bF .. .. .. .. .. .. .. .. b9\n1 rF r3").play("b1-c1", "j8-j7")
        assert costs(at)["c1-b1"] == pytest.approx(left * ROUND / SCALE + BACK + BACK_QUIET * 2)
