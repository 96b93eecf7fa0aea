"""Observation planes. Every plane is listed here once, with its meaning. Reads views, never states."""

from __future__ import annotations

from gonfalon.engine.compiled.jit import Numbers, RulesRow, ViewRow, helper
from gonfalon.engine.learning.observation import FormRow, Plane, fill, form_type, number_of, put
from gonfalon.games.conquest import state as g
from gonfalon.games.conquest.rules.start import find_owned_zone
from gonfalon.games.conquest.ruleset import CARDS, TYPES

_TYPES = TYPES[1:]
_PHASES = ("lots", "draft", "deploy", "draw", "card", "aim", "order", "guess", "unit", "raise", "move", "over")
SEATS = ("own", "next", "second", "third")
"""The players clockwise from the viewer. With two players the opponent is `next`."""
_MANY, _PILE, _DRAWN, _MOVES, _ROUNDS = 4, 16, 4, 12, 100
"""Numbers that become 1 in a plane: units or Flags of one kind, cards of one kind in a pile, cards of one kind on the
table, moves, rounds.
"""

PLANES: tuple[Plane, ...] = (
    # By zone: the viewer's knowledge of other players' units, and everything about the viewer's own.
    Plane("land", "1 where the map has a zone"),
    Plane("city", "1 in territories with a city"),
    *(Plane(f"unit {seat}", "1 where a unit of this player stands") for seat in SEATS),
    *(Plane(f"is {name}", "1 where the viewer knows that the unit is of this type") for name in _TYPES),
    Plane("hidden", "1 for a unit whose type the viewer does not know"),
    Plane("seen", "1 where at least one player besides the owner knows the type"),
    Plane("among", "1 where the unit is known to be in a group"),
    Plane("public", "1 where all know the type"),
    *(Plane(f"among {name}", "share of this type in the unit's group, as far as known") for name in _TYPES),
    *(Plane(f"not {name}", "1 where the unit is known not to be of this type") for name in _TYPES),
    *(Plane(f"owned {seat}", "1 in territories that this player chose") for seat in SEATS),
    *(Plane(f"held {seat}", "1 in territories that this player controls") for seat in SEATS),
    *(Plane(f"laid {name}", "1 where the viewer's open choice puts this type") for name in _TYPES),
    Plane("decided", "1 on zones that the open choice has already decided"),
    Plane("target", "1 on zones that were named for the card"),
    Plane("last from", "1 on the zone from which the last unit moved"),
    Plane("last to", "1 on the zone to which it moved, and on zones where a card was carried out"),
    # One value for the whole plane, a plane for each player.
    *(
        Plane(f"reserve {name} {seat}", f"all zones: known to be in the player's reserve, of {_MANY}")
        for seat in SEATS
        for name in _TYPES
    ),
    *(Plane(f"reserve size {seat}", f"all zones: units in the player's reserve, of {g.ARMY}") for seat in SEATS),
    *(Plane(f"flag {seat}", "all zones: 1 if the player's Flag is on the board") for seat in SEATS),
    *(Plane(f"holds {seat}", f"all zones: Flags of others that the player holds, of {_MANY}") for seat in SEATS),
    *(Plane(f"master {seat}", "all zones: 1 if the player's Spy Master is known to be there") for seat in SEATS),
    *(Plane(f"plays {seat}", "all zones: 1 if the match has the player and the player is not out") for seat in SEATS),
    *(Plane(f"mover {seat}", "all zones: 1 if it is the player's turn") for seat in SEATS),
    *(Plane(f"ready {seat}", "all zones: 1 if the player's units are placed") for seat in SEATS),
    # One value for the whole plane.
    *(Plane(f"pile {name}", f"all zones: cards of this kind, of {_PILE}") for name in CARDS),
    *(Plane(f"discard {name}", f"all zones: cards of this kind, of {_PILE}") for name in CARDS),
    *(Plane(f"drawn {name}", f"all zones: cards of this kind on the table, of {_DRAWN}") for name in CARDS),
    *(Plane(f"plays card {name}", "all zones: 1 while this card is carried out") for name in CARDS),
    *(Plane(f"in hand {name}", "all zones: 1 if the unit drawn from the reserve is of this type") for name in _TYPES),
    Plane("in hand", "all zones: 1 if a unit drawn from the reserve is not placed yet"),
    *(Plane(f"phase {name}", "all zones: 1 in this phase") for name in _PHASES),
    Plane("own turn", "all zones: 1 if the viewer is to act"),
    Plane("traitor last", "all zones: 1 while the Traitor lies at the bottom of the pile"),
    Plane("due", f"all zones: cards still to be drawn, of {_MOVES}"),
    Plane("moves", f"all zones: moves left, of {_MOVES}"),
    Plane("made", f"all zones: moves made in this turn, of {_MOVES}"),
    Plane("rounds", f"all zones: completed rounds, of {_ROUNDS}, at most 1"),
    Plane("quiet", "all zones: quiet rounds in a row, of the number that ends the match"),
)
FORM = form_type(len(PLANES), g.ZONES)

