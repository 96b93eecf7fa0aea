"""Alpha-beta search in one world (Knuth and Moore, An Analysis of Alpha-Beta Pruning, 1975), with both sides knowing
all. It plays the rules' own functions on copied rows, one row for each decision ahead, and is iterative: a recursive
compiled function crashes when it comes from the cache.
"""

import math
from typing import Any

import numpy as np

from gonfalon.engine.compiled.jit import Numbers, Records, RulesRow, StateRow, entry, helper, index, long_entry
from gonfalon.games.grid import state as g
from gonfalon.games.grid.play import adjustments as a
from gonfalon.games.grid.play.adjust.dares import fill_dares, shuns
from gonfalon.games.grid.play.adjust.gambles import expect_gamble, find_gain, is_gamble
from gonfalon.games.grid.play.evaluate.context import CODES, KNOWN, MASK
from gonfalon.games.grid.play.evaluate.distances import find_ways
from gonfalon.games.grid.play.evaluate.outcome import SOONER, SURE, WIN
from gonfalon.games.grid.play.evaluate.pieces import count_points, fear_for_flag, fill_table, is_fresh
from gonfalon.games.grid.play.search.flag_moves import is_near, keep_local, list_threats
from gonfalon.games.grid.play.search.frame import DEPTH, EXCHANGES, FRAMES
from gonfalon.games.grid.play.search.transposition_table import find_position_key, recall, remember
from gonfalon.games.grid.play.tunables import GUESSES, MEMORABLE, UNKNOWN_GAIN
from gonfalon.games.grid.rules import act, legal_actions, next_actor
from gonfalon.games.grid.rules.battle import LOST, WON, result_of
from gonfalon.games.grid.rules.moves import move_end

EXPOSED = np.dtype([("action", np.int64), ("lost", np.int64)], align=True)
"""An action of the player, and 1 if the enemy can take the Flag by force after it, else 0."""


@entry
def prepare_context(world: Records, rules: Records, context: Records) -> None:
    """Fill the context of a world, one row each. `player`, `learned`, `off` and the fields about the Flags are set."""
    s, r, c = world[0], rules[0], context[0]
    fill_table(s, r, c)
    fill_dares(s, r, c)


@entry
def list_results(rules: Records, kind: int, results: Numbers) -> None:
    """Fills `results`, int64 (TYPES,): the result of an attack of a piece of type `kind` on each type."""
    for other in range(1, g.TYPES):
        results[other] = result_of(rules[0], kind, other)


@long_entry
def search_action(
    world: Records,
    rules: Records,
    context: Records,
    rows: Records,
    frames: Records,
    transpositions: Records,
    action: int,
) -> Any:
    """Return the points for the context's player after the legal `action`, by a search of `depth` turns, that action
    included, between `alpha` and `beta`: all three stand in row 0 of `frames`.

    At or below `alpha` the true value may be lower, at or above `beta` higher. If `nodes` of the context falls below 0,
    the search was broken off and its result means nothing. `world`, `context`: one row; `rows`, `frames`: FRAMES rows
    of STATE and FRAME, scratch; `transpositions`: SIZE rows of TRANSPOSITION.
    """
    return explore(world[0], rules[0], context[0], rows, frames, transpositions, action)


@long_entry
def find_exposed(
    world: Records,
    rules: Records,
    context: Records,
    rows: Records,
    frames: Records,
    transpositions: Records,
    actions: Records,
) -> None:
    """Set `lost` to 1 for those of the player's legal `actions` (EXPOSED rows) after which the enemy can take the Flag
    by force.

    The context's `guard_turns`, `guard_nodes` and `guard_most` limit the search. Actions far from the Flag and its
    threats share one result. Other arguments as in `search_action`.
    """
    s, r, c = world[0], rules[0], context[0]
    fear_for_flag(s, r, c)
    find_ways(s, r, 1 - c.player, c, c.reach)
    if list_threats(s, r, c, c.guard_turns) == 0:
        return
    c.local = 1
    elsewhere, left = -1, c.guard_most
    for k in range(len(actions)):
        near = is_near(s, c, actions[k].action, c.guard_turns, list_threats(s, r, c, c.guard_turns))
        if not near and elsewhere >= 0:
            actions[k].lost = max(actions[k].lost, elsewhere)
            continue
        if not actions[k].lost:
            allowed = min(c.guard_nodes, left)
            c.nodes = allowed
            start = frames[0]
            start.depth, start.alpha, start.beta = 2 * c.guard_turns, -2.0 * WIN, -SURE
            points = explore(s, r, c, rows, frames, transpositions, actions[k].action)
            actions[k].lost = 1 if c.nodes >= 0 and points <= -SURE else 0
            left = max(0, left - allowed + c.nodes)
        if not near:
            elsewhere = actions[k].lost
    c.local = 0


