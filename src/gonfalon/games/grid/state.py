"""The record of a state, the record of the rules, and the numbers used in both.

Squares are numbered row by row from red's left corner: `square = row * 10 + column`, a1 = 0, on every board. Squares
beyond the last column of a narrower board are not there: they are blocked, and nobody's neighbours.
A piece on a square is `type + (RED or BLUE)`; a piece also has a number that stays with it for life.
"""

from __future__ import annotations

import numpy as np

from gonfalon.engine.bounds import Field, columns

SIDES: tuple[str, ...] = ("red", "blue")
"""By player."""
COLUMNS = 10
SQUARES = 100
OFF = 100
"""Square index for "not on the board"; `board[OFF]` is `BLOCKED`, so off-board neighbours need no special case."""
NONE = 255
"""No piece number, no square."""

# Types: 1..10 are the ranks, so comparing types of movable pieces is comparing ranks.
SPY, SCOUT, MINER, CAPTAIN, MARSHAL, BOMB, FLAG = 1, 2, 3, 6, 10, 11, 12
TYPES = 13
HIDDEN = 14
"""Type shown to a viewer who does not know it."""
TYPE = 15
"""Mask: type of a piece code."""
EVERY_TYPE = (1 << TYPES) - 1
EMPTY, RED, BLUE, BLOCKED = 0, 16, 32, 64
ANY_SIDE = RED + BLUE

ARMY = 40
"""Maximum number of pieces and of own squares of a side."""

# Marks of a piece, all public.
MOVED, SEEN, SPENT = 1, 2, 4
"""Has moved; both players know its type; it has caused its rescue (GR-22)."""

# Phases: what the next action is about.
DEPLOY, TURN, HEAL, HEAL_PLACE, TARGET, RESCUE, RESCUE_PLACE, OVER = range(8)

# Kinds of a fight that has several steps.
NO_FIGHT, SWORD, APPLE = range(3)

# Terminations; OVER_REASONS gives their codes.
RUNNING, BY_FLAG, BY_NO_MOVES, BY_STALEMATE, BY_MAX_TURNS, BY_QUIET, BY_RESIGNING, BY_AGREEMENT = range(8)
OVER_REASONS: tuple[str, ...] = ("", "flag", "no-moves", "stalemate", "max-turns", "quiet", "resigned", "agreed")

# Turn ring: the last 256 turns. Index: turn number modulo RING.
RING = 256
ATTACKED, RETURNED, PASSED = 1, 2, 4
"""Bits of `ring_kind`: the turn was an attack; a piece came back in it; the side was passed over."""

PIECES = 96
"""Piece numbers: red 0-39, blue 40-79, returned pieces from 80 (at most five a side: two rescues, three Shrouds)."""
FIRST_OF_RED, FIRST_OF_BLUE, FIRST_RETURNED = 0, 40, 80

# Log of the last step, for events. Columns: code, side, five arguments.
LOG, LOG_COLUMNS = 40, 7
(
    LOG_READY,
    LOG_START,
    LOG_PLACED,
    LOG_CHOSEN,
    LOG_MOVED,
    LOG_RAN,
    LOG_ATTACKED,
    LOG_BATTLE,
    LOG_REVEALED,
    LOG_SWORD,
    LOG_APPLE,
    LOG_HEALED,
    LOG_RESCUED,
    LOG_DECLINED,
    LOG_RESIGNED,
    LOG_AGREED,
    LOG_OVER,
    LOG_PASSED,
) = range(18)

u1, u2, i1, i8 = np.uint8, np.uint16, np.int8, np.int64
# Numbers of the rules are signed and wide: loops over an unsigned bound would make unsigned counters, which mix badly.

