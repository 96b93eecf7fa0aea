"""Records and action ids of the Card Game, for the rules: shape and meaning of every field.

Sides are 0 (red) and 1 (blue). A side's line has five places, 0 to 4, both lines counted from red's left: place k faces
place k.
"""

from __future__ import annotations

import numpy as np

from gonfalon.engine.bounds import Field, columns
from gonfalon.games.cardgame.ruleset import MOST_CARDS

SIDES: tuple[str, ...] = ("red", "blue")
NONE = 255
"""No side, no place, no group."""

LINE = 5
HAND = 3
"""Number of cards of a full hand (CG-4)."""
DEALT = 8
"""Number of cards dealt before a line is laid (CG-2, CG-10)."""

SPY, SCOUT, MINER, MARSHAL, BOMB, FLAG = 1, 2, 3, 10, 11, 12
TYPES = 13
HIDDEN = 14
"""Type shown to a viewer who does not know the type."""

# Phases: the kind of the next action.
DRAW, LAY, ACT, OVER = range(4)

# Terminations. OVER_REASONS has their codes.
RUNNING, BY_FLAG, BY_NO_ATTACKERS, BY_QUIET, BY_RESIGNING, BY_AGREEMENT = range(6)
OVER_REASONS: tuple[str, ...] = ("", "flag", "no-attackers", "quiet", "resigned", "agreed")

# Places, the only index of cards that are not in a pile: 0-4 red's line, 5-12 red's hand, 13-17 blue's line, 18-25
# blue's hand. A hand has more than three cards only while a whole line is laid.
SIDE_PLACES = LINE + DEALT
PLACES = 2 * SIDE_PLACES

# Observers of knowledge (engine/compiled/knowledge.py): the two players, and the public.
THE_PUBLIC = 2
OBSERVERS = 3

# Knowledge of a card in a view: values of `View.marks`.
UNKNOWN, AMONG, SEEN = range(3)

# Kinds of the last act, `last[0]`.
NO_ACT, ATTACKED, LOOKED_HAND, LOOKED_LINE, TRICKED = range(5)

# Log of the last step, for events. Columns: code, side, four arguments.
LOG, LOG_COLUMNS = 16, 6
(
    LOG_DREW,
    LOG_PLACED,
    LOG_READY,
    LOG_START,
    LOG_LAID,
    LOG_ATTACKED,
    LOG_BATTLE,
    LOG_REVEALED,
    LOG_LOOKED_HAND,
    LOG_SAW_HAND,
    LOG_SAW_EMPTY,
    LOG_LOOKED_LINE,
    LOG_SAW,
    LOG_TRICK,
    LOG_RESIGNED,
    LOG_AGREED,
    LOG_OVER,
) = range(17)
WON, LOST, BOTH = range(3)
"""Results of a battle, from the view of the attacker."""

u1, u2, i1, i8 = np.uint8, np.uint16, np.int8, np.int64
# Numbers of the rules are signed and wide: a loop up to an unsigned bound would have an unsigned counter, and these mix
# badly with signed numbers.

PUBLIC_FIELDS = [
    Field("phase", u1, (), OVER),
    Field("started", u1, (), 1),  # both lines have been laid
    Field("anew", u1, (), 1),  # the mover's Flag trick is being carried out (CG-10)
    Field("mover", u1, (), 1),  # the side on turn; before play, the side that gets cards
    Field("turn", u2, (), 0xFFFF),  # number of completed turns of both sides
    Field("quiet", u2, (), 0xFFFF),  # number of consecutive turns without a card leaving the game (CG-14)
    Field("number", u2, (2, LINE), 0xFFFF),  # number of the token by side and place, 0 for a gap
    Field("next_number", u2, (2,), 0xFFFF),
    Field("n_hand", u1, (2,), DEALT),  # number of cards in the hand; an open choice does not change it
    Field("n_pile", u1, (2,), MOST_CARDS),
    Field("lost", u1, (2, TYPES), MOST_CARDS),  # number of cards that left the game, by side and type
    # The last attack or look: kind, own place, first and second enemy place.
    Field("last", u1, (4,), PLACES - 1, NONE),
    Field("over", u1, (), BY_AGREEMENT),  # termination; RUNNING while the match goes on
    Field("winner", u1, (), 1, NONE),  # the winner, or NONE
]

STATE_FIELDS = [
    *PUBLIC_FIELDS,
    # Type by place, 0 for a gap. A hand has no order, and no gaps between its cards.
    Field("kind", u1, (PLACES,), FLAG),
    Field("pile", u1, (2, TYPES), MOST_CARDS),  # number of cards by type; their order is not stored (CG-3)
    Field("laid", u1, (2, LINE), FLAG),  # types laid in an open choice, by place of the line
    Field("placed", u1, (2,), LINE),  # gaps decided in an open choice; before play LINE if the line is final
    Field("group", u1, (OBSERVERS, PLACES), PLACES - 1),
    Field("known", u1, (OBSERVERS, PLACES), 1),
    Field("ruled_out", u2, (OBSERVERS, PLACES), 0xFFFF),
    Field("log", u1, (LOG, LOG_COLUMNS), 0xFF),
    Field("n_log", u1, (), LOG),
]

STATE = np.dtype(columns(STATE_FIELDS), align=True)

MOST_LEGAL = 128

VIEW = np.dtype(
    [
        *columns(PUBLIC_FIELDS),
        ("observer", i1),
        ("ready", u1, (2,)),  # whether each side's first line is final
        ("kind", u1, (PLACES,)),  # HIDDEN if the viewer does not know the type; a hand is sorted, highest code first
        ("pile", u1, (2, TYPES)),  # only for EVERYTHING
        ("laid", u1, (2, LINE)),  # the viewer's own only
        ("placed", u1, (2,)),  # the viewer's own only
        # The viewer's knowledge of each card. For the viewer's own cards: the other player's knowledge.
        ("marks", u1, (PLACES,)),  # UNKNOWN, AMONG or SEEN
        ("group", u1, (PLACES,)),  # the lowest place of the card's group if the mark is AMONG, else NONE
        ("among", u1, (PLACES, TYPES)),  # by group: number of cards of each type known to be in it
        ("ruled_out", u2, (PLACES,)),  # bit t: the card is not of type t
        ("public", u1, (PLACES,)),  # 1 if all know the type
        ("legal", u2, (MOST_LEGAL,)),
        ("n_legal", u2),
    ],
    align=True,
)

LEGAL_IDS = ("ids", np.int32, (MOST_LEGAL,))
"""List of legal actions, ascending. It is a field, because Numba does reference counting for any other array at every
call.
"""
LISTS = np.dtype([LEGAL_IDS])

RULES = np.dtype([LEGAL_IDS, ("deck", u1, (TYPES,)), ("max_quiet_turns", i8)], align=True)

# Actions.
ACT_LAY = 0  # + type; 0: the gap stays a gap
ACT_ATTACK = ACT_LAY + TYPES  # + own place * LINE + enemy place
ACT_LOOK_HAND = ACT_ATTACK + LINE * LINE  # + own place
ACT_LOOK_LINE = ACT_LOOK_HAND + LINE  # + own place * LOOKS + pair
ACT_TRICK = ACT_LOOK_LINE + LINE * 15
ACT_DRAW = ACT_TRICK + 1  # + type; chance
ACTIONS = ACT_DRAW + TYPES

PAIRS = ((0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4))
LOOKS = len(PAIRS) + LINE
"""Targets of a Scout's look: each pair of enemy places, and each single place."""