# Numbers of planes. Those of types stand one before the first, because types begin at 1.
_IS, _AMONG, _NOT, _LAID, _IN_HAND = (
    number_of(PLANES, f"{name} {_TYPES[0]}") - 1 for name in ("is", "among", "not", "laid", "in hand")
)
_RESERVE = number_of(PLANES, f"reserve {_TYPES[0]} own") - 1
_UNIT, _OWNED, _HELD, _SIZE, _FLAG, _HOLDS, _MASTER, _PLAYS, _MOVER, _READY = (
    number_of(PLANES, f"{name} own")
    for name in ("unit", "owned", "held", "reserve size", "flag", "holds", "master", "plays", "mover", "ready")
)
_IN_PILE, _DISCARD, _ON_TABLE, _PLAYING = (
    number_of(PLANES, f"{name} {CARDS[0]}") for name in ("pile", "discard", "drawn", "plays card")
)
_LAND, _CITY, _HIDDEN, _SEEN, _IN_GROUP, _PUBLIC, _DECIDED, _TARGET, _FROM, _TO = (
    number_of(PLANES, name)
    for name in ("land", "city", "hidden", "seen", "among", "public", "decided", "target", "last from", "last to")
)
_HAND, _PHASE, _OWN_TURN, _LAST, _DUE, _LEFT, _MADE, _COUNT, _QUIET = (
    number_of(PLANES, name)
    for name in ("in hand", "phase lots", "own turn", "traitor last", "due", "moves", "made", "rounds", "quiet")
)
_LAST_TYPE = g.TYPES - 1


@helper
def fill_planes(v: ViewRow, r: RulesRow, form: FormRow, planes: Numbers) -> None:
    """Fill `planes`, all zeros, with the view `v`. A zone has the same number as in actions, on every map. A spectator
    sees from the first seat.
    """
    players = r.players
    me = v.observer if v.observer >= 0 and v.observer < players else 0
    for zone in range(r.zones):
        fill_zone(v, r, me, zone, form, planes)
    for seat in range(players):
        fill_player(v, (me + seat) % players, seat, players, form, planes)
    fill_choice(v, r, form, planes)
    fill_cards(v, form, planes)
    fill_whole(v, r, form, planes)


