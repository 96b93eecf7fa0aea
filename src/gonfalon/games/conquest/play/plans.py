"""Compiled part of the search: tries the next actions of a plan, and plays on from its end.

A plan is a sequence of actions of one turn. It is the same in all worlds, because the player cannot tell them apart.
After an attack the worlds may differ for the player: a world in which the plan's next action is not legal skips that
action.
"""

import numpy as np

from gonfalon.engine.compiled.jit import Numbers, Records, RulesRow, StateRow, entry, helper, long_entry
from gonfalon.engine.compiled.kernels import is_among
from gonfalon.games.conquest import state as g
from gonfalon.games.conquest.play.habits import TABLES, draw_due, play_turn
from gonfalon.games.conquest.play.worth import worth
from gonfalon.games.conquest.rules import act, legal_actions

PLANNER = np.dtype(
    [
        ("player", np.int64),  # the player who plans
        ("heeds", np.int64),  # 1 to consider what other players know of the player's units, else 0
        ("turns", np.int64),  # number of turns that `play_on` plays
        ("work", np.int32, (2 * g.ZONES,)),  # scratch of `worth`
        ("lead", np.float64, (2 * g.PLAYERS,)),  # scratch of `worth`
        ("tables", np.float64, (TABLES,)),  # scratch of the rollout policy
    ],
    align=True,
)
"""The player whose plans are compared, with scratch memory. Functions below call its row `p`."""


@helper
def next_mover(s: StateRow, r: RulesRow, player: int) -> int:
    """Return the player who moves after the player's turn; the present mover if the player's turn is over."""
    if s.mover != player:
        return s.mover
    for step in range(1, r.players):
        other = (player + step) % r.players
        if s.out[other] == g.IN:
            return other
    return player


@helper
def may_act(s: StateRow, r: RulesRow, player: int, turn: int, action: int, ids: Numbers) -> bool:
    """Return whether the player may still do the action in this turn."""
    if s.phase == g.OVER or s.turn != turn:
        return False
    return is_among(ids, legal_actions(s, r, player, ids), action)


@entry
def list_next(rows: Records, first: int, count: int, rules: Records, player: int, actions: Numbers) -> int:
    """List the player's next actions in `actions`, int32 (MOST_LEGAL,), from the first world in which the turn goes on.
    Return their number.
    """
    r, ids = rules[0], rules[0].ids
    for k in range(count):
        s = rows[first + k]
        if s.phase != g.OVER and s.mover == player and s.phase != g.DRAW and s.phase != g.UNIT:
            n = legal_actions(s, r, player, ids)
            for j in range(n):
                actions[j] = ids[j]
            return n
    return 0


@helper
def find_worth(s: StateRow, r: RulesRow, p: StateRow, after: int) -> float:
    """Return the `worth` of a state for the planner, if `after` moves next."""
    return worth(s, r, p.player, after, p.heeds, p.work, p.lead)


@long_entry
def try_all(
    worlds: Records, scratch: Records, rules: Records, planner: Records, actions: Numbers, values: Numbers
) -> None:
    """Fill `values[k]` with the mean `worth` over the worlds for the planner after `actions[k]`, if the turn ended with
    it, and the last value with the mean without any action. `actions`: int32 (n,); `values`: float64 (n + 1,).
    """
    r, ids, p, n = rules[0], rules[0].ids, planner[0], len(actions)
    for k in range(n + 1):
        values[k] = 0.0
    for world in range(len(worlds)):
        s = worlds[world]
        turn, plain = s.turn, find_worth(s, r, p, next_mover(s, r, p.player)) / len(worlds)
        values[n] += plain
        going = s.phase != g.OVER and s.mover == p.player
        legal = legal_actions(s, r, p.player, ids) if going else 0
        for k in range(n):
            if not is_among(ids, legal, actions[k]):
                values[k] += plain
                continue
            scratch[0] = worlds[world]
            t = scratch[0]
            act(t, r, p.player, actions[k])
            values[k] += find_worth(t, r, p, next_mover(t, r, p.player) if t.turn == turn else t.mover) / len(worlds)


@long_entry
def go_on(worlds: Records, targets: Records, rules: Records, player: int, action: int, counter: Numbers) -> None:
    """Copy the worlds to `targets`; there, apply the player's action where it is legal, and make all draws of chance in
    the turn. `counter`: uint64 (1,), the random stream.
    """
    r, ids = rules[0], rules[0].ids
    for k in range(len(worlds)):
        targets[k] = worlds[k]
        s = targets[k]
        turn = s.turn
        if may_act(s, r, player, turn, action, ids):
            act(s, r, player, action)
            if s.turn == turn:
                draw_due(s, r, ids, counter)


@long_entry
def play_on(world: Records, scratch: Records, rules: Records, planner: Records, counter: Numbers) -> float:
    """Return the `worth` of a world for the planner, after the plan and some turns of the rollout policy."""
    r, ids, p = rules[0], rules[0].ids, planner[0]
    scratch[0] = world[0]
    s = scratch[0]
    if s.phase == g.MOVE and s.mover == p.player and s.made > 0:
        act(s, r, p.player, g.ACT_STOP)
    for _ in range(p.turns):
        if s.phase != g.OVER:
            play_turn(s, r, ids, p.tables, counter)
    return find_worth(s, r, p, s.mover)
