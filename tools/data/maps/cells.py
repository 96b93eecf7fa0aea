"""Cuts a land, roughly a disc, into cells of equal area with rotational symmetry. Uses relaxed power diagrams.

The land is convex and centred on the origin, y points down, and a turn by 360/n degrees maps it onto itself. Only the
cells of one sector are computed; the others are turned copies.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]
LAKE = -2
SEA = -1


def turned(points: Points, steps: int, fold: int) -> Points:
    """Return the points, turned clockwise on the screen by `steps` of `fold` equal turns."""
    angle = 2 * np.pi * steps / fold
    cos, sin = np.cos(angle), np.sin(angle)
    return np.asarray(points @ np.array([[cos, sin], [-sin, cos]]))


def rounded_square(radius: float, power: float, sides: int = 96) -> Points:
    """Return a superellipse as a polygon. `power` 2 is a circle; higher is squarer."""
    angles = np.arange(sides) * 2 * np.pi / sides
    cos, sin = np.cos(angles), np.sin(angles)
    reach = radius / (np.abs(cos) ** power + np.abs(sin) ** power) ** (1 / power)
    return np.stack([reach * cos, reach * sin], axis=1)


def clip(
    polygon: list[tuple[float, float, int]], normal: Points, bound: float, label: int
) -> list[tuple[float, float, int]]:
    """Return the part of a polygon where normal . p <= bound. Each corner has the label of the side that starts at
    it.
    """
    values = [normal[0] * x + normal[1] * y - bound for x, y, _ in polygon]
    if max(values) <= 0:
        return polygon
    kept = []
    for i, (x, y, side) in enumerate(polygon):
        j = (i + 1) % len(polygon)
        here, there = values[i], values[j]
        if here <= 0:
            kept.append((x, y, side))
        if (here <= 0) != (there <= 0):
            part = here / (here - there)
            cut = (x + part * (polygon[j][0] - x), y + part * (polygon[j][1] - y))
            kept.append((*cut, label if here <= 0 else side))
    return kept


def power_cell(i: int, sites: Points, weights: Points, land: Points) -> list[tuple[float, float, int]]:
    """Return cell `i` of the power diagram inside `land`. Each corner has the number of the cell beyond the side that
    starts there, or SEA.
    """
    cell = [(float(x), float(y), SEA) for x, y in land]
    distance = np.sum((sites - sites[i]) ** 2, axis=1)
    for j in np.argsort(distance):
        if j == i or not cell:
            continue
        normal = 2 * (sites[j] - sites[i])
        bound = sites[j] @ sites[j] - sites[i] @ sites[i] + weights[i] - weights[j]
        cell = clip(cell, normal, bound, int(j))
    return cell


def area_and_middle(cell: list[tuple[float, float, int]]) -> tuple[float, Points]:
    p = np.array([(x, y) for x, y, _ in cell])
    q = np.roll(p, -1, axis=0)
    cross = p[:, 0] * q[:, 1] - q[:, 0] * p[:, 1]
    area = cross.sum() / 2
    return area, ((p + q) * cross[:, None]).sum(axis=0) / (6 * area)


def relax(sites: Points, fold: int, land: Points, lake: float, rounds: int) -> list[list[tuple[float, float, int]]]:
    """Move one sector's sites until their cells have about equal areas. `lake`: area of the cell at the centre, 0 for
    none.

    Return the cells of the first sector.
    """
    count = len(sites)
    total = area_and_middle([(x, y, SEA) for x, y in land])[0]
    target = (total - lake) / (count * fold)
    own, weights, pond = sites.copy(), np.zeros(count), 0.0
    for step in range(rounds):
        every = np.concatenate([turned(own, k, fold) for k in range(fold)] + ([np.zeros((1, 2))] if lake else []))
        heavy = np.concatenate([np.tile(weights, fold), [pond] if lake else []])
        cells = [power_cell(i, every, heavy, land) for i in range(count)]
        if step == rounds - 1:
            break
        for i, cell in enumerate(cells):
            if len(cell) < 3:
                weights[i] += 500
                continue
            area, middle = area_and_middle(cell)
            own[i] += 0.8 * (middle - own[i])
            weights[i] += 0.35 * (target - area)
        if lake:
            centre = power_cell(len(every) - 1, every, heavy, land)
            pond += 0.35 * (lake - (area_and_middle(centre)[0] if len(centre) > 2 else 0))
        mean = weights.mean()
        weights -= mean
        pond -= mean
    return cells
