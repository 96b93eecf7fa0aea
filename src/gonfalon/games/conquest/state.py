"""Records and action ids of Conquest, for the rules. Shapes and meanings of every field.

Players are 0 to 3, clockwise. Zones are numbered as in a map (`maps.Map`): zone z is one of territory z // 3.

A *slot* stands for a unit and is the one index of all units: `ARMY` a player, given out in the order of the player's
zones when the battle begins. All can follow which unit has which slot; its type is in `kind`. When units are mixed
(Regroup, a draw from a reserve) types change slots.
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
"""The most of each that a map has, and zones a territory."""
MOST_NEAR = 16
"""Zones that one zone borders, at most."""
ARMY = 18
"""Slots a player."""
UNITS = PLAYERS * ARMY

# Unit types; 1 to 10 are ranks.
SPY_MASTER, SCOUT, SORCERESS, KING, CURSED_LAND, FLAG = 1, 2, 3, 10, 11, 12
TYPES = 13
HIDDEN = 14
"""Type shown to a viewer who does not know it."""
IMMOBILE = (1 << CURSED_LAND) | (1 << FLAG)

# Cards.
REINFORCEMENTS, BLITZ, SURPRISE, REGROUP, SECRET, TRAITOR, NEW_MASTER = range(7)
CARDS = 7

# Values of `zone` for a unit that is in no zone.
RESERVE, IN_HAND, GONE = 252, 253, 254

# Phases: what the next action is about.
(
    STARTING,  # chance: units are drawn for who starts (CQ-4)
    DRAFT,  # territories are chosen (CQ-6)
    DEPLOY,  # units are placed (CQ-7)
    DRAW,  # chance: cards are drawn (CQ-10)
    CARD,  # one of them may be played
    AIM,  # zones are named for a card; open, but for a unit that was drawn (CQ-28, CQ-29)
    ORDER,  # the three of a Regroup are put back; open
    GUESS,  # the Traitor's guess; open
    UNIT,  # chance: a unit is drawn from the reserve
    RAISE,  # a recaptured Flag is put on the map (CQ-22)
    MOVE,
    OVER,
) = range(12)

# Values of `out`: ways in which a player can be out of the match.
IN, SKIPPED, RESIGNED = range(3)

# Terminations; OVER_REASONS gives their codes.
RUNNING, BY_FLAGS, BY_QUIET, BY_ROUNDS, BY_RESIGNING, BY_AGREEMENT = range(6)
OVER_REASONS: tuple[str, ...] = ("", "flags", "quiet", "rounds", "resigned", "agreed")

MOST_TIES = 20
"""Most ties in a row in the draw for the start; then the first tied player in clockwise order starts."""

MOST_MOVES = 1 + TERRITORIES + 2
"""Most moves of a turn: one, one for each city, two for a Blitz!."""

# Observers of knowledge (engine/knowledge.py): the players, and
THE_PUBLIC = 4
OBSERVERS = 5

# Knowledge of a unit in a view, by `View.marks`.
UNKNOWN, AMONG, SEEN = range(3)

# Kinds of the last act, `last[0]`; then up to three zones (NONE: none).
NO_ACT, MOVED, ATTACKED, ENTERED, LOOKED, BETRAYED, REGROUPED = range(7)

# Log of the last step, for events. Columns: code, side, four arguments.
LOG, LOG_COLUMNS = 64, 6
(
    LOG_START_DREW,  # side drew type a for the start
    LOG_START_TIE,  # the highest are tied
    LOG_STARTS,  # side starts
    LOG_PICKED,  # side chose territory a
    LOG_PLACED,  # side placed type a (0: none) in zone b; its own
    LOG_READY,
    LOG_BATTLE_BEGINS,
    LOG_TURN,  # side's turn begins: a cards to draw, b moves
    LOG_DREW,  # side drew card a
    LOG_SHUFFLED,  # the discard became the pile; a: 1 because of a Traitor (CQ-12), 0 because none was left (CQ-11)
    LOG_CARD,  # side plays card a
    LOG_NO_CARD,
    LOG_AIMED,  # side named zone a for card b; its own
    LOG_PUT_BACK,  # side puts type a on zone b; its own
    LOG_REGROUPED,  # side regrouped zones a, b, c
    LOG_UNIT,  # side drew type a from its reserve; its own, others: that it drew
    LOG_ENTERED,  # side's unit of type a enters zone b; c: card
    LOG_PROOF,  # side showed its reserve (CQ-31)
    LOG_MASTER,  # side's Spy Master is on the board (CQ-31 without proof)
    LOG_LOOKED,  # side looked at zones a and b
    LOG_SAW,  # side saw type a of side b in zone c; its own
    LOG_GUESSED,  # side guesses that the unit in zone a is of type b; c: its side
    LOG_HIT,  # the guess was right: side's unit in zone a of type b
    LOG_MISSED,  # side's guess of zone a was wrong
    LOG_MOVED,  # side moved from zone a to b
    LOG_RAN,  # side's Scout ran from zone a to b
    LOG_ATTACKED,  # side attacks from zone a zone b
    LOG_BATTLE,  # side's attacker a * 16 + defender (types), defender's side b, zone c, result d
    LOG_CAPTURED,  # side captured the Flag of a in zone b
    LOG_GIVEN,  # the Flag of side is now held by a
    LOG_RECAPTURED,  # side has its own Flag again
    LOG_RAISED,  # side put it in zone a
    LOG_STOPPED,  # side makes no more moves
    LOG_NO_MOVE,  # side has no legal move
    LOG_CONTROL,  # territory a is controlled by side, or by nobody (side NONE)
    LOG_SKIPPED,  # side is out: no Flag, no unit that moves
    LOG_RESIGNED,
    LOG_AGREED,
    LOG_OVER,  # side won, or NONE; a: termination
) = range(39)
WON, LOST, BOTH = range(3)
"""Results of a combat, from the attacker's side."""

