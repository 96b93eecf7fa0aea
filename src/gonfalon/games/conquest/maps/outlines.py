"""Outlines, with their bends, in numbers and as SVG paths."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from gonfalon.games.conquest.maps.model import ZONES, Map, edge_of

Line = NDArray[np.float64]
"""Points (n, 2) in map units, y downwards."""


def outline(m: Map, zone: int) -> Line:
    """Return a zone's outline, clockwise on the screen; the first point is not repeated. (n, 2), map units."""
    ring = m.zones[zone]
    line = _way(m, (*ring, ring[0]))[:-1]
    return line if signed_area(line) >= 0 else line[::-1]


def edge_line(m: Map, a: str, b: str) -> Line:
    """Return the line of an edge from corner a to corner b, including both. (n, 2), map units."""
    edge = edge_of(a, b)
    line = np.array([m.points[edge[0]], *m.bends.get(edge, ()), m.points[edge[1]]])
    return line if edge[0] == a else line[::-1]


def zone_path(m: Map, zone: int) -> str:
    """Return a zone's outline as an SVG path (`Space.outline`)."""
    return path_text(outline(m, zone), closed=True)


def ridge_path(m: Map, ridge: int) -> str:
    """Return a ridge as an SVG path (`Board.ridges`)."""
    return path_text(ridge_line(m, ridge), closed=False)


def ridge_line(m: Map, ridge: int) -> Line:
    """Return a ridge from end to end. (n, 2), map units."""
    return _way(m, m.ridges[ridge])


def frontier_path(m: Map) -> str:
    """Return the edges between two territories as an SVG path (`Board.frontier`)."""
    return "".join(
        path_text(edge_line(m, *edge), closed=False)
        for edge, zones in m.edges.items()
        if len({z // ZONES for z in zones}) > 1
    )


def islet_paths(m: Map) -> tuple[str, ...]:
    """Return the islets as SVG paths (`Board.islets`)."""
    return tuple(path_text(np.array(islet), closed=True) for islet in m.islets)


def path_text(line: Line, *, closed: bool) -> str:
    """Return a line of points as an SVG path."""
    places = "L".join(f"{_number(x)} {_number(y)}" for x, y in line)
    return f"M{places}{'Z' if closed else ''}"


def signed_area(line: Line) -> float:
    """Return the area inside a closed line in square map units; negative if the line runs counter-clockwise on the
    screen.
    """
    x, y = line[:, 0], line[:, 1]
    return float((x * np.roll(y, -1) - np.roll(x, -1) * y).sum() / 2)


def _way(m: Map, corners: tuple[str, ...]) -> Line:
    lines = [edge_line(m, a, b) for a, b in pairwise(corners)]
    return np.concatenate([line[:-1] for line in lines] + [lines[-1][-1:]])


def _number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
