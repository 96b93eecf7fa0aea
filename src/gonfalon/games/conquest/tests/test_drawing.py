"""The picture of a map: it is well formed, everything is in its place, neighbours have different tones, names can be
read.
"""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from gonfalon.games.conquest import maps
from gonfalon.games.conquest.maps.places import ROOM, TOWER, is_inside, measure_distance, name_box
from gonfalon.games.conquest.tests.files import squares, write
from gonfalon.games.conquest.text import drawing

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module", params=maps.list_maps())
def own(request: pytest.FixtureRequest) -> maps.Map:
    return maps.load(maps.FOLDER / f"{request.param}.toml")


def test_the_picture_is_well_formed(own: maps.Map) -> None:
    root = ElementTree.fromstring(drawing.svg(own, units=True))
    texts = [" ".join(span.text or "" for span in text) for text in root.iter(f"{SVG}text")]
    classes = [path.get("class") for path in root.iter()]
    assert sorted(texts) == sorted(territory.name for territory in own.territories)
    assert classes.count("tower") == own.city_count
    assert classes.count("unit") == len(own.zones)
    assert not any("radient" in one.tag for one in root.iter())


def test_names_are_escaped(tmp_path: Path) -> None:
    table = squares() | {"title": "A & B"}
    table["territory"][0]["name"] = "<Ash>"
    assert ElementTree.fromstring(drawing.svg(maps.load(write(tmp_path, table)))).find(f"{SVG}title") is not None


def test_units_and_towers_stand_in_their_zone(own: maps.Map) -> None:
    for z, spot in enumerate(maps.find_spots(own)):
        line = maps.outline(own, z)
        for place, room in ((spot.place, ROOM * spot.reach - 0.1), (spot.tower, TOWER / 2)):
            if place is not None:
                at = np.array([place])
                assert is_inside(at, line)[0]
                assert measure_distance(at, line)[0] >= room


def test_names_stay_in_their_territory_or_the_sea_and_off_towers(own: maps.Map) -> None:
    known = maps.find_spots(own)
    for t, written in enumerate(maps.place_names(own, known)):
        half = 0.9 * name_box(written.lines, written.size) / 2
        corners = np.array(written.place) + np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half
        zones = range(3 * t, 3 * t + 3)
        others = [z for z in range(len(own.zones)) if z not in zones]
        held = np.logical_or.reduce([is_inside(corners, maps.outline(own, z)) for z in others])
        assert not held.any(), own.territories[t].name
        for z in zones:
            tower = known[z].tower
            if tower is not None:
                assert (np.abs(np.array(tower) - written.place) > half + 0.4 * TOWER).any()


def test_units_cover_little_of_a_name(own: maps.Map) -> None:
    known = maps.find_spots(own)
    reaches = sorted(spot.reach for spot in known)
    banner = np.array([0.72, 0.86]) * reaches[len(reaches) // 3]
    for t, written in enumerate(maps.place_names(own, known)):
        half = name_box(written.lines, written.size) / 2
        units = [np.array(spot.place) for spot in known[3 * t : 3 * t + 3]]
        shared = [
            np.clip(
                np.minimum(written.place + half, unit + banner) - np.maximum(written.place - half, unit - banner),
                0,
                None,
            )
            for unit in units
        ]
        assert sum(sides.prod() for sides in shared) <= 0.25 * np.prod(2 * half), own.territories[t].name


def test_neighbours_have_different_tones(own: maps.Map) -> None:
    tones = maps.tones_of(own)
    for zones in own.edges.values():
        held = {z // 3 for z in zones}
        assert len({tones[t] for t in held}) == len(held)


def test_paths_close_and_name_no_exponents(own: maps.Map) -> None:
    path = maps.zone_path(own, 0)
    assert re.fullmatch(r"M-?[\d.]+ -?[\d.]+(L-?[\d.]+ -?[\d.]+)+Z", path)
    assert not maps.ridge_path(own, 0).endswith("Z")


@pytest.mark.parametrize("part", ["light", "dark"])
def test_names_can_be_read(part: str) -> None:
    """Text has a contrast of at least 4.5 on every tone."""
    light, dark = drawing.STYLE.split("@media", 1)
    colours = dict(re.findall(r"--(\w+): (#\w{6})", light if part == "light" else dark))
    ink = luminance(colours["ink"])
    for tone in range(maps.TONES):
        low, high = sorted((ink, luminance(colours[f"t{tone}"])))
        assert (high + 0.05) / (low + 0.05) >= 4.5


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
