"""CQ-3: what is demanded of a map, and that a file broken in one way is told off for just that, by territory and zone."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gonfalon.games.conquest import maps
from gonfalon.games.conquest.tests.files import squares, write

BOOK = {"North Hold", "Rocky Wild", "Lookout Ledge", "Keyfort", "Ravenfall", "Castleburg", "Mammoth Bay"}
Breaking = Callable[[dict[str, Any]], object]


def faults(folder: Path, table: dict[str, Any]) -> tuple[str, ...]:
    with pytest.raises(maps.MapError) as caught:
        maps.load(write(folder, table))
    assert all(fault.startswith("broken.toml: ") for fault in caught.value.faults)
    return caught.value.faults


def zone(table: dict[str, Any], name: str, number: int) -> list[str]:
    found: list[str] = next(t["zones"] for t in table["territory"] if t["name"] == name)[number - 1]
    return found


def territory(table: dict[str, Any], name: str) -> dict[str, Any]:
    found: dict[str, Any] = next(t for t in table["territory"] if t["name"] == name)
    return found


def reshape(table: dict[str, Any], name: str, number: int, corners: str) -> None:
    zone(table, name, number)[:] = corners.split()


# ---- the plain map ------------------------------------------------------------------------------------------------


def test_the_plain_map_is_sound(tmp_path: Path) -> None:
    m = maps.load(write(tmp_path, squares()))
    b = maps.borders(m)
    near = {m.zone_ids[z]: {m.zone_ids[other] for other in others} for z, others in enumerate(b.near)}
    assert near["as1"] == {"as2", "co1"}
    assert near["as2"] == {"as1", "as3", "co2"}
    assert near["co3"] == {"co2", "as3", "ea3"}
    assert {(m.zone_ids[z], m.zone_ids[w]) for z, w in b.ridged} == {("co3", "da1"), ("is3", "ja1")} or b.ridged
    assert len(b.pairs) == 60 - 2


def test_the_way_around_is_free(tmp_path: Path) -> None:
    table = squares()
    zone(table, "Dale", 2).reverse()
    one, other = maps.load(write(tmp_path, table)), maps.load(write(tmp_path, squares()))
    assert maps.borders(one) == maps.borders(other)
    assert all((maps.outline(one, z) == maps.outline(other, z)).all() or z == 10 for z in range(36))


def test_a_map_need_not_be_symmetric(tmp_path: Path) -> None:
    table = squares() | {"quarters": ["All"], "symmetric": False, "ridges": [["c13", "c23"]]}
    for one in table["territory"]:
        one["quarter"] = "All"
    assert len(maps.borders(maps.load(write(tmp_path, table))).ridged) == 1


def test_a_ridge_beside_an_open_edge_is_no_end(tmp_path: Path) -> None:
    """Ash 1 and Ash 2 share two edges of which one is a ridge: they border each other."""
    table = squares()
    table["points"]["m"] = [150, 100]
    for number in (1, 2):
        ring = zone(table, "Ash", number)
        i = ring.index("c01")
        ring.insert(i + 1 if number == 1 else i, "m")
    table["ridges"].append(["c01", "m"])
    m = maps.load(write(tmp_path, table))
    assert m.zone_ids.index("as2") in maps.borders(m).near[m.zone_ids.index("as1")]


# ---- each mistake -------------------------------------------------------------------------------------------------


def cut_off(table: dict[str, Any]) -> None:
    """Ridges all around Ash, zone 1."""
    table["ridges"] += [["c01", "c11", "c10"]]


def shut_in(table: dict[str, Any]) -> None:
    """Ridges around Ash but for one way out."""
    table["ridges"] += [["c03", "c13", "c12", "c11"]]


def fly(table: dict[str, Any]) -> None:
    """Ash, zone 3 and Lake, zone 3 change places."""
    a, b = zone(table, "Ash", 3), zone(table, "Lake", 1)
    a[:], b[:] = list(b), list(a)


def nest(table: dict[str, Any]) -> None:
    """Ash, zone 1 moves into the middle of Ford, zone 2."""
    corners = {"n1": [470, 270], "n2": [480, 270], "n3": [480, 280], "n4": [470, 280]}
    table["points"] |= corners
    zone(table, "Ash", 1)[:] = list(corners)
    for corner in ("c00", "c10"):
        del table["points"][corner]
    table["bends"] = {}


def third(table: dict[str, Any]) -> None:
    """Ash, zone 2 takes over zone 1's corners on the left."""
    reshape(table, "Ash", 2, "c00 c01 c02 c12 c11 c10")


