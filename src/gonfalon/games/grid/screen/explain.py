"""Reasons why an action is not possible, from the player's knowledge: codes and arguments, worded by the catalogue.

Decides nothing: `rules/` says what is legal; this only names the reason for what is not in the legal list.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gonfalon.engine.events import Refusal
from gonfalon.engine.game import TextError
from gonfalon.engine.view import View
from gonfalon.games.grid import state as g
from gonfalon.games.grid.rules.repetition import is_two_squares
from gonfalon.games.grid.ruleset import TYPES
from gonfalon.games.grid.screen.scene import APPLE, SWORD
from gonfalon.games.grid.text.notation import (
    move_action,
    move_squares,
    parse_square,
    square_name,
    sword_action,
    sword_squares,
)


def explain_action(view: View, action: int, rules: NDArray[np.void]) -> Refusal | None:
    if action in view.legal:
        return None
    if not 0 <= action < g.ACTIONS:
        return Refusal("unknown-action")
    phase = int(view.phase)
    if phase == g.OVER:
        return Refusal("over")
    if g.ACT_DEPLOY <= action < g.ACT_APPLE or phase == g.DEPLOY:
        return _placement(view, action, phase)
    if view.observer != view.actor:
        return Refusal("not-your-turn")
    if phase == g.TARGET:
        return Refusal("target-order")
    if (phase == g.TURN) != (action < g.ACT_TARGET):
        return Refusal("not-now")
    if action < g.ACT_DEPLOY:
        return _move(view, *move_squares(action), rules)
    if action < g.ACT_TARGET:
        return _power(view, action, rules)
    return _return(action, phase)


def explain_path(view: View, path: Sequence[str], rules: NDArray[np.void]) -> Refusal:
    """Return the reason why the viewer cannot choose the path; `unknown-action` for a path of no known form."""
    try:
        action = _path_action(path, rules)
    except TextError:
        return Refusal("unknown-action")
    if action is None:
        return _not_straight(view, path, rules)
    return explain_action(view, action, rules) or Refusal("not-now")


def _path_action(path: Sequence[str], rules: NDArray[np.void]) -> int | None:
    if len(path) == 1:  # for a piece alone: its first step to the north shows why it cannot move
        square = parse_square(path[0], rules)
        near = [k for k in rules[0]["near"][square].tolist() if k != g.OFF]
        return move_action(square, near[0])
    if len(path) == 2 and path[0] == APPLE:
        return g.ACT_APPLE + parse_square(path[1], rules)
    if len(path) == 2:
        return move_action(parse_square(path[0], rules), parse_square(path[1], rules))
    if len(path) == 4 and path[1] == SWORD:
        square, one, other = (parse_square(path[k], rules) for k in (0, 2, 3))
        return sword_action(square, one, other, rules)
    raise TextError("no such path")


def _not_straight(view: View, path: Sequence[str], rules: NDArray[np.void]) -> Refusal:
    begin = parse_square(path[0], rules)
    if view.phase != g.TURN or view.observer != view.actor:
        return Refusal("not-your-turn" if view.observer != view.actor else "not-now")
    far = "not-straight" if view.board[begin] & g.TYPE == g.SCOUT else "one-square"
    return _unable(view, begin) or Refusal(far, {"face": _face(view, begin)})


def _placement(view: View, action: int, phase: int) -> Refusal:
    if phase != g.DEPLOY or not g.ACT_DEPLOY <= action < g.ACT_APPLE:
        return Refusal("not-now")
    if view.observer not in (0, 1) or view.ready[view.observer]:
        return Refusal("already-ready")
    kind = action - g.ACT_DEPLOY
    return Refusal("none-left", {"face": TYPES[kind]}) if kind else Refusal("no-empty-left")


def _face(view: View, square: int) -> str:
    return TYPES[int(view.board[square]) & g.TYPE]


def _unable(view: View, square: int) -> Refusal | None:
    """Return the reason why the viewer can move nothing from this square."""
    if not view.board[square] & (g.RED << view.observer):
        return Refusal("no-piece", {"space": square_name(square)})
    if view.board[square] & g.TYPE >= g.BOMB:
        return Refusal("never-moves", {"face": _face(view, square)})
    return None


def _move(view: View, begin: int, end: int, rules: NDArray[np.void]) -> Refusal:
    return _unable(view, begin) or _way(view, begin, end) or _repetition(view, begin, end, rules)


def _way(view: View, begin: int, end: int) -> Refusal | None:
    if begin == end:
        return Refusal("unknown-action")
    if view.board[end] & g.BLOCKED:
        return Refusal("blocked", {"space": square_name(end)})
    if view.board[end] & (g.RED << view.observer):
        return Refusal("own-piece", {"space": square_name(end)})
    step = (1 if end > begin else -1) * (1 if begin // g.COLUMNS == end // g.COLUMNS else g.COLUMNS)
    if end == begin + step:
        return None
    if view.board[begin] & g.TYPE != g.SCOUT:
        return Refusal("one-square", {"face": _face(view, begin)})
    if any(view.board[square] for square in range(begin + step, end, step)):
        return Refusal("way-blocked", {"from": square_name(begin), "to": square_name(end)})
    return None


def _repetition(view: View, begin: int, end: int, rules: NDArray[np.void]) -> Refusal:
    """A possible move that is not legal: GR-9 or GR-10 forbids it."""
    args = {"face": _face(view, begin), "from": square_name(begin), "to": square_name(end)}
    if is_two_squares(view.record, 0, rules, begin, end):
        return Refusal("two-squares", {**args, "limit": int(rules[0]["two_square_limit"])})
    return Refusal("chase", args)


def _power(view: View, action: int, rules: NDArray[np.void]) -> Refusal:
    if not rules[0]["powers"]:
        return Refusal("unknown-action")
    if action < g.ACT_SWORD:
        if view.apple_used[view.observer]:
            return Refusal("apple-used")
        return Refusal("no-target", {"space": square_name(action - g.ACT_APPLE)})
    square, _, _ = sword_squares(action, rules)
    return Refusal("no-sword", {"space": square_name(square)})


def _return(action: int, phase: int) -> Refusal:
    if action < g.ACT_PICK or (action < g.ACT_PLACE) == (phase in (g.HEAL_PLACE, g.RESCUE_PLACE)):
        return Refusal("not-now")
    if action < g.ACT_PLACE:
        return Refusal("not-lost", {"face": TYPES[action - g.ACT_PICK]})
    return Refusal("no-room", {"space": square_name(action - g.ACT_PLACE)})
