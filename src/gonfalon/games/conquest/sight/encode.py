"""Observation tensors. This file lists every channel once, with its meaning. Reads only views, never states."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gonfalon.engine.game import Tensors
from gonfalon.engine.view import View
from gonfalon.games.conquest import state as g
from gonfalon.games.conquest.ruleset import CARDS, TYPES
from gonfalon.games.conquest.sight.view import own_zones

_TYPES = TYPES[1:]
_PHASES = ("lots", "draft", "deploy", "draw", "card", "aim", "order", "guess", "unit", "raise", "move", "over")
_SEATS = ("own", "next", "second", "third")
"""The players clockwise from the viewer. With two players the opponent is `next`."""
_MANY, _PILE, _DRAWN, _MOVES, _ROUNDS = 4, 16, 4, 12, 100
"""Numbers that become 1 in a plane: units or Flags of one kind, cards of one kind in a pile, cards of one kind on the
table, moves, rounds.
"""

CHANNELS: tuple[str, ...] = (
    # Per zone: the viewer's knowledge of other players' units, and everything about the viewer's own.
    "land",  # 1 where the map has a zone
    "city",  # 1 in territories with a city
    *(f"unit {seat}" for seat in _SEATS),  # 1 where a unit of this player stands
    *(f"is {name}" for name in _TYPES),  # 1 where the viewer knows that the unit is of this type
    "hidden",  # 1 for a unit whose type the viewer does not know
    "seen",  # 1 where at least one player besides the owner knows the type
    "among",  # 1 where the unit is known to be in a group
    "public",  # 1 where all know the type
    *(f"among {name}" for name in _TYPES),  # share of this type in the unit's group, as far as known
    *(f"not {name}" for name in _TYPES),  # 1 where the unit is known not to be of this type
    *(f"owned {seat}" for seat in _SEATS),  # 1 in territories that this player chose
    *(f"held {seat}" for seat in _SEATS),  # 1 in territories that this player controls
    *(f"laid {name}" for name in _TYPES),  # 1 where the viewer's open choice puts this type
    "decided",  # 1 on zones that the open choice has already decided
    "target",  # 1 on zones that were named for the card
    "last from",  # 1 on the zone from which the last unit moved
    "last to",  # 1 on the zone to which it moved, and on zones where a card was carried out
    # One value for the whole plane, a plane for each player.
    *(f"reserve {name} {seat}" for seat in _SEATS for name in _TYPES),  # known to be in the player's reserve, of 4
    *(f"reserve size {seat}" for seat in _SEATS),  # number of units in the reserve, of 18
    *(f"flag {seat}" for seat in _SEATS),  # 1 if the player's Flag is on the board
    *(f"holds {seat}" for seat in _SEATS),  # Flags of other players that this player holds, of 4
    *(f"master {seat}" for seat in _SEATS),  # 1 if all know that the player's Spy Master is on the board
    *(f"plays {seat}" for seat in _SEATS),  # 1 if the match has the player and the player is not out
    *(f"mover {seat}" for seat in _SEATS),  # 1 if it is the player's turn
    *(f"ready {seat}" for seat in _SEATS),  # 1 if the player's units are placed
    # One value for the whole plane.
    *(f"pile {name}" for name in CARDS),  # of 16
    *(f"discard {name}" for name in CARDS),  # of 16
    *(f"drawn {name}" for name in CARDS),  # of 4, cards on the table
    *(f"plays card {name}" for name in CARDS),  # 1 while this card is carried out
    *(
        f"in hand {name}" for name in _TYPES
    ),  # 1 if the unit drawn from the reserve is of this type and the viewer knows it
    "in hand",  # 1 if a unit drawn from the reserve is not placed yet
    *(f"phase {name}" for name in _PHASES),
    "own turn",  # 1 if the viewer is to act
    "traitor last",  # 1 while the Traitor lies at the bottom of the pile
    "due",  # cards still to be drawn, of 12
    "moves",  # moves left, of 12
    "made",  # moves made in this turn, of 12
    "rounds",  # rounds / 100, at most 1
    "quiet",  # quiet rounds in a row, of the number that ends the match
)
WHERE = {name: k for k, name in enumerate(CHANNELS)}


def encode(view: View, rules: NDArray[np.void]) -> Tensors:
    """Return planes float32 (channels, 1, 72). A zone has the same number as in actions, on every map. A spectator sees
    from the first seat.
    """
    planes = np.zeros((len(CHANNELS), 1, g.ZONES), np.float32)
    at = planes[:, 0]
    players = int(rules[0]["players"])
    me = view.observer if 0 <= view.observer < players else 0
    seats = [(me + k) % players for k in range(players)]
    _map(at, view, rules, seats)
    _units(at, view)
    _choice(at, view)
    for k, side in enumerate(seats):
        _player(at, view, side, _SEATS[k], players)
    _cards(at, view)
    _whole(at, view, rules)
    return Tensors(planes, CHANNELS)


Planes = NDArray[np.float32]
"""(channels, 72)"""


def _of(name: str, count: int = len(_TYPES)) -> slice:
    """Return `count` consecutive channels, beginning with `name`."""
    return slice(WHERE[name], WHERE[name] + count)


def _types(name: str) -> slice:
    """Return the channels that begin with `name` and end with a type."""
    return _of(f"{name} {_TYPES[0]}")


def _map(at: Planes, view: View, rules: NDArray[np.void], seats: list[int]) -> None:
    """Fill the planes of the map, the owners of territories, and the places of units."""
    zones = int(rules[0]["zones"])
    territory = np.arange(zones) // g.IN_TERRITORY
    at[WHERE["land"], :zones] = 1
    at[WHERE["city"], :zones] = rules[0]["city"][territory]
    sides = np.where(view.at == g.NONE, g.NONE, view.at // g.ARMY)
    for k, side in enumerate(seats):
        at[WHERE[f"unit {_SEATS[k]}"]] = sides == side
        at[WHERE[f"owned {_SEATS[k]}"], :zones] = view.owner[territory] == side
        at[WHERE[f"held {_SEATS[k]}"], :zones] = view.control[territory] == side


def _units(at: Planes, view: View) -> None:
    zones = np.flatnonzero(view.at != g.NONE)
    slots = view.at[zones]
    kind, marks = view.kind[slots], view.marks[slots]
    types = np.arange(1, g.TYPES)[:, None]
    at[_types("is"), zones] = kind == types
    at[WHERE["hidden"], zones] = kind == g.HIDDEN
    at[WHERE["seen"], zones], at[WHERE["among"], zones] = marks == g.SEEN, marks == g.AMONG
    at[WHERE["public"], zones] = view.public[slots]
    at[_types("not"), zones] = view.ruled_out[slots] >> types & 1
    group = view.group[slots]
    grouped = group != g.NONE
    if grouped.any():
        sizes = np.bincount(view.group[view.group != g.NONE], minlength=g.UNITS) + view.in_reserve
        labels = group[grouped]
        at[_types("among"), zones[grouped]] = view.among[labels, 1:].T / sizes[labels]


def _choice(at: Planes, view: View) -> None:
    """Fill the planes of the viewer's open choice and of the last act."""
    chosen = view.chosen[: view.n_chosen]
    at[WHERE["target"], chosen] = 1
    zones, kinds = np.zeros(0, int), np.zeros(0, np.uint8)
    if view.phase == g.ORDER:
        zones, kinds = np.sort(chosen)[: view.n_ordered], view.ordered[: view.n_ordered]
    elif view.phase == g.DEPLOY and 0 <= view.observer < g.PLAYERS:
        own, count = own_zones(view, view.observer), int(view.placed[view.observer])
        zones, kinds = np.array(own[:count], int), view.laid[view.observer, :count]
    at[WHERE["decided"], zones] = 1
    at[_types("laid"), zones] = kinds == np.arange(1, g.TYPES)[:, None]
    act, *last = view.last.tolist()
    for k, zone in enumerate(last):
        if zone != g.NONE:
            at[WHERE["last from" if k == 0 and act in (g.MOVED, g.ATTACKED) else "last to"], zone] = 1


