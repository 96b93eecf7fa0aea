"""Observation planes. Every plane is listed here once, with its meaning. Reads views, never states."""

from __future__ import annotations

from gonfalon.engine.compiled.jit import Numbers, RulesRow, ViewRow, helper
from gonfalon.engine.learning.observation import FormRow, Plane, fill, form_type, number_of, put
from gonfalon.games.cardgame import state as g
from gonfalon.games.cardgame.ruleset import MOST_CARDS, TYPES

_TYPES = TYPES[1:]
_ALIKE = 8
"""Number of cards of one type that becomes 1 in a plane; higher numbers become 1 too."""
_TURNS, _QUIET = 500, 60
_PHASES = ("draw", "lay", "act", "over")

PLANES: tuple[Plane, ...] = (
    # On the places of a line: the viewer's knowledge of the enemy's cards, and the enemy's knowledge of the viewer's
    # cards.
    *(Plane(f"is {name}", "1 where the viewer knows that the card is of this type") for name in _TYPES),
    Plane("hidden", "1 for a card whose type the viewer does not know"),
    Plane("gap", "1 where no card lies"),
    Plane("seen", "1 where the other side knows the type"),
    Plane("among", "1 where the other side knows that the card is in a group"),
    Plane("public", "1 where all know the type"),
    *(Plane(f"among {name}", "share of this type in the card's group, as far as known") for name in _TYPES),
    *(Plane(f"not {name}", "1 where the other side knows that the card is not of this type") for name in _TYPES),
    *(Plane(f"laid {name}", "1 on gaps where the viewer's open choice puts this type") for name in _TYPES),
    Plane("decided", "1 on gaps that the open choice has already decided"),
    Plane("last from", "1 on the place of the card that did the last act"),
    Plane("last to", "1 on the places that were attacked or looked at"),
    # One value for a whole row, about the side of the row.
    *(Plane(f"hand {name}", "row: cards of this type in a hand that the viewer sees, of 8") for name in _TYPES),
    *(Plane(f"hand among {name}", "row: cards of this type known in the hand's group, of 8") for name in _TYPES),
    *(Plane(f"pile {name}", "row: cards of this type, of 8, for an observer who sees everything") for name in _TYPES),
    *(Plane(f"lost {name}", "row: cards of this type that left the game, of 8") for name in _TYPES),
    Plane("hand size", "row: cards in the hand, of 8"),
    Plane("pile size", f"row: cards in the pile, of {MOST_CARDS}"),
    Plane("mover", "row: 1 if it is this side's turn"),
    Plane("ready", "row: 1 if this side's first line is final"),
    # One value for the whole plane.
    *(Plane(f"phase {name}", "all places: 1 in this phase") for name in _PHASES),
    Plane("started", "all places: 1 once both lines have been laid"),
    Plane("anew", "all places: 1 while the Flag trick is carried out"),
    Plane("own turn", "all places: 1 if the viewer is to act"),
    Plane("turn", f"all places: completed turns, of {_TURNS}, at most 1"),
    Plane("quiet", f"all places: quiet turns, of {_QUIET}, at most 1"),
    Plane("viewer is red", "all places: 1 for red"),
)
FORM = form_type(len(PLANES), 2 * g.LINE)

# Numbers of planes. Those of types stand one before the first, because types begin at 1.
_IS, _AMONG, _NOT, _LAID = (number_of(PLANES, f"{name} {_TYPES[0]}") - 1 for name in ("is", "among", "not", "laid"))
_HAND, _HAND_AMONG, _PILE, _LOST = (
    number_of(PLANES, f"{name} {_TYPES[0]}") - 1 for name in ("hand", "hand among", "pile", "lost")
)
_HIDDEN, _GAP, _SEEN, _IN_GROUP, _PUBLIC, _DECIDED, _FROM, _TO = (
    number_of(PLANES, name) for name in ("hidden", "gap", "seen", "among", "public", "decided", "last from", "last to")
)
_HAND_SIZE, _PILE_SIZE, _MOVER, _READY = (
    number_of(PLANES, name) for name in ("hand size", "pile size", "mover", "ready")
)
_PHASE, _STARTED, _ANEW, _OWN_TURN, _TURN, _QUIET_TURNS, _RED = (
    number_of(PLANES, name) for name in ("phase draw", "started", "anew", "own turn", "turn", "quiet", "viewer is red")
)


