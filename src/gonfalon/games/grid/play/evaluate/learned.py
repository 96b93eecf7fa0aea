"""Corrections of the worth of pieces, learned from matches: `data/worth.toml`."""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from gonfalon.engine.rulesets.ruleset import read_toml
from gonfalon.games.grid import state as g
from gonfalon.games.grid.ruleset import DATA, TYPES

LEARNED = DATA / "worth.toml"


@cache
def read_learned(variant: str) -> NDArray[np.float64]:
    """Return the points added to the worth of each type in a variant, shape (TYPES,); 0 where nothing was learned."""
    found = np.zeros(g.TYPES)
    for kind, points in read_toml(LEARNED).get(variant, {}).items():
        found[TYPES.index(kind)] = points
    return found
