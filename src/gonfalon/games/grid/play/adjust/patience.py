"""When to hold back: the Apple and repeated moves.

An Apple on a guessed piece shows the own Flag, and its cost comes later than a shallow search sees. Of many such
targets one always looks good. A waiting player does not go back and forth or round.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gonfalon.engine.compiled.kernels import Rows
from gonfalon.engine.search import Mind, Option
from gonfalon.engine.view import View
from gonfalon.games.grid import state as g
from gonfalon.games.grid.play.belief.placement import is_sparse
from gonfalon.games.grid.play.tunables import BACK, BACK_QUIET, LUCK, MOST_ROUND, PRICE, ROUND, SOON
from gonfalon.games.grid.text.notation import move_squares


def find_luck(gains: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the overestimate of each Apple, shape (Apples,): of many values the best is too high (optimizer's curse).
    `gains`: gain of each Apple in the sampled worlds, shape (worlds, Apples).
    """
    luck: NDArray[np.float64] = LUCK * gains.std(axis=0) / np.sqrt(len(gains))
    return luck


def find_price(view: View, rules: Rows) -> float:
    """Return the price of an Apple on an unknown piece. It falls with the square of the enemy's remaining army, which
    could use the revealed Flag.
    """
    return PRICE * _find_left(view, rules, 1 - view.observer) ** 2


def _find_left(view: View, rules: Rows, side: int) -> float:
    """Return the share of a side's army that is on the board."""
    pieces = view.board[: g.SQUARES] & (g.RED << side) != 0
    return float(pieces.sum() / rules[0]["army"][1:].sum())


def keep_apple(options: Sequence[Option], view: View, mind: Mind) -> tuple[Option, ...]:
    """Drop the options with an Apple on a piece of unknown rank, unless no other option is left."""
    if mind.depth > 1:
        return tuple(options)
    patient = tuple(option for option in options if not turns_unknown(view, option.actions[0]))
    return patient or tuple(options)


def turns_unknown(view: View, action: int) -> bool:
    """Whether an action is an Apple on a piece whose rank the viewer does not know."""
    if not g.ACT_APPLE <= action < g.ACT_SWORD:
        return False
    return int(view.board[action - g.ACT_APPLE]) & g.TYPE == g.HIDDEN


def judge_habits(view: View, rules: Rows, scale: float) -> NDArray[np.float64]:
    """Return the cost of a move back or round, for each legal action, as a share of a decided match: below 0, or 0 for
    other actions. `scale`: number of points that decide the match.
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
    """Return, for each of these turns of the view's turn ring, whether the move from `begin` to `end` takes back the
    move that the same piece made in that turn.
    """
    at = np.asarray(turns) % g.RING
    same = (view.ring_piece[at] == piece) & (view.ring_piece[at] != g.NONE)
    return np.asarray(same & (view.ring_to[at] == begin) & (view.ring_from[at] == end))
