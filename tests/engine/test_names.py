"""Piece names in eight languages: complete, and every mistake in a file is refused with file and key."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from gonfalon.engine.ruleset import RulesetError
from gonfalon.games.grid import names
from gonfalon.games.grid.ruleset import DATA, TYPES

CODES = ("da", "de", "en", "es", "fr", "it", "nl", "pt")


def test_the_languages() -> None:
    assert names.languages() == CODES


@pytest.mark.parametrize("code", CODES)
def test_each_language_names_every_type_in_every_table(code: str) -> None:
    found = names.load(code)
    for table in (found.pieces, found.templars, found.assassins):
        assert len(table.names) == len(TYPES)
        assert len(set(table.names)) == len(TYPES), "two types have the same name"
    assert found.pieces.names[11] == found.templars.names[11] == found.assassins.names[11]
    assert found.templars.names[12] == found.assassins.names[12] != found.pieces.names[12]


def test_some_names() -> None:
    english, french = names.load("en"), names.load("fr")
    assert english.pieces.names[1:] == tuple(name.capitalize() for name in TYPES[1:])
    assert (english.templars.title, english.templars.names[10]) == ("Templars", "Cesare Borgia")
    assert (french.language, french.pieces.names[3]) == ("Français", "Artificier")
    assert french.assassins.names[10] == english.assassins.names[10] == "Ezio Auditore"


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(RulesetError, match=r"'xx'.*da, de"):
        names.load("xx")


MISTAKES = [
    ('language = "English"', "language = 3", "language"),
    ('language = "English"', 'language = "English"\nscript = "Latin"', "script"),
    ('language = "English"\n', "", "language"),
    ('scout = "Scout"', 'scout = ""', "pieces.scout"),
    ('scout = "Scout"', 'scout = " Scout"', "pieces.scout"),
    ('scout = "Scout"', 'scouts = "Scout"', "scouts"),
    ('scout = "Agile"\n', "", "templars: key 'scout'"),
    ('title = "Assassins"', "title = 1", "assassins.title"),
    ("[templars]", "[knights]", "knights"),
]


@pytest.mark.parametrize(("old", "new", "key"), MISTAKES)
def test_mistakes_in_a_names_file(tmp_path: Path, old: str, new: str, key: str) -> None:
    data = Path(shutil.copytree(DATA, tmp_path / "data"))
    path = data / "names" / "en.toml"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(RulesetError, match=r"en\.toml") as caught:
        names.load("en", data)
    assert key in str(caught.value)
