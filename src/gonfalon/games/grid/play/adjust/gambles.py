"""Attacks on unknown pieces, ahead in a line. There the player knows all, and would know which to strike. So such an
attack is worth its expectation at the root, and the line ends with it, except for captures after it.
"""

from typing import Any

from gonfalon.engine.jit import RulesRow, StateRow, helper, index
from gonfalon.games.grid import state as g
from gonfalon.games.grid.play import adjustments as a
from gonfalon.games.grid.play.evaluate.context import CODES, KNOWN, MASK
from gonfalon.games.grid.play.evaluate.pieces import GUESSES, HIGH, count_points
from gonfalon.games.grid.rules.battle import LOST, WON, result_of
from gonfalon.games.grid.rules.moves import move_end

CAUTION = 1.6
"""Weight of the possible loss of an attack on an unknown piece against its possible gain: of many such attacks the ones
that look too good are chosen. A hasty player takes less such care, except for Bombs.
"""
BOMB_CAUTION, HIGH_CAUTION = 2.5, 5.0
"""Weights of dying on a Bomb, which is met more often than believed; and for a piece higher than Major that strikes at
once: without these the enemy's cannot be stopped.
"""
BOMB_CAUTIONS = (BOMB_CAUTION,) * HIGH + (HIGH_CAUTION,) * (g.TYPES - HIGH)
"""The two of them by type."""


@helper
def fill_caution(d: StateRow) -> None:
    """Fills `caution`: as `CAUTION` says, less with haste."""
    d.caution = CAUTION - (CAUTION - 1.0) * d.haste


@helper
def is_gamble(before: StateRow, d: StateRow, action: int) -> Any:
    """Whether an action strikes at a piece that is not known, and that is not the Flag for nearly sure."""
    end = move_end(action) if action < g.ACT_DEPLOY else g.OFF
    if end == g.OFF or before.board[index(end)] == g.EMPTY or before.marks[index(end)] & g.SEEN:
        return False
    return d.flag_share[index(end)] < GUESSES


@helper
def find_gain(s: StateRow, r: RulesRow, d: StateRow, begin: int, end: int) -> Any:
    """Points that the player expects of striking from `begin` at the unknown piece on `end`."""
    piece, kind = s.board[index(begin)] & MASK, s.board[index(begin)] & g.TYPE
    seen = KNOWN if s.marks[index(begin)] & g.SEEN else 0
    stays = d.table[index(begin * CODES + piece + seen)]
    stands = d.table[index(end * CODES + piece + KNOWN)]
    side = (s.board[index(end)] & MASK) - (s.board[index(end)] & g.TYPE)
    first = s.number[index(end)] * g.TYPES
    total = 0.0
    for other in range(1, g.TYPES):
        share = d.held[index(first + other)]
        if share == 0.0:
            continue
        if other == g.FLAG:
            total += share * d.scale
            continue
        hidden = d.table[index(end * CODES + side + other)]
        result = result_of(r, kind, other)
        gain = -stays - hidden
        if result == WON:
            gain += stands
        elif result == LOST:
            gain += d.table[index(end * CODES + side + other + KNOWN)]
        bomb = result == LOST and other == g.BOMB and not d.off[a.BOMB_CAUTION]
        caution = BOMB_CAUTION if bomb else d.caution
        total += share * gain * (caution if gain < 0.0 else 1.0)
    return total


@helper
def expect_gamble(before: StateRow, r: RulesRow, player: int, d: StateRow, action: int) -> Any:
    """Points that the player expects to have after the action."""
    gain = find_gain(before, r, d, action // g.MOVE_TO, move_end(action))
    return count_points(before, r, player, d) + gain
