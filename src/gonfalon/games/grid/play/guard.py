"""What matters when only the Flags are looked at: enemies that come to the player's Flag, who stands in their way, and
his own way to a Flag that he knows.
"""

from typing import Any

from gonfalon.engine.jit import RulesRow, StateRow, helper, index
from gonfalon.games.grid import state as g
from gonfalon.games.grid.play.worth import FAR, gap
from gonfalon.games.grid.rules.moves import move_end

TURNS = 8
"""How many turns of the enemy it is looked ahead."""
NEAR = 3
"""Pieces so many squares from the Flag, or from who threatens it, may help."""


@helper
def arrives(s: StateRow, square: int, d: StateRow, turns: int) -> Any:
    """Whether the enemy piece on a square can be at the player's Flag in so many turns if nobody hinders it."""
    kind = s.board[square] & g.TYPE
    steps = d.away[kind * g.SQUARES + square]
    return steps <= turns or (kind == g.SCOUT and steps < FAR)


@helper
def is_threatened(s: StateRow, r: RulesRow, player: int, d: StateRow) -> Any:
    """Whether any enemy can come to the player's Flag in time."""
    enemy = g.ANY_SIDE - (g.RED << player)
    found = False
    for square in range(r.squares):
        found |= s.board[square] & enemy != 0 and arrives(s, square, d, TURNS)
    return found


@helper
def find_gap(s: StateRow, r: RulesRow, player: int, d: StateRow, square: int, turns: int) -> Any:
    """How near a square is to the player's Flag or to an enemy who can come there in so many turns."""
    enemy = g.ANY_SIDE - (g.RED << player)
    best = gap(square, d.home)
    for other in range(r.squares):
        if s.board[other] & enemy and arrives(s, other, d, turns):
            best = min(best, gap(square, other))
    return best


@helper
def is_near(s: StateRow, r: RulesRow, player: int, d: StateRow, action: int, turns: int) -> bool:
    """Whether an action of the player may help his Flag or endanger it."""
    if action >= g.ACT_DEPLOY:
        return True
    if find_gap(s, r, player, d, action // g.MOVE_TO, turns) <= NEAR:
        return True
    return find_own_key(s, r, player, d, action, turns) >= 0.0


@helper
def keep_local(s: StateRow, r: RulesRow, player: int, d: StateRow, here: StateRow) -> int:
    """Keeps the actions that matter, with their keys, and one that stands for all others of the player; returns how
    many.
    """
    turns = (here.depth + 1) // 2
    kept, passed = 0, False
    for k in range(here.count):
        action = here.ids[index(k)]
        key = -1.0
        if action >= g.ACT_DEPLOY:
            if s.phase == g.TURN:
                continue
            key = 0.0
        elif here.mine:
            key = find_own_key(s, r, player, d, action, turns)
            if key < 0.0:
                if passed:
                    continue
                passed = True
        else:
            key = find_enemy_key(s, d, action, turns)
            if key < 0.0:
                continue
        here.ids[index(kept)] = action
        here.keys[index(kept)] = key
        kept += 1
    return kept


@helper
def find_enemy_key(s: StateRow, d: StateRow, action: int, turns: int) -> float:
    """How much an enemy's move matters: steps towards the player's Flag, and attacks on who comes to his; else -1."""
    begin, end = action // g.MOVE_TO, move_end(action)
    kind, other = s.board[begin] & g.TYPE, s.board[end] & g.TYPE
    if arrives(s, begin, d, turns):
        steps = d.away[kind * g.SQUARES + end]
        if steps < d.away[kind * g.SQUARES + begin]:
            return 50.0 - float(steps)
    if s.board[end] != g.EMPTY and d.reach[other * g.SQUARES + end] <= turns:
        return 10.0
    return -1.0


@helper
def find_own_key(s: StateRow, r: RulesRow, player: int, d: StateRow, action: int, turns: int) -> float:
    """The same for the player's moves: towards a Flag that he knows, and near his own."""
    begin, end = action // g.MOVE_TO, move_end(action)
    kind = s.board[begin] & g.TYPE
    steps = d.reach[kind * g.SQUARES + begin]
    if steps <= turns and d.reach[kind * g.SQUARES + end] < steps:
        return 60.0 - float(steps)
    near = find_gap(s, r, player, d, end, turns)
    if near > NEAR and (kind <= g.MINER or near > turns or near >= find_gap(s, r, player, d, begin, turns)):
        return -1.0
    return 40.0 if s.board[end] != g.EMPTY else 10.0 - float(near)
