"""When to hold back: the Apple, idle pieces, repeated moves.

An Apple at a guessed piece shows the own Flag, at a cost that comes later than a shallow search sees; and of many such
targets one always looks good. Idle pieces wait as long as the enemy does something: against one that only goes back and
forth there is nothing to wait for. A waiting player does not go back and forth or round either.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gonfalon.engine.kernels import Rows
from gonfalon.engine.search import Mind, Option
from gonfalon.engine.view import View
from gonfalon.games.grid import state as g
from gonfalon.games.grid.play.belief.placement import is_sparse
from gonfalon.games.grid.text.notation import move_squares

LATELY, FEW = 120, 40
"""By so many turns of both sides it is judged whether the enemy waits; where there were fewer than FEW nobody does."""
ACTIVE, IDLE = 0.3, 0.7
"""Share of the enemy's turns that go straight back: up to the first a player is fully patient, from the second on not
at all. It was mostly 0.85 and more, never less than half, with a program that waits, at most 0.17 with others.
"""
BACK, BACK_QUIET = 0.004, 0.0004
"""Cost of going straight back, as a share of a decided match, and its growth for every quiet turn before: so matches
end.
"""
SOON = 24
"""For so many turns of both sides it is remembered where a piece has been."""
ROUND, MOST_ROUND = 15.0, 45.0
"""Points (a Captain is worth 30) that it costs in a full army to go where the piece has been, for each time that it
went away from there, and at most: soon more than to move one that never has (`worth.STILL`). With few pieces one may
have to go to and fro to keep something, so it costs less the fewer are left, and nothing in a small army.
"""
LUCK = 1.0
"""By how many standard errors an Apple at an unknown piece is held to look too good: with two it is kept too long."""
PRICE = 0.1
"""Highest price of an Apple, as a share of a decided match: it shows the own Flag for the rest of the match, and cannot
be used better any more.
"""


def find_luck(gains: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the excess of each Apple's apparent gain, since the best of many is chosen, shape (Apples,). `gains`: gain
    of each in the sampled worlds, shape (worlds, Apples).
    """
    luck: NDArray[np.float64] = LUCK * gains.std(axis=0) / np.sqrt(len(gains))
    return luck


def find_price(view: View, rules: Rows) -> float:
    """Return the price of an Apple at an unknown piece: a quarter if half of the enemies are left to use the revealed
    Flag.
    """
    return PRICE * _find_left(view, rules, 1 - view.observer) ** 2


def _find_left(view: View, rules: Rows, side: int) -> float:
    """The share of a side's army that is left."""
    pieces = view.board[: g.SQUARES] & (g.RED << side) != 0
    return float(pieces.sum() / rules[0]["army"][1:].sum())


def keep_apple(options: Sequence[Option], view: View, mind: Mind) -> tuple[Option, ...]:
    """The options without an Apple on a piece whose rank the viewer does not know, unless nothing else is left."""
    if mind.depth > 1:
        return tuple(options)
    patient = tuple(option for option in options if not turns_unknown(view, option.actions[0]))
    return patient or tuple(options)


def turns_unknown(view: View, action: int) -> bool:
    """Whether an action is an Apple on a piece whose rank the viewer does not know."""
    if not g.ACT_APPLE <= action < g.ACT_SWORD:
        return False
    return int(view.board[action - g.ACT_APPLE]) & g.TYPE == g.HIDDEN


def find_haste(view: View) -> float:
    """Return the viewer's haste: 0 as a rule, up to 1 if the enemy only goes back and forth."""
    turn = int(view.turn)
    if turn < FEW:
        return 0.0
    turns = np.arange(turn - 1, max(1, turn - LATELY), -2)
    at = turns % g.RING
    back = undoes(view, view.ring_piece[at], view.ring_from[at], view.ring_to[at], turns - 2)
    return float(np.clip((back.mean() - ACTIVE) / (IDLE - ACTIVE), 0, 1))


def judge_habits(view: View, rules: Rows, scale: float) -> NDArray[np.float64]:
    """Return the cost of going back or round with a piece, for each legal action, as a share of a decided match: below
    0, or 0 for going on. `scale`: number of points that decide the match.
    """
    turn = int(view.turn)
    lately = np.arange(turn - 2, max(0, turn - SOON) - 1, -2) % g.RING
    pieces, places = view.ring_piece[lately], view.ring_from[lately]
    left = 0.0 if is_sparse(rules) else _find_left(view, rules, view.observer)
    found = np.zeros(len(view.legal))
    for k, action in enumerate(view.legal.tolist()):
        if action >= g.ACT_DEPLOY:
            continue
        begin, end = move_squares(action)
        piece = view.number[begin]
        if turn > 1 and undoes(view, piece, begin, end, turn - 2):
            found[k] -= BACK + BACK_QUIET * float(view.quiet)
        visits = int(((pieces == piece) & (places == end)).sum())
        found[k] -= left * min(MOST_ROUND, ROUND * visits) / scale
    return found


def undoes(view: View, piece: ArrayLike, begin: ArrayLike, end: ArrayLike, turns: ArrayLike) -> NDArray[np.bool_]:
    """Whether a piece that goes from `begin` to `end` goes straight back to where it came from in these turns, of the
    last ones that the view holds; for each by itself.
    """
    at = np.asarray(turns) % g.RING
    same = (view.ring_piece[at] == piece) & (view.ring_piece[at] != g.NONE)
    return np.asarray(same & (view.ring_to[at] == begin) & (view.ring_from[at] == end))
