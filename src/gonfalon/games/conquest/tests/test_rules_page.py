"""The rules page of Conquest: its tables agree with the files, and its pictures with the maps and the rules."""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise

import pytest

from gonfalon.engine.rulesets.ruleset import counts_of, read_counts
from gonfalon.games.conquest import state as g
from gonfalon.games.conquest.maps import FOLDER, Borders, Map, find_borders, list_maps, read
from gonfalon.games.conquest.ruleset import CARDS, DATA, TYPES
from texts import diagrams, rules_page, tables

PAGE = rules_page("conquest")
PICTURES = [
    (name, caption, body.split("\n")) for name in list_maps() for caption, body in diagrams(PAGE, f"map {name}")
]
SIDE = "(" + "|".join(g.SIDES) + ")"
FACE = "(" + "|".join(TYPES[1:]) + r"|\?)"
LINES = {
    "held": re.compile(rf"held (\w+) {SIDE}"),
    "unit": re.compile(rf"(\w+) {SIDE} {FACE}( seen)?"),
    "mark": re.compile(r"(\w+) \*"),
    "way": re.compile(r"\w+( > \w+)+"),
}
"""Patterns of the lines that a picture may have, by kind."""


@cache
def land(name: str) -> tuple[Map, Borders]:
    found = read(FOLDER / f"{name}.toml")
    return found, find_borders(found)


def said(lines: list[str], what: str) -> list[re.Match[str]]:
    return [match for line in lines if (match := LINES[what].fullmatch(line))]


def units(lines: list[str]) -> dict[str, tuple[str, str]]:
    """Return side and face by zone."""
    return {match[1]: (match[2], match[3]) for match in said(lines, "unit")}


each_picture = pytest.mark.parametrize(("name", "caption", "lines"), PICTURES, ids=[p[1][:30] for p in PICTURES])


@each_picture
def test_pictures_are_well_formed(name: str, caption: str, lines: list[str]) -> None:
    m, _ = land(name)
    shown = lines[0].removeprefix("show ").split()
    assert lines[0].startswith("show ")
    territories = {territory.id for territory in m.territories}
    assert shown == ["all"] or set(shown) <= territories
    told = [match[0] for what in LINES for match in said(lines[1:], what)]
    assert sorted(told) == sorted(lines[1:])
    zones = {zone for match in (*said(lines, "unit"), *said(lines, "mark")) for zone in (match[1],)}
    zones |= {zone for match in said(lines, "way") for zone in match[0].split(" > ")}
    assert zones <= set(m.zone_ids)
    assert {zone[:-1] for zone in zones} <= set(shown)
    assert {match[1] for match in said(lines, "held")} <= set(shown)
    assert len(said(lines, "unit")) == len(units(lines)), "two units in a zone"


@each_picture
def test_ways_are_ways(name: str, caption: str, lines: list[str]) -> None:
    """Each way in a picture begins with a movable unit and goes from zone to bordering zone. All zones but the last are
    empty (CQ-14, CQ-15).
    """
    m, near = land(name)
    for match in said(lines, "way"):
        ids = match[0].split(" > ")
        way = [m.zone_ids.index(zone) for zone in ids]
        side, face = units(lines)[ids[0]]
        assert face not in ("cursed-land", "flag")
        assert len(way) == 2 or face == "scout"
        assert all(b in near.near[a] for a, b in pairwise(way))
        assert not set(ids[1:-1]) & set(units(lines))
        assert units(lines).get(ids[-1], ("", ""))[0] != side


@each_picture
def test_held_territories_are_held(name: str, caption: str, lines: list[str]) -> None:
    """CQ-9: pictures of control show exactly the territories in which all units are of one side."""
    held = {match[1]: match[2] for match in said(lines, "held")}
    owners: dict[str, set[str]] = {}
    for zone, (side, _) in units(lines).items():
        owners.setdefault(zone[:-1], set()).add(side)
    assert not held or held == {place: next(iter(sides)) for place, sides in owners.items() if len(sides) == 1}


def picture(word: str) -> tuple[str, list[str]]:
    (found,) = [(name, lines) for name, caption, lines in PICTURES if word in caption]
    return found


def test_the_knight_among_mountains_can_go_where_the_picture_says() -> None:
    """CQ-14: the picture marks all zones that border the Knight's zone."""
    name, lines = picture("mountains close")
    m, near = land(name)
    (zone,) = units(lines)
    at = m.zone_ids.index(zone)
    assert {m.zone_ids[other] for other in near.near[at]} == {match[1] for match in said(lines, "mark")}
    assert any(at in pair for pair in near.ridged)


def test_reinforcements_go_where_the_picture_says() -> None:
    """CQ-28: the picture marks all empty zones that border red's units."""
    name, lines = picture("A unit drawn by red")
    m, near = land(name)
    own = [m.zone_ids.index(zone) for zone, (side, _) in units(lines).items() if side == "red"]
    free = {m.zone_ids[other] for zone in own for other in near.near[zone]} - set(units(lines))
    assert free == {match[1] for match in said(lines, "mark")}


def test_three_are_regrouped() -> None:
    """CQ-27: the picture marks three zones, all with units of red."""
    _, lines = picture("regroups")
    marked = [match[1] for match in said(lines, "mark")]
    assert len(marked) == 3
    assert all(units(lines)[zone][0] == "red" for zone in marked)


def test_the_tables_say_what_the_files_say() -> None:
    """The tables of CQ-1 and CQ-2 have the counts of the army file and the deck file."""
    army = counts_of(read_counts(DATA / "armies" / "standard.toml", TYPES), TYPES)
    cards = counts_of(read_counts(DATA / "decks" / "standard.toml", CARDS), CARDS)
    assert tables(PAGE.split("**CQ-1**")[1].split("**CQ-2**")[0]) == {
        name: f"{code if code < g.CURSED_LAND else '-'} {count}"
        for code, (name, count) in enumerate(zip(TYPES, army, strict=True))
        if name
    }
    assert tables(PAGE.split("**CQ-2**")[1].split("## The map")[0]) == {
        name: str(count) for name, count in zip(CARDS, cards, strict=True)
    }
    assert f"{sum(army)} units" in PAGE
    assert f"pile of {sum(cards)} cards" in PAGE


@pytest.mark.parametrize(("name", "heading"), [("isle", "Banner Isle"), ("narrows", "The Narrows")])
def test_maps_are_as_the_page_says(name: str, heading: str) -> None:
    m, _ = land(name)
    assert m.title == heading
    section = " ".join(PAGE.split(f"### {heading}\n")[1].split("## ")[0].split())
    count = {24: "24", 12: "twelve"}[len(m.territories)]
    assert f"{count} territories" in section
    if name == "isle":
        assert all(territory.name in section for territory in m.territories if territory.city)
