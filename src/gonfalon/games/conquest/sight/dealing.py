"""Deals hidden units to seats. All possible deals are equally likely.

A seat is a slot whose unit the viewer does not know. A unit known to be in a group gets one of the group's seats.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from gonfalon.games.conquest import state as g

TRIES = 300
"""Number of random deals that are tried before a search for a deal."""

Accepts = Callable[[list[int]], bool]
"""Test whether the match allows a deal, given as types by seat."""


class NoWorldError(RuntimeError):
    """No consistent deal was found. This cannot happen for the view of a real match."""


class Seat(NamedTuple):
    slot: int
    group: int
    """Slot that names the seat's group in the view, or NONE."""
    barred: int
    """Bit t is set if no unit of type t can be here."""


class Unit(NamedTuple):
    kind: int
    group: int
    """Group that the unit is known to be in, or NONE."""


def deal(units: list[Unit], seats: list[Seat], accepts: Accepts, rng: np.random.Generator) -> list[int]:
    """Return the types by seat. Raises `NoWorldError`."""
    if len(units) != len(seats):
        raise NoWorldError(f"{len(units)} units for {len(seats)} seats")
    masks = find_places(set(units), seats)
    units = sorted(units, key=lambda unit: masks[unit].bit_count())
    places = [masks[unit] for unit in units]
    most, found = _most_ways(places), None
    for _ in range(TRIES):
        taken, ways = _try(places, rng)
        if not ways or not accepts(kinds := _kinds_by_seat(units, taken)):
            continue
        found = kinds
        if ways >= most or rng.random() * most < ways:
            return kinds
    return found if found is not None else _search(units, places, accepts, rng)


def find_places(units: set[Unit], seats: list[Seat]) -> dict[Unit, int]:
    """Return the seats that each unit may have: bit k for seat k."""
    alike: dict[tuple[int, int], int] = {}
    for k, (_, group, barred) in enumerate(seats):
        alike[group, barred] = alike.get((group, barred), 0) | 1 << k
    return {
        unit: sum(
            mask
            for (group, barred), mask in alike.items()
            if unit.group in (g.NONE, group) and not barred >> unit.kind & 1
        )
        for unit in units
    }


def _kinds_by_seat(units: list[Unit], taken: list[int]) -> list[int]:
    kinds = [0] * len(units)
    for unit, seat in zip(units, taken, strict=True):
        kinds[seat] = unit.kind
    return kinds


def _most_ways(places: list[int]) -> float:
    """Return an upper bound for the number of ways in which `_try` makes a deal. A seat does not count for a unit if
    earlier units must have taken it, because all their seats are among this unit's seats. The bound is exact for every
    deal if any two sets of seats are disjoint or one contains the other.
    """
    most = 1.0
    earlier: dict[int, int] = {}
    for mask in places:
        taken = sum(count for other, count in earlier.items() if not other & ~mask)
        most *= max(mask.bit_count() - taken, 1)
        earlier[mask] = earlier.get(mask, 0) + 1
    return most


def _try(places: list[int], rng: np.random.Generator) -> tuple[list[int], float]:
    """Give seats to the units, one after another. Also return the number of ways to choose; 0 if a unit found no
    seat.
    """
    every = free = (1 << len(places)) - 1
    taken: list[int] = []
    ways = 1.0
    lots = rng.random(len(places)).tolist()
    for mask, lot in zip(places, lots, strict=True):
        options = _bits(mask & free)
        if mask == every or not options:
            break
        ways *= len(options)
        taken.append(options[int(lot * len(options))])
        free -= 1 << taken[-1]
    rest = _bits(free)
    if places[len(taken) :] != [every] * len(rest):
        return taken, 0.0
    for count in range(len(rest), 0, -1):
        ways *= count
    return taken + rng.permutation(rest).tolist(), ways


def _bits(mask: int) -> list[int]:
    bits = []
    while mask:
        low = mask & -mask
        bits.append(low.bit_length() - 1)
        mask -= low
    return bits


def _search(units: list[Unit], places: list[int], accepts: Accepts, rng: np.random.Generator) -> list[int]:
    """Find a deal when only few are allowed. The match's condition depends on one unit in one seat, so try each unit in
    each seat. Raises `NoWorldError`.
    """
    pairs = [(k, seat) for k, mask in enumerate(places) for seat in _bits(mask)]
    for at in rng.permutation(len(pairs)).tolist():
        k, seat = pairs[at]
        fixed = [mask & ~(1 << seat) for mask in places]
        fixed[k] = 1 << seat
        taken = _match_seats(fixed, rng)
        if taken is not None and accepts(kinds := _kinds_by_seat(units, taken)):
            return kinds
    raise NoWorldError("no deal fits this view")


def _match_seats(places: list[int], rng: np.random.Generator) -> list[int] | None:
    """Return a seat for each unit, or None if that is impossible. Units that already have a seat move to make room
    (augmenting paths).
    """
    holder: dict[int, int] = {}

    def find_seat(unit: int, asked: set[int]) -> bool:
        for seat in rng.permutation(_bits(places[unit])).tolist():
            if seat not in asked:
                asked.add(seat)
                if seat not in holder or find_seat(holder[seat], asked):
                    holder[seat] = unit
                    return True
        return False

    if not all(find_seat(unit, set()) for unit in rng.permutation(len(places)).tolist()):
        return None
    seats = {unit: seat for seat, unit in holder.items()}
    return [seats[unit] for unit in range(len(places))]
