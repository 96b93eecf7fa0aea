"""The rules record: a ruleset and its map as numbers for the compiled rules."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gonfalon.engine.rulesets.ruleset import Ruleset
from gonfalon.games.conquest import state as g
from gonfalon.games.conquest.maps import Map, find_borders
from gonfalon.games.conquest.ruleset import army, deck, map_of


def make_rules(ruleset: Ruleset) -> NDArray[np.void]:
    """Return the rules record of a ruleset, shape (1,)."""
    record = np.zeros(1, g.RULES)
    row = record[0]
    _write_map(row, map_of(ruleset))
    row["players"] = ruleset.data["players"]
    row["army"] = army(ruleset)
    row["deck"] = deck(ruleset)
    for name in ("scout_attacks_after_run", "prove_spy_master", "max_quiet_rounds", "max_rounds"):
        row[name] = ruleset.values[name]
    return record


def _write_map(row: np.void, land: Map) -> None:
    near = find_borders(land).near
    row["zones"], row["territories"] = len(near), len(land.territories)
    row["near"], row["away"] = g.NONE, g.NONE
    for zone, others in enumerate(near):
        row["near"][zone][: len(others)] = others
        row["n_near"][zone] = len(others)
        row["away"][zone][: len(near)] = _steps(near, zone)
    for t, territory in enumerate(land.territories):
        row["city"][t] = territory.city > 0


def _steps(near: Sequence[Sequence[int]], begin: int) -> list[int]:
    """Return the number of steps from `begin` to each zone; NONE if there is no way."""
    steps = [g.NONE] * len(near)
    steps[begin] = 0
    queue = deque([begin])
    while queue:
        zone = queue.popleft()
        for other in near[zone]:
            if steps[other] == g.NONE:
                steps[other] = steps[zone] + 1
                queue.append(other)
    return steps
