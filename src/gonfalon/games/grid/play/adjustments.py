"""The adjustments of the board games' search: corrections of its values by facts that worlds with open pieces hide.

Each has a name, one sentence, a figure (bench/experiments) and a switch: `level-8:without=NAME` plays without it.
Compiled code reads the switches in the field `off` of its context: Numba would freeze a global, and its cache would not
notice.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gonfalon.engine.search import Adjustment, Mind

ATTACKS_AHEAD, FOLLOW_UP, DARES, RACE, STILL, UNBEATEN = range(6)
"""Places in `off`, for compiled code; Python reads the others from the `Mind`."""

ADJUSTMENTS = (
    Adjustment(
        "attacks-ahead",
        "Attacks on unknown pieces ahead in a line are worth their expectation; without it they are left out.",
        "Barrage, itself, 50 ms: 99 of 160",
    ),
    Adjustment(
        "follow-up",
        "After such an attack captures still count, so that no threat is forgotten over it.",
        "Barrage, itself, 50 ms: 96 of 177",
    ),
    Adjustment(
        "dares",
        "In full armies the enemy strikes at pieces that never moved only if that pays on average.",
        "Original, itself, 40 ms: 17 of 27",
    ),
    Adjustment(
        "race",
        "Pieces that come to a Flag before any stopper count at every estimate.",
        "Barrage, four programs: 96 % of 160, without 143.5 of 160",
    ),
    Adjustment(
        "still",
        "In full armies moving a piece that never moved costs points: the enemy may take it for a Bomb.",
        "Original, Java program: 11 of 18, without 12 of 38",
    ),
    Adjustment(
        "unbeaten",
        "In full armies, pieces gain worth within a line when the last enemies that beat or equal them are gone.",
        "Position keeps-its-general, 300 ms: 40 of 40, without 4 of 40",
    ),
    Adjustment(
        "sampled-results",
        "An attack on an unknown piece counts each result as often as it comes in 200 worlds (optimizer's curse).",
        "Original, greedy: 80 % of 20, without 50 %",
    ),
    Adjustment(
        "flag-guard",
        "A second search examines the moves around the own Flag for every action.",
        "Original, greedy, 50 ms: 81 % of 40, without 77 %",
    ),
    Adjustment(
        "ambush",
        "The own Marshal keeps away from squares beside a possible unknown Spy.",
        "with follow-up and others, Original, itself, 50 ms: 55 of 91",
    ),
    Adjustment(
        "apple-price",
        "An Apple at an unknown piece has a price, since it shows the own Flag.",
        "Special, itself: 37 of 62",
    ),
    Adjustment(
        "apple-luck",
        "A standard error is taken from each Apple at an unknown piece, since the best of many looks too good.",
        "Special, greedy, 50 ms: 63.5 of 68, without 52.5 of 57",
    ),
    Adjustment(
        "repetition",
        "Going back or round with a piece costs points while the end is open.",
        "Classic, itself, 50 ms: 44 of 80",
    ),
)


def find_switches(mind: Mind) -> NDArray[np.int64]:
    """Return the switches of a mind, 1 for off, shape (adjustments,)."""
    return np.array([not mind.uses(adjustment.name) for adjustment in ADJUSTMENTS], np.int64)