@helper
def explore(
    world: StateRow, r: RulesRow, c: StateRow, rows: Records, frames: Records, transpositions: Records, action: int
) -> Any:
    """See `search_action`."""
    rows[0] = world
    s = rows[0]
    act(s, r, c.player, action)
    frames[0].depth -= find_cost(world, s, c.player, False)
    open_frame(s, r, c, frames[0], transpositions, 0)
    at = 0
    while True:
        here = frames[at]
        if here.next < here.count and here.alpha < here.beta and c.nodes >= 0:
            chosen = pick_next(here)
            c.nodes -= 1
            rows[at + 1] = rows[at]
            s, after = rows[at + 1], frames[at + 1]
            act(s, r, here.mover, chosen)
            if here.mine and here.depth > 0 and not c.local and is_gamble(rows[at], c, chosen):
                after.best = expect_gamble(rows[at], r, c, chosen)
                open_gamble(s, r, c, here, after, transpositions, at + 1)
            else:
                after.depth = here.depth - find_cost(rows[at], s, here.mover, here.depth <= 0)
                after.alpha, after.beta = here.alpha, here.beta
                open_frame(s, r, c, after, transpositions, at + 1)
                if s.over == g.BY_FLAG:
                    judge_guess(rows[at], r, c, after, chosen)
            at += 1
            continue
        if here.next < here.count and here.alpha >= here.beta and here.depth > 0:
            c.history[here.mover * g.ACTIONS + here.ids[here.next - 1]] += here.depth * here.depth
        if here.key != 0 and c.nodes >= 0:
            remember(transpositions, here, at)
        if at == 0:
            return here.best
        at -= 1
        take(frames[at], here.best + here.lift)


@helper
def find_cost(before: StateRow, s: StateRow, mover: int, exchanges: bool) -> int:
    """Return the depth that an action of `mover` uses up, in turns: 0 within a turn, 1 at its end, and 1 more each time
    that a side is passed over. In `exchanges`, at the end of the search depth, every action uses up at least 1.
    """
    turns = count_turns(before.turn, s.turn)
    if turns > 1:
        return turns
    return 1 if s.mover != mover or exchanges or s.over != 0 else 0


@helper
def count_turns(before: int, after: int) -> int:
    """Subtract turn numbers: fields are unsigned, but the arguments of a helper are signed."""
    return after - before


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
    """Take the points of the action searched last into the position's best value and window."""
    if here.next > 0 and (points > here.best if here.mine else points < here.best):
        here.hint = here.ids[here.next - 1]
    if here.mine:
        here.best = max(here.best, points)
        here.alpha = max(here.alpha, points)
    else:
        here.best = min(here.best, points)
        here.beta = min(here.beta, points)


@helper
def open_frame(s: StateRow, r: RulesRow, c: StateRow, here: StateRow, transpositions: Records, at: int) -> None:
    """Open a position with the `depth`, `alpha` and `beta` of its frame: find its result if the match is over, else its
    points or its actions.
    """
    here.low, here.high = here.alpha, here.beta
    here.count, here.next, here.key, here.hint, here.lift = 0, 0, 0, -1, 0.0
    if s.over != 0:
        here.best = 0.0
        if s.winner != g.NONE:
            here.best = WIN - SOONER * at if s.winner == c.player else SOONER * at - WIN
        return
    here.mover = next_actor(s, r)
    here.mine = here.mover == c.player
    if here.depth > 0 and at < DEPTH:
        open_ahead(s, r, c, here, transpositions, at)
    elif c.local:
        here.best = 0.0
    else:
        open_end(s, r, c, here, at)


@helper
def open_gamble(
    s: StateRow, r: RulesRow, c: StateRow, here: StateRow, after: StateRow, transpositions: Records, at: int
) -> None:
    """Open the position after an attack on an unknown piece. The attack counts its expected value, which stands in
    `after.best`, whatever its result in this world. Only captures follow, and no further turn: without them the search
    would forget every other threat.
    """
    if s.over != 0 or c.off[a.FOLLOW_UP]:
        after.count, after.key, after.lift = 0, 0, 0.0
        return
    lift = after.best - count_points(s, r, c)
    after.depth, after.alpha, after.beta = 0, here.alpha - lift, here.beta - lift
    open_frame(s, r, c, after, transpositions, at)
    after.lift = lift


