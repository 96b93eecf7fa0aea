"""Compiled: rollouts from a state, in which each side decides by its own knowledge (`policy.py`)."""

from gonfalon.engine.game import CHANCE
from gonfalon.engine.jit import Numbers, Records, RulesRow, StateRow, helper, long_entry
from gonfalon.games.cardgame import state as g
from gonfalon.games.cardgame.kernels import choose
from gonfalon.games.cardgame.play.features import expect
from gonfalon.games.cardgame.play.policy import choose_act, choose_lay
from gonfalon.games.cardgame.rules import act, legal_actions, next_actor

HASTE = 0.002
"""Discount of a win for each turn that it takes."""


@helper
def go(s: StateRow, r: RulesRow, p: Numbers, box: Numbers, counter: Numbers) -> None:
    """Takes one action of the player to act."""
    player = next_actor(s, r)
    ids = r.ids
    n = legal_actions(s, r, player, ids)
    if player == CHANCE:
        act(s, r, player, choose(s, r, player, ids, n, counter))
    elif s.phase == g.LAY:
        act(s, r, player, choose_lay(s, r, player, ids, n, p, box, counter))
    else:
        act(s, r, player, choose_act(s, r, player, ids, n, p, box, counter))


@long_entry
def play_out(
    worlds: Records,
    i: int,
    scratch: Records,
    rules: Records,
    player: int,
    paths: Numbers,
    longest: int,
    asked: Numbers,
    n: int,
    depth: int,
    p: Numbers,
    box: Numbers,
    counter: Numbers,
    found: Numbers,
) -> None:
    """Plays rollouts of decisions in a world, `depth` turns each. Fills `found[k]` (float64), for k < n, with the
    expected result after decision `asked[k]`.

    `paths`: int32, each decision's actions, `longest` numbers each, -1 after the last. All decisions get the same draws
    as long as they lead to the same questions. `counter`: uint64 (1,), the random stream. `p`: `weights.py`. `box`:
    float64 (BOX,), scratch.
    """
    r, begin = rules[0], counter[0]
    for k in range(n):
        scratch[0] = worlds[i]
        s = scratch[0]
        counter[0] = begin
        last = s.turn + depth
        for j in range(longest):
            action = paths[asked[k] * longest + j]
            if action >= 0:
                act(s, r, player, action)
        while s.phase != g.OVER and s.turn < last:
            go(s, r, p, box, counter)
        found[k] = expect(s, r, player, p, box)
        if s.phase == g.OVER:
            found[k] *= 1.0 - HASTE * (s.turn + depth - last)
