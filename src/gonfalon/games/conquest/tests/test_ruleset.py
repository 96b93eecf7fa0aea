"""Variant, army, deck and map files of Conquest: what they contain; mistakes are refused, and the error names the file
and the key.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from gonfalon import games
from gonfalon.engine.rulesets.ruleset import RulesetError
from gonfalon.games.conquest import ruleset as conquest
from gonfalon.games.conquest import state as g
from texts import edit


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A copy of the family's data folder."""
    return Path(shutil.copytree(conquest.DATA, tmp_path / "conquest" / "data"))


@pytest.mark.parametrize(
    ("variant", "land", "players", "zones"),
    [
        ("conquest", "Banner Isle", 4, 18),
        ("conquest-three", "Banner Isle", 3, 24),
        ("conquest-two", "Banner Isle", 2, 36),
        ("conquest-narrows", "The Narrows", 2, 18),
    ],
)
def test_variants(variant: str, land: str, players: int, zones: int) -> None:
    """CQ-1, CQ-2, CQ-6: armies, cards, and the number of zones for each player."""
    ruleset = games.ruleset(variant)
    assert conquest.map_of(ruleset).title == land
    assert len(conquest.map_of(ruleset).zones) // players == zones
    assert ruleset.facts.sides == g.SIDES[:players]
    assert (ruleset.facts.layout, ruleset.facts.pieces, ruleset.facts.boxes) == ("map", 18, ("Stratego Conquest",))
    assert conquest.army(ruleset) == (0, 1, 4, 3, 1, 1, 1, 1, 1, 1, 1, 2, 1)
    assert conquest.deck(ruleset) == (6, 13, 4, 11, 5, 1, 2)


def test_the_numbers_are_those_of_the_state() -> None:
    """The ruleset module has constants of its own, so that reading a ruleset needs no arrays; they equal those of the
    state.
    """
    assert conquest.SIDES == g.SIDES
    assert len(conquest.TYPES) == g.TYPES
    assert len(conquest.CARDS) == g.CARDS
    assert (conquest.MOST_UNITS, conquest.MOST_NEAR) == (g.ARMY, g.MOST_NEAR)
    assert (conquest.MOST_TERRITORIES, conquest.IN_TERRITORY) == (g.TERRITORIES, g.IN_TERRITORY)
    for name, code in (("spy-master", g.SPY_MASTER), ("cursed-land", g.CURSED_LAND), ("flag", g.FLAG)):
        assert conquest.TYPES[code] == name
    for name, code in (("blitz", g.BLITZ), ("traitor", g.TRAITOR), ("new-spy-master", g.NEW_MASTER)):
        assert conquest.CARDS[code] == name


VARIANT, ARMY, DECK, MAP = "variants/conquest.toml", "armies/standard.toml", "decks/standard.toml", "maps/isle.toml"


@pytest.mark.parametrize(
    ("file", "old", "new", "words"),
    [
        (VARIANT, "players = 4", "", "conquest.toml: key 'players' is missing"),
        (VARIANT, "players = 4", "players = 1", "conquest.toml: players must be a whole number of at least 2"),
        (VARIANT, "players = 4", "players = true", "conquest.toml: players must be a whole number"),
        (VARIANT, "players = 4", "players = 5", "conquest.toml: players: isle.toml is for 2, 3, 4, not 5"),
        (VARIANT, 'map = "isle"', 'map = "narrows"', "conquest.toml: players: narrows.toml is for 2, not 4"),
        (VARIANT, 'map = "isle"', 'map = "moon"', "conquest.toml: map: no file 'moon'; there are isle, narrows"),
        (VARIANT, 'map = "isle"', "map = 1", "conquest.toml: map must be a name"),
        (VARIANT, 'army = "standard"', "", "conquest.toml: key 'army' is missing"),
        (ARMY, "flag = 1", "", "standard.toml: flag must be 1, not 0"),
        (ARMY, "flag = 1", "flag = 2", "standard.toml: flag must be 1, not 2"),
        (ARMY, "spy-master = 1", "spy-master = 2", "standard.toml: spy-master must be 0 or 1, not 2"),
        (ARMY, "scout = 4", "scout = 5", "standard.toml: an army has at most 18 units, not 19"),
        (ARMY, "scout = 4", "scout = -1", "standard.toml: scout must be a whole number"),
        (ARMY, "scout = 4", "scouts = 4", "standard.toml: unknown key 'scouts'"),
        (DECK, "traitor = 1", "traitor = 2", "standard.toml: traitor must be 0 or 1, not 2"),
        (DECK, "blitz = 13", "blitz = 240", "standard.toml: a deck has at most 255 cards, not 269"),
        (DECK, "blitz = 13", "blitz = 1.5", "standard.toml: blitz must be a whole number"),
        (DECK, "blitz = 13", "blizzard = 13", "standard.toml: unknown key 'blizzard'"),
        (MAP, "territories = 24", "territories = 16", "army: 18 units do not fit in the 12 zones"),
        (MAP, "territories = 24", "territories = 28", "isle.toml: territories must be at most 24, not 28"),
        (MAP, "territories = 24", 'territories = "all"', "isle.toml: territories must be a whole number"),
        (MAP, "players = [2, 3, 4]", "players = [2, 4, 6]", "isle.toml: players must be at most 4, not 6"),
        (MAP, "players = [2, 3, 4]", "players = 4", "isle.toml: players must be a list"),
        (MAP, "players = [2, 3, 4]", "players = ", "isle.toml:"),
    ],
)
def test_mistakes_are_refused(data: Path, file: str, old: str, new: str, words: str) -> None:
    edit(data / file, old, new)
    with pytest.raises(RulesetError) as caught:
        conquest.load("conquest", data)
    assert words in str(caught.value)


def test_a_small_army_fits_anywhere(data: Path) -> None:
    edit(data / ARMY, "scout = 4", "scout = 1")
    assert sum(conquest.army(conquest.load("conquest", data))) == 15


def test_a_map_that_is_not_well_formed_is_refused_when_it_is_read(data: Path) -> None:
    edit(data / MAP, "cities = 8", "towns = 8")
    ruleset = conquest.load("conquest", data)
    with pytest.raises(RulesetError, match=r"isle\.toml: unknown key 'towns'"):
        conquest.map_of(ruleset, data)


def test_zones_with_too_many_neighbours_are_refused(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The state has room for a limited number of neighbours only."""
    monkeypatch.setattr(conquest, "MOST_NEAR", 4)
    with pytest.raises(RulesetError, match=r"isle\.toml: Thorne, zone 2 borders 5 zones; there may be 4"):
        conquest.map_of(conquest.load("conquest", data), data)


@pytest.mark.parametrize(
    "switches",
    [
        {"max_quiet_rounds": 1},
        {"max_quiet_rounds": 201},
        {"max_rounds": 9},
        {"max_rounds": 2001},
        {"scout_attacks_after_run": 1},
        {"prove_spy_master": 0},
        {"max_turns": 100},
    ],
)
def test_switches_are_refused(switches: dict[str, int]) -> None:
    with pytest.raises(RulesetError, match=next(iter(switches))):
        games.ruleset("conquest", **switches)
