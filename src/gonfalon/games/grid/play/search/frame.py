"""Records of the search for each decision ahead."""

import numpy as np

from gonfalon.games.grid import state as g

DEPTH, EXCHANGES = 24, 6
"""Decisions and, after them, attacks of known pieces that are looked ahead at most."""
LEVELS = DEPTH + EXCHANGES + 2
WIN = 10000.0
SURE = 5000.0
"""Points beyond this are those of a match that is decided."""
SOONER = 10.0
"""Bonus for a win one decision earlier."""

LEVEL = np.dtype(
    [
        ("ids", np.int32, (g.MOST_LEGAL,)),
        ("keys", np.float64, (g.MOST_LEGAL,)),  # what promises most is looked at first
        ("count", np.int64),
        ("next", np.int64),
        ("mover", np.int64),
        ("mine", np.int64),  # whether the player decides here
        ("depth", np.int64),  # turns still to look ahead; 0 and less: attacks only
        ("alpha", np.float64),
        ("beta", np.float64),
        ("best", np.float64),
        ("lift", np.float64),  # points to be added to what is found in it
        ("low", np.float64),  # alpha and beta when it was opened
        ("high", np.float64),
        ("key", np.int64),  # of the position, 0 where it is not remembered
        ("hint", np.int64),  # what is best or was best before
    ],
    align=True,
)
