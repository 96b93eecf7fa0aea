"""Choices made by hand for each map: sites, territories, cities, ridges, names, the shape of the coast.

A zone is the number `18 * k + i`: site `i` of the sector, in sector `k` clockwise from the south.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Recipe:
    """One map. Everything except names describes the first quarter and is turned for the others."""

    file: str
    title: str
    players: tuple[int, ...]
    quarters: tuple[str, ...]
    site_seed: int
    """Seed of the 18 random sites with which the sector begins."""
    power: float
    """Squareness of the land before its coast gets waves: 2 is a circle; higher is squarer."""
    lake: float
    """Area of the lake, in a land of about 900 by 900."""
    territories: tuple[tuple[int, int, int], ...]
    cities: dict[int, int]
    """Zone with the tower (1 to 3), by territory."""
    ridges: tuple[tuple[int, int], ...]
    """Pairs of zones that a ridge separates."""
    names: dict[str, tuple[str, ...]]
    ids: dict[str, str] = field(default_factory=dict)
    """Ids that are not the first two letters of the name."""
    drawing_seed: int = 0
    waves: tuple[tuple[int, float], ...] = ((2, 0.03), (3, 0.045), (5, 0.04), (7, 0.03), (11, 0.018))
    """Waves of the coast: number of waves around the land, and height as a share of the radius."""
    inlets: tuple[tuple[str, float], ...] = ()
    """Bays: territory, and depth in map units."""


BIG = Recipe(
    file="isle",
    title="Banner Isle",
    players=(2, 3, 4),
    quarters=("South", "West", "North", "East"),
    site_seed=32,
    power=3.0,
    lake=4500,
    territories=((18, 3, 12), (5, 14, 17), (11, 2, 4), (1, 9, 16), (8, 7, 10), (6, 31, 33)),
    cities={2: 1, 5: 1},
    ridges=(
        *((16, 57), (16, 60), (16, 13), (2, 13), (2, 10), (4, 10), (10, 13)),
        *((11, 17), (4, 17)),
    ),
    names={
        "South": ("Thorne", "Aldrow", "Mammoth Bay", "Sorrel", "Umber", "Castleburg"),
        "West": ("Fenn", "Wyke", "Saltgate", "Brack", "Ivell", "Rocky Wild"),
        "North": ("Pell", "Varn", "North Hold", "Holt", "Eskel", "Ravenfall"),
        "East": ("Garth", "Orrin", "Lookout Ledge", "Dunmoor", "Quarl", "Keyfort"),
    },
    ids={
        "Mammoth Bay": "mb",
        "Castleburg": "cb",
        "Saltgate": "sg",
        "Rocky Wild": "rw",
        "North Hold": "nh",
        "Ravenfall": "rf",
        "Lookout Ledge": "ll",
        "Keyfort": "kf",
    },
    drawing_seed=32,
    inlets=(("Mammoth Bay", 36.0),),
)

SMALL = Recipe(
    file="narrows",
    title="The Narrows",
    players=(2,),
    quarters=("South", "North"),
    site_seed=3,
    power=2.6,
    lake=9000,
    territories=((11, 16, 0), (3, 8, 12), (17, 6, 13), (10, 14, 4), (7, 9, 23), (15, 2, 1)),
    cities={0: 1, 2: 1},
    ridges=((17, 10), (13, 10), (6, 12), (12, 15), (15, 0), (9, 1), (4, 1)),
    names={
        "South": ("Highgate", "Marl", "Oldport", "Reed", "Corran", "Nessa"),
        "North": ("Farwatch", "Tarn", "Stonewell", "Lorn", "Jessop", "Brenna"),
    },
    drawing_seed=9,
)
