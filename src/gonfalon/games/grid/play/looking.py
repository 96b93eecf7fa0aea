"""Alpha-beta search in one world (Knuth and Moore, An Analysis of Alpha-Beta Pruning, 1975), with both sides knowing
all. It plays the rules' own functions on copied rows, one row for each decision ahead, and is iterative: a recursive
compiled function crashes when it comes from the cache.
"""

from typing import Any

import numpy as np

from gonfalon.engine.jit import Numbers, Records, RulesRow, StateRow, entry, helper, index
from gonfalon.games.grid import state as g
from gonfalon.games.grid.play.worth import CODES, KNOWN, MASK, SURE, count_points, fill_table
from gonfalon.games.grid.rules import act, legal_actions, next_actor
from gonfalon.games.grid.rules.battle import LOST, WON, result_of
from gonfalon.games.grid.rules.moves import move_end

DEPTH, EXCHANGES = 24, 6
"""Decisions and, after them, attacks of known pieces that are looked ahead at most."""
LEVELS = DEPTH + EXCHANGES + 2
WIN = 10000.0
SOONER = 10.0
"""What a win a decision earlier counts more."""
UNKNOWN_GAIN = 0.5
"""For the order of actions: attacks on what is not known are looked at later."""

LEVEL = np.dtype(
    [
        ("ids", np.int32, (g.MOST_LEGAL,)),
        ("keys", np.float64, (g.MOST_LEGAL,)),  # what promises most is looked at first
        ("count", np.int64),
        ("next", np.int64),
        ("mover", np.int64),
        ("mine", np.int64),  # whether the player decides here
        ("depth", np.int64),  # turns still to look ahead; 0 and less: attacks only
        ("alpha", np.float64),
        ("beta", np.float64),
        ("best", np.float64),
    ],
    align=True,
)


@entry
def prepare(worlds: Records, i: int, rules: Records, player: int, desks: Records) -> None:
    """Makes the table of world i in row i of `desks`."""
    fill_table(worlds[i], rules[0], player, desks[i])


@entry
def list_results(rules: Records, kind: int, results: Numbers) -> None:
    """Fills `results`, int64 (TYPES,): the result of an attack of a piece of type `kind` on each type."""
    for other in range(1, g.TYPES):
        results[other] = result_of(rules[0], kind, other)


@entry
def look(
    worlds: Records,
    i: int,
    rules: Records,
    player: int,
    desks: Records,
    rows: Records,
    levels: Records,
    action: int,
    depth: int,
    alpha: float,
    beta: float,
) -> Any:
    """Points for `player` after his legal `action` in world i, looking `depth` turns ahead, that one included.

    Below `alpha` the truth may be lower, above `beta` higher. When `nodes` of the world's desk falls below 0 the search
    was broken off and its result means nothing. `rows`, `levels`: LEVELS rows of STATE and LEVEL, used up.
    """
    r, d = rules[0], desks[i]
    rows[0] = worlds[i]
    s = rows[0]
    act(s, r, player, action)
    open_level(s, r, player, d, levels[0], depth - (s.mover != player or s.over != 0), alpha, beta, 0)
    at = 0
    while True:
        here = levels[at]
        if here.next < here.count and here.alpha < here.beta and d.nodes >= 0:
            chosen = pick_next(here)
            d.nodes -= 1
            rows[at + 1] = rows[at]
            s = rows[at + 1]
            act(s, r, here.mover, chosen)
            left = here.depth - (s.mover != here.mover or here.depth <= 0 or s.over != 0)
            open_level(s, r, player, d, levels[at + 1], left, here.alpha, here.beta, at + 1)
            if s.over == g.BY_FLAG and s.winner == player:
                judge_guess(rows[at], r, player, d, levels[at + 1])
            at += 1
            continue
        if here.next < here.count and here.alpha >= here.beta and here.depth > 0:
            d.history[here.mover * g.ACTIONS + here.ids[here.next - 1]] += here.depth * here.depth
        if at == 0:
            return here.best
        at -= 1
        take(levels[at], here.best)


@helper
def pick_next(here: StateRow) -> Any:
    """The most promising action that was not looked at yet."""
    first = here.next
    best = first
    for k in range(first + 1, here.count):
        if here.keys[index(k)] > here.keys[index(best)]:
            best = k
    action = here.ids[index(best)]
    here.ids[index(best)], here.keys[index(best)] = here.ids[index(first)], here.keys[index(first)]
    here.ids[index(first)] = action
    here.next = first + 1
    return action