@helper
def fill_planes(v: ViewRow, _r: RulesRow, form: FormRow, planes: Numbers) -> None:
    """Fill `planes`, all zeros, with the view `v`. Row 0 is the viewer's line, row 1 the enemy's. Both run from red's
    left, so places have the same numbers as in actions. For a spectator row 0 is red's line.
    """
    me = 1 if v.observer == 1 else 0
    for row in range(2):
        side = row ^ me
        for k in range(g.LINE):
            fill_place(v, side, k, row * g.LINE + k, form, planes)
        fill_open_choice(v, side, row * g.LINE, form, planes)
        fill_side(v, side, row * g.LINE, form, planes)
    fill_last(v, me, form, planes)
    fill_whole(v, me, form, planes)


@helper
def fill_place(v: ViewRow, side: int, k: int, cell: int, form: FormRow, planes: Numbers) -> None:
    """Fill the planes about the card on place `k` of a line."""
    place = side * g.SIDE_PLACES + k
    kind = v.kind[place]
    if kind == g.HIDDEN:
        put(planes, form, _HIDDEN, cell, 1.0)
    elif kind == 0:
        put(planes, form, _GAP, cell, 1.0)
    else:
        put(planes, form, _IS + kind, cell, 1.0)
    if v.marks[place] == g.SEEN:
        put(planes, form, _SEEN, cell, 1.0)
    elif v.marks[place] == g.AMONG:
        put(planes, form, _IN_GROUP, cell, 1.0)
    if v.public[place]:
        put(planes, form, _PUBLIC, cell, 1.0)
    for other in range(1, g.TYPES):
        if v.ruled_out[place] & (1 << other):
            put(planes, form, _NOT + other, cell, 1.0)
    group = v.group[place]
    if group != g.NONE:
        size = 0
        for other in range(g.PLACES):
            size += v.group[other] == group
        for other in range(1, g.TYPES):
            if v.among[group, other]:
                put(planes, form, _AMONG + other, cell, v.among[group, other] / size)


@helper
def fill_open_choice(v: ViewRow, side: int, first: int, form: FormRow, planes: Numbers) -> None:
    """Fill the planes of the gaps that an open choice fills. `first`: first cell of the side's row."""
    gaps = 0
    for k in range(g.LINE):
        if v.laid[side, k]:
            put(planes, form, _LAID + v.laid[side, k], first + k, 1.0)
        if v.kind[side * g.SIDE_PLACES + k] == 0:
            if gaps < v.placed[side]:
                put(planes, form, _DECIDED, first + k, 1.0)
            gaps += 1


@helper
def fill_side(v: ViewRow, side: int, first: int, form: FormRow, planes: Numbers) -> None:
    """Fill the planes that have one value for a whole row."""
    hand = side * g.SIDE_PLACES + g.LINE
    group = v.group[hand]
    for kind in range(1, g.TYPES):
        count = 0
        for place in range(hand, hand + g.DEALT):
            count += v.kind[place] == kind
        fill(planes, form, _HAND + kind, first, g.LINE, count / _ALIKE)
        if group != g.NONE:
            fill(planes, form, _HAND_AMONG + kind, first, g.LINE, v.among[group, kind] / _ALIKE)
        fill(planes, form, _PILE + kind, first, g.LINE, v.pile[side, kind] / _ALIKE)
        fill(planes, form, _LOST + kind, first, g.LINE, v.lost[side, kind] / _ALIKE)
    fill(planes, form, _HAND_SIZE, first, g.LINE, v.n_hand[side] / g.DEALT)
    fill(planes, form, _PILE_SIZE, first, g.LINE, v.n_pile[side] / MOST_CARDS)
    if v.mover == side:
        fill(planes, form, _MOVER, first, g.LINE, 1.0)
    fill(planes, form, _READY, first, g.LINE, float(v.ready[side]))


@helper
def fill_last(v: ViewRow, me: int, form: FormRow, planes: Numbers) -> None:
    for k in range(1, 4):
        if v.last[k] != g.NONE:
            side, place = v.last[k] // g.SIDE_PLACES, v.last[k] % g.SIDE_PLACES
            put(planes, form, _FROM if k == 1 else _TO, (side ^ me) * g.LINE + place, 1.0)


@helper
def fill_whole(v: ViewRow, me: int, form: FormRow, planes: Numbers) -> None:
    """Fill the planes that have one value for both rows."""
    n = form.cells
    fill(planes, form, _PHASE + v.phase, 0, n, 1.0)
    fill(planes, form, _STARTED, 0, n, float(v.started))
    fill(planes, form, _ANEW, 0, n, float(v.anew))
    if v.n_legal > 0:
        fill(planes, form, _OWN_TURN, 0, n, 1.0)
    fill(planes, form, _TURN, 0, n, v.turn / _TURNS)
    fill(planes, form, _QUIET_TURNS, 0, n, v.quiet / _QUIET)
    if me == 0:
        fill(planes, form, _RED, 0, n, 1.0)
