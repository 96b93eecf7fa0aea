"""Moves that matter for the Flags: of enemies that approach the player's Flag, of pieces that can block them, and of
the player on the way to the enemy's Flag in that world.
"""

from typing import Any

from gonfalon.engine.compiled.jit import RulesRow, StateRow, helper, index
from gonfalon.games.grid import state as g
from gonfalon.games.grid.play.evaluate.distances import FAR, gap
from gonfalon.games.grid.play.tunables import GUARD_NEAR
from gonfalon.games.grid.rules.moves import move_end


@helper
def arrives(s: StateRow, square: int, c: StateRow, turns: int) -> Any:
    """Whether the enemy piece on a square can reach the player's Flag in that many turns if nothing stops it."""
    kind = s.board[square] & g.TYPE
    steps = c.away[kind * g.SQUARES + square]
    return steps <= turns or (kind == g.SCOUT and steps < FAR)


@helper
def list_threats(s: StateRow, r: RulesRow, c: StateRow, turns: int) -> int:
    """Lists in `queue` the enemy pieces that can reach the player's Flag in that many turns. Returns their number."""
    enemy = g.ANY_SIDE - (g.RED << c.player)
    count = 0
    for square in range(r.squares):
        if s.board[index(square)] & enemy and arrives(s, square, c, turns):
            c.queue[count] = square
            count += 1
    return count


@helper
def find_gap(c: StateRow, square: int, threats: int) -> Any:
    """Return the distance of a square from the player's Flag or the nearest of the listed threats."""
    best = gap(square, c.home)
    for k in range(threats):
        best = min(best, gap(square, c.queue[k]))
    return best


@helper
def is_near(s: StateRow, c: StateRow, action: int, turns: int, threats: int) -> bool:
    """Whether an action of the player may help or endanger the own Flag within that many enemy turns."""
    if action >= g.ACT_DEPLOY or find_gap(c, action // g.MOVE_TO, threats) <= GUARD_NEAR:
        return True
    return find_own_key(s, c, action, turns, threats) >= 0.0


@helper
def keep_local(s: StateRow, r: RulesRow, c: StateRow, here: StateRow) -> int:
    """Keeps the actions that matter, with their keys, and one that represents all other actions of the player. Returns
    their number.
    """
    turns = (here.depth + 1) // 2
    threats = list_threats(s, r, c, turns)
    if threats == 0:
        return 0
    kept, passed = 0, False
    for k in range(here.count):
        action = here.ids[index(k)]
        key = -1.0
        if action >= g.ACT_DEPLOY:
            if s.phase == g.TURN:
                continue
            key = 0.0
        elif here.mine:
            key = find_own_key(s, c, action, turns, threats)
            if key < 0.0:
                if passed:
                    continue
                passed = True
        else:
            key = find_enemy_key(s, c, action, turns)
            if key < 0.0:
                continue
        here.ids[index(kept)] = action
        here.keys[index(kept)] = key
        kept += 1
    return kept


@helper
def find_enemy_key(s: StateRow, c: StateRow, action: int, turns: int) -> float:
    """Return the importance of an enemy's move: steps towards the player's Flag, attacks on pieces near it; else -1."""
    begin, end = action // g.MOVE_TO, move_end(action)
    kind, other = s.board[begin] & g.TYPE, s.board[end] & g.TYPE
    if arrives(s, begin, c, turns):
        steps = c.away[kind * g.SQUARES + end]
        if steps < c.away[kind * g.SQUARES + begin]:
            return 50.0 - float(steps)
    if s.board[end] != g.EMPTY and c.reach[other * g.SQUARES + end] <= turns:
        return 10.0
    return -1.0


@helper
def find_own_key(s: StateRow, c: StateRow, action: int, turns: int, threats: int) -> float:
    """Return the importance of the player's move: towards the Flag of this world, and near the own one."""
    begin, end = action // g.MOVE_TO, move_end(action)
    kind = s.board[begin] & g.TYPE
    steps = c.reach[kind * g.SQUARES + begin]
    if steps <= turns and c.reach[kind * g.SQUARES + end] < steps:
        return 60.0 - float(steps)
    near = find_gap(c, end, threats)
    if near > GUARD_NEAR and (kind <= g.MINER or near > turns or near >= find_gap(c, begin, threats)):
        return -1.0
    return 40.0 if s.board[end] != g.EMPTY else 10.0 - float(near)
