"""Attacks on unknown pieces, deeper in a line. In a world the player knows everything, and would know which piece to
attack. So the value of such an attack is its expected value at the root. The line ends with it, except for captures
after it.
"""

from typing import Any

from gonfalon.engine.compiled.jit import RulesRow, StateRow, helper, index
from gonfalon.games.grid import state as g
from gonfalon.games.grid.play.evaluate.context import CODES, KNOWN, MASK
from gonfalon.games.grid.play.evaluate.pieces import count_points
from gonfalon.games.grid.play.tunables import CAUTION, GUESSES
from gonfalon.games.grid.rules.battle import LOST, WON, result_of
from gonfalon.games.grid.rules.moves import move_end


@helper
def is_gamble(before: StateRow, c: StateRow, action: int) -> Any:
    """Whether an action attacks an unknown piece that is not almost certainly the Flag."""
    end = move_end(action) if action < g.ACT_DEPLOY else g.OFF
    if end == g.OFF or before.board[index(end)] == g.EMPTY or before.marks[index(end)] & g.SEEN:
        return False
    return c.flag_share[index(end)] < GUESSES


@helper
def find_gain(s: StateRow, r: RulesRow, c: StateRow, begin: int, end: int) -> Any:
    """Expected points of an attack from `begin` on the unknown piece on `end`."""
    piece, kind = s.board[index(begin)] & MASK, s.board[index(begin)] & g.TYPE
    seen = KNOWN if s.marks[index(begin)] & g.SEEN else 0
    stays = c.table[index(begin * CODES + piece + seen)]
    stands = c.table[index(end * CODES + piece + KNOWN)]
    side = (s.board[index(end)] & MASK) - (s.board[index(end)] & g.TYPE)
    first = s.number[index(end)] * g.TYPES
    total = 0.0
    for other in range(1, g.TYPES):
        share = c.held[index(first + other)]
        if share == 0.0:
            continue
        if other == g.FLAG:
            total += share * c.scale
            continue
        hidden = c.table[index(end * CODES + side + other)]
        result = result_of(r, kind, other)
        gain = -stays - hidden
        if result == WON:
            gain += stands
        elif result == LOST:
            gain += c.table[index(end * CODES + side + other + KNOWN)]
        total += share * gain * (CAUTION if gain < 0.0 else 1.0)
    return total


@helper
def expect_gamble(before: StateRow, r: RulesRow, c: StateRow, action: int) -> Any:
    """Expected points of the player after the action."""
    gain = find_gain(before, r, c, action // g.MOVE_TO, move_end(action))
    return count_points(before, r, c) + gain
