"""Text forms of spaces, actions and lines to lay. For positions see `position.py`."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from gonfalon.engine.game import Actions, TextError
from gonfalon.engine.view import View
from gonfalon.games.cardgame import state as g
from gonfalon.games.cardgame.ruleset import TYPES

LETTERS = ".S23456789MBF"
"""Letter by type code; "." means a gap."""
SIDE_LETTERS = "rb"

SPACE_NAMES = {
    side * g.SIDE_PLACES + k: f"{letter}{k + 1}" for side, letter in enumerate(SIDE_LETTERS) for k in range(g.LINE)
}
"""Names by place of a line: `r1` is 0, `b1` is 13. Both lines run from red's left."""
SPACES = {name: place for place, name in SPACE_NAMES.items()}


def space_name(place: int) -> str:
    """Return the name of a place in a line. Raises KeyError for a place in a hand."""
    return SPACE_NAMES[int(place)]


def parse_space(name: str) -> int:
    """Return the place of a name; inverse of `space_name`. Raises `TextError`."""
    if name not in SPACES:
        raise TextError(f"{name!r} is no space (r1 to r5, b1 to b5)")
    return SPACES[name]


def acting_side(view: View) -> int:
    """Return the side that the viewer's action ids belong to: the viewer's own, or the mover's for a spectator."""
    return view.observer if view.observer in (0, 1) else int(view.mover)


def places_of(pair: int) -> tuple[int, ...]:
    """Return the enemy places, from 0, at which a Scout looks: two, or a single one."""
    return g.PAIRS[pair] if pair < len(g.PAIRS) else (pair - len(g.PAIRS),)


def look_of(places: Sequence[int]) -> int:
    """Return the number of a look; inverse of `places_of`. The places may be in any order. Raises `TextError` if both
    are the same place.
    """
    if len(places) == 1:
        return len(g.PAIRS) + places[0]
    pair = (min(places), max(places))
    if pair not in g.PAIRS:
        raise TextError("a Scout looks at two different cards")
    return g.PAIRS.index(pair)


# ---- actions -----------------------------------------------------------------------------------------------------


def action_text(view: View, action: int) -> str:
    """Return the text of an action: `r2xb4` (attack), `r2?` (look at the hand), `r2?b1+b3` or `r2?b1` (look at the
    line), `r5~` (trick), a letter (lay), `draw M` (chance).

    The trick is only `~` for a viewer who does not see where the Flag lies. Raises `TextError` for an id that is not an
    action.
    """
    if not 0 <= action < g.ACTIONS or action == g.ACT_DRAW:
        raise TextError(f"no action {action}")
    side = acting_side(view)
    if action < g.ACT_ATTACK:
        return LETTERS[action - g.ACT_LAY]
    if action < g.ACT_LOOK_HAND:
        own, enemy = divmod(action - g.ACT_ATTACK, g.LINE)
        return f"{_space(side, own)}x{_space(1 - side, enemy)}"
    if action < g.ACT_LOOK_LINE:
        return f"{_space(side, action - g.ACT_LOOK_HAND)}?"
    if action < g.ACT_TRICK:
        own, pair = divmod(action - g.ACT_LOOK_LINE, g.LOOKS)
        return f"{_space(side, own)}?{'+'.join(_space(1 - side, k) for k in places_of(pair))}"
    if action == g.ACT_TRICK:
        return f"{_flag_space(view, side)}~"
    return f"draw {LETTERS[action - g.ACT_DRAW]}"


def _space(side: int, k: int) -> str:
    return SPACE_NAMES[side * g.SIDE_PLACES + k]


def _flag_space(view: View, side: int) -> str:
    line = view.kind[side * g.SIDE_PLACES :][: g.LINE].tolist()
    return _space(side, line.index(g.FLAG)) if g.FLAG in line else ""


def parse_action(text: str, view: View | None = None) -> int:
    """Return the action of a text; inverse of `action_text`. With a player's `view`, the acting card must be in that
    player's line. Raises `TextError`.
    """
    text = text.strip()
    if len(text) == 1 and text in LETTERS:
        return g.ACT_LAY + LETTERS.index(text)
    if text == "~":
        return g.ACT_TRICK
    drawn = re.fullmatch(r"draw +([S2-9MBF])", text)
    if drawn is not None:
        return g.ACT_DRAW + LETTERS.index(drawn[1])
    act = re.fullmatch(r"([rb][1-5])([x?~])(?:([rb][1-5])(?:\+([rb][1-5]))?)?", text)
    if act is None:
        raise TextError(f"{text!r} is no action; examples: r2xb4, r2?, r2?b1+b3, r5~, M")
    own, others = act[1], [name for name in act.groups()[2:] if name]
    if view is not None and view.observer in (0, 1) and own[0] != SIDE_LETTERS[view.observer]:
        raise TextError(f"{text!r}: {own} is not of your line")
    if any(name[0] == own[0] for name in others):
        raise TextError(f"{text!r}: {own} and {others[0]} must be of different lines")
    return _act(text, act[2], _column(own), [_column(name) for name in others])


def _column(name: str) -> int:
    return SPACES[name] % g.SIDE_PLACES


def _act(text: str, sign: str, own: int, others: list[int]) -> int:
    """Return the act of the card on place `own`, from 0, on other places."""
    if sign == "x" and len(others) == 1:
        return g.ACT_ATTACK + own * g.LINE + others[0]
    if sign == "?":
        return g.ACT_LOOK_LINE + own * g.LOOKS + look_of(others) if others else g.ACT_LOOK_HAND + own
    if sign == "~" and not others:
        return g.ACT_TRICK
    raise TextError(f"{text!r}: an attack names one enemy space, the trick none")


# ---- lines to be laid --------------------------------------------------------------------------------------------


def deployment_text(actions: Sequence[int]) -> str:
    """Return one letter for each gap, in the order of places: F B S M and 2 to 9; "." stays a gap. Raises
    `TextError`.
    """
    if not all(g.ACT_LAY <= action < g.ACT_ATTACK for action in actions):
        raise TextError("a line is laid by laying cards, nothing else")
    return "".join(LETTERS[action - g.ACT_LAY] for action in actions)


def parse_deployment(text: str, deck: Sequence[int]) -> Actions:
    """Return the actions of a whole choice. `deck`: 13 counts by type. Raises `TextError` if cards are unknown or too
    many, or the text is too long.

    The hand and the number of gaps are not checked; the rules decide which actions are legal.
    """
    letters = text.strip()
    for at, letter in enumerate(letters):
        if letter not in LETTERS:
            raise TextError(f"{letter!r} at place {at + 1} is no card; cards are F B S M 2 to 9, and . for a gap")
    if not 1 <= len(letters) <= g.LINE:
        raise TextError(f"a line has 1 to {g.LINE} gaps to fill, this text has {len(letters)}")
    if not letters.strip("."):
        raise TextError("at least one card is laid")
    for kind, letter in enumerate(LETTERS):
        if kind and letters.count(letter) > deck[kind]:
            raise TextError(f"{letters.count(letter)} {TYPES[kind]}: the deck has {deck[kind]}")
    return np.array([g.ACT_LAY + LETTERS.index(letter) for letter in letters], np.int32)
