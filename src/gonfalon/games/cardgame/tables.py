"""The rules record: a ruleset as numbers for the compiled rules."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gonfalon.engine.rulesets.ruleset import Ruleset
from gonfalon.games.cardgame.ruleset import deck
from gonfalon.games.cardgame.state import RULES


def make_rules(ruleset: Ruleset) -> NDArray[np.void]:
    """Return the rules record of a ruleset, shape (1,)."""
    record = np.zeros(1, RULES)
    record[0]["deck"] = deck(ruleset)
    record[0]["max_quiet_turns"] = ruleset.values["max_quiet_turns"]
    return record
