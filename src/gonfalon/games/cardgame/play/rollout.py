"""Compiled rollouts from a state, in which each side decides with its own knowledge (`policy.py`)."""

import numpy as np

from gonfalon.engine.compiled.jit import Numbers, Records, RulesRow, StateRow, helper, long_entry
from gonfalon.engine.game import CHANCE
from gonfalon.games.cardgame import state as g
from gonfalon.games.cardgame.kernels import choose
from gonfalon.games.cardgame.play.features import expect
from gonfalon.games.cardgame.play.policy import BOX, choose_act, choose_lay
from gonfalon.games.cardgame.play.weights import WEIGHTS
from gonfalon.games.cardgame.rules import act, legal_actions, next_actor

HASTE = 0.002
"""Discount of a win for each turn that it takes."""
ROLLOUT = np.dtype(
    [
        ("player", np.int64),  # the player whose decisions are tried
        ("depth", np.int64),  # maximum number of turns of a rollout
        ("weights", np.float64, (WEIGHTS,)),  # weights of the policy, see `weights.py`
        ("box", np.float64, (BOX,)),  # scratch of the policy
    ],
    align=True,
)


@helper
def go(s: StateRow, r: RulesRow, p: Numbers, box: Numbers, counter: Numbers) -> None:
    """Make one action of the player to act."""
    player = next_actor(s, r)
    ids = r.ids
    n = legal_actions(s, r, player, ids)
    if player == CHANCE:
        act(s, r, player, choose(s, r, player, ids, n, counter))
    elif s.phase == g.LAY:
        act(s, r, player, choose_lay(s, r, player, n, p, box, counter))
    else:
        act(s, r, player, choose_act(s, r, player, n, p, box, counter))


@long_entry
def play_out(
    world: Records,
    scratch: Records,
    rules: Records,
    rollout: Records,
    decisions: Numbers,
    counter: Numbers,
    found: Numbers,
) -> None:
    """Play one rollout of each of the player's decisions in a world. Fill `found`, float64 (decisions,), with the
    expected result of each.

    `decisions`: int32 (decisions, longest), the actions of each, -1 after the last. All decisions get the same draws as
    long as they lead to the same questions. `counter`: uint64 (1,), the random stream. `rollout`: one row of ROLLOUT.
    """
    r, o, begin = rules[0], rollout[0], counter[0]
    for k in range(len(decisions)):
        scratch[0] = world[0]
        s = scratch[0]
        counter[0] = begin
        last = s.turn + o.depth
        for action in decisions[k]:
            if action >= 0:
                act(s, r, o.player, action)
        while s.phase != g.OVER and s.turn < last:
            go(s, r, o.weights, o.box, counter)
        found[k] = expect(s, r, o.player, o.weights, o.box)
        if s.phase == g.OVER:
            found[k] *= 1.0 - HASTE * (s.turn + o.depth - last)
