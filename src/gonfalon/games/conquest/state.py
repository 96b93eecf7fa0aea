"""Records and action ids of Conquest, for the rules: shape and meaning of every field.

Players are 0 to 3, clockwise. Zones are numbered as in a map (`maps.Map`): zone z belongs to territory z // 3.

A *slot* stands for a unit and is the only index of units. Each player has `ARMY` slots, used in the order of the
player's zones when the battle begins. All can follow which unit has which slot; `kind` has its type. When units are
mixed (by a Regroup, or by a draw from a reserve), types change slots.
"""

from __future__ import annotations

import numpy as np

from gonfalon.engine.bounds import Field, columns
from gonfalon.games.conquest.ruleset import MOST_CARDS

SIDES: tuple[str, ...] = ("red", "blue", "green", "ochre")
PLAYERS = 4
NONE = 255
"""No player, zone, slot, card or group."""

ZONES, TERRITORIES, IN_TERRITORY = 72, 24, 3
"""Maximum number of zones and of territories of a map; number of zones per territory."""
MOST_NEAR = 16
"""Maximum number of zones that one zone borders."""
ARMY = 18
"""Number of slots per player."""
UNITS = PLAYERS * ARMY

# Unit types; 1 to 10 are ranks.
SPY_MASTER, SCOUT, SORCERESS, KING, CURSED_LAND, FLAG = 1, 2, 3, 10, 11, 12
TYPES = 13
HIDDEN = 14
"""Type shown to a viewer who does not know the type."""
IMMOBILE = (1 << CURSED_LAND) | (1 << FLAG)

# Cards.
REINFORCEMENTS, BLITZ, SURPRISE, REGROUP, SECRET, TRAITOR, NEW_MASTER = range(7)
CARDS = 7

# Values of `zone` for a unit that is in no zone.
RESERVE, IN_HAND, GONE = 252, 253, 254

# Phases: the kind of the next action.
(
    STARTING,  # chance: units are drawn to decide who starts (CQ-4)
    DRAFT,  # territories are chosen (CQ-6)
    DEPLOY,  # units are placed (CQ-7)
    DRAW,  # chance: cards are drawn (CQ-10)
    CARD,  # one of the drawn cards may be played
    AIM,  # zones are named for a card; an open choice, except for a drawn unit (CQ-28, CQ-29)
    ORDER,  # the three units of a Regroup are put back; an open choice
    GUESS,  # the Traitor's guess; an open choice
    UNIT,  # chance: a unit is drawn from the reserve
    RAISE,  # a recaptured Flag is put on the map (CQ-22)
    MOVE,
    OVER,
) = range(12)

# Values of `out`: in the match, or how a player left it.
IN, SKIPPED, RESIGNED = range(3)

# Terminations. OVER_REASONS has their codes.
RUNNING, BY_FLAGS, BY_QUIET, BY_ROUNDS, BY_RESIGNING, BY_AGREEMENT = range(6)
OVER_REASONS: tuple[str, ...] = ("", "flags", "quiet", "rounds", "resigned", "agreed")

MOST_TIES = 20
"""Maximum number of consecutive ties in the draw for the start. Then the first tied player in clockwise order
starts.
"""

MOST_MOVES = 1 + TERRITORIES + 2
"""Maximum number of moves in a turn: one, one for each city, two for a Blitz!."""

# Observers of knowledge (engine/compiled/knowledge.py): the players, and the public.
THE_PUBLIC = 4
OBSERVERS = 5

# Knowledge of a unit in a view: values of `View.marks`.
UNKNOWN, AMONG, SEEN = range(3)

# Kinds of the last act, `last[0]`; up to three zones follow (NONE: none).
NO_ACT, MOVED, ATTACKED, ENTERED, LOOKED, BETRAYED, REGROUPED = range(7)

