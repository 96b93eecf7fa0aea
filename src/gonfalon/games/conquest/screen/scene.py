"""The scene of a view: units, trays, tints, status. Reads only views, never states."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gonfalon.engine.rulesets.ruleset import Ruleset
from gonfalon.engine.screens.scene import (
    Arrange,
    ArrangePiece,
    Button,
    Line,
    Scene,
    Tint,
    Token,
    foretell_draw,
)
from gonfalon.engine.view import View
from gonfalon.games.conquest import state as g
from gonfalon.games.conquest.maps import Map
from gonfalon.games.conquest.ruleset import CARDS, TYPES
from gonfalon.games.conquest.screen.score import headlines_of, scores_of
from gonfalon.games.conquest.screen.trays import BY_RANK, groups_of, is_own, trays_of
from gonfalon.games.conquest.sight.view import chosen_zones, own_zones, standing_of
from gonfalon.games.conquest.text.notation import LETTERS, Names, names_of

NO_CARD, STOP = "do.no-card", "do.stop"
FROM_HAND = (g.REINFORCEMENTS, g.SURPRISE)
"""Cards for which a unit is drawn before its zone is named. All see that a unit is drawn."""

_LEFT = {g.SKIPPED: "skipped", g.RESIGNED: "resigned"}
"""Event of a player who leaves the match, by the value of `out`."""


def scene_of(view: View, ruleset: Ruleset, land: Map, rules: NDArray[np.void]) -> Scene:
    """Return the scene of a view. If the switch `show_known` is off, the scene omits what the viewer saw of other
    players' units, and what they saw of the viewer's.
    """
    shown, standing = bool(ruleset.values["show_known"]), standing_of(view)
    names, players = names_of(land), int(rules[0]["players"])
    return Scene(
        tokens=_tokens(view, names, shown),
        trays=trays_of(view, players, shown),
        tints=(*_tints(view, names), *_held(view, names)),
        buttons=_buttons(view),
        status=_status(view, players, names),
        to_act=_to_act(view, players),
        turn=standing.turn,
        arrange=arrange_of(view, land, rules),
        groups=groups_of(view, names, players) if shown else (),
        started=standing.started,
        out=tuple(g.SIDES[player] for player in standing.out),
        left=tuple(Line(_LEFT[int(view.out[player])], {"side": g.SIDES[player]}) for player in standing.out),
        headlines=(*headlines_of(view, names), *_last_rounds(view, rules)),
        scores=scores_of(view, players, rules),
        round=int(view.rounds) + 1 if view.started else 0,
    )


def _last_rounds(view: View, rules: NDArray[np.void]) -> tuple[Line, ...]:
    """Return the warning that the match will soon be a draw (CQ-26)."""
    return () if view.phase == g.OVER else foretell_draw(int(view.quiet), int(rules[0]["max_quiet_rounds"]))


# ---- units -------------------------------------------------------------------------------------------------------


def _tokens(view: View, names: Names, shown: bool) -> tuple[Token, ...]:
    """Return the units on the board in the order of slots, so that a move changes only one token. Units of an open
    Regroup are in `Scene.arrange` instead.
    """
    at = view.at
    zones = np.argsort(at, kind="stable")[: np.count_nonzero(at != g.NONE)]
    if _is_ordering(view):
        zones = zones[~np.isin(zones, chosen_zones(view))]
    slots = at[zones]
    kinds = view.kind[slots].astype(np.int64)
    marks = _marks(view, slots, kinds) if shown else np.zeros(len(slots), np.int64)
    if not shown:
        kinds[[not is_own(view, slot // g.ARMY) for slot in slots.tolist()]] = g.HIDDEN
    keys = ((slots * np.int64(g.ZONES) + zones) * 16 + kinds) * MARKS + marks
    cached = _cached_tokens(names)
    return (*[cached[key] for key in keys.tolist()], *_laid(view, names))


def _marks(view: View, slots: NDArray[np.uint8], kinds: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return a number for the marks of each unit: the view's mark, plus 4 if the unit has moved, plus 8 times the bits
    of the players who have looked at it. Membership in a group counts only if some of its types are known.
    """
    marks: NDArray[np.int64] = view.marks[slots].astype(np.int64)
    among = np.flatnonzero(marks == g.AMONG)
    if len(among):
        known = view.among[view.group[slots[among]]].any(axis=1)
        marks[among[~known]] = g.UNKNOWN
    moved = (kinds == g.HIDDEN) & (view.ruled_out[slots] & g.IMMOBILE == g.IMMOBILE)
    marks[moved] += 4
    marks += 8 * view.looked[slots].astype(np.int64)
    return marks


