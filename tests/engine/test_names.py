"""Names of pieces and cards are complete in every language. Every mistake in a file is refused, and the error names the
file and the key.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from gonfalon import games
from gonfalon.engine.rulesets import names
from gonfalon.engine.rulesets.ruleset import RulesetError
from gonfalon.games.conquest import names as conquest
from gonfalon.games.conquest.ruleset import CARDS
from gonfalon.games.grid import names as grid
from gonfalon.games.grid.ruleset import TYPES
from texts import edit

HELD: dict[str, tuple[Path, names.Tables]] = {
    "grid": (grid.FOLDER, grid.TABLES),
    "conquest": (conquest.FOLDER, conquest.TABLES),
}
FILES = [(family, code) for family, (folder, _) in HELD.items() for code in names.list_languages(folder)]


def load(family: str, code: str) -> names.Names:
    folder, tables = HELD[family]
    return names.load(folder, code, tables)


def test_the_languages() -> None:
    assert names.list_languages(grid.FOLDER) == ("da", "de", "en", "es", "fr", "it", "nl", "pt")
    assert names.list_languages(conquest.FOLDER) == names.list_languages(grid.FOLDER)


def test_every_family_with_names_is_here() -> None:
    found = {path.parts[-4] for path in Path(games.__file__).parent.glob("*/data/names/*.toml")}
    assert found == set(HELD)


@pytest.mark.parametrize(("family", "code"), FILES)
def test_each_language_names_every_key_in_every_table(family: str, code: str) -> None:
    for name, table in load(family, code).tables.items():
        assert len(table.names) == len(HELD[family][1][name])
        assert len(set(table.names)) == len(table.names), "two have the same name"


@pytest.mark.parametrize("code", names.list_languages(grid.FOLDER))
def test_bombs_have_one_name_and_flags_of_characters_another(code: str) -> None:
    pieces, templars, assassins = (table.names for table in load("grid", code).tables.values())
    assert pieces[11] == templars[11] == assassins[11]
    assert templars[12] == assassins[12] != pieces[12]


def test_some_names() -> None:
    english, french = load("grid", "en").tables, load("grid", "fr")
    assert english["pieces"].names[1:] == tuple(name.capitalize() for name in TYPES[1:])
    assert (english["templars"].title, english["templars"].names[10]) == ("Templars", "Cesare Borgia")
    assert (french.language, french.tables["pieces"].names[3]) == ("Français", "Artificier")
    assert french.tables["assassins"].names[10] == english["assassins"].names[10] == "Ezio Auditore"


def test_some_names_of_conquest() -> None:
    english, german = load("conquest", "en").tables["pieces"], load("conquest", "de").tables["pieces"]
    keys = conquest.TABLES["pieces"]
    assert english.names[1:] == tuple(name.replace("-", " ").title() for name in keys[1:])
    assert german.names[3] == "Zauberin"
    assert german.names[len(keys) - len(CARDS) + CARDS.index("traitor")] == "Verräter"


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(RulesetError, match=r"'xx'.*da, de"):
        load("grid", "xx")


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
    folder = Path(shutil.copytree(grid.FOLDER, tmp_path / "names"))
    edit(folder / "en.toml", old, new)
    with pytest.raises(RulesetError, match=r"en\.toml") as caught:
        names.load(folder, "en", grid.TABLES)
    assert key in str(caught.value)
