"""Text forms of zones, territories, actions and deployments. For positions see `position.py`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NoReturn

import numpy as np

from gonfalon.engine.game import Actions, TextError
from gonfalon.engine.view import View
from gonfalon.games.conquest import state as g
from gonfalon.games.conquest.maps import Map
from gonfalon.games.conquest.ruleset import CARDS, TYPES

LETTERS = ".MSC456789KXF"
"""Letter by type code; "." means no unit."""
CARD_LETTERS = "rbsgitm"
"""Letter by card code."""
STOP, NO_CARD = "stop", "none"
REGROUPED = 3
"""Number of units that a Regroup puts back (CQ-27)."""


@dataclass(frozen=True, eq=False)
class Names:
    """The ids of a map's zones and territories, by number. Use `names_of`, which makes one object for each map."""

    zones: tuple[str, ...]
    """Ids of the zones: `kf1`, `kf2`, `kf3`, ..."""
    territories: tuple[str, ...]
    """Ids of the territories: `kf`, ..."""
    zone_numbers: Mapping[str, int]
    territory_numbers: Mapping[str, int]

    def zone(self, name: str) -> int:
        """Return the number of a zone with this id. Raises `TextError`."""
        if name not in self.zone_numbers:
            raise TextError(f"{name!r} is no zone of this map; zones are {self.zones[0]} to {self.zones[-1]}")
        return self.zone_numbers[name]

    def territory(self, name: str) -> int:
        """Return the number of a territory with this id. Raises `TextError`."""
        if name not in self.territory_numbers:
            raise TextError(f"{name!r} is no territory of this map; they are {' '.join(self.territories)}")
        return self.territory_numbers[name]


@cache
def names_of(land: Map) -> Names:
    """Return the names of a map, always the same object."""
    return _names(land.zone_ids, tuple(territory.id for territory in land.territories))


@cache
def _names(zones: tuple[str, ...], territories: tuple[str, ...]) -> Names:
    numbers = [{name: number for number, name in enumerate(ids)} for ids in (zones, territories)]
    return Names(zones, territories, *numbers)


def acting_side(view: View) -> int:
    """Return the side that the viewer's action ids belong to: the viewer's own, or the mover's for a spectator."""
    return view.observer if 0 <= view.observer < g.PLAYERS else int(view.mover)


def is_enemy(view: View, zone: int) -> bool:
    """Return whether the zone has a unit that does not belong to `acting_side`."""
    slot = int(view.at[zone])
    return slot != g.NONE and slot // g.ARMY != acting_side(view)


# ---- actions -----------------------------------------------------------------------------------------------------


def action_text(view: View, action: int, names: Names) -> str:
    """Return the text of an action: `K` or `.` (place), `kf` (choose), `+regroup` or `+none` (card), `@kf1` (name a
    zone), `?king` (guess), `stop`, `kf1-kf2` (move to an empty zone), `kf1xkf2` (attack), `start king`, `draw blitz`,
    `unit knight` (chance).

    Raises `TextError` for an id that is not an action.
    """
    if g.ACT_MOVE <= action < g.ACT_START:
        begin, finish = divmod(action - g.ACT_MOVE, g.ZONES)
        if max(begin, finish) < len(names.zones):
            return f"{names.zones[begin]}{'x' if is_enemy(view, finish) else '-'}{names.zones[finish]}"
    else:
        text = _fixed_texts(names).get(action)
        if text is not None:
            return text
    raise TextError(f"no action {action}")


@cache
def _fixed_texts(names: Names) -> dict[int, str]:
    """Return the texts of all actions except moves. The text of a move depends on the unit in the zone where it
    ends.
    """
    texts = {g.ACT_PLACE + kind: letter for kind, letter in enumerate(LETTERS)}
    texts |= {g.ACT_PICK + number: name for number, name in enumerate(names.territories)}
    texts |= {g.ACT_CARD + card: f"+{name}" for card, name in enumerate(CARDS)}
    texts |= {g.ACT_NO_CARD: f"+{NO_CARD}", g.ACT_STOP: STOP}
    texts |= {g.ACT_ZONE + number: f"@{name}" for number, name in enumerate(names.zones)}
    for first, begin in ((g.ACT_GUESS, "?"), (g.ACT_START, "start "), (g.ACT_UNIT, "unit ")):
        texts |= {first + kind: begin + name for kind, name in enumerate(TYPES) if kind}
    return texts | {g.ACT_DRAW + card: f"draw {name}" for card, name in enumerate(CARDS)}


