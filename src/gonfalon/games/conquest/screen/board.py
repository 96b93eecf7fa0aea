"""The part of a map's screen that never changes: zones, territories, ridges."""

from __future__ import annotations

from functools import cache

from gonfalon.engine.screens.scene import ArmyPiece, Board, Region, Space
from gonfalon.games.conquest.maps import (
    ZONES,
    Map,
    Spot,
    find_borders,
    find_spots,
    frontier_path,
    islet_paths,
    place_names,
    ridge_path,
    tones_of,
    zone_path,
)
from gonfalon.games.conquest.ruleset import TYPES
from gonfalon.games.conquest.screen.trays import BY_RANK


@cache
def board(land: Map, army: tuple[int, ...] = (), hints: tuple[str, ...] = ()) -> Board:
    """Return the board of a map. `army`: number of units of each type that a side has; `hints`: codes of the game's
    hints.
    """
    width, height = (round(part) for part in land.size)
    known = find_spots(land)
    return Board(
        "map",
        width,
        height,
        spaces=_spaces(land, known),
        ridges=tuple(ridge_path(land, ridge) for ridge in range(len(land.ridges))),
        regions=_regions(land, known),
        frontier=frontier_path(land),
        islets=islet_paths(land),
        army=tuple(ArmyPiece(TYPES[kind], army[kind]) for kind in BY_RANK if army and army[kind]),
        hints=hints,
    )


def _spaces(land: Map, known: tuple[Spot, ...]) -> tuple[Space, ...]:
    ids, near = land.zone_ids, find_borders(land).near
    spaces = []
    for zone, spot in enumerate(known):
        territory = land.territories[zone // ZONES]
        space = Space(
            ids[zone],
            f"{territory.name} {zone % ZONES + 1}",
            spot.place,
            near=tuple(ids[other] for other in near[zone]),
            outline=zone_path(land, zone),
            reach=round(spot.reach, 1),
            zone=territory.id,
            tags=("city",) if territory.city else (),
        )
        spaces.append(space)
    return tuple(spaces)


def _regions(land: Map, known: tuple[Spot, ...]) -> tuple[Region, ...]:
    tones = tones_of(land)
    regions = []
    for number, (territory, name) in enumerate(zip(land.territories, place_names(land, known), strict=True)):
        towers = [spot.tower for spot in known[ZONES * number : ZONES * number + ZONES] if spot.tower is not None]
        tower = towers[0] if towers else None
        regions.append(Region(territory.id, territory.name, name.lines, name.place, name.size, tones[number], tower))
    return tuple(regions)
