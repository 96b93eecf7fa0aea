"""Where things stand on a map: the unit and the tower in a zone, the name in a territory. All in map units."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gonfalon.games.conquest.maps.model import ZONES, Map, Point
from gonfalon.games.conquest.maps.outlines import Line, outline, ridge_line

TOWER = 30.0
"""Width and height of a city's tower."""
LETTER = 28.0
"""Size of the names. If a map of width 1000 is shown 360 px wide, they have 10 px."""
_SMALLEST = 24.0
_NARROW, _WIDE = "fijlrtI", "mMwW"
_BANNER = (0.72, 0.86)
"""Half the width and half the height of a unit's banner, in the reach of a middling zone: the page draws all of one
size.
"""
_RIDGE = 10.0
"""Half the width of a ridge."""
_WITHIN = 0.99
"""The share of a name that must lie in its territory. Among such places the one with the least in its way is chosen."""
_RASTER = 4.0
"""Distance between the places that are tried for a name."""


@dataclass(frozen=True)
class Spot:
    """`place`: the middle of the widest circle in a zone, `reach` its radius; `tower`: the middle of the city's
    tower.
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
    """The places in each zone."""
    lines = [outline(m, zone) for zone in range(len(m.zones))]
    circles = [find_widest_circle(line) for line in lines]
    banner = _banner_among([reach for _, reach in circles])
    spots = []
    for zone, (line, (place, reach)) in enumerate(zip(lines, circles, strict=True)):
        has_city = m.territories[zone // ZONES].city == zone % ZONES + 1
        spots.append(Spot(place, reach, _place_tower(line, place, reach, banner) if has_city else None))
    return tuple(spots)


def _banner_among(reaches: list[float]) -> Line:
    """Half the width and half the height of a banner on a map whose zones have these reaches."""
    return np.array(_BANNER) * sorted(reaches)[len(reaches) // 3]


def _place_tower(line: Line, place: Point, reach: float, banner: Line) -> Point:
    """A place for the tower inside the zone, off its edges, and beside the unit's banner: as little as may be of the
    tower lies on it.
    """
    at = _spread_places(line, 24)
    edge = measure_distance(at, line)
    unit = np.hypot(*(at - place).T)
    covered = _share_covered(at, np.full(2, TOWER / 2), place, banner)
    value = 2.0 * np.minimum(edge, 0.6 * TOWER) + np.minimum(unit, 0.6 * reach + 0.5 * TOWER) - 2.0 * TOWER * covered
    x, y = at[np.argmax(value - 100.0 * (edge < 0.51 * TOWER))]
    return round(float(x), 1), round(float(y), 1)


def place_name(m: Map, territory: int, known: tuple[Spot, ...]) -> Label:
    """Finds where a territory's name reads best: inside it, clear of the tower and, if possible, of the units."""
    own = range(ZONES * territory, ZONES * territory + ZONES)
    land = _Land([outline(m, z) for z in own], [ridge_line(m, i) for i in range(len(m.ridges))])
    words = m.territories[territory].name.split()
    ways = [(" ".join(words),), tuple(words)] if len(words) > 1 else [tuple(words)]
    banner = _banner_among([spot.reach for spot in known])
    best = (-np.inf, Label(ways[0], known[own[0]].place, _SMALLEST))
    for way in ways:
        for size in np.linspace(LETTER, _SMALLEST, 3):
            half = name_box(way, float(size)) / 2
            share = land.share(half)
            free = share - _weigh_cover(land.at, half, [known[z] for z in own], banner)
            value = 6.0 * free + 1.2 * size / LETTER - 100.0 * (share < _WITHIN)
            i = int(np.argmax(value))
            if value[i] > best[0]:
                x, y = (round(float(part), 1) for part in land.at[i])
                best = (float(value[i]), Label(way, (x, y), round(float(size), 1)))
    return best[1]


def name_box(lines: tuple[str, ...], size: float) -> Line:
    """The approximate width and height of a name in the page's font."""
    widths = [
        sum(0.29 if c in _NARROW else 0.84 if c in _WIDE else 0.6 if c.isupper() else 0.5 for c in w) for w in lines
    ]
    return np.array([max(widths), 0.75 + 0.9 * (len(lines) - 1)]) * size


