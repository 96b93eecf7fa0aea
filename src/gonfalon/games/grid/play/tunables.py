"""Tuned numbers of the search in one table, by package. bench/experiments has the matches behind them.

Numbers that follow from the rules or from the size of memory stand beside their code. The rough estimate of `greedy`
(`estimate.py`) has numbers of its own.
"""

import numpy as np

# ---- belief/: likelihoods are factors; only their ratios count

RESTLESS, LEAST_REST = 500.0, 0.2
"""A hidden piece on its first square is less likely to be movable as turns pass: by exp(-turns / RESTLESS), down to
LEAST_REST.
"""
WANDERS = np.array([1, 0.5, 1, 0.7, 0.8, 1, 1.4, 1.4, 1.4, 1.4, 1.4, 1, 1])
"""Likelihood of each type, by type code, for a hidden piece that has moved. Programs move high ranks and leave the Spy
at home. In Barrage, 36 % of such pieces of three programs were the General or the Marshal; 22 % were expected. The
factors are smaller than this ratio, since other computer players are closer to the expected share.
"""
WANDERS_IN_FULL_ARMY = np.array([1, 1.2, 0.65, 0.85, 0.85, 1.15, 1.1, 1.2, 1.35, 1.3, 1.7, 1, 1])
"""The likelihoods of WANDERS for full armies. There the Spy moves too: 6 to 9 % of the hidden moved pieces of four
computer players were the Spy; 2 to 4 % were expected. A fifth player leaves its Spy at home. Most moved Scouts are
known by their long moves.
"""
FRESH_TURNS = 8
"""Number of turns for which even a forgetful player remembers a piece that has fought."""
CAME = (1.0, 0.45, 0.3)
"""Likelihood of a move to a square beside a known piece, if the moved piece beats it, equals it, or falls to it."""
LEFT = (0.45, 0.8, 1.0)
"""Likelihood of a move away from a known piece, if the moved piece beats it, equals it, or falls to it."""
TO_BOMB, FROM_BOMB = (1.0, 0.6), (0.35, 1.0)
"""Likelihood of a move to a square beside a known Bomb, and of a move away from it: each for Miners, then for other
types.
"""
VENTURES = np.array([1, 0.35, 0.8, 0.75, 0.8, 0.8, 1, 1.2, 1.4, 1.5, 1.8, 1, 1])
"""Likelihood of each type, by type code, for a hidden piece that comes beside hidden pieces and no known one. In
matches of six programs, `greedy` and the levels, these were the Marshal or the General far more often than expected,
and the Spy hardly ever.
"""
VENTURES_IN_FULL_ARMY = np.array([1, 0.4, 0.7, 0.7, 0.8, 0.7, 1.1, 1.8, 2, 2, 2, 1, 1])
"""The likelihoods of VENTURES for full armies."""
MOST_VENTURES, MOST_VENTURES_IN_FULL_ARMY = 1, 2
"""Maximum number of times that VENTURES counts for one piece, in small and in full armies."""
STOOD = (0.55, 0.8, 0.6)
"""Likelihood that a movable piece does nothing after a known piece has come beside it. A Bomb or a Flag always does
nothing.
"""
LEAST_SHARE, LEAST_FLAG = 20.0, 2.0
"""Added to each share in the table of habits, in thousandths; the second number is for the Flag. Some players deploy
otherwise than most.
"""
LEAST_COMPANY = 0.02
"""Minimum factor for two types side by side."""
HABIT = 0.4
"""Probability that a deployment has no style and follows the habits of all people."""
TRUST, LEAST_STYLE = 0.8, 0.003
"""Weight of a style's own shares against the mean of all styles, and the amount added to each share."""
PROOF = 0.4
"""Exponent of the likelihood that the known pieces give a style. It is below 1, since computer players deploy otherwise
than people.
"""
STYLES = 64
"""Number of styles to draw from: the likeliest ones."""

# ---- evaluate/: in points; a Captain is worth about 30, a Marshal about 200