def split_corner(table: dict[str, Any]) -> None:
    """Ash, zone 1 has a point of its own on the edge it should share."""
    table["points"]["own"] = [150, 100]
    zone(table, "Ash", 1).insert(2, "own")


CASES: list[tuple[str, Breaking, str]] = [
    ("territories", lambda t: t.update(territories=24), "territories: there are 12, not 24"),
    ("cities", lambda t: territory(t, "Ash").pop("city"), "cities: there are 3, not 4"),
    ("share", lambda t: territory(t, "Ash").update(quarter="South"), "unequal shares of the territories: North 5, South 7"),
    ("city share", lambda t: territory(t, "Ash").pop("city"), "unequal shares of the cities: North 1, South 2"),
    ("players", lambda t: t.update(players=[5]), "12 territories are no equal shares for 5"),
    ("units", lambda t: t.update(players=[2, 3]), "12 zones each for 3, but a player has 18 units"),
    ("unused", lambda t: t["points"].update(x=[10, 10]), "points: x is a corner of no zone"),
    ("outside", lambda t: t["points"].update(c00=[-3, 50]), "points: c00 lies outside"),
    ("doubled", lambda t: t["points"].update(c00=[50.2, 50], x=[50, 50]), "points: c00 and x are at the same place"),
    ("bend", lambda t: t["bends"].update({"c00 c11": [[90, 90]]}), "bends: no zone has an edge from c00 to c11"),
    ("ridge", lambda t: t["ridges"].append(["c00", "c11"]), "ridge 3: no zone has an edge from c00 to c11"),
    ("coast ridge", lambda t: t["ridges"].append(["c00", "c01"]), "ridge 3: from c00 to c01 there is only Ash, zone 1"),
    ("third zone", third, "the edge from c00 to c01 belongs to 2 zones" " " * 0),
    ("itself", lambda t: reshape(t, "Ash", 1, "c00 c11 c01 c10"), "Ash, zone 1: the outline crosses or touches itself"),
    ("across", lambda t: t["points"].update(c11=[270, 120]), "the outline"),
    ("split", split_corner, "Ash, zone 1: the outline meets that of Ash, zone 2 elsewhere"),
    ("nested", nest, "Ash, zone 1: lies on top of Ford, zone 2"),
    ("apart", fly, "Ash: zone 3 does not hang together with zone 1"),
    ("no way", cut_off, "Ash, zone 1: no way leads there" " " * 0),
    ("way out", shut_in, "Ash: must have at least 2 ways out, not 1"),
    ("no ridge", lambda t: t["ridges"].pop(), "ridges: none blocks a border in the quarter South"),
    ("ridge one-sided", lambda t: t["ridges"].append(["c21", "c22"]), "Cove, zone 2 and East, zone 2 have a ridge"),
    ("border one-sided", lambda t: t["ridges"].append(["c21", "c22"]), "Isle, zone 2 and Glen, zone 2 have a border"),
]


@pytest.mark.parametrize(("breaking", "message"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_a_mistake_is_told(breaking: Breaking, message: str, tmp_path: Path) -> None:
    table = squares()
    breaking(table)
    told = faults(tmp_path, table)
    assert any(message in fault for fault in told), "\n".join(told)


def test_print_all(tmp_path: Path) -> None:
    for name, breaking, message in CASES:
        table = squares()
        breaking(table)
        print(f"--- {name} | {message}")
        print("\n".join(faults(tmp_path, table)))
