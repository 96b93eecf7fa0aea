"""Compiled part of the search: tries the next actions of a plan, and plays on from its end.

A plan is a sequence of actions of one turn, the same in all worlds, since the player cannot tell them apart. After an
attack the player may see a difference. A world in which the plan's next action is no longer legal is left out.
"""

from gonfalon.engine.jit import Numbers, Records, RulesRow, StateRow, entry, helper, long_entry
from gonfalon.engine.kernels import is_among
from gonfalon.games.conquest import state as g
from gonfalon.games.conquest.play.habits import draw_due, play_turn
from gonfalon.games.conquest.play.worth import worth
from gonfalon.games.conquest.rules import act, legal_actions


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
    """Whether the player may still do the action in this turn."""
    if s.phase == g.OVER or s.turn != turn:
        return False
    return is_among(ids, legal_actions(s, r, player, ids), action)


@entry
def list_next(rows: Records, first: int, count: int, rules: Records, player: int, actions: Numbers) -> int:
    """List in `actions`, int32 (MOST_LEGAL,), the player's next actions in the first world in which the turn goes on;
    return their number.
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


@long_entry
def try_all(
    rows: Records,
    first: int,
    count: int,
    spare: int,
    rules: Records,
    player: int,
    heeds: int,
    actions: Numbers,
    n: int,
    values: Numbers,
    work: Numbers,
    lead: Numbers,
) -> None:
    """Fill `values[k]`, float64 (n,), with the mean `worth` for the player after `actions[k]`, if the turn ended with
    it. The mean is over the worlds first, ..., first + count - 1. `values[n]`: the same without any action. Row
    `spare` is scratch.
    """
    r, ids = rules[0], rules[0].ids
    for k in range(n + 1):
        values[k] = 0.0
    for world in range(first, first + count):
        s = rows[world]
        turn, plain = s.turn, worth(s, r, player, next_mover(s, r, player), heeds, work, lead) / count
        values[n] += plain
        going = s.phase != g.OVER and s.mover == player
        legal = legal_actions(s, r, player, ids) if going else 0
        for k in range(n):
            if not is_among(ids, legal, actions[k]):
                values[k] += plain
                continue
            rows[spare] = rows[world]
            t = rows[spare]
            act(t, r, player, actions[k])
            values[k] += (
                worth(t, r, player, next_mover(t, r, player) if t.turn == turn else t.mover, heeds, work, lead) / count
            )


@long_entry
def go_on(
    rows: Records, first: int, count: int, target: int, rules: Records, player: int, action: int, counter: Numbers
) -> None:
    """Copy the worlds to the rows from `target` on, after the player's action (left out where illegal) and all draws of
    chance in the turn. `counter`: uint64 (1,), the random stream.
    """
    r, ids = rules[0], rules[0].ids
    for k in range(count):
        rows[target + k] = rows[first + k]
        s = rows[target + k]
        turn = s.turn
        if may_act(s, r, player, turn, action, ids):
            act(s, r, player, action)
            if s.turn == turn:
                draw_due(s, r, ids, counter)


@long_entry
def play_on(
    rows: Records,
    row: int,
    spare: int,
    rules: Records,
    player: int,
    heeds: int,
    turns: int,
    work: Numbers,
    lead: Numbers,
    tables: Numbers,
    counter: Numbers,
) -> float:
    """Return the `worth` of one world for the player, after the plan and `turns` turns of the rollout policy. Row
    `spare` is scratch.
    """
    r, ids = rules[0], rules[0].ids
    rows[spare] = rows[row]
    s = rows[spare]
    if s.phase == g.MOVE and s.mover == player and s.made > 0:
        act(s, r, player, g.ACT_STOP)
    for _ in range(turns):
        if s.phase != g.OVER:
            play_turn(s, r, ids, tables, counter)
    return worth(s, r, player, s.mover, heeds, work, lead)