PUBLIC_FIELDS = [
    # Piece code by square; in a view HIDDEN where the viewer does not know the type.
    Field("board", u1, (SQUARES + 1,), BLOCKED),
    Field("number", u1, (SQUARES + 1,), PIECES - 1, NONE),  # piece number by square, NONE where empty
    Field("where", u1, (PIECES,), OFF),  # square by piece number, OFF for a piece that is not on the board
    Field("marks", u1, (SQUARES + 1,), MOVED + SEEN + SPENT),
    Field("ruled_out", u2, (SQUARES + 1,), EVERY_TYPE),  # bit t: all know that the piece is not of type t
    Field("lost", u1, (2, TYPES), ARMY),  # pieces off the board by side and type; public (GR-17)
    Field("phase", u1, (), OVER),
    Field("mover", u1, (), 1),  # whose turn it is
    Field("actor", u1, (), 1),  # who decides next; differs from `mover` only in HEAL phases
    Field("turn", u2, (), 0xFFFF),  # turns completed, of both sides
    Field("quiet", u2, (), 0xFFFF),  # turns in a row without an attack
    Field("chase", u2, (2,), 0xFFFF),  # chase lengths (GR-10)
    Field("ring_from", u1, (RING,), SQUARES - 1, NONE),
    Field("ring_to", u1, (RING,), SQUARES - 1, NONE),
    Field("ring_piece", u1, (RING,), PIECES - 1, NONE),
    Field("ring_kind", u1, (RING,), ATTACKED + RETURNED + PASSED),
    Field("apple_used", u1, (2,), 1),
    Field("rescues", u1, (2,), 2),  # rescues used, by side
    Field("next_number", u1, (), PIECES),  # number of the next piece that returns
    Field("heal", u1, (2,), 1),  # a Spy of this side has left and its Shroud has not been used yet
    Field("fight", u1, (), APPLE),  # NO_FIGHT, SWORD or APPLE
    Field("fighter", u1, (), PIECES - 1, NONE),  # number of the Captain, or of the controlled piece
    Field("targets", u1, (4,), PIECES - 1, NONE),  # numbers of the pieces still to be fought, NONE where done
    # Square where this turn's move ended if it may cause a rescue, else NONE.
    Field("arrived", u1, (), SQUARES - 1, NONE),
    Field("over", u1, (), BY_AGREEMENT),  # termination, RUNNING while the match goes on
    Field("winner", u1, (), 1, NONE),  # side, or NONE
]

STATE_FIELDS = [
    *PUBLIC_FIELDS,
    Field("left", u1, (2, TYPES), ARMY),  # still to place by side and type; type 0: squares that stay empty
    Field("placed", u1, (2,), ARMY),  # squares dealt with, in the order of `Rules.own`
    Field("chosen", u1, (), MARSHAL),  # type picked for HEAL_PLACE or RESCUE_PLACE, else 0
    Field("log", u1, (LOG, LOG_COLUMNS), 0xFF),
    Field("n_log", u1, (), LOG),
]

STATE = np.dtype(columns(STATE_FIELDS), align=True)

MOST_LEGAL = 512
MOVABLE = MOST_LEGAL - 64
"""From here on the buffer of a legal list also holds the squares of movable pieces, while the list is made."""

VIEW = np.dtype(
    [
        *columns(PUBLIC_FIELDS),
        ("observer", i1),
        ("ready", u1, (2,)),  # whether each side's deployment is final
        ("left", u1, (2, TYPES)),  # the viewer's own only
        ("placed", u1, (2,)),  # the viewer's own only
        ("chosen", u1),  # the viewer's own only
        ("legal", u2, (MOST_LEGAL,)),
        ("n_legal", u2),
    ],
    align=True,
)

LEGAL_IDS = ("ids", np.int32, (MOST_LEGAL,))
"""List of legal actions, ascending. A field, since Numba counts the holders of any other array at every call."""
LISTS = np.dtype([LEGAL_IDS])

RULES = np.dtype(
    [
        LEGAL_IDS,
        ("squares", i8),  # COLUMNS times the rows of the board
        ("rows", i8),
        ("columns", i8),  # of the board; squares beyond them are not there: blocked, and nobody's neighbours
        ("near", u1, (SQUARES + 1, 4)),  # neighbours west, east, south, north; OFF where there is none
        ("first_move", np.int32, (SQUARES + 1, 4)),  # action id of the move to each neighbour, 0 where there is none
        ("blocked", u1, (SQUARES + 1,)),
        ("own_squares", i8),  # squares to deploy on, a side
        ("own", u1, (2, 40)),  # these squares, back row first, from the owner's left
        ("army", u1, (TYPES,)),  # type 0: squares that stay empty
        ("powers", i8),
        ("two_square_limit", i8),
        ("chase_rule", i8),
        ("silent_defence", i8),
        ("attacker_wins_ties", i8),
        ("one_time_bombs", i8),
        ("apple_bomb_stays", i8),
        ("rescue", i8),
        ("no_move_passes", i8),
        ("max_turns", i8),
        ("max_quiet_turns", i8),
    ],
    align=True,
)

# Actions. A move names its square and the column (sideways) or row (along the file) where it ends.
MOVE_TO = 20
ACT_MOVE = 0
ACT_DEPLOY = SQUARES * MOVE_TO
ACT_APPLE = ACT_DEPLOY + TYPES
ACT_SWORD = ACT_APPLE + SQUARES
ACT_TARGET = ACT_SWORD + SQUARES * 6
ACT_PICK = ACT_TARGET + SQUARES
ACT_PLACE = ACT_PICK + TYPES
ACTIONS = ACT_PLACE + SQUARES

SWORD_PAIRS = ((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3))
"""The two directions (west, east, south, north) of each Sword action."""