LEAST, TOP, FALL, BEATS = 5.0, 260.0, 1.0, 1.2
"""Worth of a piece: LEAST, plus BEATS for each enemy that it beats, plus TOP / (1 + n) ** FALL if n enemies beat it.
Fitted to the results of matches between computer players.
"""
UNBEATEN = 0.5
"""Share of what a piece gains by TOP that counts within a line, when no enemy is left that beats or equals it."""
BOMB_WORTH, SPY_WORTH, IDLE_SPY = 45.0, 80.0, 10.0
"""Worth of a Bomb, of a Spy while the enemy has a Marshal, and of a Spy afterwards."""
MINER_LEAST, MINERS = 18.0, 60.0
"""Minimum worth of a Miner while the enemy has Bombs: MINER_LEAST + MINERS / (number of Miners)."""
SCALE = 11.0
"""Points that decide a match: SCALE times the root of the worth of all pieces on the board."""
SECRET, HIGH_SECRET = 0.1, 0.2
"""Shares of its worth that a piece gains while the enemy does not know it: for most types, and for the two highest."""
PULL, SHY = 0.6, 0.3
"""Share of a target's worth that attracts a piece, and the part of that share that attracts a high rank to an unknown
piece.
"""
FLAG_PULL, BOMB_PULL, HIGH_PULL = 90.0, 30.0, 0.25
"""Attraction of a possible Flag, and of a Bomb to Miners; factor of the first for high ranks while the Flag is not
known.
"""
KNOWN_FLAG_PULL = 250.0
"""Attraction of a Flag whose place is known."""
DANGER, FOUND, NEAR_FLAG = 100.0, 2.0, 10
"""Threat of an enemy near the own Flag: DANGER * (1 + FOUND / n) at one step, where n is the number of pieces that may
be the Flag by the enemy's knowledge; 0 beyond NEAR_FLAG steps.
"""
GUESSES = 0.9
"""Share of worlds with the enemy's Flag on one square from which an attack there is no longer a guess."""
APPLE_WORTH, SHOWN_FLAG = 80.0, 120.0
"""Worth of an unused Apple, and cost of an own Flag that the enemy knows."""
STILL, SPY_STILL = 20.0, 60.0
"""Cost of moving or showing an own unmoved piece, which the enemy must take for a possible Bomb; the second number is
for the Spy. A wandering Spy falls to hunters; a Spy that stays takes the Marshal that comes. The enemy has no such
cost, or attacks on unmoved pieces would gain it. Small armies need every piece and have no such cost.
"""
DULL, QUIET, LONG_QUIET = 0.5, 100.0, 200.0
"""Points count less after QUIET turns without an attack, and are reduced by the share DULL after LONG_QUIET more: such
a lead may never win. If points shrank from the first quiet turn, the search would give away Scouts for attacks.
"""
RACE, LEAD, LATE = 1.0, 1.0, 3.0
"""Share of a decided match that counts for a race to a Flag. If the nearest stopper is `d` turns late, the share is
RACE * (d + LEAD) / LATE, between 0 and RACE.
"""
RUSH, RUSH_FALL = 14.0, 8.0
"""Pieces that are RUSH or more steps from a Flag do not count; RUSH_FALL steps nearer they count in full."""
WALK = 0.7
"""Weight of pieces other than Miners: they cannot dig and seldom know where the Flag stands."""

# ---- search/

KEPT = (1000, 1000, 1000, 14, 8, 6, 4, 3)
"""Maximum number of actions examined, by depth. The search keeps all until it has seen the enemy's answers; before that
a saving move looks no better than others.
"""
KEPT_WITHIN = 0.25
"""Drop actions whose expected result is lower than the best one by more than this."""
SPARE = 0.95
"""Share of the time to use; a search that has begun must still end."""
NODES_A_SECOND = 300_000.0
"""Speed on a slow machine. It bounds the positions of a search by the time that is left."""
POOL = 200
"""Number of worlds that give the probabilities of an attack's results."""
MARGIN = 0.7
"""Margin below the best turn in a world, as a share of a decided match, within which the search finds exact points."""
LEAST_WORLDS, WORLDS_A_SECOND = 8, 150.0
"""Minimum number of worlds, and number of worlds for each second of time: one more turn of depth helps more than a few
more worlds.
"""
PREPARED = 0.3
"""Share of the time after which the search prepares no more worlds, unless it has fewer than LEAST_WORLDS."""
UNKNOWN_GAIN = 0.5
"""Factor for the gain of an attack on an unknown piece when actions are ordered."""
MEMORABLE = 2
"""Minimum remaining depth, in turns, at which positions are stored. Nearer to the end of a line, a position is quicker
to search again.
"""
GUARD_WORLDS, GUARD_WORLDS_OF_A_KIND = 32, 3
"""Flag guard: maximum number of worlds, and of worlds in which the same piece is nearest to the Flag."""
GUARD_SHARE = 0.3
"""Flag guard: maximum share of the time."""
GUARD_TURNS = (2, 4, 6, 8)
"""Flag guard: numbers of enemy turns to look ahead, one after the other, so that near threats come first in all
worlds.
"""
SCOUT_RUN = 4
"""Flag guard: assumed distance of a Scout, which can come from anywhere."""
UNSURE = 0.3
"""Weight of each other piece that may be the own Flag, as a reason for the enemy not to go for it."""
GUARD_NODES_A_SECOND, GUARD_NODES = 1_500_000.0, 4000
"""Flag guard: speed, which bounds the positions by the time that is left, and maximum number of positions for one
action.
"""
GUARD_NEAR = 3
"""Flag guard: maximum distance of helpful pieces from the Flag, or from a piece that threatens it."""

# ---- adjust/

CAUTION = 1.6
"""Weight of possible losses against possible gains in an attack on an unknown piece (optimizer's curse: the search
picks the attacks that look too good).
"""
STRIKES = 3
"""Number of attacks on pieces that never moved after which an enemy counts as daring. Fewer may have other reasons."""
AMBUSH = 3.0
"""Weight of the risk that the Marshal falls to an unknown Spy."""
FORCED = 0.9
"""Weight of a forced loss of the own Flag. It is below 1, since the enemy may miss it: better moves stay better."""
BACK, BACK_QUIET = 0.004, 0.0004
"""Cost of going straight back, as a share of a decided match, and its growth by quiet turn, so that matches end."""
SOON = 24
"""Number of turns of both sides in which a return of a piece to a square has a cost (`ROUND`)."""
ROUND, MOST_ROUND = 15.0, 45.0
"""Cost in points of a move to a square that the piece has left before, for each time, and the maximum cost. Both are
for a full army; the cost soon exceeds STILL. It falls with the number of pieces left, since few pieces must sometimes
go to and fro to guard something. In a small army it is 0.
"""
LUCK = 1.0
"""Number of standard errors that are subtracted from the value of an Apple on an unknown piece. With two, the player
keeps the Apple too long.
"""
PRICE = 0.1
"""Maximum price of an Apple, as a share of a decided match. The Apple shows the own Flag for the rest of the match, and
is used up.
"""
