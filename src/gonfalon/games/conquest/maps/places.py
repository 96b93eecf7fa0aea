"""Places on a map, in map units: the unit and the tower in a zone, the name in a territory."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from gonfalon.games.conquest.maps.model import ZONES, Map, Point
from gonfalon.games.conquest.maps.outlines import Line, outline, ridge_line

TOWER = 30.0
"""Width and height of a city's tower."""
LETTER = 33.0
"""Size of the names. A page shows a map of width 1000 with at least 330 px; then this is 11 px, the minimum to read."""
_NARROW, _WIDE = "fijlrtI", "mMwW"
_BANNER = (0.72, 0.86)
"""Half the width and half the height of a unit's banner, as shares of a typical zone's reach (`_banner_among`). The
page draws all banners in one size.
"""
_RIDGE = 10.0
"""Half the width of a ridge."""
_WITHIN = 0.99
"""Share of a name's box that must lie in its territory, or partly in the sea beside it. Among such places the one with
the fewest obstructions is chosen.
"""
_SEA = 0.5
"""Value of a name's area in the sea, relative to area on land."""
_SHORE = 14.0
"""Distance beyond all land that a name may reach: a page shows a little more of the sea."""
ROOM = 0.7
"""Share of the widest circle's radius that a unit keeps from the edges of its zone when it moves to make room for a
name.
"""
_RASTER = 4.0
"""Distance between the places that are tried for a name."""


@dataclass(frozen=True)
class Spot:
    """`place`: where a unit stands, either the middle of the widest circle in a zone, or a point near it if a name
    needs the room. `reach`: the radius of that circle. `tower`: the middle of the city's tower.
    """

    place: Point
    reach: float
    tower: Point | None


@dataclass(frozen=True)
class Label:
    """A territory's name: its lines, the middle of all lines, and the size of the letters."""

    lines: tuple[str, ...]
    place: Point
    size: float