class _Tokens(dict[int, Token]):
    """Tokens of a map by their contents. Each is made when first needed."""

    def __init__(self, names: Names) -> None:
        super().__init__()
        self.names = names.zones

    def __missing__(self, key: int) -> Token:
        rest, marks = divmod(key, MARKS)
        rest, kind = divmod(rest, 16)
        slot, zone = divmod(rest, g.ZONES)
        side, j = divmod(slot, g.ARMY)
        face = TYPES[kind] if kind != g.HIDDEN else ""
        words = (*(("moved",) if marks & 4 else ()), *_MARKS[marks & 3])
        looked = tuple(f"looked.{name}" for other, name in enumerate(g.SIDES) if marks >> 3 + other & 1)
        token = Token(f"{g.SIDES[side]}{j + 1}", self.names[zone], g.SIDES[side], face, words + looked)
        if len(self) < MOST_CACHED:
            self[key] = token
        return token


_cached_tokens = cache(_Tokens)
_MARKS: dict[int, tuple[str, ...]] = {g.UNKNOWN: (), g.AMONG: ("among",), g.SEEN: ("seen",)}
MARKS = 8 << g.PLAYERS
"""Number of different values of marks."""
MOST_CACHED = 1 << 17
"""Maximum number of cached tokens. One match shows a few thousand."""


@lru_cache(1 << 12)
def _draft(names: Names, side: int, zone: int, kind: int) -> Token:
    return Token(f"p.{names.zones[zone]}", names.zones[zone], g.SIDES[side], TYPES[kind])


def _is_ordering(view: View) -> bool:
    return bool(view.phase == g.ORDER and view.observer == view.mover)


def _laid(view: View, names: Names) -> list[Token]:
    """Return the units placed in a choice that is not complete yet."""
    if _is_ordering(view):
        zones, kinds = sorted(chosen_zones(view)), view.ordered[: view.n_ordered].tolist()
        return [_draft(names, int(view.mover), zone, kind) for zone, kind in zip(zones, kinds, strict=False)]
    if view.phase != g.DEPLOY:
        return []
    found = []
    for side, count in enumerate(view.placed.tolist()):
        kinds = view.laid[side].tolist()
        zones = own_zones(view, side)[:count]
        found += [_draft(names, side, zone, kinds[place]) for place, zone in enumerate(zones) if kinds[place]]
    return found


# ---- on the map --------------------------------------------------------------------------------------------------


def _tints(view: View, names: Names) -> tuple[Tint, ...]:
    """Return the tints of the last act, and of zones named for a card that is not carried out yet."""
    act, *zones = view.last.tolist()
    chosen = chosen_zones(view)
    goes = act in (g.MOVED, g.ATTACKED)
    last = [
        Tint(names.zones[zone], "from" if goes and k == 0 else "to")
        for k, zone in enumerate(zones)
        if zone != g.NONE and zone not in chosen
    ]
    return (*last, *(Tint(names.zones[zone], "target") for zone in chosen))


def _held(view: View, names: Names) -> tuple[Tint, ...]:
    """Return the side that controls each territory (CQ-9); before the battle, the side that chose it (CQ-6)."""
    started = bool(view.started)
    return _territory_tints(names, started, (view.control if started else view.owner).tobytes())


@lru_cache(1 << 12)
def _territory_tints(names: Names, started: bool, held: bytes) -> tuple[Tint, ...]:
    tints = []
    for territory, side in zip(names.territories, held, strict=False):
        if side != g.NONE:
            tints.append(_tint(territory, f"held.{g.SIDES[side]}"))
        elif started:
            tints.append(_tint(territory, "contested"))
    return tuple(tints)


@cache
def _tint(place: str, kind: str) -> Tint:
    return Tint(place, kind)


def _buttons(view: View) -> tuple[Button, ...]:
    if view.phase == g.CARD:
        return _button_of(view, g.ACT_NO_CARD, NO_CARD)
    if view.phase == g.MOVE:
        return _button_of(view, g.ACT_STOP, STOP)
    if view.phase == g.GUESS:
        return tuple(Button(guess_id(action)) for action in view.legal.tolist())
    return ()


