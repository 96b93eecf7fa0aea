"""What Python calls: each takes arrays of records and row numbers. Records from outside must be validated first.

Arrays: `batch`, `source`, `target` STATE (n,); `views` VIEW (n,); `rules` RULES (1,); `out` int32 (MOST_LEGAL,).
"""

import numpy as np

from gonfalon.engine.jit import Row, entry, helper
from gonfalon.engine.kernels import draw_below, is_among
from gonfalon.games.grid.play.estimate import estimate
from gonfalon.games.grid.rules.act import act, legal_actions
from gonfalon.games.grid.rules.ends import end, look_at_both_sides
from gonfalon.games.grid.rules.log import note
from gonfalon.games.grid.rules.repetition import barrier, crosses
from gonfalon.games.grid.rules.start import is_ready, set_up
from gonfalon.games.grid.screen.summary import list_changes, list_choices, summarise
from gonfalon.games.grid.sight.visible import fill_view
from gonfalon.games.grid.state import (
    BY_AGREEMENT,
    BY_RESIGNING,
    DEPLOY,
    LOG_AGREED,
    LOG_RESIGNED,
    MOST_LEGAL,
    NONE,
    OVER,
)

ILLEGAL = -1


@entry
def initial(batch: Row, i: int, rules: Row) -> None:
    """Makes row i (all zeros) the state before deployment."""
    set_up(batch[i], rules[0])


@entry
def legal(batch: Row, i: int, rules: Row, player: int, out: Row) -> int:
    """Writes row i's legal actions for `player` to `out`, ascending; returns how many."""
    return legal_actions(batch[i], rules[0], player, out)


@entry
def step(batch: Row, i: int, rules: Row, player: int, action: int) -> None:
    """Applies a legal action to row i in place. An illegal one makes nonsense: check first, or use `apply`."""
    act(batch[i], rules[0], player, action)


@entry
def apply(source: Row, i: int, target: Row, j: int, rules: Row, player: int, action: int, out: Row) -> int:
    """Row j becomes row i after `action`; returns the number of the next actor's legal actions, written to `out`.

    ILLEGAL, with row j untouched, where the action is not legal.
    """
    n = legal_actions(source[i], rules[0], player, out)
    if not is_among(out, n, action):
        return ILLEGAL
    target[j] = source[i]
    s = target[j]
    act(s, rules[0], player, action)
    return legal_actions(s, rules[0], next_actor(s, rules[0]), out)


@helper
def next_actor(s: Row, r: Row) -> int:
    """Who acts next; of two who deploy, red while it is not ready."""
    if s.phase == DEPLOY:
        return 1 if is_ready(s, r, 0) else 0
    return s.actor


@entry
def withdraw(batch: Row, i: int, player: int) -> None:
    """GR-21: `player` resigns in row i."""
    s = batch[i]
    s.n_log = 0
    note(s, LOG_RESIGNED, player, 0, 0, 0, 0, 0)
    end(s, BY_RESIGNING, 1 - player)


@entry
def agree(batch: Row, i: int) -> None:
    """GR-21: an agreed draw in row i."""
    s = batch[i]
    s.n_log = 0
    note(s, LOG_AGREED, 0, 0, 0, 0, 0, 0)
    end(s, BY_AGREEMENT, NONE)


@entry
def view(batch: Row, i: int, rules: Row, observer: int, views: Row, j: int, out: Row) -> None:
    """Fills row j of `views` (all zeros) with what `observer` may see of row i."""
    s, r = batch[i], rules[0]
    n = legal_actions(s, r, observer, out) if observer >= 0 else 0
    fill_view(s, r, observer, views[j])
    v = views[j]
    v.n_legal = n
    for k in range(n):
        v.legal[k] = out[k]


@entry
def summary(views: Row, i: int, own: int, show_known: bool, out: Row) -> int:
    """`summarise` of row i of `views`; `out`: int64 (summary.SIZE,)."""
    return summarise(views[i], own, show_known, out)


@entry
def changes(before: Row, i: int, after: Row, j: int, own: int, show_known: bool, out: Row) -> int:
    """`list_changes` from row i of `before` to row j of `after`, views; `out`: int64 (summary.CHANGES,)."""
    return list_changes(before[i], after[j], own, show_known, out)


@entry
def choices(views: Row, i: int, enemy: int, out: Row) -> int:
    """`list_choices` of row i of `views`; `out`: int32 (MOST_LEGAL,)."""
    return list_choices(views[i], enemy, out)


@entry
def is_two_squares(views: Row, i: int, rules: Row, begin: int, finish: int) -> bool:
    """Whether GR-9 forbids the possible move; else, where it is not legal, GR-10 does. Reads public fields of a view."""
    return crosses(barrier(views[i], rules[0]), begin, finish)


@entry
def look(batch: Row, i: int, rules: Row) -> None:
    """GR-19 for row i, a position with the turn finished."""
    look_at_both_sides(batch[i], rules[0])


@entry
def evaluate(batch: Row, i: int, rules: Row, player: int) -> float:
    """`estimate` of row i, from -1 to 1."""
    return estimate(batch[i], rules[0], player)


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
        values[k] = estimate(s, r, player)


@entry
def random_play(batch: Row, i: int, rules: Row, counter: Row, out: Row, most: int) -> int:
    """Plays up to `most` uniformly random legal actions in row i, each from the full legal list; returns how many.

    Chance lies in `counter`, not in the record: who plays on from a copy does not foresee it.
    """
    s, r = batch[i], rules[0]
    done = 0
    while s.phase != OVER and done < most:
        player = next_actor(s, r)
        n = legal_actions(s, r, player, out)
        act(s, r, player, out[draw_below(counter, n)])
        done += 1
    return done


@entry
def perft(stack: Row, rules: Row, depth: int, lists: Row) -> int:
    """Number of action sequences of length `depth` from row 0 of `stack` (depth + 1 rows); ended matches have none.

    `lists`: int32 (depth + 1, MOST_LEGAL). While both deploy, red places first.
    """
    r = rules[0]
    if depth == 0:
        return 1
    counts = np.zeros(depth + 1, np.int64)
    used = np.zeros(depth + 1, np.int64)
    counts[0] = legal_actions(stack[0], r, next_actor(stack[0], r), lists[0])
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
            act(s, r, next_actor(s, r), lists[level, used[level]])
            used[level] += 1
            level += 1
            counts[level] = legal_actions(s, r, next_actor(s, r), lists[level])
            used[level] = 0
    return total


def scratch() -> Row:
    """A buffer for `out`."""
    return np.zeros(MOST_LEGAL, np.int32)
