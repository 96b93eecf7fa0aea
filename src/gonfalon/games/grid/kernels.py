"""The compiled functions that Python calls: arrays of records and row numbers in, small numbers out. Records from
outside are checked first.

The text is the same in every family but for the family's name; `tools/kernels.py` copies it, and the checks fail when
one differs. It must be source in each family: Numba caches a function by its file.

Arrays: `batch`, `source`, `target` STATE (n,); `views` VIEW (n,); `rules` RULES (1,), whose field `ids` takes the legal
actions, so that one array is passed and not two.
"""

import numpy as np

from gonfalon.engine.compiled.jit import Numbers, Records, RulesRow, StateRow, entry, helper, long_entry, making_entry
from gonfalon.engine.compiled.kernels import draw_below, is_among
from gonfalon.engine.game import CHANCE
from gonfalon.engine.view import zero_rows
from gonfalon.games.grid import state as g
from gonfalon.games.grid.play import estimate
from gonfalon.games.grid.rules import act, agree_draw, chance_weight, legal_actions, next_actor, resign, set_up
from gonfalon.games.grid.sight import fill_planes, fill_view


@entry
def initial(batch: Records, i: int, rules: Records) -> None:
    """Makes row i (all zeros) the initial state."""
    set_up(batch[i], rules[0])


@entry
def legal(batch: Records, i: int, rules: Records, player: int) -> int:
    """Lists row i's legal actions for `player`, or what CHANCE may draw, in `rules.ids`; returns how many."""
    return legal_actions(batch[i], rules[0], player, rules[0].ids)


@entry
def step(batch: Records, i: int, rules: Records, player: int, action: int) -> bool:
    """Applies an action to row i in place. Returns False, with the row unchanged, if the action is not legal."""
    s, r, ids = batch[i], rules[0], rules[0].ids
    if not is_among(ids, legal_actions(s, r, player, ids), action):
        return False
    act(s, r, player, action)
    return True


@entry
def withdraw(batch: Records, i: int, rules: Records, player: int) -> None:
    """`player` resigns in row i."""
    resign(batch[i], rules[0], player)


@entry
def agree(batch: Records, i: int, rules: Records) -> None:
    """The players of row i agree on a draw."""
    agree_draw(batch[i], rules[0])


@entry
def view(batch: Records, i: int, rules: Records, observer: int, views: Records, j: int) -> None:
    """Fills row j of `views` (all zeros) with what `observer` may see of row i."""
    s, r, v, ids = batch[i], rules[0], views[j], rules[0].ids
    fill_view(s, r, observer, v)
    n = legal_actions(s, r, observer, ids) if observer >= 0 else 0
    v.n_legal = n
    for k in range(n):
        v.legal[k] = ids[k]


@entry
def encode(views: Records, j: int, rules: Records, forms: Records, f: int, observations: Numbers, k: int) -> None:
    """Fill observation k with row j of `views`. `forms[f]`: the form's record for the viewer. `observations`: float32
    or uint8, shape (n, planes, cells).
    """
    planes = observations[k]
    planes[:] = 0
    fill_planes(views[j], rules[0], forms[f], planes)


@entry
def weights(batch: Records, i: int, rules: Records, actions: Numbers, n: int, values: Numbers) -> None:
    """Fills `values[k]` (float64), for k < n, with the relative weight with which chance draws
    `actions[k]` in row i.
    """
    for k in range(n):
        values[k] = chance_weight(batch[i], rules[0], actions[k])


@entry
def evaluate(batch: Records, i: int, rules: Records, player: int) -> float:
    """Returns `estimate` of row i, from -1 to 1."""
    return estimate(batch[i], rules[0], player)


@entry
def score(
    source: Records, target: Records, rules: Records, mover: int, actions: Numbers, player: int, values: Numbers
) -> None:
    """Fill `values[k]` with `estimate` for `player` after `mover`'s legal action `actions[k]` in the row of `source`.
    The row of `target` is scratch.

    `actions`: int32 (n,); `values`: float64 (n,).
    """
    r = rules[0]
    for k in range(len(actions)):
        target[0] = source[0]
        s = target[0]
        act(s, r, mover, actions[k])
        values[k] = estimate(s, r, player)


@helper
def choose(s: StateRow, r: RulesRow, player: int, ids: Numbers, n: int, counter: Numbers) -> int:
    """Returns one of n actions at random. Chance's actions are drawn by their probabilities, a player's with equal
    ones.
    """
    if player != CHANCE:
        return ids[draw_below(counter, n)]
    total = 0
    for k in range(n):
        total += chance_weight(s, r, ids[k])
    point = draw_below(counter, total)
    for k in range(n):
        point -= chance_weight(s, r, ids[k])
        if point < 0:
            return ids[k]
    return ids[0]


@helper
def play_row(s: StateRow, r: RulesRow, counter: Numbers, most: int) -> int:
    """Plays up to `most` random actions; see `random_play`."""
    done = 0
    while s.phase != g.OVER and done < most:
        player = next_actor(s, r)
        n = legal_actions(s, r, player, r.ids)
        act(s, r, player, choose(s, r, player, r.ids, n, counter))
        done += 1
    return done


@entry
def random_play(batch: Records, i: int, rules: Records, counter: Numbers, most: int) -> int:
    """Plays up to `most` random actions in row i, each from the full legal list. Returns their number, chance's
    included.

    `counter`: uint64 (1,), the random stream. It is not part of the record, so a search on a copied record cannot
    foresee the draws.
    """
    return play_row(batch[i], rules[0], counter, most)


