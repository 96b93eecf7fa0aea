"""Remarks on unusual deployments, for their owner before the battle. Codes name no unit, the catalogue does. No
deployments of people were counted; the remarks follow from the rules that they name.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gonfalon.engine.kernels import Rows
from gonfalon.engine.scene import Line
from gonfalon.engine.view import View
from gonfalon.games.conquest import state as g
from gonfalon.games.conquest.sight.view import own_zones
from gonfalon.games.conquest.text.notation import Names

FEW_WAYS = 3
"""Fewer units than this that can make the first move are unusual."""


def remarks_of(view: View, actions: Sequence[int], names: Names, rules: Rows) -> tuple[Line, ...]:
    """Return remarks on the viewer's units once `actions` complete the deployment. A Regroup is no deployment."""
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
    """A Flag that others can reach in one move (CQ-14)."""
    others = {
        zone for side in range(int(rules[0]["players"])) if side != view.observer for zone in own_zones(view, side)
    }
    flags = [zone for zone, kind in at.items() if kind == g.FLAG and others & set(_near(zone, rules))]
    return tuple(Line("prize-exposed", {"space": names.zones[zone]}) for zone in flags)


def _empty_cities(at: dict[int, int], names: Names, rules: Rows) -> tuple[Line, ...]:
    """A city territory without a unit is contested and gives no move (CQ-9, CQ-13)."""
    held = {zone // g.IN_TERRITORY for zone, kind in at.items() if kind}
    cities = set(np.flatnonzero(rules[0]["city"]).tolist())
    empty = sorted({zone // g.IN_TERRITORY for zone in at} & cities - held)
    return tuple(Line("city-empty", {"territory": names.territories[each]}) for each in empty)


def _stuck(at: dict[int, int], rules: Rows) -> tuple[Line, ...]:
    """Few units can make the first move (CQ-16): most stand among own units."""
    taken = {zone for zone, kind in at.items() if kind}
    moving = [zone for zone in taken if at[zone] not in (g.FLAG, g.CURSED_LAND)]
    ways = sum(not taken.issuperset(_near(zone, rules)) for zone in moving)
    return (Line("few-ways", {"count": ways}),) if ways <= FEW_WAYS else ()
