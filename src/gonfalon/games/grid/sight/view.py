"""Standing and events for an observer of a grid game. The filter itself is `sight/visible.py`."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from gonfalon.engine.events import Event, count_fallen
from gonfalon.engine.game import EVERYTHING, Standing, State
from gonfalon.engine.view import View
from gonfalon.games.grid import state as g
from gonfalon.games.grid.rules import battle
from gonfalon.games.grid.ruleset import TYPES
from gonfalon.games.grid.text.notation import square_name


def standing_of(view: View) -> Standing:
    deploys = bool(view.phase == g.DEPLOY)
    arranges = deploys and view.observer in (0, 1) and not view.ready[view.observer]
    return Standing(not deploys, int(view.turn), int(view.quiet), (), bool(arranges))


def events_of(after: State, observer: int) -> tuple[Event, ...]:
    """Return the last step's log as events for `observer`."""
    log = after["log"][0, : after["n_log"][0]].tolist()
    return tuple([event for entry in log if (event := _event(after, entry, observer)) is not None])


def _knows(observer: int, side: int) -> bool:
    return observer in (side, EVERYTHING)


def _event(after: State, entry: list[int], observer: int) -> Event | None:
    """Return the event of a log entry. The most frequent codes are tested first."""
    code, side, a, b, c = entry[:5]
    if code == g.LOG_MOVED:
        return _moved(side, a, b, c if _knows(observer, side) else g.HIDDEN)
    if code == g.LOG_ATTACKED:
        return _of("attacked", side, **{"from": square_name(a), "to": square_name(b)})
    if code == g.LOG_BATTLE:
        return _battle(side, entry, observer)
    if code == g.LOG_RAN:
        return _of("ran", side, **{"from": square_name(a), "to": square_name(b), "face": TYPES[c]})
    if code == g.LOG_PLACED:
        return _secret("placed", side, observer, face=TYPES[a], space=square_name(b)) if a else None
    if code == g.LOG_CHOSEN:
        return _secret("chosen", side, observer, face=TYPES[a])
    if code == g.LOG_START:
        return _of("start", side, spaces=_occupied(after))
    if code == g.LOG_SWORD:
        return _of("sword", side, space=square_name(a), first_space=square_name(b), second_space=square_name(c))
    if code == g.LOG_APPLE:
        return _of("apple", side, flag_space=square_name(a), space=square_name(b))
    if code == g.LOG_OVER:
        reason = g.OVER_REASONS[a]
        return Event("drawn", {"reason": reason}) if side == g.NONE else _of("won", side, reason=reason)
    if code in _RETURNED:
        return _of(_RETURNED[code], side, face=TYPES[a], space=square_name(b))
    return Event("agreed") if code == g.LOG_AGREED else _of(_PLAIN[code], side)


_RETURNED = {g.LOG_REVEALED: "revealed", g.LOG_HEALED: "healed", g.LOG_RESCUED: "rescued"}
_PLAIN = {g.LOG_READY: "ready", g.LOG_DECLINED: "declined", g.LOG_RESIGNED: "resigned", g.LOG_PASSED: "passed"}


def _of(code: str, side: int, **args: Any) -> Event:
    return Event(code, {"side": g.SIDES[side], **args})


def _secret(code: str, side: int, observer: int, **args: Any) -> Event | None:
    return _of(code, side, **args) if _knows(observer, side) else None


def _occupied(after: State) -> dict[str, str]:
    """Sides by square. Where pieces stand is public once play starts (GR-3)."""
    codes = after["board"][0, : g.SQUARES].tolist()
    return {square_name(k): g.SIDES[1 if code & g.BLUE else 0] for k, code in enumerate(codes) if code & g.ANY_SIDE}


@lru_cache(8192)
def _moved(side: int, begin: int, end: int, kind: int) -> Event:
    """A move, with the piece's type for its owner. Others know the type only from earlier events."""
    args = {"from": square_name(begin), "to": square_name(end)}
    if kind != g.HIDDEN:
        args["face"] = TYPES[kind]
    return _of("moved", side, **args)


def _battle(side: int, entry: list[int], observer: int) -> Event:
    """A battle. A defender that won unseen (switch `silent_defence`) is named to its owner only."""
    _, _, attacker, defender, kind, other, result = entry
    args = {
        "from": square_name(attacker),
        "space": square_name(defender),
        "attacker_face": TYPES[kind],
        "defender_face": TYPES[other],
    }
    code = ("battle-won", "battle-lost", "battle-both")[result & 3]
    if result & battle.UNSEEN and not _knows(observer, 1 - side):
        code = "battle-lost-hidden"
        del args["defender_face"]
    defending = side if result & battle.OWN else 1 - side
    fell = count_fallen(result & 3, (g.SIDES[side], kind), (g.SIDES[defending], other), g.MARSHAL)
    return Event(code, {"side": g.SIDES[side], **args}, fell)
