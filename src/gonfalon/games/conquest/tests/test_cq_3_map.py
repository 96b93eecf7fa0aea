"""CQ-3: requirements of a map. A file with one fault gets exactly that error, with territory and zone."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Callable
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gonfalon.games.conquest import maps
from gonfalon.games.conquest.tests.files import squares, write
from gonfalon.games.conquest.text.drawing import svg

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


def test_cq_3_the_plain_map_is_sound(tmp_path: Path) -> None:
    m = maps.load(write(tmp_path, squares()))
    b = maps.find_borders(m)
    near = {m.zone_ids[z]: {m.zone_ids[other] for other in others} for z, others in enumerate(b.near)}
    assert near["as1"] == {"as2", "co1"}
    assert near["as2"] == {"as1", "as3", "co2"}
    assert near["co3"] == {"co2", "as3", "ea3"}
    assert {frozenset((m.zone_ids[z], m.zone_ids[w])) for z, w in b.ridged} == {
        frozenset({"co3", "da1"}),
        frozenset({"is1", "ja3"}),
    }
    assert len(b.pairs) == 60 - 2


def test_cq_3_the_way_around_is_free(tmp_path: Path) -> None:
    table = squares()
    zone(table, "Dale", 2).reverse()
    one, other = maps.load(write(tmp_path, table)), maps.load(write(tmp_path, squares()))
    assert maps.find_borders(one) == maps.find_borders(other)


def test_cq_3_a_map_need_not_be_symmetric(tmp_path: Path) -> None:
    table = squares() | {"quarters": ["All"], "symmetric": False, "ridges": [["c13", "c23"]]}
    for one in table["territory"]:
        one["quarter"] = "All"
    assert len(maps.find_borders(maps.load(write(tmp_path, table))).ridged) == 1


def test_cq_3_a_ridge_beside_an_open_edge_is_no_end(tmp_path: Path) -> None:
    """Ash 1 and Ash 2 share two edges; one is a ridge, the other is open, so they border each other."""
    table = squares()
    table["points"]["m"] = [150, 100]
    for number in (1, 2):
        ring = zone(table, "Ash", number)
        i = ring.index("c01")
        ring.insert(i + 1 if number == 1 else i, "m")
    table["ridges"].append(["c01", "m"])
    m = maps.load(write(tmp_path, table))
    assert m.zone_ids.index("as2") in maps.find_borders(m).near[m.zone_ids.index("as1")]


# ---- each mistake -------------------------------------------------------------------------------------------------


def cut_off(table: dict[str, Any]) -> None:
    """Put ridges all around Ash, zone 1."""
    table["ridges"] += [["c01", "c11", "c10"]]


def shut_in(table: dict[str, Any]) -> None:
    """Put ridges around Ash with only one way out."""
    table["ridges"] += [["c03", "c13", "c12", "c11"]]


def fly(table: dict[str, Any]) -> None:
    """Let Ash, zone 3 and Lake, zone 1 change places."""
    a, b = zone(table, "Ash", 3), zone(table, "Lake", 1)
    a[:], b[:] = list(b), list(a)


def nest(table: dict[str, Any]) -> None:
    """Move Ash, zone 1 into the middle of Ford, zone 2."""
    corners = {"n1": [470, 270], "n2": [480, 270], "n3": [480, 280], "n4": [470, 280]}
    table["points"] |= corners
    zone(table, "Ash", 1)[:] = list(corners)
    del table["points"]["c00"]
    table["bends"] = {}


def third(table: dict[str, Any]) -> None:
    """Give the left corners of Ash, zone 1 to zone 2 as well."""
    reshape(table, "Ash", 2, "c00 c01 c02 c12 c11 c10")


def split_corner(table: dict[str, Any]) -> None:
    """Give Ash, zone 1 a corner of its own on an edge that it should share."""
    table["points"]["own"] = [150, 100]
    zone(table, "Ash", 1).insert(2, "own")


def move_city(table: dict[str, Any]) -> None:
    """Move the city of Ash to Bay."""
    territory(table, "Bay")["city"] = territory(table, "Ash").pop("city")


CASES: list[tuple[str, Breaking, str]] = [
    ("territories", lambda t: t.update(territories=24), "territories: there are 12, not 24"),
    ("cities", lambda t: territory(t, "Ash").pop("city"), "cities: there are 3, not 4"),
    (
        "share",
        lambda t: territory(t, "Ash").update(quarter="South"),
        "unequal shares of the territories: North 5, South 7",
    ),
    ("city share", lambda t: territory(t, "Ash").pop("city"), "unequal shares of the cities: North 1, South 2"),
    ("players", lambda t: t.update(players=[5]), "12 territories are no equal shares for 5"),
    ("units", lambda t: t.update(players=[2, 3]), "12 zones each for 3, but a player has 18 units"),
    ("unused", lambda t: t["points"].update(x=[10, 10]), "points: x is a corner of no zone"),
    ("outside", lambda t: t["points"].update(c00=[-3, 50]), "points: c00 lies outside"),
    ("doubled", lambda t: t["points"].update(c00=[50.2, 50], x=[50, 50]), "points: c00 and x are at the same place"),
    ("bend", lambda t: t["bends"].update({"c00 c11": [[90, 90]]}), "bends: no zone has an edge from c00 to c11"),
    ("ridge", lambda t: t["ridges"].append(["c00", "c11"]), "ridge 3: no zone has an edge from c00 to c11"),
    ("coast ridge", lambda t: t["ridges"].append(["c00", "c01"]), "ridge 3: from c00 to c01 there is only Ash, zone 1"),
    (
        "islet",
        lambda t: t.update(islets=[[[60, 60], [70, 60], [70, 70]]]),
        "islets: islet 1 lies on the land of Ash, zone 1",
    ),
    ("third zone", third, "the edge from c00 to c01 belongs to 2 zones " * 0),
    ("itself", lambda t: reshape(t, "Ash", 1, "c00 c11 c01 c10"), "Ash, zone 1: the outline crosses or touches itself"),
    ("across", lambda t: t["points"].update(c11=[270, 120]), "Ash, zone 1: the outline meets that of Ash, zone 2"),
    ("split", split_corner, "Ash, zone 1: the outline meets that of Ash, zone 2 elsewhere"),
    ("nested", nest, "Ash, zone 1: lies on top of Ford, zone 2"),
    ("apart", fly, "Ash: zone 3 does not hang together with zone 1"),
    ("no way", cut_off, "Ash, zone 1: no way leads there " * 0),
    ("way out", shut_in, "Ash: must have at least 2 ways out, not 1"),
    ("no ridge", lambda t: t["ridges"].pop(), "ridges: none blocks a border in the quarter South"),
    (
        "ridge on one side",
        lambda t: t["ridges"].append(["c21", "c22"]),
        "Jade, zone 2 and Hill, zone 2 have a border, Cove, zone 2 and East, zone 2 in the next quarter have a ridge",
    ),
    ("other city", move_city, "symmetric: Bay has a city, Knoll in the next quarter has none"),
]


@pytest.mark.parametrize(("breaking", "message"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_cq_3_a_mistake_is_told(breaking: Breaking, message: str, tmp_path: Path) -> None:
    table = squares()
    breaking(table)
    told = faults(tmp_path, table)
    assert any(message in fault for fault in told), "\n".join(told)


@pytest.mark.parametrize("breaking", [case[1] for case in CASES], ids=[case[0] for case in CASES])
def test_cq_3_a_map_with_mistakes_can_be_looked_at(breaking: Breaking, tmp_path: Path) -> None:
    table = squares()
    breaking(table)
    assert svg(maps.read(write(tmp_path, table))).endswith("</svg>\n")


def test_cq_3_mistakes_are_told_together(tmp_path: Path) -> None:
    table = squares()
    shut_in(table)
    table["points"]["x"] = [10, 10]
    table["territories"] = 24
    told = "\n".join(faults(tmp_path, table))
    assert "not 24" in told
    assert "x is a corner of no zone" in told
    assert "ways out" in told


# ---- keys and values ----------------------------------------------------------------------------------------------


FORM: list[tuple[Breaking, str]] = [
    (lambda t: t.update(colour="red"), "unknown key 'colour'"),
    (lambda t: t.pop("size"), "key 'size' is missing"),
    (lambda t: territory(t, "Ash").update(borders=[]), "Ash: unknown key 'borders'"),
    (lambda t: territory(t, "Ash").pop("zones"), "Ash: key 'zones' is missing"),
    (lambda t: territory(t, "Ash").pop("name"), "territory 1: key 'name' is missing"),
    (lambda t: t.update(title=" "), "title: must be a text"),
    (lambda t: t.update(players=2), "players: must be a list of numbers"),
    (lambda t: t.update(players=[3, 2]), "players: must be in ascending order"),
    (lambda t: t.update(players=[1]), "players: must be a whole number of at least 2"),
    (lambda t: t.update(cities=True), "cities: must be a whole number of at least 0, not True"),
    (lambda t: t.update(size=[0, 700]), "size: must be above 0"),
    (lambda t: t.update(symmetric="yes"), "symmetric: must be true or false, not 'yes'"),
    (lambda t: t.update(quarters=[]), "quarters: must be a list of names"),
    (lambda t: t.update(quarters=["North", "South", "South"]), "quarters: 'South' stands there 2 times"),
    (lambda t: t["points"].update(c00=[1]), "points: c00: must be two numbers [x, y], not [1]"),
    (lambda t: t["points"].pop("c00"), "Ash, zone 1: no point 'c00'"),
    (lambda t: t["bends"].update(c00=[[1, 1]]), "bends: 'c00': must name two points"),
    (lambda t: t["bends"].update({"c00 c99": [[1, 1]]}), "bends: 'c00 c99': no point 'c99'"),
    (lambda t: t["bends"].update({"c01 c00": [[1, 1]]}), "bends: 'c01 c00': this edge is there the other way around"),
    (lambda t: t["bends"].update({"c00 c01": []}), "bends: 'c00 c01': must be a list of at least 1 places"),
    (lambda t: t["ridges"].append(["c00"]), "ridges: ridge 3: must have at least 2 corners"),
    (lambda t: t["ridges"].append(["c00", "c99"]), "ridges: ridge 3: no point 'c99'"),
    (lambda t: t.update(islets=[[[1, 1]]]), "islets: islet 1: must be a list of at least 3 places"),
    (lambda t: t.update(territory=[]), "territory: must be tables [[territory]]"),
    (lambda t: t.update(points=[], territory=[]), "points: must be a table, not []"),
    (lambda t: territory(t, "Ash").update(id="A1"), "Ash: id: must be one to four letters a to z, not 'A1'"),
    (lambda t: territory(t, "Ash").update(id="ba"), "2 territories have the id 'ba'"),
    (lambda t: territory(t, "Ash").update(name="Bay"), "2 territories have the name 'Bay'"),
    (lambda t: territory(t, "Ash").update(quarter="West"), "Ash: quarter: no quarter 'West'; there are North, South"),
    (lambda t: territory(t, "Ash").update(city=4), "Ash: city: must be a zone from 1 to 3, not 4"),
    (lambda t: territory(t, "Ash")["zones"].pop(), "Ash: zones: must be 3 lists of corners, not 2 of them"),
    (lambda t: reshape(t, "Ash", 2, "c01 c02"), "Ash, zone 2: must have at least 3 corners, not 2"),
    (lambda t: reshape(t, "Ash", 2, "c01 c02 c12 c02"), "Ash, zone 2: the corner c02 stands in it 2 times"),
    (lambda t: territory(t, "Ash")["zones"].__setitem__(1, 5), "Ash, zone 2: must be a list of corners, not 5"),
]


@pytest.mark.parametrize(("breaking", "message"), FORM, ids=[message for _, message in FORM])
def test_cq_3_a_malformed_file_is_refused(breaking: Breaking, message: str, tmp_path: Path) -> None:
    table = squares()
    breaking(table)
    told = faults(tmp_path, table)
    assert any(message in fault for fault in told), "\n".join(told)


def test_cq_3_malformed_values_are_told_together(tmp_path: Path) -> None:
    table = squares() | {"title": 3, "players": "all"}
    territory(table, "Ash")["city"] = 9
    assert len(faults(tmp_path, table)) == 3


def test_cq_3_no_toml_at_all(tmp_path: Path) -> None:
    path = tmp_path / "broken.toml"
    path.write_text("title = ", encoding="utf-8")
    with pytest.raises(maps.MapError, match=r"^broken\.toml: "):
        maps.load(path)


# ---- our own maps -------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module", params=maps.list_maps())
def own(request: pytest.FixtureRequest) -> maps.Map:
    return maps.load(maps.FOLDER / f"{request.param}.toml")


def test_cq_3_there_is_one_for_four_and_one_for_two() -> None:
    big, small = (maps.read(maps.FOLDER / f"{name}.toml") for name in ("isle", "narrows"))
    assert (big.players, len(big.territories), len(big.zones), len(big.quarters)) == ((2, 3, 4), 24, 72, 4)
    assert (small.players, len(small.territories), len(small.zones), len(small.quarters)) == ((2,), 12, 36, 2)
    assert Counter(t.quarter for t in big.territories if t.city) == dict.fromkeys(big.quarters, 2)
    assert {t.name for t in big.territories if t.city} > BOOK


def table_of(m: maps.Map) -> dict[str, Any]:
    return tomllib.loads((maps.FOLDER / m.file).read_text(encoding="utf-8"))


def borders_again(table: dict[str, Any]) -> tuple[set[frozenset[str]], set[frozenset[str]]]:
    """Return the borders and the ridged borders by zone ids, computed from the file's table alone."""
    ridges = {frozenset(pair) for ridge in table["ridges"] for pair in pairwise(ridge)}
    sides: dict[str, set[frozenset[str]]] = {
        f"{t['id']}{k}": {frozenset(pair) for pair in pairwise([*ring, ring[0]])}
        for t in table["territory"]
        for k, ring in enumerate(t["zones"], 1)
    }
    near: set[frozenset[str]] = set()
    ridged: set[frozenset[str]] = set()
    for (a, edges), (b, others) in combinations(sides.items(), 2):
        if edges & others:
            (near if edges & others - ridges else ridged).add(frozenset({a, b}))
    return near, ridged


