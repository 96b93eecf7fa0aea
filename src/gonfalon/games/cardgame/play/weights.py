"""The numbers of the computer player are one flat array, float64: where each of them stands in it. `tables.py` reads
them from `data/play.toml`.
"""

from __future__ import annotations

from gonfalon.games.cardgame.ruleset import TYPES

FEATURES = 40
"""Numbers that `features.py` says of a side."""
COUNT, KNOWN = 0, 12
"""Features by type code: cards in the game, cards of the line that the other side knows. Of the Flag see below."""
FLAG_LAID, FLAG_KNOWN = COUNT + 12, KNOWN + 12
(
    LONE,  # just one card of the line can attack
    NO_ATTACKER,  # none can
    TOP,  # no enemy card in the game has so high a rank as its highest
    SPY_ALIVE,  # the Spy and the enemy Marshal are in the game
    CLOSED,  # the enemy's Bombs, if no Miner is left
    RESERVE,  # at most one card is behind the line
    LINE_CARDS,
    HANGS,  # the most that the enemy could take of the known cards in its next turn
    HANGS_LATER,  # the same if it is the side's own turn
    ON_MOVE,
    GAP,
    FRESH,  # cards of the line that can attack and are not known
    SPY_READY,  # as SPY_ALIVE, and the Spy is in the line
) = range(25, 38)

VALUE = 0
"""Two weights of each feature: at the first card lost, and how they change until the last."""
WORTH = VALUE + 2 * FEATURES
"""By type: what a card counts for who decides at once, at the first card lost and how that changes until the last."""
SHOWN = WORTH + 2 * len(TYPES)
"""By type: what it costs that a card is known, likewise."""
LAY = SHOWN + 2 * len(TYPES)
"""By type: how gladly it is laid on a gap."""
FIRST = LAY + len(TYPES)
"""Likewise in a line that is laid anew."""
LAID = FIRST + len(TYPES)
"""By type: how much likelier a hidden card of a line is of it than one of the pile."""
(
    BEATS,  # laying: for what the card would win of the enemy cards that are known
    CROWD,  # laying: against a Bomb beside others
    TRICK,  # for the Flag trick
    LOOK,  # for what a Scout sees
    HAND,  # for the look of a Spy
    NOISE,  # how much chance there is in what is done,
    DANGER,  # how much of its worth a known card may lose if the enemy can beat it
    GUARD,  # for taking a card that threatens one that is known
    FEARS,  # laying: against a card that it would cost much to show
    LAY_NOISE,  # and in what is laid
) = range(LAID + len(TYPES), LAID + len(TYPES) + 10)
WEIGHTS = LAY_NOISE + 1
