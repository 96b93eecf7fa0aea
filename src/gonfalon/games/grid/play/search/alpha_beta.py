"""Alpha-beta search in one world (Knuth and Moore, An Analysis of Alpha-Beta Pruning, 1975), with both sides knowing
all. It plays the rules' own functions on copied rows, one row for each decision ahead, and is iterative: a recursive
compiled function crashes when it comes from the cache.
"""

import math
from typing import Any

from gonfalon.engine.jit import Numbers, Records, RulesRow, StateRow, entry, helper, index, long_entry
from gonfalon.games.grid import state as g
from gonfalon.games.grid.play import adjustments as a
from gonfalon.games.grid.play.adjust.dares import fill_dares, shuns
from gonfalon.games.grid.play.adjust.gambles import expect_gamble, fill_caution, find_gain, is_gamble
from gonfalon.games.grid.play.evaluate.context import CODES, KNOWN, MASK
from gonfalon.games.grid.play.evaluate.distances import find_ways
from gonfalon.games.grid.play.evaluate.pieces import GUESSES, count_points, fear_for_flag, fill_table, is_fresh
from gonfalon.games.grid.play.search.flag_moves import is_near, keep_local, list_threats
from gonfalon.games.grid.play.search.frame import DEPTH, EXCHANGES, LEVELS, SOONER, SURE, WIN
from gonfalon.games.grid.play.search.transposition_table import find_position_key, recall, remember
from gonfalon.games.grid.rules import act, legal_actions, next_actor
from gonfalon.games.grid.rules.battle import LOST, WON, result_of
from gonfalon.games.grid.rules.moves import move_end

UNKNOWN_GAIN = 0.5
"""For the order of actions: attacks on unknown pieces come later."""
MEMORABLE = 2
"""Least number of turns ahead at which positions are stored. Positions nearer to the end of a line are quicker to
search again.
"""


@entry
def prepare(worlds: Records, i: int, rules: Records, player: int, desks: Records) -> None:
    """Makes the table of world i in row i of `desks`."""
    fill_table(worlds[i], rules[0], player, desks[i])
    fill_caution(desks[i])
    fill_dares(worlds[i], rules[0], player, desks[i])


@entry
def prepare_guard(worlds: Records, i: int, rules: Records, player: int, desks: Records) -> None:
    """Makes the part of world i's table that `find_exposed` needs, in row 0 of `desks`."""
    s, r, d = worlds[i], rules[0], desks[0]
    fear_for_flag(s, r, player, d)
    find_ways(s, r, 1 - player, d, d.reach)


@entry
def list_results(rules: Records, kind: int, results: Numbers) -> None:
    """Fills `results`, int64 (TYPES,): the result of an attack of a piece of type `kind` on each type."""
    for other in range(1, g.TYPES):
        results[other] = result_of(rules[0], kind, other)


@long_entry
def look(
    worlds: Records,
    i: int,
    rules: Records,
    player: int,
    desks: Records,
    rows: Records,
    levels: Records,
    memo: Records,
    action: int,
    depth: int,
    alpha: float,
    beta: float,
) -> Any:
    """Return the points for `player` after the legal `action` in world i, by a search of `depth` turns, that action
    included.

    At or below `alpha` the true value may be lower, at or above `beta` higher. If `nodes` of the world's desk falls
    below 0, the search was broken off and its result means nothing. `rows`, `levels`: LEVELS rows of STATE and LEVEL,
    scratch; `memo`: SIZE rows of FOUND.
    """
    return explore(worlds[i], rules[0], player, desks[i], rows, levels, memo, action, depth, alpha, beta)


