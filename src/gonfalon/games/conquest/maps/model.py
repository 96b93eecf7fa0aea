"""A map with the content of its file."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from gonfalon.engine.rulesets.ruleset import RulesetError

ZONES = 3
"""Number of zones of a territory."""

Point: TypeAlias = tuple[float, float]
Edge: TypeAlias = tuple[str, str]
"""The names of two corners, in alphabetical order."""


class MapError(RulesetError):
    """The faults of a map file, one per line. Every line names the file, and the territory and zone if there is one."""

    def __init__(self, faults: tuple[str, ...]) -> None:
        super().__init__("\n".join(faults))
        self.faults = faults


@dataclass(frozen=True)
class Territory:
    id: str
    name: str
    quarter: str
    city: int
    """The zone of the tower, from 1 to 3; 0 if there is no city."""
    zones: tuple[tuple[str, ...], ...]
    """The names of each zone's corners, once around."""


@dataclass(frozen=True, eq=False, repr=False)
class Map:
    """A map. Zones are numbered from 0, three to a territory: zone z is zone z % 3 + 1 of territory z // 3."""

    file: str
    title: str
    players: tuple[int, ...]
    territory_count: int
    """The number in the header, like `city_count`. `checks.py` compares these numbers with the territories."""
    city_count: int
    size: Point
    quarters: tuple[str, ...]
    symmetric: bool
    points: dict[str, Point]
    bends: dict[Edge, tuple[Point, ...]]
    """The points on the way from an edge's first corner to its second one."""
    ridges: tuple[tuple[str, ...], ...]
    islets: tuple[tuple[Point, ...], ...]
    territories: tuple[Territory, ...]

    @cached_property
    def zones(self) -> tuple[tuple[str, ...], ...]:
        """The corners of every zone."""
        return tuple(zone for territory in self.territories for zone in territory.zones)

    @cached_property
    def zone_ids(self) -> tuple[str, ...]:
        """Ids of the zones: `kf1`, `kf2`, `kf3`, ..."""
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
        """Return the name of a zone for messages: `Keyfort, zone 2`."""
        return f"{self.territories[zone // ZONES].name}, zone {zone % ZONES + 1}"


def edges_of(ring: tuple[str, ...]) -> list[Edge]:
    """Return the edges of a closed ring of corners."""
    return [edge_of(a, b) for a, b in zip(ring, ring[1:] + ring[:1], strict=True)]


def edge_of(a: str, b: str) -> Edge:
    return (a, b) if a < b else (b, a)
