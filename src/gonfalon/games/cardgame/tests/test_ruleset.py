"""Variant and deck files: what they contain; every mistake is refused, and the error names the file and the key."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from gonfalon import games
from gonfalon.engine.rulesets.ruleset import RulesetError
from gonfalon.games.cardgame import ruleset as cards
from gonfalon.games.cardgame.tables import make_rules
from texts import edit


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A copy of the family's data folder."""
    return Path(shutil.copytree(cards.DATA, tmp_path / "cardgame" / "data"))


@pytest.mark.parametrize(
    ("variant", "deck"),
    [
        ("cardgame", (0, 1, 4, 4, 2, 2, 2, 1, 1, 1, 1, 3, 1)),
        ("cardgame-sergeants", (0, 1, 4, 3, 3, 2, 2, 1, 1, 1, 1, 3, 1)),
    ],
)
def test_decks(variant: str, deck: tuple[int, ...]) -> None:
    """CG-1: each side has 23 cards."""
    ruleset = games.ruleset(variant)
    assert cards.deck(ruleset) == deck
    assert sum(deck) == ruleset.facts.pieces == 23
    assert (ruleset.facts.layout, ruleset.facts.columns, ruleset.facts.rows) == ("table", 5, 2)
    assert ruleset.facts.boxes == ("Stratego Card Game",)


def test_record() -> None:
    record = make_rules(games.ruleset("cardgame", max_quiet_turns=10))
    assert record.shape == (1,)
    assert record[0]["max_quiet_turns"] == 10
    assert record[0]["deck"].sum() == 23


@pytest.mark.parametrize(
    ("file", "old", "new", "words"),
    [
        ("variants/cardgame.toml", 'deck = "standard"', "", "cardgame.toml: key 'deck' is missing"),
        ("decks/standard.toml", "flag = 1", "", "standard.toml: flag must be 1, not 0"),
        ("decks/standard.toml", "flag = 1", "flag = 2", "standard.toml: flag must be 1, not 2"),
        ("decks/standard.toml", "bomb = 3", "bomb = -1", "standard.toml: bomb must be a whole number"),
        ("decks/standard.toml", "bomb = 3", "bomb = true", "standard.toml: bomb must be a whole number"),
        ("decks/standard.toml", "bomb = 3", "boom = 3", "standard.toml: unknown key 'boom'"),
        ("decks/standard.toml", "bomb = 3", "bomb = 21", "standard.toml: a deck has 8 to 40 cards, not 41"),
        ("decks/standard.toml", "spy = 1", "spy", "standard.toml:"),
    ],
)
def test_mistakes_are_refused(data: Path, file: str, old: str, new: str, words: str) -> None:
    edit(data / file, old, new)
    with pytest.raises(RulesetError) as caught:
        cards.load("cardgame", data)
    assert words in str(caught.value)


@pytest.mark.parametrize("switches", [{"max_quiet_turns": 1}, {"max_quiet_turns": 501}, {"show_known": 1}, {"x": 1}])
def test_switches_are_refused(switches: dict[str, int]) -> None:
    with pytest.raises(RulesetError, match=next(iter(switches))):
        games.ruleset("cardgame", **switches)