u1, u2, i1, i8 = np.uint8, np.uint16, np.int8, np.int64
# Numbers of the rules are signed and wide: loops over an unsigned bound would make unsigned counters, which mix badly.

PUBLIC_FIELDS = [
    Field("started", u1, (), 1),  # all have placed their units
    Field("start", u1, (), PLAYERS - 1, NONE),  # the starting player, or NONE
    Field("mover", u1, (), PLAYERS - 1),  # whose turn it is; before the battle who draws or chooses
    Field("turn", u2, (), 0xFFFF),  # turns completed, of all players
    Field("rounds", u2, (), 0xFFFF),  # rounds completed (CQ-26)
    Field("quiet", u2, (), 0xFFFF),  # number of completed rounds in a row in which nothing changed
    Field("stirred", u1, (), 1),  # in this round a unit left or entered the board, or control changed
    Field("contends", u1, (PLAYERS,), 1),  # the player draws for the start, or may still start (CQ-4)
    Field("lot", u1, (PLAYERS,), FLAG),  # type drawn for the start, 0 for none
    Field("ties", u1, (), MOST_TIES),
    Field("picks", u1, (), TERRITORIES),  # turns of the snake that are over (CQ-6)
    Field("owner", u1, (TERRITORIES,), PLAYERS - 1, NONE),  # who chose it, or NONE
    Field("control", u1, (TERRITORIES,), PLAYERS - 1, NONE),  # who controls it (CQ-9), or NONE
    Field("out", u1, (PLAYERS,), RESIGNED),
    # Holder of the player's Flag: the player while it is on the board, or NONE.
    Field("holder", u1, (PLAYERS,), PLAYERS - 1, NONE),
    Field("master", u1, (PLAYERS,), 1),  # 1: all know that the player's Spy Master is on the board (CQ-31)
    Field("pile", u1, (CARDS,), MOST_CARDS),  # cards by kind: no order is stored
    Field("discard", u1, (CARDS,), MOST_CARDS),
    Field("table", u1, (CARDS,), MOST_CARDS),  # drawn in this turn
    Field("traitor_last", u1, (), 1),  # the Traitor lies at the bottom of the pile (CQ-5)
    Field("due", u1, (), TERRITORIES),  # cards still to be drawn in this turn
    Field("moves", u1, (), MOST_MOVES),  # moves left in this turn
    Field("made", u1, (), MOST_MOVES),  # moves made in this turn
    Field("at", u1, (ZONES,), UNITS - 1, NONE),  # slot of the unit in a zone, or NONE
    Field("n_reserve", u1, (PLAYERS,), ARMY),
    Field("last", u1, (4,), ZONES - 1, NONE),
    Field("over", u1, (), BY_AGREEMENT),  # termination, RUNNING while the match goes on
    Field("winner", u1, (), PLAYERS - 1, NONE),  # player, or NONE
]

