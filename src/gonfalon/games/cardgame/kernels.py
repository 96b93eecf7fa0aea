"""What Python calls: each takes arrays of records and row numbers. Records from outside must be validated first.

Arrays: `batch`, `source`, `target` STATE (n,); `views` VIEW (n,); `rules` RULES (1,); `out` int32 (MOST_LEGAL,).
"""

import numpy as np

from gonfalon.engine.jit import Row, entry, helper
from gonfalon.engine.kernels import draw_below, is_among, note
from gonfalon.games.cardgame.play.estimate import estimate
from gonfalon.games.cardgame.rules.act import CHANCE, act, end, go_on, legal_actions, next_actor
from gonfalon.games.cardgame.sight.visible import fill_view
from gonfalon.games.cardgame.state import (
    ACT_DRAW,
    BY_AGREEMENT,
    BY_RESIGNING,
    LOG_AGREED,
    LOG_RESIGNED,
    MOST_LEGAL,
    NONE,
    OBSERVERS,
    OVER,
    PLACES,
    TYPES,
)

ILLEGAL = -1


@entry
def initial(batch: Row, i: int, rules: Row) -> None:
    """Makes row i (all zeros) the state before the deal."""
    s, r = batch[i], rules[0]
    for side in range(2):
        for kind in range(TYPES):
            s.pile[side, kind] = r.deck[kind]
            s.n_pile[side] += r.deck[kind]
    for observer in range(OBSERVERS):
        for place in range(PLACES):
            s.group[observer, place] = place
    for k in range(1, 4):
        s.last[k] = NONE
    s.winner = NONE
    go_on(s)


@entry
def legal(batch: Row, i: int, rules: Row, player: int, out: Row) -> int:
    """Writes row i's legal actions for `player` (or CHANCE) to `out`, ascending; returns how many."""
    return legal_actions(batch[i], player, out)


@entry
def step(batch: Row, i: int, rules: Row, player: int, action: int) -> None:
    """Applies a legal action to row i in place. An illegal one makes nonsense: check first, or use `apply`."""
    act(batch[i], rules[0], player, action)


@entry
def apply(source: Row, i: int, target: Row, j: int, rules: Row, player: int, action: int, out: Row) -> int:
    """Row j becomes row i after `action`; returns the number of the next actor's legal actions, written to `out`.

    ILLEGAL, with row j untouched, where the action is not legal.
    """
    if not is_among(out, legal_actions(source[i], player, out), action):
        return ILLEGAL
    target[j] = source[i]
    s = target[j]
    act(s, rules[0], player, action)
    return legal_actions(s, next_actor(s), out)


@entry
def withdraw(batch: Row, i: int, player: int) -> None:
    """CG-14: `player` resigns in row i."""
    s = batch[i]
    s.n_log = 0
    note(s, LOG_RESIGNED, player, 0, 0, 0, 0)
    end(s, BY_RESIGNING, 1 - player)


@entry
def agree(batch: Row, i: int) -> None:
    """CG-14: an agreed draw in row i."""
    s = batch[i]
    s.n_log = 0
    note(s, LOG_AGREED, 0, 0, 0, 0, 0)
    end(s, BY_AGREEMENT, NONE)


@entry
def view(batch: Row, i: int, rules: Row, observer: int, views: Row, j: int, out: Row) -> None:
    """Fills row j of `views` (all zeros) with what `observer` may see of row i."""
    s, v = batch[i], views[j]
    fill_view(s, observer, v)
    n = legal_actions(s, observer, out) if observer >= 0 else 0
    v.n_legal = n
    for k in range(n):
        v.legal[k] = out[k]


@entry
def evaluate(batch: Row, i: int, rules: Row, player: int) -> float:
    """`estimate` of row i, from -1 to 1."""
    return estimate(batch[i], player)


@entry
def score(
    source: Row, i: int, target: Row, j: int, rules: Row, mover: int, actions: Row, n: int, player: int, values: Row
) -> None:
    """`values[k]`: `estimate` for `player` of row i after `mover`'s legal action `actions[k]`, for k < n. Row j is used up.

    `actions`: int32 (n,); `values`: float64 (n,).
    """
    r = rules[0]
    for k in range(n):
        target[j] = source[i]
        s = target[j]
        act(s, r, mover, actions[k])
        values[k] = estimate(s, player)


@helper
def draw_card(s: Row, counter: Row) -> int:
    """A chance action, by its probability: each card of the pile is as likely as the others."""
    card = draw_below(counter, s.n_pile[s.mover])
    for kind in range(1, TYPES):
        card -= s.pile[s.mover, kind]
        if card < 0:
            return ACT_DRAW + kind
    return ACT_DRAW


@entry
def random_play(batch: Row, i: int, rules: Row, counter: Row, out: Row, most: int) -> int:
    """Plays up to `most` random actions in row i, chance by its probabilities, players' uniform; returns how many.

    Chance lies in `counter`, not in the record: who plays on from a copy does not foresee it.
    """
    s, r = batch[i], rules[0]
    done = 0
    while s.phase != OVER and done < most:
        player = next_actor(s)
        if player == CHANCE:
            act(s, r, player, draw_card(s, counter))
        else:
            n = legal_actions(s, player, out)
            act(s, r, player, out[draw_below(counter, n)])
        done += 1
    return done


@entry
def perft(stack: Row, rules: Row, depth: int, lists: Row) -> int:
    """Number of action sequences of length `depth` from row 0 of `stack` (depth + 1 rows); ended matches have none.

    `lists`: int32 (depth + 1, MOST_LEGAL). Each possible draw counts once; while both lay, red lays first.
    """
    r = rules[0]
    if depth == 0:
        return 1
    counts = np.zeros(depth + 1, np.int64)
    used = np.zeros(depth + 1, np.int64)
    counts[0] = legal_actions(stack[0], next_actor(stack[0]), lists[0])
    total, level = 0, 0
    while level >= 0:
        if level == depth - 1:
            total += counts[level]
            level -= 1
        elif used[level] == counts[level]:
            level -= 1
        else:
            stack[level + 1] = stack[level]
            s = stack[level + 1]
            act(s, r, next_actor(s), lists[level, used[level]])
            used[level] += 1
            level += 1
            counts[level] = legal_actions(s, next_actor(s), lists[level])
            used[level] = 0
    return total


def scratch() -> Row:
    """A buffer for `out`."""
    return np.zeros(MOST_LEGAL, np.int32)
