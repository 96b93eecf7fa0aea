"""Worth of pieces in one world, for the search: a table by square, piece and whether the piece is known.

The table is made once for a world and holds while the search plays on in it; an estimate is a sum over the squares, and
a correction for pieces that became unbeaten. A Captain is worth about 30 points, a Marshal 200.
"""

import math
from typing import Any

from gonfalon.engine.compiled.jit import Numbers, RulesRow, StateRow, helper, index
from gonfalon.games.grid import state as g
from gonfalon.games.grid.play import adjustments as a
from gonfalon.games.grid.play.evaluate.context import CODES, KNOWN, MASK
from gonfalon.games.grid.play.evaluate.distances import find_approach, find_flag, find_ways, steps_of
from gonfalon.games.grid.play.evaluate.flags import fill_race, judge_race, list_runners
from gonfalon.games.grid.play.tunables import (
    APPLE_WORTH,
    BEATS,
    BOMB_PULL,
    BOMB_WORTH,
    DANGER,
    DULL,
    FALL,
    FLAG_PULL,
    FOUND,
    HIGH_PULL,
    HIGH_SECRET,
    IDLE_SPY,
    KNOWN_FLAG_PULL,
    LEAST,
    LONG_QUIET,
    MINER_LEAST,
    MINERS,
    NEAR_FLAG,
    PULL,
    QUIET,
    SCALE,
    SECRET,
    SHOWN_FLAG,
    SHY,
    SPY_STILL,
    SPY_WORTH,
    STILL,
    TOP,
    UNBEATEN,
)
from gonfalon.games.grid.rules.battle import WON, result_of

HIGH = 8


@helper
def is_full(r: RulesRow) -> Any:
    """Whether an army fills its side of the board, as Barrage's does not. In Python: not `is_sparse`."""
    return r.army[0] == 0


@helper
def is_fresh(s: StateRow, square: int) -> Any:
    """Whether the piece on a square has neither moved nor been seen, so that its enemy must consider a Bomb."""
    return not s.marks[index(square)] & (g.SEEN | g.MOVED)


@helper
def is_ambusher(r: RulesRow, side: int, c: StateRow) -> Any:
    """Return whether a side's Spy waits for the Marshal: it is on the board, with many others to hide among."""
    return is_full(r) and c.counts[(1 - side) * 16 + g.MARSHAL] > 0


@helper
def count_pieces(s: StateRow, r: RulesRow, counts: Numbers) -> None:
    """Fills `counts`, by side * 16 + type, with the number of pieces on the board."""
    for k in range(2 * 16):
        counts[k] = 0
    for square in range(r.squares):
        piece = s.board[index(square)]
        if piece & g.ANY_SIDE:
            counts[(16 if piece & g.BLUE else 0) + (piece & g.TYPE)] += 1


@helper
def find_worth(counts: Numbers, learned: Numbers, worth: Numbers, top: Numbers) -> None:
    """Fills `worth`, by side * 16 + type, from the pieces that both sides have in this world and the learned
    corrections; and `top`, the part of it that falls with the number of enemies that beat the piece (TOP).
    """
    for side in range(2):
        other, stronger, weaker = (1 - side) * 16, 0.0, 0.0
        for kind in range(1, g.BOMB):
            stronger += counts[other + kind]
        for kind in range(1, g.BOMB):
            equal = counts[other + kind]
            top[side * 16 + kind] = TOP / (1.0 + stronger - 0.5 * equal) ** FALL
            worth[side * 16 + kind] = LEAST + top[side * 16 + kind] + BEATS * weaker
            stronger, weaker = stronger - equal, weaker + equal
        has_marshal = counts[other + g.MARSHAL] > 0
        worth[side * 16 + g.SPY] = SPY_WORTH if has_marshal else IDLE_SPY
        miners, bombs = counts[side * 16 + g.MINER], counts[other + g.BOMB]
        if bombs > 0 and miners > 0:
            worth[side * 16 + g.MINER] = max(worth[side * 16 + g.MINER], MINER_LEAST + MINERS / miners)
        worth[side * 16 + g.BOMB] = BOMB_WORTH
        worth[side * 16 + g.FLAG] = 0.0
        for kind in range(1, g.TYPES):
            worth[side * 16 + kind] += learned[kind]


@helper
def find_unbeaten(s: StateRow, r: RulesRow, c: StateRow) -> float:
    """Return the points, for the player, of the pieces of both sides that no enemy beats or equals any more after the
    exchanges of a line.
    """
    total = 0.0
    for side in range(2):
        sign = 1.0 if side == c.player else -1.0
        for below in range(g.MARSHAL - g.SPY):
            kind = g.MARSHAL - below
            if r.army[kind] - s.lost[1 - side, kind]:
                break
            total += sign * (r.army[kind] - s.lost[side, kind]) * (TOP - c.top[side * 16 + kind])
    return UNBEATEN * total


