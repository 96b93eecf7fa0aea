"""Reads a map file and checks its keys, the types of its values and the names in it. `checks.py` checks the drawing."""

from __future__ import annotations

import math
import re
from collections import Counter
from pathlib import Path
from typing import Any

from gonfalon.engine.rulesets.ruleset import RulesetError, read_toml
from gonfalon.games.conquest.maps.model import ZONES, Edge, Map, MapError, Point, Territory, edge_of

FOLDER = Path(__file__).parent.parent / "data" / "maps"

NEEDED = frozenset({"title", "players", "territories", "cities", "size", "quarters", "points", "territory"})
OPTIONAL = frozenset({"symmetric", "ridges", "islets", "bends"})
_ID = re.compile(r"(?!stop$)[a-z]{1,4}")
"""Pattern of a territory's id. `stop` is excluded, because it is the text of an action."""


def list_maps() -> tuple[str, ...]:
    """Return the names of the maps that come with the game."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.toml")))


def read(path: Path) -> Map:
    """Return the map in a file. Raises `MapError` with everything that is not well formed."""
    try:
        table = read_toml(path)
    except RulesetError as error:
        raise MapError((str(error),)) from error
    reader = _Reader(path.name)
    found = reader.map(table)
    if found is None or reader.faults:
        raise MapError(tuple(reader.faults))
    return found


class _Reader:
    """Reads on after a fault, to find all of them: it notes a bad value and uses a harmless one instead. `read` refuses
    the map in the end.
    """

    def __init__(self, file: str) -> None:
        self.file = file
        self.faults: list[str] = []
        self.known: set[str] = set()

    def bad(self, where: str, what: str) -> None:
        self.faults.append(f"{self.file}: {where}{': ' if where else ''}{what}")

    def map(self, table: dict[str, Any]) -> Map | None:
        self.keys(table, NEEDED, OPTIONAL, "")
        if self.faults:
            return None
        points = self.points(table["points"])
        self.known = set(points)
        quarters = self.texts(table["quarters"], "quarters")
        return Map(
            file=self.file,
            title=self.text(table["title"], "title"),
            players=self.players(table["players"]),
            territory_count=self.whole(table["territories"], 1, "territories"),
            city_count=self.whole(table["cities"], 0, "cities"),
            size=self.size(table["size"]),
            quarters=quarters,
            symmetric=self.flag(table.get("symmetric", False), "symmetric"),
            points=points,
            bends=self.bends(table.get("bends", {})),
            ridges=self.ridges(table.get("ridges", [])),
            islets=self.islets(table.get("islets", [])),
            territories=self.territories(table["territory"], quarters),
        )

    def keys(self, table: dict[str, Any], needed: frozenset[str], optional: frozenset[str], where: str) -> None:
        for key in sorted(set(table) - needed - optional):
            self.bad(where, f"unknown key {key!r}")
        for key in sorted(needed - set(table)):
            self.bad(where, f"key {key!r} is missing")

    # ---- the header ----

    def text(self, value: object, where: str) -> str:
        if not isinstance(value, str) or not value.strip():
            self.bad(where, f"must be a text, not {value!r}")
            return ""
        return value

    def texts(self, value: object, where: str) -> tuple[str, ...]:
        if not isinstance(value, list) or not value:
            self.bad(where, f"must be a list of names, not {value!r}")
            return ()
        found = tuple(self.text(item, where) for item in value)
        for name, count in Counter(found).items():
            if count > 1:
                self.bad(where, f"{name!r} stands there {count} times")
        return found

    def whole(self, value: object, low: int, where: str) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or value < low:
            self.bad(where, f"must be a whole number of at least {low}, not {value!r}")
            return low
        return value

    def flag(self, value: object, where: str) -> bool:
        if not isinstance(value, bool):
            self.bad(where, f"must be true or false, not {value!r}")
        return value is True

    def players(self, value: object) -> tuple[int, ...]:
        if not isinstance(value, list) or not value:
            self.bad("players", f"must be a list of numbers, not {value!r}")
            return ()
        found = tuple(self.whole(item, 2, "players") for item in value)
        if list(found) != sorted(set(found)):
            self.bad("players", f"must be in ascending order, each once, not {value!r}")
        return found

    def size(self, value: object) -> Point:
        width, height = self.point(value, "size")
        if width <= 0 or height <= 0:
            self.bad("size", f"must be above 0, not {value!r}")
        return width, height

    # ---- what lies where ----

    def point(self, value: object, where: str) -> Point:
        if isinstance(value, list) and len(value) == 2 and all(_is_number(part) for part in value):
            return float(value[0]), float(value[1])
        self.bad(where, f"must be two numbers [x, y], not {value!r}")
        return 1.0, 1.0

    def line(self, value: object, where: str, least: int) -> tuple[Point, ...]:
        if not isinstance(value, list) or len(value) < least:
            self.bad(where, f"must be a list of at least {least} places [x, y], not {value!r}")
            return ()
        return tuple(self.point(part, where) for part in value)

    def corners(self, value: object, where: str, least: int) -> tuple[str, ...]:
        if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
            self.bad(where, f"must be a list of corners, not {value!r}")
            return ()
        if len(value) < least:
            self.bad(where, f"must have at least {least} corners, not {len(value)}")
        for name in dict.fromkeys(value):
            if name not in self.known:
                self.bad(where, f"no point {name!r}")
        return tuple(value)

    def points(self, value: object) -> dict[str, Point]:
        if not isinstance(value, dict):
            self.bad("points", f"must be a table, not {value!r}")
            return {}
        return {name: self.point(place, f"points: {name}") for name, place in value.items()}

    def bends(self, value: object) -> dict[Edge, tuple[Point, ...]]:
        if not isinstance(value, dict):
            self.bad("bends", f"must be a table, not {value!r}")
            return {}
        found: dict[Edge, tuple[Point, ...]] = {}
        for key, places in value.items():
            where, ends = f"bends: {key!r}", key.split()
            if len(ends) != 2 or ends[0] == ends[1]:
                self.bad(where, "must name two points, as 'a1 a2'")
                continue
            self.corners(ends, where, 2)
            line, edge = self.line(places, where, 1), edge_of(*ends)
            if edge in found:
                self.bad(where, "this edge is there the other way around too")
            found[edge] = line if edge[0] == ends[0] else line[::-1]
        return found

    def ridges(self, value: object) -> tuple[tuple[str, ...], ...]:
        if not isinstance(value, list):
            self.bad("ridges", f"must be a list of lists of corners, not {value!r}")
            return ()
        return tuple(self.corners(ridge, f"ridges: ridge {i}", 2) for i, ridge in enumerate(value, 1))

    def islets(self, value: object) -> tuple[tuple[Point, ...], ...]:
        if not isinstance(value, list):
            self.bad("islets", f"must be a list of lists of places, not {value!r}")
            return ()
        return tuple(self.line(islet, f"islets: islet {i}", 3) for i, islet in enumerate(value, 1))

    # ---- territories ----

    def territories(self, value: object, quarters: tuple[str, ...]) -> tuple[Territory, ...]:
        if not isinstance(value, list) or not value or not all(isinstance(table, dict) for table in value):
            self.bad("territory", "must be tables [[territory]]")
            return ()
        found = tuple(self.territory(table, i, quarters) for i, table in enumerate(value, 1))
        for key, values in (("id", [t.id for t in found]), ("name", [t.name for t in found])):
            for name, count in Counter(values).items():
                if count > 1 and name:
                    self.bad("", f"{count} territories have the {key} {name!r}")
        return found

    def territory(self, table: dict[str, Any], number: int, quarters: tuple[str, ...]) -> Territory:
        title = table.get("name")
        where = title if isinstance(title, str) and title.strip() else f"territory {number}"
        self.keys(table, frozenset({"id", "name", "quarter", "zones"}), frozenset({"city"}), where)
        short, quarter = table.get("id", "x"), table.get("quarter", "")
        if not isinstance(short, str) or not _ID.fullmatch(short):
            self.bad(f"{where}: id", f"must be one to four letters a to z, not {short!r}")
        if "quarter" in table and quarter not in quarters:
            self.bad(f"{where}: quarter", f"no quarter {quarter!r}; there are {', '.join(quarters)}")
        city = self.whole(table["city"], 1, f"{where}: city") if "city" in table else 0
        if city > ZONES:
            self.bad(f"{where}: city", f"must be a zone from 1 to {ZONES}, not {city}")
        name = self.text(table["name"], f"{where}: name") if "name" in table else ""
        zones = self.zones(table["zones"], where) if "zones" in table else ()
        return Territory(str(short) if "id" in table else "", name, str(quarter), city, zones)

    def zones(self, value: object, where: str) -> tuple[tuple[str, ...], ...]:
        if not isinstance(value, list) or len(value) != ZONES:
            told = f"{len(value)} of them" if isinstance(value, list) else repr(value)
            self.bad(f"{where}: zones", f"must be {ZONES} lists of corners, not {told}")
            return ()
        found = tuple(self.corners(zone, f"{where}, zone {k}", 3) for k, zone in enumerate(value, 1))
        for k, zone in enumerate(found, 1):
            for corner, count in Counter(zone).items():
                if count > 1:
                    self.bad(f"{where}, zone {k}", f"the corner {corner} stands in it {count} times")
        return found


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