@long_entry
def find_exposed(
    worlds: Records,
    i: int,
    rules: Records,
    player: int,
    desks: Records,
    rows: Records,
    levels: Records,
    memo: Records,
    actions: Numbers,
    turns: int,
    nodes: int,
    most: int,
    exposed: Numbers,
) -> None:
    """Mark with 1, in `exposed` (int64), the player's legal `actions` after which the enemy can take the Flag by force
    within that many turns. The search ends after `nodes` positions for each action and `most` for all. Actions far
    from the Flag and its threats share one result. `desks`: one row, prepared for the world by `prepare_guard`.
    """
    s, r, d = worlds[i], rules[0], desks[0]
    if list_threats(s, r, player, d, turns) == 0:
        return
    d.local = 1
    elsewhere, left = -1, most
    for k in range(len(actions)):
        near = is_near(s, d, actions[k], turns, list_threats(s, r, player, d, turns))
        if not near and elsewhere >= 0:
            exposed[k] = max(exposed[k], elsewhere)
            continue
        if not exposed[k]:
            allowed = min(nodes, left)
            d.nodes = allowed
            points = explore(s, r, player, d, rows, levels, memo, actions[k], 2 * turns, -2.0 * WIN, -SURE)
            exposed[k] = 1 if d.nodes >= 0 and points <= -SURE else 0
            left = max(0, left - allowed + d.nodes)
        if not near:
            elsewhere = exposed[k]
    d.local = 0


@helper
def explore(
    start: StateRow,
    r: RulesRow,
    player: int,
    d: StateRow,
    rows: Records,
    levels: Records,
    memo: Records,
    action: int,
    depth: int,
    alpha: float,
    beta: float,
) -> Any:
    """See `look`."""
    rows[0] = start
    s = rows[0]
    act(s, r, player, action)
    open_level(s, r, player, d, levels[0], memo, depth - (s.mover != player or s.over != 0), alpha, beta, 0)
    at = 0
    while True:
        here = levels[at]
        if here.next < here.count and here.alpha < here.beta and d.nodes >= 0:
            chosen = pick_next(here)
            d.nodes -= 1
            rows[at + 1] = rows[at]
            s = rows[at + 1]
            act(s, r, here.mover, chosen)
            if here.mine and here.depth > 0 and not d.local and is_gamble(rows[at], d, chosen):
                expected = expect_gamble(rows[at], r, player, d, chosen)
                open_gamble(s, r, player, d, here, levels[at + 1], memo, expected, at + 1)
            else:
                left = here.depth - (s.mover != here.mover or here.depth <= 0 or s.over != 0)
                open_level(s, r, player, d, levels[at + 1], memo, left, here.alpha, here.beta, at + 1)
                if s.over == g.BY_FLAG:
                    judge_guess(rows[at], r, player, d, levels[at + 1], chosen)
            at += 1
            continue
        if here.next < here.count and here.alpha >= here.beta and here.depth > 0:
            d.history[here.mover * g.ACTIONS + here.ids[here.next - 1]] += here.depth * here.depth
        if here.key != 0 and d.nodes >= 0:
            remember(memo, here, at)
        if at == 0:
            return here.best
        at -= 1
        take(levels[at], here.best + here.lift)


@helper
def pick_next(here: StateRow) -> Any:
    """Return the most promising action that is not searched yet."""
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
    """Adds the result of the last searched action to the position."""
    if here.next > 0 and (points > here.best if here.mine else points < here.best):
        here.hint = here.ids[here.next - 1]
    if here.mine:
        here.best = max(here.best, points)
        here.alpha = max(here.alpha, points)
    else:
        here.best = min(here.best, points)
        here.beta = min(here.beta, points)


@helper
def open_level(
    s: StateRow,
    r: RulesRow,
    player: int,
    d: StateRow,
    here: StateRow,
    memo: Records,
    depth: int,
    alpha: float,
    beta: float,
    at: int,
) -> None:
    """Opens a position: its result if the match is over, its points, or its actions."""
    here.alpha, here.beta, here.depth = alpha, beta, depth
    here.low, here.high = alpha, beta
    here.count, here.next, here.key, here.hint, here.lift = 0, 0, 0, -1, 0.0
    if s.over != 0:
        here.best = 0.0
        if s.winner != g.NONE:
            here.best = WIN - SOONER * at if s.winner == player else SOONER * at - WIN
        return
    here.mover = next_actor(s, r)
    here.mine = here.mover == player
    if depth > 0 and at < DEPTH:
        open_ahead(s, r, player, d, here, memo, at)
    elif d.local:
        here.best = 0.0
    else:
        open_end(s, r, player, d, here, at)


