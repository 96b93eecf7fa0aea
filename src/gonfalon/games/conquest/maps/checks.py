"""Checks of a map (CQ-3). Each fault names the file, the territory and the zone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from gonfalon.games.conquest.maps.borders import Borders, find_borders, next_quarter
from gonfalon.games.conquest.maps.drawn import find_outline_faults, find_point_faults
from gonfalon.games.conquest.maps.model import ZONES, Map, MapError
from gonfalon.games.conquest.maps.reading import read

UNITS = 18
"""Number of a player's units (CQ-1). The player's share of the zones must have room for them (CQ-7)."""
WAYS_OUT = 2


def load(path: Path) -> Map:
    """Return the map in a file. Raises `MapError` with all its faults."""
    m = read(path)
    if found := find_faults(m):
        raise MapError(found)
    return m


def find_faults(m: Map) -> tuple[str, ...]:
    """Return all faults of a well-formed map; none if it can be used."""
    b = find_borders(m)
    drawn = [*find_point_faults(m), *find_outline_faults(m)]
    found = [*_check_counts(m), *drawn, *_check_pieces(m), *_check_ways(m, b), *_check_ridges(m, b)]
    if m.symmetric and not drawn:
        # Faults of the drawing itself would only be reported twice.
        found += _check_symmetry(m, b)
    return tuple(f"{m.file}: {fault}" for fault in found)


def _check_counts(m: Map) -> Iterator[str]:
    if len(m.territories) != m.territory_count:
        yield f"territories: there are {len(m.territories)}, not {m.territory_count}"
    cities = [territory for territory in m.territories if territory.city]
    if len(cities) != m.city_count:
        yield f"cities: there are {len(cities)}, not {m.city_count}"
    for what, of in (("territories", m.territories), ("cities", cities)):
        shares = {name: sum(territory.quarter == name for territory in of) for name in m.quarters}
        if len(set(shares.values())) > 1:
            told = ", ".join(f"{name} {count}" for name, count in shares.items())
            yield f"quarters: they have unequal shares of the {what}: {told}"
    for n in m.players:
        if len(m.territories) % n:
            yield f"players: {len(m.territories)} territories are no equal shares for {n}"
        elif ZONES * len(m.territories) // n < UNITS:
            yield f"players: {ZONES * len(m.territories) // n} zones each for {n}, but a player has {UNITS} units"


def _check_pieces(m: Map) -> Iterator[str]:
    """Yield territories in pieces. Shared edges, ridges included, must join the three zones of a territory."""
    touching = {frozenset(pair) for zones in m.edges.values() for pair in ((a, b) for a in zones for b in zones)}
    for t, territory in enumerate(m.territories):
        own = range(ZONES * t, ZONES * t + ZONES)
        reached = _reach(own[0], {z: [w for w in own if {z, w} in touching] for z in own})
        for z in own:
            if z not in reached:
                yield f"{territory.name}: zone {z % ZONES + 1} does not hang together with zone 1"


def _check_ways(m: Map, b: Borders) -> Iterator[str]:
    """Check the ways between zones: all zones are connected, and each territory has at least two ways out."""
    near = dict(enumerate(b.near))
    mainland = max((_reach(z, near) for z in near), key=len, default=set())
    for z in near:
        if z not in mainland:
            yield f"{m.zone_name(z)}: no way leads there"
    for t, territory in enumerate(m.territories):
        own = range(ZONES * t, ZONES * t + ZONES)
        out = sum(other not in own for z in own for other in b.near[z])
        if out < WAYS_OUT:
            yield f"{territory.name}: must have at least {WAYS_OUT} ways out, not {out}"


def _check_ridges(m: Map, b: Borders) -> Iterator[str]:
    quarter = [m.territories[z // ZONES].quarter for z in range(len(m.zones))]
    ridged = {quarter[z] for pair in b.ridged for z in pair}
    for name in m.quarters:
        if name not in ridged:
            yield f"ridges: none blocks a border in the quarter {name}"


def _check_symmetry(m: Map, b: Borders) -> Iterator[str]:
    """Check that each quarter has the same borders, ridges and cities as the next one."""
    sizes = {sum(territory.quarter == name for territory in m.territories) for name in m.quarters}
    if len(sizes) > 1:
        return  # `_check_counts` reports this
    turn = next_quarter(m)
    for z, image in turn.items():
        here, there = m.territories[z // ZONES], m.territories[image // ZONES]
        if z % ZONES == 0 and here.city and not there.city:
            yield f"symmetric: {here.name} has a city, {there.name} in the next quarter has none"
    kinds = dict.fromkeys(b.pairs, "a border") | dict.fromkeys(b.ridged, "a ridge between them")
    told: set[frozenset[tuple[int, int]]] = set()
    for pair, kind in kinds.items():
        image_pair = min(turn[pair[0]], turn[pair[1]]), max(turn[pair[0]], turn[pair[1]])
        both = frozenset((pair, image_pair))
        if kinds.get(image_pair) != kind and both not in told:
            told.add(both)
            names = [" and ".join(m.zone_name(z) for z in zones) for zones in (pair, image_pair)]
            other = kinds.get(image_pair, "none")
            yield f"symmetric: {names[0]} have {kind}, {names[1]} in the next quarter have {other}"


def _reach(start: int, near: dict[int, tuple[int, ...]] | dict[int, list[int]]) -> set[int]:
    reached, edge = {start}, [start]
    while edge:
        for z in near[edge.pop()]:
            if z not in reached:
                reached.add(z)
                edge.append(z)
    return reached
