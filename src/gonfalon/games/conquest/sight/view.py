"""Standing and events for an observer of Conquest. The filter itself is in `sight/visible.py`."""

from __future__ import annotations

from typing import Any

import numpy as np

from gonfalon.engine.events import Event, count_fallen
from gonfalon.engine.game import EVERYTHING, Standing, State
from gonfalon.engine.view import View
from gonfalon.games.conquest import state as g
from gonfalon.games.conquest.maps import Map
from gonfalon.games.conquest.ruleset import CARDS, TYPES
from gonfalon.games.conquest.text.notation import Names, names_of


def standing_of(view: View) -> Standing:
    """Return the standing of a view. A match that ended by a resignation before the battle counts as started, because
    no more units are placed.
    """
    arranges = view.observer >= 0 and view.phase in (g.DEPLOY, g.ORDER) and view.n_legal
    out = tuple(np.flatnonzero(view.out).tolist())
    started = bool(view.started or view.phase == g.OVER)
    return Standing(started, int(view.turn), int(view.quiet), out, bool(arranges))


def own_zones(view: View, side: int) -> list[int]:
    """Return the zones of the territories that a side chose (CQ-6), ascending."""
    chosen = np.flatnonzero(view.owner == side).tolist()
    return [g.IN_TERRITORY * territory + k for territory in chosen for k in range(g.IN_TERRITORY)]


def chosen_zones(view: View) -> list[int]:
    """Return the zones that the viewer named for the card, in this order."""
    zones: list[int] = view.chosen[: view.n_chosen].tolist()
    return zones


def events_of(after: State, observer: int, land: Map) -> tuple[Event, ...]:
    """Return the last step's log as events for `observer`."""
    row, names = after[0], names_of(land)
    told = (_event(entry, observer, names, row) for entry in row["log"][: row["n_log"]].tolist())
    return tuple(event for event in told if event is not None)


_SHAPES: dict[int, tuple[str, ...]] = {
    g.LOG_START_DREW: ("start-drew", "face"),
    g.LOG_START_TIE: ("start-tie",),
    g.LOG_STARTS: ("starts",),
    g.LOG_PICKED: ("picked", "territory"),
    g.LOG_PLACED: ("placed", "face", "space"),
    g.LOG_READY: ("ready",),
    g.LOG_TURN: ("turn", "count", "moves"),
    g.LOG_DREW: ("drew", "card"),
    g.LOG_CARD: ("card", "card"),
    g.LOG_NO_CARD: ("no-card",),
    g.LOG_AIMED: ("aimed", "space", "card"),
    g.LOG_PUT_BACK: ("put-back", "face", "space"),
    g.LOG_REGROUPED: ("regrouped", "spaces", "spaces", "spaces"),
    g.LOG_UNIT: ("unit", "face"),
    g.LOG_ENTERED: ("entered", "face", "space", "card"),
    g.LOG_MASTER: ("master",),
    g.LOG_LOOKED: ("looked", "spaces", "spaces"),
    g.LOG_SAW: ("saw", "face", "other", "space"),
    g.LOG_GUESSED: ("guessed", "space", "face", "other"),
    g.LOG_HIT: ("hit", "space", "face"),
    g.LOG_MISSED: ("missed", "space"),
    g.LOG_MOVED: ("moved", "from", "to"),
    g.LOG_RAN: ("ran", "from", "to"),
    g.LOG_ATTACKED: ("attacked", "from", "to"),
    g.LOG_CAPTURED: ("captured", "other", "space"),
    g.LOG_GIVEN: ("given", "other"),
    g.LOG_RECAPTURED: ("recaptured",),
    g.LOG_RAISED: ("raised", "space"),
    g.LOG_STOPPED: ("stopped",),
    g.LOG_NO_MOVE: ("no-move",),
    g.LOG_SKIPPED: ("skipped",),
    g.LOG_RESIGNED: ("resigned",),
    g.LOG_AGREED: ("agreed",),
}
"""Event code and names of the arguments by log code, for entries whose columns are the arguments."""

