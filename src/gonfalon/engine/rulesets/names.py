"""Names as data: one file per language in a family's `data/names/`, with one or more tables. Names are for display
only; the rules never use them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

import msgspec

from gonfalon.engine.rulesets.ruleset import RulesetError, check_keys, read_toml
from gonfalon.engine.spelling import list_known

Tables = Mapping[str, tuple[str, ...]]
"""Keys that each table of a family names, in order. The empty key means no piece and has no name."""


GENDERS = "genders"
"""Key under which a table lists its keys by gender. Messages use the gender to choose articles; names of people have
none.
"""


class NameTable(msgspec.Struct, frozen=True):
    """One table of names. `names` and `genders` are in the order of the table's keys."""

    title: str
    names: tuple[str, ...]
    genders: tuple[str, ...]


class Names(msgspec.Struct, frozen=True):
    """All names of a family in one language. `language` is the name of the language in that language."""

    code: str
    language: str
    tables: dict[str, NameTable]


def list_languages(folder: Path) -> tuple[str, ...]:
    """Return the codes of the languages that have a file, ascending."""
    return tuple(sorted(path.stem for path in folder.glob("*.toml")))


def load(folder: Path, code: str, tables: Tables) -> Names:
    """Return the names in the language `code`. Raises `RulesetError` with the file and the key."""
    if code not in list_languages(folder):
        raise RulesetError(f"no names in {code!r}; {list_known(code, list_languages(folder))}")
    content = read_toml(folder / f"{code}.toml")
    where, wanted = f"{code}.toml", frozenset({"language", *tables})
    check_keys(content, wanted, wanted, where)
    read = {name: _read_table(content[name], keys, f"{where}: {name}") for name, keys in tables.items()}
    return Names(code, _read_words(content["language"], f"{where}: language"), read)


def _read_table(table: object, keys: tuple[str, ...], where: str) -> NameTable:
    if not isinstance(table, dict):
        raise RulesetError(f"{where} must be a table, not {table!r}")
    wanted = frozenset({"title", *keys}) - {""}
    check_keys(table, wanted | {GENDERS}, wanted, where)
    names = tuple(_read_words(table[key], f"{where}.{key}") if key else "" for key in keys)
    genders = invert_genders(table.get(GENDERS, {}), keys, f"{where}.{GENDERS}")
    return NameTable(_read_words(table["title"], f"{where}.title"), names, tuple(genders.get(key, "") for key in keys))


def invert_genders(genders: object, keys: Iterable[str], where: str) -> dict[str, str]:
    """Return the gender of each key that has one. Raises `RulesetError` for an unknown key or a key with two
    genders.
    """
    if not isinstance(genders, dict):
        raise RulesetError(f"{where} must be a table, not {genders!r}")
    found: dict[str, str] = {}
    for gender, held in genders.items():
        for key in held if isinstance(held, list) else [held]:
            if key not in keys or not key or key in found:
                raise RulesetError(f"{where}.{gender}: {key!r} is no name of this table, or has two genders")
            found[key] = gender
    return found


def _read_words(value: object, where: str) -> str:
    if not isinstance(value, str) or not value.strip() or value != value.strip():
        raise RulesetError(f"{where} must be a name without blanks around it, not {value!r}")
    return value
