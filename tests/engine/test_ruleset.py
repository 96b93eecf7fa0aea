"""Variant files of every family: all files load; every mistake is refused, and the error names the file and the key."""

from __future__ import annotations

import importlib
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from gonfalon import games
from gonfalon.engine.rulesets.ruleset import RulesetError
from texts import FOLDER

FAMILIES = games.families()
each_family = pytest.mark.parametrize("family", FAMILIES)


def base_of(family: str) -> str:
    """Return a variant whose file contains all keys and inherits none."""
    variants = FOLDER / family / "data" / "variants"
    return next(v for v in FAMILIES[family] if "inherits" not in (variants / f"{v}.toml").read_text(encoding="utf-8"))


def module_of(family: str) -> ModuleType:
    return importlib.import_module(f"gonfalon.games.{family}.ruleset")


@pytest.fixture
def folder(tmp_path: Path, family: str) -> Path:
    """A copy of the family's data."""
    return Path(shutil.copytree(FOLDER / family / "data", tmp_path / family / "data"))


def test_variants_are_listed_in_the_order_of_their_files() -> None:
    assert list(games.variants()) == [variant for variants in FAMILIES.values() for variant in variants]
    orders = [games.ruleset(variant).data["order"] for variant in games.variants()]
    assert orders == sorted(set(orders))


def test_a_variant_stands_under_its_own_heading_or_under_that_of_another() -> None:
    headings = {variant: games.find_heading(variant) for variant in games.variants()}
    assert headings["duel"] == headings["duel-10x10"] == "duel"
    for variant, heading in headings.items():
        assert headings[heading] == heading
        assert games.variants()[heading] == games.variants()[variant]


@pytest.mark.parametrize("heading", ['"chess"', '"conquest"', "7", '"duel-10x10"'])
def test_a_heading_that_is_none_is_refused(monkeypatch: pytest.MonkeyPatch, heading: str, tmp_path: Path) -> None:
    shutil.copytree(FOLDER, tmp_path / "games", ignore=shutil.ignore_patterns("*.py", "__pycache__"))
    (tmp_path / "games" / "grid" / "data" / "variants" / "barrage.toml").write_text(f"order = 40\nbeside = {heading}\n")
    monkeypatch.setattr(games, "_HERE", tmp_path / "games")
    for cached in (games.families, games.find_heading):
        cached.cache_clear()
    with pytest.raises(RulesetError, match="beside"):
        games.find_heading("barrage")
    monkeypatch.undo()
    for cached in (games.families, games.find_heading):
        cached.cache_clear()


def test_listing_does_not_import_what_takes_long() -> None:
    calls = "from gonfalon import games; [games.ruleset(variant) for variant in games.variants()]"
    code = f"import sys; {calls}; assert not {{'numba', 'numpy'}} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True, env={"PYTHONPATH": ":".join(sys.path)})


def test_an_unknown_variant_is_refused_with_the_known_ones() -> None:
    with pytest.raises(RulesetError, match=r"no variant 'chess'.*classic"):
        games.ruleset("chess")


@each_family
def test_the_copy_loads_like_the_original(family: str, folder: Path) -> None:
    for variant in FAMILIES[family]:
        assert module_of(family).load(variant, folder) == games.ruleset(variant)


@each_family
def test_inheriting_in_a_circle_is_refused(family: str, folder: Path) -> None:
    variant = base_of(family)
    path = folder / "variants" / f"{variant}.toml"
    path.write_text(f'inherits = "{variant}"\n{path.read_text(encoding="utf-8")}', encoding="utf-8")
    refused(family, folder, "inherits")


@each_family
def test_inheriting_from_nothing_is_refused(family: str, folder: Path) -> None:
    path = folder / "variants" / f"{base_of(family)}.toml"
    path.write_text(f'inherits = "nobody"\n{path.read_text(encoding="utf-8")}', encoding="utf-8")
    refused(family, folder, "inherits", "nobody")


MISTAKES = [
    (r"order = \d+", "order = 0", "order"),
    (r"order = \d+", "order = true", "order"),
    (r"order = \d+", "order = ", "variants"),
    (r"order = \d+\n", "", "order"),
    (r"order = (\d+)", r"order = \1\nlake = 2", "lake"),
    (r"boxes = \[", "boxes = [3, ", "boxes"),
    (r"boxes = \[", 'boxes = [" ", ', "boxes"),
    (r"boxes = \[(.*)\]", 'boxes = ["a", "b", "a"]', "boxes"),
    (r"boxes = \[(.*)\]", 'boxes = "a"', "boxes"),
    (r"(army|deck) = (.*)", r"\1 = 8", "must be a name"),
    (r"(army|deck) = (.*)", r'\1 = "nobody"', "no file 'nobody'"),
    (r"\A", "switches.chess = true\n", "switches.chess"),
    (r"\A", "switches.show_known = 1\n", "show_known"),
]


@pytest.mark.parametrize(("old", "new", "word"), MISTAKES)
@each_family
def test_mistakes_in_a_variant_file(family: str, folder: Path, old: str, new: str, word: str) -> None:
    path = folder / "variants" / f"{base_of(family)}.toml"
    text = path.read_text(encoding="utf-8")
    if new.startswith("switches") and "[switches]" in text:
        old, new = r"\[switches\]", f"[switches]\n{new.removeprefix('switches.')}"
    changed, count = re.subn(old, new, text, count=1)
    assert count == 1
    path.write_text(changed, encoding="utf-8")
    refused(family, folder, path.name if word == "variants" else word)


def refused(family: str, folder: Path, *words: str) -> None:
    """Check that loading the family's first variant fails with an error that has the file's name and these words."""
    variant = base_of(family)
    with pytest.raises(RulesetError) as caught:
        module_of(family).load(variant, folder)
    for word in (f"{variant}.toml", *words):
        assert word in str(caught.value)