@helper
def fill_zone(v: ViewRow, r: RulesRow, me: int, zone: int, form: FormRow, planes: Numbers) -> None:
    """Fill the planes of a zone: the map, the territory's players, the unit."""
    territory = zone // g.IN_TERRITORY
    put(planes, form, _LAND, zone, 1.0)
    if r.city[territory]:
        put(planes, form, _CITY, zone, 1.0)
    if v.owner[territory] != g.NONE:
        put(planes, form, _OWNED + (v.owner[territory] - me) % r.players, zone, 1.0)
    if v.control[territory] != g.NONE:
        put(planes, form, _HELD + (v.control[territory] - me) % r.players, zone, 1.0)
    if v.at[zone] != g.NONE:
        put(planes, form, _UNIT + (v.at[zone] // g.ARMY - me) % r.players, zone, 1.0)
        fill_unit(v, v.at[zone], zone, form, planes)


@helper
def fill_unit(v: ViewRow, slot: int, zone: int, form: FormRow, planes: Numbers) -> None:
    """Fill the planes of the unit in a zone."""
    kind = v.kind[slot]
    if kind == g.HIDDEN:
        put(planes, form, _HIDDEN, zone, 1.0)
    elif kind:
        put(planes, form, _IS + kind, zone, 1.0)
    if v.marks[slot] == g.SEEN:
        put(planes, form, _SEEN, zone, 1.0)
    elif v.marks[slot] == g.AMONG:
        put(planes, form, _IN_GROUP, zone, 1.0)
    if v.public[slot]:
        put(planes, form, _PUBLIC, zone, 1.0)
    for other in range(1, g.TYPES):
        if v.ruled_out[slot] & (1 << other):
            put(planes, form, _NOT + other, zone, 1.0)
    group = v.group[slot]
    if group != g.NONE:
        size = int(v.in_reserve[group])
        for other in range(g.UNITS):
            size += v.group[other] == group
        for other in range(1, g.TYPES):
            if v.among[group, other]:
                put(planes, form, _AMONG + other, zone, v.among[group, other] / size)


@helper
def fill_player(v: ViewRow, side: int, seat: int, players: int, form: FormRow, planes: Numbers) -> None:
    """Fill the planes of a player. `seat`: the player's place clockwise from the viewer."""
    n = form.cells
    holds = 0
    for other in range(players):
        holds += other != side and v.holder[other] == side
    for kind in range(1, g.TYPES):
        fill(planes, form, _RESERVE + seat * _LAST_TYPE + kind, 0, n, v.reserve[side, kind] / _MANY)
    fill(planes, form, _SIZE + seat, 0, n, v.n_reserve[side] / g.ARMY)
    if v.holder[side] == side:
        fill(planes, form, _FLAG + seat, 0, n, 1.0)
    fill(planes, form, _HOLDS + seat, 0, n, holds / _MANY)
    fill(planes, form, _MASTER + seat, 0, n, float(v.master[side]))
    if v.out[side] == g.IN:
        fill(planes, form, _PLAYS + seat, 0, n, 1.0)
    if v.mover == side:
        fill(planes, form, _MOVER + seat, 0, n, 1.0)
    fill(planes, form, _READY + seat, 0, n, float(v.ready[side]))


@helper
def fill_choice(v: ViewRow, r: RulesRow, form: FormRow, planes: Numbers) -> None:
    """Fill the planes of the viewer's open choice and of the last act."""
    for k in range(v.n_chosen):
        put(planes, form, _TARGET, v.chosen[k], 1.0)
    if v.phase == g.ORDER:
        for k in range(v.n_chosen):
            place = 0
            for other in range(v.n_chosen):
                place += v.chosen[other] < v.chosen[k]
            if place < v.n_ordered:
                fill_decided(v.ordered[place], v.chosen[k], form, planes)
    elif v.phase == g.DEPLOY and v.observer >= 0:
        for place in range(v.placed[v.observer]):
            zone = find_owned_zone(v, r, v.observer, place)
            fill_decided(v.laid[v.observer, place], zone, form, planes)
    for k in range(1, 4):
        if v.last[k] != g.NONE:
            moved = k == 1 and (v.last[0] == g.MOVED or v.last[0] == g.ATTACKED)
            put(planes, form, _FROM if moved else _TO, v.last[k], 1.0)


@helper
def fill_decided(kind: int, zone: int, form: FormRow, planes: Numbers) -> None:
    put(planes, form, _DECIDED, zone, 1.0)
    if kind:
        put(planes, form, _LAID + kind, zone, 1.0)


@helper
def fill_cards(v: ViewRow, form: FormRow, planes: Numbers) -> None:
    """Fill the planes of the cards, and of the unit in hand."""
    n = form.cells
    for card in range(g.CARDS):
        fill(planes, form, _IN_PILE + card, 0, n, v.pile[card] / _PILE)
        fill(planes, form, _DISCARD + card, 0, n, v.discard[card] / _PILE)
        fill(planes, form, _ON_TABLE + card, 0, n, v.table[card] / _DRAWN)
    if v.playing != g.NONE:
        fill(planes, form, _PLAYING + v.playing, 0, n, 1.0)
    if v.hand != g.NONE:
        fill(planes, form, _HAND, 0, n, 1.0)
        kind = v.kind[v.hand]
        if kind != g.HIDDEN and kind:
            fill(planes, form, _IN_HAND + kind, 0, n, 1.0)


@helper
def fill_whole(v: ViewRow, r: RulesRow, form: FormRow, planes: Numbers) -> None:
    """Fill the planes that have one value for the whole map."""
    n = form.cells
    fill(planes, form, _PHASE + v.phase, 0, n, 1.0)
    if v.n_legal > 0:
        fill(planes, form, _OWN_TURN, 0, n, 1.0)
    fill(planes, form, _LAST, 0, n, float(v.traitor_last))
    fill(planes, form, _DUE, 0, n, v.due / _MOVES)
    fill(planes, form, _LEFT, 0, n, v.moves / _MOVES)
    fill(planes, form, _MADE, 0, n, v.made / _MOVES)
    fill(planes, form, _COUNT, 0, n, v.rounds / _ROUNDS)
    fill(planes, form, _QUIET, 0, n, v.quiet / r.max_quiet_rounds)
