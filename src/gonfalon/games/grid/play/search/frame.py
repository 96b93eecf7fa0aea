"""Records of the search, one for each ply."""

import numpy as np

from gonfalon.games.grid import state as g

DEPTH, EXCHANGES = 24, 6
"""Maximum number of plies of the search, and of attacks on known pieces after them."""
FRAMES = DEPTH + EXCHANGES + 2
"""Number of frames of a search."""

FRAME = np.dtype(
    [
        ("ids", np.int32, (g.MOST_LEGAL,)),
        ("keys", np.float64, (g.MOST_LEGAL,)),  # order of search, the highest key first
        ("count", np.int64),
        ("next", np.int64),
        ("mover", np.int64),
        ("mine", np.int64),  # whether the player decides here
        ("depth", np.int64),  # turns still to search; at 0 or less only attacks
        ("alpha", np.float64),
        ("beta", np.float64),
        ("best", np.float64),
        ("lift", np.float64),  # points added to every value found from here
        ("low", np.float64),  # alpha and beta when it was opened
        ("high", np.float64),
        ("key", np.int64),  # key of the position, 0 if it is not stored
        ("hint", np.int64),  # best action now or from the transposition table
    ],
    align=True,
)
