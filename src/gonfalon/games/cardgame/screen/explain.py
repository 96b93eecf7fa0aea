"""Reasons why an action is not possible, as codes with arguments that reveal only what the player knows.

This module decides nothing: `rules/` decides what is legal. It only finds the reason why an action is not legal.
"""

from __future__ import annotations

from collections.abc import Sequence

from gonfalon.engine.events import Refusal
from gonfalon.engine.view import View
from gonfalon.games.cardgame import state as g
from gonfalon.games.cardgame.ruleset import TYPES
from gonfalon.games.cardgame.screen.scene import LOOK_HAND, LOOK_LINE, TRICK
from gonfalon.games.cardgame.text.notation import SPACES, acting_side, look_of, places_of, space_name


def explain_action(view: View, action: int) -> Refusal | None:
    """Return why the viewer may not do this; None exactly for the legal actions."""
    if action in view.legal:
        return None
    if not 0 <= action < g.ACTIONS or action == g.ACT_DRAW:
        return Refusal("unknown-action")
    phase = int(view.phase)
    if phase == g.OVER:
        return Refusal("over")
    if action > g.ACT_DRAW:
        return Refusal("drawn-by-chance")
    return _not_on_turn(view, g.LAY if action < g.ACT_ATTACK else g.ACT) or _reason(view, action)


def _reason(view: View, action: int) -> Refusal:
    """Return why the viewer, who must act, cannot do this."""
    if action < g.ACT_ATTACK:
        return _lay(action - g.ACT_LAY)
    if action < g.ACT_LOOK_HAND:
        return _attack(view, *divmod(action - g.ACT_ATTACK, g.LINE))
    if action < g.ACT_LOOK_LINE:
        return _unable(view, action - g.ACT_LOOK_HAND, g.SPY) or Refusal("not-now")
    if action < g.ACT_TRICK:
        own, pair = divmod(action - g.ACT_LOOK_LINE, g.LOOKS)
        return _unable(view, own, g.SCOUT) or _look(view, places_of(pair))
    return Refusal("no-flag-in-line")


def _not_on_turn(view: View, phase: int) -> Refusal | None:
    """CG-2, CG-4: return why the viewer cannot do anything of this phase now."""
    if view.phase == g.OVER:
        return Refusal("over")
    own = view.observer
    if own not in (0, 1) or (view.started and own != view.mover):
        return Refusal("not-your-turn")
    if view.phase == g.LAY and not view.started and view.ready[own]:
        return Refusal("already-laid")
    return None if view.phase == phase else Refusal("not-now")


def _lay(kind: int) -> Refusal:
    """CG-4: return why a card cannot be laid, or a gap cannot stay. Gaps must be filled with cards of the hand as far
    as possible.
    """
    return Refusal("none-left", {"face": TYPES[kind]}) if kind else Refusal("must-fill")


def _kind(view: View, side: int, k: int) -> int:
    return int(view.kind[side * g.SIDE_PLACES + k])


def _space(side: int, k: int) -> str:
    return space_name(side * g.SIDE_PLACES + k)


def _unable(view: View, k: int, kind: int) -> Refusal | None:
    """CG-9: return why the card cannot look: only a Spy sees the hand, only a Scout sees the line."""
    space = {"space": _space(view.observer, k)}
    if not _kind(view, view.observer, k):
        return Refusal("no-card", space)
    if _kind(view, view.observer, k) != kind:
        return Refusal("not-a-spy" if kind == g.SPY else "not-a-scout", space)
    return None


def _attack(view: View, own: int, enemy: int) -> Refusal:
    """CG-6, CG-8: return why an attack is not possible."""
    kind = _kind(view, view.observer, own)
    if not kind:
        return Refusal("no-card", {"space": _space(view.observer, own)})
    if kind >= g.BOMB:
        return Refusal("never-attacks", {"face": TYPES[kind]})
    return Refusal("no-enemy-card", {"space": _space(1 - view.observer, enemy)})


def _look(view: View, enemies: Sequence[int]) -> Refusal:
    """CG-9: return why a look is not possible. A Scout looks at two cards, or at one if there is only one."""
    for enemy in enemies:
        if not _kind(view, 1 - view.observer, enemy):
            return Refusal("no-enemy-card", {"space": _space(1 - view.observer, enemy)})
    return Refusal("look-at-two")


# ---- paths -------------------------------------------------------------------------------------------------------


def explain_path(view: View, path: Sequence[str]) -> Refusal:
    """Return why the viewer cannot choose the path; `unknown-action` for a path of unknown form."""
    if not path or path[0] not in SPACES:
        return Refusal("unknown-action")
    side, own = divmod(SPACES[path[0]], g.SIDE_PLACES)
    return _not_on_turn(view, g.ACT) or _not_own(view, side, path[0]) or _path(view, own, path)


def _not_own(view: View, side: int, space: str) -> Refusal | None:
    return None if side == acting_side(view) else Refusal("no-card", {"space": space})


def _path(view: View, own: int, path: Sequence[str]) -> Refusal:
    """Return the reason for a path that begins on a place of the viewer's line, while the viewer must act."""
    word, others = (path[1] if len(path) > 1 else ""), list(path[2:])
    if word == TRICK and not others:
        return explain_action(view, g.ACT_TRICK) or Refusal("not-the-flag", {"space": path[0]})
    if word == LOOK_HAND and not others:
        return explain_action(view, g.ACT_LOOK_HAND + own) or Refusal("not-now")
    if word == LOOK_LINE and len(others) <= 2:
        return _unable(view, own, g.SCOUT) or _at_enemies(view, own, others)
    if (not word or word in SPACES) and not others:
        return _at_enemy(view, own, word)
    return Refusal("unknown-action")


def _at_enemy(view: View, own: int, space: str) -> Refusal:
    """Return why this space cannot be attacked, or why the card cannot attack at all."""
    enemy = SPACES[space] % g.SIDE_PLACES if space else 0
    if space and SPACES[space] // g.SIDE_PLACES == view.observer:
        return Refusal("no-enemy-card", {"space": space})
    refusal = explain_action(view, g.ACT_ATTACK + own * g.LINE + enemy)
    if refusal is None or (not space and refusal.code == "no-enemy-card"):
        return Refusal("not-now")
    return refusal


def _at_enemies(view: View, own: int, spaces: Sequence[str]) -> Refusal:
    """Return why a Scout cannot look at these spaces."""
    for space in spaces:
        if space not in SPACES:
            return Refusal("unknown-action")
        if SPACES[space] // g.SIDE_PLACES == view.observer:
            return Refusal("no-enemy-card", {"space": space})
    enemies = sorted({SPACES[space] % g.SIDE_PLACES for space in spaces})
    if not enemies or len(enemies) < len(spaces):
        return Refusal("look-at-two")
    return explain_action(view, g.ACT_LOOK_LINE + own * g.LOOKS + look_of(enemies)) or Refusal("not-now")