_OF_NOBODY = (g.LOG_START_TIE, g.LOG_AGREED)
_OWN = (g.LOG_PLACED, g.LOG_AIMED, g.LOG_PUT_BACK, g.LOG_SAW)
"""Log codes of entries that only their own player gets."""


def _event(entry: list[int], observer: int, names: Names, row: np.void) -> Event | None:
    code, side = entry[:2]
    own = observer in (side, EVERYTHING)
    if code in _OWN and not own:
        return None
    if code == g.LOG_UNIT and not own:
        return _of("unit-hidden", side)
    if code == g.LOG_ENTERED and not own and entry[4] != g.NEW_MASTER:
        return _of("entered-hidden", side, space=names.zones[entry[3]], card=CARDS[entry[4]])
    if code in _SHAPES:
        args = _arguments(_SHAPES[code][1:], entry[2:], names)
        return Event(_SHAPES[code][0], args) if code in _OF_NOBODY else _of(_SHAPES[code][0], side, **args)
    return _composed(entry, names, row)


def _arguments(keys: tuple[str, ...], columns: list[int], names: Names) -> dict[str, Any]:
    args: dict[str, Any] = {}
    for key, number in zip(keys, columns, strict=False):
        match key:
            case "face":
                args[key] = TYPES[number]
            case "card":
                args[key] = CARDS[number]
            case "territory":
                args[key] = names.territories[number]
            case "space" | "from" | "to":
                args[key] = names.zones[number]
            case "spaces":
                args[key] = [*args.get(key, []), names.zones[number]]
            case "other":
                args[key] = g.SIDES[number]
            case _:
                args[key] = number
    return args


def _composed(entry: list[int], names: Names, row: np.void) -> Event | None:
    """Return the event of an entry that has several forms; all of these are public."""
    code, side, a, *_ = entry
    match code:
        case g.LOG_BATTLE_BEGINS:
            return Event("battle-begins", {"spaces": _taken(row, names)})
        case g.LOG_SHUFFLED:
            return _of("card-shuffled" if a else "shuffled", side)
        case g.LOG_PROOF:
            faces = _reserve(row, side)
            return _of("proof", side, faces=faces) if faces else _of("proof-empty", side)
        case g.LOG_BATTLE:
            return _battle(entry, names)
        case g.LOG_CONTROL:
            place = names.territories[a]
            return Event("contested", {"territory": place}) if side == g.NONE else _of("control", side, territory=place)
        case g.LOG_OVER:
            reason = g.OVER_REASONS[a]
            return Event("drawn", {"reason": reason}) if side == g.NONE else _of("won", side, reason=reason)
        case _:
            return None


def _of(code: str, side: int, **args: Any) -> Event:
    return Event(code, {"side": g.SIDES[side], **args})


def _taken(row: np.void, names: Names) -> dict[str, str]:
    """Return the side by zone for all units on the map (CQ-7)."""
    at = row["at"].tolist()
    return {names.zones[zone]: g.SIDES[slot // g.ARMY] for zone, slot in enumerate(at) if slot != g.NONE}


def _reserve(row: np.void, side: int) -> list[str]:
    """Return the types in a side's reserve, which CQ-31 shows to all, the highest type code first."""
    units = slice(side * g.ARMY, (side + 1) * g.ARMY)
    kinds = row["kind"][units][row["zone"][units] == g.RESERVE]
    return [TYPES[kind] for kind in sorted(kinds.tolist(), reverse=True)]


def _battle(entry: list[int], names: Names) -> Event:
    _, side, kinds, defender, zone, result = entry
    args = {
        "space": names.zones[zone],
        "attacker_face": TYPES[kinds // 16],
        "defender_face": TYPES[kinds % 16],
        "other": g.SIDES[defender],
    }
    one, other = g.SIDES[side], g.SIDES[defender]
    fell = count_fallen(result, (one, kinds // 16), (other, kinds % 16), g.KING)
    return Event(("battle-won", "battle-lost", "battle-both")[result], {"side": one, **args}, fell)
