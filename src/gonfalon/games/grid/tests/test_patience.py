"""What a player waits with."""

from __future__ import annotations

import numpy as np

import gonfalon
from gonfalon.engine.search import Mind, Option
from gonfalon.games.grid import state as g
from gonfalon.games.grid.play.patience import keep_apple
from gonfalon.games.grid.tests.diagrams import RED, position

CARELESS = Mind(seconds=0.05, depth=1)
WITHOUT_HURRY = 600.0
FIRST_TURN = """
special
turn 0 quiet 0
 8 b3   b2   b4   b3   b2   b5   bB   bF   bB   b2
 7 b5   b3   b7   b8   b3   b2   b4   bB   b7   bS
 6 b6   b8   bB   b6   bM   b2   b7   bB   b9   b6
 5 ..   ..   ~~   ~~   ..   ..   ~~   ~~   ..   ..
 4 ..   ..   ~~   ~~   ..   ..   ~~   ~~   ..   ..
 3 r6   r7   r8   rB   r2   r5   r6   rB   rM   r6
 2 r7   r9   r3   r2   r4   r8   rB   r2   r7   r3
 1 rS   r3   r2   r3   r5   rB   rF   rB   r4   r2
"""


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


def test_of_many_apples_at_unknown_pieces_none_is_taken_for_its_luck() -> None:
    """Each is worth little on the first turn, but of thirty one always does well in the worlds that are looked at."""
    game = gonfalon.make("special")
    view, mind = game.view(game.parse_state(FIRST_TURN), RED), Mind(seconds=WITHOUT_HURRY, depth=2, worlds=8)
    found = (game.search(view, (), mind, np.random.default_rng(seed))[0].actions for seed in range(5))
    assert not any(is_apple(action) for (action,) in found)
