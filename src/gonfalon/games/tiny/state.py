"""Tiny's records and numbers. A place is `side * 3 + column`; each side has one piece of each rank 1, 2, 3."""

from typing import Any

import numpy as np

SIDES: tuple[str, ...] = ("red", "blue")
COLUMNS, PLACES = 3, 6
DEALS = ((1, 2, 3), (1, 3, 2), (2, 1, 3), (2, 3, 1), (3, 1, 2), (3, 2, 1))
"""Possible deals: the ranks from the left."""
SPY, MARSHAL, HIDDEN = 1, 3, 4
"""Two ranks with a special rule, and the number shown for a rank that the viewer does not know."""
NONE = 255
DEAL, TURN, OVER = range(3)
OVER_REASONS: tuple[str, ...] = ("", "capture", "resigned", "agreed")
RUNNING, BY_CAPTURE, BY_RESIGNING, BY_AGREEMENT = range(4)
LOG_DEALT, LOG_BATTLE, LOG_RESIGNED, LOG_AGREED, LOG_OVER = range(5)
ACT_DEAL, ACT_ATTACK, ACTIONS = 0, 6, 15
"""Action ids: a deal; an attack, by the columns of both pieces."""
MOST_LEGAL = 9

PUBLIC_FIELDS: list[Any] = [
    (
        "board",
        np.uint8,
        (PLACES,),
    ),  # rank by place, 0 for no piece; in a view HIDDEN if the viewer cannot know it
    ("seen", np.uint8, (PLACES,)),  # 1: a battle has shown the piece to all
    ("phase", np.uint8),
    ("mover", np.uint8),  # the side on turn, or the side that is dealt pieces
    ("turn", np.uint8),  # number of completed turns
    ("over", np.uint8),
    ("winner", np.uint8),  # side, or NONE
]
STATE = np.dtype([*PUBLIC_FIELDS, ("log", np.uint8, (2, 6)), ("n_log", np.uint8)])
VIEW = np.dtype([*PUBLIC_FIELDS, ("observer", np.int8), ("legal", np.uint8, (MOST_LEGAL,)), ("n_legal", np.uint8)])
LEGAL_IDS = ("ids", np.int32, (MOST_LEGAL,))  # the list of legal actions
LISTS = np.dtype([LEGAL_IDS])
RULES = np.dtype([LEGAL_IDS])
