"""Remarks on unusual deployments, for their owner before the battle. Codes name no unit; the catalogue has the names.
The remarks follow from rules, not from counts of real deployments.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gonfalon.engine.compiled.kernels import Rows
from gonfalon.engine.screens.scene import Line
from gonfalon.engine.view import View
from gonfalon.games.conquest import state as g
from gonfalon.games.conquest.sight.view import own_zones
from gonfalon.games.conquest.text.notation import Names

FEW_WAYS = 3
"""Maximum number of units with a first move that a remark calls few."""


def remarks_of(view: View, actions: Sequence[int], names: Names, rules: Rows) -> tuple[Line, ...]:
    """Return remarks on the viewer's units, as if `actions` completed the deployment. A Regroup gets no remarks."""
    if view.phase != g.DEPLOY:
        return ()
    own = own_zones(view, view.observer)
    laid = view.laid[view.observer].tolist()[: len(own) - len(actions)]
    at = dict(zip(own, (*laid, *(action - g.ACT_PLACE for action in actions)), strict=True))
    return (*_exposed(at, view, names, rules), *_empty_cities(at, names, rules), *_stuck(at, rules))


def _near(zone: int, rules: Rows) -> list[int]:
    row = rules[0]
    near: list[int] = row["near"][zone][: row["n_near"][zone]].tolist()
    return near


def _exposed(at: dict[int, int], view: View, names: Names, rules: Rows) -> tuple[Line, ...]:
    """Return a remark for a Flag that opponents can reach in one move (CQ-14)."""
    others = {
        zone for side in range(int(rules[0]["players"])) if side != view.observer for zone in own_zones(view, side)
    }
    flags = [zone for zone, kind in at.items() if kind == g.FLAG and others & set(_near(zone, rules))]
    return tuple(Line("prize-exposed", {"space": names.zones[zone]}) for zone in flags)


def _empty_cities(at: dict[int, int], names: Names, rules: Rows) -> tuple[Line, ...]:
    """Return a remark for each city territory without a unit: it is contested and gives no move (CQ-9, CQ-13)."""
    held = {zone // g.IN_TERRITORY for zone, kind in at.items() if kind}
    cities = set(np.flatnonzero(rules[0]["city"]).tolist())
    empty = sorted({zone // g.IN_TERRITORY for zone in at} & cities - held)
    return tuple(Line("city-empty", {"territory": names.territories[each]}) for each in empty)


def _stuck(at: dict[int, int], rules: Rows) -> tuple[Line, ...]:
    """Return a remark if few units can make the first move (CQ-16), because most stand among their own."""
    taken = {zone for zone, kind in at.items() if kind}
    moving = [zone for zone in taken if at[zone] not in (g.FLAG, g.CURSED_LAND)]
    ways = sum(not taken.issuperset(_near(zone, rules)) for zone in moving)
    return (Line("few-ways", {"count": ways}),) if ways <= FEW_WAYS else ()
