"""Hints for newcomers at each moment. Reads only views, never states. Codes name no unit; the catalogue has the
names.
"""

from __future__ import annotations

import numpy as np

from gonfalon.engine.screens.scene import Hint
from gonfalon.engine.view import View
from gonfalon.games.conquest import state as g
from gonfalon.games.conquest.sight.view import standing_of
from gonfalon.games.conquest.text.notation import Names

GOING = ("move", "attack")
"""Verbs of choices that name a zone and the place where its unit goes."""
_PLACING = (Hint("place"), Hint("home"), Hint("walls"))
_DRAFT, _CARDS, _MOVES, _CONTROL = Hint("draft"), Hint("cards"), Hint("moves", verbs=GOING), Hint("control")
_ATTACK, _FLAGS, _CAPTIVE = Hint("attack", verbs=("attack",)), Hint("flags"), Hint("captive")
_SKILLS = {g.SCOUT: "runs", g.SPY_MASTER: "stabs", g.SORCERESS: "clears"}
"""Types that can do more than their rank says. Their hints appear when a unit of the type is chosen."""


def codes_of(scout_attacks_after_run: bool) -> tuple[str, ...]:
    """Return the codes of all hints of a game, in the order of a match. The hint about runs says that a Scout attacks
    at the end of one, so it is left out without that house rule.
    """
    hints = (_DRAFT, *_PLACING, _CARDS, _MOVES, _ATTACK, _CONTROL, _FLAGS, _CAPTIVE)
    codes = (*(hint.code for hint in hints), *_SKILLS.values())
    return codes if scout_attacks_after_run else tuple(code for code in codes if code != _SKILLS[g.SCOUT])


def hints_of(view: View, names: Names, codes: tuple[str, ...]) -> tuple[Hint, ...]:
    """Return the hints for a viewer who must decide now. `codes`: all hints of the game (`codes_of`)."""
    return tuple(hint for hint in _needed(view, names) if hint.code in codes)


def _needed(view: View, names: Names) -> tuple[Hint, ...]:
    if view.phase == g.DEPLOY:
        return _PLACING if standing_of(view).arranges else ()
    if not view.n_legal:
        return ()
    if view.phase == g.DRAFT:
        return (_DRAFT,)
    captive = (_CAPTIVE,) if _holds(view) else ()
    if view.phase == g.CARD:
        return (*captive, _CARDS)
    return (*captive, *_moving(view, names)) if view.phase == g.MOVE else ()


def _holds(view: View) -> bool:
    """Return whether the viewer holds the Flag of another player (CQ-21)."""
    return any(by == view.observer != side for side, by in enumerate(view.holder.tolist()))


def _moving(view: View, names: Names) -> tuple[Hint, ...]:
    begins, ends = np.divmod(view.legal[view.legal >= g.ACT_MOVE] - g.ACT_MOVE, g.ZONES)
    attack = (_ATTACK,) if (view.at[ends] != g.NONE).any() else ()
    zones: dict[str, list[str]] = {}
    for zone in np.unique(begins).tolist():
        if code := _SKILLS.get(int(view.kind[view.at[zone]])):
            zones.setdefault(code, []).append(names.zones[zone])
    skills = (Hint(code, tuple(found), GOING) for code, found in zones.items())
    return (_MOVES, *attack, _CONTROL, _FLAGS, *skills)