@helper
def open_gamble(
    s: StateRow,
    r: RulesRow,
    player: int,
    d: StateRow,
    here: StateRow,
    after: StateRow,
    memo: Records,
    expected: float,
    at: int,
) -> None:
    """Opens the position after an attack on an unknown piece. The attack counts its `expected` value, whatever its
    result in this world. Only captures follow, and no further turn: without them the search would forget every other
    threat.
    """
    if s.over != 0 or d.off[a.FOLLOW_UP]:
        after.count, after.key, after.lift, after.best = 0, 0, 0.0, expected
        return
    lift = expected - count_points(s, r, player, d)
    open_level(s, r, player, d, after, memo, 0, here.alpha - lift, here.beta - lift, at)
    after.lift = lift


@helper
def open_ahead(s: StateRow, r: RulesRow, player: int, d: StateRow, here: StateRow, memo: Records, at: int) -> None:
    """Lists the actions of a position to search."""
    if here.depth >= MEMORABLE and s.phase == g.TURN:
        here.key = find_position_key(s, r, d, here.mover)
        if recall(memo, here, at):
            here.key = 0
            return
    here.best = -2.0 * WIN if here.mine else 2.0 * WIN
    here.count = legal_actions(s, r, here.mover, here.ids)
    if d.local:
        here.count = keep_local(s, r, player, d, here)
        if here.count == 0:
            here.best = 0.0
    elif s.phase == g.TURN:
        here.count = sort_out(s, r, d, here, True)
        if here.count == 0:
            here.best = count_points(s, r, player, d)
    for k in range(here.count):
        if here.ids[index(k)] == here.hint:
            here.keys[index(k)] = WIN


@helper
def open_end(s: StateRow, r: RulesRow, player: int, d: StateRow, here: StateRow, at: int) -> None:
    """Opens a position at the end of the search depth: its points, and attacks that win."""
    here.best = count_points(s, r, player, d)
    if s.phase != g.TURN or here.depth <= -EXCHANGES or at >= LEVELS - 2:
        return
    take(here, here.best)
    if here.alpha < here.beta:
        here.count = legal_actions(s, r, here.mover, here.ids)
        here.count = sort_out(s, r, d, here, False)


@helper
def sort_out(s: StateRow, r: RulesRow, d: StateRow, here: StateRow, ahead: bool) -> int:
    """Keeps the actions to search, with their keys. Returns their number. At the end of the search depth these are
    attacks that win: the player's on known pieces, and the enemy's on moved ones too, since few take those for
    Bombs. The Apple is left out: `patience.py` weighs it at the root.
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
            guess = here.mine and is_gamble(s, d, action)
            if not ahead and (guess or (not here.mine and is_fresh(s, end))):
                continue
            if guess and d.off[a.ATTACKS_AHEAD]:
                continue
            if ahead and not here.mine and shuns(s, d, action):
                continue
            key = find_gain(s, r, d, begin, end) if guess else find_key(s, r, d, begin, end, sign)
            if key <= 0.0 and (guess or not ahead):
                continue
            if not ahead and s.board[end] == g.EMPTY:
                continue
            key += 0.001 * d.history[here.mover * g.ACTIONS + action]
        here.ids[index(kept)] = action
        here.keys[index(kept)] = key
        kept += 1
    return kept


@helper
def find_key(s: StateRow, r: RulesRow, d: StateRow, begin: int, end: int, sign: float) -> Any:
    """Return the promise of a move to its player, in points."""
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
def judge_guess(before: StateRow, r: RulesRow, player: int, d: StateRow, after: StateRow, action: int) -> None:
    """Return the value of taking an unseen Flag. The player's guess counts only if it is nearly certain; other guesses
    are gambles. The enemy may guess elsewhere, so its attack counts with the probability that it goes for the Flag.
    Otherwise the match goes on.
    """
    end = move_end(action) if action < g.ACT_DEPLOY else g.OFF
    if end == g.OFF or before.board[end] & g.TYPE != g.FLAG or before.marks[end] & g.SEEN:
        return
    if before.mover == player:
        if d.flag_share[end] < GUESSES:
            after.best = -WIN
        return
    if d.local:
        return
    expected = (1.0 - d.aim) * math.tanh(count_points(before, r, player, d) / d.scale) - d.aim
    after.best = d.scale * math.atanh(max(-0.99, expected))
