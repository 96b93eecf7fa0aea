"""What a player waits with, and how long.

He waits with an Apple at a piece that he only guesses at. It shows the own Flag, and what that costs comes later; who
looks no turn ahead does not see it. And of many such targets one always looks good. He waits with his other pieces as
long as the enemy does something: against one who only goes to and fro there is nothing to wait for. And while he waits
he does not go to and fro himself, or round.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gonfalon.engine.kernels import Rows
from gonfalon.engine.search import Mind, Option
from gonfalon.engine.view import View
from gonfalon.games.grid import state as g
from gonfalon.games.grid.play.placing import is_sparse
from gonfalon.games.grid.text.notation import move_squares

LATELY, FEW = 120, 40
"""By so many turns of both sides it is judged whether the enemy waits; where there were fewer than FEW nobody does."""
ACTIVE, IDLE = 0.3, 0.7
"""The share of the enemy's turns that go straight back up to which a player has all his patience, and from which on he
has none left. It was mostly 0.85 and more, never less than half, with a program that waits, at most 0.17 with others.
"""
BACK, BACK_QUIET = 0.004, 0.0004
"""What going straight back costs, as a share of a decided match, and what more for every quiet turn before: so matches
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
"""What it costs at most, as a share of a decided match, that an Apple shows the own Flag for the rest of the match, and
that no better use can be made of it any more.
"""


def find_luck(gains: NDArray[np.float64]) -> NDArray[np.float64]:
    """How much too good each of many Apples looks, of which the best is chosen, shape (Apples,). `gains`: what each
    gains in the worlds that were looked at, shape (worlds, Apples).
    """
    luck: NDArray[np.float64] = LUCK * gains.std(axis=0) / np.sqrt(len(gains))
    return luck


def find_price(view: View, rules: Rows) -> float:
    """What an Apple at a piece that is not known costs the viewer: a quarter where half of the enemies are left to use
    what it shows.
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
    """How little the viewer waits: 0 as a rule, up to 1 where the enemy only goes to and fro."""
    turn = int(view.turn)
    if turn < FEW:
        return 0.0
    turns = np.arange(turn - 1, max(1, turn - LATELY), -2)
    at = turns % g.RING
    back = undoes(view, view.ring_piece[at], view.ring_from[at], view.ring_to[at], turns - 2)
    return float(np.clip((back.mean() - ACTIVE) / (IDLE - ACTIVE), 0, 1))


def judge_habits(view: View, rules: Rows, scale: float) -> NDArray[np.float64]:
    """What speaks against going back or round with a piece, for each legal action, as a share of a decided match: below
    0, or 0 for going on. `scale`: how many points decide the match.
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