@helper
def open_ahead(s: StateRow, r: RulesRow, c: StateRow, here: StateRow, transpositions: Records, at: int) -> None:
    """Lists the actions of a position to search."""
    if here.depth >= MEMORABLE and s.phase == g.TURN:
        here.key = find_position_key(s, r, c, here.mover)
        if recall(transpositions, here, at):
            here.key = 0
            return
    here.best = -2.0 * WIN if here.mine else 2.0 * WIN
    here.count = legal_actions(s, r, here.mover, here.ids)
    if c.local:
        here.count = keep_local(s, r, c, here)
        if here.count == 0:
            here.best = 0.0
    elif s.phase == g.TURN:
        here.count = sort_out(s, r, c, here, True)
        if here.count == 0:
            here.best = count_points(s, r, c)
    for k in range(here.count):
        if here.ids[index(k)] == here.hint:
            here.keys[index(k)] = WIN


@helper
def open_end(s: StateRow, r: RulesRow, c: StateRow, here: StateRow, at: int) -> None:
    """Open a position at the end of the search depth: count its points and list attacks that win."""
    here.best = count_points(s, r, c)
    if s.phase != g.TURN or here.depth <= -EXCHANGES or at >= FRAMES - 2:
        return
    take(here, here.best)
    if here.alpha < here.beta:
        here.count = legal_actions(s, r, here.mover, here.ids)
        here.count = sort_out(s, r, c, here, False)


@helper
def sort_out(s: StateRow, r: RulesRow, c: StateRow, here: StateRow, ahead: bool) -> int:
    """Keep the actions to search, with their keys, and return their number. At the end of the search depth these are
    attacks that win: those of the player on known pieces, those of the enemy also on moved pieces, which cannot be
    Bombs. Apples are left out; `patience.py` weighs them at the root.
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
            guess = here.mine and is_gamble(s, c, action)
            if not ahead and (guess or (not here.mine and is_fresh(s, end))):
                continue
            if guess and c.off[a.ATTACKS_AHEAD]:
                continue
            if ahead and not here.mine and shuns(s, c, action):
                continue
            key = find_gain(s, r, c, begin, end) if guess else find_key(s, r, c, begin, end, sign)
            if key <= 0.0 and (guess or not ahead):
                continue
            if not ahead and s.board[end] == g.EMPTY:
                continue
            key += 0.001 * c.history[here.mover * g.ACTIONS + action]
        here.ids[index(kept)] = action
        here.keys[index(kept)] = key
        kept += 1
    return kept


@helper
def find_key(s: StateRow, r: RulesRow, c: StateRow, begin: int, end: int, sign: float) -> Any:
    """Return the points that a move seems to win for its player, for the order of the search."""
    piece = (s.board[begin] & MASK) + (KNOWN if s.marks[begin] & g.SEEN else 0)
    away = sign * c.table[begin * CODES + piece]
    if s.board[end] == g.EMPTY:
        return sign * c.table[end * CODES + piece] - away
    kind, other = s.board[begin] & g.TYPE, s.board[end] & g.TYPE
    known = s.marks[end] & g.SEEN
    taken = -sign * c.table[end * CODES + (s.board[end] & MASK) + (KNOWN if known else 0)]
    if other == g.FLAG:
        return WIN
    result = result_of(r, kind, other)
    if result == LOST:
        return -away
    gain = taken if result == WON else taken - away
    return gain if known else UNKNOWN_GAIN * gain


@helper
def judge_guess(before: StateRow, r: RulesRow, c: StateRow, after: StateRow, action: int) -> None:
    """Correct the value of an attack that takes an unseen Flag in this world. For the player it counts only if the
    place of the Flag is nearly certain. The enemy may guess another place: its attack counts with the probability
    `aim`, and otherwise the match goes on.
    """
    end = move_end(action) if action < g.ACT_DEPLOY else g.OFF
    if end == g.OFF or before.board[end] & g.TYPE != g.FLAG or before.marks[end] & g.SEEN:
        return
    if before.mover == c.player:
        if c.flag_share[end] < GUESSES:
            after.best = -WIN
        return
    if c.local:
        return
    expected = (1.0 - c.aim) * math.tanh(count_points(before, r, c) / c.scale) - c.aim
    after.best = c.scale * math.atanh(max(-0.99, expected))
