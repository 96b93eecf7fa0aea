"""The page and the terminal merge the words, drawings and piece names of all families. None may contradict another.

Families may differ only in words about a match or its rules, since the words of the match's own family come first
there.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from gonfalon import games
from gonfalon.engine.rulesets.names import GENDERS, invert_genders

FOLDER = Path(games.__file__).parent
PAGE = Path(__file__).parents[2] / "web" / "src" / "messages" / "en.json"

PARTS_OF_A_MATCH = ("button", "end", "event", "headline", "hint", "phase", "piece", "refusal", "remark", "status")
OF_A_MATCH = tuple(f"{part}." for part in (*PARTS_OF_A_MATCH, "switch"))

Parts = list[tuple[str, dict[str, Any]]]
"""Sources, each with its messages by key."""


def contradictions(parts: Parts) -> list[str]:
    """Return an error line for each key to which two sources give different values."""
    first: dict[str, tuple[str, Any]] = {}
    found = []
    for source, said in parts:
        for key, value in said.items():
            where, known = first.setdefault(key, (source, value))
            if known != value:
                found.append(f"{key}: {where} has {known!r}, {source} has {value!r}")
    return found


def read(paths: Iterable[Path]) -> Parts:
    return [(str(path.relative_to(FOLDER.parents[2])), json.loads(path.read_text(encoding="utf-8"))) for path in paths]


def test_contradictions_are_named() -> None:
    parts: Parts = [("one", {"a": 1, "b": 2}), ("other", {"a": 1, "b": 3}), ("third", {"c": 1})]
    assert contradictions(parts) == ["b: one has 2, other has 3"]


def test_messages() -> None:
    """Any two families agree in all words that may appear outside of their matches."""
    parts = read(sorted(FOLDER.glob("*/screen/messages/en.json")))
    assert [line for line in contradictions(parts) if not line.startswith(OF_A_MATCH)] == []


def test_messages_of_the_page() -> None:
    """The page's own catalogue agrees with the catalogue of each family, with which the page merges it."""
    for part in read(sorted(FOLDER.glob("*/screen/messages/en.json"))):
        assert contradictions([part, *read([PAGE])]) == []


def test_glyphs() -> None:
    """If two families draw the same face, they draw it alike."""
    assert contradictions(read(sorted(FOLDER.glob("*/screen/glyphs.json")))) == []


@pytest.mark.parametrize("code", sorted({path.stem for path in FOLDER.glob("*/data/names/*.toml")}))
def test_names(code: str) -> None:
    """Tables with the same name, for a language or a set of pieces, become one table."""
    tables: dict[str, Parts] = {}
    for path in sorted(FOLDER.glob(f"*/data/names/{code}.toml")):
        family = path.parts[-4]
        for key, value in tomllib.loads(path.read_text(encoding="utf-8")).items():
            table, said = (key, value) if isinstance(value, dict) else ("", {key: value})
            genders = invert_genders(said.pop(GENDERS, {}), said, f"{path}: {key}")
            tables.setdefault(table, []).append((family, said))
            tables.setdefault(f"{table}: genders", []).append((family, genders))
    assert [line for parts in tables.values() for line in contradictions(parts)] == []