def find_spots(m: Map) -> tuple[Spot, ...]:
    """Return the places in each zone. Names are placed first, clear of the units if possible; then the units move to
    make room for them.
    """
    lines = [outline(m, zone) for zone in range(len(m.zones))]
    circles = [find_widest_circle(line) for line in lines]
    banner = _banner_among([reach for _, reach in circles])
    spots = []
    for zone, (line, (place, reach)) in enumerate(zip(lines, circles, strict=True)):
        has_city = m.territories[zone // ZONES].city == zone % ZONES + 1
        spots.append(Spot(place, reach, _place_tower(line, place, reach, banner) if has_city else None))
    names = place_names(m, tuple(spots))
    each = enumerate(zip(lines, spots, strict=True))
    return tuple(_make_way(line, spot, names[zone // ZONES], banner) for zone, (line, spot) in each)


def _make_way(line: Line, spot: Spot, name: Label, banner: Line) -> Spot:
    """Return the spot with its unit moved to a place near the old one where it covers the least of the name and of the
    tower.
    """
    spread = _spread_places(line, 32)
    roomy = spread[measure_distance(spread, line) >= ROOM * spot.reach]
    at = np.concatenate([[spot.place], roomy])
    covered = _share_covered(at, banner, name.place, name_box(name.lines, name.size) / 2)
    if covered[0] == 0.0:
        return spot
    if spot.tower is not None:
        covered = covered + 2.0 * _share_covered(at, banner, spot.tower, np.full(2, TOWER / 2))
    far = np.hypot(*(at - spot.place).T) / spot.reach
    x, y = at[np.argmin(covered + 0.1 * far)]
    return replace(spot, place=(round(float(x), 1), round(float(y), 1)))


def _banner_among(reaches: list[float]) -> Line:
    """Return half the width and half the height of a banner on a map whose zones have these reaches."""
    return np.array(_BANNER) * sorted(reaches)[len(reaches) // 3]


def _place_tower(line: Line, place: Point, reach: float, banner: Line) -> Point:
    """Return a place for the tower inside the zone, away from its edges, where the unit's banner covers as little of it
    as possible.
    """
    at = _spread_places(line, 24)
    edge = measure_distance(at, line)
    unit = np.hypot(*(at - place).T)
    covered = _share_covered(at, np.full(2, TOWER / 2), place, banner)
    value = 2.0 * np.minimum(edge, 0.6 * TOWER) + np.minimum(unit, 0.6 * reach + 0.5 * TOWER) - 2.0 * TOWER * covered
    x, y = at[np.argmax(value - 100.0 * (edge < 0.51 * TOWER))]
    return round(float(x), 1), round(float(y), 1)


def place_names(m: Map, known: tuple[Spot, ...]) -> tuple[Label, ...]:
    """Return the best place for each territory's name: inside the territory, clear of the tower and, if possible, of
    the units.
    """
    banner = _banner_among([spot.reach for spot in known])
    names = []
    for number, (territory, land) in enumerate(zip(m.territories, _lands(m), strict=True)):
        own = known[ZONES * number : ZONES * number + ZONES]
        names.append(_place_name(territory.name, land, list(own), banner))
    return tuple(names)


@cache
def _lands(m: Map) -> tuple[_Land, ...]:
    """Return all territories, for placing names in them."""
    lines = [outline(m, z) for z in range(len(m.zones))]
    ridges = [ridge_line(m, i) for i in range(len(m.ridges))]
    starts = range(0, len(m.zones), ZONES)
    return tuple(_Land(lines, range(start, start + ZONES), ridges) for start in starts)


def _place_name(name: str, land: _Land, own: list[Spot], banner: Line) -> Label:
    words = name.split()
    ways = [(" ".join(words),), tuple(words)] if len(words) > 1 else [tuple(words)]
    best = (-np.inf, Label(ways[0], own[0].place, LETTER))
    for way in ways:
        half = name_box(way, LETTER) / 2
        ashore, share = land.share(half)
        free = ashore + _SEA * (share - ashore) - _weigh_cover(land.at, half, own, banner)
        value = free - 10.0 * np.clip(_WITHIN - share, 0, None)
        i = int(np.argmax(value))
        if value[i] > best[0]:
            x, y = (round(float(part), 1) for part in land.at[i])
            best = (float(value[i]), Label(way, (x, y), LETTER))
    return best[1]


def name_box(lines: tuple[str, ...], size: float) -> Line:
    """Return the approximate width and height of a name in the page's font."""
    widths = [
        sum(0.29 if c in _NARROW else 0.84 if c in _WIDE else 0.6 if c.isupper() else 0.5 for c in w) for w in lines
    ]
    return np.array([max(widths), 0.75 + 0.9 * (len(lines) - 1)]) * size


class _Land:
    """Rasters of a territory's zones without the ridges at their edges, and of the sea around them. They show how much
    of a box lies in these areas.

    `at` are the places of the rasters, (n, 2).
    """

    def __init__(self, lines: list[Line], own: range, ridges: list[Line]) -> None:
        """`lines`: the outlines of all zones; `own`: the zones of the territory."""
        all_land, every = np.concatenate(lines), np.concatenate([lines[z] for z in own])
        margin = 2 * LETTER
        self.low = np.maximum(every.min(axis=0) - margin, all_land.min(axis=0) - _SHORE)
        high = np.minimum(every.max(axis=0) + margin, all_land.max(axis=0) + _SHORE)
        self.columns, self.rows = (max(int(n), 1) for n in np.floor((high - self.low) / _RASTER))
        x, y = np.meshgrid(np.arange(self.columns), np.arange(self.rows))
        self.at = self.low + (np.stack([x, y], axis=-1).reshape(-1, 2) + 0.5) * _RASTER
        held = np.full(len(self.at), -1)
        for z, line in enumerate(lines):
            beside = self._find_near(line)
            held[beside] = np.where(is_inside(self.at[beside], line), z, held[beside])
        land = np.isin(held, own)
        # A lake between zones does not count as sea.
        middle, far = all_land.mean(axis=0), every.mean(axis=0)
        sea = (held < 0) & (np.hypot(*(self.at - middle).T) > np.hypot(*(far - middle)))
        for ridge in ridges:
            beside = self._find_near(ridge, _RIDGE)
            blocked = beside[measure_distance(self.at[beside], ridge, closed=False) <= _RIDGE]
            land[blocked] = sea[blocked] = False
        self.sums = [self._sum_up(land), self._sum_up(land | sea)]

    def _find_near(self, line: Line, margin: float = 0.0) -> NDArray[np.intp]:
        """Return the places in the bounding box of a line."""
        within = (self.at >= line.min(axis=0) - margin) & (self.at <= line.max(axis=0) + margin)
        found: NDArray[np.intp] = np.flatnonzero(within.all(axis=1))
        return found

    def _sum_up(self, within: NDArray[np.bool_]) -> Line:
        """Return, for each corner of the raster, the number of places within that are above and to the left of it."""
        raster = within.reshape(self.rows, self.columns)
        found: Line = np.pad(raster.cumsum(axis=0).cumsum(axis=1), ((1, 0), (1, 0)))
        return found

    def share(self, half: Line) -> list[Line]:
        """Return the share of a box around each place that lies in the territory, and the share that lies in territory
        or sea. `half`: half the box's width and height. (n,) each
        """
        low = np.floor((self.at - half - self.low) / _RASTER).astype(int)
        high = np.ceil((self.at + half - self.low) / _RASTER).astype(int)
        whole = np.prod(high - low, axis=1)
        most = np.array([self.columns, self.rows])
        low, high = np.clip(low, 0, most), np.clip(high, 0, most)

        def count(sums: Line) -> Line:
            covered = sums[high[:, 1], high[:, 0]] - sums[low[:, 1], high[:, 0]]
            found: Line = (covered - sums[high[:, 1], low[:, 0]] + sums[low[:, 1], low[:, 0]]) / whole
            return found

        return [count(sums) for sums in self.sums]


def _weigh_cover(at: Line, half: Line, own: list[Spot], banner: Line) -> Line:
    """Return how much of a name's box at each place is covered: by banners (their share of it) and by the tower (which
    counts more).
    """
    total = np.zeros(len(at))
    for spot in own:
        total += _share_covered(at, half, spot.place, banner)
        if spot.tower is not None:
            total += 4.0 * _share_covered(at, half, spot.tower, np.full(2, TOWER / 2))
    return total


def _share_covered(at: Line, half: Line, place: Point, other: Line) -> Line:
    """Return the share of a box around each place that another box covers. (n,)"""
    sides = np.minimum(at + half, place + other) - np.maximum(at - half, place - other)
    found: Line = np.prod(np.clip(sides, 0, None), axis=1) / np.prod(2 * half)
    return found


def find_widest_circle(line: Line) -> tuple[Point, float]:
    """Return middle and radius of the widest circle inside a closed line, to a tenth of a unit."""
    at = _spread_places(line, 12)
    step = np.ptp(line, axis=0).max() / 12
    best = at[np.argmax(measure_distance(at, line))]
    for _ in range(5):
        spread = np.linspace(-step, step, 7)
        at = best + np.stack(np.meshgrid(spread, spread), axis=-1).reshape(-1, 2)
        reach = np.where(is_inside(at, line), measure_distance(at, line), -1)
        best, step = at[np.argmax(reach)], step / 3
    return (round(float(best[0]), 1), round(float(best[1]), 1)), float(reach.max())


def measure_distance(at: Line, line: Line, *, closed: bool = True) -> Line:
    """Return the distance of each place from a line. (n,)"""
    start, way = line, np.roll(line, -1, axis=0) - line
    if not closed:
        start, way = start[:-1], way[:-1]
    length = np.maximum((way**2).sum(axis=1), 1e-12)
    share = np.clip(((at[:, None] - start) * way).sum(axis=2) / length, 0, 1)
    gap = at[:, None] - (start + share[..., None] * way)
    nearest: Line = np.hypot(gap[..., 0], gap[..., 1]).min(axis=1)
    return nearest


def is_inside(at: Line, line: Line) -> NDArray[np.bool_]:
    """Return which places lie inside a closed line. (n,)"""
    x, y = at[:, :1], at[:, 1:]
    start, end = line, np.roll(line, -1, axis=0)
    spans = (start[:, 1] > y) != (end[:, 1] > y)
    rise = np.where(end[:, 1] == start[:, 1], 1.0, end[:, 1] - start[:, 1])
    crossing = start[:, 0] + (y - start[:, 1]) / rise * (end[:, 0] - start[:, 0])
    found: NDArray[np.bool_] = (spans & (x < crossing)).sum(axis=1) % 2 == 1
    return found


def find_place_inside(line: Line) -> Point:
    """Return a place inside a closed line."""
    at = _spread_places(line, 12)
    x, y = at[len(at) // 2]
    return float(x), float(y)


def _spread_places(line: Line, parts: int) -> Line:
    """Return evenly spread places inside a closed line; its middle if there are none."""
    low, high = line.min(axis=0), line.max(axis=0)
    share = (np.arange(parts) + 0.5) / parts
    at = np.stack(np.meshgrid(*(low + share[:, None] * (high - low)).T), axis=-1).reshape(-1, 2)
    within = at[is_inside(at, line)]
    return within if len(within) else line.mean(axis=0, keepdims=True)
