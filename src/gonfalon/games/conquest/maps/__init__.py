"""Maps: a land of territories, each of three zones, as a picture in numbers (CQ-3).

A map is one TOML file. Who borders whom is nowhere in it: it follows from the drawing. Two zones border each other when
their outlines share an edge - two corners that follow one another in both - that is no ridge; touching at a point is
no border. Two zones are drawn apart by a lake or the sea simply by leaving it out.

Header:

- `title`: the map's name.
- `players`: for how many it is, as `[2, 3, 4]`; each number must divide the territories into shares of at least 18 zones.
- `territories`, `cities`: how many there are.
- `size`: width and height in map units. x grows to the right, y downwards. Names and towers are drawn for a land of
  about 1000 by 1000.
- `quarters`: names of the parts of the land, clockwise from the first seat's. Each has as many territories and cities
  as every other, and a ridge. A map that has no such parts names one, for the whole.
- `symmetric`: `true` if every quarter is the same as the next one in borders, ridges and cities, its territories and
  their zones taken in the file's order. Checked. Default `false`.
- `ridges`: lists of corners; no way leads across the edges between one corner and the next. Default none.
- `islets`: lists of `[x, y]`, small islands that are only looked at. Default none.

`[points]` names the corners: `s1 = [500, 980]`. A corner stands in it once, and zones that meet there use that name.

`[bends]` gives edges a shape: `"s1 s2" = [[510, 960], [520, 951]]` are the places on the way from s1 to s2, whichever
zone goes it. An edge without one is straight.

`[[territory]]`, `territories` times: `id` (lower-case letters; `kf` has the zones kf1, kf2 and kf3), `name`, `quarter`,
`city` (1, 2 or 3: the zone where the tower stands; left out without a city), and `zones`: three lists of corners, once
around, either way.

`gonfalon map check FILE` says what is wrong with a file, `gonfalon map draw FILE` draws it.
"""

from gonfalon.games.conquest.maps.borders import Borders, find_borders
from gonfalon.games.conquest.maps.checks import find_faults, load
from gonfalon.games.conquest.maps.model import ZONES, Edge, Map, MapError, Territory
from gonfalon.games.conquest.maps.outlines import (
    Line,
    edge_line,
    frontier_path,
    islet_paths,
    outline,
    path_text,
    ridge_line,
    ridge_path,
    signed_area,
    zone_path,
)
from gonfalon.games.conquest.maps.places import Label, Spot, find_spots, place_name
from gonfalon.games.conquest.maps.reading import FOLDER, list_maps, read
from gonfalon.games.conquest.maps.tones import TONES, tones_of

__all__ = [
    "FOLDER",
    "TONES",
    "ZONES",
    "Borders",
    "Edge",
    "Label",
    "Line",
    "Map",
    "MapError",
    "Spot",
    "Territory",
    "edge_line",
    "find_borders",
    "find_faults",
    "find_spots",
    "frontier_path",
    "islet_paths",
    "list_maps",
    "load",
    "outline",
    "path_text",
    "place_name",
    "read",
    "ridge_line",
    "ridge_path",
    "signed_area",
    "tones_of",
    "zone_path",
]
