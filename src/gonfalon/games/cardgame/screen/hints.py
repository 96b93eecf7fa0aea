"""Hints for newcomers at each moment. Reads only views, never states. Codes name no card; the catalogue has the
names.
"""

from __future__ import annotations

from gonfalon.engine.screens.scene import Choice, Hint
from gonfalon.engine.view import View
from gonfalon.games.cardgame import state as g
from gonfalon.games.cardgame.sight.view import standing_of

_LINE = (Hint("line"), Hint("home"))
_FILL, _STEPS = Hint("fill"), Hint("steps")
_ACTING = (
    Hint("attack", verbs=("attack",)),
    Hint("look", verbs=("look-hand", "look-line")),
    Hint("anew", verbs=("trick",)),
)
"""Hints that are shown only if one of their verbs can be chosen."""
CODES = tuple(hint.code for hint in (*_LINE, _FILL, _STEPS, *_ACTING))
"""Codes of all hints, in the order of a match. They are true in all variants and with all house rules."""


def hints_of(view: View, choices: tuple[Choice, ...]) -> tuple[Hint, ...]:
    """Return the hints for a viewer who has these choices."""
    standing = standing_of(view)
    if standing.arranges:
        return (_FILL,) if standing.started and not view.anew else _LINE
    if not choices or view.phase != g.ACT:
        return ()
    verbs = {choice.verb for choice in choices}
    return (_STEPS, *(hint for hint in _ACTING if verbs & set(hint.verbs)))
