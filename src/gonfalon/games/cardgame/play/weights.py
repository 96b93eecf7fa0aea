"""Places of the computer player's numbers in one flat array, float64. `tables.py` reads them from `data/play.toml`."""

from __future__ import annotations

from gonfalon.games.cardgame.ruleset import TYPES

FEATURES = 40
"""Number of features of a side in `features.py`."""
COUNT, KNOWN = 0, 12
"""Features by type code: cards in the game, and cards of the line that the other side knows. The Flag has its own
names.
"""
FLAG_LAID, FLAG_KNOWN = COUNT + 12, KNOWN + 12
(
    LONE,  # just one card of the line can attack
    NO_ATTACKER,  # none can
    TOP,  # no enemy card in the game has a rank as high as the side's highest
    SPY_ALIVE,  # the Spy and the enemy Marshal are in the game
    CLOSED,  # number of the enemy's Bombs if the side has no Miner left
    RESERVE,  # at most one card is in hand and pile
    LINE_CARDS,
    HANGS,  # the most that the enemy could take of the known cards in its next turn
    HANGS_LATER,  # the same, if it is the side's own turn now
    ON_MOVE,
    GAP,
    FRESH,  # cards of the line that can attack and are not known
    SPY_READY,  # as SPY_ALIVE, with the Spy in the line
) = range(25, 38)

VALUE = 0
"""Two weights of each feature: at the first card lost, and its change until the last."""
WORTH = VALUE + 2 * FEATURES
"""By type: a card's worth for the quick policy, at the first card lost, and its change until the last."""
SHOWN = WORTH + 2 * len(TYPES)
"""By type: cost of showing a card, in the same two numbers."""
LAY = SHOWN + 2 * len(TYPES)
"""By type: preference for laying it on a gap."""
FIRST = LAY + len(TYPES)
"""By type: preference for laying it in a new line."""
LAID = FIRST + len(TYPES)
"""By type: how much likelier a hidden card of a line has it than a card of the pile."""
(
    BEATS,  # laying: weight of what the card could take of known enemy cards
    CROWD,  # laying: against a Bomb beside others
    TRICK,  # for the Flag trick
    LOOK,  # for the cards that a Scout sees
    HAND,  # for the look of a Spy
    NOISE,  # random part in the choice of an act
    DANGER,  # share of its worth that a known card risks if the enemy can beat it
    GUARD,  # for taking a card that threatens a known one
    FEARS,  # laying: against a card that is costly to show
    LAY_NOISE,  # random part in the choice of cards to lay
) = range(LAID + len(TYPES), LAID + len(TYPES) + 10)
WEIGHTS = LAY_NOISE + 1