@helper
def take(here: StateRow, points: float) -> None:
    """Counts the result of the action that was looked at last."""
    if here.mine:
        here.best = max(here.best, points)
        here.alpha = max(here.alpha, points)
    else:
        here.best = min(here.best, points)
        here.beta = min(here.beta, points)


@helper
def open_level(
    s: StateRow, r: RulesRow, player: int, d: StateRow, here: StateRow, depth: int, alpha: float, beta: float, at: int
) -> None:
    """Begins to look at a position: its end, its points, or what can be done in it."""
    here.alpha, here.beta, here.depth = alpha, beta, depth
    here.count, here.next = 0, 0
    if s.over != 0:
        here.best = 0.0
        if s.winner != g.NONE:
            here.best = WIN - SOONER * at if s.winner == player else SOONER * at - WIN
        return
    here.mover = next_actor(s, r)
    here.mine = here.mover == player
    ahead = depth > 0 and at < DEPTH
    if not ahead:
        here.best = count_points(s, r, player, d)
        if s.phase == g.TURN and (depth <= -EXCHANGES or at >= LEVELS - 2):
            return
        take(here, here.best)
        if here.alpha >= here.beta:
            return
    else:
        here.best = -2.0 * WIN if here.mine else 2.0 * WIN
    here.count = legal_actions(s, r, here.mover, here.ids)
    if s.phase == g.TURN:
        here.count = sort_out(s, r, d, here, ahead)
    elif not ahead:
        here.count = 0


@helper
def sort_out(s: StateRow, r: RulesRow, d: StateRow, here: StateRow, ahead: bool) -> int:
    """Keeps the actions to look at, with their keys; returns how many. Where it is not looked ahead any more these are
    attacks on known pieces that win. The Apple is left out: it is weighed where it is decided on.
    """
    kept = 0
    sign = 1.0 if here.mine else -1.0
    for k in range(here.count):
        action = here.ids[index(k)]
        if action >= g.ACT_DEPLOY:
            if not ahead or action < g.ACT_SWORD:
                continue
            key = 20.0
        else:
            begin, end = action // g.MOVE_TO, move_end(action)
            key = find_key(s, r, d, begin, end, sign)
            guess = s.board[end] != g.EMPTY and not s.marks[end] & g.SEEN
            sure_flag = s.board[end] & g.TYPE == g.FLAG and d.flag_points > SURE
            if guess and here.mine and not sure_flag:
                continue
            if not ahead and (s.board[end] == g.EMPTY or (guess and not sure_flag) or key <= 0.0):
                continue
            key += 0.001 * d.history[here.mover * g.ACTIONS + action]
        here.ids[index(kept)] = action
        here.keys[index(kept)] = key
        kept += 1
    return kept


@helper
def find_key(s: StateRow, r: RulesRow, d: StateRow, begin: int, end: int, sign: float) -> Any:
    """What a move promises to who makes it, in points."""
    piece = (s.board[begin] & MASK) + (KNOWN if s.marks[begin] & g.SEEN else 0)
    away = sign * d.table[begin * CODES + piece]
    if s.board[end] == g.EMPTY:
        return sign * d.table[end * CODES + piece] - away
    kind, other = s.board[begin] & g.TYPE, s.board[end] & g.TYPE
    known = s.marks[end] & g.SEEN
    taken = -sign * d.table[end * CODES + (s.board[end] & MASK) + (KNOWN if known else 0)]
    if other == g.FLAG:
        return WIN
    result = result_of(r, kind, other)
    if result == LOST:
        return -away
    gain = taken if result == WON else taken - away
    return gain if known else UNKNOWN_GAIN * gain


@helper
def judge_guess(before: StateRow, r: RulesRow, player: int, d: StateRow, after: StateRow) -> None:
    """Taking a Flag that the player could not know counts little in a line: he does not know where to go."""
    for square in range(r.squares):
        if before.board[square] == g.FLAG + (g.RED << (1 - player)) and not before.marks[square] & g.SEEN:
            after.best = min(after.best, count_points(before, r, player, d) + d.flag_points)
            return