# Log of the last step, for events. Columns: code, side, four arguments.
LOG, LOG_COLUMNS = 64, 6
(
    LOG_START_DREW,  # side drew type a for the start
    LOG_START_TIE,  # the highest lots are tied
    LOG_STARTS,  # side starts
    LOG_PICKED,  # side chose territory a
    LOG_PLACED,  # side placed type a (0: none) in zone b; only for side itself
    LOG_READY,
    LOG_BATTLE_BEGINS,
    LOG_TURN,  # side's turn begins: a cards to draw, b moves
    LOG_DREW,  # side drew card a
    LOG_SHUFFLED,  # the discard became the pile; a: 1 because of a Traitor (CQ-12), 0 because no card was left (CQ-11)
    LOG_CARD,  # side plays card a
    LOG_NO_CARD,
    LOG_AIMED,  # side named zone a for card b; only for side itself
    LOG_PUT_BACK,  # side puts type a on zone b; only for side itself
    LOG_REGROUPED,  # side regrouped zones a, b, c
    LOG_UNIT,  # side drew type a from its reserve; others see only that it drew
    LOG_ENTERED,  # side's unit of type a enters zone b; c: card
    LOG_PROOF,  # side showed its reserve (CQ-31)
    LOG_MASTER,  # side's Spy Master is on the board (CQ-31 without proof)
    LOG_LOOKED,  # side looked at zones a and b
    LOG_SAW,  # side saw type a of side b in zone c; only for side itself
    LOG_GUESSED,  # side guesses that the unit in zone a is of type b; c: side of the unit
    LOG_HIT,  # the guess was right: side's unit in zone a of type b
    LOG_MISSED,  # side's guess of zone a was wrong
    LOG_MOVED,  # side moved from zone a to b
    LOG_RAN,  # side's Scout ran from zone a to b
    LOG_ATTACKED,  # side attacks zone b from zone a
    LOG_BATTLE,  # side attacked; a: attacker's type * 16 + defender's, b: defender's side, c: zone, d: result
    LOG_CAPTURED,  # side captured the Flag of a in zone b
    LOG_GIVEN,  # the Flag of side is now held by a
    LOG_RECAPTURED,  # side has got its own Flag back
    LOG_RAISED,  # side put its Flag in zone a
    LOG_STOPPED,  # side makes no more moves
    LOG_NO_MOVE,  # side has no legal move
    LOG_CONTROL,  # territory a is controlled by side, or by nobody (side NONE)
    LOG_SKIPPED,  # side is out: no Flag, no unit that moves
    LOG_RESIGNED,
    LOG_AGREED,
    LOG_OVER,  # side won, or nobody (NONE); a: termination
) = range(39)
WON, LOST, BOTH = range(3)
"""Results of a combat, from the view of the attacker."""

u1, u2, i1, i8 = np.uint8, np.uint16, np.int8, np.int64
# Numbers of the rules are signed and wide: a loop up to an unsigned bound would have an unsigned counter, and these mix
# badly with signed numbers.

PUBLIC_FIELDS = [
    Field("started", u1, (), 1),  # all have placed their units
    Field("start", u1, (), PLAYERS - 1, NONE),  # the starting player, or NONE
    Field("mover", u1, (), PLAYERS - 1),  # the player on turn; before the battle, the player who draws or chooses
    Field("turn", u2, (), 0xFFFF),  # number of completed turns of all players
    Field("rounds", u2, (), 0xFFFF),  # number of completed rounds (CQ-26)
    Field("quiet", u2, (), 0xFFFF),  # number of consecutive completed rounds in which nothing changed
    Field("stirred", u1, (), 1),  # 1 if in this round a unit left or entered the board, or control changed
    Field("contends", u1, (PLAYERS,), 1),  # 1 if the player draws for the start, or may still start (CQ-4)
    Field("lot", u1, (PLAYERS,), FLAG),  # type drawn for the start, 0 if none
    Field("ties", u1, (), MOST_TIES),
    Field("picks", u1, (), TERRITORIES),  # number of completed picks of the snake draft (CQ-6)
    Field("owner", u1, (TERRITORIES,), PLAYERS - 1, NONE),  # the player who chose the territory, or NONE
    Field("control", u1, (TERRITORIES,), PLAYERS - 1, NONE),  # the player who controls the territory (CQ-9), or NONE
    Field("out", u1, (PLAYERS,), RESIGNED),
    # Holder of the player's Flag: the player themself while it is on the board; another player; or NONE.
    Field("holder", u1, (PLAYERS,), PLAYERS - 1, NONE),
    Field("master", u1, (PLAYERS,), 1),  # 1: all know that the player's Spy Master is on the board (CQ-31)
    Field("pile", u1, (CARDS,), MOST_CARDS),  # number of cards by kind; their order is not stored
    Field("discard", u1, (CARDS,), MOST_CARDS),
    Field("table", u1, (CARDS,), MOST_CARDS),  # drawn in this turn
    Field("traitor_last", u1, (), 1),  # 1 while the Traitor lies at the bottom of the pile (CQ-5)
    Field("due", u1, (), TERRITORIES),  # cards still to be drawn in this turn
    Field("moves", u1, (), MOST_MOVES),  # moves left in this turn
    Field("made", u1, (), MOST_MOVES),  # moves made in this turn
    Field("at", u1, (ZONES,), UNITS - 1, NONE),  # slot of the unit in a zone, or NONE
    Field("n_reserve", u1, (PLAYERS,), ARMY),
    Field("last", u1, (4,), ZONES - 1, NONE),
    Field("over", u1, (), BY_AGREEMENT),  # termination; RUNNING while the match goes on
    Field("winner", u1, (), PLAYERS - 1, NONE),  # the winner, or NONE
]

