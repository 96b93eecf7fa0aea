"""Finds the zones that border each other, from their outlines (CQ-3, CQ-14)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, pairwise

from gonfalon.games.conquest.maps.model import ZONES, Edge, Map, edge_of


@dataclass(frozen=True)
class Borders:
    """`near[z]`: the zones that border zone z, ascending. `ridged`: pairs of zones that share edges, all of which are
    ridges.
    """

    near: tuple[tuple[int, ...], ...]
    ridged: tuple[tuple[int, int], ...]

    @property
    def pairs(self) -> tuple[tuple[int, int], ...]:
        """All borders, each once, as a pair with the lower zone first."""
        return tuple((z, other) for z, others in enumerate(self.near) for other in others if z < other)


def find_borders(m: Map) -> Borders:
    """Return the borders of a map. Zones border each other if they share at least one edge that is not a ridge."""
    ridge = ridge_edges(m)
    touching: set[tuple[int, int]] = set()
    open_: set[tuple[int, int]] = set()
    for edge, zones in m.edges.items():
        pairs = set(combinations(sorted(set(zones)), 2))
        touching |= pairs
        if edge not in ridge:
            open_ |= pairs
    near = tuple(tuple(sorted({b if a == z else a for a, b in open_ if z in {a, b}})) for z in range(len(m.zones)))
    return Borders(near, tuple(sorted(touching - open_)))


def ridge_edges(m: Map) -> frozenset[Edge]:
    """Return the edges of all ridges, which nothing crosses."""
    return frozenset(edge_of(a, b) for ridge in m.ridges for a, b in pairwise(ridge))


def next_quarter(m: Map) -> dict[int, int]:
    """Return, for each zone, the zone at the same place of the next quarter, in the file's order. All quarters must
    have the same size.
    """
    placed = [[t for t, territory in enumerate(m.territories) if territory.quarter == q] for q in m.quarters]
    return {
        ZONES * t + k: ZONES * placed[(q + 1) % len(placed)][i] + k
        for q, here in enumerate(placed)
        for i, t in enumerate(here)
        for k in range(ZONES)
    }
