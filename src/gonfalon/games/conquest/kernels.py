"""What Python calls: each takes arrays of records and row numbers. Records from outside must be validated first.

Arrays: `batch`, `source`, `target` STATE (n,); `views` VIEW (n,); `rules` RULES (1,); `out` int32 (MOST_LEGAL,).
"""

import numpy as np

from gonfalon.engine.jit import Row, entry, helper
from gonfalon.engine.kernels import draw_below, is_among, note
from gonfalon.games.conquest.play.estimate import estimate
from gonfalon.games.conquest.rules.act import act
from gonfalon.games.conquest.rules.ends import resign
from gonfalon.games.conquest.rules.flags import end
from gonfalon.games.conquest.rules.legal import CHANCE, chance_weight, legal_actions, next_actor
from gonfalon.games.conquest.sight.visible import fill_view
from gonfalon.games.conquest.state import (
    BY_AGREEMENT,
    CARDS,
    GONE,
    LOG_AGREED,
    MOST_LEGAL,
    NONE,
    OBSERVERS,
    OVER,
    PLAYERS,
    TERRITORIES,
    TRAITOR,
    UNITS,
    ZONES,
)

ILLEGAL = -1


@entry
def initial(batch: Row, i: int, rules: Row) -> None:
    """Makes row i (all zeros) the state before the first lot is drawn."""
    s, r = batch[i], rules[0]
    clear_map(s)
    for slot in range(UNITS):
        s.zone[slot] = GONE
        for observer in range(OBSERVERS):
            s.group[observer, slot] = slot
    for player in range(PLAYERS):
        s.holder[player] = player if player < r.players else NONE
        s.contends[player] = player < r.players
    for card in range(CARDS):
        s.pile[card] = r.deck[card]
    s.traitor_last = r.deck[TRAITOR] > 0
    s.start = NONE
    s.winner = NONE
    s.playing = NONE


@helper
def clear_map(s: Row) -> None:
    for zone in range(ZONES):
        s.at[zone] = NONE
    for t in range(TERRITORIES):
        s.owner[t] = NONE
        s.control[t] = NONE
    for k in range(3):
        s.chosen[k] = NONE
    for k in range(1, 4):
        s.last[k] = NONE


@entry
def legal(batch: Row, i: int, rules: Row, player: int, out: Row) -> int:
    """Writes row i's legal actions for `player` (or CHANCE) to `out`, ascending; returns how many."""
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
    r = rules[0]
    if not is_among(out, legal_actions(source[i], r, player, out), action):
        return ILLEGAL
    target[j] = source[i]
    s = target[j]
    act(s, r, player, action)
    return legal_actions(s, r, next_actor(s, r), out)


@entry
def withdraw(batch: Row, i: int, rules: Row, player: int) -> None:
    """CQ-25: `player` resigns in row i."""
    resign(batch[i], rules[0], player)


@entry
def agree(batch: Row, i: int, rules: Row) -> None:
    """CQ-35: an agreed draw in row i."""
    s = batch[i]
    s.n_log = 0
    note(s, LOG_AGREED, 0, 0, 0, 0, 0)
    end(s, BY_AGREEMENT, NONE)


@entry
def view(batch: Row, i: int, rules: Row, observer: int, views: Row, j: int, out: Row) -> None:
    """Fills row j of `views` (all zeros) with what `observer` may see of row i."""
    s, r, v = batch[i], rules[0], views[j]
    fill_view(s, r, observer, v)
    n = legal_actions(s, r, observer, out) if observer >= 0 else 0
    v.n_legal = n
    for k in range(n):
        v.legal[k] = out[k]


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
def weights(batch: Row, i: int, rules: Row, actions: Row, n: int, values: Row) -> None:
    """`values[k]` (float64): how likely chance is to draw `actions[k]` in row i, beside the others, for k < n."""
    for k in range(n):
        values[k] = chance_weight(batch[i], rules[0], actions[k])


@helper
def drawn(s: Row, r: Row, counter: Row, out: Row) -> int:
    """A chance action, by its probability."""
    n = legal_actions(s, r, CHANCE, out)
    total = 0
    for k in range(n):
        total += chance_weight(s, r, out[k])
    point = draw_below(counter, total)
    for k in range(n):
        point -= chance_weight(s, r, out[k])
        if point < 0:
            return out[k]
    return out[0]


@entry
def random_play(batch: Row, i: int, rules: Row, counter: Row, out: Row, most: int) -> int:
    """Plays up to `most` random actions in row i, chance by its probabilities, players' uniform; returns how many.

    Chance lies in `counter`, not in the record: who plays on from a copy does not foresee it.
    """
    s, r = batch[i], rules[0]
    done = 0
    while s.phase != OVER and done < most:
        player = next_actor(s, r)
        if player == CHANCE:
            act(s, r, player, drawn(s, r, counter, out))
        else:
            n = legal_actions(s, r, player, out)
            act(s, r, player, out[draw_below(counter, n)])
        done += 1
    return done


@entry
def perft(stack: Row, rules: Row, depth: int, lists: Row) -> int:
    """Number of action sequences of length `depth` from row 0 of `stack` (depth + 1 rows); ended matches have none.

    `lists`: int32 (depth + 1, MOST_LEGAL). Each possible draw counts once; while several deploy, the first of them does.
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