def _player(at: Planes, view: View, side: int, seat: str, players: int) -> None:
    holds = sum(int(view.holder[other]) == side for other in range(players) if other != side)
    at[_of(f"reserve {_TYPES[0]} {seat}")] = np.minimum(view.reserve[side, 1:] / _MANY, 1)[:, None]
    at[WHERE[f"reserve size {seat}"]] = view.n_reserve[side] / g.ARMY
    at[WHERE[f"flag {seat}"]] = view.holder[side] == side
    at[WHERE[f"holds {seat}"]] = holds / _MANY
    at[WHERE[f"master {seat}"]] = view.master[side]
    at[WHERE[f"plays {seat}"]] = view.out[side] == g.IN
    at[WHERE[f"mover {seat}"]] = view.mover == side
    at[WHERE[f"ready {seat}"]] = view.ready[side]


def _cards(at: Planes, view: View) -> None:
    for name, counts, most in (
        ("pile", view.pile, _PILE),
        ("discard", view.discard, _PILE),
        ("drawn", view.table, _DRAWN),
    ):
        at[_of(f"{name} {CARDS[0]}", g.CARDS)] = np.minimum(counts / most, 1)[:, None]
    if view.playing != g.NONE:
        at[WHERE[f"plays card {CARDS[view.playing]}"]] = 1
    if view.hand != g.NONE:
        at[WHERE["in hand"]] = 1
        kind = int(view.kind[view.hand])
        if kind != g.HIDDEN:
            at[WHERE[f"in hand {TYPES[kind]}"]] = 1


def _whole(at: Planes, view: View, rules: NDArray[np.void]) -> None:
    at[WHERE["phase lots"] + int(view.phase)] = 1
    at[WHERE["own turn"]] = view.n_legal > 0
    at[WHERE["traitor last"]] = view.traitor_last
    for name, number in (("due", view.due), ("moves", view.moves), ("made", view.made)):
        at[WHERE[name]] = min(1.0, number / _MOVES)
    at[WHERE["rounds"]] = min(1.0, view.rounds / _ROUNDS)
    at[WHERE["quiet"]] = min(1.0, view.quiet / rules[0]["max_quiet_rounds"])
