"""Meaning of the observations and action ids of a variant, and which of them the variant uses."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from gonfalon.engine.learning.observation import ActionParts, Layout, place_parts
from gonfalon.games.conquest import state as g
from gonfalon.games.conquest.ruleset import CARDS, TYPES
from gonfalon.games.conquest.sight.encode import PLANES, SEATS


def layout_of(rules: NDArray[np.void]) -> Layout:
    """Return the layout of a variant's observations. A map has no side from which to play upwards, so no form turns
    it; the planes of players are in the order of the seats from the viewer on.
    """
    r = rules[0]
    return Layout(
        planes=PLANES,
        rows=1,
        columns=g.ZONES,
        past=0,
        used=tuple(_uses(r, plane.name) for plane in PLANES),
        parts=place_parts(g.ACTIONS, _list_actions(r)),
        turns=(tuple(range(g.ZONES)),) * g.PLAYERS,
    )


def _uses(r: np.void, plane: str) -> bool:
    """Return whether the variant can ever set a plane."""
    *start, last = plane.split()
    if last in SEATS[r["players"] :]:
        return False
    name = start[-1] if last in SEATS and start else last
    if name in CARDS:
        return bool(r["deck"][CARDS.index(name)])
    if name in TYPES and plane not in {f"flag {seat}" for seat in SEATS}:
        return plane.startswith("not ") or bool(r["army"][TYPES.index(name)])
    return plane != "city" or bool(r["city"].any())


def _list_actions(r: np.void) -> Iterator[tuple[int, ActionParts]]:
    """Yield the action ids that can be legal in the variant, or drawn, with their parts."""
    zones = int(r["zones"])
    for kind in range(g.TYPES):
        if not kind or r["army"][kind]:
            yield g.ACT_PLACE + kind, ActionParts("deploy", name=TYPES[kind] or "empty")
        if kind and r["army"][kind]:
            yield g.ACT_GUESS + kind, ActionParts("guess", name=TYPES[kind])
            yield g.ACT_START + kind, ActionParts("draw-start", name=TYPES[kind], by_chance=True)
            yield g.ACT_UNIT + kind, ActionParts("draw-unit", name=TYPES[kind], by_chance=True)
    for territory in range(int(r["territories"])):
        first = territory * g.IN_TERRITORY
        yield g.ACT_PICK + territory, ActionParts("pick", tuple(range(first, first + g.IN_TERRITORY)))
    for card, name in enumerate(CARDS):
        if r["deck"][card]:
            yield g.ACT_CARD + card, ActionParts("card", name=name)
            yield g.ACT_DRAW + card, ActionParts("draw-card", name=name, by_chance=True)
    yield g.ACT_NO_CARD, ActionParts("no-card")
    yield g.ACT_STOP, ActionParts("stop")
    for zone in range(zones):
        yield g.ACT_ZONE + zone, ActionParts("zone", (zone,))
        for end in range(zones):
            if end != zone:
                yield g.ACT_MOVE + zone * g.ZONES + end, ActionParts("move", (zone, end))
