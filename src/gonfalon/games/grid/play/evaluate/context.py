"""Context of one world: values that the search computes once for all positions in it."""

import numpy as np

from gonfalon.games.grid import state as g
from gonfalon.games.grid.play.adjustments import ADJUSTMENTS
from gonfalon.games.grid.play.evaluate.distances import WAYS

CODES = 128
"""Number of entries of `table` for each square: the piece code modulo 64, plus 64 if the type of the piece is known."""
KNOWN = 64
MASK = 63

CONTEXT = np.dtype(
    [
        ("player", np.int64),  # the side that searches
        ("table", np.float32, (g.SQUARES * CODES,)),  # points for the player, by square and code
        ("worth", np.float64, (2 * 16,)),  # worth by side and type
        ("off", np.int64, (len(ADJUSTMENTS),)),  # by adjustment: 1 if it is switched off
        ("learned", np.float64, (g.TYPES,)),  # points added to the worth of each type, as `learned.py` says
        ("counts", np.int64, (2 * 16,)),  # pieces on the board by side and type
        ("top", np.float64, (2 * 16,)),  # by side and type: the part of `worth` for being beaten by few
        ("pull", np.float64, (16 * g.SQUARES,)),  # by type and square: attraction of the square for a piece
        ("steps", np.int64, (g.SQUARES + 1,)),  # distance from one square
        ("dug", np.int64, (g.SQUARES + 1,)),  # the distance for a Miner
        (
            "danger",
            np.float64,
            (16 * g.SQUARES,),
        ),  # by type and square: threat of an enemy on the square to the own Flag
        ("away", np.int64, (16 * g.SQUARES,)),  # by type and square: an enemy's steps to the own Flag
        ("reach", np.int64, (16 * g.SQUARES,)),  # the player's own steps to the enemy's Flag in this world
        ("rush", np.int64, (2 * WAYS * g.SQUARES,)),  # by side, way and square: steps to the other side's Flag
        ("walk", np.int16, (g.SQUARES * g.SQUARES,)),  # from each square to each other one
        ("slack", np.int16, (2 * WAYS * g.SQUARES * g.SQUARES,)),  # by side, way and two squares: see `fill_slack`
        ("runners", np.int64, (2 * g.SQUARES,)),  # by side: squares of its pieces near the other side's Flag
        ("runner_count", np.int64, (2,)),
        (
            "stoppers",
            np.int64,
            (2 * g.SQUARES,),
        ),  # by side: squares of its pieces that may stop the other side's runners
        ("stopper_count", np.int64, (2,)),
        ("stake", np.float64, (2,)),  # by side: points of its Flag, if an enemy piece reaches it unhindered
        ("home", np.int64),  # square of the own Flag
        ("doubt", np.float64),  # number of pieces as likely to be the own Flag, by the enemy's knowledge
        ("aim", np.float64),  # probability that the enemy goes for the own Flag
        ("flag_share", np.float64, (g.SQUARES + 1,)),  # probability that the enemy's Flag stands on each square
        (
            "held",
            np.float32,
            (g.PIECES * g.TYPES,),
        ),  # by piece number and type: likelihood of each type for a hidden enemy
        ("dares", np.float64, (g.BOMB,)),  # by type: points that an enemy expects from attacking an unmoved piece
        ("daring", np.int64),  # 1 if the enemy attacks unmoved pieces whatever it can expect, else 0
        ("local", np.int64),  # 1 if the search considers only actions about the Flags, else 0
        ("queue", np.int64, (g.SQUARES + 1,)),
        ("history", np.int32, (2 * g.ACTIONS,)),  # by side: number of beta cutoffs of each action (history heuristic)
        ("still", np.float64),  # points that the player has for unmoved pieces when the search begins
        ("scale", np.float64),  # points that make a match nearly decided
        ("bluff", np.float64),  # weight of what the other side does not know: 0 or 1
        ("world", np.int64),  # its number
        ("nodes", np.int64),  # number of positions that may still be searched
        ("guard_turns", np.int64),  # enemy turns that the Flag guard looks ahead
        ("guard_nodes", np.int64),  # most positions of the Flag guard for one action
        ("guard_most", np.int64),  # and for all actions
    ],
    align=True,
)