def test_cq_3_borders_follow_from_the_drawing(own: maps.Map) -> None:
    b = maps.find_borders(own)
    near, ridged = borders_again(table_of(own))
    assert {frozenset(own.zone_ids[z] for z in pair) for pair in b.pairs} == near
    assert {frozenset(own.zone_ids[z] for z in pair) for pair in b.ridged} == ridged
    assert all(z in b.near[other] for z, others in enumerate(b.near) for other in others)


def test_cq_3_no_seat_is_favoured(own: maps.Map) -> None:
    table = table_of(own)
    near, ridged = borders_again(table)
    quarters = [[t for t in table["territory"] if t["quarter"] == name] for name in table["quarters"]]
    turn = {
        f"{t['id']}{k}": f"{other['id']}{k}"
        for q, here in enumerate(quarters)
        for t, other in zip(here, quarters[(q + 1) % len(quarters)], strict=True)
        for k in (1, 2, 3)
    }
    assert len(set(turn.values())) == len(own.zones)
    assert {frozenset(turn[z] for z in pair) for pair in near} == near
    assert {frozenset(turn[z] for z in pair) for pair in ridged} == ridged
    assert all("city" in t for here in quarters for t, one in zip(here, quarters[0], strict=True) if "city" in one)


def test_cq_3_the_picture_differs_between_quarters(own: maps.Map) -> None:
    areas = [maps.signed_area(maps.outline(own, z)) for z in range(len(own.zones))]
    share = len(areas) // len(own.quarters)
    assert not np.allclose(areas[:share], areas[share : 2 * share], rtol=0.02)


