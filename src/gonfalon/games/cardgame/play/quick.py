"""Compiled decisions of the quick policy, without looking ahead."""

from gonfalon.engine.compiled.jit import Numbers, Records, entry
from gonfalon.games.cardgame import state as g
from gonfalon.games.cardgame.play.policy import choose_act, choose_lay, prepare, value_act
from gonfalon.games.cardgame.rules.laying import is_laid, lay
from gonfalon.games.cardgame.rules.legal import legal_actions


@entry
def decide(
    state: Records, rules: Records, player: int, p: Numbers, box: Numbers, counter: Numbers, out: Numbers
) -> int:
    """Writes the actions of one decision to `out`. Returns their number. `state` is overwritten, and need not hold what
    the player cannot know. `p`: `weights.py`; `box`: float64 (BOX,), scratch; `counter`: uint64 (1,), the random
    stream.
    """
    s, r, ids = state[0], rules[0], rules[0].ids
    if s.phase != g.LAY:
        out[0] = choose_act(s, r, player, legal_actions(s, r, player, ids), p, box, counter)
        return 1
    n = 0
    while not is_laid(s, player):
        out[n] = choose_lay(s, r, player, legal_actions(s, r, player, ids), p, box, counter)
        lay(s, player, out[n] - g.ACT_LAY)
        n += 1
    return n


@entry
def judge(state: Records, rules: Records, player: int, p: Numbers, box: Numbers, out: Numbers) -> None:
    """Writes to `out`, float64, the policy's value of each legal act, in log odds. Arguments as in `decide`."""
    s, r, ids = state[0], rules[0], rules[0].ids
    prepare(s, r, player, p, box)
    for k in range(legal_actions(s, r, player, ids)):
        out[k] = value_act(s, player, ids[k], p, box)
