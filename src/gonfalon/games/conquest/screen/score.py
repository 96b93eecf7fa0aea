"""The scores, and headlines that stay on the screen. Reads only views, never states."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from gonfalon.engine.screens.scene import Line, Score
from gonfalon.engine.view import View
from gonfalon.games.conquest import state as g
from gonfalon.games.conquest.ruleset import TYPES
from gonfalon.games.conquest.sight.view import chosen_zones
from gonfalon.games.conquest.text.notation import Names


def scores_of(view: View, players: int, rules: NDArray[np.void]) -> tuple[Score, ...]:
    """Return the score of each player, in the order of seats; empty before the battle."""
    if not view.started:
        return ()
    cities = rules[0]["city"]
    on_map = np.bincount(view.at[view.at != g.NONE] // g.ARMY, minlength=g.PLAYERS)
    held = [np.flatnonzero(view.control == side) for side in range(players)]
    rows = tuple(
        (
            len(held[side]),
            int(view.cards_due[side]),
            int(cities[held[side]].sum()),
            int(view.moves_due[side]),
            int(on_map[side]),
        )
        for side in range(players)
    )
    return _scores(rows, view.holder.tobytes())


COUNTS = ("territories", "cards", "cities", "moves", "units")
"""The numbers of a score, in this order."""
_Counts = tuple[int, ...]


@lru_cache(1 << 12)
def _scores(rows: tuple[_Counts, ...], holder: bytes) -> tuple[Score, ...]:
    flags = [_flags(side, holder) for side in range(len(rows))]
    rank = [(flags[side][:1] == (side,), len(flags[side]), row) for side, row in enumerate(rows)]
    best = max(rank)
    return tuple(
        Score(
            g.SIDES[side],
            dict(zip(COUNTS, row, strict=True)),
            tuple(g.SIDES[other] for other in flags[side]),
            rank[side] == best and rank.count(best) == 1,
        )
        for side, row in enumerate(rows)
    )


def _flags(side: int, holder: bytes) -> tuple[int, ...]:
    """Return the players whose Flags a player holds. The player comes first while their own Flag is on the map."""
    own = (side,) if holder[side] == side else ()
    return (*own, *(other for other, by in enumerate(holder) if by == side and other != side))


def headlines_of(view: View, names: Names) -> tuple[Line, ...]:
    """Return the headlines that stay until they change: the players who choose the next territories (CQ-6); the
    regrouped units and their former zones (CQ-27); the viewer's lost Flag, and how to win it back (CQ-21, CQ-22).
    """
    if view.phase == g.DRAFT:
        return (Line("choosing", {"sides": [g.SIDES[side] for side in view.choosing.tolist() if side != g.NONE]}),)
    own = view.observer
    if view.phase == g.ORDER and view.observer == view.mover:
        zones = sorted(chosen_zones(view))
        faces = [TYPES[view.kind[view.at[zone]]] for zone in zones]
        return (Line("regrouping", {"faces": faces, "spaces": [names.zones[zone] for zone in zones]}),)
    if not view.started or view.phase == g.OVER or not 0 <= own < g.PLAYERS or view.out[own]:
        return ()
    keeper = int(view.holder[own])
    return () if keeper in (own, g.NONE) else (Line("away", {"side": g.SIDES[keeper]}),)


def warning_of(view: View, zone: int, shown: bool) -> Line | None:
    """Return the warning before an attack on a unit in this zone: it may be a Flag whose capture makes another player
    win. The warning comes for every unit that may be a Flag as far as the viewer knows. If `shown` is false, it comes
    for every unit of that player.
    """
    slot = int(view.at[zone])
    if slot == g.NONE:
        return None
    owner = slot // g.ARMY
    winner = int(view.wins_by[owner])
    kind, out = int(view.kind[slot]), int(view.ruled_out[slot]) >> g.FLAG & 1
    may_be = not shown or kind == g.FLAG or (kind == g.HIDDEN and not out)
    if winner in (g.NONE, view.observer) or not may_be:
        return None
    return Line("wins-other", {"side": g.SIDES[winner], "other": g.SIDES[owner]})