def test_cq_3_each_territory_leads_to_two_others(own: maps.Map) -> None:
    b = maps.find_borders(own)
    for t in range(len(own.territories)):
        beyond = {other // 3 for z in range(3 * t, 3 * t + 3) for other in b.near[z]} - {t}
        assert len(beyond) >= 2


def test_cq_3_each_quarter_borders_its_neighbours(own: maps.Map) -> None:
    b, n = maps.find_borders(own), len(own.quarters)
    quarter = [own.quarters.index(own.territories[z // 3].quarter) for z in range(len(own.zones))]
    met = {(quarter[z], quarter[w]) for z, w in b.pairs} | {(quarter[w], quarter[z]) for z, w in b.pairs}
    assert all((q, (q + 1) % n) in met for q in range(n))


def test_cq_3_zones_are_alike_in_size(own: maps.Map) -> None:
    areas = [maps.signed_area(maps.outline(own, z)) for z in range(len(own.zones))]
    assert max(areas) / min(areas) < 1.6
    assert min(spot.reach for spot in maps.find_spots(own)) > (36 if len(own.zones) == 72 else 50)


def test_cq_3_ids_are_short_and_names_pronounceable(own: maps.Map) -> None:
    for one in own.territories:
        assert len(one.id) == 2
        assert re.fullmatch(r"[A-Z][a-z]+( [A-Z][a-z]+)?", one.name)