STATE_FIELDS = [
    *PUBLIC_FIELDS,
    Field("phase", u1, (), OVER),
    Field("playing", u1, (), CARDS - 1, NONE),  # the card that is being carried out, or NONE
    Field("kind", u1, (UNITS,), FLAG),  # type by slot; 0 for no unit, and for units that left with a resigned player
    Field("zone", u1, (UNITS,), GONE),  # zone by slot, or RESERVE, IN_HAND, GONE
    Field("laid", u1, (PLAYERS, ZONES), FLAG),  # types of a deployment in progress, by place among the player's zones
    Field("placed", u1, (PLAYERS,), ZONES),  # number of zones decided in a deployment in progress
    Field("chosen", u1, (3,), ZONES - 1, NONE),  # zones named for the card, in this order, else NONE
    Field("n_chosen", u1, (), 3),
    Field("ordered", u1, (3,), FLAG),  # types put back by a Regroup, by place in `chosen` sorted
    Field("n_ordered", u1, (), 3),
    Field("group", u1, (OBSERVERS, UNITS), UNITS - 1),
    Field("known", u1, (OBSERVERS, UNITS), 1),
    Field("ruled_out", u2, (OBSERVERS, UNITS), 0xFFFF),
    Field("log", u1, (LOG, LOG_COLUMNS), 0xFF),
    Field("n_log", u1, (), LOG),
]

STATE = np.dtype(columns(STATE_FIELDS), align=True)

MOST_LEGAL = 1280
"""Maximum number of legal actions: up to 15 movable units, each to any other zone. The rest is scratch room for
`moves.py`.
"""

MOST_CHOOSING = 2 * PLAYERS
"""Number of picks of territories that a view shows in advance."""

VIEW = np.dtype(
    [
        *columns(PUBLIC_FIELDS),
        ("observer", i1),
        ("phase", u1),  # the phase that the viewer sees: CARD during another player's open choice
        ("playing", u1),
        ("cards_due", u1, (PLAYERS,)),  # cards that a player would draw if their turn began now; 0 before the battle
        ("moves_due", u1, (PLAYERS,)),  # moves that the player would have then
        ("wins_by", u1, (PLAYERS,)),  # the player who wins if the viewer captures this player's Flag now, or NONE
        ("choosing", u1, (MOST_CHOOSING,)),  # the players with the next picks of territories, in order; else NONE
        ("ready", u1, (PLAYERS,)),  # whether a player's deployment is final
        ("hand", u1),  # slot of the mover's unit that was drawn from the reserve and is not placed yet, or NONE
        ("kind", u1, (UNITS,)),  # by slot, of units on the board and in hand; HIDDEN for an unknown type
        ("reserve", u1, (PLAYERS, TYPES)),  # number of units of each type known to be in a reserve, without groups
        ("laid", u1, (PLAYERS, ZONES)),  # the viewer's own only
        ("placed", u1, (PLAYERS,)),  # the viewer's own only
        ("chosen", u1, (3,)),  # the viewer's own only
        ("n_chosen", u1),
        ("ordered", u1, (3,)),
        ("n_ordered", u1),
        # The viewer's knowledge of each unit on the board and in hand. For the viewer's own units: the public
        # knowledge.
        ("marks", u1, (UNITS,)),  # UNKNOWN, AMONG or SEEN
        ("group", u1, (UNITS,)),  # the group's lowest slot on the board or in hand, if the mark is AMONG; else NONE
        ("among", u1, (UNITS, TYPES)),  # by group: number of units of each type known to be in it
        ("in_reserve", u1, (UNITS,)),  # by group: number of its units that are in the reserve
        ("ruled_out", u2, (UNITS,)),  # bit t: the unit is not of type t
        ("public", u1, (UNITS,)),  # 1 if all know the type
        ("looked", u1, (UNITS,)),  # viewer's own unit that not all know: players who know its type, one bit per side
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

RULES = np.dtype(
    [
        LEGAL_IDS,
        ("players", i8),
        ("zones", i8),
        ("territories", i8),
        ("near", u1, (ZONES, MOST_NEAR)),  # zones that border a zone, ascending
        ("n_near", i8, (ZONES,)),
        ("away", u1, (ZONES, ZONES)),  # number of steps from zone to zone, NONE if there is no way
        ("city", u1, (TERRITORIES,)),
        ("army", u1, (TYPES,)),
        ("deck", u1, (CARDS,)),
        ("scout_attacks_after_run", u1),
        ("prove_spy_master", u1),
        ("max_quiet_rounds", i8),
        ("max_rounds", i8),
    ],
    align=True,
)

# Actions.
ACT_PLACE = 0  # + type (0: the zone stays empty), in a deployment and in the order of a Regroup
ACT_PICK = ACT_PLACE + TYPES  # + territory
ACT_CARD = ACT_PICK + TERRITORIES  # + card
ACT_NO_CARD = ACT_CARD + CARDS
ACT_ZONE = ACT_NO_CARD + 1  # + zone that is named for a card, or on which a unit or a Flag is put
ACT_GUESS = ACT_ZONE + ZONES  # + type
ACT_STOP = ACT_GUESS + TYPES
ACT_MOVE = ACT_STOP + 1  # + zone from * ZONES + zone to
ACT_START = ACT_MOVE + ZONES * ZONES  # + type; chance
ACT_DRAW = ACT_START + TYPES  # + card; chance
ACT_UNIT = ACT_DRAW + CARDS  # + type; chance
ACTIONS = ACT_UNIT + TYPES