STATE_FIELDS = [
    *PUBLIC_FIELDS,
    Field("phase", u1, (), OVER),
    Field("playing", u1, (), CARDS - 1, NONE),  # the card that is being carried out, or NONE
    Field("kind", u1, (UNITS,), FLAG),  # type by slot; 0 for none, and for units that left with a resigned player
    Field("zone", u1, (UNITS,), GONE),  # zone by slot, or RESERVE, IN_HAND, GONE
    Field("laid", u1, (PLAYERS, ZONES), FLAG),  # types of a deployment in progress, by place among the player's zones
    Field("placed", u1, (PLAYERS,), ZONES),  # zones dealt with in it
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
"""Length of the longest list: up to 15 movable units, each to any other zone; the rest is room for the search."""

MOST_CHOOSING = 2 * PLAYERS
"""Number of choices of territories that a view looks ahead."""

VIEW = np.dtype(
    [
        *columns(PUBLIC_FIELDS),
        ("observer", i1),
        ("phase", u1),  # the phase for others: while another player's choice is open, the phase before it, CARD
        ("playing", u1),
        ("cards_due", u1, (PLAYERS,)),  # cards that a player draws if the player's turn begins now, 0 before the battle
        ("moves_due", u1, (PLAYERS,)),  # moves that the player has then
        ("wins_by", u1, (PLAYERS,)),  # who wins if the viewer captures the player's Flag now, or NONE
        ("choosing", u1, (MOST_CHOOSING,)),  # who chooses the next territories, in this order; NONE after the last
        ("ready", u1, (PLAYERS,)),  # whether a player's deployment is final
        ("hand", u1),  # slot of a unit drawn from the reserve that is not placed yet (of the mover), or NONE
        ("kind", u1, (UNITS,)),  # by slot, of units on the board and in hand; HIDDEN where the viewer does not know it
        ("reserve", u1, (PLAYERS, TYPES)),  # how many of each type are known to be in a reserve, groups left out
        ("laid", u1, (PLAYERS, ZONES)),  # the viewer's own only
        ("placed", u1, (PLAYERS,)),  # the viewer's own only
        ("chosen", u1, (3,)),  # the viewer's own only
        ("n_chosen", u1),
        ("ordered", u1, (3,)),
        ("n_ordered", u1),
        # Knowledge of the viewer of each unit on the board and in hand; for an own unit that of the public.
        ("marks", u1, (UNITS,)),  # UNKNOWN, AMONG or SEEN
        ("group", u1, (UNITS,)),  # the lowest such slot of the unit's group where the mark is AMONG, else NONE
        ("among", u1, (UNITS, TYPES)),  # by group: how often each type is known to be in it
        ("in_reserve", u1, (UNITS,)),  # by group: how many of its units are in the reserve
        ("ruled_out", u2, (UNITS,)),  # bit t: not of type t
        ("public", u1, (UNITS,)),  # 1: all know the type
        ("looked", u1, (UNITS,)),  # own unit: the other players who know its type while not all do, one bit a side
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
        ("players", i8),
        ("zones", i8),
        ("territories", i8),
        ("near", u1, (ZONES, MOST_NEAR)),  # zones that border a zone, ascending
        ("n_near", i8, (ZONES,)),
        ("away", u1, (ZONES, ZONES)),  # steps from zone to zone, NONE where no way leads
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
ACT_PLACE = 0  # + type; 0: the zone stays empty. Deployment, and the order of a Regroup
ACT_PICK = ACT_PLACE + TYPES  # + territory
ACT_CARD = ACT_PICK + TERRITORIES  # + card
ACT_NO_CARD = ACT_CARD + CARDS
ACT_ZONE = ACT_NO_CARD + 1  # + zone: named for a card, or where a unit or a Flag is put
ACT_GUESS = ACT_ZONE + ZONES  # + type
ACT_STOP = ACT_GUESS + TYPES
ACT_MOVE = ACT_STOP + 1  # + zone * ZONES + zone
ACT_START = ACT_MOVE + ZONES * ZONES  # + type; chance
ACT_DRAW = ACT_START + TYPES  # + card; chance
ACT_UNIT = ACT_DRAW + CARDS  # + type; chance
ACTIONS = ACT_UNIT + TYPES