def _button_of(view: View, action: int, name: str) -> tuple[Button, ...]:
    return (Button(name),) if action in view.legal else ()


def guess_id(action: int) -> str:
    """Return the id of the button for a guess (CQ-32): `guess.king`."""
    return f"guess.{TYPES[action - g.ACT_GUESS]}"


# ---- whose turn, and what is to be done --------------------------------------------------------------------------


def _to_act(view: View, players: int) -> tuple[str, ...]:
    if view.phase in (g.STARTING, g.DRAW, g.UNIT, g.OVER):
        return ()
    if view.phase == g.DEPLOY:
        return tuple(g.SIDES[side] for side in range(players) if not view.ready[side] and not view.out[side])
    return (g.SIDES[view.mover],)


def _status(view: View, players: int, names: Names) -> Line:
    phase, observer, mover = int(view.phase), view.observer, int(view.mover)
    if phase == g.OVER:
        return Line("over")
    if phase == g.DEPLOY:
        return _deploying(view)
    side = {"side": g.SIDES[mover]}
    own, other = _STATUS[phase]
    if observer != mover:
        return Line(_ENTERING[1] if phase == g.AIM and view.playing in FROM_HAND else other, side)
    if phase == g.DRAFT:
        chosen = np.count_nonzero(view.owner == mover)
        return Line(own, {**side, "count": int(chosen) + 1, "limit": len(names.territories) // players})
    return Line(*_own_status(view, own, side))


def _deploying(view: View) -> Line:
    """Return the status while all place their units. Spectators and players who are ready wait."""
    observer = view.observer
    if not 0 <= observer < g.PLAYERS:
        return Line("wait-deploy", {"side": ""})
    ready = view.ready[observer] or view.out[observer]
    return Line("wait-deploy" if ready else "deploy", {"side": g.SIDES[observer]})


def _own_status(view: View, code: str, side: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """Return the status for the player who acts, with the number of choices or moves left."""
    if view.phase == g.AIM:
        if view.playing in FROM_HAND:
            return _ENTERING[0], side
        left = AIMED[int(view.playing)] - int(view.n_chosen)
        return f"aim.{CARDS[view.playing]}", {**side, "left": left}
    if view.phase == g.MOVE:
        return code, {**side, "left": int(view.moves), "free": bool(view.made)}
    return code, side


AIMED = {g.REGROUP: 3, g.SECRET: 2, g.TRAITOR: 1, g.NEW_MASTER: 1}
"""Number of zones to name, for cards that draw no unit."""
_ENTERING = ("enter", "entering")
_STATUS = {
    g.STARTING: ("drawing-lots", "drawing-lots"),
    g.DRAFT: ("draft", "drafting"),
    g.DRAW: ("drawing", "drawing"),
    g.CARD: ("card", "carding"),
    g.AIM: ("aim", "carding"),
    g.ORDER: ("order", "carding"),
    g.GUESS: ("guess", "carding"),
    g.UNIT: ("entering", "entering"),
    g.RAISE: ("raise", "raising"),
    g.MOVE: ("move", "turn"),
}
"""Status codes by phase: for the player who acts, and for all others."""


# ---- arrangements ------------------------------------------------------------------------------------------------


def arrange_of(view: View, land: Map, rules: NDArray[np.void]) -> Arrange | None:
    """Return the rest of a deployment: the undecided zones, the units, and the number of zones that stay empty. During
    a Regroup, return the rest of its order.
    """
    if not standing_of(view).arranges:
        return None
    side = view.observer
    if view.phase == g.DEPLOY:
        done = int(view.placed[side])
        zones = own_zones(view, side)[done:]
        used, counts = view.laid[side, :done].tolist(), rules[0]["army"].tolist()
    else:
        zones = sorted(chosen_zones(view))
        used, counts = view.ordered[: view.n_ordered].tolist(), [0] * g.TYPES
        for zone in zones:
            counts[view.kind[view.at[zone]]] += 1
        zones = zones[len(used) :]
    for kind in used:
        counts[kind] -= 1
    counts[0] = len(zones) - sum(counts[1:])
    pieces = [ArrangePiece(TYPES[k], LETTERS[k], counts[k], g.ACT_PLACE + k) for k in (*BY_RANK, 0) if counts[k] > 0]
    return Arrange(tuple(names_of(land).zones[zone] for zone in zones), tuple(pieces))
