"""Checks of the outlines: each must be simple, none may overlap another, and an edge belongs to at most two zones."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from gonfalon.games.conquest.maps.model import Edge, Map, edge_of
from gonfalon.games.conquest.maps.outlines import Line, edge_line, outline, signed_area
from gonfalon.games.conquest.maps.places import find_place_inside, is_inside

APART = 0.5
"""Corners nearer to each other than this, in map units, count as the same point given twice."""


def find_point_faults(m: Map) -> Iterator[str]:
    """Yield points that are doubled, unused or off the map, bends and ridges that are not on edges, and islets on
    land.
    """
    names = list(m.points)
    used = {corner for ring in m.zones for corner in ring}
    for name in names:
        x, y = m.points[name]
        if name not in used:
            yield f"points: {name} is a corner of no zone"
        if not (0 <= x <= m.size[0] and 0 <= y <= m.size[1]):
            yield f"points: {name} lies outside of the map's size"
    places = np.array(list(m.points.values()))
    gaps = np.hypot(*(places[:, None] - places[None]).transpose(2, 0, 1))
    for i, j in np.argwhere(np.triu(gaps < APART, 1)):
        yield f"points: {names[i]} and {names[j]} are at the same place"
    for edge in m.bends:
        if edge not in m.edges:
            yield f"bends: no zone has an edge from {edge[0]} to {edge[1]}"
    yield from find_ridge_faults(m)
    yield from find_islet_faults(m)


def find_ridge_faults(m: Map) -> Iterator[str]:
    """Yield parts of ridges that do not lie between two zones."""
    for i, ridge in enumerate(m.ridges, 1):
        for a, b in pairwise(ridge):
            zones = m.edges.get(edge_of(a, b), ())
            if not zones:
                yield f"ridges: ridge {i}: no zone has an edge from {a} to {b}"
            elif len(zones) == 1:
                yield f"ridges: ridge {i}: from {a} to {b} there is only {m.zone_name(zones[0])}, nothing to part"


def find_islet_faults(m: Map) -> Iterator[str]:
    """Yield islets that lie on land."""
    outlines = [outline(m, z) for z in range(len(m.zones))] if m.islets else []
    for i, islet in enumerate(m.islets, 1):
        for z, line in enumerate(outlines):
            if is_inside(np.array(islet), line).any():
                yield f"islets: islet {i} lies on the land of {m.zone_name(z)}"


def find_outline_faults(m: Map) -> Iterator[str]:
    """Yield edges of more than two zones, outlines that cross themselves or other outlines, and zones on top of each
    other.
    """
    for edge, zones in m.edges.items():
        if len(zones) > 2:
            told = "; ".join(m.zone_name(z) for z in zones)
            yield f"the edge from {edge[0]} to {edge[1]} belongs to {len(zones)} zones: {told}"
    outlines = [outline(m, z) for z in range(len(m.zones))]
    for z, line in enumerate(outlines):
        if abs(signed_area(line)) < 1:
            yield f"{m.zone_name(z)}: the outline encloses nothing"
    crossed = _find_crossings(m)
    for z, other in sorted(crossed):
        if z == other:
            yield f"{m.zone_name(z)}: the outline crosses or touches itself"
        else:
            yield f"{m.zone_name(z)}: the outline meets that of {m.zone_name(other)} elsewhere than along shared edges"
    yield from _find_stacked(m, outlines, crossed)


def _find_crossings(m: Map) -> set[tuple[int, int]]:
    """Return the pairs of zones whose outlines cross or touch, except at common edges and corners; (z, z) if an outline
    meets itself.
    """
    edges = list(m.edges)
    lines = [edge_line(m, *edge) for edge in edges]
    owner = np.repeat(np.arange(len(edges)), [len(line) - 1 for line in lines])
    starts = np.concatenate([line[:-1] for line in lines])
    ends = np.concatenate([line[1:] for line in lines])
    low, high = np.minimum(starts, ends), np.maximum(starts, ends)
    near = (low[:, None] <= high[None]).all(axis=2)
    first, second = np.nonzero(np.triu(near & near.T, 1))
    meets = _meet(starts[first], ends[first], starts[second], ends[second])
    found: set[tuple[int, int]] = set()
    for i, j in zip(first[meets], second[meets], strict=True):
        found |= _pair_zones(m, edges[owner[i]], edges[owner[j]])
    return found


def _pair_zones(m: Map, edge: Edge, other: Edge) -> set[tuple[int, int]]:
    """Return the pairs of zones to report when two edges cross: a zone with itself if both edges belong to it."""
    both = set(m.edges[edge]) & set(m.edges[other])
    if both:
        return {(z, z) for z in both}
    return {(min(z, w), max(z, w)) for z in m.edges[edge][:1] for w in m.edges[other][:1]}


def _meet(a: Line, b: Line, c: Line, d: Line) -> NDArray[np.bool_]:
    """Return which segments a-b meet the segment c-d in the same row, except at a common end.

    Takes four arrays (n, 2), returns (n,). The bounding boxes in each row must overlap.
    """
    meets: NDArray[np.bool_] = (_side_of(a, b, c) * _side_of(a, b, d) <= 0) & (
        _side_of(c, d, a) * _side_of(c, d, b) <= 0
    )
    for p, q in ((a, b), (b, a)):
        for r, s in ((c, d), (d, c)):
            shared = (p == r).all(axis=1)
            folded = (_side_of(p, q, s) == 0) & (((q - p) * (s - r)).sum(axis=1) > 0)
            meets &= ~shared | folded
    return meets


def _side_of(a: Line, b: Line, p: Line) -> Line:
    """Return on which side of the line a-b each p lies: positive on one side, negative on the other, 0 on the line.
    (n,)
    """
    return (b[:, 0] - a[:, 0]) * (p[:, 1] - a[:, 1]) - (b[:, 1] - a[:, 1]) * (p[:, 0] - a[:, 0])


def _find_stacked(m: Map, outlines: list[Line], crossed: set[tuple[int, int]]) -> Iterator[str]:
    """Yield zones that lie inside other zones, or on the same side of a shared edge, although their outlines do not
    cross.
    """
    broken = {z for pair in crossed for z in pair}
    sound = [z for z in range(len(outlines)) if z not in broken and abs(signed_area(outlines[z])) >= 1]
    places = np.array([find_place_inside(outlines[z]) for z in sound]).reshape(-1, 2)
    for z in sound:
        for other in np.array(sound)[is_inside(places, outlines[z])]:
            if other != z:
                yield f"{m.zone_name(int(other))}: lies on top of {m.zone_name(z)}"
