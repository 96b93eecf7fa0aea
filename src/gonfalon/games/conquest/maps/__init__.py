"""Maps: a land of territories, each of three zones, as a drawing in numbers (CQ-3).

A map is one TOML file. It does not list borders; they follow from the drawing. An edge is a pair of corners that are
neighbours in an outline. Two zones border each other if their outlines share an edge that is not a ridge. To touch at a
point is not enough. Areas outside all zones are lakes and sea.

Header:

- `title`: the map's name.
- `players`: the possible numbers of players, such as `[2, 3, 4]`. Each must divide the territories into shares of at
  least 18 zones.
- `territories`, `cities`: their numbers.
- `size`: width and height in map units. x grows to the right, y downwards. Names and towers are drawn for a land of
  about 1000 by 1000.
- `quarters`: names of the parts of the land, clockwise from the first seat's. All have the same number of territories
  and of cities, and each has a ridge. A map without such parts has one name, for the whole land.
- `symmetric`: `true` if all quarters have the same borders, ridges and cities, with territories and zones in the order
  of the file. This is checked. Default `false`.
- `ridges`: lists of corners; nothing crosses the edges between one corner and the next. Default none.
- `islets`: lists of `[x, y]`, small islands for decoration. Default none.

`[points]` names the corners: `s1 = [500, 980]`. Each corner is listed once, and all zones that meet there use its name.

`[bends]` gives edges a shape: `"s1 s2" = [[510, 960], [520, 951]]` are the points on the way from s1 to s2, for both
zones at the edge. An edge without bends is straight.

For each territory there is a table `[[territory]]` with: `id` (lower-case letters; `kf` has the zones kf1, kf2 and
kf3), `name`, `quarter`, `city` (1, 2 or 3: the zone of the tower; missing if there is no city), and `zones`: three
lists of corners, once around in either direction.

`gonfalon map check FILE` prints the faults of a file, `gonfalon map draw FILE` draws it.
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
from gonfalon.games.conquest.maps.places import Label, Spot, find_spots, place_names
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
    "place_names",
    "read",
    "ridge_line",
    "ridge_path",
    "signed_area",
    "tones_of",
    "zone_path",
]
