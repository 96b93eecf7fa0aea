"""The table that the search makes once of a world and works with."""

import numpy as np

from gonfalon.games.grid import state as g
from gonfalon.games.grid.play.adjustments import ADJUSTMENTS
from gonfalon.games.grid.play.evaluate.distances import WAYS

CODES = 128
"""Kinds of entries a square: piece code modulo 64, and 64 more if its type is known."""
KNOWN = 64
MASK = 63

DESK = np.dtype(
    [
        ("table", np.float32, (g.SQUARES * CODES,)),  # points for the player, by square and code
        ("worth", np.float64, (2 * 16,)),  # worth by side and type
        ("off", np.int64, (len(ADJUSTMENTS),)),  # by adjustment: 1 if it is switched off
        ("learned", np.float64, (g.TYPES,)),  # points by which a type is worth more, as `learned.py` says
        ("counts", np.int64, (2 * 16,)),  # pieces on the board by side and type
        ("pull", np.float64, (16 * g.SQUARES,)),  # by type and square: what draws a piece there
        ("steps", np.int64, (g.SQUARES + 1,)),  # distance from one square
        ("dug", np.int64, (g.SQUARES + 1,)),  # the same for a Miner
        ("danger", np.float64, (16 * g.SQUARES,)),  # by type and square: what an enemy there threatens the own Flag
        ("away", np.int64, (16 * g.SQUARES,)),  # by type and square: an enemy's steps to the own Flag
        ("reach", np.int64, (16 * g.SQUARES,)),  # the player's own steps to the enemy's Flag in this world
        ("rush", np.int64, (2 * WAYS * g.SQUARES,)),  # by side, way and square: steps to the other side's Flag
        ("walk", np.int16, (g.SQUARES * g.SQUARES,)),  # from each square to each other one
        ("slack", np.int16, (2 * WAYS * g.SQUARES * g.SQUARES,)),  # by side, way and two squares: see `fill_slack`
        ("runners", np.int64, (2 * g.SQUARES,)),  # by side: squares of its pieces near the other side's Flag
        ("runner_count", np.int64, (2,)),
        ("stoppers", np.int64, (2 * g.SQUARES,)),  # by side: squares of its pieces that may stop such pieces
        ("stopper_count", np.int64, (2,)),
        ("stake", np.float64, (2,)),  # by side: points that a Flag is worth that a piece comes to unhindered
        ("home", np.int64),  # where the own Flag stands
        ("doubt", np.float64),  # how many pieces are as likely to be the own Flag, for all that the enemy knows
        ("aim", np.float64),  # how likely the enemy is to go for it
        ("flag_share", np.float64, (g.SQUARES + 1,)),  # how likely the enemy's Flag is to stand on each square
        ("held", np.float32, (g.PIECES * g.TYPES,)),  # by number and type: how likely a hidden enemy is what
        ("dares", np.float64, (g.BOMB,)),  # by type: points an enemy expects of striking at what never moved
        ("daring", np.int64),  # whether the enemy strikes at pieces that never moved, whatever it may expect: 0 or 1
        ("local", np.int64),  # whether only what concerns the Flags is looked at: 0 or 1
        ("queue", np.int64, (g.SQUARES + 1,)),
        ("history", np.int32, (2 * g.ACTIONS,)),  # how often an action was too good, by side
        ("haste", np.float64),  # how little the player waits: 0, up to 1 where the enemy only waits
        ("caution", np.float64),  # how much it counts what the player's attacks on unknown pieces may lose
        ("still", np.float64),  # points that the player has for pieces that never moved, when the search begins
        ("scale", np.float64),  # points that make a match nearly decided
        ("bluff", np.float64),  # how much it counts what is not known to the other side: 0 or 1
        ("world", np.int64),  # its number
        ("nodes", np.int64),  # positions that may still be looked at
    ],
    align=True,
)
