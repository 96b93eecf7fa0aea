"""Piece names as data: one file a language in `data/names/`, with the plain ranks and the characters of the two sides.

In the Assassin's Creed edition red are the Templars and blue the Assassins; each rank there is a character. Names are
only shown, never played with.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from gonfalon.engine.ruleset import RulesetError, read_toml
from gonfalon.games.grid.ruleset import DATA, TYPES

TABLES = ("pieces", "templars", "assassins")
"""The plain ranks; the characters of red; the characters of blue."""


class NameTable(msgspec.Struct, frozen=True):
    """One name a piece type. `names` is indexed by type code; its first entry is unused and empty."""

    title: str
    names: tuple[str, ...]


class Names(msgspec.Struct, frozen=True):
    """All names in one language. `language` is what the language calls itself."""

    code: str
    language: str
    pieces: NameTable
    templars: NameTable
    assassins: NameTable


def languages(data: Path = DATA) -> tuple[str, ...]:
    """Codes of the languages that there are files for, ascending."""
    return tuple(sorted(path.stem for path in (data / "names").glob("*.toml")))


def load(code: str, data: Path = DATA) -> Names:
    """The names in the language `code`. Raises `RulesetError` naming file and key."""
    if code not in languages(data):
        raise RulesetError(f"no names in {code!r}; there are {', '.join(languages(data))}")
    content = read_toml(data / "names" / f"{code}.toml")
    where = f"{code}.toml"
    _same_keys(content, {"language", *TABLES}, where)
    return Names(
        code,
        _words(content["language"], f"{where}: language"),
        *(_table(content[name], f"{where}: {name}") for name in TABLES),
    )


def _table(table: object, where: str) -> NameTable:
    if not isinstance(table, dict):
        raise RulesetError(f"{where} must be a table, not {table!r}")
    _same_keys(table, {"title", *TYPES[1:]}, where)
    names = tuple(_words(table[name], f"{where}.{name}") if name else "" for name in TYPES)
    return NameTable(_words(table["title"], f"{where}.title"), names)


def _same_keys(table: dict[str, Any], wanted: set[str], where: str) -> None:
    if unknown := sorted(set(table) - wanted):
        raise RulesetError(f"{where}: unknown key {unknown[0]!r}")
    if missing := sorted(wanted - set(table)):
        raise RulesetError(f"{where}: key {missing[0]!r} is missing")


def _words(value: object, where: str) -> str:
    if not isinstance(value, str) or not value.strip() or value != value.strip():
        raise RulesetError(f"{where} must be a name without blanks around it, not {value!r}")
    return value