@making_entry
def perft(stack: Records, rules: Records, depth: int, lists: Records) -> int:
    """Returns the number of action sequences of length `depth` from row 0 of `stack` (depth + 1 rows); 0 for ended
    matches.

    `lists`: LISTS (depth + 1,). Each possible draw counts once. If several players may act, the first one acts.
    """
    r = rules[0]
    if depth == 0:
        return 1
    counts = np.zeros(depth + 1, np.int64)
    used = np.zeros(depth + 1, np.int64)
    counts[0] = legal_actions(stack[0], r, next_actor(stack[0], r), lists[0].ids)
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
            act(s, r, next_actor(s, r), lists[level].ids[used[level]])
            used[level] += 1
            level += 1
            counts[level] = legal_actions(s, r, next_actor(s, r), lists[level].ids)
            used[level] = 0
    return total


# ---- loops of `Batch`, over the rows from `first` to `last`. `actors`: int32 (n,), the player to act in each
# row; who acted last if the match is over. `lists`, `counts`: this player's legal actions, and their number.
# `counters`: uint64 (n, 1).


@helper
def settle(s: StateRow, r: RulesRow, counter: Numbers) -> int:
    """Draw for chance until a player is to act. Return the player, or CHANCE if the match is over."""
    while s.phase != g.OVER:
        player = next_actor(s, r)
        if player != CHANCE:
            return player
        n = legal_actions(s, r, CHANCE, r.ids)
        act(s, r, CHANCE, choose(s, r, CHANCE, r.ids, n, counter))
    return CHANCE


@helper
def list_row(s: StateRow, r: RulesRow, i: int, actors: Numbers, lists: Records, counts: Numbers, player: int) -> None:
    """Write down the player to act in row i and the player's legal actions."""
    if player == CHANCE:
        counts[i] = 0
    else:
        actors[i] = player
        counts[i] = legal_actions(s, r, player, lists[i].ids)


@long_entry
def settle_rows(
    batch: Records,
    first: int,
    last: int,
    rules: Records,
    wanted: Numbers,
    counters: Numbers,
    actors: Numbers,
    lists: Records,
    counts: Numbers,
) -> None:
    """Draw for chance where `wanted` (bool), until a player is to act, and list the player's actions."""
    for i in range(first, last):
        if wanted[i]:
            s, r = batch[i], rules[0]
            list_row(s, r, i, actors, lists, counts, settle(s, r, counters[i]))


@long_entry
def act_rows(
    batch: Records,
    first: int,
    last: int,
    rules: Records,
    wanted: Numbers,
    actions: Numbers,
    counters: Numbers,
    actors: Numbers,
    lists: Records,
    counts: Numbers,
) -> None:
    """Apply `actions` (int32) where `wanted` (bool), and go on as `settle_rows` does. Each action must be legal."""
    for i in range(first, last):
        if wanted[i]:
            s, r = batch[i], rules[0]
            act(s, r, actors[i], actions[i])
            list_row(s, r, i, actors, lists, counts, settle(s, r, counters[i]))


@long_entry
def find_illegal(first: int, last: int, wanted: Numbers, actions: Numbers, lists: Records, counts: Numbers) -> int:
    """Return the first row where `wanted` (bool) whose action is not legal, or -1."""
    for i in range(first, last):
        if wanted[i] and not is_among(lists[i].ids, counts[i], actions[i]):
            return i
    return -1


@long_entry
def observe_rows(
    batch: Records,
    first: int,
    last: int,
    rules: Records,
    observers: Numbers,
    actors: Numbers,
    lists: Records,
    counts: Numbers,
    views: Records,
    forms: Records,
    observations: Numbers,
) -> None:
    """Fill the observation of each row for the player in `observers`. `views`: two rows, the second one all zeros."""
    for i in range(first, last):
        views[0] = views[1]
        v, observer = views[0], observers[i]
        fill_view(batch[i], rules[0], observer, v)
        if observer == actors[i]:
            v.n_legal = counts[i]
            for k in range(counts[i]):
                v.legal[k] = lists[i].ids[k]
        planes = observations[i]
        planes[:] = 0
        fill_planes(v, rules[0], forms[max(observer, 0)], planes)


@long_entry
def mask_rows(
    first: int, last: int, actors: Numbers, lists: Records, counts: Numbers, ids: Numbers, masks: Numbers
) -> None:
    """Fill row i of `masks` (bool) with the legal actions. `ids`: int32 (players, actions), the form's id of each."""
    for i in range(first, last):
        mask = masks[i]
        mask[:] = False
        for k in range(counts[i]):
            mask[ids[actors[i], lists[i].ids[k]]] = True


@long_entry
def join_lists(lists: Records, counts: Numbers, actions: Numbers) -> None:
    """Write the legal actions of all rows one after another into `actions`, int32."""
    at = 0
    for i in range(len(counts)):
        for k in range(counts[i]):
            actions[at] = lists[i].ids[k]
            at += 1


@long_entry
def play_rows(batch: Records, first: int, last: int, rules: Records, counters: Numbers, most: int) -> int:
    """Plays up to `most` random actions in each row; see `random_play`. Returns their number in all rows."""
    done = 0
    for i in range(first, last):
        done += play_row(batch[i], rules[0], counters[i], most)
    return done


def list_rows(count: int) -> Records:
    """Returns rows for the legal lists of `perft`."""
    return zero_rows(g.LISTS, count)