@helper
def find_gain(s: StateRow, r: RulesRow, side: int, kind: int, square: int, c: StateRow) -> Any:
    """Attraction of a piece of `side` and type `kind` to the enemy on `square`."""
    target = s.board[square] & g.TYPE
    known = s.marks[square] & g.SEEN
    if kind == g.SPY and is_ambusher(r, side, c):
        return 0.0
    if target == g.FLAG:
        pull = FLAG_PULL + (KNOWN_FLAG_PULL - FLAG_PULL) * c.flag_share[square]
        return pull * (HIGH_PULL if kind >= HIGH and not known else 1.0)
    if result_of(r, kind, target) != WON:
        return 0.0
    if target == g.BOMB:
        return BOMB_PULL if kind == g.MINER else 0.0
    gain = PULL * (c.worth[(1 - side) * 16 + target] + c.danger[target * g.SQUARES + square])
    return gain if known or kind < HIGH else SHY * gain


@helper
def find_pull(s: StateRow, r: RulesRow, side: int, c: StateRow) -> None:
    """Fill `pull` for a side. Only known pieces of the player attract the enemy."""
    enemy = g.ANY_SIDE - (g.RED << side)
    for k in range(16 * g.SQUARES):
        c.pull[k] = 0.0
    for square in range(r.squares):
        if not s.board[square] & enemy or (side != c.player and not s.marks[square] & g.SEEN):
            continue
        find_approach(s, r, square, 1 - side, c)
        for kind in range(1, g.BOMB):
            gain = find_gain(s, r, side, kind, square, c)
            if gain > 0.0:
                for other in range(r.squares):
                    at = kind * g.SQUARES + other
                    c.pull[at] = max(c.pull[at], gain / (2.0 + steps_of(kind, other, c)))


@helper
def fill_table(s: StateRow, r: RulesRow, c: StateRow) -> None:
    """Fill the context of a world: worth, table, danger, races. `c`: a CONTEXT row."""
    count_pieces(s, r, c.counts)
    find_worth(c.counts, c.learned, c.worth, c.top)
    fear_for_flag(s, r, c)
    find_ways(s, r, 1 - c.player, c, c.reach)
    for square in range(r.squares):
        for side in range(2):
            flag = square * CODES + ((g.FLAG + (g.RED << side)) & MASK) + KNOWN
            c.table[flag] = -SHOWN_FLAG if side == c.player else SHOWN_FLAG
    total = 0.0
    for side in range(2):
        sign = 1.0 if side == c.player else -1.0
        find_pull(s, r, side, c)
        for kind in range(1, g.FLAG):
            code = kind + (g.RED << side)
            worth = c.worth[side * 16 + kind]
            secret = HIGH_SECRET if g.MARSHAL - 1 <= kind <= g.MARSHAL else SECRET
            total += worth * c.counts[side * 16 + kind]
            for square in range(r.squares):
                points = worth + c.pull[kind * g.SQUARES + square]
                if side != c.player:
                    points += c.danger[kind * g.SQUARES + square]
                c.table[square * CODES + (code & MASK) + KNOWN] = sign * points
                c.table[square * CODES + (code & MASK)] = sign * (points + c.bluff * secret * worth)
    c.scale = SCALE * math.sqrt(total)
    c.still = 0.0
    for square in range(r.squares):
        if s.board[square] & (g.RED << c.player):
            c.still += find_still(s, r, square, c)
    fill_race(s, r, c)


@helper
def find_still(s: StateRow, r: RulesRow, square: int, c: StateRow) -> float:
    """Return the worth of staying for an unmoved piece of the player's full army on a square: by the enemy's knowledge
    it may be a Bomb.
    """
    kind = s.board[index(square)] & g.TYPE
    if kind >= g.BOMB or c.off[a.STILL] or not is_fresh(s, square) or not is_full(r):
        return 0.0
    return SPY_STILL if kind == g.SPY and is_ambusher(r, c.player, c) else STILL


@helper
def fear_for_flag(s: StateRow, r: RulesRow, c: StateRow) -> None:
    """Fills `danger`: the threat of an enemy on each square to the player's Flag. A Miner also comes through Bombs."""
    find_ways(s, r, c.player, c, c.away)
    c.home = find_flag(s, r, c.player)
    danger = DANGER * (1.0 + FOUND / c.doubt)
    for k in range(16 * g.SQUARES):
        steps = c.away[k]
        c.danger[k] = danger * 4.0 / ((1.0 + steps) * (1.0 + steps)) if 0 < steps <= NEAR_FLAG else 0.0


@helper
def count_points(s: StateRow, r: RulesRow, c: StateRow) -> Any:
    """Return the points of a position for the player."""
    total, own = -c.still, g.RED << c.player
    for square in range(r.squares):
        piece = s.board[index(square)]
        if not piece & g.ANY_SIDE:
            continue
        known = (s.marks[index(square)] & g.SEEN) // g.SEEN
        total += c.table[index(square * CODES + (piece & MASK) + known * KNOWN)]
        if piece & own:
            total += find_still(s, r, square, c)
    if is_full(r) and not c.off[a.UNBEATEN]:
        total += find_unbeaten(s, r, c)
    list_runners(s, r, c)
    total += c.stake[1 - c.player] * judge_race(s, r, c, 1 - c.player) - c.stake[c.player] * judge_race(
        s, r, c, c.player
    )
    if r.powers:
        total += APPLE_WORTH * (float(s.apple_used[1 - c.player]) - float(s.apple_used[c.player]))
    return total * (1.0 - DULL * min(1.0, max(0.0, s.quiet - QUIET) / LONG_QUIET))
