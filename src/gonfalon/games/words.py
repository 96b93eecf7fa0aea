"""Texts of the games and names of their pieces, by language: message catalogues (`messages/<language>.json`) and tables
of names (`data/names/<language>.toml`). Both are found by their paths. No game code is loaded.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import msgspec

from gonfalon.engine.rulesets.names import GENDERS, invert_genders
from gonfalon.engine.rulesets.ruleset import read_toml

FOLDER = Path(__file__).parent
DEFAULT = "en"


class PieceNames(msgspec.Struct, frozen=True):
    """Names of pieces and cards in one language. `language` of a plain table is the language's own name."""

    title: str
    language: str
    names: dict[str, str]
    genders: dict[str, str]
    """Gender by key; messages use it to choose articles. Names of people have none."""


def languages() -> tuple[str, ...]:
    """Return the codes of the languages that the games have, ascending."""
    return tuple(sorted(path.stem for path in (FOLDER / "messages").glob("*.json")))


def find_rules(family: str, language: str = DEFAULT) -> Path:
    """Return the path of a family's rules page in a language."""
    return FOLDER / family / ("rules.md" if language == DEFAULT else f"rules.{language}.md")


@cache
def read_messages(language: str, family: str = "") -> dict[str, str]:
    """Return all messages of all games by key. If several families have a key, the message of `family` wins."""
    found: dict[str, str] = {}
    paths = sorted(FOLDER.glob(f"*/screen/messages/{language}.json"), key=lambda path: path.parts[-4] == family)
    for path in (*paths, FOLDER / "messages" / f"{language}.json"):
        found |= json.loads(path.read_text(encoding="utf-8"))
    return found


@cache
def list_names() -> dict[str, PieceNames]:
    """Return the tables of names of all families together: `en` (plain), `templars.en`, ..."""
    tables: dict[str, PieceNames] = {}
    for path in sorted(FOLDER.glob("*/data/names/*.toml")):
        data = read_toml(path)
        for kind, table in data.items():
            if not isinstance(table, dict):
                continue
            plain = kind == "pieces"
            names = {key: name for key, name in table.items() if key not in ("title", GENDERS)}
            genders = invert_genders(table.get(GENDERS, {}), names, f"{path}: {kind}")
            code = path.stem if plain else f"{kind}.{path.stem}"
            before = tables.get(code, PieceNames("", "", {}, {}))
            language = data["language"] if plain else ""
            tables[code] = PieceNames(table["title"], language, before.names | names, before.genders | genders)
    return tables
