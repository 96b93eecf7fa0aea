"""Hints for newcomers at each moment. Reads only views, never states; codes name no piece, the catalogue does."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from gonfalon.engine.screens.scene import Choice, Hint
from gonfalon.engine.view import View
from gonfalon.games.grid import state as g

GOING = ("move", "attack")
"""Verbs of choices that name a square and where its piece goes."""
_DEPLOYING = (Hint("place"), Hint("home"), Hint("walls"))
_DECIDING = (
    Hint("move", verbs=GOING),
    Hint("attack", verbs=("attack",)),
    Hint("strike-two", verbs=("sword",)),
    Hint("turn-enemy", verbs=("apple",)),
    Hint("bring-back", verbs=("return", "decline")),
)
"""Show a hint when one of its verbs can be chosen."""
_MOVED = Hint("moved")
_SKILLS = {g.SCOUT: "runs", g.SPY: "stabs", g.MINER: "clears"}
"""Types with an ability besides their rank."""


def codes_of(rules: NDArray[np.void], show_known: bool) -> tuple[str, ...]:
    """Return the codes of all hints of a game, in the order of a match. `show_known`: the page marks pieces that have
    moved.
    """
    row = rules[0]
    army, powers = row["army"].tolist(), bool(row["powers"])
    applies = {
        "walls": army[g.BOMB] > 0,
        "strike-two": powers and army[g.CAPTAIN] > 0,
        "turn-enemy": powers,
        "bring-back": powers or bool(row["rescue"]),
        _MOVED.code: show_known,
        "runs": army[g.SCOUT] > 0,
        "stabs": army[g.SPY] > 0 and army[g.MARSHAL] > 0,
        "clears": army[g.MINER] > 0 and army[g.BOMB] > 0,
    }
    all_codes = (*(hint.code for hint in (*_DEPLOYING, *_DECIDING, _MOVED)), *_SKILLS.values())
    return tuple(code for code in all_codes if applies.get(code, True))


def hints_of(view: View, choices: tuple[Choice, ...], codes: tuple[str, ...]) -> tuple[Hint, ...]:
    """Return the hints for a viewer who has these choices. `codes`: all hints of the game (`codes_of`)."""
    return tuple(hint for hint in _needed(view, choices) if hint.code in codes)


def _needed(view: View, choices: tuple[Choice, ...]) -> tuple[Hint, ...]:
    own = view.observer
    if own not in (0, 1):
        return ()
    if view.phase == g.DEPLOY:
        return () if view.ready[own] else _DEPLOYING
    if not choices:
        return ()
    verbs = frozenset(choice.verb for choice in choices)
    moved = view.phase == g.TURN and _shows_move(view, 1 - own)
    return (*_told(verbs), *((_MOVED,) if moved else ()), *_skills(view, choices))


@lru_cache(64)
def _told(verbs: frozenset[str]) -> tuple[Hint, ...]:
    return tuple(hint for hint in _DECIDING if verbs & set(hint.verbs))


def _shows_move(view: View, enemy: int) -> bool:
    """The page draws the mark "has moved" only on pieces of unknown rank."""
    hidden = view.board == (g.RED << enemy) + g.HIDDEN
    return bool((view.marks[hidden] & g.MOVED).any())


def _skills(view: View, choices: tuple[Choice, ...]) -> tuple[Hint, ...]:
    """Return the abilities of movable pieces. Each is shown when a piece of its type is chosen."""
    board, squares = view.board.tolist(), dict[str, list[str]]()
    begins = {choice.id // g.MOVE_TO: choice.path[0] for choice in choices if choice.id < g.ACT_DEPLOY}
    for square, name in begins.items():
        if code := _SKILLS.get(board[square] & g.TYPE):
            squares.setdefault(code, []).append(name)
    return tuple(Hint(code, tuple(names), GOING) for code, names in squares.items())
