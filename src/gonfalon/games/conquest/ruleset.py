"""Conquest's rulesets: switches, armies, decks and maps, read from `data/` and checked strictly.

A variant file names a map, an army and a deck. `load` fills in the army and the deck, but reads only the head of the
map file, so that listing the games is fast. `map_of` reads the map itself.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from gonfalon.engine.rulesets.ruleset import (
    Facts,
    Ruleset,
    RulesetError,
    Switch,
    check_head,
    check_whole,
    counts_of,
    find_file,
    load_variant,
    read_counts,
    read_toml,
)

if TYPE_CHECKING:
    from gonfalon.games.conquest.maps import Map

DATA = Path(__file__).parent / "data"

TYPES = (
    "",
    "spy-master",
    "scout",
    "sorceress",
    "baron",
    "knight",
    "count",
    "duke",
    "prince",
    "queen",
    "king",
    "cursed-land",
    "flag",
)
"""Unit types by type code: 1 to 10 are the ranks, 11 the Cursed Land, 12 the Flag; code 0 means no unit."""

CARDS = (
    "reinforcements",
    "blitz",
    "surprise-attack",
    "regroup",
    "secret-information",
    "traitor",
    "new-spy-master",
)
"""Cards by card code."""

SIDES = ("red", "blue", "green", "ochre")
MOST_UNITS = 18
"""Maximum number of units of a player, because the state has no room for more."""
MOST_TERRITORIES, IN_TERRITORY = 24, 3
"""Maximum number of territories of a map, and number of zones of a territory."""
MOST_NEAR = 16
"""Maximum number of zones that a zone borders."""
MOST_CARDS = 255
"""Maximum number of cards of one kind: the count must fit into a byte."""

KEYS = frozenset({"order", "map", "players", "army", "deck", "boxes"})

SWITCHES = (
    Switch("scout_attacks_after_run", True),
    Switch("prove_spy_master", True),
    Switch("max_quiet_rounds", 50, 2, 200),
    Switch("max_rounds", 400, 10, 2000),
    Switch("show_known", True),
)
"""The family's house rules, with the defaults that a variant file may replace."""


def load(variant: str, data: Path = DATA) -> Ruleset:
    """Return the ruleset of a variant of the family whose files are in `data`. Raises `RulesetError` with file and key.

    `Ruleset.data` holds the keys of the variant file. Its `army` and `deck` are tables, read from the named files; they
    also hold that name as `name`. `map` holds only the map's name.
    """
    ruleset = load_variant(data / "variants", variant, KEYS, SWITCHES)
    where, keys = f"{variant}.toml", ruleset.data
    check_head(keys, ("map", "army", "deck"), where)
    army_table = _read_army(find_file(data / "armies", keys["army"], f"{where}: army"))
    deck_table = _read_deck(find_file(data / "decks", keys["deck"], f"{where}: deck"))
    units = sum(army_table.values())
    _check_map(find_file(data / "maps", keys["map"], f"{where}: map"), keys["players"], units, where)
    filled = {
        **keys,
        "map": {"name": keys["map"]},
        "army": {"name": keys["army"], **army_table},
        "deck": {"name": keys["deck"], **deck_table},
    }
    facts = Facts(SIDES[: keys["players"]], "map", units, boxes=tuple(keys["boxes"]))
    return msgspec.structs.replace(ruleset, data=filled, facts=facts)


def validate(_ruleset: Ruleset) -> None:
    """Check switches against each other. In this family no switch depends on another."""


def army(ruleset: Ruleset) -> tuple[int, ...]:
    """Return the number of units of each type that a player has: 13 counts by type code, the first one unused (0)."""
    return counts_of(ruleset.data["army"], TYPES)


def deck(ruleset: Ruleset) -> tuple[int, ...]:
    """Return the number of cards of each kind, by card code."""
    return counts_of(ruleset.data["deck"], CARDS)


def map_of(ruleset: Ruleset, data: Path = DATA) -> Map:
    """Return the ruleset's map. Raises `RulesetError` for a map that is not well formed or too large for the rules."""
    return _map(data / "maps" / f"{ruleset.data['map']['name']}.toml")


@cache
def _map(path: Path) -> Map:
    from gonfalon.games.conquest.maps import find_borders, read

    found = read(path)
    for zone, near in enumerate(find_borders(found).near):
        if len(near) > MOST_NEAR:
            raise RulesetError(
                f"{path.name}: {found.zone_name(zone)} borders {len(near)} zones; there may be {MOST_NEAR}"
            )
    return found


def _read_army(path: Path) -> dict[str, Any]:
    """CQ-1: read an army with one Flag, at most one Spy Master, and no more units than slots."""
    table = read_counts(path, TYPES)
    if table.get("flag", 0) != 1:
        raise RulesetError(f"{path.name}: flag must be 1, not {table.get('flag', 0)}")
    if table.get("spy-master", 0) > 1:
        raise RulesetError(f"{path.name}: spy-master must be 0 or 1, not {table['spy-master']}")
    units = sum(table.values())
    if units > MOST_UNITS:
        raise RulesetError(f"{path.name}: an army has at most {MOST_UNITS} units, not {units}")
    return table


def _read_deck(path: Path) -> dict[str, Any]:
    """CQ-2: read a deck with at most one Traitor, because only one Traitor can lie at the bottom."""
    table = read_counts(path, CARDS)
    if table.get("traitor", 0) > 1:
        raise RulesetError(f"{path.name}: traitor must be 0 or 1, not {table['traitor']}")
    cards = sum(table.values())
    if cards > MOST_CARDS:
        raise RulesetError(f"{path.name}: a deck has at most {MOST_CARDS} cards, not {cards}")
    return table


def _check_map(path: Path, players: object, units: int, where: str) -> None:
    """Check that this many players, each with this many units, can play on the map."""
    allowed, territories = _head(path)
    count = check_whole(players, 2, f"{where}: players")
    if count not in allowed:
        raise RulesetError(f"{where}: players: {path.stem}.toml is for {', '.join(map(str, allowed))}, not {count}")
    zones = territories // count * IN_TERRITORY
    if units > zones:
        raise RulesetError(f"{where}: army: {units} units do not fit in the {zones} zones that each player has")


@cache
def _head(path: Path) -> tuple[tuple[int, ...], int]:
    """Return the numbers of players that a map is for, and its number of territories."""
    table = read_toml(path)
    allowed = table.get("players")
    if not isinstance(allowed, list):
        raise RulesetError(f"{path.name}: players must be a list of numbers, not {allowed!r}")
    for number in allowed:
        if check_whole(number, 2, f"{path.name}: players") > len(SIDES):
            raise RulesetError(f"{path.name}: players must be at most {len(SIDES)}, not {number}")
    territories = check_whole(table.get("territories"), 1, f"{path.name}: territories")
    if territories > MOST_TERRITORIES:
        raise RulesetError(f"{path.name}: territories must be at most {MOST_TERRITORIES}, not {territories}")
    return tuple(allowed), territories