@cache
def _fixed_actions(names: Names) -> dict[str, int]:
    return {text: action for action, text in _fixed_texts(names).items()}


def parse_action(text: str, view: View | None, names: Names) -> int:
    """Return the action of a text; inverse of `action_text`. With a view, a move must have the right sign: `x` if an
    enemy is there, else `-`. Raises `TextError`.
    """
    text = " ".join(text.split())
    action = _fixed_actions(names).get(text)
    if action is not None:
        return action
    move = re.fullmatch(r"([a-z]+[0-9])([-x])([a-z]+[0-9])", text)
    if move is None:
        _explain(text, names)
    begin, finish = names.zone(move[1]), names.zone(move[3])
    if view is not None:
        _check_sign(view, finish, move[2], names)
    return g.ACT_MOVE + begin * g.ZONES + finish


def _check_sign(view: View, zone: int, sign: str, names: Names) -> None:
    if (sign == "x") != is_enemy(view, zone):
        reason = "no enemy is there, a move is written with -" if sign == "x" else "attacks are written with x"
        raise TextError(f"{names.zones[zone]}: {reason}")


def _explain(text: str, names: Names) -> NoReturn:
    """Raise the error for a text that is not an action. It explains a known first character, or gives examples of all
    texts.
    """
    begin, rest = text[:1], text[1:]
    known = {"+": (*CARDS, NO_CARD), "?": TYPES[1:]}
    if begin in known:
        raise TextError(f"{rest!r} is none of {', '.join(known[begin])}")
    if begin == "@":
        names.zone(rest)
    word, _, rest = text.partition(" ")
    lists = {"draw": CARDS, "start": TYPES[1:], "unit": TYPES[1:]}
    if word in lists:
        raise TextError(f"{text!r}: {rest!r} is none of {', '.join(lists[word])}")
    one, other = names.zones[:2]
    examples = f"{one}-{other}, {one}x{other}, stop, +blitz, +none, @{one}, ?king, {names.territories[0]}, K"
    raise TextError(f"{text!r} is no action; examples: {examples}")


# ---- deployments -------------------------------------------------------------------------------------------------


def deployment_text(actions: Sequence[int]) -> str:
    """Return one letter for each zone, in the order of zones: M S C 4 to 9 K X F; "." for an empty zone. Raises
    `TextError`.
    """
    if not all(g.ACT_PLACE <= action < g.ACT_PICK for action in actions):
        raise TextError("a deployment, as the order of a Regroup, consists of units that are placed, nothing else")
    return "".join(LETTERS[action - g.ACT_PLACE] for action in actions)


def parse_deployment(text: str, army: Sequence[int], zones: int) -> Actions:
    """Return the actions of a text; inverse of `deployment_text`. The text is a whole army (CQ-7), or the three units
    of a Regroup (CQ-27).

    `army`: 13 counts by type; `zones`: the map's number of zones. Whether the zones belong to the player, or these
    units are regrouped, is not checked. Raises `TextError` if units are unknown, missing or too many, or the text is
    too long.
    """
    letters = text.strip()
    for at, letter in enumerate(letters, 1):
        if letter not in LETTERS:
            raise TextError(f"{letter!r} at place {at} is no unit; units are M S C 4 to 9 K X F, and . for none")
    whole = len(letters) != REGROUPED
    if not whole and "." in letters:
        raise TextError(f"a Regroup puts back {REGROUPED} units, this text has a place without one")
    if whole and (len(letters) % g.IN_TERRITORY or not sum(army) <= len(letters) <= zones):
        raise TextError(f"own territories have {sum(army)} to {zones} zones, {g.IN_TERRITORY} each, not {len(letters)}")
    for kind, letter in enumerate(LETTERS):
        count = letters.count(letter)
        if kind and (count > army[kind] or (whole and count < army[kind])):
            raise TextError(f"{count} {TYPES[kind]}: the army has {army[kind]}")
    return np.array([g.ACT_PLACE + LETTERS.index(letter) for letter in letters], np.int32)
