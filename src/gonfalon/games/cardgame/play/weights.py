"""Indices of the computer player's numbers in one flat array, float64. `tables.py` reads them from `data/play.toml`."""

from __future__ import annotations

from gonfalon.games.cardgame.ruleset import TYPES

FEATURES = 40
"""Number of features of a side in `features.py`."""
COUNT, KNOWN = 0, 12
"""First features by type code: number of cards in the game, and of cards of the line that the enemy knows. The Flag's
features have names.
"""
FLAG_LAID, FLAG_KNOWN = COUNT + 12, KNOWN + 12
(
    LONE,  # 1 if only one card of the line can attack
    NO_ATTACKER,  # 1 if no card of the line can attack
    TOP,  # 1 if the side's highest rank in the game is above all enemy ranks
    SPY_ALIVE,  # 1 if the Spy and the enemy Marshal are in the game
    CLOSED,  # number of the enemy's Bombs if the side has no Miner left
    RESERVE,  # 1 if hand and pile together have at most one card
    LINE_CARDS,
    HANGS,  # cost of the worst loss of a known card in the enemy's next turn
    HANGS_LATER,  # equal to HANGS, but set if it is the side's own turn now
    ON_MOVE,
    GAP,
    FRESH,  # number of cards of the line that can attack and are not known
    SPY_READY,  # 1 if SPY_ALIVE and the Spy is in the line
) = range(25, 38)

VALUE = 0
"""Two weights of each feature: the weight at the beginning, and its change until all cards are lost."""
WORTH = VALUE + 2 * FEATURES
"""By type: the worth of a card for the quick policy, in two such numbers."""
SHOWN = WORTH + 2 * len(TYPES)
"""By type: the cost of showing a card, in two such numbers."""
LAY = SHOWN + 2 * len(TYPES)
"""By type: preference for laying a card of the type on a gap."""
FIRST = LAY + len(TYPES)
"""By type: preference for laying a card of the type in a new line."""
LAID = FIRST + len(TYPES)
"""By type: how much likelier a hidden card of a line has the type than a card of the pile."""
(
    BEATS,  # laying: weight of the known enemy cards that the card beats
    CROWD,  # laying: cost of a Bomb per other Bomb
    TRICK,  # value of the Flag trick
    LOOK,  # weight of the cards at which a Scout looks
    HAND,  # value of a Spy's look
    NOISE,  # random part in the choice of an act
    DANGER,  # share of its worth that a known card risks if the enemy can beat it
    GUARD,  # weight for taking a card that threatens a known one
    FEARS,  # laying: weight of the cost of showing the card
    LAY_NOISE,  # random part in the choice of cards to lay
) = range(LAID + len(TYPES), LAID + len(TYPES) + 10)
WEIGHTS = LAY_NOISE + 1
