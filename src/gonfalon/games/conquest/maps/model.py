"""A map as its file describes it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from gonfalon.engine.ruleset import RulesetError

ZONES = 3
"""Zones of a territory."""

Point: TypeAlias = tuple[float, float]
Edge: TypeAlias = tuple[str, str]
"""The names of two corners, in alphabetical order."""


class MapError(RulesetError):
    """The faults of a map file, one line each. Every line names the file, and the territory and zone if it is about
    one.
    """

    def __init__(self, faults: tuple[str, ...]) -> None:
        super().__init__("\n".join(faults))
        self.faults = faults


@dataclass(frozen=True)
class Territory:
    id: str
    name: str
    quarter: str
    city: int
    """The zone, from 1 to 3, where the tower stands; 0 if there is no city."""
    zones: tuple[tuple[str, ...], ...]
    """The names of each zone's corners, once around."""


@dataclass(frozen=True, eq=False, repr=False)
class Map:
    """A map. Zones are numbered from 0, 3 to a territory: zone z is zone z % 3 + 1 of territory z // 3."""

    file: str
    title: str
    players: tuple[int, ...]
    territory_count: int
    """The number in the header, as is `city_count`. `checks.py` compares them with the territories."""
    city_count: int
    size: Point
    quarters: tuple[str, ...]
    symmetric: bool
    points: dict[str, Point]
    bends: dict[Edge, tuple[Point, ...]]
    """The places on the way from an edge's first corner to its second."""
    ridges: tuple[tuple[str, ...], ...]
    islets: tuple[tuple[Point, ...], ...]
    territories: tuple[Territory, ...]

    @cached_property
    def zones(self) -> tuple[tuple[str, ...], ...]:
        """The corners of every zone."""
        return tuple(zone for territory in self.territories for zone in territory.zones)

    @cached_property
    def zone_ids(self) -> tuple[str, ...]:
        """`kf1`, `kf2`, `kf3`, ..."""
        return tuple(f"{t.id}{k}" for t in self.territories for k in range(1, len(t.zones) + 1))

    @cached_property
    def edges(self) -> dict[Edge, tuple[int, ...]]:
        """The zones at each edge."""
        found: dict[Edge, tuple[int, ...]] = {}
        for z, ring in enumerate(self.zones):
            for edge in edges_of(ring):
                found[edge] = (*found.get(edge, ()), z)
        return found

    def zone_name(self, zone: int) -> str:
        """The zone as messages name it: `Keyfort, zone 2`."""
        return f"{self.territories[zone // ZONES].name}, zone {zone % ZONES + 1}"


def edges_of(ring: tuple[str, ...]) -> list[Edge]:
    """The edges of a closed run of corners."""
    return [edge_of(a, b) for a, b in zip(ring, ring[1:] + ring[:1], strict=True)]


def edge_of(a: str, b: str) -> Edge:
    return (a, b) if a < b else (b, a)
