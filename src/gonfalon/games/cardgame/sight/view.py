"""Standing and events for an observer of the Card Game. The filter itself is in `sight/visible.py`."""

from __future__ import annotations

from typing import Any

from gonfalon.engine.events import Event, count_fallen
from gonfalon.engine.game import EVERYTHING, Standing, State
from gonfalon.engine.view import View
from gonfalon.games.cardgame import state as g
from gonfalon.games.cardgame.ruleset import TYPES
from gonfalon.games.cardgame.text.notation import space_name


def standing_of(view: View) -> Standing:
    arranges = view.phase == g.LAY and view.observer in (0, 1) and view.n_legal
    started = bool(view.started or view.phase == g.OVER)
    return Standing(started, int(view.turn), int(view.quiet), (), bool(arranges))


def events_of(after: State, observer: int) -> tuple[Event, ...]:
    """Return the last step's log as events for `observer`."""
    row = after[0]
    told = (_event(entry, observer) for entry in row["log"][: row["n_log"]].tolist())
    return tuple(event for event in told if event is not None)


def _event(entry: list[int], observer: int) -> Event | None:
    code, side, a, b, c, d = entry
    own = observer in (side, EVERYTHING)
    match code:
        case g.LOG_DREW:
            return _of("drew", side, face=TYPES[a]) if own else _of("drew-hidden", side)
        case g.LOG_PLACED:
            return _of("placed", side, face=TYPES[a], space=space_name(b)) if own else None
        case g.LOG_START:
            return _of("start", side, spaces=_ALL_SPACES)
        case g.LOG_LAID:
            return _laid(side, a)
        case g.LOG_ATTACKED:
            return _of("attacked", side, **{"from": space_name(a), "to": space_name(b)})
        case g.LOG_BATTLE:
            return _battle(side, a, b, c, d)
        case g.LOG_REVEALED:
            return _of("revealed", side, face=TYPES[a], space=space_name(b))
        case g.LOG_OVER:
            reason = g.OVER_REASONS[a]
            return Event("drawn", {"reason": reason}) if side == g.NONE else _of("won", side, reason=reason)
        case g.LOG_AGREED:
            return Event("agreed")
        case g.LOG_TRICK:
            return _of("trick", side, space=space_name(a))
        case g.LOG_READY | g.LOG_RESIGNED:
            return _of("ready" if code == g.LOG_READY else "resigned", side)
        case _:
            return _look(entry, observer)


def _look(entry: list[int], observer: int) -> Event | None:
    """CG-9: return the event of a look. The look is public, but only the looker sees the cards. `side` is the side of
    the looker; in an entry about a seen card, the side of the card.
    """
    code, side, a, b, c, _ = entry
    if code == g.LOG_LOOKED_HAND:
        return _of("looked-hand", side, space=space_name(a), count=b)
    if code == g.LOG_LOOKED_LINE:
        spaces = {"space": space_name(a), "first_space": space_name(b)}
        if c == g.NONE:
            return _of("looked-line-one", side, **spaces)
        return _of("looked-line", side, **spaces, second_space=space_name(c))
    if observer not in (1 - side, EVERYTHING):
        return None
    if code == g.LOG_SAW_EMPTY:
        return _of("saw-empty", side)
    if code == g.LOG_SAW_HAND:
        return _of("saw-hand", side, face=TYPES[a])
    return _of("saw", side, face=TYPES[a], space=space_name(b))


_ALL_SPACES = {space_name(side * g.SIDE_PLACES + k): name for side, name in enumerate(g.SIDES) for k in range(g.LINE)}


def _of(code: str, side: int, **args: Any) -> Event:
    return Event(code, {"side": g.SIDES[side], **args})


def _laid(side: int, places: int) -> Event:
    spaces = [space_name(side * g.SIDE_PLACES + k) for k in range(g.LINE) if places & (1 << k)]
    return _of("laid", side, count=len(spaces), spaces=spaces)


def _battle(side: int, attacker: int, defender: int, kinds: int, result: int) -> Event:
    args = {
        "from": space_name(attacker),
        "space": space_name(defender),
        "attacker_face": TYPES[kinds // 16],
        "defender_face": TYPES[kinds % 16],
    }
    one, other = g.SIDES[side], g.SIDES[1 - side]
    fell = count_fallen(result, (one, kinds // 16), (other, kinds % 16), g.MARSHAL)
    return Event(("battle-won", "battle-lost", "battle-both")[result], {"side": one, **args}, fell)
