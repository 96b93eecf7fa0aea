"""What a player who looks no turn ahead waits with. An Apple shows the own Flag, and what that costs comes later: who
does not see it would use the Apple on his first turn, on a piece that he only guesses at.
"""

from __future__ import annotations

from collections.abc import Sequence

from gonfalon.engine.search import Mind, Option
from gonfalon.engine.view import View
from gonfalon.games.grid import state as g


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
