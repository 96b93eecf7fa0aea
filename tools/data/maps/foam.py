"""Turns cells into corners that zones share. The corners then settle like a foam, inside a coast without symmetry.

Each zone has a target area, and each edge has its own tension. The neighbours of a zone never change, so the borders
stay symmetric while the drawing varies.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from cells import SEA, Points, turned
from numpy.typing import NDArray

NDArrayInt = NDArray[np.int64]
NDArrayBool = NDArray[np.bool_]

SHORTEST = 40.0
"""Minimum length of edges between zones, in map units, so that borders can be seen. Shorter edges are stretched."""
SHORTEST_COAST = 90.0
STIFF = 0.03
"""Factor of an edge's length in its pull. It keeps corners in the middle of their neighbours."""
INLAND = 150.0
"""Distance from the centre within which a shore belongs to the lake, not to the coast."""


@dataclass
class Foam:
    """`zones[z]`: numbers of corners in drawing order. `beyond[z][i]`: the zone across the edge from corner i to corner
    i + 1.
    """

    corners: Points
    zones: list[list[int]]
    beyond: list[list[int]]
    lake: list[int]
    """Corners of the lake at the centre, in the same direction as those of zones; empty if there is no lake."""

    def edges(self) -> dict[tuple[int, int], list[int]]:
        """Return the zones at each edge. An edge is a pair of corners, the lower one first."""
        found: dict[tuple[int, int], list[int]] = {}
        for z, ring in enumerate(self.zones):
            for a, b in zip(ring, ring[1:] + ring[:1], strict=True):
                found.setdefault((min(a, b), max(a, b)), []).append(z)
        return found


def gather(cells: list[list[tuple[float, float, int]]], fold: int) -> Foam:
    """Return the whole land from one sector's cells. Beyond an edge is a zone, or SEA, which here includes the lake."""
    count = len(cells)
    places: list[Points] = []
    foam = Foam(np.zeros((0, 2)), [], [], [])
    for k in range(fold):
        for cell in cells:
            sides = [label for _, _, label in cell]
            starts = [i for i in range(len(cell)) if sides[i] != sides[i - 1]]
            spots = turned(np.array([cell[i][:2] for i in starts]), k, fold)
            foam.zones.append([_number(places, spot) for spot in spots])
            foam.beyond.append([_across(sides[i], k, fold, count) for i in starts])
    foam.corners = np.array(places)
    shore = [corner for (a, b), zones in foam.edges().items() if len(zones) == 1 for corner in (a, b)]
    lake = {corner for corner in shore if np.hypot(*foam.corners[corner]) < INLAND}
    foam.lake = sorted(lake, key=lambda corner: float(np.arctan2(*foam.corners[corner][::-1])))
    return foam


def _number(places: list[Points], spot: Points) -> int:
    for i, place in enumerate(places):
        if np.hypot(*(place - spot)) < 1.5:
            return i
    places.append(spot)
    return len(places) - 1


