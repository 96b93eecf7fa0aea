"""What a player waits with: an Apple at a piece that he only guesses at. It shows the own Flag, and what that costs
comes later; who looks no turn ahead does not see it. And of many such targets one always looks good.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gonfalon.engine.search import Mind, Option
from gonfalon.engine.view import View
from gonfalon.games.grid import state as g

LUCK = 1.0
"""By how many standard errors an Apple at an unknown piece is held to look too good: with two it is kept too long."""


def find_luck(gains: NDArray[np.float64]) -> NDArray[np.float64]:
    """How much too good each of many Apples looks, of which the best is chosen, shape (Apples,). `gains`: what each
    gains in the worlds that were looked at, shape (worlds, Apples).
    """
    luck: NDArray[np.float64] = LUCK * gains.std(axis=0) / np.sqrt(len(gains))
    return luck


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