class _Land:
    """Zones without the ridges at their edges, as a raster. It tells how much of a box lies in them.

    `at` are the places of the raster, (n, 2).
    """

    def __init__(self, lines: list[Line], ridges: list[Line]) -> None:
        every = np.concatenate(lines)
        self.low = every.min(axis=0)
        self.columns, self.rows = (max(int(n), 1) for n in np.ceil(np.ptp(every, axis=0) / _RASTER))
        x, y = np.meshgrid(np.arange(self.columns), np.arange(self.rows))
        self.at = self.low + (np.stack([x, y], axis=-1).reshape(-1, 2) + 0.5) * _RASTER
        within = np.logical_or.reduce([is_inside(self.at, line) for line in lines])
        for ridge in ridges:
            if ((ridge >= self.low) & (ridge <= every.max(axis=0))).all(axis=1).any():
                within &= measure_distance(self.at, ridge, closed=False) > _RIDGE
        within = within.reshape(self.rows, self.columns)
        self.sums = np.pad(within.cumsum(axis=0).cumsum(axis=1), ((1, 0), (1, 0)))

    def share(self, half: Line) -> Line:
        """The share of land in a box around each place. `half` is half the box's width and height. (n,)"""
        low = np.floor((self.at - half - self.low) / _RASTER).astype(int)
        high = np.ceil((self.at + half - self.low) / _RASTER).astype(int)
        whole = np.prod(high - low, axis=1)
        most = np.array([self.columns, self.rows])
        low, high = np.clip(low, 0, most), np.clip(high, 0, most)
        covered = self.sums[high[:, 1], high[:, 0]] - self.sums[low[:, 1], high[:, 0]]
        covered = covered - self.sums[high[:, 1], low[:, 0]] + self.sums[low[:, 1], low[:, 0]]
        found: Line = covered / whole
        return found


def _weigh_cover(at: Line, half: Line, own: list[Spot], banner: Line) -> Line:
    """How much of a name's box at each place is covered by banners (their share of it) and by the tower (counted
    more).
    """
    total = np.zeros(len(at))
    for spot in own:
        total += _share_covered(at, half, spot.place, banner)
        if spot.tower is not None:
            total += 4.0 * _share_covered(at, half, spot.tower, np.full(2, TOWER / 2))
    return total


def _share_covered(at: Line, half: Line, place: Point, other: Line) -> Line:
    """The share of a box around each place that another box covers. (n,)"""
    sides = np.minimum(at + half, place + other) - np.maximum(at - half, place - other)
    found: Line = np.prod(np.clip(sides, 0, None), axis=1) / np.prod(2 * half)
    return found


def find_widest_circle(line: Line) -> tuple[Point, float]:
    """Middle and radius of the widest circle inside a closed line, to a tenth of a unit."""
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
    """The distance of each place from a line. (n,)"""
    start, way = line, np.roll(line, -1, axis=0) - line
    if not closed:
        start, way = start[:-1], way[:-1]
    length = np.maximum((way**2).sum(axis=1), 1e-12)
    share = np.clip(((at[:, None] - start) * way).sum(axis=2) / length, 0, 1)
    gap = at[:, None] - (start + share[..., None] * way)
    nearest: Line = np.hypot(gap[..., 0], gap[..., 1]).min(axis=1)
    return nearest


def is_inside(at: Line, line: Line) -> NDArray[np.bool_]:
    """Which places lie inside a closed line. (n,)"""
    x, y = at[:, :1], at[:, 1:]
    start, end = line, np.roll(line, -1, axis=0)
    spans = (start[:, 1] > y) != (end[:, 1] > y)
    rise = np.where(end[:, 1] == start[:, 1], 1.0, end[:, 1] - start[:, 1])
    crossing = start[:, 0] + (y - start[:, 1]) / rise * (end[:, 0] - start[:, 0])
    found: NDArray[np.bool_] = (spans & (x < crossing)).sum(axis=1) % 2 == 1
    return found


def find_place_inside(line: Line) -> Point:
    """Some place inside a closed line."""
    at = _spread_places(line, 12)
    x, y = at[len(at) // 2]
    return float(x), float(y)


def _spread_places(line: Line, parts: int) -> Line:
    """Evenly spread places inside a closed line; its middle if there are none."""
    low, high = line.min(axis=0), line.max(axis=0)
    share = (np.arange(parts) + 0.5) / parts
    at = np.stack(np.meshgrid(*(low + share[:, None] * (high - low)).T), axis=-1).reshape(-1, 2)
    within = at[is_inside(at, line)]
    return within if len(within) else line.mean(axis=0, keepdims=True)