def _across(label: int, k: int, fold: int, count: int) -> int:
    if label == SEA or label >= fold * count:
        return SEA
    return (label // count + k) % fold * count + label % count


@dataclass
class Coast:
    """A closed curve around the origin: a rounded square whose radius varies with the angle by a sum of waves."""

    radius: float
    power: float
    waves: Points
    """Rows of (number of waves in a full turn, height as a share of the radius, phase)."""

    def at(self, angles: Points) -> Points:
        cos, sin = np.cos(angles), np.sin(angles)
        reach = self.radius / (np.abs(cos) ** self.power + np.abs(sin) ** self.power) ** (1 / self.power)
        for times, share, phase in self.waves:
            reach = reach * (1 + share * np.cos(times * angles + phase))
        return np.stack([reach * cos, reach * sin], axis=-1)

    def between(self, a: Points, b: Points, parts: int) -> Points:
        """Return points of the curve from the angle of point `a` to the angle of `b`, the short way, including both
        ends.
        """
        start = np.arctan2(a[1], a[0])
        turn = (np.arctan2(b[1], b[0]) - start + np.pi) % (2 * np.pi) - np.pi
        return self.at(start + turn * np.linspace(0, 1, parts + 1))


def settle(
    foam: Foam, coast: Coast, wishes: Points, lake: float, tension: dict[tuple[int, int], float], rounds: int
) -> None:
    """Move the corners until the areas match `wishes` (shares of the mean) and `lake`, as far as the tensions allow."""
    outer = outer_edges(foam)
    on_coast = np.array(sorted({corner for edge in outer for corner in edge}))
    _pull_to_coast(foam, coast, on_coast)
    prior = {
        (foam.zones[z][i], foam.zones[z][(i + 1) % len(foam.zones[z])]): z
        for z in range(len(foam.zones))
        for i in range(len(foam.zones[z]))
    }
    lens = np.zeros(len(foam.zones))
    edges = list(foam.edges())
    pulls = np.array([tension[edge] for edge in edges])
    ends = np.array(edges)
    shore = set(foam.lake)
    inner = np.array([len(zones) == 2 or shore >= set(edge) for edge, zones in foam.edges().items()])
    for step in range(rounds):
        if step % 10 == 0:
            lens[:] = 0
            for a, b in outer:
                strip = coast.between(foam.corners[a], foam.corners[b], 12)
                lens[prior[a, b]] += _area(strip)
            areas = np.array([_area(foam.corners[ring]) for ring in foam.zones]) + lens
            mean = areas.sum() / wishes.sum()
        push = _pressure(foam, outer, lens, wishes * mean, lake) + _pull(foam.corners, ends, pulls, inner)
        length = np.maximum(np.hypot(push[:, 0], push[:, 1]), 1e-9)
        foam.corners += push * np.minimum(1, 3.0 / length)[:, None]
        _pull_to_coast(foam, coast, on_coast)


def outer_edges(foam: Foam) -> list[tuple[int, int]]:
    """Return the edges of the coast (not of the lake), in the direction of their zone's outline."""
    found = []
    for ring, beyond in zip(foam.zones, foam.beyond, strict=True):
        for i, other in enumerate(beyond):
            pair = (ring[i], ring[(i + 1) % len(ring)])
            if other == SEA and min(np.hypot(*foam.corners[corner]) for corner in pair) > INLAND:
                found.append(pair)
    return found


def _pull_to_coast(foam: Foam, coast: Coast, on_coast: NDArrayInt) -> None:
    here = foam.corners[on_coast]
    foam.corners[on_coast] = coast.at(np.arctan2(here[:, 1], here[:, 0]))


def _area(ring: Points) -> float:
    other = np.roll(ring, -1, axis=0)
    return float((ring[:, 0] * other[:, 1] - other[:, 0] * ring[:, 1]).sum() / 2)


def _pressure(foam: Foam, outer: list[tuple[int, int]], lens: Points, wanted: Points, lake: float) -> Points:
    """Return the force of zones, and of the lake, that are too small: they push their corners outwards."""
    push = np.zeros_like(foam.corners)
    if foam.lake:
        points = foam.corners[foam.lake]
        push[foam.lake] += 0.5 * (lake - _area(points)) / lake * _outwards(points, points)
    coastal = set(outer)
    for z, ring in enumerate(foam.zones):
        points = foam.corners[ring]
        lack = (wanted[z] - _area(points) - lens[z]) / wanted[z]
        after, before = np.roll(points, -1, axis=0), np.roll(points, 1, axis=0)
        for i, corner in enumerate(ring):
            if (corner, ring[(i + 1) % len(ring)]) in coastal:
                after[i] = points[i]
            if (ring[i - 1], corner) in coastal:
                before[i] = points[i]
        slope = np.stack([after[:, 1] - before[:, 1], before[:, 0] - after[:, 0]], axis=1) / 2
        np.add.at(push, ring, 0.5 * lack * slope)
    return push


def _outwards(after: Points, before: Points) -> Points:
    """Return the derivative of the area with respect to each corner."""
    after, before = np.roll(after, -1, axis=0), np.roll(before, 1, axis=0)
    return np.stack([after[:, 1] - before[:, 1], before[:, 0] - after[:, 0]], axis=1) / 2


def _pull(corners: Points, ends: NDArrayInt, pulls: Points, inner: NDArrayBool) -> Points:
    """Return the force of edges. Tension shortens an edge; edges that are too short are stretched."""
    push = np.zeros_like(corners)
    way = corners[ends[:, 1]] - corners[ends[:, 0]]
    length = np.maximum(np.hypot(way[:, 0], way[:, 1]), 1e-6)
    strength = pulls - 0.15 * np.maximum(np.where(inner, SHORTEST, SHORTEST_COAST) - length, 0)
    force = way / length[:, None] * (strength + STIFF * length)[:, None]
    np.add.at(push, ends[:, 0], force)
    np.add.at(push, ends[:, 1], -force)
    return push
